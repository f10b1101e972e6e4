"""Replies kept on disk, so that no question is paid for twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from groundplan.models.errors import ModelConfigError
from groundplan.models.exchange import Exchange, exchange_from_json, json_line, prompt_key
from groundplan.models.protocol import Message, Model, Reply, Sampling, Usage
from groundplan.models.storage import write_whole


@dataclass(frozen=True, slots=True)
class CachedReply(Reply):
    """A reply from the cache. Its `usage` is zero, since a hit costs nothing; `paid` is what it cost once."""

    paid: Usage = field(default_factory=Usage)


class CachedModel:
    """Keeps the replies of `model` under `directory`, by prompt, model name, sampling and sample index.

    One file a reply, written whole or not at all: a kill leaves no broken entry, and any number of processes may share
    the directory. The directory is also a recording (see replay.py): it can be shipped and replayed. Errors are not
    kept. Raises StorageError when the disk is full, ModelConfigError for an entry that something else has damaged.
    """

    def __init__(self, model: Model, directory: Path | str) -> None:
        self.hits = 0
        self.misses = 0
        self._model = model
        self._directory = Path(directory)

    @property
    def name(self) -> str:
        return self._model.name

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        key = prompt_key(self.name, messages, sampling, sample)
        entry = self._directory / key[:2] / f"{key}.jsonl"
        known = _read(entry)
        if known is not None:
            self.hits += 1
            answer = known.reply
            return CachedReply(
                answer.text, answer.model, answer.finish, Usage(0, 0, 0.0), answer.seconds, paid=answer.usage
            )
        self.misses += 1
        answer = self._model.reply(messages, sampling, sample)
        recorded = datetime.now(UTC).isoformat(timespec="seconds")
        write_whole(
            entry, json_line(Exchange(self.name, tuple(messages), sampling, sample, answer, recorded).as_json())
        )
        return answer


def _read(entry: Path) -> Exchange | None:
    try:
        data = json.loads(entry.read_bytes())
        return exchange_from_json(data)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ModelConfigError(f"{entry}: this cache entry is damaged ({error}); delete it to ask again") from error
