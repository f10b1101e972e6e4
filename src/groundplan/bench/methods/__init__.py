"""The methods that the papers compare, behind one protocol."""
