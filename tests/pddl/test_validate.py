"""Verdicts: against a brute-force reading of the semantics, on mutated plans, field cases and reference plans."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from brute_force import BruteForce
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import tasks

from groundplan.errors import InputError
from groundplan.pddl import Source, read_source, read_task, task_from_text
from groundplan.pddl.ast import And, Atom, Not, Step, Task
from groundplan.pddl.plan import write_plan
from groundplan.pddl.simulate import Simulator
from groundplan.pddl.validate import Verdict, VerdictKind, _judge, validate_plan, validate_text
from validate_speed import blocks, delivery

VALID, INVALID, UNREADABLE = VerdictKind.VALID, VerdictKind.INVALID, VerdictKind.UNREADABLE


def judge(task: Task, text: str) -> Verdict:
    return validate_text(task, Source(text, "plan.txt"))


# --- against the brute force ------------------------------------------------------------------------------------------


@st.composite
def solved(draw: Any) -> tuple[Task, tuple[Step, ...]]:
    """A random task with a random applicable plan, and a goal that the plan reaches."""
    task = draw(tasks())
    brute = BruteForce(task)
    facts, plan = brute.initial, []
    for _ in range(draw(st.integers(0, 12))):
        action = draw(st.sampled_from(task.domain.actions))
        bindings = list(brute.bindings(action.parameters))
        step = (
            Step(action.name, tuple(draw(st.sampled_from(bindings)).values()))
            if bindings
            else Step(action.name, ("?",))
        )
        after = brute.apply(facts, step)
        if after is not None:
            plan.append(step)
            facts = after[0]
    shown = draw(st.lists(st.sampled_from(sorted(facts)), max_size=3)) if facts else []
    gone = [fact for fact in sorted(brute.initial - facts)[:1] if draw(st.booleans())]
    goal = And((*(Atom(fact[0], fact[1:]) for fact in shown), *(Not(Atom(fact[0], fact[1:])) for fact in gone)))
    return Task(task.domain, replace(task.problem, goal=goal)), tuple(plan)


def mutated(draw: Any, task: Task, plan: tuple[Step, ...]) -> tuple[Step, ...]:
    """The plan with a step dropped, repeated, swapped with another one, or changed."""
    place, other = draw(st.integers(0, len(plan) - 1)), draw(st.integers(0, len(plan) - 1))
    kind = draw(st.sampled_from(["drop", "repeat", "swap", "object", "action", "arity"]))
    steps = list(plan)
    step = steps[place]
    if kind == "drop":
        del steps[place]
    elif kind == "repeat":
        steps.insert(other, step)
    elif kind == "swap":
        steps[place], steps[other] = steps[other], steps[place]
    elif kind == "action":
        names = [action.name for action in task.domain.actions]
        steps[place] = Step(draw(st.sampled_from([*names, "fly"])), step.args)
    elif kind == "arity":
        steps[place] = Step(step.action, step.args[:-1] if draw(st.booleans()) else (*step.args, task.objects[0].name))
    elif step.args:
        names = [item.name for item in task.objects]
        position = draw(st.integers(0, len(step.args) - 1))
        changed = draw(st.sampled_from([*names, "nobody"]))
        steps[place] = Step(step.action, (*step.args[:position], changed, *step.args[position + 1 :]))
    return tuple(steps)


def agrees(task: Task, plan: tuple[Step, ...]) -> Verdict:
    """The verdict, after all ways to it gave the same and the brute force agreed."""
    found = validate_plan(task, plan)
    kind, step, cost = BruteForce(task).judge(plan)
    assert (found.verdict.value, found.step) == (kind, step)
    assert found.cost == (None if cost is None else pytest.approx(cost))
    assert bool(found.reasons) == (found.verdict is INVALID)
    assert _judge(Simulator(task, split=False), [(step.action, *step.args) for step in plan], None) == found
    from_text = judge(task, write_plan(plan))
    assert (from_text.verdict, from_text.step, from_text.reasons) == (found.verdict, found.step, found.reasons)
    return found


@given(solved())
def test_valid_plans_are_valid(pair: tuple[Task, tuple[Step, ...]]) -> None:
    found = agrees(*pair)
    assert found.is_valid
    assert found.measure == ("total-cost" if pair[0].minimizes_cost else "steps")


@given(solved(), st.data())
def test_mutated_plans_get_the_verdict_of_the_plain_semantics(pair: Any, data: st.DataObject) -> None:
    task, plan = pair
    assume(plan)
    agrees(task, mutated(data.draw, task, plan))


@given(tasks(), st.data())
def test_any_plan_for_any_goal(task: Task, data: st.DataObject) -> None:
    names = [item.name for item in task.objects]
    steps = st.builds(
        Step,
        st.sampled_from([action.name for action in task.domain.actions]),
        st.lists(st.sampled_from(names), max_size=3).map(tuple),
    )
    agrees(task, tuple(data.draw(st.lists(steps, max_size=4))))


# --- what verdicts say ------------------------------------------------------------------------------------------------

HARBOUR = """(define (domain harbour) (:requirements :adl :action-costs)
  (:types boat lorry - object box - object)
  (:predicates (on ?b - box ?v - (either boat lorry)) (ready ?v - (either boat lorry)) (quay ?b - box)
    (sealed ?b - box))
  (:functions (total-cost) - number)
  (:action load :parameters (?b - box ?v - (either boat lorry))
    :precondition (and (quay ?b) (ready ?v) (not (sealed ?b)))
    :effect (and (on ?b ?v) (not (quay ?b)) (increase (total-cost) 2)))
  (:action seal :parameters (?b - box) :effect (and (sealed ?b) (increase (total-cost) 1))))
"""
TWO_BOXES = """(define (problem two) (:domain harbour) (:objects ship - boat van - lorry box1 box2 - box)
  (:init (quay box1) (quay box2) (ready ship) (= (total-cost) 0))
  (:goal (and (on box1 ship) (forall (?b - box) (not (quay ?b)))))
  (:metric minimize (total-cost)))
"""


@pytest.fixture(scope="module")
def harbour() -> Task:
    return task_from_text(HARBOUR, TWO_BOXES)


@pytest.mark.parametrize(
    ("text", "step", "reasons"),
    [
        ("(load box1)", 1, ["`load` takes 2 arguments, got 1; write (load ?b ?v)"]),
        ("(seal box1 box2 ship2)", 1, [
            "`seal` takes 1 argument, got 3; write (seal ?b)",
            "`ship2` is no object of this problem; did you mean `ship`?",
        ]),
        ("(load box1 ship)\n(lod box2 ship)", 2, ["`lod` is no action of this domain; did you mean `load`?"]),
        ("(zzz)", 1, ["`zzz` is no action of this domain; its actions are `load`, `seal`"]),
        ("(load bax1 ship)", 1, ["`bax1` is no object of this problem; did you mean `box1`?"]),
        ("(load qqq ww)", 1, [
            "`qqq` is no object of this problem; objects that fit here: `box1`, `box2`",
            "`ww` is no object of this problem; objects that fit here: `ship`, `van`",
        ]),
        ("(load box1 box2)", 1, ["`box2` is a box, `?v` wants boat or lorry", "needs (ready box2)"]),
        ("(load ship box1)", 1, [
            "`ship` is a boat, `?b` wants box",
            "`box1` is a box, `?v` wants boat or lorry",
            "needs (quay ship)",
            "needs (ready box1)",
        ]),
        ("(seal box1)\n(load box1 van)", 2, ["needs (ready van)", "(sealed box1) must be false"]),
        ("(load box1 ship)", None, ["goal not reached: (quay box2) must be false"]),
        ("", None, [
            "goal not reached: needs (on box1 ship)",
            "goal not reached: (quay box1) must be false",
            "goal not reached: (quay box2) must be false",
        ]),
    ],
)  # fmt: skip
def test_all_causes_at_once_with_their_objects(harbour: Task, text: str, step: int | None, reasons: list[str]) -> None:
    found = judge(harbour, text)
    assert (found.verdict, found.step, list(found.reasons)) == (INVALID, step, reasons)
    assert found.cost is None
    assert [f"{item.message}; {item.hint}" if item.hint else item.message for item in found.diagnostics] == reasons
    for item in found.diagnostics:
        assert item.is_error
        assert (item.source.name, item.line) == (("plan.txt", step) if step else ("problem", 3))


def test_a_valid_plan_has_its_cost_and_json_keys(harbour: Task) -> None:
    found = judge(harbour, "(load box1 ship)\n(load box2 ship)\n(seal box2)\n; cost = 5")
    assert found == Verdict(VALID, None, (), 5.0, "total-cost")
    assert found.as_json() == {
        "verdict": "valid", "step": None, "reasons": [], "cost": 5.0, "measure": "total-cost", "diagnostics": [],
    }  # fmt: skip
    json.dumps(judge(harbour, "(load)").as_json())


def test_a_claimed_cost_that_is_wrong_is_a_warning(harbour: Task) -> None:
    found = judge(harbour, "(load box1 ship)\n(load box2 ship)\n; cost = 9")
    assert found.is_valid
    assert [item.code for item in found.diagnostics] == ["plan-cost-differs"]
    assert "costs 9, it costs 4" in found.diagnostics[0].message
    assert judge(harbour, "(load box1 ship)\n(load box2 ship)\n; cost = 2 (unit cost)").diagnostics == ()


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("", None),
        ("(load box1 ship)\n", None),
        ("(load box1 ship)\n(load box2 ship)\n", "steps 1 to 2 alone already reach the goal"),
        ("(load box1 ship)\n(load box2 ship)\n(seal box1)\n", "steps 1 to 2 alone already reach the goal"),
    ],
)
def test_a_beginning_that_reaches_the_goal_is_worth_saying(harbour: Task, before: str, sentence: str | None) -> None:
    found = judge(harbour, before + "(reach-goal)\n")
    assert (found.verdict, found.step) == (INVALID, before.count("\n") + 1)
    assert list(found.reasons[1:]) == ([sentence] if sentence else [])


def test_a_goal_that_is_left_again_is_worth_saying() -> None:
    lamp = """(define (domain lamp) (:predicates (lit))
      (:action flip :parameters () :effect (and (when (lit) (not (lit))) (when (not (lit)) (lit)))))"""
    task = task_from_text(lamp, "(define (problem p) (:domain lamp) (:init) (:goal (lit)))")
    assert judge(task, "(flip) (flip)").reasons == (
        "goal not reached: needs (lit)",
        "step 1 alone already reaches the goal",
    )
    assert judge(task, "(flip) (flip) (flip)").is_valid
    done = task_from_text(lamp, "(define (problem p) (:domain lamp) (:init (lit)) (:goal (lit)))")
    assert judge(done, "").is_valid
    assert judge(done, "(flip)").reasons[-1] == "the goal already holds at the start, without any step"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("load box1 ship\nload box2 ship", VALID),
        ("LOAD BOX1 SHIP\nLOAD BOX2 SHIP", VALID),
        ("lode box1 ship", INVALID),
        ("load box1", INVALID),
        ("reach box1 ship", INVALID),
        ("First load the boxes", UNREADABLE),
        ("load box1 ship\nthen load the other one", UNREADABLE),
        ("Done", UNREADABLE),
        ("There is no plan", UNREADABLE),
        ("Sorry, I cannot help with that.", UNREADABLE),
        ("(load box1 ship)\n(load box2 ship)\nDone.", UNREADABLE),
        ("(load box1 ship)\n(load box2 ship", UNREADABLE),
        ("ff: parsing domain file\ndomain 'HARBOUR' defined\n", UNREADABLE),
    ],
)
def test_what_is_no_plan_is_unreadable_never_a_goal_not_reached(harbour: Task, text: str, verdict: VerdictKind) -> None:
    found = judge(harbour, text)
    assert found.verdict is verdict
    if verdict is UNREADABLE:
        assert (found.step, found.cost) == (None, None)
        assert found.reasons[0].startswith("line ")
        assert any(item.is_error for item in found.diagnostics)


def test_names_are_not_concatenated_and_arguments_not_merged() -> None:
    domain = """(define (domain d) (:predicates (p ?a ?b) (g))
      (:action do :parameters (?a ?b) :precondition (p ?a ?b) :effect (g)))"""
    problem = "(define (problem q) (:domain d) (:objects a-b c a b-c a-b-c) (:init (p a-b c)) (:goal (g)))"
    task = task_from_text(domain, problem)
    assert judge(task, "(do a-b c)").is_valid
    assert judge(task, "(do a b-c)").reasons == ("needs (p a b-c)",)
    assert judge(task, "(do-a b-c)").verdict is INVALID
    assert judge(task, "(do a-b-c)").reasons[0].startswith("`do` takes 2 arguments, got 1")


def test_nothing_is_judged_where_a_feature_is_beyond_the_semantics() -> None:
    domain = """(define (domain tank) (:requirements :numeric-fluents)
      (:predicates (full)) (:functions (level))
      (:action fill :parameters () :effect (full))
      (:action drain :parameters ()
        :precondition (>= (level) 2) :effect (not (full))))"""
    task = task_from_text(domain, "(define (problem p) (:domain tank) (:init (= (level) 3)) (:goal (full)))")
    for verdict in (
        lambda: judge(task, "(fill)"),
        lambda: validate_plan(task, [Step("fill")]),
        lambda: judge(task, "?"),
    ):
        with pytest.raises(InputError, match=r"domain:5:23: unsupported feature: numeric condition"):
            verdict()


# --- long plans, reference plans, field cases -------------------------------------------------------------------------


@pytest.mark.parametrize("make", [blocks, delivery])
def test_long_plans_and_their_mutations(make: Any) -> None:
    domain, problem, plan = make(2000)
    task = task_from_text(domain, problem)
    assert judge(task, plan).is_valid
    lines = plan.splitlines()
    for number in (1, 700, len(lines)):
        broken = [*lines[: number - 1], "(no-such-action b1)", *lines[number:]]
        assert judge(task, "\n".join(broken)).step == number
    assert judge(task, "\n".join(lines[:-1])).verdict is INVALID


@pytest.mark.parametrize("name", ["blocksworld", "mystery_blocksworld", "logistics", "gripper"])
def test_reference_plans_of_planbench_are_valid(data_dir: Path, name: str) -> None:
    folder = data_dir / "planbench" / name
    if not folder.is_dir():
        pytest.skip("this data set is not here")
    listed = json.loads((folder / "tasks.json").read_text())["tasks"]
    domain = (folder / "domain.pddl").read_text()
    assert len(listed) == 100
    for item in listed:
        problem = next(folder.rglob(Path(item["problem_file"]).name)).read_text()
        plan = item["reference_plan"]
        text = plan if isinstance(plan, str) else "\n".join(plan)
        found = judge(task_from_text(domain, problem), text)
        assert found.is_valid, (item["instance_id"], found.reasons)
        shorter = "\n".join(text.strip().splitlines()[:-1])
        assert judge(task_from_text(domain, problem), shorter).verdict is INVALID


CASES: list[tuple[str, str, str, VerdictKind, int | None, float | None, str]] = [
    ("action-not-in-domain", "problem", "plan_extra", INVALID, 2, None, "step 1 alone already reaches the goal"),
    ("action-not-in-domain", "problem", "plan_arity", INVALID, 1, None, "takes 1 argument, got 2"),
    ("action-not-in-domain", "problem", "plan_object", INVALID, 1, None, "`b3` is no object"),
    ("action-not-in-domain", "problem", "plan_near_miss", INVALID, 1, None, "did you mean `close`?"),
    ("action-not-in-domain", "problem", "plan_precondition", INVALID, 1, None, "needs (opened b1)"),
    *(
        ("plan-file-dialects", "problem", f"plan_{name}", VALID, None, 4.0, "")
        for name in (
            "a_ipc", "b_upper", "c_timed", "d_inline_comment", "e_numbered", "f_ff", "g_cost_line", "h_bare",
        )
    ),
    ("add-and-delete-same-atom", "problem", "plan", VALID, None, 3.0, ""),
    ("nested-when", "problem", "plan", VALID, None, 1.0, ""),
    ("either", "problem", "plan", VALID, None, 2.0, ""),
    ("either", "problem", "plan_bad", INVALID, 2, None, "`c1` is a crate, `?v` wants ship or truck"),
    ("goal-already-true", "problem", "plan_empty", VALID, None, 0.0, ""),
    ("goal-already-true", "problem", "plan_comment_only", VALID, None, 0.0, ""),
    ("goal-already-true", "problem", "plan_detour", VALID, None, 1.0, ""),
    ("comment-with-parens", "problem", "plan", VALID, None, 2.0, ""),
    ("bom-crlf-tabs", "problem", "plan", VALID, None, 2.0, ""),
    ("empty-and-missing-parts", "problem", "plan", VALID, None, 5.0, ""),
    ("constants-in-problem", "problem", "plan", VALID, None, 1.0, ""),
    ("cost-without-functions", "problem", "plan", VALID, None, 0.0, ""),
]  # fmt: skip


@pytest.mark.parametrize(("case", "problem", "plan", "verdict", "step", "cost", "reason"), CASES)
def test_field_cases(
    shared_dir: Path,
    case: str,
    problem: str,
    plan: str,
    verdict: VerdictKind,
    step: int | None,
    cost: float | None,
    reason: str,
) -> None:
    folder = shared_dir / "cases" / case
    task = read_task(folder / "domain.pddl", folder / f"{problem}.pddl")
    found = validate_text(task, read_source(folder / f"{plan}.txt"))
    assert (found.verdict, found.step, found.cost) == (verdict, step, cost)
    assert not reason or any(reason in text for text in found.reasons)


@pytest.mark.parametrize(
    ("problem", "plan", "cost", "measure"),
    [
        ("problem", "(slow1)\n(slow2)", 2.0, "total-cost"),
        ("problem", "(quick)", 10.0, "total-cost"),
        ("problem_no_metric", "(quick)", 1.0, "steps"),
        ("problem_no_metric", "(slow1)\n(slow2)", 2.0, "steps"),
    ],
)
def test_the_measure_is_said(shared_dir: Path, problem: str, plan: str, cost: float, measure: str) -> None:
    folder = shared_dir / "cases" / "costs-without-metric"
    found = judge(read_task(folder / "domain.pddl", folder / f"{problem}.pddl"), plan)
    assert (found.verdict, found.cost, found.measure) == (VALID, cost, measure)


@pytest.mark.parametrize(
    ("domain", "problem", "place"),
    [
        ("domain_numeric", "problem_numeric", "domain_numeric.pddl:8:"),
        ("domain_durative", "problem_durative", "domain_durative.pddl:4:"),
        ("domain_durative", "problem_durative_til", "problem_durative_til.pddl:1:"),
    ],
)
def test_tasks_beyond_classical_are_refused(shared_dir: Path, domain: str, problem: str, place: str) -> None:
    folder = shared_dir / "cases" / "beyond-classical"
    task = read_task(folder / f"{domain}.pddl", folder / f"{problem}.pddl")
    with pytest.raises(InputError) as caught:
        validate_plan(task, [])
    assert place in str(caught.value)
