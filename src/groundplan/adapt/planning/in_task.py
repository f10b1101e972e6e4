"""What an operator does in one task: whether it helps, what it breaks, and whether it leaves work to anyone else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.adapt.planning.lifting import with_operators
from groundplan.adapt.planning.space import Ahead, Space
from groundplan.formalize.signals.exclusive import Member, Members, exclusive_set
from groundplan.pddl.ast import Action, Atom, Domain, Plan, Task, atoms_in
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, listing
from groundplan.pddl.ground import GroundingLimit
from groundplan.pddl.ground_search import reachable_states
from groundplan.pddl.simulate import Simulator

MOST_STATES = 50_000
MOST_LOOKED_AT = 3_000


@dataclass(frozen=True, slots=True)
class Helps:
    """Whether a task has a plan with some new operators: `ending` says how the search ended."""

    ending: Ahead
    plan: Plan = ()

    @property
    def steps(self) -> int | None:
        return len(self.plan) if self.ending is Ahead.PLAN else None


def helps(task: Task, new: Sequence[Action], max_states: int = MOST_STATES) -> Helps:
    """The shortest plan with new operators, or how the search for one ended. Raises InputError beyond classical."""
    try:
        space = Space(task, with_operators(task.domain, new))
    except GroundingLimit:
        return Helps(Ahead.CAPPED)
    return Helps(*space.ahead(space.initial, max_states))


def task_findings(task: Task, new: Sequence[Action], plan: Plan) -> list[Diagnostic]:
    """The findings about new operators in a task, given the plan that was found with them (empty: none)."""
    extended = Task(with_operators(task.domain, new), task.problem)
    try:
        space = Space(extended)
    except GroundingLimit:
        return []
    live = {operator.step.action for operator in space.ground.operators}
    found = [_out_of_reach(action) for action in new if action.name not in live]
    return [*found, *_broken_invariants(task, new, space), *_alone(task, new, plan)]


def _out_of_reach(action: Action) -> Diagnostic:
    message = (
        f"`{action.name}` can never be taken in this problem, or never changes anything in it: for no objects can its "
        "precondition come to hold, even if nothing were ever deleted"
    )
    return Diagnostic("operator-out-of-reach", Category.SEARCH, Severity.ERROR, message, hint="what must hold for it?")


def _alone(task: Task, new: Sequence[Action], plan: Plan) -> Iterator[Diagnostic]:
    """The goal is reached by new operators alone, though known ones are there to bring about the same facts."""
    names = {action.name for action in new}
    if not plan or any(step.action not in names for step in plan) or len({step.action for step in plan}) > 1:
        return
    name = plan[0].action
    simulator = Simulator(task)
    start = simulator.initial
    open_ = {atom.predicate for atom in atoms_in(task.problem.goal) if atom not in start}
    makers = [a.name for a in task.domain.actions if any(e.positive and e.atom.predicate in open_ for e in a.effects)]
    if makers:
        message = (
            f"`{name}` reaches the goal all by itself, in {len(plan)} step(s), although {listing(makers)} is there to "
            "bring about what the goal asks for"
        )
        hint = "a missing operator mostly does one part; only execution can confirm this one"
        yield Diagnostic("operator-reaches-goal-alone", Category.GOAL, Severity.WARNING, message, hint=hint)
    else:
        message = f"`{name}` reaches the goal in {len(plan)} step(s); no known operator brings about what it asks for"
        yield Diagnostic("operator-is-the-last-step", Category.GOAL, Severity.INFO, message)


def _broken_invariants(task: Task, new: Sequence[Action], space: Space) -> Iterator[Diagnostic]:
    """Facts of which the known operators never let two hold at once, and which do with the new ones."""
    sets = [(members, _too_heavy(members, [_atoms(space, space.initial)])) for members in moving_sets(task.domain)]
    told: set[Members] = set()
    for state in reachable_states(space.ground, MOST_LOOKED_AT):
        atoms = _atoms(space, state)
        for members, before in sets:
            if members in told:
                continue
            for thing, facts in _weights(members, atoms).items():
                if len(facts) > 1 and thing not in before:
                    told.add(members)
                    yield _broken(members, facts, new)
                    break


def moving_sets(domain: Domain) -> list[Members]:
    """Sets of facts of which the known operators move one about, as `exclusive_set` proves them; each once."""
    found: dict[frozenset[Member], Members] = {}
    adds = {effect.atom.predicate for action in domain.actions for effect in action.effects if effect.positive}
    for predicate in domain.predicates:
        if predicate.name not in adds:
            continue
        for key in (*range(predicate.arity), None):
            members = exclusive_set(domain, Member(predicate.name, key))
            if members:
                found.setdefault(frozenset(members), members)
    return list(found.values())


def _atoms(space: Space, state: int) -> list[Atom]:
    return [Atom(fact[0], fact[1:]) for fact in sorted(space.facts(state))]


def _weights(members: Members, atoms: Sequence[Atom]) -> dict[str, list[Atom]]:
    """The facts of a set, by the thing that they are about."""
    keys = {member.predicate: member.key for member in members}
    found: dict[str, list[Atom]] = {}
    for atom in atoms:
        if atom.predicate in keys:
            key = keys[atom.predicate]
            found.setdefault("" if key is None else atom.terms[key], []).append(atom)
    return found


def _too_heavy(members: Members, states: Sequence[Sequence[Atom]]) -> set[str]:
    """The things about which two facts hold from the start, so that nothing is known of them."""
    return {thing for atoms in states for thing, facts in _weights(members, atoms).items() if len(facts) > 1}


def _broken(members: Members, facts: Sequence[Atom], new: Sequence[Action]) -> Diagnostic:
    names = listing([action.name for action in new])
    message = (
        f"with {names} it comes to {listing([str(atom) for atom in facts], 3)} at once; with the known operators at "
        "most one of these ever holds"
    )
    hint = "does an effect `(not ...)` lack for what stops holding?"
    return Diagnostic("operator-breaks-invariant", Category.CONDITION, Severity.WARNING, message, hint=hint)
