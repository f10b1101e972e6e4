"""Random tasks so small that every correspondence between two of them can be tried, as a hypothesis strategy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st
from renaming import rewritten

from groundplan.pddl.ast import (
    OBJECT,
    TRUE,
    Action,
    And,
    Atom,
    Domain,
    Effect,
    Formula,
    Not,
    Or,
    Problem,
    Signature,
    Task,
    TypedName,
)

Draw = Callable[[st.SearchStrategy[Any]], Any]
TYPES = ("t0", "t1")


@st.composite
def tiny_tasks(draw: Draw, *, actions: int = 3, objects: int = 3) -> Task:
    """One to three predicates of arity 0-2, up to `actions` actions with 0-2 parameters, two to `objects` objects.

    One in four is typed, one in four has conditional effects or disjunctions.
    """
    kinds = TYPES if draw(st.integers(0, 3)) == 0 else (OBJECT,)
    rich = draw(st.integers(0, 3)) == 0
    predicates = tuple(
        Signature(f"p{index}", tuple(TypedName(f"?x{place}") for place in range(draw(st.integers(0, 2)))))
        for index in range(draw(st.integers(1, 3)))
    )
    domain = Domain(
        "tiny",
        (),
        tuple(TypedName(name) for name in kinds if name != OBJECT),
        (),
        predicates,
        (),
        tuple(_action(draw, f"a{index}", predicates, kinds, rich) for index in range(draw(st.integers(1, actions)))),
    )
    names = [f"o{index}" for index in range(draw(st.integers(2, objects)))]
    items = tuple(TypedName(name, (draw(st.sampled_from(kinds)),)) for name in names)
    init = [_atom(draw, predicates, names) for _ in range(draw(st.integers(0, 5)))]
    goal = tuple(_literal(draw, predicates, names) for _ in range(draw(st.integers(1, 2))))
    problem = Problem(
        "tiny-1", "tiny", (), items, tuple(dict.fromkeys(atom for atom in init if atom)), goal=And(_present(goal))
    )
    return rewritten(Task(domain, problem))


def _action(draw: Draw, name: str, predicates: Sequence[Signature], kinds: Sequence[str], rich: bool) -> Action:
    count = draw(st.integers(0, 2))
    parameters = tuple(TypedName(f"?v{place}", (draw(st.sampled_from(kinds)),)) for place in range(count))
    terms = [item.name for item in parameters]
    parts: list[Formula | None] = [_literal(draw, predicates, terms) for _ in range(draw(st.integers(0, 2)))]
    if rich and draw(st.booleans()):
        parts.append(Or(_present([_literal(draw, predicates, terms) for _ in range(2)])))
    effects: dict[tuple[Atom, Formula], Effect] = {}
    for _ in range(draw(st.integers(1, 3))):
        atom = _atom(draw, predicates, terms)
        condition = _literal(draw, predicates, terms) if rich and draw(st.booleans()) else None
        if atom is not None:
            effect = Effect(atom, draw(st.booleans()), condition or TRUE)
            effects.setdefault((atom, effect.condition), effect)
    return Action(name, parameters, And(_present(parts)), tuple(effects.values()))


def _present(parts: Sequence[Formula | None]) -> tuple[Formula, ...]:
    return tuple(part for part in parts if part is not None)


def _atom(draw: Draw, predicates: Sequence[Signature], terms: Sequence[str]) -> Atom | None:
    predicate = draw(st.sampled_from(predicates))
    if predicate.arity and not terms:
        return None
    return Atom(predicate.name, tuple(draw(st.sampled_from(terms)) for _ in range(predicate.arity)))


def _literal(draw: Draw, predicates: Sequence[Signature], terms: Sequence[str]) -> Formula | None:
    atom = _atom(draw, predicates, terms)
    return Not(atom) if atom is not None and draw(st.integers(0, 3)) == 0 else atom
