"""Recorded replies, given back to the same prompts."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundplan.models.errors import BadReply, ModelConfigError, RecordingMissing
from groundplan.models.exchange import Exchange, exchange_from_json, json_line, prompt_key
from groundplan.models.nearest import nearest_prompt
from groundplan.models.protocol import Message, Reply, Sampling
from groundplan.models.storage import write_whole


@dataclass(frozen=True, slots=True)
class Recorded:
    """An exchange of a recording and where it stands, as `file:line`."""

    exchange: Exchange
    place: str


class ReplayModel:
    """Answers from a recording: a file of JSON lines, or a folder of them (a cache or a run serves as well).

    The recording knows its own model: `name` is that, and no other name enters the look-up. Only an exact match of
    messages, sampling and sample index counts. Where a recording answers one prompt several times, the replies come in
    their order, and the last one again when they are used up. Usage and cost are those of the recorded calls, so that
    a replayed run counts as the recorded one did; nothing is paid.

    Raises ModelConfigError, naming file and line, for a recording that cannot be read or that answers one prompt under
    two model names. `reply` raises RecordingMissing with the recorded prompt that comes nearest, and BadReply
    for a recorded reply that is empty.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._recorded = tuple(read_recording(self._path))
        if not self._recorded:
            raise ModelConfigError(f"{path}: the recording holds no reply")
        self._by_key: dict[str, list[Recorded]] = {}
        for recorded in self._recorded:
            exchange = recorded.exchange
            known = self._by_key.setdefault(_nameless_key(exchange.messages, exchange.sampling, exchange.sample), [])
            if known and known[0].exchange.model != exchange.model:
                other = known[0]
                raise ModelConfigError(
                    f"{recorded.place}: `{exchange.model}` answers a prompt that `{other.exchange.model}` answers at "
                    f"{other.place}; keep one model's replies apart from the other's"
                )
            known.append(recorded)
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return "+".join(dict.fromkeys(recorded.exchange.model for recorded in self._recorded))

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        key = _nameless_key(messages, sampling, sample)
        known = self._by_key.get(key)
        if known is None:
            nearest = nearest_prompt(messages, sampling, sample, self._recorded)
            raise RecordingMissing(f"{self._path}: no recorded reply to this prompt. {nearest}")
        with self._lock:
            turn = self._asked[key]
            self._asked[key] += 1
        found = known[min(turn, len(known) - 1)]
        if not found.exchange.reply.text.strip():
            raise BadReply(f"{found.place}: the recorded reply is empty", found.exchange.reply.usage)
        return found.exchange.reply

    def skip(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> None:
        """A resumed run answered this question from its log: count it as asked."""
        with self._lock:
            self._asked[_nameless_key(messages, sampling, sample)] += 1


def write_recording(path: Path | str, exchanges: Iterable[Exchange]) -> None:
    """Write a recording, one line an exchange, whole or not at all. Raises StorageError."""
    write_whole(Path(path), b"".join(json_line(exchange.as_json()) for exchange in exchanges))


def read_recording(path: Path | str) -> Iterator[Recorded]:
    """The exchanges of a recording, files in the order of their names. Raises ModelConfigError, naming the place.

    A run's log is a recording too: its lines with another `kind` than "reply" are passed over. A last line without its
    line end was cut off by a kill and is passed over as well.
    """
    root = Path(path)
    files = [root]
    if root.is_dir():
        log = root / "events.jsonl"
        files = [log] if log.exists() else sorted(root.rglob("*.jsonl"))
    for file in files:
        yield from _read_file(file)


def _read_file(file: Path) -> Iterator[Recorded]:
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise ModelConfigError(f"{file}: the recording cannot be read ({error.strerror or error})") from error
    for number, line in enumerate(lines, start=1):
        place = f"{file}:{number}"
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            if isinstance(data, dict) and data.get("kind", "reply") != "reply":
                continue
            yield Recorded(exchange_from_json(data), place)
        except (ValueError, RecursionError) as error:
            if number == len(lines) and number > 1:
                return
            raise ModelConfigError(f"{place}: not a line of a recording ({error})") from error


def _nameless_key(messages: Sequence[Message], sampling: Sampling, sample: int) -> str:
    return prompt_key("", messages, sampling, sample)
