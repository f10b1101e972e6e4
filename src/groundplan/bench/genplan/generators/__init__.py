"""Instance generators, one file a domain."""
