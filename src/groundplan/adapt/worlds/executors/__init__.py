"""Scripted executors: the operators that the robot already has in each scenario, done in the world."""
