"""Plots are real images of the size asked for, the same for the same data, and say what is missing."""

from __future__ import annotations

import struct
import sys
from functools import partial
from pathlib import Path

import pytest

from groundplan.bench import (
    Candidate,
    Failure,
    Scored,
    calibration,
    reliability_plot,
    repair_plot,
    scored,
    slope_plot,
    violin_plot,
)
from groundplan.errors import InputError, StorageError
from groundplan.pddl.diagnostics import Category

KINDS = list(Category)
POOL = [
    Candidate(
        f"p{task}",
        solved=step == task % 4,
        faithful=task % 3 > 0 if step == task % 4 else None,
        score=((7 * task + 3 * step) % 11) / 10,
        step=step,
        domain=("gripper", "a $ (50% & <b>")[task % 2],
        diagnostic=KINDS[(task + step) % 6],
    )
    for task in range(24)
    for step in range(task % 4 + 1)
]
FAILED = [
    Candidate("q", None, None, None, failure=Failure.EXTRACTION),
    Candidate("r", None, None, None, failure=Failure.TOOL),
]
PLOTS = {
    "repair": partial(repair_plot, POOL + FAILED),
    "repair of nothing": partial(repair_plot, [], horizon=5),
    "slope": partial(slope_plot, {"ours $": POOL, "other": POOL[:9], "failed": FAILED[1:], "none": []}),
    "violin": partial(violin_plot, POOL + FAILED),
    "violin by domain": partial(violin_plot, POOL, by_domain=True),
    "violin of nothing": partial(violin_plot, [], by_domain=True),
    "violin of one value": partial(violin_plot, [Candidate(f"p{n}", False, None, 0.0) for n in range(9)]),
    "reliability": partial(reliability_plot, calibration(scored(POOL), binning="mass")),
    "reliability of nothing": partial(reliability_plot, calibration(Scored((), ()))),
}
HEADS = {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG\r\n\x1a\n"}


@pytest.fixture(autouse=True)
def _no_warnings(recwarn):
    yield
    assert not [str(warning.message) for warning in recwarn if "glyph" not in str(warning.message).lower()]


@pytest.mark.parametrize("name", PLOTS)
def test_a_png_of_the_size_asked_for(name, tmp_path):
    pytest.importorskip("matplotlib")
    path = PLOTS[name](tmp_path / "new" / "plot.png", size=(6, 3))
    data = path.read_bytes()
    assert data.startswith(HEADS["png"])
    assert struct.unpack(">II", data[16:24]) == (900, 450)
    assert data.endswith(b"IEND\xaeB`\x82")


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_vector_files_are_the_same_twice(ending, tmp_path):
    pytest.importorskip("matplotlib")
    first = PLOTS["reliability"](tmp_path / f"a.{ending}").read_bytes()
    assert first.startswith(HEADS[ending])
    assert PLOTS["reliability"](tmp_path / f"b.{ending.upper()}").read_bytes() == first


def test_the_drawing_shows_the_data(tmp_path):
    """Text in an SVG is drawn as shapes, but each is preceded by a comment that holds it."""
    pytest.importorskip("matplotlib")
    text = PLOTS["repair"](tmp_path / "a.svg").read_text()
    for words in ("repair step", "solved so far (%)", "tool failure", "extraction failure", "cases not solved"):
        assert words in text
    text = PLOTS["violin by domain"](tmp_path / "b.svg").read_text()
    for words in ("U:", "D:", "F:", "gripper", "a $ (50%"):
        assert words in text
    text = PLOTS["slope"](tmp_path / "c.svg").read_text()
    for words in ("ours $ (100.0 → 66.7)", "none: no labels", "solvability", "faithful success"):
        assert words in text
    text = PLOTS["reliability"](tmp_path / "d.svg").read_text()
    assert f"n = {len(POOL)}" in text


def test_matplotlibs_own_state_is_left_alone(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    before, loaded = dict(matplotlib.rcParams), "matplotlib.pyplot" in sys.modules
    PLOTS["slope"](tmp_path / "a.png")
    assert dict(matplotlib.rcParams) == before
    assert ("matplotlib.pyplot" in sys.modules) is loaded


@pytest.mark.parametrize("name", PLOTS)
def test_without_matplotlib_the_command_is_named(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r'pip install "groundplan\[bench\]"'):
        PLOTS[name](tmp_path / "a.png")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("file", ["plot.jpg", "plot"])
def test_other_endings_are_refused(file, tmp_path):
    with pytest.raises(InputError, match=r"\.png, \.svg or \.pdf"):
        PLOTS["violin"](tmp_path / file)


def test_a_slope_plot_needs_a_method(tmp_path: Path):
    with pytest.raises(InputError, match="at least one method"):
        slope_plot({}, tmp_path / "a.png")


def test_a_file_that_cannot_be_written(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        PLOTS["reliability"](tmp_path / "file" / "a.png")
