"""A comparison in words."""

from __future__ import annotations

from groundplan.pddl.compare.result import Comparison, Equivalence

_HEADS = {
    Equivalence.PROVED: "PROVED: the same task",
    Equivalence.REFUTED: "REFUTED: not the same task",
    Equivalence.UNREFUTED: "UNREFUTED: no proof and no difference that holds under every correspondence",
}


def explanation(found: Comparison) -> list[str]:
    """The verdict, the shortest run after which the tasks differ, where the texts differ, the maps."""
    lines = [f"{_HEADS[found.verdict]} ({found.method})"]
    if found.category is not None:
        lines.append(f"  kind: {found.category}")
    if found.verdict is not Equivalence.PROVED:
        lines.append(f"  goal {found.goal}, objects {found.objects}, schemas {found.schemas}, initial {found.initial}")
    witness = found.witness
    if witness is None:
        lines.append(f"  {found.reason}")
    else:
        lines += _run(found)
    if found.probe is not None:
        lines.append(f"  on a variation of the problem, {found.probe.change}; on the problem itself: {found.instance}")
    if found.details:
        lines.append("  in the texts (the reference's words; ?0 is the first parameter):")
        lines += [f"    {detail}" for detail in found.details]
    lines += _maps(found)
    if found.schema_f1 is not None:
        preserved = "" if found.goal_preservation is None else f", goal preservation {found.goal_preservation:.2f}"
        lines.append(f"  schema F1 {found.schema_f1:.2f}{preserved}")
    return lines


def _run(found: Comparison) -> list[str]:
    witness = found.witness
    assert witness is not None
    if not witness.after:
        return [f"  at the start: {witness.detail}"]
    short = "shortest run" if found.is_shortest else "run (perhaps not the shortest)"
    lines = [f"  {short} after which they differ:"]
    for number, (mine, other) in enumerate(zip(witness.after, witness.candidate_after, strict=True), start=1):
        lines.append(f"    {number}. {mine}" + (f"   candidate: {other}" if mine != other else ""))
    return [*lines, f"  then {witness.detail}"]


def _maps(found: Comparison) -> list[str]:
    """Only what does not keep its name."""
    lines = []
    moved = [f"{other} is {mine}" for other, mine in found.maps.objects.items() if other != mine]
    if moved:
        lines.append(f"  objects: {', '.join(moved)}")
    for other, match in found.maps.actions.items():
        if other != match.action or match.positions != tuple(range(len(match.positions))):
            places = " ".join(str(place) for place in match.positions)
            lines.append(f"  action {other} is {match.action}" + (f" with parameters {places}" if places else ""))
    return lines
