"""The set `planetarium`: labelled pairs of problems; are the two the same task?

There are two relations. Ours is the one of `groundplan.pddl.compare`: objects keep their names, and the tasks cannot be
told apart from any state that can be reached. Planetarium's (Zuo et al. 2025) is an isomorphism of the initial and goal
facts up to a renaming of the objects. Where objects are renamed they must differ; elsewhere they seldom do, and those
pairs are worth listing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from groundplan.bench.sets.drawing import drawn
from groundplan.bench.sets.endings import CORRECT, WRONG, scored, unread
from groundplan.bench.sets.files import folder_in, items_of, text_of
from groundplan.bench.sets.task import Answer, Score, Task
from groundplan.errors import InputError
from groundplan.pddl.compare import Equivalence, compare_tasks
from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.isomorphic import isomorphic
from groundplan.pddl.read import task_from_text

NAME = "planetarium"
MARKS = ("same_names", "up_to_renaming")
RENAMED = "rename_objects"
RULES = """\
Two problems of one domain are the same task when their objects have the same names and no sequence of actions from \
their initial states tells them apart: the same actions are possible after it, and the goal of both is true, or of \
neither. Answer Yes or No."""
_YES_NO = re.compile(r"\b(?:(yes)|(no))\b", re.IGNORECASE)
_VERDICTS = {Equivalence.PROVED: True, Equivalence.REFUTED: False, Equivalence.UNREFUTED: None}


@dataclass(frozen=True)
class PairSet:
    """The pairs of pairs.json in `data`, with the domains beside it. An answer is Yes or No in the answer's text.

    `same_names` says whether it is right by our relation, which is what the text asks for, `up_to_renaming` whether
    it is right by Planetarium's.
    """

    data: Path | None = None
    name: str = NAME

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        """See TaskSet. Raises InputError where there is no data, or it cannot be read."""
        return drawn(self._read, n, seed, NAME)

    def score(self, task: Task, answer: Answer) -> Score:
        """See TaskSet."""
        return scored(answer, MARKS, lambda: _judged(task, answer))

    @cached_property
    def _read(self) -> tuple[Task, ...]:
        if self.data is None:
            raise InputError(f"the set {NAME} has no tasks of its own: give a folder with pairs.json and domains/")
        base = folder_in(self.data, NAME)
        path, items = items_of(base, "pairs.json")
        try:
            domains = {name: text_of(base / "domains" / f"{name}.pddl") for name in {item["domain"] for item in items}}
            return tuple(_task(item, domains[item["domain"]]) for item in items)
        except (KeyError, TypeError) as error:
            raise InputError(f"{path}: not labelled pairs ({error!r})") from error


@dataclass(frozen=True, slots=True)
class Relations:
    """What both relations say of a pair, as computed and as labelled; None is not decided."""

    id: str
    mutation: str
    ours: bool | None
    theirs: bool | None
    ours_labelled: bool
    theirs_labelled: bool
    reason: str

    @property
    def differ(self) -> bool:
        """The relations disagree though no object is renamed."""
        return self.ours != self.theirs and self.mutation != RENAMED


def relations(tasks: Iterable[Task]) -> tuple[Relations, ...]:
    """Both relations of each pair, computed."""
    found = []
    for task in tasks:
        one, other = (task_from_text(task.domain, task.gold[part]) for part in ("first", "second"))
        ours = compare_tasks(one, other)
        theirs = isomorphic(one, other, Budget())
        found.append(
            Relations(
                id=task.id,
                mutation=task.gold["mutation"],
                ours=_VERDICTS[ours.verdict],
                theirs=_VERDICTS[theirs.verdict],
                ours_labelled=task.gold["same_names"],
                theirs_labelled=task.gold["up_to_renaming"],
                reason=ours.reason,
            )
        )
    return tuple(found)


def _task(item: Mapping[str, Any], domain: str) -> Task:
    gold = {
        "first": item["problem_a"],
        "second": item["problem_b"],
        "mutation": item["mutation"],
        "same_names": bool(item["equivalent_same_names_reachable"]),
        "up_to_renaming": bool(item["equivalent_up_to_object_renaming_planetarium"]),
    }
    question = "Is the second problem the same task as the first?"
    text = f"{item['problem_a'].strip()}\n\n{item['problem_b'].strip()}\n\n{question}"
    return Task(f"{NAME}-{item['id']}", item["domain"], text, RULES, domain, gold)


def _judged(task: Task, answer: Answer) -> Score:
    said = _yes_or_no(answer.text)
    if said is None:
        return unread(MARKS, "Yes or No")
    marks = {mark: said == task.gold[mark] for mark in MARKS}
    right = marks["same_names"]
    why = "" if right else f"the two are{'' if task.gold['same_names'] else ' not'} the same task"
    return Score(right, CORRECT if right else WRONG, marks, why)


def _yes_or_no(reply: str) -> bool | None:
    """Yes or No at the start of the reply, else in the last line that says one of them alone."""
    text = reply[-50_000:]
    start = re.match(r"[\W_]*(yes|no)\b(?![\s_]+\w)", text, re.IGNORECASE)
    if start:
        return start[1].lower() == "yes"
    for line in reversed(text.splitlines()):
        said = {found[0].lower() == "yes" for found in _YES_NO.finditer(line)}
        if said:
            return said.pop() if len(said) == 1 else None
    return None
