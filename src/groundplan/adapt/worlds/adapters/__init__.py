"""Tasks of other simulators as worlds: one class a task, and the PDDL that belongs to it."""
