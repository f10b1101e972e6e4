"""Finding and reading a user's copy of public data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from groundplan.errors import InputError


def folder_in(data: Path | str, name: str) -> Path:
    """`data`/`name` where there is such a folder, else `data` itself: people give the one or the other.

    Raises InputError where `data` is no folder.
    """
    base = Path(data)
    if not base.is_dir():
        raise InputError(f"{base}: no such folder; --data wants the folder of {name}, or the one that holds it")
    inner = base / name
    return inner if inner.is_dir() else base


def text_of(path: Path) -> str:
    """The text of a file. Raises InputError, naming it, where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from error


def json_of(path: Path) -> Any:
    """What a JSON file holds. Raises InputError, naming it, where that cannot be read."""
    try:
        return json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error


def items_of(folder: Path, *names: str) -> tuple[Path, list[dict[str, Any]]]:
    """The first of the files that is there, and its list of objects; of `{id: object}` the ids are put in as `id`.

    Raises InputError where there is no such file, or where it holds something else.
    """
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    if path is None:
        raise InputError(f"{folder}: has none of {', '.join(names)}")
    found = json_of(path)
    if isinstance(found, dict):
        found = [{"id": key, **item} for key, item in found.items() if isinstance(item, dict)]
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise InputError(f"{path}: a list of objects is wanted")
    return path, found
