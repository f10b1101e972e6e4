"""Calendar scheduling (NATURAL PLAN): a time for a meeting that suits everybody."""
