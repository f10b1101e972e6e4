"""The plan in the report: what the page says is what the simulator says."""

from __future__ import annotations

import re
import time
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import (
    DOMAIN,
    PLAN,
    PROBLEM,
    Page,
    Text,
    example,
    finding,
    plan_data,
    result_of,
)

from groundplan.formalize.report import render_report
from groundplan.formalize.specification import Result, Round, Specification, Verification
from groundplan.pddl.ast import Plan, Step, conjuncts
from groundplan.pddl.read import task_from_text
from groundplan.pddl.simulate import Simulator

DERIVED = """(define (domain reach) (:requirements :strips :derived-predicates :action-costs)
  (:predicates (edge ?a ?b) (at ?x) (path ?a ?b) (blocked ?x) (done))
  (:functions (total-cost) (length ?a ?b))
  (:derived (path ?a ?b) (and (edge ?a ?b) (not (blocked ?b))))
  (:derived (path ?a ?b) (exists (?c) (and (path ?a ?c) (edge ?c ?b) (not (blocked ?b)))))
  (:action move :parameters (?a ?b) :precondition (and (at ?a) (edge ?a ?b) (not (blocked ?b)))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b))))
  (:action toggle :parameters (?x) :precondition (not (at ?x))
    :effect (and (when (blocked ?x) (not (blocked ?x))) (when (not (blocked ?x)) (blocked ?x)))))
"""
REACH = """(define (problem p) (:domain reach) (:objects a b c d)
  (:init (at a) (edge a b) (edge b c) (edge c d) (edge d a) (blocked c) (= (total-cost) 0)
    (= (length a b) 2) (= (length b c) 3) (= (length c d) 1) (= (length d a) 5))
  (:goal (and (path a d) (not (blocked c)) (forall (?x) (or (blocked ?x) (path a ?x))) (at d)))
  (:metric minimize (total-cost)))
"""


@st.composite
def walks(draw: st.DrawFn) -> tuple[str, str, Plan]:
    """A task with a random applicable plan."""
    domain, problem = draw(st.sampled_from([(DOMAIN, PROBLEM), (DERIVED, REACH)]))
    task = task_from_text(domain, problem)
    simulator, plan = Simulator(task), []
    state = simulator.initial
    names = [item.name for item in task.objects]
    steps = [
        Step(action.name, args)
        for action in task.domain.actions
        for args in ([(a, b) for a in names for b in names] if len(action.parameters) == 2 else [(a,) for a in names])
    ]
    for choice in draw(st.lists(st.integers(0, 99), max_size=12)):
        possible = [step for step in steps if not simulator.applicable(state, step)]
        plan.append(possible[choice % len(possible)])
        state = simulator.apply(state, plan[-1])
    return domain, problem, tuple(plan)


@given(walks())
@settings(max_examples=40)
def test_the_page_agrees_with_the_simulator(case: tuple[str, str, Plan]) -> None:
    domain, problem, plan = case
    task = task_from_text(domain, problem)
    simulator = Simulator(task)
    states = simulator.states(plan)
    html = render_report(result_of(domain, problem, plan))
    assert ("Valid by our own simulator" in html) == simulator.is_goal(states[-1])
    assert ("Not valid by our own simulator" in html) != simulator.is_goal(states[-1])
    if not plan:
        return
    data = plan_data(html)
    parts = [
        Simulator(replace(task, problem=replace(task.problem, goal=part))) for part in conjuncts(task.problem.goal)
    ]
    held = set(data["start"])
    for number, state in enumerate(states):
        if number:
            step = data["steps"][number - 1]
            assert step[0] == str(plan[number - 1])
            assert held.isdisjoint(step[1])
            assert held >= set(step[2])
            held = (held | set(step[1])) - set(step[2])
            assert step[3:] == ([state.cost] if task.minimizes_cost else [])
        facts = {str(atom) for atom in state.atoms | simulator.derived(state) if atom.predicate not in ("edge", "door")}
        assert {data["facts"][fact] for fact in held} == facts
        holds = [sum(flip <= number for flip in flips) % 2 == 1 for flips in data["goals"]]
        assert holds == [part.is_goal(state) for part in parts]
        if number:
            row = html[html.index(f'<li id="step-{number}">') :].split("</li>")[0]
            assert f"goal {sum(holds)}/{len(parts)}" in row
            assert re.findall("<ins>(.*?)</ins>", row.split("<details")[0]) == [data["facts"][item] for item in step[1]]
            assert re.findall("<del>(.*?)</del>", row) == [data["facts"][item] for item in step[2]]
            assert set(re.findall(r"\([^()]*\)", Text(row.split("<code>")[-1].split("</code>")[0]).text)) == facts


def test_an_invalid_plan_is_shown_up_to_the_step_at_fault() -> None:
    html = render_report(result_of(plan=(*PLAN[:2], Step("move", ("hall", "attic")), *PLAN[2:])))
    text = Text(html).text
    assert "Not valid by our own simulator at step 3" in text
    assert "Step 3, (move hall attic), is not applicable" in text
    assert "Valid by our own simulator:" not in text
    assert 'id="step-2"' in html
    assert 'id="step-3"' not in html


def test_a_plan_without_steps_and_a_result_without_a_plan() -> None:
    done = result_of(problem=PROBLEM.split("(:goal")[0] + "(:goal (at hall)))", plan=())
    assert "the goal holds at the start, without a step" in render_report(done)
    assert "No signal was raised" in render_report(done)
    refused = Text(render_report(replace(done, rounds=example().rounds[:1]))).text
    assert "There is no plan to show: the PDDL is refused" in refused
    assert "No signal was looked for" in refused


def test_when_each_part_of_the_goal_holds() -> None:
    text = Text(render_report(result_of())).text
    assert "(at hall) holds at the start, from step 3 to the end" in text
    assert "(seen kitchen) holds from step 1 to the end" in text
    assert "(not (lit kitchen)) holds from step 2 to the end" in text
    assert "holds at the start, after step 2, from step 4 to the end" in text


def huge(steps: int = 2000, rooms: int = 500) -> Result:
    """A round trip through many rooms with a forest of static facts."""
    names = [f"room-number-{number}" for number in range(rooms)]
    doors = [(names[a], names[(a + gap) % rooms]) for a in range(rooms) for gap in (1, 7, 31, 77)]
    facts = " ".join(["(at room-number-0)", *(f"(lit {name})" for name in names)])
    lines = "\n".join(f"    (door {a} {b})" for a, b in doors)
    problem = (
        f"(define (problem huge) (:domain rooms)\n  (:objects {' '.join(names)} - room)\n  (:init {facts}\n{lines})\n"
        f"  (:goal (and {' '.join(f'(seen {name})' for name in names)})))"
    )
    plan = tuple(Step("move", (names[i % rooms], names[(i + 1) % rooms])) for i in range(steps))
    result = result_of(DOMAIN, problem, plan)
    broken = problem.replace("(door room-number-400 room-number-431)", "(dor room-number-400 room-number-431)")
    refused = Verification(
        False, (finding(broken, "(dor room-number-400 room-number-431)", "problem"),), reason="refused"
    )
    return replace(result, rounds=(Round("actor", Specification(DOMAIN, broken), refused), *result.rounds))


def test_a_huge_run_stays_small_and_fast() -> None:
    result = huge()
    start = time.process_time()
    html = render_report(result)
    assert time.process_time() - start < 4.0  # a second or less on an idle machine
    assert len(html.encode()) < 2_000_000
    Page(html)
    text = Text(html).text
    assert "lines left out" in text
    assert "bad (dor room-number-400 room-number-431)" in text
    assert len(plan_data(html)["steps"]) == 2000
    longer = render_report(huge(6000))
    assert len(longer.encode()) < 2_000_000
    assert re.search(r"The list stops here: [3-5],\d{3} more steps left out", Text(longer).text)
    assert "Valid by our own simulator: 6,000 steps" in Text(longer).text
