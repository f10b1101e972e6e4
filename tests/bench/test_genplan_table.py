"""Figures, tables, the paper's columns and plots of a measurement."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

import pytest
from genplan_fakes import NoConfinement, Runner, ScriptedEngine, suite_of

from groundplan.bench.genplan.generator import DOMAINS
from groundplan.bench.genplan.measure import Measurement, measure, write_measurement
from groundplan.bench.genplan.paper import COLUMNS, TASKS, paper_column
from groundplan.bench.genplan.plots import coverage_plot, length_plot, time_plot
from groundplan.bench.genplan.table import as_markdown, as_table
from groundplan.errors import InputError

PROGRAMS = {"ferry": {"one": "SSSS", "two": "SXXX", "three": "SSXX"}, "heavy": {"program": "XXXS"}}


@pytest.fixture(scope="module")
def found() -> Measurement:
    suites = [suite_of(4, "ferry"), suite_of(4, "heavy")]
    return measure(PROGRAMS, suites, NoConfinement(), engine=ScriptedEngine("SSSO"), run_task=Runner())


def test_means_and_errors_over_runs(found: Measurement) -> None:
    ferry, heavy, average = found.rows
    values = [1.0, 0.25, 0.5]
    assert ferry.mean == pytest.approx(statistics.mean(values))
    assert ferry.standard_error == pytest.approx(statistics.stdev(values) / math.sqrt(3))
    assert (ferry.best, ferry.runs, ferry.tasks, ferry.between_runs) == (1.0, 3, 4, True)
    assert heavy.standard_error == pytest.approx(math.sqrt(0.25 * 0.75 / 4))
    assert not heavy.between_runs
    assert average.mean == pytest.approx((ferry.mean + 0.25) / 2)
    assert average.best == pytest.approx((1.0 + 0.25) / 2)
    assert ferry.ratios is not None
    assert (ferry.ratios.time.n, ferry.ratios.ff.hits, ferry.ratios.ff.n) == (3 + 1 + 2, 3, 4)
    assert average.ratios is not None
    assert average.ratios.tasks == 8


def test_without_an_engine_there_are_no_ratios() -> None:
    found = measure(PROGRAMS, [suite_of(4, "heavy")], NoConfinement(), run_task=Runner())
    assert found.timings == ()
    assert [row.label for row in found.rows] == ["heavy eval"]
    assert "FF" not in as_table(found.rows)


def test_tables(found: Measurement) -> None:
    text = as_table(found.rows, "deepseek-f3-6")
    lines = text.splitlines()
    assert lines[0].split()[:3] == ["suite", "tasks", "runs"]
    assert "58.3 ± 22.0" in lines[1]
    assert "25.0 ± 21.7" in lines[2]
    assert lines[3].startswith("average")
    markdown = as_markdown(found.rows).splitlines()
    assert markdown[0].count("|") == markdown[1].count("|") == markdown[3].count("|")
    with pytest.raises(InputError, match="did you mean `deepseek-f3-6`"):
        as_table(found.rows, "deepseek-f36")


def test_the_papers_averages_follow_from_its_rows() -> None:
    """The last line of the paper's table: 37/58/60, 68/79/82 and 93; its rows are rounded before we average them."""
    assert set(TASKS) == set(DOMAINS)
    averages = [statistics.mean(paper_column(name).values()) for name in COLUMNS]
    assert averages == pytest.approx([37, 58, 60, 68, 79, 82, 93], abs=0.6)


def test_files(found: Measurement, tmp_path: Path) -> None:
    files = write_measurement(found, tmp_path, "gpt-4o-base")
    assert {file.name for file in files} >= {"results.json", "table.txt", "table.md"}
    data = json.loads((tmp_path / "results.json").read_text())
    assert [row["suite"] for row in data["rows"]] == ["ferry eval", "heavy eval", "average"]
    assert len(data["coverage"]) == 4
    assert len(data["timings"]) == 16
    assert data["rows"][0]["coverage"]["standard_error_over"] == "runs"


def test_plots(found: Measurement, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for number in (1, 2):
        coverage_plot(found.rows, tmp_path / f"coverage{number}.svg", paper="deepseek-f3-6")
        time_plot(found.timings, tmp_path / f"time{number}.svg")
        length_plot(found.timings, tmp_path / f"length{number}.svg")
    for name in ("coverage", "time", "length"):
        first = (tmp_path / f"{name}1.svg").read_bytes()
        assert first.startswith(b"<?xml")
        assert first == (tmp_path / f"{name}2.svg").read_bytes()
    for draw in (time_plot, length_plot):
        with pytest.raises(InputError, match="both"):
            draw([], tmp_path / "none.svg")
    with pytest.raises(InputError, match="no coverage"):
        coverage_plot([], tmp_path / "none.svg")


def test_tool_failures_are_counted_on_both_sides() -> None:
    found = measure(
        {"ferry": {"a": "NS"}}, [suite_of(2, "ferry")], NoConfinement(), engine=ScriptedEngine("SF"), run_task=Runner()
    )
    assert found.tool_failures == 2
    assert "left out" in as_table(found.rows)
