"""The configuration of a training run, and its presets."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundplan.errors import InputError
from groundplan.pddl.diagnostics import did_you_mean, listing
from groundplan.train.policy import PolicySettings, Role
from groundplan.train.rewards import RewardSettings
from groundplan.train.sampling import Decoding

_FROZEN = ConfigDict(frozen=True, extra="forbid")


class OptimizerSettings(BaseModel):
    """PPO by Table 7. `epochs` passes are made over each batch in parts of `minibatch` episodes; `kl` weighs the
    divergence from the policy that training started from, in nats a token (0 in the paper)."""

    model_config = _FROZEN

    learning_rate: float = Field(3e-5, gt=0)
    clip: float = Field(0.2, gt=0, lt=1)
    ratio: Literal["token", "sequence"] = "token"
    epochs: int = Field(1, ge=1)
    minibatch: int = Field(8, ge=1)
    kl: float = Field(0.0, ge=0)
    advantage: Literal["leave-one-out", "value-head"] = "leave-one-out"
    gamma: float = Field(0.9, gt=0, le=1)
    max_grad_norm: float = Field(1.0, gt=0)
    weight_decay: float = Field(0.0, ge=0)


class WarmStartSettings(BaseModel):
    """Learning from self-made pairs before the first episode; `steps` 0 leaves it out, as in the paper. `editor` and
    `judge` are the shares of pairs that are repairs of damaged problems and verdicts on them."""

    model_config = _FROZEN

    steps: int = Field(0, ge=0)
    batch: int = Field(8, ge=1)
    learning_rate: float = Field(1e-3, gt=0)
    editor: float = Field(0.0, ge=0, lt=1)
    judge: float = Field(0.0, ge=0, lt=1)


class TaskSettings(BaseModel):
    """Whose tasks: our own generators' domains, tried at `size` (see texts); each is told apart by its seed."""

    model_config = _FROZEN

    domains: tuple[str, ...] = ("blocksworld",)
    size: tuple[int, int] | None = None
    held_out: int = Field(24, ge=1)


class TrainSettings(BaseModel):
    """One training run; the defaults are the paper's (Tables 6 and 7), where it names them.

    A batch is `batch` episodes over batch / `samples` tasks. Training ends after `cycles` cycles of `updates` batches,
    or after `interactions` solver calls. `tensorboard` writes all figures for it too, into the run's directory.
    `solver_ray` is the address of a Ray cluster that the solver's calls go to ("local" starts one here).
    """

    model_config = _FROZEN

    model: str = "tiny"
    dtype: str = "float32"
    seed: int = 0
    policy: PolicySettings = PolicySettings()
    rewards: RewardSettings = RewardSettings()
    optimizer: OptimizerSettings = OptimizerSettings()
    decoding: Decoding = Decoding()
    grammar: bool = True
    warm_start: WarmStartSettings = WarmStartSettings()
    start_from: str | None = None
    tasks: TaskSettings = TaskSettings()
    batch: int = Field(32, ge=1)
    samples: int = Field(4, ge=1)
    cycles: int = Field(8, ge=1)
    updates: int = Field(47, ge=1)
    interactions: int = Field(12_000, ge=1)
    max_repairs: int = Field(5, ge=0)
    solver: str = "fast-downward"
    solver_seconds: float = Field(60.0, gt=0)
    solver_workers: int = Field(2, ge=1)
    solver_ray: str = ""
    threads: int | None = Field(None, ge=1)
    tensorboard: bool = False


PRESETS: dict[str, dict[str, Any]] = {
    "paper": {
        "model": "Qwen2.5-7B",
        "dtype": "bfloat16",
        "grammar": False,
        "rewards": {"guard_trivial": False},
        "optimizer": {"ratio": "sequence"},
        "tasks": {"domains": ["blocksworld", "logistics", "gripper"], "held_out": 300},
        "decoding": {"max_tokens": 1024},
        "solver_workers": 48,
    },
    "gpu-small": {
        "model": "smollm2",
        "dtype": "bfloat16",
        "tasks": {"domains": ["blocksworld", "gripper"], "held_out": 64},
        "warm_start": {"steps": 400, "batch": 16, "editor": 0.15, "judge": 0.15},
        "optimizer": {"learning_rate": 2e-5, "kl": 0.05},
        "updates": 20,
        "max_repairs": 2,
        "solver_seconds": 10,
        "solver_workers": 8,
    },
    "cpu": {
        "model": "smollm2",
        "policy": {"backbone": "lora", "shared_rank": 16},
        "tasks": {"domains": ["blocksworld", "gripper"], "size": [3, 4], "held_out": 24},
        "warm_start": {"steps": 120, "batch": 8, "editor": 0.15, "judge": 0.1},
        "optimizer": {"learning_rate": 2e-5, "kl": 0.05, "minibatch": 4},
        "batch": 16,
        "cycles": 4,
        "updates": 5,
        "max_repairs": 1,
        "decoding": {"max_tokens": 160},
        "solver_seconds": 10,
    },
}
ABLATIONS: dict[str, dict[str, Any]] = {
    "full": {},
    "actor": {"rewards": {"roles": ["actor"]}},
    "actor-judge": {"rewards": {"roles": ["actor", "judge"]}},
    "actor-editor": {"rewards": {"roles": ["actor", "editor"]}},
    "editor-judge": {"rewards": {"roles": ["editor", "judge"]}},
    "solver-only": {"rewards": {"reward": "solver-only", "roles": ["actor", "editor"], "guard_trivial": False}},
    "separate": {"policy": {"separate": True}},
}
"""The rows of Tables 3 and 4. "Without Judge" is `actor-editor`."""


def settings_from(preset: str = "", ablation: str = "full", **changes: Any) -> TrainSettings:
    """Settings from a preset, an ablation on it, and changes on that. Raises InputError, naming the setting."""
    if preset and preset not in PRESETS:
        raise InputError(
            f"no preset `{preset}`: {did_you_mean(preset, PRESETS) or f'known are {listing(list(PRESETS))}'}"
        )
    if ablation not in ABLATIONS:
        known = did_you_mean(ablation, ABLATIONS) or f"known are {listing(list(ABLATIONS))}"
        raise InputError(f"no ablation `{ablation}`: {known}")
    return _checked(_merged(_merged(PRESETS.get(preset, {}), ABLATIONS[ablation]), changes))


def read_settings(path: Path | str) -> TrainSettings:
    """A YAML file of settings; `preset:` and `ablation:` name what its other lines change. Raises InputError."""
    import yaml

    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        place = getattr(error, "problem_mark", None)
        where = f":{place.line + 1}:{place.column + 1}" if place else ""
        raise InputError(f"{path}{where}: not YAML ({getattr(error, 'problem', None) or error})") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: settings are wanted, such as `preset: cpu`")
    preset, ablation = data.pop("preset", ""), data.pop("ablation", "full")
    try:
        return settings_from(str(preset or ""), str(ablation), **{str(name): value for name, value in data.items()})
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _checked(data: dict[str, Any]) -> TrainSettings:
    try:
        settings = TrainSettings.model_validate(data)
    except ValidationError as error:
        raise InputError("; ".join(_said(item) for item in error.errors())) from error
    if settings.batch % settings.samples:
        raise InputError(
            f"batch: {settings.batch} episodes cannot be shared out to tasks of {settings.samples} samples"
        )
    if not settings.rewards.roles & {Role.ACTOR, Role.EDITOR}:
        raise InputError("rewards.roles: an Actor or an Editor is wanted, or nothing is written better than before")
    return settings


def _said(item: Any) -> str:
    place = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        fields: Any = TrainSettings
        for part in item["loc"][:-1]:
            fields = fields.model_fields[part].annotation
        known = list(fields.model_fields)
        hint = did_you_mean(str(item["loc"][-1]), known) or f"known are {listing(known)}"
        return f"{place}: there is no such setting ({hint})"
    return f"{place}: {item['msg'].lower()}, not {item['input']!r}"


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Settings of `above` over those of `below`, group by group."""
    found = dict(below)
    for name, value in above.items():
        old = found.get(name)
        found[name] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return found
