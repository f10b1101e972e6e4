"""Whether two tasks are the same task: bisimulation from their initial states, shown or refuted."""

from groundplan.pddl.compare.decide import compare_tasks
from groundplan.pddl.compare.result import ActionMatch, Comparison, Difference, Drift, Equivalence, Maps, Witness

__all__ = [
    "ActionMatch",
    "Comparison",
    "Difference",
    "Drift",
    "Equivalence",
    "Maps",
    "Witness",
    "compare_tasks",
]
