"""A benchmark run in a process of its own, for tests that kill it: `bench_child.py OUT WORKERS SECONDS`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
from bench_fakes import LampSet, answering, work

from groundplan.bench.methods.registry import METHODS
from groundplan.bench.running.runner import run_bench
from groundplan.models.protocol import Message
from groundplan.models.scripted import Line, ScriptedModel

NAMES = ("cot", "llm+p", "self-refine", "actor-judge-editor")


def main(out: Path, workers: int, seconds: float) -> None:
    answer = answering(3)

    def slowly(messages: Sequence[Message], sample: int) -> Line:
        with (out.parent / "asked").open("a") as file:
            file.write("x")
        time.sleep(seconds)
        return answer(messages, sample)

    todo = work([METHODS[name] for name in NAMES], ScriptedModel(slowly, "chance"))
    run_bench(todo, LampSet().tasks(4, 1), out, label="chance", workers=workers)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
