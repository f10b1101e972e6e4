"""The sets as tasks for Inspect, with its mock model; skipped where Inspect is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
from bench_fakes import fenced

from groundplan.bench.sets.registry import task_set

pytestmark = pytest.mark.slow


def test_inspect_gives_the_same_scores(tmp_path: Path) -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from groundplan.bench.inspect_tasks import groundplan_task

    [first, second] = task_set("planbench-blocksworld").tasks(2, 0)
    right = fenced(first.gold["domain"], first.gold["problem"])

    def say(messages: list[object], *_: object) -> ModelOutput:
        asked = messages[-1].text  # type: ignore[attr-defined]
        output = ModelOutput.from_content("mockllm/model", right if first.text in asked else "I do not know.")
        # Without a usage the mock counts tokens with a table that it loads from the network.
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output

    model = get_model("mockllm/model", custom_outputs=say)
    todo = groundplan_task("planbench-blocksworld", "actor", n=2, engine="builtin")
    [log] = inspect_ai.eval(todo, model=model, log_dir=str(tmp_path), display="none", max_samples=1)
    assert log.status == "success", log.error
    columns = {sample.id: sample.scores["scores"].metadata["column"] for sample in log.samples}
    assert columns == {f"blocksworld/{first.id}": "correct", f"blocksworld/{second.id}": "extraction"}
    assert log.results.scores[0].metrics["accuracy"].value == 0.5
