"""Grammar-constrained decoding: what may come next when a problem for a given domain is written in short form.

Two stages, since a context-free grammar cannot say that facts use declared objects only: the object list, with names
that the text mentions; then facts and goal over just those objects, each where its kind fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import pairwise

from groundplan.pddl.ast import OBJECT
from groundplan.train.domain_form import DomainForm

_WORD = re.compile(r"[a-z0-9][a-z0-9_-]*")
_MOST_NAMES = 400


def names_in(text: str) -> tuple[str, ...]:
    """The words of a text that could name an object, and neighbours drawn together (`ball 3`: `ball3`, `ball-3`)."""
    words = [word.rstrip("-_") for word in _WORD.findall(text.lower())]
    found = dict.fromkeys(words)
    for left, right in pairwise(words):
        if right.isdigit() or len(right) == 1:
            found[left + right] = None
            found[f"{left}-{right}"] = None
            if right.isdigit():
                found[left[0] + right] = None
    return tuple(found)[:_MOST_NAMES]


def objects_grammar(domain: DomainForm, text: str) -> str:
    """Stage one, in Lark's notation: `(:objects` with names of the text, grouped by kind where the domain has kinds."""
    names = _any(name for name in names_in(text) if name not in domain.kinds) or '"nothing"'
    if not domain.kinds:
        return f'start: "(:objects" (" " NAME)+ ")\\n"\nNAME: {names}\n'
    kinds = _any(domain.kinds)
    return f'start: "(:objects" group+ ")\\n"\ngroup: (" " NAME)+ " - " KIND\nNAME: {names}\nKIND: {kinds}\n'


def facts_grammar(domain: DomainForm, objects: Iterable[tuple[str, str]]) -> str:
    """Stage two, in Lark's notation: `:init` and `:goal` over the declared objects (name, kind) and the constants."""
    declared = list(dict.fromkeys((*objects, *domain.constants)))
    rules, facts = [], []
    for place, (name, kinds) in enumerate(domain.predicates):
        choices = [_any(item for item, kind in declared if not wanted or kind in wanted) for wanted in kinds]
        if not all(choices):
            continue
        terms = "".join(f' " " p{place}x{n}' for n in range(len(choices)))
        facts.append(f"p{place}")
        rules.append(f'p{place}: "({name}"{terms} ")"')
        rules += [f"p{place}x{n}: {choice}" for n, choice in enumerate(choices)]
    if not facts:
        return 'start: "(:init)\\n(:goal)\\n"\n'
    body = "\n".join((f"fact: {' | '.join(facts)}", *rules))
    return f'start: "(:init" (" " fact)* ")\\n(:goal" (" " fact)+ ")\\n"\n{body}\n'


def _any(words: Iterable[str]) -> str:
    return " | ".join(json.dumps(word) for word in dict.fromkeys(words) if word != OBJECT)
