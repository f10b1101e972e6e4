"""Scoring answers to planning tasks: PDDL against the reference task, or a plan on the reference task.

PDDL counts as right when it is faithful (the same task as the reference, by `groundplan.pddl.compare`) and solved (the
answer's own plan is valid in the answer's own PDDL, by our simulator): the multi-role paper's Eq. 74, H.4.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from groundplan.bench.sets.endings import CORRECT, TOOL, WRONG, unread
from groundplan.bench.sets.planning.steps import read_steps
from groundplan.bench.sets.planning.vocabulary import Vocabulary
from groundplan.bench.sets.task import Answer, Score, Step, Task
from groundplan.errors import GroundplanError, PddlError
from groundplan.pddl import ast
from groundplan.pddl.compare import Comparison, Drift, Equivalence, Maps, compare_tasks
from groundplan.pddl.read import task_from_text
from groundplan.pddl.source import Source
from groundplan.pddl.validate import VerdictKind, validate_plan, validate_text

PDDL_MARKS = ("solved", "faithful", "goal_preserved")
DRIFTS = tuple(drift.value for drift in Drift)
"""Marks by kind of drift: which it is, where the PDDL is another task than the reference."""
MARKS = (*PDDL_MARKS, "plan_valid", *DRIFTS)
SCHEMA_F1 = "schema_f1"
"""The measure of how far the action schemas' literals are those of the reference (see compare/literal_lists.py)."""
SECONDS = 10.0
"""For one comparison. What is not decided by then is not known, and is no wrong answer."""


def judged(task: Task, answer: Answer) -> Score:
    """The score of an answer that came: of its last candidate's PDDL, if there is some, else of its plan."""
    last = answer.steps[-1] if answer.steps else None
    if last is not None and (last.problem.strip() or last.domain.strip()):
        return _judged_pddl(task, last)
    if last is not None and last.plan is not None:
        return _judged_plan(task, "\n".join(last.plan), given=True)
    return _judged_plan(task, answer.text)


def vocabulary(task: Task) -> Vocabulary:
    """The words in which a plan for the task's reference may be written."""
    names = {own: told for own, told in task.gold.get("names", {}).items() if own != told}
    return Vocabulary(reference(task), task.gold.get("actions", {}), task.gold.get("phrases", {}), names)


def reference(task: Task) -> ast.Task:
    """The reference task. Raises PddlError where the set's own PDDL is refused."""
    return _read(task.gold["domain"], task.gold["problem"])


@lru_cache(maxsize=8)
def _read(domain: str, problem: str) -> ast.Task:
    return task_from_text(domain, problem)


def _judged_plan(task: Task, text: str, *, given: bool = False) -> Score:
    words = vocabulary(task)
    plan = read_steps(text, words)
    if plan is None and not given:
        return unread(MARKS, "plan: no line names an action of the task and its objects")
    verdict = validate_plan(words.task, plan or ())
    marks = {**dict.fromkeys(MARKS), "plan_valid": verdict.is_valid}
    if verdict.is_valid:
        return Score(True, CORRECT, marks)
    where = "the plan runs to its end, but" if verdict.step is None else f"step {verdict.step}:"
    return Score(False, WRONG, marks, f"{where} {verdict.reasons[0]}")


def _judged_pddl(task: Task, step: Step) -> Score:
    try:
        written = task_from_text(step.domain if step.domain.strip() else task.domain, step.problem)
    except PddlError as error:
        marks = {**dict.fromkeys(MARKS), **dict.fromkeys(PDDL_MARKS, False)}
        return Score(False, WRONG, marks, f"the PDDL is refused: {str(error).splitlines()[0]}")
    found = compare_tasks(reference(task), written, maps=Maps(_given_names(task, written)), seconds=SECONDS)
    faithful = {Equivalence.PROVED: True, Equivalence.REFUTED: False, Equivalence.UNREFUTED: None}[found.verdict]
    solved, doubt = _solved(written, step)
    marks = {
        **dict.fromkeys(MARKS),
        "solved": solved,
        "faithful": faithful,
        "goal_preserved": None if found.goal == "unknown" else found.goal == "same",
    }
    if faithful is False:
        marks |= {drift.value: drift is found.category for drift in Drift}
    score = _sum_up(marks, doubt, found)
    return score if found.schema_f1 is None else replace(score, measures={SCHEMA_F1: found.schema_f1})


def _sum_up(marks: dict[str, bool | None], doubt: str, found: Comparison) -> Score:
    solved, faithful = marks["solved"], marks["faithful"]
    if solved is None:
        return Score(None, TOOL, marks, doubt)
    if not solved:
        return Score(False, WRONG, marks, doubt)
    if faithful is None:
        return Score(None, TOOL, marks, f"faithful or not is not decided: {found.reason}")
    if not faithful:
        f1 = "" if found.schema_f1 is None else f" (schema F1 {found.schema_f1:.2f})"
        kind = "another task" if found.category is None else found.category.value
        return Score(False, WRONG, marks, f"{kind}: {found.reason}{f1}")
    return Score(True, CORRECT, marks)


def _solved(written: ast.Task, step: Step) -> tuple[bool | None, str]:
    """Whether the candidate's plan is valid in its own PDDL, and what is against it; None where two judges disagree."""
    if step.plan is None:
        return False, f"no plan was found{': ' + step.diagnostic if step.diagnostic else ''}"
    try:
        verdict = validate_text(written, Source("\n".join(map(_bracketed, step.plan)), "plan"))
    except GroundplanError as error:
        return None, f"the plan could not be checked: {error}"
    if verdict.is_valid:
        return True, ""
    reason = verdict.reasons[0] if verdict.reasons else "it is not valid"
    where = "cannot be read" if verdict.verdict is VerdictKind.UNREADABLE else "is not valid in the answer's PDDL"
    if step.solved:
        return None, f"the solver gives a plan that {where}, two judges disagree: {reason}"
    return False, f"the plan {where}: {reason}"


def _bracketed(step: str) -> str:
    plain = step.strip()
    return plain if plain.startswith("(") else f"({plain})"


def _given_names(task: Task, written: ast.Task) -> dict[str, str]:
    """Objects written with the names of the reference's file, which no text tells, to those of the text."""
    present = {item.name for item in written.objects}
    return {
        own: told
        for own, told in task.gold.get("names", {}).items()
        if own != told and own in present and told not in present
    }
