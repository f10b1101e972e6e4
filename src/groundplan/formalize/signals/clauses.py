"""Sentences and clauses of a task text, and which of them state the goal.

Nothing is parsed: a clause is a run of words between full stops, semicolons and a few conjunctions, and cue words say
what it is. When in doubt a clause is no goal, so that a check says too little rather than too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from groundplan.formalize.signals.words import Token

Role: TypeAlias = Literal["goal", "demand", "open", "fact", "rule", "start"]

IMPERATIVES = frozenset(
    "bring move put get take deliver build stack carry place transport make collect gather swap arrange rearrange "
    "transfer return send ship haul drive fly fetch store park pile sort distribute ensure turn switch open close shut "
    "clean paint wash water load unload assemble reach visit hang lay set leave exchange shift push pull drop turn "
    "lock "
    "unlock ferry serve escort".split()
)
_SKIPPED = frozenset(
    "please now then also so and kindly just first finally next - * • you we i have need must should , :".split()
)
_WANTS = frozenset("want wants wish wishes like likes".split())
_HOW = re.compile(r"\bhow (?:do|can|could|should|must|would) (?:i|we|you|one)\b")
_SPEAKERS = frozenset("i we you he she they user would".split())
_NOT_WANTED = re.compile(r"\b(?:would not|do not|don't|wouldn't) (?:want|like)\b")
_END = re.compile(
    r"\b(?:(?:at|in|by|until) the (?:very )?end\b(?! of\b)|finally\b|eventually\b|ends? up\b|final state|in the final|"
    r"(?:at|by) the finish|when (?:you are|it is|all is|everything is) (?:done|over)|"
    r"when (?:i|we) (?:come|get|return|arrive|am|are)\b|afterwards\b|so that\b)"
)
_GOAL = re.compile(r"\b(?:goal|objective|aim|mission|task|target|job)(?: state| configuration| conditions?)?\b")
_GOAL_HEAD = re.compile(_GOAL.pattern + r"(?: here| now| for (?:you|the \w+))? (?:is|are|should be|requires|:)")
_MODAL = re.compile(r"\b(?:must|should|shall|ha(?:s|ve) to|needs? to|ought to|(?:is|are) to be|required to)\b")
_RULE = re.compile(
    r"\b(?:only|if|unless|before|whenever|when|once|without|while|at a time|at once|at most|at least|cannot|can|can't|"
    r"either|always|never|until|in order|must not|may not|should not|each time|every time|as long as|not allowed|"
    r"to perform|in any|in one|a step|first be|first have|already|precondition)\b"
)
_OPEN = re.compile(
    r"\b(?:anywhere|any where|wherever|any (?:\w+ )?(?:place|room|location|position)|(?:does|do) not matter|"
    r"(?:need|needs) not|doesn't matter|don't (?:care|matter)|needn't|no matter|not important|"
    r"unimportant|irrelevant|not care|up to you|(?:may|can|might|could) (?:\w+ )?(?:end|finish)|"
    r"(?:may|might) (?:\w+ )?(?:be|stay|remain|stand|lie)|"
    r"can (?:stay|remain|be left)|where (?:it|they|he|she) (?:likes?|wants?))\b"
)
_KEEP = re.compile(r"\b(?:where|as) (?:it|they|he|she) (?:is|are|was|were)\b")
_NEGATIVE = re.compile(r"\b(?:no|not|nothing|none|never|neither|nor|without|nobody|isn't|aren't|empty-handed)\b")
_START = re.compile(
    r"\b(?:initial(?:ly)?|at the (?:start|beginning|moment)|in the beginning|currently|at present|right now|"
    r"to begin with|starting (?:state|position)|starts?|begins?|so far)\b"
)
_STATES = re.compile(rf"\b(?:is|are|be|must|should|{'|'.join(sorted(IMPERATIVES))})\b")
_BREAKS = frozenset(("but", "while", "whereas", "although", "though", ";", "—"))
_MARKUP = frozenset("* # ` • _ ~".split())
_STOPS = frozenset((".", "!", "?", ":", "\n"))


@dataclass(frozen=True, slots=True)
class Clause:
    """Tokens `first` up to but without `last`.

    Roles: "goal" (certainly part of the goal), "demand" (probably: "must", "should"), "open" (says that something is
    not asked for), "start" (the initial state), "rule" (what may happen when), "fact" (anything else).
    """

    first: int
    last: int
    role: Role
    negative: bool = False


def clauses_of(tokens: Sequence[Token]) -> list[Clause]:
    found: list[Clause] = []
    header = False
    for first, last in _sentences(tokens):
        stop = tokens[last].text if last < len(tokens) else "."
        low = _words(tokens, first, last)
        is_short = last - first <= 4
        starts = bool(_START.search(low)) and not _END.search(low) and not _GOAL.search(low)
        header = header and not starts and not (stop == ":" and is_short)
        start, certain = (first, True) if header else _goal_start(tokens, first, last, low)
        asks = bool(_GOAL.search(low)) or (is_short and bool(_END.search(low)))
        is_title = asks and (stop == ":" or last - first <= 2) and not _START.search(low)
        header = header or is_title or (certain and asks and "following" in low)
        if start > first:
            found += _split(tokens, first, start, False)
        found += _split(tokens, start, last, certain)
    return found


def join_lines(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with line breaks that end a sentence made full stops, and all others left out.

    Markdown's marks go too, and a heading ends in a colon.
    """
    joined: list[Token] = []
    line = 0
    for i, token in enumerate(tokens):
        if not token.text.startswith("\n"):
            if token.text not in _MARKUP:
                joined.append(token)
            continue
        if line < i and tokens[line].text == "#":
            joined.append(Token(":", ":", token.start))
        elif token.text == "\n\n" or _is_break(tokens, line, i):
            joined.append(Token("\n", "\n", token.start))
        line = i + 1
    return joined


def _is_break(tokens: Sequence[Token], line: int, i: int) -> bool:
    """Whether the line break at `i` ends a sentence: a list item follows, or a short line and a capital letter."""
    if i + 1 >= len(tokens) or line >= i or tokens[i + 1].text in ("-", "*", "•"):
        return True
    is_short = tokens[i].start - tokens[line].start < 60
    return is_short and (tokens[i + 1].text[0].isupper() or tokens[i - 1].text in (",", ";"))


def _sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    first = 0
    for i, token in enumerate(tokens):
        if token.text in _STOPS:
            if i > first:
                yield first, i
            first = i + 1
    if first < len(tokens):
        yield first, len(tokens)


def _goal_start(tokens: Sequence[Token], first: int, last: int, low: str) -> tuple[int, bool]:
    """Where the goal begins in a sentence, and whether there is one."""
    if found := _GOAL_HEAD.search(low):
        return first + len(low[: found.end()].split()), not _START.search(low[: found.end()])
    if _END.search(low) and not _START.search(low):
        return first, True
    if found := _HOW.search(low):
        return first + len(low[: found.end()].split()), True
    if tokens[first].low == "have":
        return first, not _RULE.search(low)
    if not _NOT_WANTED.search(low):
        for i in range(first + 1, last - 1):
            wish = tokens[i].low in _WANTS and (tokens[i].low[:4] != "like" or tokens[i - 1].low in ("would", "'d"))
            wish = wish or (tokens[i].low == "need" and tokens[i - 1].low in ("i", "we") and tokens[i + 1].low != "to")
            if wish or tokens[i].low in ("i'd", "we'd"):
                return (i if tokens[i - 1].low in _SPEAKERS else first), True
    for i in range(first, last):
        if tokens[i].low in IMPERATIVES:
            return i, not _RULE.search(low)
        if tokens[i].low not in _SKIPPED and not tokens[i].text.isdecimal():
            break
    return first, False


def _split(tokens: Sequence[Token], first: int, last: int, certain: bool) -> Iterator[Clause]:
    start = first
    for i in range(first, last + 1):
        if i < last and tokens[i].low not in _BREAKS:
            continue
        if i > start:
            low = _words(tokens, start, i)
            whole = Clause(start, i, _role(low, certain), bool(_NEGATIVE.search(low)))
            yield from _parts(tokens, whole, certain) if whole.role == "open" else (whole,)
        start = i + 1


def _parts(tokens: Sequence[Token], whole: Clause, certain: bool) -> Iterator[Clause]:
    """A clause that leaves something open, without its neighbours that demand something ("Bring X to Y, Z may ...")."""
    start = whole.first
    for i in range(whole.first, whole.last + 1):
        if i < whole.last and tokens[i].text != ",":
            continue
        low = _words(tokens, start, i)
        if i == whole.last or _OPEN.search(low) or _STATES.search(low):
            if i > start:
                yield Clause(start, i, _role(low, certain), bool(_NEGATIVE.search(low)))
            start = i + 1


def _role(low: str, certain: bool) -> Role:
    if (
        _OPEN.search(low)
        and not _RULE.search(low.replace(" can ", " "))
        and not low.startswith(("no ", "none ", "nothing "))
    ):
        return "open"
    if _KEEP.search(low):
        return "rule"
    if certain:
        return "goal"
    if _RULE.search(low) or low.startswith(("to ", "a ", "an ", "any ")):
        return "rule"
    if _MODAL.search(low):
        return "demand"
    return "start" if _START.search(low) else "fact"


def leaves_open(words: str) -> bool:
    """Whether words, in lower case, say that something is not asked for."""
    return bool(_OPEN.search(words))


def _words(tokens: Sequence[Token], first: int, last: int) -> str:
    return " ".join(token.low for token in tokens[first:last])
