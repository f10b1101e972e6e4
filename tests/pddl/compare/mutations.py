"""Seeded random single mutations of a task: the small mistakes that a writer of PDDL makes.

Names, parameters and their order stay, so the maps of the original are those of the mutant. Some mutants mean the same
as the original (a precondition that always held was dropped): that is for the oracle to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from renaming import rewritten

from groundplan.errors import PddlError
from groundplan.pddl.ast import (
    OBJECT,
    TRUE,
    Action,
    And,
    Atom,
    Effect,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Signature,
    Task,
    atoms_in,
)

Change: TypeAlias = tuple[Task, str]
T = TypeVar("T")
TRIES = 300


def mutated(task: Task, seed: int, kinds: Sequence[str] = ()) -> Change:
    """A mutant that passes the checker and is not the task itself, and what was done to it.

    `kinds` are names of KINDS, all of them when empty. Raises ValueError where none of them finds anything to change.
    """
    rng = random.Random(f"mutation {seed}")
    original = rewritten(task)
    names = sorted(kinds or KINDS)
    for _ in range(TRIES):
        name = rng.choice(names)
        found = KINDS[name](rng, original)
        if found is None:
            continue
        try:
            mutant = rewritten(found[0])
        except PddlError:
            continue
        if mutant != original:
            return mutant, f"{name}: {found[1]}"
    raise ValueError("nothing in this task can be mutated")


# --- dropping ---------------------------------------------------------------------------------------------------------


def drop_precondition(rng: random.Random, task: Task) -> Change | None:
    sites = [(at, part) for at, action in enumerate(task.domain.actions) for part in _parts(action.precondition)]
    if not sites:
        return None
    at, part = rng.choice(sites)
    action = task.domain.actions[at]
    new = replace(action, precondition=_without(action.precondition, part))
    return _with_action(task, at, new), f"{_said(part)} of {action.name}"


def drop_effect(rng: random.Random, task: Task) -> Change | None:
    sites = [(at, place) for at, action in enumerate(task.domain.actions) for place in range(len(action.effects))]
    if not sites:
        return None
    at, place = rng.choice(sites)
    action = task.domain.actions[at]
    new = replace(action, effects=(*action.effects[:place], *action.effects[place + 1 :]))
    return _with_action(task, at, new), f"{_effect(action.effects[place])} of {action.name}"


def drop_goal(rng: random.Random, task: Task) -> Change | None:
    parts = _parts(task.problem.goal)
    if not parts:
        return None
    part = rng.choice(parts)
    return _with_goal(task, _without(task.problem.goal, part)), _said(part)


def drop_init(rng: random.Random, task: Task) -> Change | None:
    if not task.problem.init:
        return None
    atom = rng.choice(task.problem.init)
    return _with_init(task, tuple(item for item in task.problem.init if item != atom)), str(atom)


# --- swapping ---------------------------------------------------------------------------------------------------------


def swap_precondition(rng: random.Random, task: Task) -> Change | None:
    sites = [(at, atom) for at, action in enumerate(task.domain.actions) for atom in _lopsided(action.precondition)]
    if not sites:
        return None
    at, atom = rng.choice(sites)
    action, new = task.domain.actions[at], _swapped(rng, atom)
    changed = replace(action, precondition=_exchanged(action.precondition, atom, new))
    return _with_action(task, at, changed), f"{atom} -> {new} in {action.name}"


def swap_effect(rng: random.Random, task: Task) -> Change | None:
    sites = [
        (at, place)
        for at, action in enumerate(task.domain.actions)
        for place, effect in enumerate(action.effects)
        if _is_lopsided(effect.atom)
    ]
    if not sites:
        return None
    at, place = rng.choice(sites)
    action = task.domain.actions[at]
    old = action.effects[place]
    effect = replace(old, atom=_swapped(rng, old.atom))
    changed = replace(action, effects=(*action.effects[:place], effect, *action.effects[place + 1 :]))
    return _with_action(task, at, changed), f"{_effect(old)} -> {_effect(effect)} in {action.name}"


def swap_goal(rng: random.Random, task: Task) -> Change | None:
    sites = list(_lopsided(task.problem.goal))
    if not sites:
        return None
    atom = rng.choice(sites)
    new = _swapped(rng, atom)
    return _with_goal(task, _exchanged(task.problem.goal, atom, new)), f"{atom} -> {new}"


def swap_init(rng: random.Random, task: Task) -> Change | None:
    sites = [atom for atom in task.problem.init if _is_lopsided(atom)]
    if not sites:
        return None
    atom = rng.choice(sites)
    new = _swapped(rng, atom)
    init = dict.fromkeys(new if item == atom else item for item in task.problem.init)
    return _with_init(task, tuple(init)), f"{atom} -> {new}"


# --- types ------------------------------------------------------------------------------------------------------------


def retype(rng: random.Random, task: Task) -> Change | None:
    """Another type for a parameter; where there are no types, another static predicate for a unary one.

    The predicates then take any object, so that the checker finds no fault with the new type.
    """
    if not task.domain.types:
        return _retype_untyped(rng, task)
    sites = [(at, place) for at, action in enumerate(task.domain.actions) for place in range(len(action.parameters))]
    if not sites:
        return None
    at, place = rng.choice(sites)
    action = task.domain.actions[at]
    old = action.parameters[place]
    new = replace(old, types=(rng.choice([OBJECT, *(item.name for item in task.domain.types)]),))
    changed = replace(action, parameters=(*action.parameters[:place], new, *action.parameters[place + 1 :]))
    predicates = tuple(
        replace(item, parameters=tuple(replace(parameter, types=(OBJECT,)) for parameter in item.parameters))
        for item in task.domain.predicates
    )
    loose = Task(replace(task.domain, predicates=predicates), task.problem)
    said = f"{old.name} of {action.name}: {old.types[0]} -> {new.types[0]}"
    return None if new.types == old.types else (_with_action(loose, at, changed), said)


def _retype_untyped(rng: random.Random, task: Task) -> Change | None:
    domain = task.domain
    changing = domain.fluents | domain.derived_names
    unary = [item.name for item in domain.predicates if item.arity == 1 and item.name not in changing]
    sites = [
        (at, part)
        for at, action in enumerate(domain.actions)
        for part in _parts(action.precondition)
        if isinstance(part, Atom) and part.predicate in unary
    ]
    if not sites or len(unary) < 2:
        return None
    at, atom = rng.choice(sites)
    new = Atom(rng.choice([name for name in unary if name != atom.predicate]), atom.terms)
    action = domain.actions[at]
    changed = replace(action, precondition=_exchanged(action.precondition, atom, new))
    return _with_action(task, at, changed), f"{atom} -> {new} in {action.name}"


# --- adding -----------------------------------------------------------------------------------------------------------


def add_precondition(rng: random.Random, task: Task) -> Change | None:
    site = _new_literal(rng, task)
    if site is None:
        return None
    at, atom = site
    action = task.domain.actions[at]
    part = atom if rng.random() < 0.7 else Not(atom)
    changed = replace(action, precondition=And((*_parts(action.precondition), part)))
    return _with_action(task, at, changed), f"{_said(part)} in {action.name}"


def add_effect(rng: random.Random, task: Task) -> Change | None:
    site = _new_literal(rng, task)
    if site is None:
        return None
    at, atom = site
    action = task.domain.actions[at]
    effect = Effect(atom, rng.random() < 0.5)
    changed = replace(action, effects=(*action.effects, effect))
    return _with_action(task, at, changed), f"{_effect(effect)} in {action.name}"


def add_goal(rng: random.Random, task: Task) -> Change | None:
    atom = _ground_atom(rng, task)
    if atom is None or atom in _parts(task.problem.goal):
        return None
    return _with_goal(task, And((*_parts(task.problem.goal), atom))), str(atom)


def add_init(rng: random.Random, task: Task) -> Change | None:
    atom = _ground_atom(rng, task)
    if atom is None or atom in task.problem.init:
        return None
    return _with_init(task, (*task.problem.init, atom)), str(atom)


KINDS: Mapping[str, Callable[[random.Random, Task], Change | None]] = {
    "drop precondition": drop_precondition,
    "drop effect": drop_effect,
    "drop goal": drop_goal,
    "drop init": drop_init,
    "swap precondition": swap_precondition,
    "swap effect": swap_effect,
    "swap goal": swap_goal,
    "swap init": swap_init,
    "retype": retype,
    "add precondition": add_precondition,
    "add effect": add_effect,
    "add goal": add_goal,
    "add init": add_init,
}


# --- conditions -------------------------------------------------------------------------------------------------------


def _parts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)


def _without(formula: Formula, part: Formula) -> Formula:
    return And(tuple(item for item in _parts(formula) if item != part))


def _exchanged(formula: Formula, old: Atom, new: Atom) -> Formula:
    match formula:
        case Atom():
            return new if formula == old else formula
        case Not(part=part):
            return Not(_exchanged(part, old, new))
        case And(parts=parts) | Or(parts=parts):
            return type(formula)(tuple(_exchanged(part, old, new) for part in parts))
        case Imply(left=left, right=right):
            return Imply(_exchanged(left, old, new), _exchanged(right, old, new))
        case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
            return type(formula)(variables, _exchanged(part, old, new))
        case _:
            return formula


def _is_lopsided(atom: Atom) -> bool:
    return atom.predicate != "=" and len(set(atom.terms)) > 1


def _lopsided(formula: Formula) -> Iterator[Atom]:
    return filter(_is_lopsided, atoms_in(formula))


def _swapped(rng: random.Random, atom: Atom) -> Atom:
    first, second = sorted(rng.sample(range(len(atom.terms)), 2))
    terms = list(atom.terms)
    terms[first], terms[second] = terms[second], terms[first]
    return Atom(atom.predicate, tuple(terms))


def _basic(task: Task) -> list[Signature]:
    return [item for item in task.domain.predicates if item.name not in task.domain.derived_names]


def _new_literal(rng: random.Random, task: Task) -> tuple[int, Atom] | None:
    """An action and an atom over its parameters; of a predicate that some action changes, mostly."""
    if not task.domain.actions or not _basic(task):
        return None
    at = rng.randrange(len(task.domain.actions))
    action = task.domain.actions[at]
    fluents = [item for item in _basic(task) if item.name in task.domain.fluents]
    predicate = rng.choice(fluents if fluents and rng.random() < 0.8 else _basic(task))
    if predicate.arity and not action.parameters:
        return None
    names = [item.name for item in action.parameters]
    atom = Atom(predicate.name, tuple(rng.choice(names) for _ in range(predicate.arity)))
    return None if atom in _parts(action.precondition) or atom in _changed(action) else (at, atom)


def _changed(action: Action) -> set[Atom]:
    return {effect.atom for effect in action.effects if effect.condition == TRUE and not effect.variables}


def _ground_atom(rng: random.Random, task: Task) -> Atom | None:
    names = [item.name for item in task.objects]
    if not _basic(task):
        return None
    predicate = rng.choice(_basic(task))
    if predicate.arity and not names:
        return None
    return Atom(predicate.name, tuple(rng.choice(names) for _ in range(predicate.arity)))


def _with_action(task: Task, at: int, action: Action) -> Task:
    actions = (*task.domain.actions[:at], action, *task.domain.actions[at + 1 :])
    return Task(replace(task.domain, actions=actions), task.problem)


def _with_goal(task: Task, goal: Formula) -> Task:
    return Task(task.domain, replace(task.problem, goal=goal))


def _with_init(task: Task, init: tuple[Atom, ...]) -> Task:
    return Task(task.domain, replace(task.problem, init=init))


def _said(formula: Formula) -> str:
    match formula:
        case Atom():
            return str(formula)
        case Not(part=part):
            return f"(not {_said(part)})"
        case _:
            return f"a part ({type(formula).__name__.lower()})"


def _effect(effect: Effect) -> str:
    return str(effect.atom) if effect.positive else f"(not {effect.atom})"
