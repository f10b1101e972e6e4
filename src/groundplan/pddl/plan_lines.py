"""The spellings of a plan, read line by line.

Known are `(a b c)` in any layout (several on a line, one over several lines, comments anywhere), with a time stamp
and a duration (`0.000: (a b) [0.001]`), as a numbered or bulleted list, in a Markdown fence, as a JSON list of
strings, without brackets (`a b c`), and FF's console output. Every pattern is possessive, so reading is linear.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.source import Source, Span

_MOST_ERRORS = 50

_NUMBER = r"\d++(?:\.\d++)?+"
_INSIDE = r"(?:[^()\[\]{};:,\"'`]++|;[^\n\r]*+)*+"
_WORDS = r"[^\W\d][\w-]*+(?:[ \t]++[\w-]++)*+"
_NUMBERING = rf"(?:(?:step[ \t]*+)?+({_NUMBER})[ \t]*+[:.)]|[-*+•](?=[ \t]))[ \t]*+"
_DURATION = r"\[[\d.,:;=dc \t]*+\]"
_EOL = r"(?:\r\n|\r|\n|\Z)"

# A whole line with one step: 1 number or time, 2 what its brackets hold, 3 the words of a line without brackets.
_LINE = re.compile(
    rf"[\s\ufeff]*+(?:{_NUMBERING})?+(?:[`*]*+\(({_INSIDE})\)[`*]*+|`?+({_WORDS})`?+)[ \t]*+"
    rf"(?:{_DURATION}[ \t]*+)?+(?:;[^\n\r]*+)?+{_EOL}"
)
_STEP = re.compile(rf"(?:{_NUMBERING})?+[`*]*+\(({_INSIDE})\)[`*]*+[ \t]*+(?:{_DURATION})?+")
_BLANKS = re.compile(r"[\s\ufeff]*+")
_BLANKS_IN_LINE = re.compile(r"[ \t\f\v]*+")
_REST = re.compile(r"[^\n\r]*+")
_COMMENT = re.compile(r";[^\n\r]*+")
_FENCE = re.compile(rf"(?:```|~~~)[ \t]*+\w*+[ \t]*+{_EOL}")
_COST = re.compile(
    r"[; \t]*+(?:\[t=[^\]\n\r]*+\][ \t]*+)?+(?:(?:plan|total|final|solution)[ \t-]++)?+\(?+[ \t]*+cost[ \t]*+[:=]"
    rf"[ \t]*+({_NUMBER})(?![\w-])"
)
_COST_END = re.compile(rf"[ \t]*+(?:\((?:general|unit)[ \t]cost\)|\))?+[ \t]*+(?:{_DURATION})?+[ \t]*+\.?+{_EOL}")
_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')

_FF = re.compile(r"^[ \t]*+ff:", re.MULTILINE)
_FF_PLAN = re.compile(r"^[ \t]*+ff: (?:found legal plan|goal can be simplified to true)", re.MULTILINE)
_FF_NOISE = re.compile(
    r"(?:ff: (?:parsing|search configuration|found legal plan|goal can be simplified to true)|step[ \t]*+[\n\r]"
    r"|(?:domain|problem) '[^'\n\r]*+' defined|\.\.\. done|no metric|metric (?:established|is)|no optimization"
    r"|checking for cyclic|task contains|translating negated|cueing down|enforced hill|switching to best"
    rf"|advancing to|weights? |time spent:|{_NUMBER} seconds |\d++[ \t]*+(?:\[|(?=[\n\r])|\Z))[^\n\r]*+"
)


@dataclass
class Draft:
    """What was read so far. `stamps` are the numbers or times in front of the steps, empty where there are none."""

    source: Source
    words: list[tuple[str, ...]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    stamps: list[str | None] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    cost: float | None = None

    def add(self, content: str, span: tuple[int, int], stamp: str | None) -> bool:
        """Take the words of a step; false when there are none."""
        words = tuple((_COMMENT.sub(" ", content) if ";" in content else content).split())
        if words:
            self.words.append(words)
            self.spans.append(span)
            self.stamps.append(stamp)
        return bool(words)

    def report(self, code: str, message: str, span: Span, hint: str = "", severity: Severity = Severity.ERROR) -> None:
        self.diagnostics.append(Diagnostic(code, Category.SYNTAX, severity, message, span, self.source, hint))

    def unreadable(self, start: int, end: int) -> None:
        hint = "write one step a line, as (action object ...), and comments behind `;`"
        self.report("plan-unreadable-line", "cannot read this line", Span(start, end), hint)


def lowered(text: str) -> str:
    """The text in lower case with every character in its place (some letters grow when they are lowered)."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def cost_of_line(line: str) -> float | None:
    """The cost that a line reports (`; cost = 4 (general cost)`, `plan (cost: 4.0) [0.001]`), if it does that."""
    match = _COST.match(line)
    if match is None or not (line.startswith(";") or _COST_END.match(line, match.end())):
        return None
    return float(match[1])


def read_lines(source: Source) -> Draft:
    """Read a plan in any spelling; the draft has an error for every line that cannot be read."""
    text = lowered(source.text)
    draft = Draft(source)
    if not _read_json(text, draft):
        _read_text(text, draft)
    _judge_layout(text, draft)
    _sort_by_stamp(draft)
    return draft


def _read_text(text: str, draft: Draft) -> None:
    is_ff = _FF.search(text) is not None
    at = 0
    while at < len(text) and len(draft.diagnostics) < _MOST_ERRORS:
        match = _LINE.match(text, at)
        if match is None:
            at = _read_odd_line(text, at, is_ff, draft)
        elif match[2] is not None and draft.add(match[2], match.span(2), match[1]):
            at = match.end()
        elif match[3] is not None and (match[1] or not is_ff):
            draft.bare.append(len(draft.words))
            draft.add(match[3], match.span(3), match[1])
            at = match.end()
        else:
            at = _read_odd_line(text, at, is_ff, draft)


def _read_odd_line(text: str, at: int, is_ff: bool, draft: Draft) -> int:
    """Read a line that is more, or less, than one step; returns where it ends."""
    at = _end(_BLANKS, text, at)
    end = _end(_REST, text, at)
    if (cost := cost_of_line(text[at:end])) is not None:
        draft.cost = cost
        return end
    if at == end or _FENCE.match(text, at) or (is_ff and _FF_NOISE.match(text, at)):
        return end
    while at < len(text) and text[at] not in "\n\r":
        if text[at] == ";":
            return _end(_REST, text, at)
        match = _STEP.match(text, at)
        if match is None or not draft.add(match[2], match.span(2), match[1]):
            end = _end(_REST, text, at)
            draft.unreadable(at, end)
            return end
        at = _end(_BLANKS_IN_LINE, text, match.end())
    return at


def _read_json(text: str, draft: Draft) -> bool:
    """Read a JSON list of strings, alone or in a fence; false when the text is no such thing."""
    start = _end(_BLANKS, text, 0)
    if fence := _FENCE.match(text, start):
        start = _end(_BLANKS, text, fence.end())
    if not text.startswith("[", start):
        return False
    body = text[start:].rstrip().removesuffix("```").removesuffix("~~~")
    try:
        items = json.loads(body)
    except (ValueError, RecursionError):
        return False
    if not all(isinstance(item, str) for item in items):
        whole = Span(start, start + len(body.rstrip()))
        draft.report("plan-unreadable-line", "cannot read this list: every step must be one string", whole)
        return True
    for item, place in zip(items, _JSON_STRING.finditer(text, start), strict=False):
        inner = Draft(draft.source)
        _read_text(item, inner)
        if len(inner.words) != 1 or inner.diagnostics:
            draft.unreadable(*place.span())
            continue
        if inner.bare:
            draft.bare.append(len(draft.words))
        draft.words += inner.words
        draft.stamps += inner.stamps
        draft.spans.append((place.start() + 1, place.end() - 1))
    return True


def _judge_layout(text: str, draft: Draft) -> None:
    """Lines without brackets are steps only where all lines are; planner output must say that it found a plan."""
    if draft.bare and len(draft.bare) < len(draft.words):
        for index in draft.bare[:_MOST_ERRORS]:
            draft.unreadable(*draft.spans[index])
        _keep(draft, sorted(set(range(len(draft.words))).difference(draft.bare)))
        draft.bare.clear()
    if not draft.words and not draft.diagnostics and (ff := _FF.search(text)) and not _FF_PLAN.search(text):
        place = Span(ff.start(), _end(_REST, text, ff.start()))
        draft.report("plan-missing", "this planner output holds no plan", place)


def _sort_by_stamp(draft: Draft) -> None:
    """Put steps in the order of their times or numbers, where these are distinct; else running back is an error."""
    stamps = [float(stamp) for stamp in draft.stamps if stamp]
    back = next((index for index in range(1, len(stamps)) if stamps[index] < stamps[index - 1]), None)
    if back is None or len(stamps) < len(draft.words):
        return
    place = Span(*draft.spans[back])
    if len(set(stamps)) < len(stamps):
        message = "the numbers of the steps start again here: is this more than one plan?"
        draft.report("plan-order-unclear", message, place, "give the steps of one plan, in order")
        return
    message = "the numbers of the steps run back here; the steps were put in the order of their numbers"
    draft.report("plan-steps-reordered", message, place, severity=Severity.WARNING)
    _keep(draft, sorted(range(len(stamps)), key=stamps.__getitem__))


def _keep(draft: Draft, order: list[int]) -> None:
    draft.words = [draft.words[index] for index in order]
    draft.spans = [draft.spans[index] for index in order]
    draft.stamps = [draft.stamps[index] for index in order]


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a pattern that matches everywhere, if only nothing, stops."""
    match = pattern.match(text, at)
    return match.end() if match else at
