"""Replies paid for once, and the loop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.errors import ModelError
from groundplan.models.cached import CachedModel
from groundplan.models.errors import AuthenticationError, BadReply, ConnectionFailed
from groundplan.models.protocol import Message, Model, Reply, Sampling, Usage
from groundplan.models.replay import ReplayModel
from groundplan.models.scripted import ScriptedModel
from groundplan.runs.budget import Budget, BudgetExhausted
from groundplan.runs.paid import RecordedModel
from groundplan.runs.refine import Ending, Refined, refine
from groundplan.runs.run import Run

GREEDY = Sampling()


def ask(text: str) -> tuple[Message, ...]:
    return (Message("user", text),)


def open_run(folder: Path, budget: Budget | None = None) -> Run:
    return Run.open(folder / "run", settings={}, budget=budget)


def test_a_reply_in_the_log_is_not_asked_for_again(tmp_path: Path) -> None:
    paid = Reply(" text\r\n", "m-2026", "length", Usage(1, 2, 0.5), 1.5)
    with open_run(tmp_path) as run:
        assert RecordedModel(ScriptedModel([paid]), run).reply(ask("q"), GREEDY) == paid
    with open_run(tmp_path) as run:
        assert RecordedModel(ScriptedModel([]), run).reply(ask("q"), GREEDY) == paid
        assert (run.spent.calls, run.spent.tokens, run.spent.usd) == (1, 3, 0.5)


def test_the_log_holds_the_prompt(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        RecordedModel(ScriptedModel(["a"], name="tiny"), run).reply(ask("q"), GREEDY, 3)
        payload = run.events()[-1].payload
    assert payload["messages"] == [{"role": "user", "content": "q"}]
    assert (payload["model"], payload["sample"], payload["reply"]["text"]) == ("tiny", 3, "a")


def test_a_reply_is_on_the_disk_before_anyone_sees_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    with open_run(tmp_path) as run:
        model = RecordedModel(ScriptedModel(["a", BadReply("empty")]), run)
        monkeypatch.setattr(os, "fsync", synced.append)
        model.reply(ask("q"), GREEDY)
        assert len(synced) == 1
        with pytest.raises(BadReply):
            model.reply(ask("q"), GREEDY)
        assert len(synced) == 2


def test_a_run_is_a_recording(tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        run.artifact("other.jsonl", "not a recording")
        model = RecordedModel(ScriptedModel(["a", "b"], name="tiny"), run)
        asked = [model.reply(ask("q"), GREEDY) for _ in range(2)]
    replay = ReplayModel(tmp_path / "run")
    assert [replay.reply(ask("q"), GREEDY) for _ in range(2)] == asked
    assert replay.name == "tiny"


questions = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 1)), min_size=1, max_size=12)


@given(questions, st.lists(st.integers(0, 12), max_size=3))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_any_questions_stopped_anywhere_give_the_same_replies_and_are_paid_once(
    tmp_path_factory: pytest.TempPathFactory, asked: list[tuple[str, int]], stops: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("paid")
    bills: list[str] = []

    def pay(messages: Sequence[Message], sample: int) -> str:
        bills.append(messages[0].content)
        return f"reply {len(bills)}"

    def session(most: int) -> list[str]:
        with open_run(folder) as run:
            model = RecordedModel(ScriptedModel(pay), run)
            return [model.reply(ask(text), GREEDY, sample).text for text, sample in asked[:most]]

    for stop in stops:
        session(stop)
    assert session(len(asked)) == session(len(asked))
    assert sorted(bills) == sorted(text for text, _ in asked)
    assert len(set(session(len(asked)))) == len(asked)


@pytest.mark.parametrize("kind", ["script", "recording"])
def test_a_model_that_answers_in_order_goes_on_where_it_stopped(kind: str, tmp_path: Path) -> None:
    with open_run(tmp_path) as run:
        model = RecordedModel(ScriptedModel(["one", "two", "three"]), run)
        whole = [model.reply(ask("q"), GREEDY).text for _ in range(3)]
        recording = ReplayModel(tmp_path / "run")

    def fresh() -> Model:
        return ScriptedModel(["one", "two", "three"]) if kind == "script" else recording

    for count in (2, 3):
        with open_run(tmp_path / "other") as run:
            model = RecordedModel(fresh(), run)
            assert [model.reply(ask("q"), GREEDY).text for _ in range(count)] == whole[:count]


def test_a_question_that_got_no_answer_is_asked_anew(tmp_path: Path) -> None:
    for _ in range(2):
        with open_run(tmp_path) as run, pytest.raises(ConnectionFailed):
            RecordedModel(ScriptedModel([ConnectionFailed("gone")]), run).reply(ask("q"), GREEDY)
    with open_run(tmp_path) as run:
        model = RecordedModel(ScriptedModel([ConnectionFailed("gone"), "fine"]), run)
        with pytest.raises(ConnectionFailed):
            model.reply(ask("q"), GREEDY)
        assert model.reply(ask("q"), GREEDY).text == "fine"
        assert run.spent.calls == 1
        errors = [event.payload for event in run.events() if event.kind == "model_error"]
    assert [(error["error"], error["message"]) for error in errors] == [("ConnectionFailed", "gone")] * 3
    with open_run(tmp_path) as run:
        assert RecordedModel(ScriptedModel([]), run).reply(ask("q"), GREEDY).text == "fine"


def test_a_bad_reply_that_the_run_survived_is_raised_from_the_log(tmp_path: Path) -> None:
    bad = BadReply("empty", Usage(7, 0, 0.5))

    def session(script: list[str | Reply | Exception], folder: Path) -> Run:
        with open_run(folder) as run:
            model = RecordedModel(ScriptedModel(script), run)
            with pytest.raises(BadReply, match="empty") as caught:
                model.reply(ask("q"), GREEDY)
            assert caught.value.usage == bad.usage
            assert model.reply(ask("q"), GREEDY).text == "better"
        return run

    session([bad, "better"], tmp_path)
    run = session([], tmp_path)
    assert (run.spent.calls, run.spent.tokens) == (2, 7)


def test_a_bad_reply_that_ended_the_run_is_asked_anew(tmp_path: Path) -> None:
    with open_run(tmp_path) as run, pytest.raises(BadReply):
        RecordedModel(ScriptedModel([BadReply("empty")]), run).reply(ask("q"), GREEDY)
    with open_run(tmp_path) as run:
        assert RecordedModel(ScriptedModel(["fine"]), run).reply(ask("q"), GREEDY).text == "fine"
        assert run.spent.calls == 2


def test_replies_from_a_cache_are_not_paid(tmp_path: Path) -> None:
    for name, calls in [("one", 1), ("two", 0)]:
        with open_run(tmp_path / name, Budget(calls=1)) as run:
            script = ScriptedModel([Reply("a", "m", usage=Usage(1, 1, 1.0))], name="m")
            assert RecordedModel(CachedModel(script, tmp_path / "cache"), run).reply(ask("q"), GREEDY).text == "a"
            assert (run.spent.calls, run.spent.usd) == (calls, float(calls))


def test_the_budget_ends_new_calls_but_not_known_ones(tmp_path: Path) -> None:
    for texts in (["a", "b", "c"], []):
        with open_run(tmp_path, Budget(calls=2)) as run:
            model = RecordedModel(ScriptedModel(texts), run)
            assert [model.reply(ask(q), GREEDY).text for q in "12"] == ["a", "b"]
            with pytest.raises(BudgetExhausted, match="2 model calls"):
                model.reply(ask("3"), GREEDY)
    with open_run(tmp_path, Budget(calls=3)) as run:
        model = RecordedModel(ScriptedModel(["a", "b", "c"]), run)
        assert [model.reply(ask(q), GREEDY).text for q in "123"] == ["a", "b", "c"]


def test_threads_share_a_run(tmp_path: Path) -> None:
    def session(model: ScriptedModel) -> list[str]:
        with open_run(tmp_path) as run, ThreadPoolExecutor(8) as pool:
            recorded = RecordedModel(model, run)
            return list(pool.map(lambda n: recorded.reply(ask(f"q{n % 20}"), GREEDY, n // 20).text, range(60)))

    first = session(ScriptedModel(lambda messages, sample: f"{messages[0].content}/{sample}"))
    assert first == [f"q{n % 20}/{n // 20}" for n in range(60)]
    assert session(ScriptedModel([])) == first


@dataclass(frozen=True)
class Guess:
    accepted: bool
    explanation: str


class Guessing:
    """Asks the model for a number until it is the right one."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def propose(self) -> int:
        return int(self.model.reply(ask("a number?"), GREEDY).text)

    def check(self, proposal: int) -> Guess:
        return Guess(proposal == 7, "" if proposal == 7 else f"{proposal} is not it")

    def revise(self, proposal: int, check: Guess) -> int:
        return int(self.model.reply(ask(check.explanation), GREEDY).text)


def guess(
    folder: Path, script: list[str | Reply | Exception], rounds: int = 3, budget: Budget | None = None
) -> tuple[Refined[int, Guess], Run]:
    with open_run(folder, budget) as run:
        return refine(Guessing(RecordedModel(ScriptedModel(script), run)), run, rounds=rounds), run


@pytest.mark.parametrize(
    ("script", "rounds", "budget", "ending", "proposals"),
    [
        (["7"], 3, None, Ending.ACCEPTED, [7]),
        (["1", "2", "7"], 3, None, Ending.ACCEPTED, [1, 2, 7]),
        (["1", "2", "7"], 2, None, Ending.ROUNDS, [1, 2]),
        (["1", "2", "7"], 3, Budget(calls=2), Ending.BUDGET, [1, 2]),
        (["1", "7"], 3, Budget(calls=0), Ending.BUDGET, []),
        (["1", ConnectionFailed("gone")], 3, None, Ending.MODEL, [1]),
        ([""], 3, None, Ending.MODEL, []),
    ],
)
def test_the_loop_ends_in_one_of_four_ways(
    script: list[str | Reply | Exception],
    rounds: int,
    budget: Budget | None,
    ending: Ending,
    proposals: list[int],
    tmp_path: Path,
) -> None:
    refined, run = guess(tmp_path, script, rounds, budget)
    assert refined.ending is ending
    assert [each.proposal for each in refined.rounds] == proposals
    assert refined.last == (proposals[-1] if proposals else None)
    assert isinstance(refined.error, ModelError) == (ending is Ending.MODEL)
    written = [event.payload for event in run.events() if event.kind in ("round", "ending")]
    assert [event["explanation"] for event in written[:-1]] == ["" if n == 7 else f"{n} is not it" for n in proposals]
    assert (written[-1]["ending"], written[-1]["rounds"]) == (ending.value, len(proposals))


def test_a_finished_loop_taken_again_gives_the_same_and_writes_nothing_new(tmp_path: Path) -> None:
    first, run = guess(tmp_path, ["1", "2", "7"])
    before = len(run.events())
    again, run = guess(tmp_path, [])
    assert again == first
    assert [event.kind for event in run.events()[before:]] == ["session"]


def test_a_loop_that_ran_out_of_budget_goes_on_with_more(tmp_path: Path) -> None:
    guess(tmp_path, ["1", "2", "7"], budget=Budget(calls=2))
    refined, run = guess(tmp_path, ["1", "2", "7"], budget=Budget(calls=3))
    assert refined.ending is Ending.ACCEPTED
    assert run.events()[-1].payload["ending"] == "accepted"


def test_what_the_user_must_mend_is_raised(tmp_path: Path) -> None:
    with pytest.raises(AuthenticationError):
        guess(tmp_path, [AuthenticationError("no key")])
    with pytest.raises(ValueError, match="one round"):
        guess(tmp_path, ["7"], rounds=0)
