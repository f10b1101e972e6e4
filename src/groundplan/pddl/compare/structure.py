"""A domain, or a whole task, as a coloured graph in which names play no part.

Two tasks whose graphs are isomorphic are the same up to the names of predicates, actions, types, variables (and, where
these are free, objects) and up to every order: lifted strong equivalence.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from itertools import count

from groundplan.pddl.ast import (
    OBJECT,
    Action,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Task,
    TypedName,
    atoms_in,
    conjuncts,
)
from groundplan.pddl.compare.isomorphism import Graph, Node
from groundplan.pddl.types import hierarchy_of


@dataclass(frozen=True)
class Names:
    """Which names count, and what each stands for; names that are not there are free."""

    objects: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[str, str] = field(default_factory=dict)


def structure(task: Task, names: Names, *, problem: bool) -> Graph:
    """The graph of a task's domain, with its problem where asked for."""
    return _Builder(task, names, problem).graph


class _Builder:
    def __init__(self, task: Task, names: Names, problem: bool) -> None:
        self.task = task
        self.names = names
        self.graph = Graph()
        self.fresh = count()
        self.hierarchy = hierarchy_of(task.domain)
        self.relevant = _relevant(task)
        self.objects = task.objects if problem else task.domain.constants
        for item in self.objects:
            self.graph.node(("object", item.name), ("object", names.objects.get(item.name)))
        for action in task.domain.actions:
            self._action(action)
        self._rules()
        if problem:
            self._problem()
        self._types()

    def _action(self, action: Action) -> None:
        node = self.graph.node(("action", action.name), ("action", self.names.actions.get(action.name)))
        scope: dict[str, Node] = {}
        for index, parameter in enumerate(action.parameters):
            scope[parameter.name] = self._variable(parameter, ("param", action.name, index), "param")
            self.graph.edge(node, "param", scope[parameter.name])
        self._conjunction(node, "pre", action.precondition, scope)
        plain = [effect for effect in action.effects if effect.condition == And(()) and not effect.variables]
        added = {effect.atom for effect in plain if effect.positive}
        for effect in dict.fromkeys(action.effects):
            if effect.atom.predicate not in self.relevant:
                continue
            if not effect.positive and effect in plain and effect.atom in added:
                continue  # adding wins
            inner = dict(scope)
            bound = [self._variable(item, next(self.fresh), "bound") for item in effect.variables]
            inner |= {item.name: place for item, place in zip(effect.variables, bound, strict=True)}
            literal = self._atom(effect.atom, inner, ("effect", effect.positive))
            self.graph.edge(node, "effect", literal)
            for place in bound:
                self.graph.edge(literal, "bound", place)
            self._conjunction(literal, "when", effect.condition, inner)

    def _rules(self) -> None:
        for rule in self.task.domain.derived:
            node = self.graph.node(next(self.fresh), "rule")
            scope = {}
            for index, parameter in enumerate(rule.head.parameters):
                scope[parameter.name] = self._variable(parameter, next(self.fresh), "param")
                self.graph.edge(node, ("head", index), scope[parameter.name])
            self.graph.edge(node, "head", self._predicate(rule.head.name, rule.head.arity))
            self._conjunction(node, "pre", rule.condition, scope)

    def _problem(self) -> None:
        problem = self.task.problem
        for atom in dict.fromkeys(problem.init):
            if atom.predicate in self.relevant:
                self._atom(atom, {}, "init")
        self._conjunction(self.graph.node("goal", "goal"), "goal", problem.goal, {})

    def _types(self) -> None:
        """Membership of objects in the types that parameters have, and which of these types lie in others."""
        used = [node[1] for node in self.graph.colours if isinstance(node, tuple) and node[0] == "types"]
        for types in used:
            for item in self.objects:
                if self.hierarchy.fits(item.types, types):
                    self.graph.edge(("object", item.name), "is a", ("types", types))
            for other in used:
                if other != types and self.hierarchy.fits(types, other):
                    self.graph.edge(("types", types), "below", ("types", other))

    def _variable(self, item: TypedName, node: Node, colour: str) -> Node:
        self.graph.node(node, colour)
        if item.types != (OBJECT,):
            types = ("types", tuple(sorted(item.types)))
            if types not in self.graph.colours:
                self.graph.node(types, "types")
            self.graph.edge(node, "of", types)
        return node

    def _predicate(self, name: str, arity: int) -> Node:
        node = ("predicate", name)
        if node not in self.graph.colours:
            self.graph.node(node, ("predicate", arity, self.names.predicates.get(name)))
        return node

    def _atom(self, atom: Atom, scope: Mapping[str, Node], colour: Hashable) -> Node:
        node = self.graph.node(next(self.fresh), (colour, "=" if atom.predicate == "=" else ""))
        for index, term in enumerate(atom.terms):
            label = ("arg", 0 if atom.predicate == "=" else index)
            self.graph.edge(node, label, scope[term] if term in scope else self._object(term))
        if atom.predicate != "=":
            self.graph.edge(node, "predicate", self._predicate(atom.predicate, len(atom.terms)))
        return node

    def _object(self, name: str) -> Node:
        node = ("object", name)
        if node not in self.graph.colours:
            self.graph.node(node, ("object", self.names.objects.get(name)))
        return node

    def _conjunction(self, parent: Node, label: str, formula: Formula, scope: Mapping[str, Node]) -> None:
        for part in dict.fromkeys(conjuncts(formula)):
            self.graph.edge(parent, label, self._formula(part, scope))

    def _formula(self, formula: Formula, scope: Mapping[str, Node]) -> Node:
        match formula:
            case Atom():
                return self._atom(formula, scope, ("holds", True))
            case Not(part=Atom() as atom):
                return self._atom(atom, scope, ("holds", False))
            case Not(part=part):
                node = self.graph.node(next(self.fresh), "not")
                self._conjunction(node, "part", part, scope)
            case And():
                node = self.graph.node(next(self.fresh), "and")
                self._conjunction(node, "part", formula, scope)
            case Or(parts=parts):
                node = self.graph.node(next(self.fresh), "or")
                for part in dict.fromkeys(parts):
                    self.graph.edge(node, "part", self._formula(part, scope))
            case Imply(left=left, right=right):
                node = self._formula(Or((Not(left), right)), scope)
            case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
                node = self.graph.node(next(self.fresh), "forall" if isinstance(formula, Forall) else "exists")
                inner = dict(scope)
                for item in variables:
                    inner[item.name] = self._variable(item, next(self.fresh), "bound")
                    self.graph.edge(node, "bound", inner[item.name])
                self._conjunction(node, "part", part, inner)
            case _:
                raise AssertionError(f"not classical: {formula}")
        return node


def _relevant(task: Task) -> frozenset[str]:
    """Predicates that some condition asks for or some action changes; facts of the others can make no difference.

    What an action changes counts though nothing asks for it: it decides whether a step changes anything.
    """
    formulas = [action.precondition for action in task.domain.actions]
    formulas += [effect.condition for action in task.domain.actions for effect in action.effects]
    formulas += [rule.condition for rule in task.domain.derived]
    formulas.append(task.problem.goal)
    return task.domain.fluents | {atom.predicate for formula in formulas for atom in atoms_in(formula)}
