"""Words and bracketed forms: what a definition is before it is known to mean anything."""

from __future__ import annotations

from groundplan.pddl.source import Span


class Word:
    """A name, variable, keyword or number: `text` in lower case, and where it stands."""

    __slots__ = ("end", "start", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Form:
    """A bracketed list of words and forms; `closed` is false where the text ended before its bracket."""

    __slots__ = ("closed", "end", "items", "start")

    def __init__(self, start: int) -> None:
        self.items: list[Word | Form] = []
        self.start = start
        self.end = start + 1
        self.closed = False

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def head(self) -> str:
        """The first word, or an empty string."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Node = Word | Form
