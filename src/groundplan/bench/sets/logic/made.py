"""Statements with facts and rules made from a seed: a chain of made-up kinds, with properties beside it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from groundplan.bench.sets.logic.theory import plural

NAMES = tuple("Ada Bo Cleo Dan Eva Finn Gus Hana Ivo June Kai Lena".split())
KINDS = tuple(
    "blimpus crumpus drompus flempus gorpus hampus klimpus lempus morpus nampus plumpus quimpus snorpus trampus".split()
)
PROPERTIES = tuple(
    "warm bitter loud purple heavy shiny slow calm hollow sweet round tall brave dry striped polite".split()
)


def made_theory(seed: int, hops: int) -> tuple[str, str, bool, list[str]]:
    """A context, a statement about somebody, whether it is true, and its proof sentence by sentence.

    The proof takes `hops` rules: up a chain of kinds, the last one to a property. Every kind has a property of its
    own, and one rule about a kind that is not met speaks against the statement. Raises ValueError for more hops than
    there are kinds.
    """
    if not 1 <= hops < len(KINDS) - 2:
        raise ValueError(f"hops: 1 to {len(KINDS) - 3}, not {hops}")
    rng = Random(f"prontoqa {seed} {hops}")
    kinds = rng.sample(KINDS, hops + 3)
    properties = rng.sample(PROPERTIES, hops + 2)
    chain, before, after, stranger = kinds[:hops], kinds[hops], kinds[hops + 1], kinds[hops + 2]
    name = rng.choice(NAMES)
    holds = [rng.random() < 0.5 for _ in properties]
    up = [before, *chain, after]
    steps = [_said(rng, low, high, True, kind=True) for low, high in pairwise(up)]
    sides = [_said(rng, kind, properties[place], holds[place]) for place, kind in enumerate([*chain, before])]
    against = _said(rng, stranger, properties[hops - 1], not holds[hops - 1])
    rules = [*steps, *sides, against]
    rng.shuffle(rules)
    first = f"{name} is {_article(chain[0])}."
    proof = [first]
    for place, kind in enumerate(chain[1:], 1):
        proof += [steps[place], f"{name} is {_article(kind)}."]
    told = properties[hops - 1]
    proof += [sides[hops - 1], f"{name} is {'' if holds[hops - 1] else 'not '}{told}."]
    claimed = rng.random() < 0.5
    statement = f"{name} is {'' if claimed else 'not '}{told}."
    return " ".join([*rules, first]), statement, claimed == holds[hops - 1], proof


def _said(rng: Random, subject: str, quality: str, positive: bool, *, kind: bool = False) -> str:
    no = "" if positive else "not "
    if rng.random() < 0.4:
        return f"{plural(subject).capitalize()} are {no}{plural(quality) if kind else quality}."
    return f"{rng.choice(('Every', 'Each'))} {subject} is {no}{_article(quality) if kind else quality}."


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
