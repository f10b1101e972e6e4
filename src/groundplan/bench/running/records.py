"""One method's answer to one task with its score: a line of results.jsonl. No times, dates or paths are in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from groundplan.bench.sets.task import Answer, Ending, Score, Step
from groundplan.errors import InputError

RESULTS = "results.jsonl"


@dataclass(frozen=True, slots=True)
class Record:
    """`unpriced` counts the replies whose cost is not known, so that a sum of dollars without them is not shown."""

    task: str
    group: str
    method: str
    answer: Answer
    score: Score
    unpriced: int = 0

    @property
    def failed(self) -> bool:
        """A model, a solver or a checker broke: nothing was measured, and a resumed run tries again."""
        return self.score.column == "tool"

    def as_json(self) -> dict[str, Any]:
        answer = {field.name: getattr(self.answer, field.name) for field in fields(Answer)}
        answer["ending"] = self.answer.ending.value
        answer["steps"] = [_step_as_json(step) for step in self.answer.steps]
        score = {
            "correct": self.score.correct,
            "column": self.score.column,
            "marks": dict(sorted(self.score.marks.items())),
            "why": self.score.why,
            "measures": dict(sorted(self.score.measures.items())),
        }
        head = {"task": self.task, "group": self.group, "method": self.method}
        return {**head, "answer": answer, "score": score, "unpriced": self.unpriced}


def record_from_json(data: Mapping[str, Any]) -> Record:
    """What `as_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    answer = dict(data["answer"])
    answer["ending"] = Ending(answer["ending"])
    answer["steps"] = tuple(_step_from_json(step) for step in answer["steps"])
    return Record(
        data["task"], data["group"], data["method"], Answer(**answer), Score(**data["score"]), data["unpriced"]
    )


def as_lines(records: Iterable[Record]) -> str:
    """The text of results.jsonl."""
    return "".join(json.dumps(record.as_json(), ensure_ascii=False, allow_nan=False) + "\n" for record in records)


def read_records(path: Path) -> tuple[Record, ...]:
    """The records of a results.jsonl. Raises InputError, naming the line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: no results can be read here ({error})") from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(record_from_json(json.loads(line)))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{path}:{number}: not a result of a benchmark ({error})") from error
    return tuple(found)


def _step_as_json(step: Step) -> dict[str, Any]:
    data = {field.name: getattr(step, field.name) for field in fields(Step)}
    data["plan"] = None if step.plan is None else list(step.plan)
    return data


def _step_from_json(data: Mapping[str, Any]) -> Step:
    plan = data["plan"]
    return Step(**{**data, "plan": None if plan is None else tuple(plan)})
