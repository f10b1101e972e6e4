"""Which recorded prompt comes nearest to one that has no recording, and where the two part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from difflib import SequenceMatcher
from typing import Protocol

from groundplan.models.exchange import Exchange
from groundplan.models.protocol import Message, Sampling

_MOST_COMPARED = 300
_MOST_CHARACTERS = 1500


class Placed(Protocol):
    """An exchange and where it stands."""

    @property
    def exchange(self) -> Exchange: ...

    @property
    def place(self) -> str: ...


def nearest_prompt(messages: Sequence[Message], sampling: Sampling, sample: int, recorded: Sequence[Placed]) -> str:
    """A sentence for people: the place of the nearest recorded prompt and its first difference."""
    asked = tuple(messages)
    for candidate in recorded:
        if candidate.exchange.messages == asked:
            return f"{candidate.place} has the same messages, but {_settings(candidate.exchange, sampling, sample)}."
    nearest = max(recorded[:_MOST_COMPARED], key=lambda candidate: _likeness(asked, candidate.exchange.messages))
    return f"The nearest is {nearest.place}: {_first_difference(asked, nearest.exchange.messages)}."


def _settings(exchange: Exchange, sampling: Sampling, sample: int) -> str:
    pairs = [(f.name, getattr(exchange.sampling, f.name), getattr(sampling, f.name)) for f in fields(Sampling)]
    pairs.append(("sample", exchange.sample, sample))
    return ", ".join(f"{name} is {there} there and {here} here" for name, there, here in pairs if there != here)


def _likeness(asked: Sequence[Message], there: Sequence[Message]) -> tuple[int, float]:
    """Equal leading messages first, then how alike the first unequal ones are."""
    equal = _equal_messages(asked, there)
    if equal == min(len(asked), len(there)):
        return equal, 1.0
    left, right = asked[equal].content, there[equal].content
    start = _equal_characters(left, right)
    tail = SequenceMatcher(
        None, left[start : start + _MOST_CHARACTERS], right[start : start + _MOST_CHARACTERS], autojunk=False
    )
    return equal, start / max(len(left), len(right), 1) + tail.quick_ratio()


def _first_difference(asked: Sequence[Message], there: Sequence[Message]) -> str:
    equal = _equal_messages(asked, there)
    if equal == min(len(asked), len(there)):
        return f"it has {len(there)} messages where this one has {len(asked)}; the first {equal} are equal"
    here, recorded = asked[equal], there[equal]
    if here.role != recorded.role:
        return f"message {equal + 1} is from {recorded.role} there and from {here.role} here"
    start = _equal_characters(here.content, recorded.content)
    return (
        f"message {equal + 1} ({here.role}) differs from character {start + 1} on: "
        f"`{_window(recorded.content, start)}` there, `{_window(here.content, start)}` here"
    )


def _window(text: str, start: int) -> str:
    return " ".join(text[max(0, start - 20) : start + 40].split())


def _equal_messages(left: Sequence[Message], right: Sequence[Message]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (one, other) in pairs if one != other), min(len(left), len(right)))


def _equal_characters(left: str, right: str) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (one, other) in pairs if one != other), min(len(left), len(right)))
