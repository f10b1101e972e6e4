"""The summary is plain data for any pool, and the table shows what was left out."""

from __future__ import annotations

import json

import pytest
from candidate_samples import pools
from hypothesis import given

from groundplan.bench import (
    Candidate,
    Failure,
    as_table,
    clopper_pearson_upper,
    hoeffding_upper,
    summary,
)
from groundplan.errors import InputError


@given(pools(), pools())
def test_any_pool_has_a_summary_and_a_table(one, other):
    summaries = {"one": summary(one), "other": summary(other)}
    assert json.loads(json.dumps(summaries, allow_nan=False)) == summaries
    lines = as_table(summaries).splitlines()
    assert lines[0].split() == ["one", "other"]
    assert len({len(line) for line in lines[:7]}) == 1  # columns are flush on the right


def test_the_table_reports_what_it_leaves_out():
    pool = [
        Candidate("right", True, True, 0.9),
        Candidate("undecided", True, None, 0.8),
        Candidate("empty", None, None, None, failure=Failure.EXTRACTION),
        Candidate("crash", None, None, None, failure=Failure.TOOL),
    ]
    table = as_table({"ours": summary(pool)})
    rows = {line[:24].strip(): line[24:].split() for line in table.splitlines()}
    assert rows["tool failures"] == ["1"]
    assert rows["extraction failures"] == ["1"]
    assert "2 (1 tool, 1 unlabelled)" in table  # faithful success
    assert "25.0 to 75.0" in table
    assert rows["solvability %"][0] == "66.7"


def test_bounds_stand_on_tasks():
    once = [Candidate(f"p{n}", True, n > 4, None) for n in range(50)]
    found = summary(once, delta=0.1)["disagreement"]
    assert found["hoeffding"] == pytest.approx(hoeffding_upper(0.1, 50, 0.1))
    assert found["clopper_pearson"] == clopper_pearson_upper(5, 50, 0.1)
    thrice = [Candidate(one.task, True, one.faithful, None, sample=n) for one in once for n in range(3)]
    again = summary(thrice, delta=0.1)["disagreement"]
    assert again["hoeffding"] == pytest.approx(found["hoeffding"])  # copies are no new evidence
    assert again["clopper_pearson"] is None


def test_a_delta_that_is_no_probability_is_refused():
    with pytest.raises(InputError, match="delta"):
        summary([], delta=1.0)


def test_a_table_without_a_column_is_refused():
    with pytest.raises(InputError, match="at least one"):
        as_table({})
