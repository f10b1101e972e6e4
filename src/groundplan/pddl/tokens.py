"""From text to tokens: brackets and words in lower case, each with its place; comments are left out."""

from __future__ import annotations

import re

from groundplan.pddl.source import Span

_TOKEN = re.compile(r"[()]|\?[^\s()?]*|[^\s()?]+")
_COMMENT = re.compile(r";[^\r\n]*")


def without_comments(text: str) -> str:
    """The text with blanks in place of its comments; no character moves."""
    return _COMMENT.sub(lambda match: " " * len(match.group()), text) if ";" in text else text


class Tokens:
    """The tokens of a text. `texts` has one empty string more than there are tokens, so that looking ahead is safe."""

    __slots__ = ("count", "starts", "texts")

    def __init__(self, text: str) -> None:
        lower = text.lower()
        if len(lower) != len(text):  # some capital letters grow; offsets must not move
            lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
        lower = without_comments(lower)
        self.texts: list[str] = _TOKEN.findall(lower)
        # Only blanks stand between two tokens, so the next place a token is found is its own.
        self.starts: list[int] = []
        place = 0
        for token in self.texts:
            place = lower.find(token, place)
            self.starts.append(place)
            place += len(token)
        self.count = len(self.texts)
        self.texts.append("")

    def text(self, index: int) -> str:
        """The token at an index, or an empty string behind the end."""
        return self.texts[index] if index < self.count else ""

    def at_define(self, index: int) -> bool:
        return self.text(index) == "(" and self.text(index + 1) == "define"

    def next_define(self, index: int) -> int:
        """The index of the next `(define (domain ...` or `(define (problem ...` behind an index, or the end."""
        place = index + 1
        while place < self.count:
            try:
                place = self.texts.index("define", place)
            except ValueError:
                break
            if self.texts[place - 1] == self.texts[place + 1] == "(" and self.text(place + 2) in ("domain", "problem"):
                return place - 1
            place += 1
        return self.count

    def at_section(self, index: int) -> bool:
        return self.text(index) == "(" and self.text(index + 1)[:1] == ":"


def find_definitions(text: str) -> list[Span]:
    """Where the `(define ...)` forms of a text stand, prose and fences around them ignored.

    A definition that is never closed runs to the next `(define` or to the end of the text.
    """
    spans: list[Span] = []
    start, depth, index = -1, 0, 0
    tokens = Tokens(text)
    while index < tokens.count:
        if tokens.at_define(index):
            if start >= 0:
                spans.append(Span(start, tokens.starts[index]))
            start, depth = tokens.starts[index], 0
        if start >= 0 and tokens.texts[index] in ("(", ")"):
            depth += 1 if tokens.texts[index] == "(" else -1
            if depth == 0:
                while tokens.text(index + 1) == ")":
                    index += 1
                if tokens.at_section(index + 1):
                    depth = 1  # closed too early: what follows belongs to it
                else:
                    spans.append(Span(start, tokens.starts[index] + 1))
                    start = -1
        index += 1
    if start >= 0:
        spans.append(Span(start, len(text)))
    return spans
