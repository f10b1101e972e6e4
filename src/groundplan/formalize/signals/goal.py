"""Goals that ask for nothing: empty ones, and ones that hold at the start."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.formulas import is_trivial, plain_literals, quantifier_work
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.relations import Statement, statements_in
from groundplan.formalize.specification import Signal
from groundplan.pddl.ast import Task
from groundplan.pddl.simulate import Simulator

MOST_BINDINGS = 1_000_000


def find_empty_goal(reading: Reading) -> Iterator[Signal]:
    """A goal that is true whatever happens."""
    if is_trivial(reading.task.problem.goal):
        yield Signal("empty-goal", "error", "the goal is empty: it holds in every state, so nothing is asked for")


def find_goal_already_true(reading: Reading) -> Iterator[Signal]:
    """A goal that holds in the initial state, or a plan without steps.

    An error where a text is given, as practically every text asks for work; a warning without a text, and where the
    text itself states its goal as facts that hold at the start.
    """
    task = reading.task
    if is_trivial(task.problem.goal) or not (reading.plan == () or _holds_at_start(task)):
        return
    if not reading.text.strip():
        yield Signal("goal-already-true", "warning", "the goal already holds in the initial state", _atoms(task))
    elif goal_is_restated(reading):
        message = "the goal already holds in the initial state; the text itself seems to ask for what already is"
        yield Signal("goal-already-true", "warning", message, _atoms(task))
    else:
        message = "the goal already holds in the initial state: a plan of no steps, although the text asks for work"
        yield Signal("goal-already-true", "error", message, _atoms(task))


def _holds_at_start(task: Task) -> bool:
    """Whether the initial state satisfies the goal; False where that would take too long.

    Raises InputError when the task is beyond classical planning.
    """
    literals = plain_literals(task.problem.goal)
    if literals is not None and not task.domain.derived:
        facts = {(atom.predicate, atom.terms) for atom in task.problem.init}
        return all(((atom.predicate, atom.terms) in facts) is positive for atom, positive in literals)
    if quantifier_work(task.problem.goal, task) > MOST_BINDINGS or _axiom_work(task) > MOST_BINDINGS:
        return False
    simulator = Simulator(task)
    return simulator.is_goal(simulator.initial)


def _axiom_work(task: Task) -> int:
    """The number of bindings of all derived rules, as a rough price of their fixpoint."""
    count = len(task.objects) or 1
    work = 0
    for rule in task.domain.derived:
        work += int(count ** max(1, rule.head.arity)) * quantifier_work(rule.condition, task)
    return work


def _atoms(task: Task) -> tuple[str, ...]:
    literals = plain_literals(task.problem.goal) or []
    return evidence([str(atom) if positive else f"(not {atom})" for atom, positive in literals])


def goal_is_restated(reading: Reading) -> bool:
    """Whether each statement about named things in the goal of the text also stands, as a fact, outside the goal."""
    facts: set[tuple[object, ...]] = set()
    wanted: list[tuple[object, ...]] = []
    for clause in reading.clauses:
        keys = [_key(reading, statement) for statement in statements_in(reading, clause)]
        if clause.role in ("goal", "demand"):
            wanted += keys
        elif clause.role in ("fact", "start"):
            facts.update(keys)
    return bool(wanted) and all(key in facts for key in wanted)


_FILLERS = frozenset(
    "is are be was were should must has have to the a an that , and of at in on top initially end your my goal "
    "it".split()
)


def _key(reading: Reading, statement: Statement) -> tuple[object, ...]:
    """A statement without its tense: its things, and its words apart from verbs of being."""
    groups = (statement.subject, statement.object)
    things = tuple(
        tuple(sorted({*place.objects, *(name.text.lower() for name in place.unknown)}))
        for group in groups
        for place in group
    )
    named = {token.low for group in groups for place in group for token in reading.tokens[place.first : place.last]}
    return (*things, frozenset(statement.words - named - _FILLERS))
