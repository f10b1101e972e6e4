"""What the replies of the benchmarks' methods hold: plans, ratings, final answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from groundplan.models.reply_text import without_thinking

_BLOCK = re.compile(r"^[ \t]*```[ \t]*(?P<mark>[^\n`]*)\n(?P<text>.*?)(?:^[ \t]*```|\Z)", re.MULTILINE | re.DOTALL)
_RATING = re.compile(r"\brating\b\W{0,8}(10|[0-9])(?![0-9])", re.IGNORECASE)
_ANSWER = re.compile(r"^[ \t>*_#]*(?:final[ \t]+)?answer[ \t]*[*_]*[ \t]*:[ \t]*[*_]*", re.MULTILINE | re.IGNORECASE)


def plan_in(reply: str) -> str | None:
    """The text of the plan: the last block marked `plan`, else the last block without a PDDL definition."""
    blocks = [(found["mark"].strip().lower(), found["text"]) for found in _BLOCK.finditer(without_thinking(reply))]
    marked = [text for mark, text in blocks if mark == "plan"]
    plain = [text for mark, text in blocks if "(define" not in text.lower()]
    return (marked or plain or [None])[-1]


def rating_in(reply: str) -> float:
    """The last rating of a reply; 0 where it holds none, so that what was not rated is not preferred."""
    found = _RATING.findall(without_thinking(reply))
    return float(found[-1]) if found else 0.0


def answer_in(reply: str) -> str:
    """What stands after the last `Answer:`, else the whole reply without its thinking."""
    text = without_thinking(reply)
    marks = list(_ANSWER.finditer(text))
    after = text[marks[-1].end() :].strip() if marks else ""
    return after or text.strip()


def majority(answers: Sequence[str]) -> int:
    """The place of the first answer of the most frequent kind, of equally frequent ones the earliest.

    Answers are of one kind that differ in case, white space and punctuation at most.
    """
    kinds = [" ".join(re.findall(r"\w+", answer.lower())) for answer in answers]
    counts = Counter(kinds)
    return max(range(len(kinds)), key=lambda place: (counts[kinds[place]], -place))
