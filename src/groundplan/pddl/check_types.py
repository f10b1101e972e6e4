"""Checking `:types`: no cycles, no doubles, and no supertype that swallows what stands before it by accident."""

from __future__ import annotations

from groundplan.pddl.ast import OBJECT, TypedName
from groundplan.pddl.diagnostics import Category, listing
from groundplan.pddl.findings import Findings
from groundplan.pddl.read_domain import DomainText
from groundplan.pddl.read_names import TypedGroup


def check_types(text: DomainText, findings: Findings) -> None:
    types = text.domain.types
    _doubles(types, findings)
    _cycles(types, findings)
    _implicit(types, findings)
    for group in text.type_groups:
        _swallowed(group, text, findings)


def _doubles(types: tuple[TypedName, ...], findings: Findings) -> None:
    first: dict[str, TypedName] = {}
    for item in types:
        if item.name in first:
            same = first[item.name].types == item.types
            findings.warn(
                "duplicate-type",
                Category.OBJECT,
                item.span,
                f"type `{item.name}` is declared a second time"
                + ("" if same else "; it now lies below both parents, which few planners understand"),
                "delete one of the two",
                ("first declared here", first[item.name].span, findings.source),
            )
        first.setdefault(item.name, item)


def _cycles(types: tuple[TypedName, ...], findings: Findings) -> None:
    parents: dict[str, list[str]] = {}
    for item in types:
        parents.setdefault(item.name, []).extend(sorted(item.types))
    path = _cycle(parents)
    if path:
        first = min((item for item in types if item.name in path), key=lambda item: item.span.start)
        turn = path.index(first.name)
        around = [*path[turn:], *path[:turn], first.name]
        shown = " - ".join(around if len(around) <= 8 else [*around[:4], "...", *around[-2:]])
        findings.error(
            "cyclic-type",
            Category.OBJECT,
            first.span,
            f"type `{first.name}` lies below itself: {shown}",
            "a type hierarchy ends at `object`; drop one of these",
        )


def _cycle(parents: dict[str, list[str]]) -> list[str]:
    """A chain of parents that leads back to its start (given once), or nothing. Looks at every type once."""
    done: set[str] = set()
    for start in parents:
        path: dict[str, None] = {}  # in order, and quick to look into
        waiting = [iter([start])]
        while waiting:
            name = next(waiting[-1], None)
            if name is None:
                waiting.pop()
                if path:
                    done.add(path.popitem()[0])
            elif name in path:
                names = list(path)
                return names[names.index(name) :]
            elif name not in done:
                path[name] = None
                waiting.append(iter(parents.get(name, ())))
    return []


def _implicit(types: tuple[TypedName, ...], findings: Findings) -> None:
    declared = {item.name for item in types} | {OBJECT}
    for item in types:
        for parent, span in zip(item.types, item.type_spans, strict=False):
            if parent not in declared:
                declared.add(parent)
                findings.warn(
                    "implicit-type",
                    Category.OBJECT,
                    span,
                    f"type `{parent}` is declared only by being named as a parent",
                    f"add `{parent} - object`",
                )


def _swallowed(group: TypedGroup, text: DomainText, findings: Findings) -> None:
    """`place crate truck - vehicle` makes all three vehicles. Suspicious when they stand in lines of their own, or
    when a predicate or action puts a member beside its parent (`(at ?v - vehicle ?p - place)`)."""
    parent = next(iter(group.names[0].types), OBJECT)
    if parent == OBJECT or len(group.names) < 2:
        return
    implicit = all(item.name != parent for item in text.domain.types)
    members = [name.name for name in group.names]
    lines = {findings.source.position(name.span.start).line for name in group.names}
    beside = _beside_parent(members, parent, text)
    suspects = beside or (members[:-1] if len(lines) > 1 and implicit else [])
    if not suspects:
        return
    kept = [name for name in members if name not in suspects]
    if not kept or kept == members:
        suspects, kept = members[:-1], members[-1:]
    findings.warn(
        "swallowed-type",
        Category.OBJECT,
        group.span,
        f"{listing(suspects)} became subtypes of `{parent}`: everything listed before `- {parent}` does",
        f"if that is not meant, write `{' '.join(suspects)} - object  {' '.join(kept)} - {parent}`",
    )


def _beside_parent(members: list[str], parent: str, text: DomainText) -> list[str]:
    domain = text.domain
    lists = [predicate.parameters for predicate in domain.predicates]
    lists += [action.parameters for action in domain.actions]
    found = []
    for parameters in lists:
        kinds = {kind for parameter in parameters for kind in parameter.types}
        if parent in kinds:
            found += [member for member in members if member in kinds]
    return [member for member in members if member in found]
