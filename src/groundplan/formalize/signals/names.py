"""What a text calls things: `ball 1`, `balls one and two`, `blocks A to D`, `the red block`, `package_0`.

A name is read without looking at the task's objects; which object it stands for is decided in `naming`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.formalize.signals.kinds import Kinds
from groundplan.formalize.signals.words import (
    COLOURS,
    DIRECTIONS,
    FUNCTION_WORDS,
    Token,
    is_plural,
    number,
    ordinal,
    pieces,
    singular,
)

MOST_LABELS = 200
_BESIDE_NUMBERS = FUNCTION_WORDS | frozenset(
    "takes take costs cost lasts least takes step steps stage phase level rule case example figure table minute hour "
    "times time day number total version action condition part chapter section page year".split()
)
_JOINERS = frozenset((",", "and", "&", "or"))
_RANGE = frozenset(("to", "through", "thru", "-", "–", "—", "…", "until"))


@dataclass(frozen=True, slots=True)
class Name:
    """One thing as the text names it. `sort`: number, letter, colour, direction, ordinal, identifier or word."""

    head: str
    label: str
    sort: str
    text: str


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names things: tokens `first` up to but without `last`."""

    first: int
    last: int
    names: tuple[Name, ...]


def name_at(tokens: Sequence[Token], i: int, kinds: Kinds) -> Mention | None:
    """The name that starts at token `i`, if one does."""
    token = tokens[i]
    if not token.is_word:
        return None
    if token.low in COLOURS:
        return _coloured(tokens, i, kinds)
    if token.low in DIRECTIONS or ordinal(token.low) is not None:
        return _described(tokens, i, kinds)
    own = _own_label(token, kinds)
    if own is not None:
        return _identifiers(tokens, i, own)
    return _labelled(tokens, i, kinds)


# --- package_0, ball1 to ball6, roomA ---------------------------------------------------------------------------------


def _own_label(token: Token, kinds: Kinds) -> Name | None:
    """The name in a word that carries its own label."""
    parts = pieces(token.text)
    if number(token.low) is not None or len(parts) > 6 or not parts:
        return None
    letters = [part for part in parts if not part[0].isdecimal()]
    digits = parts[len(letters) :]
    if letters and digits and all(part[0].isdecimal() for part in digits) and any(c.isdecimal() for c in token.text):
        return Name("".join(letters), "_".join(digits), "number", token.text)
    if digits and letters:
        return Name("", "".join(parts), "identifier", token.text)
    if len(parts) == 2 and len(parts[1]) == 1 and len(parts[0]) > 1 and parts[1] not in "st" and "'" not in token.text:
        return Name(parts[0], parts[1], "letter", token.text)
    if len(parts) == 1 and len(token.low) > 3 and token.low[-1] in "abcdefgh" and token.low[:-1] in kinds.members:
        return Name(token.low[:-1], token.low[-1], "letter", token.text) if kinds.key(token.low) is None else None
    return None


def _identifiers(tokens: Sequence[Token], i: int, own: Name) -> Mention:
    """One identifier, or a range of them: `ball1 to ball6`, `b1 through b8`."""
    if i + 2 < len(tokens) and tokens[i + 1].low in _RANGE:
        parts = pieces(tokens[i + 2].text)
        fits = len(parts) == 2 and parts[0] == own.head and parts[1].isdecimal() and own.label.isdecimal()
        if fits and (tokens[i + 1].low != "to" or _is_list_of_things(tokens, i, i + 3)):
            return Mention(i, i + 3, tuple(_numbered(own.head, int(own.label), int(parts[1]))))
    return Mention(i, i + 1, (own,))


def _is_list_of_things(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether `X to Y` means all from X to Y, and not that X is moved to Y."""
    before = tokens[first - 1].low if first else "."
    after = tokens[last].low if last < len(tokens) else "."
    return before in (",", ":", "(", "from", "named", "called") or is_plural(before) or after in ("are", "have", "must")


def _numbered(head: str, first: int, last: int) -> list[Name]:
    values = range(first, min(last, first + MOST_LABELS - 1) + 1)
    return [Name(head, str(value), "number", f"{head}{'' if len(head) == 1 else ' '}{value}") for value in values]


# --- ball 1, balls one and two, blocks A, B and C, rooms 1-4 ----------------------------------------------------------


def _labelled(tokens: Sequence[Token], i: int, kinds: Kinds) -> Mention | None:
    word = tokens[i].low
    if i + 1 >= len(tokens) or word in _BESIDE_NUMBERS or not word[0].isalpha():
        return None
    known = kinds.key(word)
    head = known or singular(word)
    plural = is_plural(word) and (known is not None or word != head)
    sort = _label_sort(tokens[i + 1])
    if sort == "" or (tokens[i + 1].low in ("a", "i") and tokens[i + 1].text.islower() and plural):
        return None
    labels, last = _label_list(tokens, i + 1, sort) if plural else _label_pair(tokens, i + 1, sort, word)
    if sort == "number":
        while labels and _is_counted(tokens, last, kinds, known is not None):
            labels.pop()
            last -= 1
            while last > i and tokens[last - 1].low in _JOINERS:
                last -= 1
    if not labels or (known is None and sort == "number" and not tokens[i + 1].text.isdecimal()):
        return None
    names = tuple(Name(head, label, sort, f"{singular(tokens[i].text)} {shown}") for label, shown in labels)
    return Mention(i, last, names)


def _label_sort(token: Token) -> str:
    if number(token.low) is not None and token.low != "dozen":
        return "number"
    return "letter" if len(token.text) == 1 and token.text.isalpha() else ""


def _label(token: Token, sort: str) -> tuple[str, str] | None:
    if _label_sort(token) != sort:
        return None
    return (str(number(token.low)) if sort == "number" else token.low), token.text


def _label_list(tokens: Sequence[Token], i: int, sort: str) -> tuple[list[tuple[str, str]], int]:
    """Labels joined by commas, `and`, or a range."""
    labels: list[tuple[str, str]] = []
    last = i
    while i < len(tokens) and (label := _label(tokens[i], sort)) and len(labels) < MOST_LABELS:
        labels.append(label)
        last = i + 1
        if i + 2 < len(tokens) and tokens[i + 1].low in _RANGE and (end := _label(tokens[i + 2], sort)):
            labels += _between(label[0], end[0])
            last = i + 3
        i = last
        while i < len(tokens) and tokens[i].low in _JOINERS and i < last + 3:
            i += 1
        if i == last:
            break
    return labels, last


def _between(first: str, last: str) -> list[tuple[str, str]]:
    """The labels after `first` up to `last`."""
    if first.isdecimal() and last.isdecimal():
        values = range(int(first) + 1, min(int(last), int(first) + MOST_LABELS) + 1)
        return [(str(value), str(value)) for value in values]
    if len(first) == len(last) == 1 and first.isascii() and last.isascii():
        return [(chr(code), chr(code)) for code in range(ord(first) + 1, ord(last) + 1)]
    return []


def _label_pair(tokens: Sequence[Token], i: int, sort: str, head: str) -> tuple[list[tuple[str, str]], int]:
    """One label behind a singular noun, or `ball 1 to ball 5`."""
    label = _label(tokens[i], sort)
    if label is None:
        return [], i
    if i + 3 < len(tokens) and tokens[i + 1].low in _RANGE and tokens[i + 2].low == head:
        end = _label(tokens[i + 3], sort)
        if end and (tokens[i + 1].low != "to" or _is_list_of_things(tokens, i - 1, i + 4)):
            return [label, *_between(label[0], end[0])], i + 4
    return [label], i + 1


def _is_counted(tokens: Sequence[Token], after: int, kinds: Kinds, known_head: bool) -> bool:
    """Whether the number before token `after` counts what follows (`in room 1, 2 balls`, `takes 4 minutes`)."""
    if after >= len(tokens) or not tokens[after].is_word or tokens[after].low in FUNCTION_WORDS:
        return False
    ahead = [token.low for token in tokens[after : after + 3]]
    if any(kinds.key(word) for word in ahead[:1]) or (kinds.key(ahead[-1]) and is_plural(ahead[-1])):
        return True
    return not known_head or ahead[0] in ("times", "minutes", "hours", "steps", "metres", "meters", "days")


# --- the red block, the first depot, the left gripper -----------------------------------------------------------------


def _coloured(tokens: Sequence[Token], i: int, kinds: Kinds) -> Mention:
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    known = kinds.key(after.low) if after is not None and after.is_word else None
    if after is None or not after.text.isalpha() or after.low in FUNCTION_WORDS or after.low in COLOURS:
        return Mention(i, i + 1, (Name("", tokens[i].low, "colour", tokens[i].text),))
    head = known or singular(after.low)
    return Mention(i, i + 2, (Name(head, tokens[i].low, "colour", f"{tokens[i].text} {after.text}"),))


def _described(tokens: Sequence[Token], i: int, kinds: Kinds) -> Mention | None:
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    known = kinds.key(after.low) if after is not None and after.is_word else None
    if after is None or known is None or (is_plural(after.low) and known != after.low):
        return None
    place = ordinal(tokens[i].low)
    sort, label = ("direction", tokens[i].low) if place is None else ("ordinal", str(place))
    return Mention(i, i + 2, (Name(known, label, sort, f"{tokens[i].text} {after.text}"),))
