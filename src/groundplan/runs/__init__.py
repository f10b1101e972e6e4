"""A run on disk: event log, resume, budget, paid replies; and the loop propose, check, explain, revise."""
