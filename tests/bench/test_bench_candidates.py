"""Candidates: what contradicts itself is refused, what is written is read back, what is broken is located."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from candidate_samples import candidates, pools
from hypothesis import given
from hypothesis import strategies as st

from groundplan.bench import (
    Candidate,
    Failure,
    candidate_as_json,
    candidate_from_json,
    episodes,
    finals,
    read_candidates,
    write_candidates,
)
from groundplan.errors import InputError, StorageError
from groundplan.pddl.diagnostics import Category

PLAIN = Candidate("p01", True, False, 0.5)


@given(pools())
def test_what_is_written_is_read_back(tmp_path_factory, pool):
    path = tmp_path_factory.mktemp("records") / "pool.jsonl"
    write_candidates(path, pool)
    assert read_candidates(path) == tuple(pool)


@given(st.text(min_size=1), st.text())
def test_any_name_survives(task, domain):
    one = replace(PLAIN, task=task, domain=domain)
    assert candidate_from_json(json.loads(json.dumps(candidate_as_json(one)))) == one


@given(candidates())
def test_what_is_not_solved_is_not_correct(one):
    assert not one.correct_label or one.solver_label
    if one.solver_label is False:
        assert one.correct_label is False
    if one.failure is Failure.EXTRACTION:
        assert one.solver_label is False


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"task": ""}, "name of its task"),
        ({"score": 1.5}, "not between 0 and 1"),
        ({"score": math.nan}, "not between 0 and 1"),
        ({"step": -1}, "step must be 0 or more"),
        ({"sample": -1}, "sample must be 0 or more"),
        ({"solver_calls": -2}, "solver_calls must be 0 or more"),
        ({"failure": Failure.EXTRACTION}, "extraction failure cannot be solved"),
        ({"failure": Failure.TOOL}, "tool failure leaves"),
    ],
)
def test_contradictions_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        replace(PLAIN, **changes)


GOOD = '{"task": "p01", "solved": true, "faithful": null, "score": 0.5}'


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", r"not JSON \(.* at column 2\)"),
        ("[1]", "a candidate is a JSON object, not list"),
        (GOOD[:-1] + ', "scores": 1}', "unknown key 'scores'; did you mean 'score'"),
        (GOOD[:-1] + ', "task": "p02"}', "'task' is given twice"),
        ('{"task": "p01", "solved": true, "score": 0.5}', "the key 'faithful' is missing; write null"),
        (GOOD.replace("true", "1"), "'solved' must be true, false or null, not 1"),
        (GOOD.replace("0.5", "true"), "'score' must be a number from 0 to 1 or null, not true"),
        (GOOD.replace("0.5", "NaN"), "not between 0 and 1"),
        (GOOD.replace("0.5", "1" + "0" * 5000), "not JSON that can be read"),
        (GOOD.replace("0.5", "1" + "0" * 400), "not between 0 and 1"),
        (GOOD[:-1] + ', "step": 1.0}', "'step' must be a whole number, not 1.0"),
        (GOOD[:-1] + ', "failure": "toll"}', "'failure' must be one of none, tool, extraction, not 'toll'"),
        (GOOD[:-1] + ', "diagnostic": "parse"}', "'diagnostic' must be one of syntax/parse, "),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, words):
    path = tmp_path / "pool.jsonl"
    path.write_text(f"{GOOD}\n\n{line}\n")
    with pytest.raises(InputError, match=words) as raised:
        read_candidates(path)
    assert str(raised.value).startswith(f"{path}:3: ")


def test_text_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "pool.jsonl"
    path.write_bytes(GOOD.encode() + b'\n{"task": "\xff"}')
    with pytest.raises(InputError, match=r"pool\.jsonl:2: not UTF-8 text"):
        read_candidates(path)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path):
    path = tmp_path / "pool.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode() + b"\r\n" + GOOD.encode())
    assert read_candidates(path) == (Candidate("p01", True, None, 0.5),) * 2


def test_files_that_are_not_there(tmp_path: Path):
    with pytest.raises(InputError, match="cannot be read"):
        read_candidates(tmp_path / "none.jsonl")
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        write_candidates(tmp_path / "file" / "pool.jsonl", [PLAIN])


def test_keys_may_be_left_out_but_for_four():
    data = {"task": "p01", "solved": False, "faithful": None, "score": None, "diagnostic": "goal/constraint"}
    assert candidate_from_json(data) == Candidate("p01", False, None, None, diagnostic=Category.GOAL)


@given(pools())
def test_every_candidate_is_in_one_episode_and_finals_settle(pool):
    runs = episodes(pool)
    assert sorted(map(repr, pool)) == sorted(repr(one) for run in runs for one in run)
    assert all([c.step for c in run] == sorted({c.step for c in run}) for run in runs)
    assert finals(finals(pool)) == finals(pool)


def test_the_first_solved_candidate_is_returned_else_the_last():
    run = [replace(PLAIN, step=step, solved=solved) for step, solved in enumerate((False, True, False, True))]
    assert finals(run) == (run[1],)
    assert finals([run[2], run[0]]) == (run[2],)


def test_two_candidates_at_one_step_are_refused():
    with pytest.raises(InputError, match="task gripper p01, sample 0: two candidates at step 0"):
        episodes([replace(PLAIN, domain="gripper")] * 2)
    assert len(episodes([PLAIN, replace(PLAIN, sample=1), replace(PLAIN, domain="gripper")])) == 3
