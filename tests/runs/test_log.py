"""The event log: whole lines or none, whatever happens."""

from __future__ import annotations

import json
import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.errors import InputError, StorageError
from groundplan.runs.log import EventLog, read_events

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
payloads = st.dictionaries(
    st.text(st.characters(), max_size=8).filter(lambda n: n not in ("n", "time", "kind")), values, max_size=4
)


@contextmanager
def log_at(path: Path) -> Iterator[EventLog]:
    log = EventLog(path)
    try:
        yield log
    finally:
        log.close()


@given(st.lists(st.tuples(st.text(st.characters()), payloads), max_size=6), st.data())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_log_cut_anywhere_opens_with_its_whole_events_and_goes_on(
    tmp_path_factory: pytest.TempPathFactory, given_events: list[tuple[str, dict[str, Any]]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("log") / "events.jsonl"
    with log_at(path) as log:
        written = [log.append(kind, payload) for kind, payload in given_events]
    assert list(read_events(path)) == written
    assert [(event.n, event.kind, event.payload) for event in written] == [
        (n, kind, payload) for n, (kind, payload) in enumerate(given_events)
    ]
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    ends = [i + 1 for i, byte in enumerate(content) if byte == 10]
    whole = sum(end - 1 <= cut for end in ends)  # a line that lacks only its line end is whole
    assert list(read_events(path)) == written[:whole]
    with log_at(path) as log:
        assert list(log.recovered) == written[:whole]
        after = log.append("after", {"cut": cut})
    assert list(read_events(path)) == [*written[:whole], after]
    assert path.read_bytes().startswith(content[: ends[whole - 1] if whole else 0])


def test_a_line_that_lacks_only_its_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    with log_at(path) as log:
        written = [log.append("a", {}), log.append("paid for", {})]
    path.write_bytes(path.read_bytes()[:-1])
    with log_at(path) as log:
        written.append(log.append("b", {}))
    assert list(read_events(path)) == written


def test_a_line_is_what_a_person_expects(tmp_path: Path) -> None:
    with log_at(tmp_path / "e.jsonl") as log:
        log.append("reply", {"text": "schön\n", "cost": 0.5})
    (line,) = (tmp_path / "e.jsonl").read_text().splitlines()
    data = json.loads(line)
    assert list(data) == ["n", "time", "kind", "text", "cost"]
    assert datetime.fromisoformat(data["time"]).utcoffset() is not None
    assert "schön" in line


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"{}",
        b"[1]",
        b"\x00\x00\x00",
        b'{"n": 5, "time": "", "kind": "a"}',
        b'{"n": 1, "kind": "a"}',
        b'{"n": 1, "time"',
        b"[" * 100_000,
    ],
)
def test_damage_in_the_middle_is_named_and_nothing_is_changed(bad: bytes, tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    with log_at(path) as log:
        for _ in range(3):
            log.append("a", {})
    lines = path.read_bytes().splitlines(keepends=True)
    content = lines[0] + bad + b"\n" + lines[2]
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"e\.jsonl:2: "):
        EventLog(path)
    with pytest.raises(InputError, match=r"e\.jsonl:2: "):
        read_events(path)
    assert path.read_bytes() == content


def test_one_event_is_one_write_and_a_durable_one_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    write, fsync = os.write, os.fsync
    with log_at(tmp_path / "e.jsonl") as log:
        monkeypatch.setattr(os, "write", lambda *a: calls.append("write") or write(*a))  # type: ignore[func-returns-value]
        monkeypatch.setattr(os, "fsync", lambda *a: calls.append("fsync") or fsync(*a))  # type: ignore[func-returns-value]
        log.append("a", {"text": "x" * 1_000_000})
        log.append("b", {}, durable=True)
    assert calls == ["write", "write", "fsync"]


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Makes the disk full for every file that would grow beyond `size`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_named_and_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    with log_at(path) as log:
        log.append("first", {})
        before = path.read_bytes()
        with file_size_limit(len(before) + 50):  # part of the next line still fits
            for _ in range(2):
                with pytest.raises(StorageError, match=r"e\.jsonl: cannot be written \(File too large\)"):
                    log.append("second", {"text": "x" * 5000}, durable=True)
                assert path.read_bytes() == before
        log.append("third", {})
    assert [(event.n, event.kind) for event in read_events(path)] == [(0, "first"), (1, "third")]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_no_space_left(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    path.touch()
    with log_at(path) as log:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, log._descriptor)
        os.close(full)
        with pytest.raises(StorageError, match="No space left on device"):
            log.append("a", {})


def test_a_log_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="absent"):
        EventLog(tmp_path / "absent" / "e.jsonl")
    with pytest.raises(InputError, match="absent"):
        read_events(tmp_path / "absent" / "e.jsonl")


@pytest.mark.parametrize("payload", [{"x": object()}, {"x": float("nan")}, {"n": 1}, {"time": "now"}, {"kind": "a"}])
def test_what_json_cannot_hold_is_refused_and_not_written(payload: dict[str, Any], tmp_path: Path) -> None:
    with log_at(tmp_path / "e.jsonl") as log:
        with pytest.raises((TypeError, ValueError)):
            log.append("a", payload)
        assert log.append("b", {}).n == 0


def test_many_threads_write_whole_lines(tmp_path: Path) -> None:
    with log_at(tmp_path / "e.jsonl") as log:
        threads = [
            threading.Thread(target=lambda: [log.append("a", {"text": "x" * 3000}) for _ in range(50)])
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [event.n for event in read_events(tmp_path / "e.jsonl")] == list(range(300))
