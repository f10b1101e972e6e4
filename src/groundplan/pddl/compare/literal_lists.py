"""The preconditions and effects of an action as a list of literals, and how two such lists are compared.

Schema-F1 of the multi-role paper (Table 3) is not defined there beyond "canonical precondition/effect matching"; here
it is the F1 of the literals (role, sign, predicate, arguments) of all mapped actions, after the maps are applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations

from groundplan.pddl.ast import Action, And, Atom, Exists, Forall, Formula, Imply, Not, Or, Task
from groundplan.pddl.compare.objects import words_of
from groundplan.pddl.compare.result import Maps

MOST_ARGUMENTS = 4
"""Predicates with more arguments are matched with their arguments in order only."""


class Role(StrEnum):
    PRECONDITION = "precondition"
    ADD = "add effect"
    DELETE = "delete effect"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal of an action. `depth` tells literals inside disjunctions, quantifiers and conditions apart."""

    role: Role
    positive: bool
    predicate: str
    args: tuple[str, ...]
    depth: str = ""

    def renamed(
        self,
        names: Mapping[str, str],
        objects: Mapping[str, str] | None = None,
        predicates: Mapping[str, str] | None = None,
    ) -> Literal:
        """With the parameters (others become `?`), objects and predicates renamed."""
        args = tuple(names.get(arg, "?") if arg.startswith("?") else (objects or {}).get(arg, arg) for arg in self.args)
        if self.predicate == "=":
            args = tuple(sorted(args))
        predicate = (predicates or {}).get(self.predicate, self.predicate)
        return Literal(self.role, self.positive, predicate, args, self.depth)

    @property
    def shape(self) -> object:
        """What is left when predicates have no names."""
        return self.role, self.positive, self.args, self.depth

    @property
    def words(self) -> object:
        return self.role, self.positive, words_of(self.predicate), self.args, self.depth

    def __str__(self) -> str:
        atom = f"({' '.join((self.predicate, *self.args))})"
        return atom if self.positive else f"(not {atom})"


def literals_of(action: Action) -> list[Literal]:
    """All literals of an action, each once."""
    found = list(_of_formula(action.precondition, Role.PRECONDITION, True, ""))
    for effect in action.effects:
        depth = "" if effect.condition == And(()) and not effect.variables else "when"
        role = Role.ADD if effect.positive else Role.DELETE
        found.append(Literal(role, True, effect.atom.predicate, effect.atom.terms, depth))
        found += _of_formula(effect.condition, role, True, "if")
    return list(dict.fromkeys(found))


def _of_formula(formula: Formula, role: Role, positive: bool, depth: str) -> Iterator[Literal]:
    match formula:
        case Atom():
            yield Literal(role, positive, formula.predicate, formula.terms, depth)
        case Not(part=part):
            yield from _of_formula(part, role, not positive, depth)
        case And(parts=parts):
            for part in parts:
                yield from _of_formula(part, role, positive, depth)
        case Or(parts=parts):
            for part in parts:
                yield from _of_formula(part, role, positive, f"{depth}or ")
        case Imply(left=left, right=right):
            yield from _of_formula(Or((Not(left), right)), role, positive, depth)
        case Forall(part=part):
            yield from _of_formula(part, role, positive, f"{depth}all ")
        case Exists(part=part):
            yield from _of_formula(part, role, positive, f"{depth}some ")


@dataclass(frozen=True)
class SchemaMatch:
    """How the literals of the mapped actions agree. `missing` are the reference's, `extra` the candidate's.

    `predicates` (candidate to reference) says how they were read, with the order of the arguments.
    """

    f1: float
    missing: tuple[tuple[str, Literal], ...]
    extra: tuple[tuple[str, Literal], ...]
    predicates: Mapping[str, tuple[str, tuple[int, ...]]]

    def of_role(self, *roles: Role) -> list[tuple[str, Literal]]:
        return [item for item in (*self.missing, *self.extra) if item[1].role in roles]


def match_literals(reference: Task, candidate: Task, maps: Maps) -> SchemaMatch:
    """Compare all actions under the maps; the map of predicates is the one that makes most literals agree."""
    ours, theirs = _lists(reference, candidate, maps)
    predicates = _vote(ours, theirs)
    taken = {name for name, _ in predicates.values()}
    for item in candidate.domain.predicates:  # those that no agreeing literal speaks for go by their names
        same = reference.domain.predicate_by_name.get(item.name)
        if item.name not in predicates and item.name not in taken and same is not None and same.arity == item.arity:
            predicates[item.name] = (item.name, tuple(range(item.arity)))
    missing: list[tuple[str, Literal]] = []
    extra: list[tuple[str, Literal]] = []
    agreeing = total = 0
    for name in dict.fromkeys((*ours, *theirs)):
        left = Counter(ours.get(name, ()))
        right = Counter(_reread(item, predicates) for item in theirs.get(name, ()))
        agreeing += sum((left & right).values())
        total += sum(left.values()) + sum(right.values())
        missing += [(name, literal) for literal in (left - right).elements()]
        extra += [(name, literal) for literal in (right - left).elements()]
    return SchemaMatch(2 * agreeing / total if total else 1.0, tuple(missing), tuple(extra), predicates)


def reread_atom(atom: Atom, match: SchemaMatch, maps: Maps) -> Atom:
    """A ground atom of the candidate in the reference's words; unmapped names keep theirs, marked with `?`."""
    name, order = match.predicates.get(atom.predicate, (f"?{atom.predicate}", tuple(range(len(atom.terms)))))
    terms = tuple(maps.objects.get(term, f"?{term}") for term in atom.terms)
    return Atom(name, tuple(terms[index] for index in order))


def _lists(reference: Task, candidate: Task, maps: Maps) -> tuple[dict[str, list[Literal]], dict[str, list[Literal]]]:
    """The literals by action of the reference, with its parameters numbered. Of several, the best match counts."""
    ours = {}
    for action in reference.domain.actions:
        own = {parameter.name: f"?{index}" for index, parameter in enumerate(action.parameters)}
        ours[action.name] = [literal.renamed(own) for literal in literals_of(action)]
    theirs: dict[str, list[Literal]] = {}
    for action in candidate.domain.actions:
        match = maps.actions.get(action.name)
        name = match.action if match else f"?{action.name}"
        places = match.positions if match else ()
        names = {action.parameters[place].name: f"?{index}" for index, place in enumerate(places)}
        literals = [literal.renamed(names, maps.objects) for literal in literals_of(action)]
        if match is not None or name not in theirs:
            theirs.setdefault(name, []).extend(literals)
    return ours, {name: list(dict.fromkeys(items)) for name, items in theirs.items()}


def _vote(
    ours: Mapping[str, Sequence[Literal]], theirs: Mapping[str, Sequence[Literal]]
) -> dict[str, tuple[str, tuple[int, ...]]]:
    """For each predicate of the candidate the reference's that agrees in most literals, each used once."""
    votes: Counter[tuple[str, str, tuple[int, ...]]] = Counter()
    for name, right in theirs.items():
        left = Counter(ours.get(name, ()))
        for literal in right:
            if literal.predicate == "=":
                continue
            for mine in left:
                same = (mine.role, mine.positive, mine.depth) == (literal.role, literal.positive, literal.depth)
                if not same or len(mine.args) != len(literal.args) or mine.predicate == "=":
                    continue
                for order in _orders(len(mine.args)):
                    if tuple(literal.args[index] for index in order) == mine.args:
                        votes[literal.predicate, mine.predicate, order] += 1
    found: dict[str, tuple[str, tuple[int, ...]]] = {}
    taken: set[str] = set()

    def rank(item: tuple[tuple[str, str, tuple[int, ...]], int]) -> tuple[float, bool, bool, str]:
        (other, mine, order), number = item
        same_words = words_of(other) == words_of(mine)
        return -number - same_words, not same_words, order != tuple(sorted(order)), f"{other} {mine} {order}"

    for (other, target, order), _ in sorted(votes.items(), key=rank):
        if other not in found and target not in taken:
            found[other] = (target, order)
            taken.add(target)
    found["="] = ("=", (0, 1))
    return found


def _orders(arity: int) -> list[tuple[int, ...]]:
    return list(permutations(range(arity))) if arity <= MOST_ARGUMENTS else [tuple(range(arity))]


def _reread(literal: Literal, predicates: Mapping[str, tuple[str, tuple[int, ...]]]) -> Literal:
    name, order = predicates.get(literal.predicate, (f"?{literal.predicate}", ()))
    args = tuple(literal.args[index] for index in order) if order else literal.args
    return Literal(literal.role, literal.positive, name, args, literal.depth)
