"""ProntoQA's sentences as facts and rules, and what follows from them by forward chaining (Saparov and He 2023)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundplan.errors import InputError

_RULE = re.compile(r"(?:(?:every|each|all|any)\s+)?([\w-]+)\s+(is|are)\s+(not\s+)?(?:(an?)\s+)?([\w-]+)", re.IGNORECASE)
_ALL = re.compile(r"\s*(?:every|each|all|any)\s", re.IGNORECASE)
_QUESTION = re.compile(r"^.*true\s+or\s+false\s*\?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Claim:
    """`subject` is, or is not, `quality`: a kind ("wumpus") or a property ("sour")."""

    subject: str
    quality: str
    positive: bool = True

    @property
    def opposite(self) -> Claim:
        return Claim(self.subject, self.quality, not self.positive)

    def __str__(self) -> str:
        return f"{self.subject} is {'' if self.positive else 'not '}{self.quality}"


@dataclass(frozen=True, slots=True)
class Theory:
    """`facts` are about somebody; a rule says the same of everything that is of the kind `subject`."""

    facts: tuple[Claim, ...]
    rules: tuple[Claim, ...]

    def follows(self) -> frozenset[Claim]:
        """All claims that the facts and rules give, the facts with them."""
        by_kind: dict[str, list[Claim]] = {}
        for rule in self.rules:
            by_kind.setdefault(rule.subject, []).append(rule)
        known = set(self.facts)
        waiting = list(self.facts)
        while waiting:
            claim = waiting.pop()
            for rule in by_kind.get(claim.quality, ()) if claim.positive else ():
                new = Claim(claim.subject, rule.quality, rule.positive)
                if new not in known:
                    known.add(new)
                    waiting.append(new)
        return frozenset(known)

    def label(self, statement: Claim) -> bool | None:
        """True or False where the statement or its opposite follows; None where neither does, or both do."""
        known = self.follows()
        holds, fails = statement in known, statement.opposite in known
        return None if holds == fails else holds


def read_theory(context: str, question: str) -> tuple[Theory, Claim]:
    """The facts and rules of a context and the statement of a question ("... true or false? Max is not sour.").

    Raises InputError, naming the sentence, where one is of no known form.
    """
    sentences = _sentences(context)
    asked = _sentences(_QUESTION.sub("", question))
    if len(asked) != 1:
        raise InputError(f"one statement is wanted in the question, not {len(asked)}: {question[:200]!r}")
    parts = [_parsed(sentence) for sentence in (*sentences, *asked)]
    kinds = {
        _singular(found[1]) if found[2].lower() == "are" else found[1].lower() for found in parts if _is_rule(found)
    }
    kinds |= {found[5].lower() for found in parts if found[4]}
    claims = [(_is_rule(found), _claim(found, kinds)) for found in parts]
    theory = Theory(
        tuple(claim for is_rule, claim in claims[:-1] if not is_rule),
        tuple(claim for is_rule, claim in claims[:-1] if is_rule),
    )
    return theory, claims[-1][1]


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.!?])\s+|\n+", text.strip()) if part.strip()]


def _parsed(sentence: str) -> re.Match[str]:
    found = _RULE.fullmatch(sentence.strip().rstrip(".!? "))
    if found is None:
        raise InputError(f"cannot read this sentence as a fact or a rule: {sentence[:200]!r}")
    return found


def _is_rule(found: re.Match[str]) -> bool:
    """`Every x is ...` and `Xs are ...` are about all of a kind, `Max is ...` about somebody."""
    return found[2].lower() == "are" or _ALL.match(found[0]) is not None


def _claim(found: re.Match[str], kinds: Iterable[str]) -> Claim:
    plural = found[2].lower() == "are"
    subject = _singular(found[1]) if plural else found[1].lower()
    quality = found[5].lower()
    if plural and _singular(quality) in kinds:
        quality = _singular(quality)
    return Claim(subject, quality, found[3] is None)


def _singular(word: str) -> str:
    """`wumpuses` is `wumpus`, `cats` is `cat`, `carnivores` is `carnivore`."""
    low = word.lower()
    if low.endswith("ies"):
        return f"{low[:-3]}y"
    if re.search(r"(?:us|ss|x|ch|sh)es$", low):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith(("us", "ss")) else low


def plural(kind: str) -> str:
    """`wumpuses` of `wumpus`; the way back from it is what the reading of a theory knows."""
    return f"{kind}es" if re.search(r"(?:s|x|ch|sh)$", kind) else f"{kind}s"
