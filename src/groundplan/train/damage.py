"""Damaged problems: what an Actor could have written instead, for the Editor and the Judge to learn from."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from groundplan.train.problem_form import ProblemForm


def damaged(form: ProblemForm, rng: random.Random) -> ProblemForm:
    """One to two faults of the kinds that small policies make: facts lost, swapped or doubled, goals that hold."""
    for _ in range(rng.choice((1, 1, 2))):
        form = rng.choice(_FAULTS)(form, rng)
    return form


def _lose_fact(form: ProblemForm, rng: random.Random) -> ProblemForm:
    return replace(form, init=_without(form.init, rng))


def _lose_goal(form: ProblemForm, rng: random.Random) -> ProblemForm:
    return replace(form, goal=_without(form.goal, rng)) if len(form.goal) > 1 else form


def _without(facts: tuple[tuple[str, ...], ...], rng: random.Random) -> tuple[tuple[str, ...], ...]:
    drop = rng.randrange(len(facts)) if facts else 0
    return (*facts[:drop], *facts[drop + 1 :])


def _goal_from_init(form: ProblemForm, rng: random.Random) -> ProblemForm:
    """The shortcut that pays without a guard: a goal that holds at the start."""
    names = {fact[0] for fact in form.goal}
    held = [fact for fact in form.init if fact[0] in names] or list(form.init)
    return replace(form, goal=tuple(rng.sample(held, min(len(held), len(form.goal))))) if held else form


def _swap_terms(form: ProblemForm, rng: random.Random) -> ProblemForm:
    places = [place for place, fact in enumerate(form.init) if len(fact) == 3]
    if not places:
        return form
    place = rng.choice(places)
    name, left, right = form.init[place]
    return replace(form, init=(*form.init[:place], (name, right, left), *form.init[place + 1 :]))


def _other_object(form: ProblemForm, rng: random.Random) -> ProblemForm:
    """A fact about another object of the same kind."""
    kinds = dict(form.objects)
    places = [place for place, fact in enumerate(form.init) if len(fact) > 1]
    if not places:
        return form
    place = rng.choice(places)
    fact = list(form.init[place])
    term = rng.randrange(1, len(fact))
    others = [name for name, kind in form.objects if kind == kinds.get(fact[term]) and name != fact[term]]
    if others:
        fact[term] = rng.choice(others)
    return replace(form, init=(*form.init[:place], tuple(fact), *form.init[place + 1 :]))


def _double_object(form: ProblemForm, rng: random.Random) -> ProblemForm:
    place = rng.randrange(len(form.objects))
    return replace(form, objects=(*form.objects[: place + 1], form.objects[place], *form.objects[place + 1 :]))


_FAULTS: tuple[Callable[[ProblemForm, random.Random], ProblemForm], ...] = (
    _lose_fact,
    _lose_goal,
    _goal_from_init,
    _swap_terms,
    _other_object,
    _double_object,
)
