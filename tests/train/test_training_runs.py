"""Whole runs on a tiny model: repeatable, resumable bit for bit, and honest about what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from groundplan.errors import InputError, StorageError  # noqa: E402
from groundplan.runs.log import read_events  # noqa: E402
from groundplan.runs.run import Run  # noqa: E402
from groundplan.solve.builtin import BuiltinEngine  # noqa: E402
from groundplan.train import loop  # noqa: E402
from groundplan.train.backbone import load_backbone  # noqa: E402
from groundplan.train.checkpoint import load_weights, save_policy  # noqa: E402
from groundplan.train.memory import OutOfMemory  # noqa: E402
from groundplan.train.policy import RolePolicy  # noqa: E402
from groundplan.train.settings import ABLATIONS, PRESETS, TrainSettings, read_settings, settings_from  # noqa: E402

SMALL = {
    "model": "tiny",
    "policy": {"role_rank": 2},
    "tasks": {"domains": ["blocksworld"], "size": [2, 2], "held_out": 2},
    "warm_start": {"steps": 3, "batch": 3, "editor": 0.3, "judge": 0.3, "learning_rate": 0.003},
    "optimizer": {"learning_rate": 0.001, "kl": 0.1},
    "decoding": {"max_tokens": 60},
    "batch": 4,
    "samples": 2,
    "cycles": 2,
    "updates": 2,
    "max_repairs": 1,
}


def small(**changes) -> TrainSettings:
    return settings_from("", changes.pop("ablation", "full"), **{**SMALL, **changes})


def run_it(folder: Path, settings: TrainSettings, engine=None, stop=None) -> loop.Trained:
    """`stop` is told each line of progress, and may raise: a kill at that place."""
    with Run.open(folder, settings=settings.model_dump(mode="json")) as run:
        return loop.train(settings, run, engine or BuiltinEngine(), stop)


def fresh(settings: TrainSettings) -> RolePolicy:
    return RolePolicy(load_backbone(settings.model), settings.policy)


def figures(folder: Path) -> list[tuple]:
    """What was logged, the times aside; the last word where a step was taken twice."""
    kinds = ("warm-start", "update", "evaluation")
    found = {
        event.payload["step"]: event.payload for event in read_events(folder / "events.jsonl") if event.kind in kinds
    }
    return sorted((step, json.dumps(payload, sort_keys=True)) for step, payload in found.items())


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("train") / "unbroken"
    run_it(folder, small())
    return folder


def test_a_run_logs_every_step_and_leaves_a_policy(unbroken) -> None:
    steps = [step for step, _ in figures(unbroken)]
    assert sum(step.startswith("warm-start") for step in steps) == 3
    assert sum(step.startswith("update") for step in steps) == 4
    assert {"evaluation-cycle-0", "evaluation-cycle-1", "evaluation-cycle-2"} <= set(steps)
    assert (unbroken / "policy" / "weights.safetensors").is_file()


class Killed(BaseException):
    pass


@pytest.mark.parametrize("after", [2, 4, 6, 7, 9, 11])
def test_a_killed_run_goes_on_to_the_same_curve_and_weights(tmp_path, unbroken, after) -> None:
    seen = 0

    def stop(_: str) -> None:
        nonlocal seen
        seen += 1
        if seen == after:
            raise Killed

    with pytest.raises(Killed):
        run_it(tmp_path / "run", small(), stop=stop)
    run_it(tmp_path / "run", small())
    assert figures(tmp_path / "run") == figures(unbroken)
    for name in ("policy", "warm-start"):
        weights = Path(name) / "weights.safetensors"
        assert (tmp_path / "run" / weights).read_bytes() == (unbroken / weights).read_bytes()


@pytest.mark.parametrize("ablation", [name for name in ABLATIONS if name != "full"])
def test_every_ablation_runs(tmp_path, ablation) -> None:
    changes = {"warm_start": {"steps": 0}, "cycles": 1, "updates": 1}
    if ablation == "separate":
        changes["policy"] = {}
    result = run_it(tmp_path / "run", small(ablation=ablation, **changes))
    assert result.reason == "all cycles done"


@pytest.mark.parametrize(
    "changes",
    [
        {"optimizer": {"advantage": "value-head", "learning_rate": 0.001}},
        {"optimizer": {"ratio": "sequence", "epochs": 2}},
        {"rewards": {"coverage": 0.1, "agreement": 0.1, "cycle": 0.1, "judge_form": "reward"}},
        {"grammar": False},
        {"policy": {"backbone": "lora", "shared_rank": 2, "role_rank": 1}},
    ],
)
def test_every_switch_runs(tmp_path, changes) -> None:
    short = {"warm_start": {"steps": 0}, "cycles": 1, "updates": 1}
    assert run_it(tmp_path / "run", small(**{**short, **changes})).reason == "all cycles done"


def test_a_loss_that_is_no_number_ends_the_run_and_spares_the_checkpoint(tmp_path, monkeypatch) -> None:
    settings = small()
    calls = 0
    true_update = loop.update

    def spoilt(policy, *rest):
        nonlocal calls
        calls += 1
        if calls == 2:
            with torch.no_grad():
                policy.judge_head.weight.fill_(float("nan"))
        return true_update(policy, *rest)

    monkeypatch.setattr(loop, "update", spoilt)
    result = run_it(tmp_path / "run", settings)
    assert "not a finite number" in result.reason
    assert result.steps == 1
    policy = fresh(settings)
    load_weights(policy, tmp_path / "run" / "checkpoint")
    assert all(torch.isfinite(item).all() for item in policy.parameters())


class Dying(BuiltinEngine):
    """Breaks on every other task."""

    asked = 0

    def solve(self, task, limits=None):
        from groundplan.solve.outcome import Fault, Outcome, Status

        self.asked += 1
        if self.asked % 2:
            return Outcome(Status.FAILED, "dying", reason="the planner died", fault=Fault.CRASH)
        return super().solve(task, limits)


def test_a_solver_that_dies_is_counted_and_not_learnt_from(tmp_path) -> None:
    result = run_it(tmp_path / "run", small(), Dying())
    assert result.reason == "all cycles done"


def test_a_full_disk_is_told_and_the_old_checkpoint_stays(tmp_path, monkeypatch) -> None:
    from safetensors import torch as files

    settings = small()
    policy = fresh(settings)
    save_policy(policy, tmp_path / "kept")
    before = (tmp_path / "kept" / "weights.safetensors").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "save_file", full)
    with pytest.raises(StorageError, match="No space left"):
        save_policy(policy, tmp_path / "kept")
    assert (tmp_path / "kept" / "weights.safetensors").read_bytes() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("preset: cpu\nlr: 3\n", "lr: there is no such setting"),
        ("optimizer:\n  learning_rat: 3\n", "did you mean `learning_rate`"),
        ("optimizer:\n  learning_rate: -3\n", "optimizer.learning_rate"),
        ("preset: cpy\n", "no preset `cpy`"),
        ("ablation: jugde\n", "no ablation"),
        ("batch: 30\nsamples: 4\n", "batch"),
        ("rewards: {roles: [judge]}\n", "roles"),
        ("- a\n", "settings are wanted"),
        ("a: [\n", ":2:1: not YAML"),
    ],
)
def test_wrong_settings_are_told_by_name(tmp_path, text, said) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_settings(file)
    assert said in str(caught.value)
    assert str(file) in str(caught.value)


def test_the_papers_constants_are_the_defaults() -> None:
    settings = TrainSettings()
    assert (settings.optimizer.gamma, settings.optimizer.clip, settings.optimizer.learning_rate) == (0.9, 0.2, 3e-5)
    assert (settings.rewards.lambda_judge, settings.rewards.lambda_editor) == (0.3, 0.5)
    assert (settings.rewards.threshold, settings.rewards.step_penalty) == (0.5, 0.1)
    assert (settings.batch, settings.cycles, settings.interactions, settings.max_repairs) == (32, 8, 12_000, 5)
    assert settings.decoding.temperature == 0.7
    assert all(settings_from(name) for name in PRESETS)


def test_weights_of_another_make_are_refused(tmp_path) -> None:
    made = fresh(small())
    save_policy(made, tmp_path / "saved")
    other = small(policy={"role_rank": 3})
    policy = fresh(other)
    with pytest.raises(InputError, match="other settings"):
        load_weights(policy, tmp_path / "saved")
    (tmp_path / "saved" / "weights.safetensors").write_bytes(b"junk")
    with pytest.raises(InputError, match="no trained policy can be read"):
        load_weights(made, tmp_path / "saved")


@pytest.mark.parametrize("where", ["update", "learn", "evaluate"])
def test_memory_that_runs_out_is_told_and_the_run_goes_on_later(tmp_path, monkeypatch, where, unbroken) -> None:
    true, calls = getattr(loop, where), 0

    def hungry(*arguments, **more):
        nonlocal calls
        calls += 1
        if calls == 2:
            torch.empty(2**55, dtype=torch.float64)  # torch's own error, not one of ours
        return true(*arguments, **more)

    monkeypatch.setattr(loop, where, hungry)
    with pytest.raises(OutOfMemory, match=r"optimizer\.minibatch"):
        run_it(tmp_path / "run", small())
    monkeypatch.undo()
    run_it(tmp_path / "run", small())
    assert figures(tmp_path / "run") == figures(unbroken)


def test_other_errors_are_not_taken_for_memory(tmp_path, monkeypatch) -> None:
    def broken(*_, **__):
        raise RuntimeError("shapes differ")

    monkeypatch.setattr(loop, "update", broken)
    with pytest.raises(RuntimeError, match="shapes differ"):
        run_it(tmp_path / "run", small())
