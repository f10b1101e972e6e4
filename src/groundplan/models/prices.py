"""What tokens cost: a table that the user writes, in US dollars per million tokens."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from groundplan.errors import InputError
from groundplan.pddl.source import read_source


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens; `cached_prompt` is for prompt tokens that the server had in its own cache."""

    prompt: float
    completion: float
    cached_prompt: float | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """US dollars for one call; `cached_tokens` of the prompt tokens are billed at the cached price."""
        cached_price = self.prompt if self.cached_prompt is None else self.cached_prompt
        cached = min(cached_tokens, prompt_tokens)
        fresh = prompt_tokens - cached
        return (fresh * self.prompt + cached * cached_price + completion_tokens * self.completion) / 1e6


def read_prices(path: Path | str) -> dict[str, Prices]:
    """Read a TOML file with one table a model: `["name"]`, then `prompt = 2.5` and `completion = 10.0`.

    Raises InputError naming the file and the entry.
    """
    try:
        tables = tomllib.loads(read_source(path).text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not a TOML file ({error})") from error
    return {model: _prices(f"{path}: [{model}]", table) for model, table in tables.items()}


def _prices(place: str, table: object) -> Prices:
    wanted = 'write ["name"], then prompt = and completion = in US dollars per million tokens'
    if not isinstance(table, Mapping) or not {"prompt", "completion"} <= set(table):
        raise InputError(f"{place}: {wanted}")
    for name, value in table.items():
        if name not in ("prompt", "completion", "cached_prompt"):
            raise InputError(f"{place}: unknown price `{name}`; {wanted}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise InputError(f"{place}: `{name}` must be a number of dollars, not {value!r}")
    return Prices(**{name: float(value) for name, value in table.items()})
