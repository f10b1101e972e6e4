"""Tasks whose reference is PDDL: PlanBench's, or our own in the same manner; and how their answers are judged."""
