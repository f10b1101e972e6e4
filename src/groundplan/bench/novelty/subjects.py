"""What is to be learned: each new operator of a scenario, with the plan that leads to where it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from groundplan.adapt.operator import GroundOperator
from groundplan.adapt.planning.in_task import helps
from groundplan.adapt.planning.lifting import ground_operator, with_operators
from groundplan.adapt.planning.pddl_text import operators_in
from groundplan.adapt.planning.space import Ahead
from groundplan.adapt.worlds.registry import WORLD_NAMES, scenario
from groundplan.errors import InputError
from groundplan.pddl.ast import Action, Plan, Task
from groundplan.pddl.read import read_task
from groundplan.pddl.source import Source

OPERATORS = ("operators.pddl", "missing.pddl")
"""The files of a scenario's folder that may hold its new operators: a run of `groundplan adapt` leaves the first."""


@dataclass(frozen=True)
class Subject:
    """One new operator. `task` has all new operators of the scenario in its domain, `known` has none of them; `before`
    is the plan up to the operator."""

    scenario: str
    world: str
    task: Task
    known: Task
    operator: GroundOperator
    before: Plan

    @property
    def label(self) -> str:
        return f"{self.scenario}/{self.operator.name}"


def subjects(named: str, data: Path) -> tuple[Subject, ...]:
    """The new operators of a scenario in the order of its plan. `named` is the scenario's folder in `data`, or
    FOLDER=WORLD where the world is not called like it.

    The folder holds the operators; `domain.pddl` and `problem.pddl` there go before those of our own scenario. Raises
    InputError for what is missing or wrong, and where no plan takes the operators.
    """
    name, _, world = named.partition("=")
    folder, world = data / name, world or name
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder of a scenario")
    given = _task(folder, world)
    new = _operators(folder, given)
    names = {action.name for action in new}
    known = Task(replace(given.domain, actions=_without(given.domain.actions, names)), given.problem)
    found = helps(known, new)
    if found.ending is not Ahead.PLAN:
        raise InputError(f"{folder}: with its new operators the problem has no plan ({found.ending.value})")
    task = Task(with_operators(known.domain, new), known.problem)
    by_name = {action.name: action for action in new}
    places = [place for place, step in enumerate(found.plan) if step.action in names]
    return tuple(
        Subject(name, world, task, known, ground_operator(by_name[step.action], step.args), found.plan[:place])
        for place in places
        for step in (found.plan[place],)
    )


def _task(folder: Path, world: str) -> Task:
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    if world in WORLD_NAMES:
        own = scenario(world)
        domain = domain if domain.exists() else own.domain
        problem = problem if problem.exists() else own.problem
    for path in (domain, problem):
        if not path.exists():
            raise InputError(f"{path}: wanted, since {world} is no world of our own")
    return read_task(domain, problem)


def _operators(folder: Path, task: Task) -> list[Action]:
    path = next((folder / name for name in OPERATORS if (folder / name).exists()), None)
    if path is None:
        raise InputError(f"{folder}: no new operators here ({' or '.join(OPERATORS)})")
    domain = replace(task.domain, actions=())
    read = operators_in(Source(path.read_text(encoding="utf-8"), str(path)), domain, task.objects)
    for item in read:
        if not item.ok or item.action is None:
            raise InputError(f"{path}: {item.diagnostics[0].as_compact()}")
    if not read:
        raise InputError(f"{path}: there is no (:action ...) in it")
    return [item.action for item in read if item.action is not None]


def _without(actions: Iterable[Action], names: set[str]) -> tuple[Action, ...]:
    return tuple(action for action in actions if action.name not in names)
