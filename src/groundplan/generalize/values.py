"""A task as plain Python values: what a program is given (see docs/programs.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from groundplan.errors import InputError
from groundplan.pddl.ast import OBJECT, And, Atom, Forall, Formula, Task
from groundplan.pddl.types import objects_by_type
from groundplan.pddl.write import write_formula

Fact = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramInput:
    """`objects` as (name, type), `init` and `goal` as (predicate, argument, ...), in an order that means nothing."""

    objects: tuple[tuple[str, str], ...]
    init: tuple[Fact, ...]
    goal: tuple[Fact, ...]


def values_of(task: Task) -> ProgramInput:
    """The task's objects (constants included), initial facts and goal facts, in the task's own order.

    Equality, numbers and negative literals of `:init` are left out; a `forall` in the goal is written out. Raises
    InputError for a goal that is more than a conjunction of facts: no program could be given it.
    """
    objects = tuple((item.name, item.types[0] if item.types else OBJECT) for item in task.objects)
    init = dict.fromkeys((atom.predicate, *atom.terms) for atom in task.problem.init if atom.predicate != "=")
    goal = dict.fromkeys(_goal(task.problem.goal, task, {}))
    return ProgramInput(objects, tuple(init), tuple(goal))


def _goal(formula: Formula, task: Task, names: dict[str, str]) -> Iterator[Fact]:
    match formula:
        case And(parts=parts):
            for part in parts:
                yield from _goal(part, task, names)
        case Atom(predicate=predicate, terms=terms) if predicate != "=":
            yield (predicate, *(names.get(term, term) for term in terms))
        case Forall(variables=variables, part=part):
            members = objects_by_type(task)
            ranges = [
                dict.fromkeys(name for kind in item.types for name in members.get(kind, ())) for item in variables
            ]
            for chosen in product(*ranges):
                yield from _goal(
                    part, task, {**names, **dict(zip((item.name for item in variables), chosen, strict=True))}
                )
        case _:
            where = task.problem.source.name or task.problem.name
            raise InputError(
                f"{where}: the goal holds `{write_formula(formula)}`; a program is given a conjunction of facts as its "
                "goal, so only tasks with such goals can be taken"
            )


def in_order(values: ProgramInput, seed: int) -> ProgramInput:
    """The same task in another order: seed 0 as it is, 1, 2, ... each a seeded shuffle of all three."""
    if seed == 0:
        return values
    rng = random.Random(f"order/{seed}")
    return ProgramInput(
        tuple(rng.sample(values.objects, len(values.objects))),
        tuple(rng.sample(values.init, len(values.init))),
        tuple(rng.sample(values.goal, len(values.goal))),
    )


def literals(values: ProgramInput) -> str:
    """The three arguments as Python source, one fact after another; each evaluates to the set it stands for."""
    return "\n".join(
        (
            f"objects = {_set(values.objects)}",
            f"init = {_set(values.init)}",
            f"goal = {_set(values.goal)}",
        )
    )


def _set(items: Iterable[tuple[str, ...]]) -> str:
    texts = [_tuple(item) for item in items]
    if not texts:
        return "set()"
    lines, line = [], ""
    for text in texts:
        if line and len(line) + len(text) > 100:
            lines.append(line)
            line = ""
        line = f"{line} {text}," if line else f"{text},"
    lines.append(line)
    body = "\n    ".join(lines)
    return f"{{\n    {body}\n}}"


def _tuple(words: tuple[str, ...]) -> str:
    inner = ", ".join(f'"{word}"' for word in words)
    return f"({inner},)" if len(words) == 1 else f"({inner})"
