"""A tiny task set, replies to its prompts, and engines, for the tests of the benchmarks' methods."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from groundplan.bench.methods.protocol import Context, Method
from groundplan.bench.running.kept_model import KeptModel
from groundplan.bench.running.oracle import KeptOracle
from groundplan.bench.running.unit import Conditions, Work
from groundplan.bench.sets.task import Answer, Ending, Score, Task
from groundplan.models.protocol import Message, Model
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl.ast import Task as PddlTask
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Engine, Fault, Limits, Outcome, Status

LAMPS = """\
(define (domain lamps)
  (:requirements :strips :typing)
  (:types lamp)
  (:predicates (dark ?l - lamp) (lit ?l - lamp))
  (:action light
    :parameters (?l - lamp)
    :precondition (dark ?l)
    :effect (and (lit ?l) (not (dark ?l)))))"""


def problem(*names: str, goal: Sequence[str] = (), dark: Sequence[str] | None = None) -> str:
    facts = " ".join(f"(dark {name})" for name in (names if dark is None else dark))
    wanted = " ".join(f"(lit {name})" for name in goal or names)
    return (
        f"(define (problem some)\n  (:domain lamps)\n  (:objects {' '.join(names)} - lamp)\n"
        f"  (:init {facts})\n  (:goal (and {wanted})))"
    )


def fenced(*texts: str, plan: str = "") -> str:
    blocks = [f"```pddl\n{text}\n```" for text in texts]
    return "\n".join(["So be it.", *blocks, *([f"```plan\n{plan}\n```"] if plan else [])])


RIGHT = fenced(LAMPS, problem("a", "b"), plan="(light a)\n(light b)")
DRIFTED = fenced(LAMPS, problem("a", "b", goal=["a"]), plan="(light a)")
UNSOLVABLE = fenced(LAMPS, problem("a", "b", dark=["a"]), plan="(light b)")
BROKEN = fenced(LAMPS.replace("(dark ?l)\n    :effect", "(drak ?l)\n    :effect"), problem("a", "b"))
NOTHING = "I would rather not."
JUDGED = '{"score": 0.75, "reasons": []}'
RATED = "Fine. Rating: 7"
BEHAVIOURS = (RIGHT, DRIFTED, UNSOLVABLE, BROKEN, NOTHING, JUDGED, RATED, "", "```pddl\n(define (domain x)\n```")


def task(number: int = 0, *, given: bool = False) -> Task:
    text = f"Two lamps, a and b, are dark in hall {number}. Light both."
    group = ("north", "south")[number % 2]
    return Task(f"t{number}", group, text, "A dark lamp can be lit.", LAMPS if given else "", {"goal": 2})


@dataclass(frozen=True)
class LampSet:
    """Right is a solved problem with two lamps in its goal. Tasks are alike but for the hall's number."""

    name: str = "lamps"
    given: bool = False

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        return [task(2 * number + side + 100 * seed, given=self.given) for side in (0, 1) for number in range(n or 3)]

    def score(self, task: Task, answer: Answer) -> Score:
        names = ("solved", "faithful", "goal_preserved")
        if answer.ending is Ending.TOOL:
            return Score(None, "tool", dict.fromkeys(names), answer.reason)
        if answer.ending is not Ending.ANSWERED:
            return Score(False, answer.ending.value, dict.fromkeys(names, False), answer.reason)
        last = answer.steps[-1]
        same = last.problem.count("(lit ") == task.gold["goal"]
        right = bool(last.solved) and same
        marks = {"solved": bool(last.solved), "faithful": same, "goal_preserved": same}
        return Score(right, "correct" if right else "wrong", marks, "" if right else "not both lamps")


class DeadEngine:
    """An engine that crashes at its n-th call and from then on."""

    name = "dead"

    def __init__(self, after: int = 0) -> None:
        self._left = after

    def solve(self, task: PddlTask, limits: Limits) -> Outcome:
        if self._left > 0:
            self._left -= 1
            return BuiltinEngine().solve(task, limits)
        return Outcome(Status.FAILED, self.name, reason="it died", fault=Fault.CRASH)

    def close(self) -> None:
        pass


class SlowEngine:
    """Says that it took so long."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def solve(self, task: PddlTask, limits: Limits) -> Outcome:
        return replace(BuiltinEngine().solve(task, limits), seconds=self._seconds)

    def close(self) -> None:
        pass


class NoMemory:
    """Remembers nothing but what it is told in this life."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], dict[str, object]] = {}

    def recall(self, kind: str, step: str) -> dict[str, object] | None:
        return self.known.get((kind, step))

    def keep(self, kind: str, step: str, payload: object) -> None:
        self.known[kind, step] = dict(payload)  # type: ignore[call-overload]

    def check_budget(self) -> None:
        pass


def context(model: Model, engine: Engine | None = None, **conditions: object) -> Context:
    memory = NoMemory()
    kept = KeptModel(model, "unit", memory)  # type: ignore[arg-type]
    oracle = KeptOracle(engine or BuiltinEngine(), Limits(10.0, 10.0), "unit", memory)  # type: ignore[arg-type]
    return Conditions(**conditions).context(kept, oracle, LampSet())  # type: ignore[arg-type]


def by_prompt(seed: int, choice: Sequence[str] = BEHAVIOURS, name: str = "chance") -> ScriptedModel:
    """A model whose reply hangs on the prompt and the sample alone, at random."""
    return ScriptedModel(answering(seed, choice), name)


def answering(seed: int, choice: Sequence[str] = BEHAVIOURS) -> Callable[[Sequence[Message], int], Line]:
    def answer(messages: Sequence[Message], sample: int) -> Line:
        key = repr([seed, sample, *(item.content for item in messages)])
        return choice[int(hashlib.sha256(key.encode()).hexdigest(), 16) % len(choice)]

    return answer


def work(methods: Sequence[Method], model: Model, task_set: LampSet | None = None, **conditions: object) -> Work:
    return Work(
        task_set or LampSet(),
        tuple(methods),
        model,
        BuiltinEngine(),
        Conditions(limits=Limits(10.0, 10.0), **conditions),  # type: ignore[arg-type]
    )


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a run but those that hold times."""
    names = (p for p in sorted(folder.rglob("*")) if p.is_file())
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in names
        if p.name not in ("events.jsonl", "run.json", "run.lock")
    }
