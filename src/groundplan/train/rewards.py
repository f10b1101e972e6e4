"""The role rewards of Eq. 5, and what each ablation makes of them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from groundplan.train.policy import Role

Reward = Literal["roles", "solver-only"]


class RewardSettings(BaseModel):
    """The constants of Tables 6 and 7. The paper gives lambda_band no value; 1 is ours.

    `guard_trivial` denies success to a problem whose goal holds at the start: without it a small model earns full
    reward for nothing (not in the paper). `reward` "solver-only" pays every step with the final solver label alone,
    and knows no Judge and no step penalty. `coverage`, `agreement` and `cycle` weigh rewards without a reference
    (all 0 in the paper).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reward: Reward = "roles"
    roles: frozenset[Role] = frozenset(Role)
    lambda_judge: float = Field(0.3, ge=0)
    lambda_editor: float = Field(0.5, ge=0)
    lambda_band: float = Field(1.0, ge=0)
    threshold: float = Field(0.5, gt=0, lt=1)
    step_penalty: float = Field(0.1, ge=0)
    judge_form: Literal["loss", "reward"] = "loss"
    guard_trivial: bool = True
    coverage: float = Field(0.0, ge=0)
    agreement: float = Field(0.0, ge=0)
    cycle: float = Field(0.0, ge=0)

    @field_serializer("roles")
    def _in_order(self, roles: frozenset[Role]) -> list[str]:
        """A set has no order of its own, and settings are compared as they are written."""
        return [role for role in Role if role in roles]


def actor_reward(settings: RewardSettings, solved: bool, score: float | None) -> float:
    """R_A = b_0 + lambda_J s_J (Eq. 5); without a Judge, b_0."""
    if settings.reward == "solver-only" or score is None:
        return float(solved)
    return float(solved) + settings.lambda_judge * score


def editor_reward(settings: RewardSettings, solved: bool, steps: int) -> float:
    """R_E = b_T - beta T (Eq. 5)."""
    if settings.reward == "solver-only":
        return float(solved)
    return float(solved) - settings.step_penalty * steps
