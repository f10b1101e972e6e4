"""A domain's actions, predicates and objects in short lists, for prompts and messages."""

from __future__ import annotations

from collections.abc import Iterable

from groundplan.pddl.ast import OBJECT, Domain, Signature, Task, TypedName


def action_signatures(domain: Domain) -> str:
    """One line an action: `(drive ?v ?from ?to)` with what its parameters are."""
    return "\n".join(f"- {_call(action.name, action.parameters)}" for action in domain.actions)


def predicate_signatures(domain: Domain) -> str:
    """One line a predicate, as tuples have it: `("at", thing, place)`."""
    return "\n".join(f"- {_tuple(predicate)}" for predicate in domain.predicates)


def objects_by_kind(task: Task) -> str:
    """One line a declared type, with its objects in the task's order."""
    kinds: dict[str, list[str]] = {}
    for item in task.objects:
        kinds.setdefault(" or ".join(item.types) or OBJECT, []).append(item.name)
    return "\n".join(f"- {kind}: {', '.join(names)}" for kind, names in kinds.items())


def types_tree(domain: Domain) -> str:
    """One line a type that has a parent other than `object`, or an empty text."""
    below = [item for item in domain.types if item.types not in ((), (OBJECT,))]
    return "\n".join(f"- every {item.name} is a {' or '.join(item.types)}" for item in below)


def _call(name: str, parameters: Iterable[TypedName]) -> str:
    parameters = tuple(parameters)
    call = f"({' '.join((name, *(item.name for item in parameters)))})"
    kinds = [f"{item.name} is a {' or '.join(item.types)}" for item in parameters if item.types != (OBJECT,)]
    return f"{call}, where {', '.join(kinds)}" if kinds else call


def _tuple(predicate: Signature) -> str:
    words = [f'"{predicate.name}"']
    for item in predicate.parameters:
        name = item.name.lstrip("?")
        words.append(name if item.types == (OBJECT,) else f"{name}: {' or '.join(item.types)}")
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"
