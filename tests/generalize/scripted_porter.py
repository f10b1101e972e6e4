"""A small domain of the tests' own, with right and wrong programs for it, and a model that plays every part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from groundplan.generalize.kinds import NamedTask
from groundplan.models.protocol import Message
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl.read import task_from_text

DOMAIN = """
(define (domain porter)
  (:requirements :strips :typing)
  (:types room box - object)
  (:predicates (in ?b - box ?r - room) (here ?r - room) (held ?b - box) (hands-free))
  (:action go :parameters (?a ?b - room) :precondition (here ?a) :effect (and (here ?b) (not (here ?a))))
  (:action lift :parameters (?b - box ?r - room) :precondition (and (in ?b ?r) (here ?r) (hands-free))
    :effect (and (held ?b) (not (in ?b ?r)) (not (hands-free))))
  (:action lay :parameters (?b - box ?r - room) :precondition (and (held ?b) (here ?r))
    :effect (and (in ?b ?r) (hands-free) (not (held ?b)))))
"""


def task(number: int) -> NamedTask:
    """A task with `number` + 1 boxes in the first room that all go to the last."""
    boxes = [f"b{n}" for n in range(number + 1)]
    rooms = [f"r{n}" for n in range(number % 3 + 2)]
    init = " ".join(f"(in {box} r0)" for box in boxes)
    goal = " ".join(f"(in {box} {rooms[-1]})" for box in boxes)
    text = (
        f"(define (problem p{number}) (:domain porter) (:objects {' '.join(rooms)} - room {' '.join(boxes)} - box) "
        f"(:init (here {rooms[number % 2]}) (hands-free) {init}) (:goal (and {goal})))"
    )
    return NamedTask(f"p{number}", task_from_text(DOMAIN, text))


TASKS = tuple(task(number) for number in range(6))

STRATEGY = "For each box that is not where it belongs: go to it, lift it, go to its place, lay it."

GOOD = """
def get_plan(objects, init, goal):
    here = next(fact[1] for fact in init if fact[0] == "here")
    at = {fact[1]: fact[2] for fact in init if fact[0] == "in"}
    plan = []
    for _, box, room in sorted(goal):
        if at[box] == room:
            continue
        if here != at[box]:
            plan.append(f"(go {here} {at[box]})")
        plan += [f"(lift {box} {at[box]})", f"(go {at[box]} {room})", f"(lay {box} {room})"]
        here = room
    return plan
"""
ONE_BOX = GOOD.replace("sorted(goal)", "sorted(goal)[:1]")
"""Solves the task with one box only."""
CRASHES = GOOD.replace("    plan = []", "    plan = []\n    if len(goal) > 3:\n        raise KeyError(len(goal))")
"""Solves tasks with up to three boxes."""


def block(program: str) -> str:
    return f"Here it is.\n```python\n{program.strip()}\n```"


def plan_of(named: NamedTask) -> str:
    """The right plan in a block, as a model would write it, by the good program."""
    space: dict[str, Callable[..., list[str]]] = {}
    exec(GOOD, space)
    problem = named.task.problem
    facts = {(fact.predicate, *fact.terms) for fact in problem.init}
    from groundplan.pddl.ast import Atom, conjuncts

    goal = {(part.predicate, *part.terms) for part in conjuncts(problem.goal) if isinstance(part, Atom)}
    return "```plan\n" + "\n".join(space["get_plan"](set(), facts, goal)) + "\n```"


KINDS = {
    "describe domain": "Describe this kind of puzzle in plain words",
    "describe tasks": "Describe each of these puzzles in plain words",
    "describe task": "Describe this puzzle in plain words",
    "strategy": "Find a strategy that solves every puzzle",
    "strategy again": "Write the whole strategy again, not just",
    "plan": "Follow the strategy line by line",
    "reflect on strategy": "These moves do not solve the puzzle",
    "revise": "Now mend the strategy",
    "program": "Implement the strategy.",
    "program again": "Answer with the whole program in one ```python block: all imports",
    "reflect on program": "Why does the program fail here",
    "fix": "Now fix the program",
    "summary": "Write a short summary of this domain",
    "strategy in words": "There is a simple strategy",
}
_ORDER = ("fix", "reflect on program", "program", "program again", "revise", "strategy", "strategy again")


def kind_of(messages: Sequence[Message]) -> str:
    """Which question this is, by the last message."""
    asked = messages[-1].content
    for kind in (*_ORDER, *KINDS):
        if KINDS[kind] in asked:
            return kind
    raise AssertionError(f"an unknown question: {asked[:200]}")


class Actor:
    """Answers each kind of question from its own list, the last entry again and again; counts what was asked."""

    def __init__(self, **answers: Line | list[Line]) -> None:
        self._answers: dict[str, list[Line]] = {
            "describe domain": ["A porter carries boxes."],
            "describe tasks": ["all"],
            "describe task": ["Some boxes."],
            "strategy": [f"<strategy>\n{STRATEGY}\n</strategy>"],
            "strategy again": [f"<strategy>\n{STRATEGY}\n</strategy>"],
            "reflect on strategy": ["The second line."],
            "revise": [f"<strategy>\n{STRATEGY} Mended.\n</strategy>"],
            "program": [block(GOOD)],
            "program again": [block(GOOD)],
            "reflect on program": ["The loop."],
            "fix": [block(GOOD)],
            "summary": ["A porter."],
            "strategy in words": [f"<strategy>{STRATEGY}</strategy>"],
        }
        for kind, lines in answers.items():
            self._answers[kind.replace("_", " ")] = lines if isinstance(lines, list) else [lines]
        self.asked: Counter[str] = Counter()

    def __call__(self, messages: Sequence[Message], sample: int) -> Line:
        kind = kind_of(messages)
        number = self.asked[kind]
        self.asked[kind] += 1
        if kind == "plan" and kind not in self._answers:
            return self._right_plan(messages)
        lines = self._answers[kind]
        line = lines[min(number, len(lines) - 1)]
        if kind == "describe tasks" and line == "all":
            names = re.findall(r"^Puzzle (\S+):$", messages[-1].content, re.MULTILINE)
            return "".join(f"<puzzle {name}>\nSome boxes in {name}.\n</puzzle>\n" for name in names)
        return self._right_plan(messages) if line == "right" else line

    def _right_plan(self, messages: Sequence[Message]) -> str:
        asked = messages[-1].content
        boxes = asked.count("b") and max(n for n in range(6) if f"b{n}" in asked)
        return plan_of(task(boxes))

    @property
    def model(self) -> ScriptedModel:
        return ScriptedModel(self)
