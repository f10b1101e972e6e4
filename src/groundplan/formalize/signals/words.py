"""Words, numbers and plurals of a task text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

CARDINALS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "dozen": 12,
    "hundred": 100,
}
_TENS = {word: value for word, value in CARDINALS.items() if 20 <= value < 100 and value % 10 == 0}
ORDINALS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1
    )
}
COLOURS = frozenset(
    "red blue green yellow orange purple violet pink white black grey gray brown cyan magenta silver gold golden "
    "turquoise beige teal navy maroon lime indigo crimson scarlet amber".split()
)
DIRECTIONS = frozenset(
    "north south east west northern southern eastern western left right top bottom middle upper lower low high front "
    "back rear central inner outer".split()
)
# Words that close a noun phrase and never name a thing. Object names among them are met only beside their kind.
FUNCTION_WORDS = frozenset(
    "a an the this that these those it its his her their my your our i you he she we they me him them us who which "
    "what where when while if then else and or but nor so yet as than of in on at to into onto from with without by "
    "via for through over under above below between within inside outside near up down off out about after before "
    "until once is are was were be been being am has have had do does did can could may might must shall should will "
    "would need needs not no nothing none never every each all any both some either neither only also just again "
    "back there here now still same other another more most less least few many much one ones such own first "
    "respectively exactly initially finally currently".split()
)
IRREGULAR = {"people": "person", "men": "man", "women": "woman", "children": "child", "mice": "mouse", "geese": "goose"}
_TOKEN = re.compile(r"\d+(?:\.\d+)?(?!\w)|\w+(?:['’-]\w+)*|[^\w\s]|\n[ \t]*\n|\n")
_PIECE = re.compile(r"[^\W\d_]+|\d+")

Pieces: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, punctuation mark or line break (`\\n`; two for a blank line) and where it starts."""

    text: str
    low: str
    start: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_"


def tokenize(text: str) -> list[Token]:
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        if word[0] == "\n":
            word = "\n\n" if word.count("\n") > 1 else "\n"
            if tokens and tokens[-1].text == "\n\n":
                continue
        tokens.append(Token(word, word.lower(), match.start()))
    return tokens


def number(word: str) -> int | None:
    """The whole number that a word names (`4`, `four`, `twenty-one`, `dozen`); None for every other word."""
    if word.isascii() and word.isdecimal():
        return int(word) if len(word) < 10 else None
    if word in CARDINALS:
        return CARDINALS[word]
    tens, dash, unit = word.partition("-")
    return _TENS[tens] + CARDINALS[unit] if dash and tens in _TENS and 0 < CARDINALS.get(unit, 0) < 10 else None


def ordinal(word: str) -> int | None:
    """1 for `first` or `1st`; None for every other word."""
    if word in ORDINALS:
        return ORDINALS[word]
    found = re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)", word, re.ASCII)
    return int(found.group(1)) if found else None


@lru_cache(maxsize=20_000)
def pieces(name: str) -> Pieces:
    """The letters and numbers of a name: `red-block` is red, block; `L0_1` is l, 0, 1; `ball-one` is ball, 1."""
    found = []
    for piece in _PIECE.findall(name.lower()):
        value = CARDINALS.get(piece)
        found.append(str(value) if value is not None and piece != "dozen" else _plain_number(piece))
    return tuple(found)


def _plain_number(piece: str) -> str:
    return piece.lstrip("0") or "0" if piece[0] == "0" else piece


def glue(parts: Pieces) -> str:
    """Pieces as one word, in which only neighbouring numbers are kept apart: `l0_1`."""
    word = ""
    for part in parts:
        word += f"_{part}" if word[-1:].isdecimal() and part[0].isdecimal() else part
    return word


@lru_cache(maxsize=20_000)
def singulars(word: str) -> tuple[str, ...]:
    """Every singular that a word may have, itself first: shelves has shelves, shelf, shelfe and shelve."""
    forms = [word]
    if word in IRREGULAR:
        forms.append(IRREGULAR[word])
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        if word.endswith("ies"):
            forms.append(word[:-3] + "y")
        if word.endswith("ves"):
            forms += [word[:-3] + "f", word[:-3] + "fe"]
        if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            forms.append(word[:-2])
        forms.append(word[:-1])
    return tuple(forms)


def is_plural(word: str) -> bool:
    return word in IRREGULAR or (len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")))


def singular(word: str) -> str:
    """The likeliest singular of a noun, for words that the task does not know."""
    forms = singulars(word)
    return forms[1] if len(forms) > 1 and is_plural(word) else word


def listed(words: list[str] | tuple[str, ...], most: int = 6) -> str:
    """`a, b and c`, cut after `most` items."""
    shown = [*words[:most], f"{len(words) - most} more"] if len(words) > most else list(words)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
