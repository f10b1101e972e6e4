"""Preconditions that were filled in by the state, not by need: dropped where the world contradicts them.

Automatic preconditions take in all that happened to be so. A success without one of them shows that it is not needed; a
failure that only one of them accounts for shows that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from groundplan.adapt.planning.lifting import conjunction
from groundplan.adapt.planning.loopholes import plain_effects
from groundplan.adapt.planning.replay import relevant
from groundplan.adapt.planning.transitions import Transition
from groundplan.adapt.planning.trials import Placing, Trial, Trials
from groundplan.pddl.ast import TRUE, Action, Domain, Formula, Not, TypedName
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.write import write_action, write_formula


@dataclass(frozen=True, slots=True)
class Dropped:
    """A part of a precondition that is gone; `transition` (from 1) is the success that did without it, 0 where it was
    dropped because nothing needs it."""

    part: Formula
    transition: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """An operator with the preconditions that are left.

    `needed` parts each account alone for a failure, or are what an effect turns round; `unclear` ones account for one
    only together with others; `unsupported` ones for none: they may be accidents of the state in which the operator was
    proposed. `reversed` are dropped parts whose opposite may be needed: it failed where they held, and succeeded only
    where they did not. `unexplained` lists the successes (from 1) that the effects do not account for; these say
    nothing about preconditions.
    """

    action: Action
    dropped: tuple[Dropped, ...]
    needed: tuple[Formula, ...]
    unclear: tuple[Formula, ...]
    unsupported: tuple[Formula, ...]
    unexplained: tuple[int, ...]
    reversed: tuple[Formula, ...] = ()

    def findings(self) -> Iterator[Diagnostic]:
        """`precondition-contradicted`, `-dropped`, `-reversed` and `-unsupported`, one for each part."""
        name = self.action.name
        for item in self.dropped:
            shown = write_formula(item.part)
            if item.transition:
                message = f"`{name}` does not need `{shown}`: transition {item.transition} succeeded without it"
                yield Diagnostic("precondition-contradicted", Category.CONDITION, Severity.WARNING, message)
            else:
                message = f"`{shown}` of `{name}` was dropped: no failure needs it"
                yield Diagnostic("precondition-dropped", Category.CONDITION, Severity.INFO, message)
        for part in self.reversed:
            message = (
                f"`{name}` may need the opposite of `{write_formula(part)}`: it failed where that held, and succeeded "
                "only where it did not"
            )
            yield Diagnostic("precondition-reversed", Category.CONDITION, Severity.WARNING, message)
        for part in self.unsupported:
            message = f"nothing recorded supports the precondition `{write_formula(part)}` of `{name}`"
            hint = "a try without it would tell"
            yield Diagnostic("precondition-unsupported", Category.CONDITION, Severity.INFO, message, hint=hint)

    def as_json(self) -> dict[str, Any]:
        return {
            "operator": write_action(self.action),
            "dropped": [{"part": write_formula(item.part), "transition": item.transition} for item in self.dropped],
            "needed": [write_formula(part) for part in self.needed],
            "unclear": [write_formula(part) for part in self.unclear],
            "unsupported": [write_formula(part) for part in self.unsupported],
            "unexplained": list(self.unexplained),
            "reversed": [write_formula(part) for part in self.reversed],
        }


def prune(
    action: Action,
    domain: Domain,
    transitions: Sequence[Transition],
    objects: Sequence[TypedName] = (),
    *,
    name: str = "",
    drop_unsupported: bool = False,
) -> Pruned:
    """Drop the preconditions that a success contradicts; report which of the others the failures support.

    With `drop_unsupported`, all goes that no failure needs, negated parts first, as long as every failure that was
    forbidden stays so: only what the world or a counter-example asks for is left, and what the effects turn round (a
    thing that is let go of was held). `objects` and `name` as in `replay`.
    A success that the operator foretold is foretold afterwards too. Raises InputError beyond classical planning.
    """
    numbers = relevant(action, domain, transitions, name)
    trials = Trials(action, domain, [transitions[n] for n in numbers], objects)
    best = max((_Evidence(trials, placing, numbers) for placing in trials.placings), key=_worth, default=None)
    if best is None:
        return Pruned(action, (), (), (), trials.parts, ())
    gone = dict(best.contradicted)
    left = [n for n in range(len(trials.parts)) if n not in gone]
    turned = _turned(action, trials.parts)
    if drop_unsupported:
        for n in sorted(left, key=lambda n: (not isinstance(trials.parts[n], Not), -n)):
            if n not in turned and best.still_forbids([m for m in left if m != n]):
                left.remove(n)
                gone[n] = 0
    needed, unclear = best.support(left)
    needed |= turned
    unclear -= turned
    parts = trials.parts
    precondition = conjunction([parts[n] for n in left]) if left else TRUE
    return Pruned(
        replace(action, precondition=precondition) if gone else action,
        tuple(Dropped(parts[n], number) for n, number in sorted(gone.items())),
        tuple(parts[n] for n in left if n in needed),
        tuple(parts[n] for n in left if n in unclear),
        tuple(parts[n] for n in left if n not in needed | unclear),
        best.unexplained,
        tuple(parts[n] for n in best.reversed_parts()),
    )


def _turned(action: Action, parts: Sequence[Formula]) -> set[int]:
    """The parts that an effect makes false."""
    changed = {effect.atom if not effect.positive else Not(effect.atom) for effect in plain_effects(action)}
    return {n for n, part in enumerate(parts) if part in changed}


class _Evidence:
    """What the transitions say about each part of a precondition, under one reading of the recorded actions."""

    def __init__(self, trials: Trials, placing: Placing, numbers: Sequence[int]) -> None:
        self.contradicted: dict[int, int] = {}
        unexplained: list[int] = []
        self.failures: list[list[Trial]] = []
        self.explained = 0
        self.never_met = set(range(len(trials.parts)))
        for number, transition in zip(numbers, trials.transitions, strict=True):
            before, after = (trials.without_derived(facts) for facts in (transition.before, transition.after))
            tried = list(trials.at(transition, placing))
            if not transition.success:
                self.failures.append([trial for trial in tried if trial.predicted not in (before, after)])
                continue
            right = [trial for trial in tried if trial.predicted == after]
            if not right:
                unexplained.append(number + 1)
                continue
            self.explained += 1
            unmet = min(right, key=lambda trial: len(trial.unmet)).unmet
            self.never_met &= unmet
            for part in unmet:
                self.contradicted.setdefault(part, number + 1)
        self.unexplained = tuple(unexplained)

    def reversed_parts(self) -> list[int]:
        """The parts that held in no success, and in a failure that no other part accounts for."""
        open_ = [trial.unmet for tried in self.failures for trial in tried if trial.unmet <= self.contradicted.keys()]
        return [n for n in sorted(self.never_met & self.contradicted.keys()) if any(n not in unmet for unmet in open_)]

    def still_forbids(self, parts: Sequence[int]) -> bool:
        """Whether `parts` alone forbid every failure that all parts which are not contradicted forbid."""
        mine = set(parts)
        unmet = (trial.unmet for tried in self.failures for trial in tried)
        return all(found & mine or not found - self.contradicted.keys() for found in unmet)

    def support(self, left: Sequence[int]) -> tuple[set[int], set[int]]:
        """The parts that alone account for a failure, and those that do together with others."""
        mine = set(left)
        unmet = [trial.unmet & mine for tried in self.failures for trial in tried]
        needed = {next(iter(parts)) for parts in unmet if len(parts) == 1}
        return needed, {part for parts in unmet for part in parts} - needed


def _worth(evidence: _Evidence) -> tuple[int, int]:
    return evidence.explained, -len(evidence.contradicted)
