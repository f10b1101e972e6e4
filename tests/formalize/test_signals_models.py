"""The checks that ask a model, over scripted replies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.errors import StorageError
from groundplan.formalize.signals import signals
from groundplan.formalize.specification import Signal
from groundplan.models.errors import BadReply, ConnectionFailed
from groundplan.models.protocol import Message, Reply, Sampling
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl import task_from_text
from groundplan.pddl.ast import Task
from groundplan.runs.budget import BudgetExhausted
from signal_texts import FERRY

TEXT = (
    "A ferry brings cars over a river. Car c1 and car c2 wait at shore s, and so does the ferry. Only one car fits on "
    "the ferry. A car may board only if the ferry is at its shore. Bring both cars to shore t."
)
PROBLEM = """(define (problem p) (:domain d) (:objects c1 c2 - car s t - shore)
  (:init (ferry-at s) (car-at c1 s) (car-at c2 s) (deck-empty)) ; all wait here
  (:goal (and (car-at c1 t) (car-at c2 t))))"""
RIGHT = task_from_text(FERRY, PROBLEM)
NO_LIMIT = task_from_text(FERRY.replace(" (not (deck-empty))", ""), PROBLEM)
"""Any number of cars fits on this ferry."""
ONE_CAR = "Only one car fits on the ferry."
AT_SHORE = "A car may board only if the ferry is at its shore."


def _ask(
    name: str, replies: Sequence[Line], task: Task = RIGHT, text: str = TEXT
) -> tuple[list[Signal], ScriptedModel]:
    model = ScriptedModel(replies)

    def ask(messages: tuple[Message, ...]) -> Reply:
        return model.reply(messages, Sampling())

    return list(signals(text, task, only={name}, ask=ask)), model


# --- restriction probes -----------------------------------------------------------------------------------------------

BOTH = ["(board c1 s)", "(board c2 s)"]
AWAY = ["(sail s t)", "(board c1 s)"]


def _probes(*pairs: tuple[str, object]) -> str:
    return json.dumps({"restrictions": [{"sentence": sentence, "trace": trace} for sentence, trace in pairs]})


def _probe(reply: Line, task: Task = RIGHT, text: str = TEXT) -> list[Signal]:
    found, model = _ask("restriction-probes", [reply], task, text)
    assert model.calls == 1
    return found


def test_restrictions_that_hold_are_no_alarm() -> None:
    (found,) = _probe(_probes((ONE_CAR, BOTH), (AT_SHORE, AWAY)))
    assert found.severity == "info"
    assert "0 taken, 2 refused, 0 undecided" in found.message


def test_a_restriction_that_is_lost_is_quoted_with_its_trace() -> None:
    alarm, summary = _probe(_probes((ONE_CAR, BOTH), (AT_SHORE, AWAY)), NO_LIMIT)
    assert (alarm.severity, summary.severity) == ("warning", "info")
    assert alarm.evidence == (ONE_CAR, *BOTH)
    assert ONE_CAR in alarm.message
    assert "(board c1 s), (board c2 s)" in alarm.message


@pytest.mark.parametrize(
    ("sentence", "trace", "why"),
    [
        (ONE_CAR, ["(board c1 t)", *BOTH], "step 1"),  # fails too early
        (ONE_CAR, [*BOTH, "(board c9 s)"], "no object `c9`"),
        (ONE_CAR, ["(board c9 s)"], "no object `c9`"),
        (ONE_CAR, ["(embark c1 s)"], "no action `embark`"),
        (ONE_CAR, ["(board c1 s)", "(board c2)"], "takes 2 argument(s), not 1"),
        (ONE_CAR, [], "no trace"),
        (ONE_CAR, [*BOTH, 7], "cannot be read"),
        (ONE_CAR, ["(sail s t)", "(sail t s)"] * 101, "more than 200 steps"),
        ("Cars must not be red.", BOTH, "does not stand in the text"),
        ("", BOTH, "does not stand in the text"),
        (7, BOTH, "does not stand in the text"),
    ],
)
def test_what_decides_nothing_is_no_alarm(sentence: str, trace: object, why: str) -> None:
    found = _probe(_probes((sentence, trace)), NO_LIMIT)
    assert [signal.severity for signal in found] == ["info", "info"]
    assert why in found[0].message
    assert "1 undecided" in found[1].message


def test_types_that_refuse_a_step_refuse_it() -> None:
    (found,) = _probe(_probes((AT_SHORE, ["(board s c1)"])))
    assert "1 refused" in found.message


@pytest.mark.parametrize("before", ["", "Sure. [See {below}.]\n```json\n", '<think>{"restrictions": []}</think>'])
def test_prose_around_the_list(before: str) -> None:
    found = _probe(f"{before}{_probes((ONE_CAR, BOTH))}\n```\nThat is all.", NO_LIMIT)
    assert [signal.severity for signal in found] == ["warning", "info"]


def test_a_list_that_is_cut_off_counts_as_far_as_it_goes() -> None:
    reply = _probes((ONE_CAR, BOTH), (AT_SHORE, AWAY))
    assert [s.severity for s in _probe(reply[:-20], NO_LIMIT)] == ["warning", "info"]


@pytest.mark.parametrize("reply", ["I cannot do that.", "[]", "{", '{"restrictions": "none"}', '[{"trace": []}]'])
def test_a_reply_without_a_list(reply: str) -> None:
    (found,) = _probe(reply, NO_LIMIT)
    assert found.severity == "info"
    assert "no list" in found.message


def test_a_text_without_restrictions() -> None:
    (found,) = _probe('{"restrictions": []}', NO_LIMIT)
    assert found.message.startswith("0 traces")


def test_the_question_shows_text_actions_and_objects_but_not_what_is_tested() -> None:
    _, model = _ask("restriction-probes", [_probes()])
    shown = "\n".join(message.content for message in model.prompts[0])
    for part in (TEXT, "(board ?c - car ?s - shore)", "c1 c2 - car s t - shore", "word by word"):
        assert part in shown
    assert "deck-empty" not in shown


@given(st.text(max_size=200) | st.lists(st.tuples(st.text(max_size=9), st.lists(st.text(max_size=9)))).map(str))
def test_any_reply_is_survived(reply: str) -> None:
    for name in ("restriction-probes", "back-translation"):
        found, _ = _ask(name, [reply, reply], NO_LIMIT)
        assert found or not reply.strip()
        assert {signal.severity for signal in found} == {"info"}


# --- back-translation -------------------------------------------------------------------------------------------------

TOLD: dict[str, Any] = {
    "objects": [{"name": "c1", "kind": "car"}, {"name": "s", "kind": "shore"}],
    "initial": ["The ferry is at s.", "Car c1 is at s.", "The deck is empty."],
    "goal": ["Car c1 is at t."],
    "actions": [{"name": "sail", "needs": ["The ferry is at the shore."], "changes": ["The ferry is elsewhere."]}],
}
LABELS = ["O1", "O2", "I1", "I2", "I3", "G1", "A1", "A2"]
WAIT = "wait at shore s"


def _verdicts(missing: Sequence[tuple[str, str, str]] = (), **others: tuple[str, str]) -> str:
    verdicts = dict.fromkeys(LABELS, ("stated", WAIT)) | others
    facts = [{"fact": label, "verdict": verdict, "words": words} for label, (verdict, words) in verdicts.items()]
    lost = [{"part": part, "sentence": sentence, "words": words} for part, sentence, words in missing]
    return json.dumps({"facts": facts, "missing": lost})


def _translate(second: Line, first: Line | None = None, calls: int = 2) -> list[Signal]:
    found, model = _ask("back-translation", [json.dumps(TOLD) if first is None else first, second])
    assert model.calls == calls
    return found


def test_a_translation_that_agrees_is_no_alarm() -> None:
    (found,) = _translate(_verdicts(I3=("implied", "")))
    assert found.severity == "info"
    assert "8 facts told from the PDDL: 7 stated, 1 implied, 0 contradicted, 0 absent, 0 without" in found.message


@pytest.mark.parametrize(("label", "sentence"), [("I2", "Car c1 is at s."), ("G1", "Car c1 is at t.")])
def test_a_contradicted_fact_of_start_or_goal_is_a_warning(label: str, sentence: str) -> None:
    alarm, _ = _translate(_verdicts(**{label: ("contradicted", WAIT)}))
    assert (alarm.severity, alarm.evidence) == ("warning", (WAIT, sentence))
    assert "contradicts" in alarm.message


@pytest.mark.parametrize("part", ["initial", "goal"])
def test_a_missing_fact_of_start_or_goal_is_a_warning(part: str) -> None:
    alarm, _ = _translate(_verdicts([(part, "Both cars are at t.", "Bring both cars to shore t")]))
    assert (alarm.severity, alarm.evidence) == ("warning", ("Bring both cars to shore t", "Both cars are at t."))
    assert "missing" in alarm.message


def test_everything_else_is_info() -> None:
    missing = [
        ("object", "A bridge.", WAIT),
        ("action", "Cars can honk.", WAIT),
        ("goal", "The sun shines.", "sunshine"),
    ]
    others = {
        "O1": ("contradicted", WAIT),
        "A1": ("contradicted", WAIT),
        "G1": ("absent", ""),
        "I1": ("contradicted", ""),
    }
    found = _translate(_verdicts(missing, **others))
    assert {signal.severity for signal in found} == {"info"}
    assert len(found) == 8


def test_facts_of_one_kind_make_one_signal() -> None:
    alarm, _ = _translate(_verdicts(I1=("contradicted", WAIT), I2=("Contradicted ", WAIT.upper())))
    assert '"The ferry is at s." and "Car c1 is at s."' in alarm.message


@pytest.mark.parametrize("label", ["I9", "X1", "", "the second"])
def test_verdicts_on_facts_that_nobody_told_are_left_out(label: str) -> None:
    (found,) = _translate(
        json.dumps(
            {
                "facts": [
                    {"fact": label, "verdict": "contradicted", "words": WAIT},
                    {"fact": "G1", "verdict": "stated", "words": WAIT},
                    {"fact": "I1", "verdict": "doubtful", "words": WAIT},
                ]
            }
        )
    )
    assert "1 stated, 0 implied, 0 contradicted, 0 absent, 7 without a verdict" in found.message


@pytest.mark.parametrize("first", ["no", "{}", '{"initial": []}', '{"initial": [], "goal": []}', json.dumps(TOLD)[:-9]])
def test_without_facts_nothing_more_is_asked(first: str) -> None:
    (found,) = _translate(_verdicts(), first, calls=1)
    assert found.severity == "info"
    assert "no list of facts" in found.message


@pytest.mark.parametrize("second", ["no", "{}", '{"facts": "all stated"}', '{"facts": [{"fact": "G1"}]}'])
def test_without_verdicts_nothing_is_said(second: str) -> None:
    (found,) = _translate(second)
    assert found.severity == "info"
    assert "no verdicts" in found.message


def test_too_many_facts_are_not_compared() -> None:
    many = {**TOLD, "initial": [f"Fact {number}." for number in range(500)]}
    (found,) = _translate(_verdicts(), json.dumps(many), calls=1)
    assert "too many" in found.message


def test_of_several_versions_the_last_one_counts() -> None:
    draft = json.dumps({**TOLD, "goal": ["Nothing."]})
    _, model = _ask("back-translation", [f"{draft}\nNo:\n{json.dumps(TOLD)}", _verdicts()])
    assert "Nothing." not in model.prompts[1][-1].content


def test_each_question_is_asked_in_a_context_of_its_own() -> None:
    _, model = _ask("back-translation", [json.dumps(TOLD), _verdicts()])
    first, second = ("\n".join(message.content for message in prompt) for prompt in model.prompts)
    assert "(car-at c1 s)" in first
    assert "river" not in first
    assert "all wait here" not in first  # comments of the PDDL may hold the text
    assert TEXT in second
    assert "car-at" not in second
    assert "G1: Car c1 is at t." in second
    assert "A2: sail changes: The ferry is elsewhere." in second
    assert all(len(prompt) == 2 for prompt in model.prompts)


# --- what both share --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["restriction-probes", "back-translation"])
@pytest.mark.parametrize("error", [ConnectionFailed("gone"), BadReply("empty"), BudgetExhausted("spent")])
def test_a_model_that_fails_is_an_info(name: str, error: Exception) -> None:
    (found,) = _ask(name, [error])[0]
    assert (found.name, found.severity) == (name, "info")
    assert str(error) in found.message


def test_a_model_that_fails_later_is_an_info_too() -> None:
    (found,) = _translate(ConnectionFailed("gone"))
    assert "gone" in found.message


def test_a_disk_that_is_full_is_no_signal() -> None:
    with pytest.raises(StorageError):
        _ask("back-translation", [StorageError("full")])


@pytest.mark.parametrize("name", ["restriction-probes", "back-translation"])
@pytest.mark.parametrize("text", ["", " \n", "a " * 40_000])
def test_texts_that_cannot_be_compared_are_not_asked_about(name: str, text: str) -> None:
    found, model = _ask(name, [], text=text)
    assert model.calls == 0
    assert [signal.severity for signal in found] == ["info"]


def test_features_that_cannot_be_simulated_cost_no_call() -> None:
    domain = FERRY.replace("(:predicates", "(:functions (fuel)) (:predicates").replace(":typing", ":typing :fluents")
    task = task_from_text(domain.replace("(ferry-at ?a) :effect", "(and (ferry-at ?a) (> (fuel) 0)) :effect"), PROBLEM)
    found, model = _ask("restriction-probes", [], task)
    assert model.calls == 0
    assert "not asked" in found[0].message
