"""What a repair changed: a unified diff of two texts, long unchanged parts folded."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from groundplan.formalize.report_text import escape, many

CONTEXT = 3
ROW = 100
"""Characters that the markup of a row takes."""
MOST_FOLDED = 120
"""Unchanged lines that a fold still holds; longer runs are only counted (they stand in the listing)."""
MOST_COMPARED = 1_000_000
"""Beyond this many pairs of lines the comparison would take seconds: all lines between the equal ends count as new."""
MOST_WIDTH = 800
MOST_WORDS = 80
"""Lines with more words, brackets and blanks than this are not compared word by word."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_WORDS = re.compile(r"\s+|[()]|[^\s()]+")


def render_diff(before: str, after: str, room: int = 150_000) -> str:
    """Two texts compared line by line, as HTML; changed lines beyond `room` characters are only counted."""
    old, new = _lines(before), _lines(after)
    rows = ['<div class="listing diff">']
    blocks = _blocks(old, new)
    for index, (kind, start, end, new_start, new_end) in enumerate(blocks):
        if kind == "equal":
            rows.append(_unchanged(old[start:end], start, new_start, index == 0, index == len(blocks) - 1))
            continue
        was, room = _fitting(old[start:end], room)
        now, room = _fitting(new[new_start:new_end], room)
        rows += _changed(was, now, start, new_start)
        missing = end - start - len(was) + new_end - new_start - len(now)
        if missing:
            rows.append(f'<p class="cut">… {many(missing, "more changed line")} left out …</p>')
    return "".join([*rows, "</div>"])


def count_changes(before: str, after: str) -> tuple[int, int]:
    """How many lines were removed, and how many added."""
    changed = [block for block in _blocks(_lines(before), _lines(after)) if block[0] != "equal"]
    return sum(block[2] - block[1] for block in changed), sum(block[4] - block[3] for block in changed)


def _lines(text: str) -> list[str]:
    lines = _LINE_END.split(text)
    return lines[:-1] if lines and not lines[-1] else lines


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """The opcodes of difflib; equal ends are set aside first, which is most of the work for texts that agree."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    stop, new_stop = len(old) - tail, len(new) - tail
    blocks: list[tuple[str, int, int, int, int]] = [("equal", 0, head, 0, head)] if head else []
    if (stop - head) * (new_stop - head) > MOST_COMPARED:
        blocks.append(("replace", head, stop, head, new_stop))
    elif max(stop, new_stop) > head:
        codes = difflib.SequenceMatcher(None, old[head:stop], new[head:new_stop], autojunk=False).get_opcodes()
        blocks += [(kind, a + head, b + head, c + head, d + head) for kind, a, b, c, d in codes]
    return blocks + ([("equal", stop, len(old), new_stop, len(new))] if tail else [])


def _fitting(lines: list[str], room: int) -> tuple[list[str], int]:
    """The lines that fit into so many characters, and the room that is left."""
    for index, line in enumerate(lines):
        room -= ROW + min(len(line), MOST_WIDTH)
        if room < 0:
            return lines[:index], 0
    return lines, room


def _unchanged(lines: Sequence[str], old: int, new: int, first: bool, last: bool) -> str:
    """Equal lines: a few as context, the rest in a fold."""
    start = 0 if first else CONTEXT
    end = len(lines) - (0 if last else CONTEXT)
    if end - start < 4:
        return "".join(_same(line, old + index, new + index) for index, line in enumerate(lines))
    rows = [_same(lines[index], old + index, new + index) for index in range(len(lines))][: MOST_FOLDED + 2 * CONTEXT]
    title = many(end - start, "unchanged line")
    if end - start > MOST_FOLDED:
        fold = f'<p class="cut">… {title} …</p>'
        tail = [_same(lines[index], old + index, new + index) for index in range(end, len(lines))]
        return "".join([*rows[:start], fold, *tail])
    fold = f'<details class="fold"><summary>{title}</summary>{"".join(rows[start:end])}</details>'
    return "".join([*rows[:start], fold, *rows[end:]])


def _changed(was: Sequence[str], now: Sequence[str], old: int, new: int) -> list[str]:
    """Removed lines, then added ones; as many of each are compared word by word, line with line."""
    if len(was) == len(now):
        pairs = [_compared(one, two) for one, two in zip(was, now, strict=True)]
    else:
        pairs = [*((_cut(line), "") for line in was), *(("", _cut(line)) for line in now)]
    removed = [pair[0] for pair in pairs][: len(was)]
    added = [pair[1] for pair in pairs][len(pairs) - len(now) :]
    rows = [_row("del", f"{old + index + 1}", "", "−", text) for index, text in enumerate(removed)]
    return rows + [_row("ins", "", f"{new + index + 1}", "+", text) for index, text in enumerate(added)]


def _compared(one: str, two: str) -> tuple[str, str]:
    """A line before and after as HTML, the words that differ emphasized where the lines are alike at all."""
    words, others = _WORDS.findall(one[:MOST_WIDTH]), _WORDS.findall(two[:MOST_WIDTH])
    if max(len(one), len(two)) > MOST_WIDTH or max(len(words), len(others)) > MOST_WORDS:
        return _cut(one), _cut(two)
    matcher = difflib.SequenceMatcher(None, words, others, autojunk=False)
    if matcher.ratio() < 0.4:
        return escape(one), escape(two)
    left, right = [], []
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        was, now = escape("".join(words[start:end])), escape("".join(others[new_start:new_end]))
        left.append(was if kind == "equal" or not was else f"<em>{was}</em>")
        right.append(now if kind == "equal" or not now else f"<em>{now}</em>")
    return "".join(left), "".join(right)


def _cut(line: str) -> str:
    if len(line) <= MOST_WIDTH:
        return escape(line)
    return f'{escape(line[:MOST_WIDTH])}<span class="cut"> … {many(len(line) - MOST_WIDTH, "more character")}</span>'


def _same(line: str, old: int, new: int) -> str:
    return _row("", f"{old + 1}", f"{new + 1}", " ", _cut(line))


def _row(kind: str, old: str, new: str, sign: str, text: str) -> str:
    body = f"<{kind}><code>{text}</code></{kind}>" if kind else f"<code>{text}</code>"
    numbers = f'<span class="no">{old}</span><span class="no">{new}</span>'
    return f'<div class="ln{" " + kind if kind else ""}">{numbers}<span class="sign">{sign}</span>{body}</div>'
