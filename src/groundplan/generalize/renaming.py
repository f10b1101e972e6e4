"""The same domain in other words: anonymised, costumed by a table, or costumed at random.

The paper's test of whether a model reasons about a domain or remembers it: every name is changed, the structure is
kept to the last detail, order included (costumed and anonymised variants, reference/generalized-planning.md).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar, overload

from groundplan.errors import InputError
from groundplan.generalize.costume_table import costume
from groundplan.generalize.names import SPACES, Renaming, renaming_from_json
from groundplan.generalize.names_of import NamesOf, refuse_clashes
from groundplan.generalize.neutral_words import neutral_words
from groundplan.generalize.rename_tree import Renamer
from groundplan.pddl.ast import Domain, Plan, Problem, Step, Task

__all__ = [
    "Renaming",
    "anonymised",
    "apply",
    "costume",
    "plan_back",
    "random_costume",
    "renamed_objects",
    "renamed_plan",
    "renaming_from_json",
]

_NUMBERED = {
    "domain": "domain_{}",
    "problems": "task_{}",
    "types": "type_{}",
    "predicates": "pred_{}",
    "functions": "func_{}",
    "actions": "action_{}",
    "variables": "?v{}",
    "objects": "object_{}",
}

Thing = TypeVar("Thing", Domain, Problem, Task)


def anonymised(domain: Domain, problems: Iterable[Problem] = (), *, seed: int | None = None) -> Renaming:
    """Every name becomes its kind and a number: `action_1`, `pred_3`, `type_2`, `?v1`.

    Numbers follow the order of appearance, as the files have it anyway; with a seed they are shuffled, so that they
    tell nothing. With `problems`, their names and objects are numbered too, one table for all of them.
    """
    names = NamesOf(domain, problems)
    rng = random.Random(f"anonymised/{seed}")
    tables = {}
    for space in SPACES:
        numbers = list(range(1, len(names[space]) + 1))
        if seed is not None:
            rng.shuffle(numbers)
        tables[space] = {
            name: _NUMBERED[space].format(number) for name, number in zip(names[space], numbers, strict=True)
        }
    return Renaming(**tables)


def random_costume(domain: Domain, seed: int = 0, problems: Iterable[Problem] = ()) -> Renaming:
    """Every name becomes a made-up word that can be spoken and means nothing, no two of them alike in all namespaces.

    The same domain, seed and problems give the same words. With `problems`, their names and objects are renamed too.
    """
    names = NamesOf(domain, problems)
    words = neutral_words(random.Random(f"costume/{seed}"), (name for space in SPACES for name in names[space]))
    return Renaming(
        **{
            space: {name: ("?" if space == "variables" else "") + next(words) for name in names[space]}
            for space in SPACES
        }
    )


def renamed_objects(task: Task, seed: int = 0) -> Renaming:
    """Made-up words for the objects of a problem alone: what a program does must not change.

    Constants keep their names, because a program of the domain may know them.
    """
    constants = {item.name for item in task.domain.constants}
    own = [item.name for item in task.problem.objects if item.name not in constants]
    words = neutral_words(random.Random(f"objects/{seed}"), (*own, *constants))
    return Renaming(objects={name: next(words) for name in dict.fromkeys(own)})


@overload
def apply(renaming: Renaming, thing: Task) -> Task: ...
@overload
def apply(renaming: Renaming, thing: Domain) -> Domain: ...
@overload
def apply(renaming: Renaming, thing: Problem) -> Problem: ...
def apply(renaming: Renaming, thing: Task | Domain | Problem) -> Task | Domain | Problem:
    """The task, domain or problem in the new names; `apply(renaming.inverse, ...)` leads back to an equal one.

    Raises InputError where a new name is already that of something else that keeps its name.
    """
    domain = thing.domain if isinstance(thing, Task) else thing if isinstance(thing, Domain) else None
    problems = (thing.problem,) if isinstance(thing, Task) else (thing,) if isinstance(thing, Problem) else ()
    refuse_clashes(renaming, NamesOf(domain, problems))
    renamer = Renamer(renaming)
    if isinstance(thing, Task):
        return Task(renamer.domain(thing.domain), renamer.problem(thing.problem))
    return renamer.domain(thing) if isinstance(thing, Domain) else renamer.problem(thing)


def renamed_plan(renaming: Renaming, plan: Sequence[Step]) -> Plan:
    """The plan in the new names: it is valid for the renamed task exactly where it was for the old one.

    Raises InputError for a name that is a new one of this renaming and no old one.
    """
    return tuple(
        Step(
            _known(renaming.actions, step.action, place, "action"),
            tuple(_known(renaming.objects, name, place, "object") for name in step.args),
        )
        for place, step in enumerate(plan, start=1)
    )


def plan_back(renaming: Renaming, plan: Sequence[Step]) -> Plan:
    """A plan of the renamed task in the old names.

    Raises InputError for a name that only the old task has: mapped back as it stands, a plan that is invalid for the
    renamed task could become a valid one.
    """
    return renamed_plan(renaming.inverse, plan)


def _known(table: Mapping[str, str], name: str, place: int, what: str) -> str:
    if name in table:
        return table[name]
    if name in table.values():
        raise InputError(f"step {place}: no {what} is called `{name}` here; that is its name after the renaming")
    return name
