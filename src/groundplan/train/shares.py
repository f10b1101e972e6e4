"""How many parameters each role has of its own, for a loaded policy or from a configuration alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundplan.train.policy import SHARED, PolicySettings, Role, RolePolicy, low_rank_size, rank_for_share


@dataclass(frozen=True, slots=True)
class Shares:
    """Parameters by part of Eq. 3 (`shared`, `actor`, `judge`, `editor`), and the rank of the roles' adapters."""

    parts: dict[str, int]
    rank: int

    @property
    def total(self) -> int:
        return sum(self.parts.values())

    def share(self, part: str) -> float:
        """In [0, 1], of all parameters."""
        return self.parts[part] / self.total


def shares_of(policy: RolePolicy) -> Shares:
    """Counted on the policy itself. Value heads belong to the estimator, not to the model, and are left out."""
    parts = {SHARED: 0, **{str(role): 0 for role in Role}}
    for part in (SHARED, *Role):
        counted = (item for name, item in policy.parameters_of(part) if not name.startswith("value_heads"))
        parts[str(part)] = sum(parameter.numel() for parameter in counted)
    return Shares(parts, policy.role_rank)


def shares_from_configuration(config: Any, settings: PolicySettings) -> Shares:
    """The same from a transformers configuration (or the path of one), without the memory for the weights."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    if isinstance(config, str | Path):
        config = AutoConfig.from_pretrained(config, local_files_only=True)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    base = sum(parameter.numel() for parameter in model.parameters())
    rank = settings.role_rank or rank_for_share(model, settings.role_share)
    width = config.hidden_size
    if settings.separate:
        parts = {SHARED: 0, **{str(role): base + width for role in Role}}
    else:
        shared = low_rank_size(model, settings.shared_rank) if settings.backbone == "lora" else 0
        parts = {SHARED: base + shared, **{str(role): low_rank_size(model, rank) + width for role in Role}}
    parts[str(Role.JUDGE)] += width + 1
    return Shares(parts, rank)


def qwen2_5_7b() -> Any:
    """The published configuration of Qwen2.5-7B, the paper's backbone (section A.3)."""
    from transformers import Qwen2Config

    return Qwen2Config(
        vocab_size=152064,
        hidden_size=3584,
        intermediate_size=18944,
        num_hidden_layers=28,
        num_attention_heads=28,
        num_key_value_heads=4,
        max_position_embeddings=131072,
        tie_word_embeddings=False,
    )
