"""The set `prontoqa`: statements to be called true or false, from a user's copy or made from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from groundplan.bench.sets.drawing import drawn, seeds_of
from groundplan.bench.sets.endings import CORRECT, WRONG, scored, unread
from groundplan.bench.sets.files import folder_in, items_of
from groundplan.bench.sets.logic.labels import read_label
from groundplan.bench.sets.logic.made import made_theory
from groundplan.bench.sets.logic.theory import read_theory
from groundplan.bench.sets.task import Answer, Score, Task
from groundplan.errors import InputError

GROUP = "prontoqa"
MARKS = ("right_label",)
RULES = "Decide from the facts and rules alone. The answer is True or False."
HOPS = 5
"""Rules between the first fact and the statement in tasks that are made, as in the copies that people use."""


@dataclass(frozen=True)
class ProntoQaSet:
    """The tasks of sample.json or dev.json (Logic-LLM's format) in `data`, or our own where `data` is None."""

    name: str = "prontoqa"
    data: Path | None = None
    hops: int = HOPS

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        """See TaskSet. Raises InputError where the data cannot be read."""
        if self.data is not None:
            return drawn(self._read, n, seed, GROUP)
        return tuple(self._made(one) for one in seeds_of(n, seed, GROUP))

    def score(self, task: Task, answer: Answer) -> Score:
        """See TaskSet; True or False, or the letter of the option, is looked for in the answer's text."""
        return scored(answer, MARKS, lambda: _judged(task, answer))

    @cached_property
    def _read(self) -> tuple[Task, ...]:
        assert self.data is not None
        path, items = items_of(folder_in(self.data, GROUP), "sample.json", "dev.json")
        try:
            return tuple(_task(item) for item in items)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: not ProntoQA's tasks ({error!r})") from error

    def _made(self, seed: int) -> Task:
        context, statement, label, proof = made_theory(seed, self.hops)
        question = f"Is the following statement true or false? {statement}"
        return _task(
            {
                "id": f"prontoqa-{seed}",
                "context": context,
                "question": question,
                "answer": "A" if label else "B",
                "explanation": proof,
            }
        )


def derived_label(task: Task) -> bool | None:
    """The label that forward chaining over the task's context gives. Raises InputError for unreadable sentences."""
    theory, statement = read_theory(task.gold["context"], task.gold["question"])
    return theory.label(statement)


def _task(item: Mapping[str, Any]) -> Task:
    if item["answer"] not in ("A", "B"):
        raise KeyError(f"answer of {item['id']}: A or B, not {item['answer']!r}")
    gold = {
        "label": item["answer"] == "A",
        "context": item["context"],
        "question": item["question"],
        "proof": list(item.get("explanation", ())),
    }
    text = f"{item['context']}\n\n{item['question']}\nA) True\nB) False"
    return Task(str(item["id"]), GROUP, text, RULES, "", gold)


def _judged(task: Task, answer: Answer) -> Score:
    label = read_label(answer.text)
    if label is None:
        return unread(MARKS, "True or False")
    right = label == task.gold["label"]
    why = "" if right else f"the answer is {label}, right is {task.gold['label']}"
    return Score(right, CORRECT if right else WRONG, {"right_label": right}, why)
