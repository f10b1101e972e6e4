"""The short form in which a small policy writes problems, and its two-way translation to PDDL.

    (:objects rooma roomb - room ball1 - ball left right - gripper)
    (:init (at-robby roomb) (at ball1 rooma) (free left) (free right))
    (:goal (at ball1 roomb))

It is PDDL with its frame left out: kinds stand for types and for static unary facts (see domain_form), and the goal is
a conjunction of facts. Half the tokens, which is half the cost of training.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundplan.errors import InputError
from groundplan.pddl.ast import OBJECT, Atom, Formula, Problem, conjuncts
from groundplan.train.domain_form import DomainForm

OBJECTS_END = ")\n"
"""Where the object list ends, and with it the first of the two stages of decoding."""


@dataclass(frozen=True, slots=True)
class ProblemForm:
    """Objects by name and kind (`object` where there is none), facts and goal as they are written."""

    objects: tuple[tuple[str, str], ...]
    init: tuple[tuple[str, ...], ...]
    goal: tuple[tuple[str, ...], ...]


class NotInForm(ValueError):
    """A text that is not in the short form; says what is wrong."""


def form_of(problem: Problem, domain: DomainForm) -> ProblemForm:
    """A problem in short form. Raises InputError for goals or facts beyond plain atoms."""
    facts = [(atom.predicate, *atom.terms) for atom in problem.init]
    unary = {(fact[0], fact[1]) for fact in facts if len(fact) == 2 and fact[0] in domain.unary_kinds}
    objects = []
    for item in problem.objects:
        kind = item.types[0]
        if kind == OBJECT:
            kind = next((name for name in domain.kinds if (name, item.name) in unary), OBJECT)
        objects.append((item.name, kind))
    heads = {(kind, name) for name, kind in objects}
    init = tuple(fact for fact in facts if tuple(fact) not in heads and fact[0] != "=")
    goal = tuple((atom.predicate, *atom.terms) for atom in _goal_atoms(problem.goal))
    order = {kind: place for place, kind in enumerate(domain.kinds)}
    objects.sort(key=lambda item: order.get(item[1], len(order)))
    return ProblemForm(tuple(objects), init, goal)


def write_form(form: ProblemForm) -> tuple[str, str]:
    """The text in its two stages: the object list, then facts and goal."""
    groups: list[str] = []
    for place, (name, kind) in enumerate(form.objects):
        groups.append(name)
        last = place + 1 == len(form.objects) or form.objects[place + 1][1] != kind
        if last and kind != OBJECT:
            groups.append(f"- {kind}")
    init = "".join(f" ({' '.join(fact)})" for fact in form.init)
    goal = "".join(f" ({' '.join(fact)})" for fact in form.goal)
    return f"(:objects {' '.join(groups)}{OBJECTS_END}", f"(:init{init})\n(:goal{goal})\n"


_FORM = re.compile(r"\s*\(:objects([^()]*)\)\s*\(:init((?:[^()]|\([^()]*\))*)\)\s*\(:goal((?:[^()]|\([^()]*\))*)\)\s*")
_FACT = re.compile(r"\s*\(([^()]*)\)")


def read_form(text: str) -> ProblemForm:
    """The inverse of `write_form`, both stages in one text. Raises NotInForm."""
    found = _FORM.fullmatch(text)
    if not found:
        raise NotInForm("not of the form (:objects ...) (:init ...) (:goal ...)")
    return ProblemForm(read_objects(found[1]), _facts(found[2]), _facts(found[3]))


def read_objects(words: str) -> tuple[tuple[str, str], ...]:
    """The names in an object list with their kinds; `words` are what stands behind `:objects`. Raises NotInForm."""
    objects: list[tuple[str, str]] = []
    waiting: list[str] = []
    parts = iter(words.split())
    for part in parts:
        if part == "-":
            kind = next(parts, "")
            if not kind or not waiting:
                raise NotInForm("a `-` in the object list lacks its names or its kind")
            objects += [(name, kind) for name in waiting]
            waiting = []
        else:
            waiting.append(part)
    return (*objects, *((name, OBJECT) for name in waiting))


def _facts(text: str) -> tuple[tuple[str, ...], ...]:
    facts, end = [], 0
    for match in _FACT.finditer(text):
        if match.start() != end or not match[1].split():
            break
        facts.append(tuple(match[1].split()))
        end = match.end()
    if text[end:].strip():
        raise NotInForm(f"`{text[end:].strip()[:40]}` is not a fact")
    return tuple(facts)


def problem_pddl(form: ProblemForm, domain: DomainForm, name: str = "written") -> str:
    """The PDDL problem that a short form stands for; what is wrong with it is for the checker to say."""
    typed = [(item, OBJECT if kind in domain.unary_kinds else kind) for item, kind in form.objects]
    unary = [(kind, item) for item, kind in form.objects if kind in domain.unary_kinds]
    objects = " ".join(item if kind == OBJECT else f"{item} - {kind}" for item, kind in _untyped_last(typed))
    return (
        f"(define (problem {name})\n  (:domain {domain.name})\n  (:objects {objects})\n"
        f"  (:init {_written((*unary, *form.init))})\n  (:goal (and {_written(form.goal)})))\n"
    )


def _written(facts: Iterable[tuple[str, ...]]) -> str:
    return " ".join(f"({' '.join(fact)})" for fact in facts)


def _untyped_last(objects: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """A name without a type before a typed one would take that type."""
    return sorted(objects, key=lambda item: item[1] == OBJECT)


def _goal_atoms(goal: Formula) -> list[Atom]:
    atoms = [part for part in conjuncts(goal) if isinstance(part, Atom)]
    if len(atoms) < sum(1 for _ in conjuncts(goal)):
        raise InputError("the short form knows only goals that are conjunctions of facts")
    return atoms
