"""Putting a text together: clauses to sentences or lists, a start and a goal, in one of many manners.

The words of each domain give clauses ("red sits on blue"); a `Manner` says how they become a text. Goals come in
four moods, each with openings of its own: "that" (a clause: "make sure that red sits on blue"), "do" (an order: "put
red onto blue"), "small" (no verb: "wanted: red on blue") and "should" ("red should end up on blue").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from groundplan.train.texts.scene import Fact, Scene

Lexicon = Mapping[str, Sequence[str]]
"""Phrases by key; {0}, {1} stand for what the objects are called."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How one kind of text is written.

    `order` names the domain's way to bring the facts in order; `layout` is a key of `LAYOUTS`; a lead that ends with
    a colon is a heading, any other goes before the first words of the start.
    """

    name: str
    order: str
    layout: str
    settings: tuple[str, ...] = ("",)
    leads: tuple[str, ...] = ("",)
    moods: tuple[str, ...] = ("that", "do", "small", "should")
    goal_first: bool = False
    lower: bool = False
    goal_layout: str = "sentence"


class Voice:
    """Who tells one text: draws the phrases, and mostly keeps to one phrase per predicate."""

    def __init__(self, rng: Random, scene: Scene, lexicon: Lexicon, *, terse: bool = False) -> None:
        self.rng = rng
        self.scene = scene
        self.terse = terse
        self._lexicon = lexicon
        self._steady = rng.random() < 0.7
        self._kept: dict[str, str] = {}
        self._last_comma = rng.random() < 0.3
        self.said: dict[Fact, str] = {}
        """The clause in which each fact was first told, for the order of the facts in the PDDL."""
        self.aimed: list[Fact] = []
        """The facts of the goal in the order in which they were told, where that is not their own."""

    def call(self, name: str) -> str:
        """What the text calls an object; a terse text drops the article."""
        called = self.scene.calls.get(name, name)
        return called.removeprefix("the ") if self.terse else called

    def phrase(self, key: str) -> str:
        """A phrase of the lexicon for `key`: the same one each time in a steady text."""
        drawn = self.rng.choice(self._lexicon[key])
        return self._kept.setdefault(key, drawn) if self._steady else drawn

    def say(self, key: str, *names: str) -> str:
        """A clause: a phrase for `key` with what its objects are called."""
        clause = self.phrase(key).format(*map(self.call, names))
        return self.tell(clause, (key.split("/", 1)[0], *names))

    def tell(self, clause: str, *facts: Fact) -> str:
        """The clause; it tells `facts`, in this order."""
        for fact in facts:
            self.said.setdefault(fact, clause)
        return clause

    def all(self, key: str, names: Sequence[str], *others: str) -> str:
        """A clause about several objects: the phrase for `key` with a list of them in {0}."""
        clause = self.phrase(key).format(self.both([self.call(name) for name in names]), *map(self.call, others))
        return self.tell(clause, *((key.split("/", 1)[0], name, *others) for name in names))

    def both(self, parts: Sequence[str]) -> str:
        """The parts as one list: a, b and c."""
        if len(parts) < 2:
            return "".join(parts)
        comma = "," if self._last_comma and len(parts) > 2 else ""
        return f"{', '.join(parts[:-1])}{comma} and {parts[-1]}"

    def mixed_facts(self, predicate: str) -> list[Fact]:
        """The facts of `predicate` at the start, in a random order."""
        facts = self.scene.of(predicate)
        return self.rng.sample(facts, len(facts))

    def plain(self, names: Sequence[str]) -> str:
        """What the objects are called, with commas."""
        return ", ".join(self.call(name) for name in names)

    def mixed(self, clauses: list[str]) -> list[str]:
        """The clauses in a random order."""
        return self.rng.sample(clauses, len(clauses))


def sentence(text: str) -> str:
    """`text` with a capital letter, if it starts with an ordinary word, and a mark at its end."""
    first = text.split(" ", 1)[0]
    if re.fullmatch(r"[a-z']+[,:]?", first):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."


def _running(voice: Voice, clauses: list[str]) -> str:
    sentences = []
    rest = list(clauses)
    while rest:
        count = voice.rng.choice((1, 2, 2, 3))
        sentences.append(sentence(voice.both(rest[:count])))
        rest = rest[count:]
    return " ".join(sentences)


def _one(voice: Voice, clauses: list[str]) -> str:
    return sentence(voice.both(clauses))


def _short(voice: Voice, clauses: list[str]) -> str:
    return " ".join(map(sentence, clauses))


def _semicolons(voice: Voice, clauses: list[str]) -> str:
    return sentence("; ".join(clauses))


def _commas(voice: Voice, clauses: list[str]) -> str:
    return ", ".join(clauses) + "."


def _bullets(voice: Voice, clauses: list[str]) -> str:
    mark = voice.rng.choice(("- ", "* ", "+ ", "-- ", "• "))
    return "\n".join(mark + clause for clause in clauses)


def _numbered(voice: Voice, clauses: list[str]) -> str:
    end = voice.rng.choice((".", ")"))
    return "\n".join(f"{number}{end} {clause}" for number, clause in enumerate(clauses, 1))


def _lines(voice: Voice, clauses: list[str]) -> str:
    return "\n".join(map(sentence, clauses))


LAYOUTS: Mapping[str, Callable[[Voice, list[str]], str]] = {
    "running": _running,
    "one": _one,
    "short": _short,
    "semicolons": _semicolons,
    "commas": _commas,
    "bullets": _bullets,
    "numbered": _numbered,
    "lines": _lines,
}
_LISTS = ("bullets", "numbered", "lines")


def start_text(voice: Voice, manner: Manner, setting: str, clauses: list[str]) -> str:
    """The start of the task: an opening, and all facts."""
    lead = voice.rng.choice(manner.leads)
    if lead and not lead.endswith(":") and manner.layout not in _LISTS:
        clauses = [f"{lead} {clauses[0]}", *clauses[1:]]
        lead = ""
    body = LAYOUTS[manner.layout](voice, clauses)
    gap = "\n" if manner.layout in _LISTS else " "
    return gap.join(part for part in (sentence(setting) if setting else "", lead, body) if part)


def goal_text(voice: Voice, manner: Manner, openings: Lexicon, clauses: Callable[[str], list[str]]) -> str:
    """The goal: an opening that fits its mood, and the clauses of that mood."""
    if manner.goal_layout != "sentence":
        heading = voice.rng.choice(openings["heading"])
        mood = voice.rng.choice([mood for mood in manner.moods if mood != "do"] or ["small"])
        gap = "\n" if manner.goal_layout in _LISTS else " "
        return f"{heading}{gap}{LAYOUTS[manner.goal_layout](voice, clauses(mood))}"
    mood = voice.rng.choice(manner.moods)
    return sentence(voice.rng.choice(openings[mood]).format(voice.both(clauses(mood))))


def whole(manner: Manner, start: str, goal: str) -> str:
    """Start and goal as one text, in the order of the manner."""
    parts = (goal, start) if manner.goal_first else (start, goal)
    gap = "\n" if manner.layout in _LISTS or "\n" in start + goal or len(start) % 2 else " "
    text = gap.join(parts)
    return text.lower() if manner.lower else text
