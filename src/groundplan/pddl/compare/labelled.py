"""A ground task as a labelled transition system: every step under the reference's name for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from groundplan.pddl.ast import Step
from groundplan.pddl.compare.result import ActionMatch, Maps
from groundplan.pddl.ground_task import GroundOperator, GroundTask

Label: TypeAlias = Step
"""A ground action in the reference's words. Names of the candidate that stand for nothing there start with `?`."""


@dataclass(frozen=True)
class LabelledTask:
    """A ground task (grounded without merging) with its operators by label.

    A label has several operators where a precondition has alternatives, or where the candidate has parameters that
    the reference lacks.
    """

    ground: GroundTask
    by_label: Mapping[Label, tuple[GroundOperator, ...]]


def reference_labels(ground: GroundTask) -> LabelledTask:
    """The reference: every step is its own label."""
    return LabelledTask(ground, _grouped((operator.step, operator) for operator in ground.operators))


def candidate_labels(ground: GroundTask, maps: Maps) -> LabelledTask:
    """The candidate: every step is projected on what it stands for in the reference."""
    return LabelledTask(ground, _grouped((label_of(operator.step, maps), operator) for operator in ground.operators))


def label_of(step: Step, maps: Maps) -> Label:
    """What a step of the candidate stands for."""
    match: ActionMatch | None = maps.actions.get(step.action)
    if match is None:
        return Step(f"?{step.action}", tuple(maps.objects.get(name, f"?{name}") for name in step.args))
    args = [step.args[position] for position in match.positions]
    return Step(match.action, tuple(maps.objects.get(name, f"?{name}") for name in args))


def is_foreign(label: Label) -> bool:
    """Whether a label has a name that the reference lacks."""
    return label.action.startswith("?") or any(name.startswith("?") for name in label.args)


def _grouped(pairs: Iterable[tuple[Label, GroundOperator]]) -> dict[Label, tuple[GroundOperator, ...]]:
    groups: dict[Label, list[GroundOperator]] = {}
    for label, operator in pairs:
        groups.setdefault(label, []).append(operator)
    return {label: tuple(group) for label, group in groups.items()}
