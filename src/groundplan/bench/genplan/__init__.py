"""Generalized planning measured: domains, instance generators, coverage, ratios to a planner."""
