"""From objects to variables and back: the general form of an operator that was proposed for one situation.

Paper, Fig. 3: the grounded operator becomes a PDDL definition by mapping objects to variables of their types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.planning.preconditions import in_order
from groundplan.adapt.planning.states import atom_of
from groundplan.errors import InputError
from groundplan.formalize.signals.formulas import plain_literals
from groundplan.pddl.ast import OBJECT, TRUE, Action, And, Atom, Domain, Effect, Formula, Not, Task, TypedName
from groundplan.pddl.write import write_action, write_domain

MARK = "new operator, proposed by a model"


def type_of(item: TypedName) -> str:
    """The one type of an object; of an `either`, only that it is an object is sure."""
    return item.types[0] if len(item.types) == 1 else OBJECT


def types_of(task: Task, objects: Iterable[str]) -> tuple[str, ...]:
    """The types of some objects of a task. Raises InputError for a name that is no object."""
    known = {item.name: type_of(item) for item in task.objects}
    names = tuple(objects)
    for name in names:
        if name not in known:
            raise InputError(f"`{name}` is no object of this problem")
    return tuple(known[name] for name in names)


def variables_for(types: Sequence[str]) -> tuple[str, ...]:
    """A variable for each parameter, named by its type: `?drawer`; `?cell1`, `?cell2` where a type comes twice."""
    names: list[str] = []
    for number, kind in enumerate(types):
        twice = types.count(kind) > 1
        name = f"?{kind}{types[: number + 1].count(kind)}" if twice else f"?{kind}"
        while name in names:  # the second `cell` and a type called `cell2`
            name += "x"
        names.append(name)
    return tuple(names)


def lift(operator: GroundOperator) -> Action:
    """The operator with variables in the place of its objects.

    Raises InputError where an object is named twice, or a literal speaks of an object that is no parameter.
    """
    if len(set(operator.objects)) != len(operator.objects):
        raise InputError(f"`{operator.name}` names an object twice: it has no general form")
    variables = variables_for(operator.types)
    terms = dict(zip(operator.objects, variables, strict=True))

    def atom(literal: Literal) -> Atom:
        name, *args = literal.fact
        foreign = [arg for arg in args if arg not in terms]
        if foreign:
            raise InputError(f"`{operator.name}`: `{foreign[0]}` in `{literal}` is no parameter")
        return Atom(name, tuple(terms[arg] for arg in args))

    needed = [atom(literal) if literal.positive else Not(atom(literal)) for literal in operator.preconditions]
    return Action(
        operator.name,
        tuple(TypedName(name, (kind,)) for name, kind in zip(variables, operator.types, strict=True)),
        conjunction(needed),
        tuple(Effect(atom(literal), literal.positive) for literal in operator.effects),
    )


def ground_operator(action: Action, objects: Sequence[str]) -> GroundOperator:
    """The operator for some objects: what `lift` undoes.

    Types are those of the parameters. Raises InputError for an action that is more than a list of literals needed and
    a list of literals brought about, and for the wrong number of objects.
    """
    literals = plain_literals(action.precondition)
    if literals is None or any(item.condition != TRUE or item.variables for item in action.effects):
        raise InputError(f"`{action.name}` is more than literals needed and literals brought about")
    if len(objects) != len(action.parameters):
        raise InputError(f"`{action.name}` takes {len(action.parameters)} objects, got {len(objects)}")
    values = {parameter.name: name for parameter, name in zip(action.parameters, objects, strict=True)}

    def literal(atom: Atom, positive: bool) -> Literal:
        return Literal((atom.predicate, *(values.get(term, term) for term in atom.terms)), positive)

    return GroundOperator(
        action.name,
        tuple(objects),
        tuple(map(type_of, action.parameters)),
        in_order(literal(atom, positive) for atom, positive in literals),
        tuple(literal(effect.atom, effect.positive) for effect in action.effects),
    )


def conjunction(parts: Sequence[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def formula_of(literal: Literal) -> Formula:
    atom = atom_of(literal.fact)
    return atom if literal.positive else Not(atom)


def free_name(name: str, taken: Collection[str]) -> str:
    """`name`, or `name-2`, `name-3`, ... where it is taken: an operator is never overwritten."""
    number, free = 2, name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free


def with_operators(domain: Domain, actions: Iterable[Action]) -> Domain:
    """The domain with more operators, whose names must be free."""
    return replace(domain, actions=(*domain.actions, *actions))


def domain_text(domain: Domain, new: Sequence[Action]) -> str:
    """The domain with new operators as PDDL, each new one under a comment. Requirements are those that it needs."""
    text = write_domain(with_operators(domain, new))
    for action in new:
        written = write_action(action)
        head, _, tail = text.rpartition("\n" + written)
        assert head, "the writer writes every action"
        text = f"{head}\n  ; {MARK}\n{written}{tail}"
    return text
