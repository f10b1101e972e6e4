"""The three arguments of a program, from a task: its objects, the facts of its start and of its goal."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from groundplan.errors import InputError
from groundplan.pddl.ast import OBJECT, And, Atom, Comparison, Exists, Forall, Formula, Imply, Not, Or, Task
from groundplan.pddl.source import NO_SOURCE, NO_SPAN
from groundplan.pddl.types import objects_by_type

MOST_GOAL_FACTS = 1_000_000
_LINE = 100

Fact: TypeAlias = tuple[str, ...]
"""(predicate, argument, ...)."""


@dataclass(frozen=True, slots=True)
class ProgramInput:
    """What a program is called with: (name, type) pairs, and facts as tuples (predicate, argument, ...).

    Each item stands once; the order means nothing to the task, and is that in which the program's sets are filled.
    """

    objects: tuple[tuple[str, str], ...]
    init: tuple[Fact, ...]
    goal: tuple[Fact, ...]


def values_of(task: Task) -> ProgramInput:
    """The arguments for a task, in the order of its files.

    Constants count as objects. An object of `either` types has the first of them, and one without a type is an
    "object". Equality, numbers and negative literals of the initial state are left out, and so are derived facts,
    which follow from the others. A `forall` in the goal is expanded over the objects.

    Raises InputError, with the place, where the goal is more than a conjunction of facts.
    """
    objects = tuple((item.name, item.types[0] if item.types else OBJECT) for item in task.objects)
    init = dict.fromkeys((atom.predicate, *atom.terms) for atom in task.problem.init if atom.predicate != "=")
    goal = dict.fromkeys(_Goal(task).facts(task.problem.goal, {}))
    return ProgramInput(objects, tuple(init), tuple(goal))


def in_order(values: ProgramInput, seed: int) -> ProgramInput:
    """The same values in another order: as they are for seed 0, for every other seed shuffled in a way of its own."""
    if seed == 0:
        return values
    rng = random.Random(f"order/{seed}")
    objects, init, goal = list(values.objects), list(values.init), list(values.goal)
    for items in (objects, init, goal):
        rng.shuffle(items)
    return ProgramInput(tuple(objects), tuple(init), tuple(goal))


def literals(values: ProgramInput) -> str:
    """The three values as Python source: assignments to `objects`, `init` and `goal`, in the order of `values`."""
    named = (("objects", values.objects), ("init", values.init), ("goal", values.goal))
    return "\n".join(_assignment(name, items) for name, items in named)


class _Goal:
    """The facts that a goal asks for."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._by_type = objects_by_type(task)

    def facts(self, formula: Formula, env: Mapping[str, str]) -> Iterator[Fact]:
        match formula:
            case And(parts=parts):
                for part in parts:
                    yield from self.facts(part, env)
            case Forall(variables=variables, part=part):
                names = [variable.name for variable in variables]
                members = [self._members(variable.types) for variable in variables]
                if math.prod(map(len, members)) > MOST_GOAL_FACTS:
                    raise self._refusal(formula, f"asks for more than {MOST_GOAL_FACTS:,} facts by a `forall`")
                for chosen in product(*members):
                    yield from self.facts(part, {**env, **dict(zip(names, chosen, strict=True))})
            case Atom(predicate="="):
                left, right = (env.get(term, term) for term in formula.terms)
                if left != right:
                    raise self._refusal(formula, f"asks for `{left}` and `{right}` to be the same, which cannot be")
            case Atom():
                yield (formula.predicate, *(env.get(term, term) for term in formula.terms))
            case _:
                raise self._refusal(formula, f"has {_kind(formula)}")

    def _members(self, types: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for kind in types for name in self._by_type.get(kind, ())))

    def _refusal(self, formula: Formula, what: str) -> InputError:
        problem = self._task.problem
        where = f"problem `{problem.name}`"
        if problem.source != NO_SOURCE:
            span = formula.span if formula.span != NO_SPAN else problem.goal_span
            place = problem.source.position(span.start)
            where = f"{problem.source.name}:{place.line}:{place.column}"
        return InputError(
            f"{where}: the goal {what}. A program is given its goal as a set of facts that must all be true: "
            "state it as a conjunction of facts (`and`, and `forall` over objects)"
        )


def _kind(formula: Formula) -> str:
    match formula:
        case Not():
            return "a negation (`not`)"
        case Or():
            return "alternatives (`or`)"
        case Exists():
            return "`exists`"
        case Imply():
            return "a condition (`imply`)"
        case Comparison(op=op):
            return f"a numeric comparison (`{op}`)"
        case _:
            return "a part that is no fact"


def _assignment(name: str, items: tuple[tuple[str, ...], ...]) -> str:
    """`name = {...}`, on one line where it is short, else filled lines."""
    texts = [_tuple(item) for item in items]
    if not texts:
        return f"{name} = set()"
    short = f"{name} = {{{', '.join(texts)}}}"
    if len(short) <= _LINE:
        return short
    lines = [f"{name} = {{", ""]
    for text in texts:
        if lines[-1] and len(lines[-1]) + len(text) + 2 > _LINE:
            lines.append("")
        lines[-1] += f" {text}," if lines[-1] else f"    {text},"
    return "\n".join([*lines, "}"])


def _tuple(words: tuple[str, ...]) -> str:
    inner = ", ".join(map(_quoted, words))
    return f"({inner},)" if len(words) == 1 else f"({inner})"


def _quoted(word: str) -> str:
    return repr(word) if "'" in word or '"' in word or "\\" in word or not word.isprintable() else f'"{word}"'
