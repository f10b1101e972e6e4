"""From a domain to a program that solves all its tasks: describe, strategy, program."""
