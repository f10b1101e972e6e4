"""A text read against a task: where it speaks of which objects. Worked out once, and shared by all checks."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from groundplan.errors import InputError
from groundplan.formalize.signals.clauses import Clause, clauses_of, join_lines
from groundplan.formalize.signals.kinds import MOST_OBJECTS, Kinds, kinds_of
from groundplan.formalize.signals.names import Mention, Name, name_at
from groundplan.formalize.signals.naming import Naming, naming_of
from groundplan.formalize.signals.words import FUNCTION_WORDS, Token, glue, is_plural, number, pieces, tokenize
from groundplan.models.protocol import Message, Reply
from groundplan.pddl.ast import Plan, Task

if TYPE_CHECKING:
    from groundplan.pddl.reach import Reachability

Ask: TypeAlias = Callable[[tuple[Message, ...]], Reply]
"""Asks a language model. Raises what the model raises, and BudgetExhausted."""

MOST_TEXT = 60_000
"""Longer texts are not read: half of a text would make half of the objects look invented."""
MOST_NAMES = 20_000
SECONDS = 2.0
_EXAMPLE = re.compile(r"\b(?:for example|for instance|e\. ?g\.|such as)", re.IGNORECASE)
_DEFINITE = frozenset("the its his her my your our their this that a an one single".split())
_INDEFINITE = frozenset("a an one single".split())
_BEHIND_NAMES = frozenset("on is onto to in at and or , . ; ) must should has".split())
_UNIVERSAL = frozenset("every each all both any".split())
_SHY = FUNCTION_WORDS | frozenset("left right top bottom high low middle front end start goal".split())


@dataclass(frozen=True, slots=True)
class Place:
    """Tokens `first` up to but without `last` of the text, and the objects they speak of.

    `sort`: "name" (an object by name), "kind" ("the van", where there is one van), "some" ("a van", likewise),
    "all" ("every parcel") or "plural" ("the parcels", which may or may not mean all).
    `unknown` are names of aligned or abstract families that no object has.
    """

    first: int
    last: int
    objects: tuple[str, ...]
    sort: str
    unknown: tuple[Name, ...] = ()


class Reading:
    """What the checks share. Every property is computed when it is first asked for."""

    def __init__(
        self, text: str, task: Task, plan: Plan | None = None, *, ask: Ask | None = None, seconds: float = SECONDS
    ) -> None:
        self.text = text
        self.task = task
        self.plan = plan
        self._ask = ask
        self.deadline = time.monotonic() + seconds

    def ask(self, messages: tuple[Message, ...]) -> str:
        """What the model answers. Raises as `Ask` says, and InputError where there is no model."""
        if self._ask is None:
            raise InputError("this check asks a language model, and none was given")
        return self._ask(messages).text

    @cached_property
    def readable(self) -> bool:
        """Whether text and task have a size that can be compared."""
        return 0 < len(self.text) <= MOST_TEXT and len(self.task.objects) <= MOST_OBJECTS and bool(self.text.strip())

    @cached_property
    def tokens(self) -> list[Token]:
        return join_lines(tokenize(_without_examples(self.text))) if self.readable else []

    @cached_property
    def reach(self) -> Reachability | None:
        """What can ever happen; None where the task is too large for the time left, or beyond classical planning."""
        from groundplan.pddl.reach import GroundingLimit, reachability

        try:
            return reachability(self.task, deadline=max(0.0, self.deadline - time.monotonic()))
        except (GroundingLimit, InputError):
            return None

    @cached_property
    def kinds(self) -> Kinds:
        return kinds_of(self.task)

    @cached_property
    def clauses(self) -> list[Clause]:
        return clauses_of(self.tokens)

    @cached_property
    def mentions(self) -> list[Mention]:
        """Names with a label, before they are compared with the objects."""
        found: list[Mention] = []
        i = count = 0
        while i < len(self.tokens) and count < MOST_NAMES:
            mention = name_at(self.tokens, i, self.kinds)
            if mention is not None:
                found.append(mention)
                count += len(mention.names)
            i = mention.last if mention is not None else i + 1
        return found

    @cached_property
    def mention_at(self) -> Mapping[int, Mention]:
        return {mention.first: mention for mention in self.mentions}

    @cached_property
    def naming(self) -> Naming:
        return naming_of((name for mention in self.mentions for name in mention.names), self.task, self.kinds)

    @cached_property
    def surfaces(self) -> Mapping[str, str]:
        return _surfaces(self.task, self.kinds)

    @cached_property
    def places(self) -> list[Place]:
        """Every place of the text that speaks of objects, in order."""
        found, i = [], 0
        while i < len(self.tokens):
            place = self._place_at(i)
            if place is not None:
                found.append(place)
            i = place.last if place is not None else i + 1
        return found

    @cached_property
    def named(self) -> frozenset[str]:
        """The objects that the text calls by name."""
        return frozenset(name for place in self.places if place.sort == "name" for name in place.objects)

    def speaks_of(self, first: int, last: int) -> bool:
        """Whether some of the tokens from `first` to `last` speak of an object by name."""
        return any(i in self._named_tokens for i in range(first, last))

    @cached_property
    def _named_tokens(self) -> frozenset[int]:
        named = (place for place in self.places if place.sort == "name" and place.objects)
        return frozenset(i for place in named for i in range(place.first, place.last))

    @cached_property
    def unary_predicates(self) -> Mapping[str, str]:
        """The predicates of one thing, by their glued names."""
        return {glue(pieces(item.name)): item.name for item in self.task.domain.predicates if item.arity == 1}

    @cached_property
    def symbols(self) -> str:
        """All names of the task, glued and divided by blanks."""
        domain = self.task.domain
        names = [predicate.name for predicate in domain.predicates]
        names += [action.name for action in domain.actions]
        names += [item.name for item in self.task.objects]
        return f" {' '.join(glue(pieces(name)) for name in (*names, *self.kinds.members))} "

    def is_symbol(self, text: str) -> bool:
        """Whether a word of the text is a name of the task, or, if it has letters only, a part of one."""
        word = glue(pieces(text))
        return f" {word} " in self.symbols or (word.isalpha() and len(word) > 2 and word in self.symbols)

    def words(self, first: int, last: int) -> str:
        """The text of some tokens."""
        last_token = self.tokens[last - 1]
        start, end = self.tokens[first].start, last_token.start + len(last_token.text)
        return " ".join(self.text[start:end].split())

    def _place_at(self, i: int) -> Place | None:
        return (self._name_at(i) or self._of_kind(i)) if self.tokens[i].is_word else None

    def _name_at(self, i: int) -> Place | None:
        exact, mention = self._exact(i), self.mention_at.get(i)
        named = self._resolved(mention) if mention else None
        if named and (exact is None or named.last > exact.last or (named.last == exact.last and named.objects)):
            return named
        return exact

    def _resolved(self, mention: Mention) -> Place | None:
        families = self.naming.families
        names = [n for n in mention.names if ("" if n.sort == "colour" else n.head, n.sort) in families]
        if not names:
            return None
        objects = [self.naming.object_of(name) for name in names]
        unknown = tuple(name for name, found in zip(names, objects, strict=True) if found is None)
        known = tuple(dict.fromkeys(found for found in objects if found is not None))
        if not known and all(name.sort in ("ordinal", "direction", "letter") for name in unknown):
            return None
        return Place(mention.first, mention.last, known, "name", unknown)

    def _exact(self, i: int) -> Place | None:
        """The longest run of words from `i` that is the name of an object."""
        words: list[str] = []
        best: Place | None = None
        for j in range(i, min(i + 4, len(self.tokens))):
            token = self.tokens[j]
            if not token.is_word:
                break
            words += pieces(token.text)
            found = self.surfaces.get(glue(tuple(words)))
            if found is not None and (j > i or self._bare_name(i)):
                best = Place(i, j + 1, (found,), "name")
        return best

    def _bare_name(self, i: int) -> bool:
        """Whether a single word that is an object's name means the object, not an ordinary word."""
        token = self.tokens[i]
        if number(token.low) is not None:
            return False
        if len(token.text) == 1:
            after = self.tokens[i + 1].low if i + 1 < len(self.tokens) else "."
            if token.text == "A":  # the article, unless no noun can follow
                return after in _BEHIND_NAMES
            return token.low not in ("a", "i", "s", "t") or (token.text.isupper() and token.low != "i")
        if token.low not in _SHY:
            return True
        near = {other.low for other in self.tokens[max(0, i - 3) : i] + self.tokens[i + 1 : i + 4]}
        others = (near & _SHY) - FUNCTION_WORDS - {token.low}
        return token.low not in FUNCTION_WORDS and bool(others) and bool(near & {",", "and"}) and "of" not in near

    def _of_kind(self, i: int) -> Place | None:
        """`every parcel`, `all the balls`, `both hands`, `the van`."""
        low = self.tokens[i].low
        everything = low in _UNIVERSAL
        if not everything and low not in _DEFINITE:
            return None
        for j in range(i + 1, min(i + 7, len(self.tokens))):
            word = self.tokens[j].low
            noun = self.kinds.key(word) if self.tokens[j].is_word else None
            if noun is not None and not self._is_compound(j):
                members = self.kinds.members[noun]
                plural = is_plural(word) and noun != word
                if everything and members and low != "any":
                    return Place(i, j + 1, tuple(sorted(members)), "all")
                named = any(self._name_at(k) for k in range(i + 1, j + 1))
                alone = len(members) == 1 and not plural and not everything and not named
                if plural and (low in _INDEFINITE or self._is_followed_by_names(j)):
                    return None
                if plural and members and not named:
                    return Place(i, j + 1, tuple(sorted(members)), "plural")
                sort = "some" if low in _INDEFINITE else "kind"
                return Place(i, j + 1, tuple(members), sort) if alone else None
            if not self.tokens[j].text.isalpha() or (word in FUNCTION_WORDS and word not in ("of", "the", "its", "my")):
                return None
        return None

    def _is_followed_by_names(self, j: int) -> bool:
        """Whether names stand behind the noun at `j` ("its arms, left and right"), so that it says nothing itself."""
        k = j + 2 if j + 1 < len(self.tokens) and self.tokens[j + 1].text in (",", ":") else j + 1
        return k < len(self.tokens) and self.tokens[k].is_word and self._name_at(k) is not None

    def _is_compound(self, j: int) -> bool:
        """Whether the noun at `j` only describes the next one (`the ball pool`)."""
        return j + 1 < len(self.tokens) and self.kinds.key(self.tokens[j + 1].low) is not None


def _without_examples(text: str) -> str:
    """The text with examples blanked to the end of their line: what they name need not exist."""
    pieces_of_text, last = [], 0
    for match in _EXAMPLE.finditer(text):
        if match.start() < last:
            continue
        end = text.find("\n", match.start())
        end = len(text) if end < 0 else end
        if match.group().lower() == "such as" and (stop := text.find(".", match.start(), end)) >= 0:
            end = stop
        pieces_of_text += [text[last : match.start()], " " * (end - match.start())]
        last = end
    return "".join((*pieces_of_text, text[last:]))


def _surfaces(task: Task, kinds: Kinds) -> dict[str, str]:
    """The ways to write each object's name: `red_block` is "red block", "block red" and, as a block, "red"."""
    table: dict[str, str] = {}
    taken: dict[str, int] = {}
    for item in task.objects:
        for form in set(_forms(item.name, kinds)):
            taken[form] = taken.get(form, 0) + 1
            table[form] = item.name
    unique = {form: name for form, name in table.items() if taken[form] == 1}
    return {**unique, **{glue(pieces(item.name)): item.name for item in task.objects if pieces(item.name)}}


def _forms(name: str, kinds: Kinds) -> Iterator[str]:
    parts = pieces(name)
    if not parts or len(parts) > 6:
        return
    yield glue(parts)
    if len(parts) == 2 and parts[1].isalpha():
        yield glue(parts[::-1])
    nouns = kinds.nouns_of.get(name, frozenset())
    for noun in nouns:
        noun_parts = pieces(noun)
        if not set(noun_parts) & set(parts) and any(part.isalpha() for part in parts):
            yield glue((*parts, *noun_parts))
            yield glue((*noun_parts, *parts))
            continue
        rest = tuple(part for part in parts if part not in noun_parts)
        if rest and not rest[0].isdecimal() and len(glue(rest)) > 2:
            yield glue(rest)
