"""The type hierarchy: which objects may stand where."""

from __future__ import annotations

from collections.abc import Iterable

from groundplan.pddl.ast import OBJECT, Domain, Task, TypedName


class TypeHierarchy:
    """Supertypes of every type, closed under transitivity; `object` is above all, and a type is its own supertype.

    Types that are only named as parents count as declared under `object`. Cycles are tolerated (the checker
    reports them): every type of a cycle is then a supertype of the others.
    """

    def __init__(self, declared: Iterable[TypedName]) -> None:
        parents: dict[str, set[str]] = {OBJECT: set()}
        for item in declared:
            parents.setdefault(item.name, set()).update(item.types)
            for parent in item.types:
                parents.setdefault(parent, set())
        self._above = {name: frozenset(_reachable(name, parents) | {OBJECT}) for name in parents}

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._above)

    def above(self, name: str) -> frozenset[str]:
        """All supertypes of `name`, itself included; an unknown type has only itself and `object`."""
        return self._above.get(name) or frozenset((name, OBJECT))

    def is_subtype(self, name: str, of: str) -> bool:
        return of == OBJECT or of in self.above(name)

    def fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether everything of one of `types` (an `either`) is of one of the types `wanted`."""
        return all(any(self.is_subtype(name, want) for want in wanted) for name in types)

    def overlaps(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether some declared type lies below both sides, so that an object could be of both."""
        below = [name for name in self._above if any(self.is_subtype(name, kind) for kind in types)]
        return any(self.is_subtype(name, want) for name in below for want in wanted)


def hierarchy_of(domain: Domain) -> TypeHierarchy:
    return TypeHierarchy(domain.types)


def objects_by_type(task: Task) -> dict[str, tuple[str, ...]]:
    """Object names of every type (its subtypes' objects included), in order of declaration."""
    hierarchy = hierarchy_of(task.domain)
    table: dict[str, list[str]] = {name: [] for name in hierarchy.names}
    for item in task.objects:
        for name in {above for kind in item.types for above in hierarchy.above(kind)}:
            table.setdefault(name, []).append(item.name)
    return {name: tuple(members) for name, members in table.items()}


def _reachable(start: str, parents: dict[str, set[str]]) -> set[str]:
    seen = {start}
    stack = [start]
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in seen:
                seen.add(parent)
                stack.append(parent)
    return seen
