"""Types for an engine that knows a plain tree of them: everything beyond becomes static predicates."""

from __future__ import annotations

from dataclasses import replace

from groundplan.pddl.ast import OBJECT, Atom, Domain, Problem, Signature, Task, TypedName
from groundplan.pddl.types import TypeHierarchy
from groundplan.solve.spelling import spelt, spelt_type


class PlainTypes:
    """Which types Fast Downward gets as types, and which as predicates (`guards`) that hold of their objects."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.parents: dict[str, set[str]] = {}
        for item in task.domain.types:
            self.parents.setdefault(item.name, set()).update(item.types)
        for names in list(self.parents.values()):
            names.discard(OBJECT)
            for name in names:
                self.parents.setdefault(name, set())
        self.parents.pop(OBJECT, None)
        self.is_tree = self._is_tree()
        self.guards: dict[tuple[str, ...], str] = {}

    def _is_tree(self) -> bool:
        if any(len(above) > 1 for above in self.parents.values()) or any(len(o.types) > 1 for o in self.task.objects):
            return False
        for start in self.parents:
            name, steps = start, 0
            while above := self.parents.get(name):
                (name,) = above
                steps += 1
                if steps > len(self.parents):
                    return False
        return True

    def plain(self, item: TypedName) -> tuple[TypedName, Atom | None]:
        """A variable with a type that Fast Downward knows, and the atom that says the rest of its type."""
        name = spelt(item.name)
        if not item.types or OBJECT in item.types:
            return TypedName(name), None
        if self.is_tree and len(item.types) == 1:
            self.parents.setdefault(item.types[0], set())
            return TypedName(name, (spelt_type(item.types[0]),)), None
        kinds = tuple(sorted(set(item.types)))
        # No name of the task can have an `@` (see `spelt`), and the translator's own start otherwise.
        guard = self.guards.setdefault(kinds, "is@" + "@".join(map(spelt_type, kinds)))
        return TypedName(name), Atom(guard, (name,))

    def object(self, item: TypedName) -> TypedName:
        return self.plain(item)[0] if self.is_tree else TypedName(spelt(item.name))

    def declared(self, domain: Domain) -> Domain:
        """The domain with its types, and with the guards among its predicates."""
        types: tuple[TypedName, ...] = ()
        if self.is_tree:
            types = tuple(
                TypedName(spelt_type(name), (spelt_type(next(iter(above), OBJECT)),))
                for name, above in self.parents.items()
            )
        guards = tuple(Signature(guard, (TypedName("?x"),)) for guard in self.guards.values())
        return replace(domain, types=types, predicates=domain.predicates + guards)

    def filled(self, problem: Problem) -> Problem:
        """The problem with the facts of the guards."""
        if not self.guards:
            return problem
        hierarchy = TypeHierarchy(self.task.domain.types)
        facts = [
            Atom(guard, (spelt(item.name),))
            for kinds, guard in self.guards.items()
            for item in self.task.objects
            if any(hierarchy.is_subtype(own, kind) for own in item.types for kind in kinds)
        ]
        return replace(problem, init=(*problem.init, *facts))
