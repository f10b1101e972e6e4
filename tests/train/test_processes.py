"""Two processes take the steps that one takes, and a killed command goes on where it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from groundplan.runs.log import read_events  # noqa: E402

CONFIG = {
    "model": "tiny",
    "policy": {"role_rank": 2},
    "tasks": {"domains": ["blocksworld"], "size": [2, 2], "held_out": 3},
    "warm_start": {"steps": 3, "batch": 4, "editor": 0.3, "judge": 0.3, "learning_rate": 0.003},
    "optimizer": {"learning_rate": 0.001, "kl": 0.1, "minibatch": 1},
    "decoding": {"max_tokens": 60},
    "batch": 4,
    "samples": 2,
    "cycles": 1,
    "updates": 2,
    "max_repairs": 1,
    "solver": "builtin",
    "threads": 1,
}
ALONE = [sys.executable, "-m", "groundplan"]
TWO = [sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2", "--num_machines", "1"]
TWO += ["--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0", "-m", "groundplan"]


@pytest.fixture(scope="module")
def config(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("config") / "config.yaml"
    file.write_text(json.dumps(CONFIG))
    return file


@pytest.fixture(scope="module")
def alone(tmp_path_factory, config) -> Path:
    """An unbroken run of one process."""
    out = tmp_path_factory.mktemp("alone") / "run"
    whole(ALONE, config, out)
    return out


def train(command: list[str], config: Path, out: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        [*command, "train", str(config), "--out", str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def whole(command: list[str], config: Path, out: Path) -> dict[str, dict]:
    process = train(command, config, out)
    said, _ = process.communicate(timeout=240)
    assert process.returncode == 0, said
    return logged(out)


def logged(out: Path) -> dict[str, dict]:
    """Figures by step, the last word where a step was taken twice."""
    return {
        event.payload["step"]: event.payload["figures"]
        for event in read_events(out / "events.jsonl")
        if event.kind in ("warm-start", "update", "evaluation")
    }


def test_two_processes_have_the_loss_of_one(tmp_path, config, alone) -> None:
    one, two = logged(alone), whole(TWO, config, tmp_path / "two")
    assert list(one) == list(two)
    for step, figures in one.items():
        numbers = {name: value for name, value in figures.items() if isinstance(value, int | float)}
        assert {name: two[step][name] for name in numbers} == pytest.approx(numbers, rel=1e-3, abs=1e-5), step
    assert (tmp_path / "two" / "policy" / "weights.safetensors").is_file()


@pytest.mark.parametrize("word", ["warm start 2", "update 1"])
def test_a_killed_command_goes_on_to_the_same_curve(tmp_path, config, alone, word) -> None:
    process = train(ALONE, config, tmp_path / "killed")
    assert process.stdout is not None
    for line in process.stdout:
        if word in line:
            process.send_signal(signal.SIGKILL)
            break
    assert process.wait(timeout=60) == -signal.SIGKILL
    time.sleep(0.1)
    assert whole(ALONE, config, tmp_path / "killed") == logged(alone)
    policies = [(out / "policy" / "weights.safetensors").read_bytes() for out in (alone, tmp_path / "killed")]
    assert policies[0] == policies[1]
