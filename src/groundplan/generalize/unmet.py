"""A condition of a step that does not hold: whether any step could help, what undid it, what is true in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.generalize.plan_past import Past
from groundplan.generalize.values import Fact
from groundplan.pddl.ast import Domain
from groundplan.pddl.conditions import Tables
from groundplan.pddl.faults import Fault

_NEEDS = re.compile(r"needs \(([^()]+)\)(.*)", re.DOTALL)
_MUST_BE_FALSE = re.compile(r"\(([^()]+)\) must be false(.*)", re.DOTALL)
_PREDICATES = re.compile(r"\(([^()\s]+)")
_MOST_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Condition:
    """`row` is the fact that must be true (or, with `wanted` False, false); empty where it is no single fact."""

    text: str
    row: Fact = ()
    wanted: bool = True
    rest: str = ""


def conditions_of(faults: Sequence[Fault], domain: Domain) -> list[Condition]:
    """The conditions that the faults tell of."""
    return [_condition(str(fault), domain) for fault in faults]


def is_static(condition: Condition, domain: Domain) -> bool:
    """Whether no step of any plan can change it: it is about facts that no action touches, or about objects."""
    changing = domain.fluents | domain.derived_names
    if condition.row:
        return condition.row[0] not in changing
    return changing.isdisjoint(_PREDICATES.findall(condition.text))


def text_of(condition: Condition, domain: Domain, tables: Tables, past: Past) -> str:
    """The condition in sentences: what is needed, why it does not hold, what could be done."""
    if not condition.row:
        advice = " No step can change that: choose other arguments." if is_static(condition, domain) else ""
        return f"{condition.text[:1].upper()}{condition.text[1:]}.{advice}"
    fact = f"({' '.join(condition.row)})"
    needed = f"It needs {fact}" if condition.wanted else f"{fact} must be false"
    return " ".join([f"{needed}{condition.rest}, {_why(condition, domain, past)}", *_instead(condition, tables)])


def true_instead(row: Fact, tables: Tables, *, only_near: bool = False) -> str:
    """Facts of the same predicate that are true, those that share most arguments; `only_near` wants a shared one."""
    best: list[Fact] = []
    most = 1 if only_near and len(row) > 1 else 0
    for other in tables.get(row[0], ()):
        shared = sum(a == b for a, b in zip(row[1:], other, strict=False))
        if shared > most:
            best, most = [other], shared
        elif shared == most:
            best.append(other)
    if not best or (only_near and len(row) == 1):
        return ""
    shown = [f"({' '.join((row[0], *other))})" for other in sorted(best)[:_MOST_SHOWN]]
    more = f" and {len(best) - _MOST_SHOWN} more" if len(best) > _MOST_SHOWN else ""
    return f"{', '.join(shown)}{more}"


def _condition(text: str, domain: Domain) -> Condition:
    for pattern, wanted in ((_NEEDS, True), (_MUST_BE_FALSE, False)):
        match = pattern.fullmatch(text)
        row = tuple(match[1].split()) if match else ()
        if match and row and row[0] in domain.predicate_by_name | dict.fromkeys(domain.derived_names):
            return Condition(text, row, wanted, match[2])
    return Condition(text)


def _why(condition: Condition, domain: Domain, past: Past) -> str:
    """Why the fact is not as it must be, and whether a step could change it."""
    predicate, wanted = condition.row[0], condition.wanted
    state, word = ("which is not true", "true") if wanted else ("but it is true", "false")
    if predicate in domain.derived_names:
        return f"{state} then. It follows from other facts, so earlier steps must change those."
    if predicate not in domain.fluents:
        return (
            f"{state}. `{predicate}` is static: no action ever changes such facts, so no earlier step can help. Choose "
            "other arguments."
        )
    changed = (past.destroyed if wanted else past.made).get(condition.row)
    if changed is not None:
        since = f"since {past.step(changed)} made it {'false' if wanted else 'true'}"
    else:
        since = "and never was" if wanted else "from the start"
    able = list(dict.fromkeys(_able(condition, domain)))
    if not able:
        undo = (
            "choose other arguments" if changed is None else "do without that earlier step, or choose other arguments"
        )
        return f"{state} then, {since}. No action ever makes a `{predicate}` fact {word}: {undo}."
    by = " or ".join(f"`{name}`" for name in able[:_MOST_SHOWN])
    return f"{state} then, {since}. An earlier step must make it {word} ({by} can)."


def _able(condition: Condition, domain: Domain) -> Iterator[str]:
    """The actions that have an effect of this kind."""
    for action in domain.actions:
        for effect in action.effects:
            if effect.positive is condition.wanted and effect.atom.predicate == condition.row[0]:
                yield action.name


def _instead(condition: Condition, tables: Tables) -> Iterator[str]:
    if condition.wanted and len(condition.row) > 1:
        found = true_instead(condition.row, tables)
        yield f"True instead: {found}." if found else f"No `{condition.row[0]}` fact is true then."
