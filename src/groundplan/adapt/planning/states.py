"""States as facts, and a task that starts from one."""

from __future__ import annotations

from dataclasses import replace

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.operator import GroundOperator
from groundplan.pddl.ast import Atom, Domain, Task
from groundplan.pddl.simulate import Simulator


def fact_of(atom: Atom) -> Fact:
    return (atom.predicate, *atom.terms)


def atom_of(fact: Fact) -> Atom:
    return Atom(fact[0], fact[1:])


def initial_facts(task: Task) -> Facts:
    """The facts true at the start, derived ones left out."""
    return frozenset(map(fact_of, task.problem.init))


def at_facts(task: Task, facts: Facts, domain: Domain | None = None) -> Task:
    """The same task starting from `facts` (derived ones are dropped: they follow), with another domain if given."""
    domain = domain or task.domain
    atoms = sorted((atom_of(fact) for fact in facts if fact[0] not in domain.derived_names), key=str)
    return Task(domain, replace(task.problem, init=tuple(atoms), init_false=()))


def with_derived(task: Task, facts: Facts) -> Facts:
    """`facts` and the derived facts that follow from them."""
    if not task.domain.derived:
        return facts
    simulator = Simulator(at_facts(task, facts))
    return facts | {fact_of(atom) for atom in simulator.derived(simulator.initial)}


def text_of(fact: Fact, positive: bool = True) -> str:
    """As PDDL: `(open d)` or `(not (open d))`."""
    inside = f"({' '.join(fact)})"
    return inside if positive else f"(not {inside})"


def facts_after(facts: Facts, operator: GroundOperator) -> Facts:
    """The facts after an operator; adding wins over deleting."""
    gone = {item.fact for item in operator.effects if not item.positive}
    return (facts - gone) | {item.fact for item in operator.effects if item.positive}
