"""A task as rules: what makes which atoms true (or false), ready for joining.

An action becomes one rule for every alternative of its precondition; an effect with a condition or variables one for
every alternative of that, on top of "the action is applied"; a derived predicate one for every alternative of its
definition (Helmert 2009, sections 6.2 to 6.4, has the same idea for PDDL's whole normal form).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Literal, TypeAlias

from groundplan.pddl.ast import (
    OBJECT,
    TRUE,
    Action,
    Atom,
    Effect,
    Formula,
    FunctionTerm,
    Number,
    Task,
    TypedName,
    atoms_in,
)
from groundplan.pddl.ground_join import Pattern, Query
from groundplan.pddl.ground_normal import Branch, branches, fresh_variables, rename_atom, renamed
from groundplan.pddl.ground_tables import Row
from groundplan.pddl.types import objects_by_type

Kind: TypeAlias = Literal["action", "effect", "axiom"]


@dataclass(frozen=True)
class Rule:
    """For every answer of `query` under which `negative` are false and `rest` holds, `adds` and `deletes` happen.

    The parameters of the schema `name` are the first `arity` places of a binding. `places` says where the names that
    `rest` uses stand. Patterns in `negative` are those whose truth can change.
    """

    kind: Kind
    name: str
    arity: int
    query: Query
    negative: tuple[Pattern, ...]
    rest: tuple[Formula, ...]
    places: Mapping[str, int]
    adds: tuple[Pattern, ...]
    deletes: tuple[Pattern, ...]


class World:
    """What is known of a task before any reasoning: objects, initial rows, and what actions can do to predicates."""

    def __init__(self, task: Task, merge: bool = True) -> None:
        domain = task.domain
        self.task = task
        self.merge = merge
        self.derived = domain.derived_names
        effects = [effect for action in domain.actions for effect in action.effects]
        effects = [effect for effect in effects if effect.atom.predicate not in self.derived]
        self.added = frozenset(effect.atom.predicate for effect in effects if effect.positive)
        self.deleted = frozenset(effect.atom.predicate for effect in effects if not effect.positive)
        self.init: dict[str, dict[Row, None]] = {}
        for atom in task.problem.init:
            if atom.predicate not in self.derived:
                self.init.setdefault(atom.predicate, {})[atom.terms] = None
        for value in task.problem.values:
            self.init.setdefault(value_of(value.function.name), {})[value.function.terms] = None
        self._by_type = objects_by_type(task)
        self.objects = self.members((OBJECT,))

    def members(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """The objects of one of some types, each once."""
        if len(types) == 1:
            return self._by_type.get(types[0], ())
        return tuple(dict.fromkeys(name for kind in types for name in self._by_type.get(kind, ())))

    def grows(self, predicate: str) -> bool:
        """Whether atoms of this predicate can become true that are false at first."""
        return predicate in self.added or predicate in self.derived

    def rows(self, predicate: str) -> Mapping[Row, None]:
        """The rows that hold initially."""
        return self.init.get(predicate, {})

    def changes(self, predicate: str) -> bool:
        return predicate in self.deleted or self.grows(predicate)


def application(action: str) -> str:
    """The name of the predicate "this action is applied"; with a blank, so that it is nobody else's name."""
    return f"apply {action}"


def value_of(function: str) -> str:
    """The name of the predicate "this function has a value for these objects"."""
    return f"value {function}"


def rules_of(world: World) -> Iterator[Rule]:
    """All rules of a task. Raises InputError for numeric conditions."""
    for action in world.task.domain.actions:
        yield from _action_rules(world, action)
    for rule in world.task.domain.derived:
        head = Atom(rule.head.name, tuple(parameter.name for parameter in rule.head.parameters))
        for branch in branches(rule.condition):
            yield _rule(world, "axiom", head.predicate, rule.head.parameters, branch, ((head,), ()))


def _action_rules(world: World, action: Action) -> Iterator[Rule]:
    plain, grouped = split_effects(action, world.derived)
    adds = tuple(effect.atom for effect in plain if effect.positive)
    deletes = tuple(effect.atom for effect in plain if not effect.positive)
    applied = Atom(application(action.name), tuple(parameter.name for parameter in action.parameters))
    if grouped:
        adds += (applied,)
    costed = Branch(positive=valued(world.task, action))
    used = {
        term for effect in action.effects for atom in (effect.atom, *atoms_in(effect.condition)) for term in atom.terms
    }
    for branch in branches(action.precondition):
        yield _rule(world, "action", action.name, action.parameters, branch & costed, (adds, deletes), used)
    for variables, condition, atoms in grouped:
        adds = tuple(atom for atom, positive in atoms if positive)
        deletes = tuple(atom for atom, positive in atoms if not positive)
        for branch in branches(condition):
            body = Branch(variables, positive=(applied,)) & branch
            yield _rule(world, "effect", action.name, action.parameters, body, (adds, deletes))


Group: TypeAlias = tuple[tuple[TypedName, ...], Formula, list[tuple[Atom, bool]]]


def split_effects(action: Action, derived: frozenset[str]) -> tuple[list[Effect], list[Group]]:
    """The effects without condition and variables; the others in groups, their variables renamed."""
    plain: list[Effect] = []
    groups: dict[tuple[tuple[TypedName, ...], Formula], list[Effect]] = {}
    for effect in action.effects:
        if effect.atom.predicate in derived:
            continue
        if effect.condition == TRUE and not effect.variables:
            plain.append(effect)
        else:
            groups.setdefault((effect.variables, effect.condition), []).append(effect)
    tags = (f"e{number}" for number in count(1))
    grouped: list[Group] = []
    for (variables, condition), effects in groups.items():
        new, names = fresh_variables(variables, tags)
        atoms = [(rename_atom(effect.atom, names), effect.positive) for effect in effects]
        grouped.append((new, renamed(condition, names), atoms))
    return plain, grouped


def valued(task: Task, action: Action) -> tuple[Atom, ...]:
    """That the cost of an action has a value: without one it is not applicable (PDDL 2.1, undefined values)."""
    if not task.minimizes_cost:
        return ()
    terms = [effect.expression for effect in action.numeric_effects if isinstance(effect.expression, FunctionTerm)]
    return tuple(Atom(value_of(term.name), term.terms) for term in terms)


def cost_parts(task: Task, action: Action) -> tuple[float, tuple[FunctionTerm, ...]]:
    """What one step of an action costs: a number, and terms whose initial values are added to it."""
    if not task.minimizes_cost:
        return 1.0, ()
    expressions = [effect.expression for effect in action.numeric_effects]
    fixed = sum(item.value for item in expressions if isinstance(item, Number))
    return fixed, tuple(item for item in expressions if isinstance(item, FunctionTerm))


def _rule(
    world: World,
    kind: Kind,
    name: str,
    parameters: tuple[TypedName, ...],
    branch: Branch,
    heads: tuple[tuple[Atom, ...], tuple[Atom, ...]],
    used: Iterable[str] = (),
) -> Rule:
    """A rule; `used` are terms that matter although they stand in no literal of it."""
    variables = parameters + branch.variables
    terms = [term for atom in (*branch.positive, *branch.negative, *heads[0], *heads[1]) for term in atom.terms]
    constants = tuple(dict.fromkeys(term for term in terms if not term.startswith("?")))
    names = [*(variable.name for variable in variables), *constants]
    places = {term: place for place, term in enumerate(names)}

    def pattern(atom: Atom) -> Pattern:
        return Pattern(atom.predicate, tuple(places[term] for term in atom.terms))

    negative = [atom for atom in branch.negative if atom.predicate != "="]
    query = Query(
        start=("",) * len(variables) + constants,
        domains=_domains(world, variables, branch, heads, used),
        positive=tuple(pattern(atom) for atom in branch.positive if atom.predicate != "="),
        equal=_pairs(branch.positive, places),
        unequal=_pairs(branch.negative, places),
        absent=tuple(
            (pattern(atom), world.rows(atom.predicate))
            for atom in negative
            if atom.predicate not in world.deleted and atom.predicate not in world.derived
        ),
    )
    changing = tuple(pattern(atom) for atom in negative if world.changes(atom.predicate))
    adds, deletes = (tuple(map(pattern, atoms)) for atoms in heads)
    return Rule(kind, name, len(parameters), query, changing, branch.rest, places, adds, deletes)


def _domains(
    world: World,
    variables: tuple[TypedName, ...],
    branch: Branch,
    heads: tuple[tuple[Atom, ...], tuple[Atom, ...]],
    used: Iterable[str],
) -> tuple[tuple[str, ...], ...]:
    """The objects for each variable. One that nothing depends on would only make copies: one object stands for all."""
    # "The action is applied" names every parameter; as an effect it does not make any of them matter.
    adds = (atom for atom in heads[0] if " " not in atom.predicate)
    matter = {term for atom in (*branch.positive, *branch.negative, *adds, *heads[1]) for term in atom.terms}
    matter.update(used)
    matter.update(term for formula in branch.rest for atom in atoms_in(formula) for term in atom.terms)
    members = [world.members(variable.types) for variable in variables]
    if not world.merge:  # every step is wanted under its own name
        return tuple(members)
    return tuple(
        names if variable.name in matter else names[:1] for variable, names in zip(variables, members, strict=True)
    )


def _pairs(atoms: Iterable[Atom], places: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    return tuple((places[atom.terms[0]], places[atom.terms[1]]) for atom in atoms if atom.predicate == "=")
