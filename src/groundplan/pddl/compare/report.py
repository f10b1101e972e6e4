"""From a witness to a full report: the category, what is the same in spite of all, the scores."""

from __future__ import annotations

from groundplan.pddl.ast import Task
from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.category import Evidence, category, goal_differences, init_differences, is_object_drift
from groundplan.pddl.compare.difference import Pair
from groundplan.pddl.compare.goals import goal_score
from groundplan.pddl.compare.literal_lists import match_literals
from groundplan.pddl.compare.overriding import TooManyWays
from groundplan.pddl.compare.result import Comparison, Difference, Drift, Equivalence, Maps, Witness
from groundplan.pddl.compare.search import Finding, search

_GOAL_WORDS = {
    (True, True): "different",
    (True, False): "weaker",
    (False, True): "stronger",
    (False, False): "same",
}
_SAME = {True: "same", False: "different", None: "unknown"}


def refuted(
    reference: Task, candidate: Task, maps: Maps, pair: Pair, witness: Witness, finding: Finding, budget: Budget
) -> Comparison:
    """The report on a candidate that is another task."""
    kind = witness.difference
    steps = _exists(pair, budget, kind in (Difference.PERMISSIVE, Difference.RESTRICTIVE), steps=True)
    weaker = _exists(pair, budget, kind is Difference.WEAKER_GOAL, weaker=True)
    stronger = _exists(pair, budget, kind is Difference.STRONGER_GOAL, stronger=True)
    literals = match_literals(reference, candidate, maps)
    evidence = Evidence(reference, candidate, maps, witness, pair, literals, bool(weaker), bool(stronger), bool(steps))
    drift = category(evidence)
    goal = "unknown" if None in (weaker, stronger) else _GOAL_WORDS[bool(weaker), bool(stronger)]
    missing = [item.name for item in reference.objects if item.name not in maps.objects.values()]
    objects = "different" if missing or is_object_drift(evidence) else "same"
    return Comparison(
        Equivalence.REFUTED,
        finding.method,
        _reason(witness),
        category=drift,
        goal=goal,
        objects=objects,
        schemas=_SAME[None if steps is None else not steps or literals.f1 == 1.0],
        initial=_SAME[not any(init_differences(evidence)) or (steps is False and not weaker and not stronger)],
        witness=witness,
        is_shortest=finding.is_shortest,
        maps=maps,
        schema_f1=literals.f1,
        goal_preservation=1.0 if goal == "same" else goal_score(reference, candidate, literals, maps),
        details=tuple(_details(evidence, missing, drift)),
        pairs=finding.states,
    )


def _exists(pair: Pair, budget: Budget, known: bool, **kinds: bool) -> bool | None:
    """Whether a difference of some kind can be reached; None if the budget does not tell."""
    if known:
        return True
    wanted = {"steps": False, "weaker": False, "stronger": False, **kinds}
    try:
        found = search(pair.task(**wanted), Budget(min(0.25, max(0.05, budget.left / 2)), budget.states // 4))
    except TooManyWays:
        return None
    return {Equivalence.PROVED: False, Equivalence.REFUTED: True, Equivalence.UNREFUTED: None}[found.verdict]


def _reason(witness: Witness) -> str:
    if not witness.after:
        return f"at the start {witness.detail}"
    return f"after {' '.join(map(str, witness.after))} {witness.detail}"


def _details(evidence: Evidence, missing: list[str], drift: Drift) -> list[str]:
    """Where the texts differ, in the reference's words."""
    found = [f"object {name} has no counterpart" for name in missing]
    for word, items in (("lacks", evidence.literals.missing), ("has more", evidence.literals.extra)):
        for action, literal in items[:20]:
            where = f"action {action}" if not action.startswith("?") else f"the candidate's action {action[1:]}"
            found.append(f"{where} {word}: {literal.role} {literal}")
    for place, different in (("initial state", init_differences(evidence)), ("goal", goal_differences(evidence))):
        found += [f"the {place} lacks {atom}" for atom in sorted(different[0])[:20]]
        found += [f"the {place} has more: {atom}" for atom in sorted(different[1])[:20]]
    return found
