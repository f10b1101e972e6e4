"""A run's settings: what decides its result, kept in run.json and compared on resume."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundplan import __version__
from groundplan.errors import InputError
from groundplan.models.exchange import json_line
from groundplan.models.storage import write_whole

FORMAT = 1
_MISSING = object()


@dataclass(frozen=True, slots=True)
class RunHead:
    """What run.json says."""

    id: str
    created: str
    version: str
    settings: Mapping[str, Any]


def write_head(path: Path, settings: Mapping[str, Any]) -> RunHead:
    """Write run.json. Raises StorageError; TypeError or ValueError for settings that JSON cannot hold."""
    head = RunHead(uuid.uuid4().hex, datetime.now(UTC).isoformat(timespec="seconds"), __version__, settings)
    data = {"format": FORMAT, "id": head.id, "created": head.created, "groundplan": head.version, "settings": settings}
    write_whole(path, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())
    return head


def read_head(path: Path) -> RunHead:
    """Read run.json. Raises InputError when it is damaged or from a later version."""
    try:
        data = json.loads(path.read_bytes())
        if data["format"] != FORMAT:
            raise InputError(f"{path}: written by groundplan {data.get('groundplan')}, which this version cannot read")
        if not isinstance(data["settings"], dict):
            raise ValueError("no settings")
        return RunHead(data["id"], data["created"], data["groundplan"], data["settings"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: the run's settings cannot be read ({error}); start a new run") from error


def as_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The form that comes back from the file (tuples as lists), so that the two can be compared."""
    form: dict[str, Any] = json.loads(json_line(settings))
    return form


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Each setting that differs, as `seed was 1, is 2`."""
    old, new = dict(_flat(before)), dict(_flat(now))
    return [
        f"{name} was {_shown(old.get(name, _MISSING))}, is {_shown(new.get(name, _MISSING))}"
        for name in sorted(old.keys() | new.keys())
        if old.get(name, _MISSING) != new.get(name, _MISSING)
    ]


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _shown(value: object) -> str:
    if value is _MISSING:
        return "not set"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
