"""Proposals at one state: two calls a sample, several samples, and what most of them say (paper, Fig. 3; Wang 2022)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from groundplan.adapt.facts import Facts
from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.planning import prompts
from groundplan.adapt.planning.lifting import types_of
from groundplan.adapt.planning.preconditions import automatic_preconditions
from groundplan.adapt.planning.replies import ReadEffects, ReadStep, effects_of, step_in
from groundplan.adapt.planning.settings import Settings
from groundplan.adapt.planning.states import at_facts, with_derived
from groundplan.models.errors import BadReply
from groundplan.models.protocol import Message, Model
from groundplan.pddl.ast import Action, Domain, Task
from groundplan.pddl.diagnostics import Diagnostic

T = TypeVar("T")


class CallsUsedUp(Exception):
    """The next call would be beyond `max_calls`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What some samples agree on: an operator over objects, or None for "no operator". `samples` are their numbers.

    Samples agree when they name the same objects and the same effects in the same order; an operator may have any
    name, and the name (with its order of objects) that most of them give is taken.
    """

    operator: GroundOperator | None
    samples: tuple[int, ...]

    @property
    def votes(self) -> int:
        return len(self.samples)


@dataclass(frozen=True, slots=True)
class Proposals:
    """All candidates at one state, the one with most votes first, of equals the one that came first.

    `faults` are those of replies that could not be used even when asked again; `cut_short` says that the calls were
    used up before all samples were taken.
    """

    candidates: tuple[Candidate, ...]
    samples: int
    calls: int
    faults: tuple[Diagnostic, ...] = ()
    cut_short: bool = False


@dataclass
class Proposer:
    """Asks `model` for operators; the same state with the same operators is asked about once.

    `calls` counts all replies so far, those from a run's log too, so that a resumed search takes the same course.
    `propose` raises what the model raises, a BadReply apart (an answer without text cannot be read), and
    BudgetExhausted.
    """

    model: Model
    task: Task
    settings: Settings
    told: prompts.Told = field(default_factory=prompts.Told)
    calls: int = 0
    _known: dict[tuple[Facts, tuple[Action, ...]], Proposals] = field(default_factory=dict)

    def propose(self, facts: Facts, domain: Domain) -> Proposals:
        """Proposals in the state `facts` (derived facts included or not), with the operators of `domain` known."""
        key = (facts, domain.actions)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._sampled(facts, domain)
        return known

    def _sampled(self, facts: Facts, domain: Domain) -> Proposals:
        before = self.calls
        task = at_facts(self.task, facts, domain)
        question = prompts.step_question(self.task, domain, with_derived(task, facts), self.told)
        found: list[GroundOperator | None] = []
        numbers: list[int] = []
        faults: list[Diagnostic] = []
        cut_short = False
        taken = 0
        for sample in range(self.settings.samples):
            try:
                operator, fault = self._sample(question, task, facts, sample)
            except CallsUsedUp:
                cut_short = True
                break
            taken += 1
            faults += fault
            if not fault:
                found.append(operator)
                numbers.append(sample)
            if found and _most(found) >= self.settings.enough:
                break
        return Proposals(_candidates(found, numbers), taken, self.calls - before, tuple(faults), cut_short)

    def _sample(
        self, question: Sequence[Message], task: Task, facts: Facts, sample: int
    ) -> tuple[GroundOperator | None, tuple[Diagnostic, ...]]:
        """One sample: the operator, None for "no operator", or faults where a reply stayed unusable."""

        def read_step(text: str, cut_off: bool) -> tuple[ReadStep, tuple[Diagnostic, ...]]:
            step = step_in(text, task, cut_off)
            return step, (step.fault,) if step.fault else ()

        step, faults, answer = self._ask(question, sample, read_step)
        if faults or step.is_none:
            return None, faults
        preconditions = automatic_preconditions(task, facts, step.objects)
        asked = prompts.effects_question(question, answer, step.name, step.objects, preconditions)

        def read_effects(text: str, cut_off: bool) -> tuple[ReadEffects, tuple[Diagnostic, ...]]:
            effects = effects_of(text, step.name, step.objects, task, cut_off)
            return effects, effects.faults

        effects, faults, _ = self._ask(asked, sample, read_effects)
        if faults:
            return None, faults
        return operator_for(task, step.name, step.objects, preconditions, effects.effects), ()

    def _ask(
        self, question: Sequence[Message], sample: int, read: Callable[[str, bool], tuple[T, tuple[Diagnostic, ...]]]
    ) -> tuple[T, tuple[Diagnostic, ...], str]:
        """A reply as `read` understands it; one that it cannot use is asked for again, with the fault told."""
        messages = list(question)
        for attempt in range(self.settings.retries + 1):
            text, cut_off = self._reply(messages, sample)
            found, faults = read(text, cut_off)
            if not faults or attempt == self.settings.retries:
                break
            messages = prompts.again(messages, text, faults)
        return found, faults, text

    def _reply(self, messages: Sequence[Message], sample: int) -> tuple[str, bool]:
        if self.calls >= self.settings.max_calls:
            raise CallsUsedUp
        self.calls += 1
        try:
            reply = self.model.reply(messages, self.settings.sampling, sample)
        except BadReply:
            return "", False
        return reply.text, reply.finish == "length"


def operator_for(
    task: Task,
    name: str,
    objects: Sequence[str],
    preconditions: Sequence[Literal],
    effects: Sequence[Literal],
) -> GroundOperator:
    return GroundOperator(name, tuple(objects), types_of(task, objects), tuple(preconditions), tuple(effects))


def _meaning(operator: GroundOperator | None) -> object:
    """What two samples must share to agree; the preconditions follow from state and objects."""
    return None if operator is None else (frozenset(operator.objects), operator.effects)


def _most(found: Sequence[GroundOperator | None]) -> int:
    return max(Counter(map(_meaning, found)).values())


def _candidates(found: Sequence[GroundOperator | None], numbers: Sequence[int]) -> tuple[Candidate, ...]:
    groups: dict[object, list[int]] = {}
    for place, operator in enumerate(found):
        groups.setdefault(_meaning(operator), []).append(place)
    ranked = sorted(groups.values(), key=lambda places: (-len(places), places[0]))
    return tuple(
        Candidate(_named([found[place] for place in places]), tuple(numbers[place] for place in places))
        for places in ranked
    )


def _named(group: Sequence[GroundOperator | None]) -> GroundOperator | None:
    """Of operators that mean the same, the first with the name and order of objects that most have."""
    counts = Counter((item.name, item.objects) for item in group if item is not None)
    best = max(counts.values(), default=0)
    return next((item for item in group if item is not None and counts[item.name, item.objects] == best), None)
