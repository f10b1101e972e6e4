"""Reading a plan out of a reply: PDDL-like steps or English ones, in lists, fences or between [PLAN] and [PLAN END].

Prose around the plan is passed over. A line that is a step but names something unknown is kept as it is, so that the
plan is judged with it and not as another plan without it.
"""

from __future__ import annotations

import re

from groundplan.bench.sets.planning.vocabulary import Vocabulary
from groundplan.models.reply_text import without_thinking
from groundplan.pddl.ast import Plan, Step
from groundplan.pddl.plan import read_plan
from groundplan.pddl.source import Source

LONGEST = 200_000
"""Characters of a reply that are looked at, from its end."""

_MARKED = re.compile(
    r"\[PLAN\](.*?)(?:\[PLAN END\]|\[END PLAN\]|\[/PLAN\]|\[STATEMENT\]|\Z)", re.DOTALL | re.IGNORECASE
)
_FENCED = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)^[ \t]*(?:```|~~~)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(
    r"^[\W_]*(?:(?:here is|here's)\s+)?(?:(?:the|my|a|valid|final|complete|correct|resulting)\s+)*"
    r"(?:plan|solution|answer)(?:\s+is)?\s*[*_]*:?[*_]*[ \t]*(?:$|(?<=[:*]))",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r"\s*(?:[-*+•>]+(?=\s)|(?:step\s*)?\d+(?:\.\d+)?\s*[.:)]|\(\d+\))?\s*", re.IGNORECASE)
_WORD = r"[\w-]+"
_PDDL = re.compile(rf"\(\s*({_WORD})((?:[\s,]+\??{_WORD})*)\s*\)")
_CALL = re.compile(rf"({_WORD})\(\s*((?:{_WORD}(?:[\s,]+{_WORD})*)?)\s*\)")
_OPENING = re.compile(
    r"(?:(?:and|then|next|finally|first|firstly|afterwards|after that|now|lastly|i|we|you|the robot|the arm|will|"
    r"the hand|action|to)\b[,:]?\s*)+",
    re.IGNORECASE,
)
_PARTS = re.compile(r";\s*|\.\s+|,?\s+(?:and\s+)?then\s+|,\s+and\s+", re.IGNORECASE)


def read_steps(reply: str, words: Vocabulary) -> Plan | None:
    """The plan that a reply gives; None where it gives none. Never raises, whatever the reply says."""
    text = without_thinking(reply[-LONGEST:])
    marked = _MARKED.findall(text)
    if marked:
        return _steps_in(marked[-1], words)
    regions = [found.group(1) for found in reversed(list(_FENCED.finditer(text)))]
    headings = list(_HEADING.finditer(text))
    if headings:
        regions.append(text[headings[-1].end() :])
    for region in (*regions, text):
        found = _steps_in(region, words)
        if found:
            return found
    return None


def _steps_in(text: str, words: Vocabulary) -> Plan:
    plain = read_plan(Source(text, "plan"))
    if plain.words and plain.is_readable and not plain.bare and all(words.is_action(step[0]) for step in plain.words):
        return tuple(words.step(step[0], step[1:]) for step in plain.words)
    return tuple(step for line in text.splitlines() for step in _steps_of_line(line, words))


def _steps_of_line(line: str, words: Vocabulary) -> list[Step]:
    plain = re.sub(r"[`*\"']", "", line)
    rest = plain[_end(_BULLET, plain) :].strip()
    if len(rest) > 1000:
        return []
    found = [words.step(match[1], re.split(r"[\s,]+", match[2].strip())) if match[2].strip() else
             words.step(match[1], ()) for pattern in (_PDDL, _CALL) for match in pattern.finditer(rest)
             if words.is_action(match[1])]  # fmt: skip
    if found:
        return found
    whole = _PDDL.fullmatch(rest.rstrip(".;,"))
    if whole is not None and whole[2].strip():
        return _unknown(whole[1], whole[2].split(), words)
    tokens = rest.rstrip(".;,").split()
    if len(tokens) > 1 and words.is_action(tokens[0]) and all(words.object_of(token) for token in tokens[1:]):
        return [words.step(tokens[0], tokens[1:])]
    return [step for part in _PARTS.split(rest) for step in _english(part, words)]


def _unknown(action: str, args: list[str], words: Vocabulary) -> list[Step]:
    """A line in brackets whose action is not known is a wrong step if it speaks of the task's objects, else prose."""
    return [words.step(action, args)] if all(words.object_of(arg) for arg in args) else []


def _english(text: str, words: Vocabulary) -> list[Step]:
    rest = text[_end(_OPENING, text) :].strip(" .,:;")
    led = words.lead(rest)
    if led is None:
        return []
    actions, after = led
    args = words.mentioned(after)
    if not args and any(action.parameters for action in actions):
        return []
    return [words.fitting(actions, args)]


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0
