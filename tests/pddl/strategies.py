"""Random well-formed domains, problems and tasks of the whole supported language, as hypothesis strategies.

Small on purpose: a handful of types, objects and predicates say as much about a reader as a hundred, and a solver can
search the tasks to the end. Everything is typed without doubt, so none of it is refused; what a strategy leaves out
on demand (`either`, axioms, costs) is what some engines do not take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from groundplan.pddl.ast import (
    OBJECT,
    TRUE,
    Action,
    And,
    Atom,
    Derived,
    Domain,
    Effect,
    Exists,
    Forall,
    Formula,
    FunctionTerm,
    FunctionValue,
    Imply,
    Metric,
    Not,
    Number,
    NumericEffect,
    Or,
    Problem,
    Signature,
    Task,
    TypedName,
)
from groundplan.pddl.features import requirements_used
from groundplan.pddl.types import TypeHierarchy

Draw = Callable[[st.SearchStrategy[Any]], Any]
TOTAL_COST = Signature("total-cost")


@dataclass(frozen=True)
class World:
    """What a condition may speak of: the terms in scope with their types, and the predicates."""

    hierarchy: TypeHierarchy
    terms: Mapping[str, tuple[str, ...]]
    predicates: Sequence[Signature]
    either: bool

    def fitting(self, wanted: tuple[str, ...]) -> list[str]:
        return [name for name, types in self.terms.items() if self.hierarchy.fits(types, wanted)]

    def with_terms(self, items: Sequence[TypedName]) -> World:
        return replace(self, terms={**self.terms, **{item.name: item.types for item in items}})


@st.composite
def domains(draw: Draw, *, either: bool = True, axioms: bool = True, costs: bool = True) -> Domain:
    types = _types(draw)
    hierarchy = TypeHierarchy(types)
    kinds = sorted(hierarchy.names)
    constants = tuple(TypedName(f"c{index}", (draw(st.sampled_from(kinds)),)) for index in range(_count(draw, 2)))
    basic = tuple(_signature(draw, f"p{index}", kinds, either) for index in range(1 + _count(draw, 3)))
    world = World(hierarchy, {item.name: item.types for item in constants}, basic, either)
    derived = tuple(_derived(draw, f"d{index}", world) for index in range(_count(draw, 1) if axioms else 0))
    predicates = (*basic, *(rule.head for rule in derived))
    functions: tuple[Signature, ...] = ()
    if costs and draw(st.booleans()):
        functions = (TOTAL_COST, *(_signature(draw, f"f{index}", kinds, False) for index in range(_count(draw, 1))))
    actions = tuple(
        _action(draw, f"a{index}", replace(world, predicates=predicates), basic, functions)
        for index in range(1 + _count(draw, 2))
    )
    domain = Domain("random", (), types, constants, predicates, functions, actions, derived)
    return replace(domain, requirements=(":strips", *requirements_used(domain)))


@st.composite
def problems(draw: Draw, domain: Domain, *, either: bool = True) -> Problem:
    """A problem of `domain`: every object is typed, every fact fits, the goal may be any condition."""
    hierarchy = TypeHierarchy(domain.types)
    kinds = sorted(hierarchy.names)
    objects = tuple(TypedName(f"o{index}", (draw(st.sampled_from(kinds)),)) for index in range(1 + _count(draw, 3)))
    terms = {item.name: item.types for item in (*domain.constants, *objects)}
    basic = [item for item in domain.predicates if item.name not in domain.derived_names]
    world = World(hierarchy, terms, basic, either)
    atoms = [_atom(draw, world) for _ in range(_count(draw, 8))]
    init = tuple(dict.fromkeys(atom for atom in atoms if atom is not None))
    false = [_atom(draw, world) for _ in range(_count(draw, 1))]
    goal = _formula(draw, replace(world, predicates=domain.predicates), 2, "?g")
    return Problem(
        "random-1",
        domain.name,
        (),
        objects,
        init,
        tuple(dict.fromkeys(atom for atom in false if atom is not None and atom not in init)),
        _values(domain, world, draw),
        goal,
        Metric("minimize", FunctionTerm("total-cost")) if domain.functions and draw(st.booleans()) else None,
    )


@st.composite
def tasks(draw: Draw, *, either: bool = True, axioms: bool = True, costs: bool = True) -> Task:
    domain = draw(domains(either=either, axioms=axioms, costs=costs))
    return Task(domain, draw(problems(domain, either=either)))


# --- declarations -----------------------------------------------------------------------------------------------------


def _count(draw: Draw, most: int) -> int:
    return int(draw(st.integers(0, most)))


def _types(draw: Draw) -> tuple[TypedName, ...]:
    types: list[TypedName] = []
    for index in range(_count(draw, 3)):
        parent = draw(st.sampled_from([OBJECT, *(item.name for item in types)]))
        types.append(TypedName(f"t{index}", (parent,)))
    return tuple(types)


def _parameters(draw: Draw, prefix: str, most: int, kinds: list[str], either: bool) -> tuple[TypedName, ...]:
    return tuple(TypedName(f"{prefix}{index}", _kind(draw, kinds, either)) for index in range(_count(draw, most)))


def _kind(draw: Draw, kinds: list[str], either: bool) -> tuple[str, ...]:
    if either and len(kinds) > 2 and _count(draw, 5) == 5:
        return tuple(draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=2, unique=True)))
    return (draw(st.sampled_from(kinds)),)


def _signature(draw: Draw, name: str, kinds: list[str], either: bool) -> Signature:
    return Signature(name, _parameters(draw, "?x", 2, kinds, either))


def _derived(draw: Draw, name: str, world: World) -> Derived:
    head = _signature(draw, name, sorted(world.hierarchy.names), world.either)
    return Derived(head, _formula(draw, world.with_terms(head.parameters), 2, "?y"))


# --- conditions -------------------------------------------------------------------------------------------------------


def _atom(draw: Draw, world: World) -> Atom | None:
    """An atom that fits its predicate's types, or nothing where the predicate drawn has no fitting term."""
    predicate = draw(st.sampled_from(list(world.predicates)))
    choices = [world.fitting(parameter.types) for parameter in predicate.parameters]
    if not all(choices):
        return None
    return Atom(predicate.name, tuple(draw(st.sampled_from(choice)) for choice in choices))


def _equality(draw: Draw, world: World) -> Formula:
    if not world.terms:
        return TRUE
    terms = st.sampled_from(sorted(world.terms))
    return Atom("=", (draw(terms), draw(terms)))


def _formula(draw: Draw, world: World, depth: int, prefix: str) -> Formula:
    """Any condition of at most `depth` operators above its atoms; quantified variables are new at every level."""
    kinds = ["atom", "atom", "equality"]
    if depth:
        kinds += ["and", "and", "not", "or", "imply", "forall", "exists"]
    kind = draw(st.sampled_from(kinds))
    if kind == "atom":
        return _atom(draw, world) or TRUE
    if kind == "equality":
        return _equality(draw, world)
    if kind == "not":
        return Not(_formula(draw, world, depth - 1, prefix))
    if kind == "imply":
        return Imply(*(_formula(draw, world, depth - 1, prefix) for _ in range(2)))
    if kind in ("and", "or"):
        parts = tuple(_formula(draw, world, depth - 1, prefix) for _ in range(_count(draw, 3)))
        return And(parts) if kind == "and" else Or(parts)
    variables = _variables(draw, world, f"{prefix}{depth}")
    part = _formula(draw, world.with_terms(variables), depth - 1, prefix)
    return (Forall if kind == "forall" else Exists)(variables, part)


def _variables(draw: Draw, world: World, prefix: str) -> tuple[TypedName, ...]:
    kinds = sorted(world.hierarchy.names)
    return (*_parameters(draw, prefix, 1, kinds, world.either), TypedName(f"{prefix}-last", (kinds[0],)))


# --- actions and values -----------------------------------------------------------------------------------------------


def _action(
    draw: Draw, name: str, world: World, changeable: Sequence[Signature], functions: Sequence[Signature]
) -> Action:
    parameters = _parameters(draw, "?x", 3, sorted(world.hierarchy.names), world.either)
    inner = world.with_terms(parameters)
    effects: dict[tuple[tuple[TypedName, ...], Formula], list[Effect]] = {}
    for index in range(1 + _count(draw, 2)):
        variables = _variables(draw, inner, f"?e{index}-") if _count(draw, 3) == 3 else ()
        scope = inner.with_terms(variables)
        condition = _formula(draw, scope, 1, f"?w{index}-") if _count(draw, 3) == 3 else TRUE
        group = effects.setdefault((variables, condition), [])
        for _ in range(1 + _count(draw, 1)):
            atom = _atom(draw, replace(scope, predicates=changeable))
            if atom is not None and all(effect.atom != atom for effect in group):
                group.append(Effect(atom, draw(st.booleans()), condition, variables))
    return Action(
        name,
        parameters,
        _formula(draw, inner, 2, "?q"),
        tuple(effect for group in effects.values() for effect in group),
        _cost(draw, inner, functions),
    )


def _cost(draw: Draw, world: World, functions: Sequence[Signature]) -> tuple[NumericEffect, ...]:
    if not functions or draw(st.booleans()):
        return ()
    amounts: list[Number | FunctionTerm] = [Number(float(draw(st.integers(0, 9))))]
    for function in functions[1:]:
        choices = [world.fitting(parameter.types) for parameter in function.parameters]
        if all(choices):
            amounts.append(FunctionTerm(function.name, tuple(draw(st.sampled_from(choice)) for choice in choices)))
    return (NumericEffect("increase", FunctionTerm("total-cost"), draw(st.sampled_from(amounts))),)


def _values(domain: Domain, world: World, draw: Draw) -> tuple[FunctionValue, ...]:
    """`(= (total-cost) 0)` and one number for every fitting instance of the other functions."""
    values = []
    for function in domain.functions:
        rows: list[tuple[str, ...]] = [()]
        for parameter in function.parameters:
            rows = [(*row, name) for row in rows for name in world.fitting(parameter.types)]
        for row in rows:
            amount = 0 if function == TOTAL_COST else draw(st.integers(0, 9))
            values.append(FunctionValue(FunctionTerm(function.name, row), float(amount)))
    return tuple(values)
