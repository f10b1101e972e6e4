"""Grammar-constrained decoding: what may come next when a problem for a given domain is written in short form.

Two stages, since a context-free grammar cannot say that facts use declared objects only: the object list, with names
that the text mentions; then facts and goal over just those objects, each where its kind fits. For the same reason a
grammar is made anew after each name and each fact: objects, facts and goals are sets, so nothing is written twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import pairwise, product
from math import prod

from groundplan.pddl.ast import OBJECT
from groundplan.train.domain_form import DomainForm

OBJECTS, FACTS, GOAL = "(:objects", "(:init", "(:goal"
_WORD = re.compile(r"[a-z0-9][a-z0-9_-]*")
_FACT = re.compile(r"\([^():]+\)")
_WHOLE_WORD = re.compile(r"(?<= )[^ ()-][^ ()]*(?= )")
_MOST_NAMES = 400
_MOST_FACTS = 2000
"""A predicate with more ground facts than this may be written twice: listing the others would take too long."""


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


def objects_grammar(domain: DomainForm, text: str, written: str = "", last: str = "") -> str:
    """Stage one, in Lark's notation: `(:objects` with names of the text, grouped by kind where the domain has kinds.

    `written` is what stands there already, up to the end of a name or a kind, and `last` a word after it that is a
    name, whole or the beginning of a longer one. No name may come again.
    """
    words = written.split()[1:]
    free = [name for name in names_in(text) if name not in domain.kinds and name not in words]
    start = json.dumps(written or OBJECTS)
    if last not in free:
        names = free or ([] if words else ["nothing"])
        in_group = bool(words) and words[-2:-1] != ["-"]
        rest, rules = _more_objects(domain, names, "NAME", in_group=in_group, first=not words)
    else:
        others = [name for name in free if name != last]
        rest, rules = _more_objects(domain, others, "OTHER", in_group=True, first=False)
        rest = f'" " {json.dumps(last)} {rest}'
        if longer := [name for name in others if name.startswith(last)]:
            after, more = _more_objects(domain, free, "NAME", in_group=True, first=False)
            rest = f'({rest} | " " LONGER {after})'
            rules += f"{more}LONGER: {_any(longer)}\n"
    kinds = f"KIND: {_any(domain.kinds)}\n" if domain.kinds else ""
    return f'start: {start} {rest} ")\\n"\n{rules}{kinds}'


def _more_objects(
    domain: DomainForm, names: Sequence[str], rule: str, *, in_group: bool, first: bool
) -> tuple[str, str]:
    """What may follow, with the rules that it needs; `in_group`: after a name, whose kind is still to come."""
    some = f'(" " {rule})' if names else ""
    rules = f"{rule}: {_any(names)}\n" if names else ""
    if not domain.kinds:
        return f"{some}{'+' if first else '*' if names else ''}", rules
    group = f"{rule.lower()}_group"
    groups = f"{group}{'+' if first else '*'}" if names else ""
    rules += f'{group}: {some}+ " - " KIND\n' if names else ""
    return (f'{some}{"*" if names else ""} " - " KIND {groups}' if in_group else groups), rules


def facts_grammar(domain: DomainForm, objects: Iterable[tuple[str, str]], written: str = "") -> str:
    """Stage two, in Lark's notation: `:init` and `:goal` over the declared objects (name, kind) and the constants.

    `written` is what stands there already, up to the end of a fact; no fact of a section may come again in it.
    """
    declared = list(dict.fromkeys((*objects, *domain.constants)))
    init, in_goal, goal = written.partition(GOAL)
    goals = _rules("goal", domain, declared, set(_FACT.findall(goal)))
    if in_goal:
        return f'start: {json.dumps(written)} {_some("goal", goals, "*")} ")\\n"\n{goals}'
    if not goals:
        return f'start: "{FACTS})\\n{GOAL})\\n"\n'
    facts = _rules("fact", domain, declared, set(_FACT.findall(init)))
    start = f'{json.dumps(init or FACTS)} {_some("fact", facts, "*")} ")\\n{GOAL}" {_some("goal", goals, "+")}'
    return f'start: {start} ")\\n"\n{facts}{goals}'


def complete(written: str, in_objects: bool) -> tuple[str, str]:
    """How far `written` consists of whole names and kinds, or whole facts, and the word after that, which may be a name
    (empty among facts): what may be given to the grammars above."""
    if not in_objects:
        return written[: max((match.end() for match in _FACT.finditer(written)), default=0)], ""
    known = written[: max((match.end() for match in _WHOLE_WORD.finditer(written)), default=0)]
    return known, written[len(known or OBJECTS) :].strip()


def _some(rule: str, rules: str, how_many: str) -> str:
    return f'(" " {rule}){how_many}' if rules else ""


def _rules(rule: str, domain: DomainForm, declared: Sequence[tuple[str, str]], taken: Set[str]) -> str:
    """The rule of that name for a fact that is not `taken`, with those that it needs; empty if there is none."""
    names, rules = [], []
    for place, (predicate, kinds) in enumerate(domain.predicates):
        choices = [[item for item, kind in declared if not wanted or kind in wanted] for wanted in kinds]
        own = f"{rule[0]}{place}"
        found = list(_of_predicate(own, predicate, choices, taken))
        if found:
            names.append(own)
            rules += found
    return "\n".join((f"{rule}: {' | '.join(names)}", *rules, "")) if names else ""


def _of_predicate(own: str, predicate: str, choices: Sequence[Sequence[str]], taken: Set[str]) -> Iterator[str]:
    if not all(choices):
        return
    is_taken = any(fact[1:-1].split()[0] == predicate for fact in taken)
    if is_taken and prod(map(len, choices)) <= _MOST_FACTS:
        facts = (f"({' '.join((predicate, *terms))})" for terms in product(*choices))
        if rest := _any(fact for fact in facts if fact not in taken):
            yield f"{own}: {rest}"
        return
    terms = "".join(f' " " {own}x{n}' for n in range(len(choices)))
    yield f'{own}: "({predicate}"{terms} ")"'
    yield from (f"{own}x{n}: {_any(choice)}" for n, choice in enumerate(choices))


def _any(words: Iterable[str]) -> str:
    return " | ".join(json.dumps(word) for word in dict.fromkeys(words) if word != OBJECT)
