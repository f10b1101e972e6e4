"""What a run will take, before it starts: parameters by role, memory, tokens, and time where it can be measured."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundplan.errors import InputError
from groundplan.train.policy import SHARED, RolePolicy
from groundplan.train.settings import TrainSettings
from groundplan.train.shares import Shares, qwen2_5_7b, shares_from_configuration

_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2, "float64": 8}


@dataclass(frozen=True, slots=True)
class Estimate:
    """`memory_bytes` counts weights, gradients and Adam's two moments, not activations. `tokens` are those of all
    episodes at full length, an upper bound; `flops` those of their forward and backward passes."""

    shares: Shares
    trained: int
    memory_bytes: int
    episodes: int
    tokens: int
    flops: float
    tokens_per_second: float | None = None

    @property
    def seconds(self) -> float | None:
        """Of updates and, at the same pace, of writing; None where nothing was measured."""
        return None if self.tokens_per_second is None else 2 * self.tokens / self.tokens_per_second

    def as_json(self) -> dict[str, Any]:
        return {
            "parameters": self.shares.parts,
            "role_rank": self.shares.rank,
            "shares": {part: self.shares.share(part) for part in self.shares.parts},
            "trained": self.trained,
            "memory_bytes": self.memory_bytes,
            "episodes": self.episodes,
            "tokens": self.tokens,
            "flops": self.flops,
            "tokens_per_second": self.tokens_per_second,
            "seconds": self.seconds,
        }


def estimate(settings: TrainSettings, policy: RolePolicy | None = None) -> Estimate:
    """From the configuration alone; with a loaded `policy`, its speed is measured by one small step that is undone."""
    shares = shares_from_configuration(configuration(settings.model), settings.policy)
    own = sum(shares.parts.values()) - shares.parts[SHARED]
    frozen = 0 if settings.policy.backbone == "full" or settings.policy.separate else shares.parts[SHARED]
    trained = shares.total - frozen
    if settings.policy.backbone == "lora" and not settings.policy.separate:
        base = shares_from_configuration(
            configuration(settings.model), settings.policy.model_copy(update={"backbone": "frozen"})
        )
        trained = own + shares.parts[SHARED] - base.parts[SHARED]
    size = _BYTES.get(settings.dtype, 4)
    episodes = settings.batch * settings.updates * settings.cycles
    per_episode = (1 + settings.max_repairs) * (settings.decoding.max_tokens + 200)
    tokens = episodes * per_episode
    speed = None if policy is None else _measured(policy)
    memory = shares.total * size + trained * (size + 8)
    return Estimate(shares, trained, memory, episodes, tokens, 6.0 * shares.total * tokens, speed)


def configuration(model: str) -> Any:
    """The transformers configuration of a model by name. Raises InputError where there is none."""
    if model.lower().endswith("qwen2.5-7b"):
        return qwen2_5_7b()
    if model == "tiny":
        from groundplan.train.backbone import tiny_backbone

        return tiny_backbone().model.config
    if model == "smollm2":
        from groundplan.train.embedded import embedded_model

        return embedded_model()
    if not (Path(model).expanduser() / "config.json").is_file():
        raise InputError(f"{model}: no model here to estimate for; name a Hugging Face directory, `smollm2` or `tiny`")
    return Path(model).expanduser()


def _measured(policy: RolePolicy) -> float:
    from groundplan.train.logprobs import reply_log_probs
    from groundplan.train.policy import Role

    rows, context, reply = 2, [5] * 64, [6] * 32
    started = time.perf_counter()
    logs, _ = reply_log_probs(policy, Role.ACTOR, [context] * rows, [reply] * rows, [None] * rows)
    sum(item.sum() for item in logs).backward()  # type: ignore[union-attr]
    seconds = time.perf_counter() - started
    for _, parameter in policy.trainable():
        parameter.grad = None
    return rows * (len(context) + len(reply)) / seconds
