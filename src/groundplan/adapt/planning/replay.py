"""Whether an operator is right, as far as recorded transitions tell: explains them, is refuted, or not yet supported.

A plan found says nothing about that: an operator may be plannable and physically impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.planning.states import text_of
from groundplan.adapt.planning.transitions import Transition
from groundplan.adapt.planning.trials import Placing, Trial, Trials
from groundplan.pddl.ast import Action, Domain, TypedName
from groundplan.pddl.diagnostics import listing
from groundplan.pddl.ground_normal import renamed
from groundplan.pddl.write import write_formula


class Right(StrEnum):
    """What transitions say about an operator."""

    EXPLAINS = "explains"
    """It foretells every success, at least one, and allows no try that failed."""
    REFUTED = "refuted"
    UNSUPPORTED = "not yet supported"
    """Nothing speaks against it, and no success for it."""


class Wrong(StrEnum):
    """How a transition refutes an operator."""

    TOO_NARROW = "too narrow"
    """It succeeded where the precondition says that it cannot."""
    TOO_WIDE = "too wide"
    """It failed where the precondition says that it can."""
    EFFECTS = "wrong effects"
    """It succeeded with other changes than the effects say."""


@dataclass(frozen=True, slots=True)
class Witness:
    """The transition that refutes an operator, counted from 1 among those that were given, and why."""

    number: int
    kind: Wrong
    reason: str


@dataclass(frozen=True, slots=True)
class Replay:
    """How an operator fared. `explained` successes and `forbidden` failures agree with it; `of_others` transitions are
    of other actions and were left out."""

    right: Right
    witness: Witness | None = None
    explained: int = 0
    forbidden: int = 0
    of_others: int = 0

    def __str__(self) -> str:
        if self.witness is not None:
            witness = self.witness
            return f"{self.right.value} by transition {witness.number} ({witness.kind.value}): {witness.reason}"
        return (
            f"{self.right.value}: {self.explained} success(es) foretold, {self.forbidden} failure(s) rightly forbidden"
        )

    def as_json(self) -> dict[str, Any]:
        witness = self.witness
        return {
            "right": self.right.value,
            "explained": self.explained,
            "forbidden": self.forbidden,
            "of_others": self.of_others,
            "witness": witness and {"transition": witness.number, "kind": witness.kind.value, "reason": witness.reason},
        }


def relevant(action: Action, domain: Domain, transitions: Sequence[Transition], name: str = "") -> list[int]:
    """The numbers (from 0) of the transitions that are tries of an operator.

    They have its name, or `name`, or, where none has and an operator's name is free, the one name among them that
    belongs to no known operator.
    """
    wanted = name or action.name
    same = [n for n, item in enumerate(transitions) if item.action[0] == wanted]
    if same or name:
        return same
    unknown = [n for n, item in enumerate(transitions) if item.action[0] not in domain.action_by_name]
    return unknown if len({transitions[n].action[0] for n in unknown}) == 1 else []


def replay(
    action: Action,
    domain: Domain,
    transitions: Sequence[Transition],
    objects: Sequence[TypedName] = (),
    *,
    name: str = "",
) -> Replay:
    """Judge an operator by transitions; `objects` gives the types of those that are declared, `name` the name under
    which the tries of the operator are recorded, if it is not its own.

    The recorded actions may name other objects, fewer or more, than the operator has parameters: it is judged under
    the reading that suits it best, the same for all transitions. Raises InputError beyond classical planning.
    """
    numbers = relevant(action, domain, transitions, name)
    others = len(transitions) - len(numbers)
    if not numbers:
        return Replay(Right.UNSUPPORTED, of_others=others)
    trials = Trials(action, domain, [transitions[n] for n in numbers], objects)
    placings = trials.placings
    if not placings:
        reason = "no parameter of the operator can stand for the objects that the action names, by their types"
        return Replay(Right.REFUTED, Witness(numbers[0] + 1, Wrong.EFFECTS, reason), of_others=others)
    judged = [_under(trials, placing, numbers, others) for placing in placings]
    return max(judged, key=_merit)


def _merit(item: Replay) -> tuple[int, int, int]:
    order = {Right.REFUTED: 0, Right.UNSUPPORTED: 1, Right.EXPLAINS: 2}
    narrow = item.witness is not None and item.witness.kind is not Wrong.EFFECTS
    return order[item.right], item.explained + item.forbidden, int(narrow)


def _under(trials: Trials, placing: Placing, numbers: Sequence[int], others: int) -> Replay:
    explained = forbidden = 0
    first: Witness | None = None
    for number, transition in zip(numbers, trials.transitions, strict=True):
        found = _judge(trials, placing, transition)
        if found is not None:
            first = first or Witness(number + 1, *found)
        elif transition.success:
            explained += 1
        else:
            forbidden += 1
    if first is not None:
        return Replay(Right.REFUTED, first, explained, forbidden, others)
    return Replay(Right.EXPLAINS if explained else Right.UNSUPPORTED, None, explained, forbidden, others)


def _judge(trials: Trials, placing: Placing, transition: Transition) -> tuple[Wrong, str] | None:
    """What is wrong at one transition; None where it agrees."""
    tried = list(trials.at(transition, placing))
    before, after = trials.without_derived(transition.before), trials.without_derived(transition.after)
    if transition.success:
        if any(trial.applicable and trial.predicted == after for trial in tried):
            return None
        right = [trial for trial in tried if trial.predicted == after]
        if right:
            nearest = min(right, key=lambda trial: len(trial.unmet))
            return Wrong.TOO_NARROW, f"it succeeded although {_unmet(trials, nearest)} did not hold"
        return Wrong.EFFECTS, _difference(tried, before, after, transition)
    for trial in tried:
        if trial.applicable and trial.predicted not in (before, after):
            shown = f"`({' '.join((trials.action.name, *trial.objects))})`"
            promised = _facts(trial.predicted - before, before - trial.predicted)
            return Wrong.TOO_WIDE, f"{shown} could be taken there and promises {promised}, yet the try failed"
    return None


def _unmet(trials: Trials, trial: Trial) -> str:
    values = {p.name: name for p, name in zip(trials.action.parameters, trial.objects, strict=True)}
    return listing([write_formula(renamed(trials.parts[n], values)) for n in sorted(trial.unmet)])


def _difference(tried: Sequence[Trial], before: Facts, after: Facts, transition: Transition) -> str:
    """What the best trial leaves unexplained, and what it promises in vain."""
    if not tried:
        return "no objects there can stand for its parameters, by their types"
    best = min(tried, key=lambda trial: (len(trial.predicted ^ after), len(trial.unmet)))
    missed = _facts((after - before) - best.predicted, (before - after) & best.predicted)
    vain = _facts((best.predicted - before) - after, (before & after) - best.predicted)
    parts = [f"it cannot explain {missed}"] if missed else []
    parts += [f"it promises {vain}, which did not come about"] if vain else []
    unseen = sorted({name for fact in before ^ after for name in fact[1:]} - set(best.objects))
    if missed and unseen:
        named = "" if set(unseen) <= set(transition.action[1:]) else ", though the recorded action does not name it"
        parts.append(f"a parameter for {listing(unseen)} is needed{named}")
    return "; ".join(parts)


def _facts(more: frozenset[Fact], less: frozenset[Fact]) -> str:
    shown = [text_of(fact) for fact in sorted(more)] + [text_of(fact, False) for fact in sorted(less)]
    return listing(shown) if shown else ""
