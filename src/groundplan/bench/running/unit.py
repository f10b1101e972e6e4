"""A unit of work: every method on the tasks that show a model the same text, by one worker."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from groundplan.bench.methods.hooks import hook_for
from groundplan.bench.methods.protocol import SOLVER_CALLS, Context, Method, Oracle
from groundplan.bench.running.kept_model import KeptModel
from groundplan.bench.running.memory import RESULT, Memory
from groundplan.bench.running.oracle import KeptOracle
from groundplan.bench.running.records import Record, record_from_json
from groundplan.bench.sets.task import Task, TaskSet
from groundplan.models.protocol import Model
from groundplan.solve.outcome import DEFAULT_LIMITS, Engine, Limits


@dataclass(frozen=True, slots=True)
class Conditions:
    """What every method of a run is given; see methods.protocol.Context. `limits` are those of one solver call.

    `given_domain` shows planning tasks with their PDDL domain, so that problems alone are written (the setting of
    LLM+P); without it the rules are told in words, and the domain is to be written too.
    """

    solver_calls: int = SOLVER_CALLS
    temperature: float = 0.7
    max_tokens: int = 8192
    model_calls: int | None = None
    about_pddl: bool = True
    given_domain: bool = False
    limits: Limits = DEFAULT_LIMITS

    def shown(self, task: Task) -> Task:
        """The task as methods see it."""
        return task if self.given_domain or not self.about_pddl else replace(task, domain="")

    def context(self, model: Model, oracle: Oracle, task_set: TaskSet) -> Context:
        formal = None if self.about_pddl else hook_for(task_set)
        return Context(
            model,
            oracle,
            self.solver_calls,
            self.temperature,
            self.max_tokens,
            self.model_calls,
            self.about_pddl,
            formal,
        )


@dataclass(frozen=True, slots=True)
class Unit:
    """Tasks with one text. Prompts hold the text, so that no two units ask the same question, and the order in which
    they are done decides nothing."""

    name: str
    tasks: tuple[Task, ...]


def units_of(tasks: Sequence[Task]) -> tuple[Unit, ...]:
    """The units, in the order of their first tasks."""
    found: dict[str, list[Task]] = {}
    for task in tasks:
        shown = json.dumps([task.text, task.rules, task.domain]).encode()
        found.setdefault(hashlib.sha256(shown).hexdigest()[:16], []).append(task)
    return tuple(Unit(name, tuple(members)) for name, members in found.items())


class _Nothing:
    """Remembers nothing: for questions about methods, before there is a run."""

    def recall(self, kind: str, step: str) -> None:
        return None

    def keep(self, kind: str, step: str, payload: Mapping[str, Any]) -> None:
        pass

    def check_budget(self) -> None:
        pass


_NOTHING = _Nothing()


@dataclass(frozen=True, slots=True)
class Work:
    """All that a worker needs besides a memory."""

    task_set: TaskSet
    methods: tuple[Method, ...]
    model: Model
    engine: Engine
    conditions: Conditions

    def refuse(self) -> None:
        """Raises InputError where one of the methods cannot answer such tasks."""
        for method in self.methods:
            method.refuse(self.context_for(self.model))

    def context_for(self, model: Model, unit: str = "", memory: Memory | None = None) -> Context:
        oracle = KeptOracle(self.engine, self.conditions.limits, unit, memory or _NOTHING)
        return self.conditions.context(model, oracle, self.task_set)

    def do(self, unit: Unit, memory: Memory) -> list[Record]:
        """Every method on every task of the unit, method by method. Raises what Method.answer raises."""
        return [self._one(unit, task, method, memory) for task in unit.tasks for method in self.methods]

    def _one(self, unit: Unit, task: Task, method: Method, memory: Memory) -> Record:
        step = f"{unit.name}/{task.id}/{method.name}"
        known = memory.recall(RESULT, step)
        if known is not None:
            record = record_from_json(known["record"])
            if not record.failed:
                return record
        model = KeptModel(self.model, unit.name, memory)
        context = self.context_for(model, unit.name, memory)
        answer = method.answer(self.conditions.shown(task), context)
        answer = replace(answer, usd=round(answer.usd, 9))  # sums of floats: the last digits say nothing
        record = Record(task.id, task.group, method.name, answer, self.task_set.score(task, answer), model.unpriced)
        record = record_from_json(record.as_json())
        memory.keep(RESULT, step, {"record": record.as_json()})
        return record
