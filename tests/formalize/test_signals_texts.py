"""Signals on texts with their tasks: silent on the faithful ones, and found again on broken ones."""

from __future__ import annotations

import random

import pytest

from groundplan.formalize.signals import signals
from groundplan.pddl import task_from_text
from groundplan.pddl.ast import Task
from signal_rates import BREAKS, drop_goal_atom, drop_object, empty_goal, goal_from_init, goal_into_init, halve_objects
from signal_texts import BLOCKS, CARRY, FERRY, HANOI, LAMPS, POST, WRITTEN, Written


def task_of(written: Written) -> Task:
    return task_from_text(written.domain, written.problem)


def named(name: str) -> Written:
    return next(written for written in WRITTEN if written.name == name)


def names(text: str, domain: str, problem: str) -> dict[str, str]:
    """The signals of a task, worst severity first, as name -> message."""
    return {s.name: s.message for s in signals(text, task_from_text(domain, problem)) if s.severity != "info"}


def problem(objects: str, init: str, goal: str) -> str:
    return f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))"


@pytest.mark.parametrize("written", WRITTEN, ids=lambda written: written.name)
def test_faithful_tasks_have_no_warning(written: Written) -> None:
    assert [s for s in signals(written.text, task_of(written)) if s.severity != "info"] == []


@pytest.mark.parametrize("kind", BREAKS, ids=lambda kind: kind.__name__)
def test_the_breaks_change_the_task(kind) -> None:  # type: ignore[no-untyped-def]
    for number, written in enumerate(WRITTEN):
        broken = kind(task_of(written), random.Random(number))
        assert broken is None or broken != task_of(written)


FLOORS = {empty_goal: 1.0, goal_from_init: 1.0, goal_into_init: 1.0, halve_objects: 0.97}
FLOORS |= {drop_object: 0.85, drop_goal_atom: 0.65}


@pytest.mark.parametrize("kind", FLOORS, ids=lambda kind: kind.__name__)
def test_most_broken_tasks_are_found(kind) -> None:  # type: ignore[no-untyped-def]
    found = []
    for number, written in enumerate(WRITTEN):
        broken = kind(task_of(written), random.Random(number))
        if broken is not None:
            found.append(any(s.severity != "info" for s in signals(written.text, broken)))
    assert sum(found) >= FLOORS[kind] * len(found)


# --- goals that ask for nothing ---------------------------------------------------------------------------------------

LAMP_OBJECTS = "lamp1 lamp2 lamp3 - lamp"
LAMP_INIT = "(lit lamp1) (lit lamp2) (dark lamp3)"
LAMP_TEXT = "Lamps 1 and 2 are lit, lamp 3 is dark. Switch lamp 3 on."


@pytest.mark.parametrize(
    "goal",
    [
        "(and)",
        "(and (and) (and))",
        "(forall (?l - lamp) (and))",
        "(= lamp1 lamp1)",
        "(or (lit lamp1) (not (lit lamp1)))",
        "(imply (dark lamp1) (dark lamp1))",
        "(not (= lamp1 lamp2))",
        "(not (or))",
    ],
)
def test_goals_that_are_always_true_are_errors(goal: str) -> None:
    domain = LAMPS.replace(":strips", ":adl")
    found = signals(LAMP_TEXT, task_from_text(domain, problem(LAMP_OBJECTS, LAMP_INIT, goal)))
    assert [(s.name, s.severity) for s in found if s.severity == "error"] == [("empty-goal", "error")]


@pytest.mark.parametrize(
    "goal",
    [
        "(lit lamp1)",
        "(and (lit lamp1) (not (lit lamp3)))",
        "(exists (?l - lamp) (dark ?l))",
        "(or (lit lamp3) (lit lamp2))",
        "(forall (?l - lamp) (or (lit ?l) (dark ?l)))",
        "(imply (lit lamp3) (dark lamp3))",
    ],
)
def test_goals_that_hold_at_the_start_are_errors_where_work_is_asked_for(goal: str) -> None:
    task = task_from_text(LAMPS.replace(":strips", ":adl"), problem(LAMP_OBJECTS, LAMP_INIT, goal))
    assert ("goal-already-true", "error") in {(s.name, s.severity) for s in signals(LAMP_TEXT, task)}
    assert [(s.name, s.severity) for s in signals("", task)] == [("goal-already-true", "warning")]


def test_a_text_that_asks_for_what_is_gets_a_warning_only() -> None:
    task = task_from_text(LAMPS, problem(LAMP_OBJECTS, LAMP_INIT, "(and (lit lamp1) (dark lamp3))"))
    text = "Lamp 1 is lit. Lamp 2 is lit. Lamp 3 is dark. Your goal is to have the following:\nLamp 1 should be lit.\n"
    found = signals(text + "Lamp 3 should be dark.", task)
    assert [(s.name, s.severity) for s in found] == [("goal-already-true", "warning")]


# --- entities ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("Balls 1 to 4", "ball1 ball2 ball3"),
        ("Balls 1-4", "b1 b2 b3"),
        ("Balls one, two, three and four", "b_1 b_2 b_3"),
        ("ball 1, ball 2, ball 3 and ball 4", "ball-one ball-two ball-three"),
        ("ball1, ball2, ball3 and ball4", "ball1 ball2 ball3"),
        ("Balls ball_1 through ball_4", "ball-1 ball-2 ball-3"),
        ("Balls 1, 2, 3 and 4", "ball0 ball1 ball2"),
        ("Balls A, B, C and D", "a b c"),
        ("Balls A to D", "ball-a ball-b ball-c"),
        ("The red ball, the blue ball, the green ball and the white ball", "red blue green"),
        ("A red, a blue, a green and a white ball", "ball-red ball-blue ball-green"),
        ("The red ball, the blue ball, the green one and the white one", "red_ball blue_ball green_ball"),
        ("The first ball, the second ball, the third ball and the fourth ball", "b1 b2 b3"),
        ("Four balls named pluto, goofy, mickey and donald", "pluto goofy mickey"),
    ],
)
def test_a_thing_without_an_object_is_found(text: str, objects: str) -> None:
    domain = CARRY.replace("thing", "ball")
    init = " ".join(f"(ball-in {name} kitchen)" for name in objects.split())
    first = objects.split()[0]
    parts = f"kitchen garden - room {objects} - ball arm1 - arm", f"(robot-in kitchen) (free arm1) {init}"
    found = names(f"{text} are in the kitchen.", domain, problem(*parts, f"(ball-in {first} garden)"))
    assert "entity-coverage" in found
    complete = f"{objects} extra - ball".replace("extra", _fourth(objects))
    whole = names(
        f"{text} are in the kitchen.", domain, problem(parts[0].replace(f"{objects} - ball", complete), *_rest(objects))
    )
    assert "entity-coverage" not in whole


def _fourth(objects: str) -> str:
    """The name that continues three names."""
    fourth = {"3": "4", "2": "3", "three": "four", "c": "d", "green": "white", "mickey": "donald"}
    last = objects.split()[-1]
    old = next(end for end in ("three", "green", "mickey", "3", "2", "c") if end in last)
    return last.replace(old, fourth[old])


def _rest(objects: str) -> tuple[str, str]:
    balls = [*objects.split(), _fourth(objects)]
    init = " ".join(f"(ball-in {name} kitchen)" for name in balls)
    return f"(robot-in kitchen) (free arm1) {init}", f"(ball-in {balls[0]} garden)"


def test_abstract_names_are_left_alone() -> None:
    text = "The red block is on the blue block, the blue block is on the table. Put the blue block on the red block."
    init = "(on x7 x9) (on-table x9) (clear x7) (arm-empty)"
    assert names(text, BLOCKS, problem("x7 x9", init, "(on x9 x7)")) == {}


def test_examples_in_a_text_need_no_objects() -> None:
    text = "Switch lamps. For example, switch on lamp 17 before lamp 18.\nLamps 1 and 2 are dark. Light both lamps."
    assert (
        names(text, LAMPS, problem("lamp1 lamp2 - lamp", "(dark lamp1) (dark lamp2)", "(and (lit lamp1) (lit lamp2))"))
        == {}
    )


def test_an_invented_object_is_told() -> None:
    text = (
        "Car 1, car 2 and car 3 are on the west shore, the ferry is on the east shore. Bring car 1 to the east shore."
    )
    parts = "c1 c2 c3 c9 - car west east - shore", "(car-at c1 west) (car-at c2 west) (car-at c3 west) (ferry-at east)"
    found = signals(text, task_from_text(FERRY, problem(*parts, "(car-at c1 east)")))
    assert [s.evidence for s in found if s.name == "unknown-object"] == [("c9",)]


# --- numbers ----------------------------------------------------------------------------------------------------------


def letters(count: int, text: str, spread: tuple[int, ...] = ()) -> dict[str, str]:
    spread = spread or (count,)
    boxes = [box for box, size in enumerate(spread) for _ in range(size)]
    init = " ".join(f"(at x{i} y{box})" for i, box in enumerate(boxes)) + " (carrier-at z y0)"
    objects = " ".join(f"x{i}" for i in range(count)) + " - letter y0 y1 y2 y3 - box z - carrier"
    goal = f"(and {' '.join(f'(at x{i} y3)' for i in range(count))})"
    return names(text + " Bring all letters to the last box.", POST, problem(objects, init, goal))


@pytest.mark.parametrize(
    "text",
    [
        "Nine letters are waiting.",
        "There are 9 letters.",
        "I have nine old letters.",
        "9 letters, 4 boxes.",
        "A postman brings nine letters.",
        "Five letters are here and 9 letters are there.",
        "NINE LETTERS WAIT.",
    ],
)
def test_fewer_objects_than_counted_are_found(text: str) -> None:
    assert "number-coverage" in letters(8, text)
    assert "number-coverage" not in letters(9, text)


@pytest.mark.parametrize("text", ["A dozen letters wait.", "There are a dozen letters.", "Twelve letters wait."])
def test_a_dozen(text: str) -> None:
    assert "number-coverage" in letters(11, text)
    assert "number-coverage" not in letters(12, text)


@pytest.mark.parametrize(
    "text", ["There are three letters.", "You have 3 letters and 4 boxes.", "There are 3 letters in all."]
)
def test_more_objects_than_the_text_introduces_are_found(text: str) -> None:
    assert "number-coverage" in letters(4, text)
    assert "number-coverage" not in letters(3, text)


@pytest.mark.parametrize(
    "text",
    [
        "Carry one letter at a time.",
        "You can take at most two letters.",
        "A bag has room for 40 letters.",
        "Up to twenty letters fit into a box.",
        "It takes 7 minutes to walk to a box.",
        "The third letter is thick.",
        "Each box holds 30 letters.",
        "No more than 5 letters may be in a box, and it costs 12 euros.",
        "Two letters are here, and there is another letter in box 1.",
    ],
)
def test_limits_times_and_ordinals_are_no_counts(text: str) -> None:
    assert "number-coverage" not in letters(3, text, (2, 1))


def test_how_things_are_spread_is_compared() -> None:
    text = "Nine letters are spread over three boxes: two at the first, three at the second and the rest at the third."
    assert "number-coverage" not in letters(9, text, (2, 3, 4))
    assert "number-coverage" in letters(9, text, (3, 3, 3))


# --- the goal of the text ---------------------------------------------------------------------------------------------

HALL = "A robot is in the hall, cups 1 and 2 are in the hall, cup 3 is in the attic and the robot's arm is free. "
CUPS = "hall attic - room cup1 cup2 cup3 - cup arm1 - arm"
CUP_INIT = "(robot-in hall) (free arm1) (cup-in cup1 hall) (cup-in cup2 hall) (cup-in cup3 attic)"
CUP_DOMAIN = CARRY.replace("thing", "cup")
DONE = "(cup-in cup1 attic) (cup-in cup2 attic) (cup-in cup3 hall)"


@pytest.mark.parametrize(
    ("asked", "goal"),
    [
        (
            "At the end cups 1 and 2 are in the attic and cup 3 is in the hall.",
            "(cup-in cup1 attic) (cup-in cup2 attic)",
        ),
        (
            "My goal is that cups 1 and 2 are in the attic and cup 3 is in the hall.",
            "(cup-in cup1 attic) (cup-in cup3 hall)",
        ),
        (
            "Bring cup 1 to the attic, cup 2 to the attic and cup 3 to the hall.",
            "(cup-in cup2 attic) (cup-in cup3 hall)",
        ),
        ("Please move all cups to the attic.", "(cup-in cup1 attic)"),
        ("Every cup must be in the attic.", "(cup-in cup1 attic) (cup-in cup3 attic)"),
        ("Cup 1 should be in the attic, and cup 3 should be in the hall.", "(cup-in cup1 attic)"),
        ("I want cup 1 in the attic and cup 3 in the hall.", "(cup-in cup3 hall)"),
        ("Finally, cup 1 is in the attic and the robot is in the attic.", "(cup-in cup1 attic)"),
        ("Goal: cup 1 in the attic, cup 3 in the hall.", "(cup-in cup1 attic)"),
        ("Your goal is to have the following:\n- cup 1 is in the attic\n- cup 3 is in the hall", "(cup-in cup3 hall)"),
        ("Carry things so that cup 1 is in the attic and cup 3 is in the hall.", "(cup-in cup1 attic)"),
        ("At the end cup 1 is in the attic and cup 3 is in the hall.", "(cup-in cup1 attic) (cup-in cup3 attic)"),
    ],
)
def test_a_forgotten_demand_is_found(asked: str, goal: str) -> None:
    assert "goal-coverage" in names(HALL + asked, CUP_DOMAIN, problem(CUPS, CUP_INIT, f"(and {goal})"))


@pytest.mark.parametrize(
    ("asked", "goal"),
    [
        ("At the end cups 1 and 2 are in the attic and cup 3 is in the hall.", f"(and {DONE})"),
        ("Please move all cups to the attic.", "(forall (?c - cup) (cup-in ?c attic))"),
        ("Please move all cups except cup 2 to the attic.", "(and (cup-in cup1 attic) (cup-in cup3 attic))"),
        ("Bring cup 1 to the attic; cup 2 may end anywhere.", "(cup-in cup1 attic)"),
        ("Bring cup 1 from the hall to the attic with arm 1.", "(cup-in cup1 attic)"),
        ("Bring cup 1 or cup 2 to the attic.", "(or (cup-in cup1 attic) (cup-in cup2 attic))"),
        ("Bring some cup to the attic.", "(exists (?c - cup) (cup-in ?c attic))"),
        ("Bring cup 1 to the attic. A cup must be in the same room as the robot to be taken.", "(cup-in cup1 attic)"),
        ("Bring cup 1 to the attic. No cup may remain in the hall.", "(and (cup-in cup1 attic) (cup-in cup2 attic))"),
    ],
)
def test_what_is_not_asked_is_not_missed(asked: str, goal: str) -> None:
    domain = CUP_DOMAIN.replace(":strips", ":adl")
    assert "goal-coverage" not in names(HALL + asked, domain, problem(CUPS, CUP_INIT, goal))


def test_a_goal_that_asks_for_what_is_left_open_is_found() -> None:
    written = named("eggs-in-words")
    task = written.problem.replace("(at e12 b3))", "(at e12 b3) (girl-at g b3))")
    assert task != written.problem
    assert "leaves open" in names(written.text, written.domain, task)["goal-coverage"]


def test_demands_of_abstract_names_are_counted() -> None:
    written = named("colours-as-letters")
    for goal in ("(on x2 x3)", "(on x1 x2)"):
        task = written.problem.replace("(and (on x2 x3) (on x1 x2))", goal)
        assert "goal-coverage" in names(written.text, written.domain, task)


# --- the initial state and the domain ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fact", ["(robot-in hall)", "(free arm1)", "(cup-in cup1 hall)", "(cup-in cup3 attic)"])
def test_a_forgotten_fact_is_found(fact: str) -> None:
    text = (
        "The robot is in the hall. Arm 1 is free. Cups 1 and 2 are in the hall, cup 3 is in the attic. Bring cup 3 to "
    )
    init = CUP_INIT.replace(fact, "")
    assert "initial-coverage" in names(f"{text}the hall.", CUP_DOMAIN, problem(CUPS, init, "(cup-in cup3 hall)"))
    assert names(f"{text}the hall.", CUP_DOMAIN, problem(CUPS, CUP_INIT, "(cup-in cup3 hall)")) == {}


def test_a_thing_in_two_places_is_found() -> None:
    init = f"{CUP_INIT} (cup-in cup1 attic)"
    found = names(HALL, CUP_DOMAIN, problem(CUPS, init, "(cup-in cup3 hall)"))
    assert "(cup-in cup1 attic)" in found["two-places"]
    held = names(HALL, CUP_DOMAIN, problem(CUPS, f"{CUP_INIT} (holds arm1 cup1)", "(cup-in cup3 hall)"))
    assert "two-places" in held


def test_a_robot_in_two_places_is_found_where_the_text_has_one_robot() -> None:
    twice = problem(CUPS, f"{CUP_INIT} (robot-in attic)", "(cup-in cup3 hall)")
    assert "two-places" in names(HALL, CUP_DOMAIN, twice)
    assert "two-places" not in names(HALL.replace("A robot is", "Two robots are"), CUP_DOMAIN, twice)


def test_an_action_that_forgets_the_old_place_is_found() -> None:
    forgetful = CUP_DOMAIN.replace("(and (robot-in ?b) (not (robot-in ?a)))", "(robot-in ?b)")
    assert "never-deleted" in names(HALL, forgetful, problem(CUPS, CUP_INIT, "(cup-in cup3 hall)"))
    post = POST.replace("(in-bag ?l ?c) (not (at ?l ?b))", "(in-bag ?l ?c) (not (at ?l ?b)) (not (carrier-at ?c ?b))")
    post = post.replace("(and (carrier-at ?c ?b) (not (carrier-at ?c ?a)))", "(carrier-at ?c ?b)")
    parts = "l - letter b1 b2 - box c - carrier", "(at l b1) (carrier-at c b1)"
    assert "two-places" in names("", post, problem(*parts, "(at l b2)"))


def test_places_that_pile_up_on_purpose_are_no_warning() -> None:
    domain = FERRY.replace("(deck-empty))", "(deck-empty) (visited-at ?s - shore))", 1)
    domain = domain.replace("(and (ferry-at ?b)", "(and (visited-at ?b) (ferry-at ?b)")
    found = signals(
        "", task_from_text(domain, problem("c - car w e - shore", "(ferry-at w) (car-at c w)", "(ferry-at e)"))
    )
    assert [(s.name, s.severity, s.evidence) for s in found if s.name == "never-deleted"] == [
        ("never-deleted", "info", ("visited-at",))
    ]


def test_dead_actions_and_unreachable_goals_are_found() -> None:
    init = CUP_INIT.replace("(free arm1)", "")
    found = {
        s.name: s.evidence for s in signals("", task_from_text(CUP_DOMAIN, problem(CUPS, init, "(cup-in cup3 hall)")))
    }
    assert found["dead-action"] == ("take",) or found["dead-action"] == ("leave",)
    assert found["unreachable-goal-fact"] == ("(cup-in cup3 hall)",)
    assert "holds" in found["unreachable-fact"]


def test_every_disc_may_lie_on_another() -> None:
    """`on` is a place, and one disc on another is no second place."""
    written = named("hanoi")
    assert written.domain == HANOI
    assert "two-places" not in names(written.text, written.domain, written.problem)
