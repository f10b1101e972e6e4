"""Rewards for a new operator: its sub-goals, shaping functions that a model writes, and the walk that adds them up."""
