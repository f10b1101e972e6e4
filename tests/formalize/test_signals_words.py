"""Reading a task text: numbers, plurals, names, and which clause states the goal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.formalize.signals.clauses import clauses_of, join_lines
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.relations import statements_in
from groundplan.formalize.signals.words import glue, listed, number, ordinal, pieces, singulars, tokenize
from groundplan.pddl import task_from_text
from signal_texts import CARRY

TASK = task_from_text(
    CARRY.replace("thing", "ball"),
    "(define (problem p) (:domain d) (:objects kitchen garden - room b1 b2 b3 b4 b5 - ball left right - arm)"
    "(:init (robot-in kitchen)) (:goal (robot-in garden)))",
)


@given(st.text())
def test_tokens_are_pieces_of_the_text_in_order(text: str) -> None:
    tokens = tokenize(text)
    for token in tokens:
        assert token.text.strip() == "" or text.startswith(token.text, token.start)
    starts = [token.start for token in tokens]
    assert starts == sorted(set(starts))
    kept = "".join(token.text for token in tokens if token.text.strip())
    assert kept == "".join(text.split())


@given(st.text())
def test_clauses_do_not_overlap(text: str) -> None:
    tokens = join_lines(tokenize(text))
    last = 0
    for clause in clauses_of(tokens):
        assert last <= clause.first < clause.last <= len(tokens)
        last = clause.last


@given(st.integers(0, 10**6))
def test_digits_are_numbers(value: int) -> None:
    assert number(str(value)) == value


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("zero", 0),
        ("nine", 9),
        ("twenty", 20),
        ("twenty-one", 21),
        ("ninety-nine", 99),
        ("dozen", 12),
        ("hundred", 100),
    ],
)
def test_number_words(word: str, value: int) -> None:
    assert number(word) == value


@pytest.mark.parametrize("word", ["", "first", "3.5", "twenty-zero", "twenty-", "nines", "²", "one-two", "1st"])
def test_other_words_are_no_numbers(word: str) -> None:
    assert number(word) is None


def test_ordinals() -> None:
    assert [ordinal(word) for word in ("first", "twelfth", "2nd", "21st", "two", "nd")] == [1, 12, 2, 21, None, None]


@pytest.mark.parametrize(
    ("name", "glued"),
    [
        ("red-block", "redblock"),
        ("Red_Block", "redblock"),
        ("ball-01", "ball1"),
        ("ball-one", "ball1"),
        ("l0-1", "l0_1"),
        ("l0_1", "l0_1"),
        ("l-01", "l1"),
        ("0", "0"),
        ("", ""),
    ],
)
def test_names_are_compared_without_case_dashes_and_number_words(name: str, glued: str) -> None:
    assert glue(pieces(name)) == glued


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("boxes", "box"),
        ("shelves", "shelf"),
        ("cities", "city"),
        ("knives", "knife"),
        ("people", "person"),
        ("buses", "bus"),
        ("gloves", "glove"),
        ("balls", "ball"),
        ("glass", "glass"),
        ("benches", "bench"),
    ],
)
def test_singulars(word: str, form: str) -> None:
    assert form in singulars(word)


def test_long_lists_are_cut() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([str(i) for i in range(9)], 3) == "0, 1, 2 and 6 more"


def roles(text: str) -> list[tuple[str, str]]:
    reading = Reading(text, TASK)
    return [(clause.role, reading.words(clause.first, clause.last)) for clause in reading.clauses]


@pytest.mark.parametrize(
    "text",
    [
        "My goal is that X holds.",
        "At the end X holds.",
        "Bring X to Y.",
        "Please move X.",
        "I want X in Y.",
        "Goal: X holds.",
        "Your goal is to have the following:\nX holds.",
        "Finally, X holds.",
        "In the end X holds.",
        "## Goal\nX holds.",
        "I would like X to hold.",
        "How do I get X to hold?",
        "Your task is to put X there.",
        "Do it so that X holds.",
    ],
)
def test_goals_are_seen(text: str) -> None:
    assert "goal" in [role for role, words in roles(text) if "X" in words]


@pytest.mark.parametrize(
    "text",
    [
        "X is in Y.",
        "A robot must be at X to load.",
        "Initially, X holds.",
        "You can only move X once.",
        "If X, then Y must be.",
        "To load X, the robot must be there.",
        "I would not like X.",
        "At the start X holds.",
        "X cannot hold.",
    ],
)
def test_facts_and_rules_are_no_goals(text: str) -> None:
    assert "goal" not in [role for role, _ in roles(text)]
    assert "demand" not in [role for role, _ in roles(text)]


def test_what_is_left_open_is_no_goal() -> None:
    text = "Bring every ball to the garden; the robot may end anywhere. No ball may stay in the kitchen."
    assert [role for role, _ in roles(text)] == ["goal", "open", "rule"] or roles(text)[1][0] == "open"


def places(text: str) -> list[tuple[str, ...]]:
    return [place.objects for place in Reading(text, TASK).places]


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("ball 1", [("b1",)]),
        ("ball one", [("b1",)]),
        ("balls one and two", [("b1", "b2")]),
        ("balls 1, 2 and 3", [("b1", "b2", "b3")]),
        ("balls 1 to 4", [("b1", "b2", "b3", "b4")]),
        ("balls 2-4", [("b2", "b3", "b4")]),
        ("ball 1 to ball 5 are", [("b1", "b2", "b3", "b4", "b5")]),
        ("the balls b1 through b3", [("b1", "b2", "b3")]),
        ("the third ball", [("b3",)]),
        ("In balls 1 and 2, 3 arms", [("b1", "b2")]),
        ("the Kitchen", [("kitchen",)]),
        ("the left arm", [("left",)]),
        ("its arms, left and right,", [("left",), ("right",)]),
        ("every ball", [("b1", "b2", "b3", "b4", "b5")]),
        ("both arms", [("left", "right")]),
        ("it left the house, right?", []),
        ("ball 17", [()]),
        ("nothing at all", []),
    ],
)
def test_places_of_objects(text: str, objects: list[tuple[str, ...]]) -> None:
    context = "Ball 1, ball 2 and ball 3. The first ball, the second ball. "
    found = places(context + text)[len(places(context)) :]
    assert found == objects


def related(text: str) -> list[tuple[list[str], list[str]]]:
    reading = Reading(text, TASK)
    return [
        ([n for p in s.subject for n in p.objects], [n for p in s.object for n in p.objects])
        for clause in reading.clauses
        for s in statements_in(reading, clause)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("balls 1 and 2 are in the garden", [(["b1", "b2"], ["garden"])]),
        ("ball 1 is in the garden, ball 2 is in the kitchen", [(["b1"], ["garden"]), (["b2"], ["kitchen"])]),
        ("ball 1 is on ball 2 and ball 3 is on ball 4", [(["b1"], ["b2"]), (["b3"], ["b4"])]),
        ("Bring ball 1 from the kitchen to the garden", [(["b1"], ["garden"])]),
        ("ball 1 is dry, ball 2 is in the garden", [(["b1"], []), (["b2"], ["garden"])]),
        ("the robot is in the kitchen, ball 2 is in the garden", [(["kitchen"], []), (["b2"], ["garden"])]),
        ("Bring ball 1 to the garden and ball 2 to the kitchen", [(["b1"], ["garden"]), (["b2"], ["kitchen"])]),
        ("arms left and right, one ball each", [(["left", "right"], [])]),
    ],
)
def test_statements(text: str, expected: list[tuple[list[str], list[str]]]) -> None:
    assert related(text) == expected
