"""When no operator can help, and what an operator would have to break: only what is proved is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundplan.adapt.planning.states import fact_of, initial_facts
from groundplan.adapt.planning.truth import members_of, satisfiable
from groundplan.pddl.ast import Atom, Task
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, listing
from groundplan.pddl.write import write_formula


@dataclass(frozen=True, slots=True)
class NoHelp:
    """A proof that no operator can help. `assuming` names the predicates that were said to be fixed; empty: none."""

    statement: str
    assuming: tuple[str, ...] = ()


def no_operator_can_help(task: Task, fixed: frozenset[str] = frozenset()) -> NoHelp | None:
    """A proof that no new operator makes the goal reachable, or None where there is no such proof.

    An operator may make any fact true or false, so all that rules it out is a goal that no state satisfies: one that
    contradicts itself, or wants an object where there is none of its type. With `fixed`, the facts of those predicates
    stay as they are at the start: what is proved then holds for operators that leave them alone, and says so.
    Derived facts are taken as free, which can only miss a proof.
    """
    goal, members = task.problem.goal, members_of(task)
    shown = write_formula(goal)
    if satisfiable(goal, lambda _: None, members) is False:
        return NoHelp(
            f"no state satisfies the goal `{shown}`: it contradicts itself, or wants an object of a type that has "
            "none; whatever an operator does, the goal stays out of reach"
        )
    start = initial_facts(task)
    known = fixed & task.domain.predicate_by_name.keys()

    def as_now(atom: Atom) -> bool | None:
        return (fact_of(atom) in start) if atom.predicate in known else None

    if known and satisfiable(goal, as_now, members) is False:
        names = tuple(sorted(known))
        return NoHelp(
            f"the goal `{shown}` is at odds with facts of {listing(names)}, which was said to be fixed; every operator "
            "that leaves these alone leaves the goal out of reach",
            names,
        )
    return None


def what_an_operator_must_do(task: Task) -> Iterator[Diagnostic]:
    """Findings that narrow down what a new operator has to change, each with its proof; none of them is a refusal.

    `goal-needs-static-change`: the goal is at odds with facts that no known operator changes.
    """
    start, members = initial_facts(task), members_of(task)
    free = task.domain.fluents | task.domain.derived_names
    static = frozenset(task.domain.predicate_by_name) - free

    def given(names: frozenset[str]) -> bool | None:
        def known(atom: Atom) -> bool | None:
            return (fact_of(atom) in start) if atom.predicate in names else None

        return satisfiable(task.problem.goal, known, members)

    if given(static) is not False:
        return
    guilty = [name for name in sorted(static) if given(frozenset((name,))) is False]
    which = listing(guilty or sorted(static))
    yield Diagnostic(
        "goal-needs-static-change",
        Category.GOAL,
        Severity.WARNING,
        f"the goal is at odds with facts of {which} as they are now, and no known operator changes them: only an "
        "operator that does can help",
        task.problem.goal_span,
        task.problem.source,
        "if nothing in the world can change them, name them as fixed",
    )
