"""A new operator with its effects in order: what proposals end in, and what learning starts from."""

from __future__ import annotations

from dataclasses import dataclass

from groundplan.adapt.facts import Fact


@dataclass(frozen=True, slots=True)
class Literal:
    """A ground fact that is to hold, or not to hold."""

    fact: Fact
    positive: bool = True

    def __str__(self) -> str:
        """As in the paper's Table II: `grasped_lid1_gripper1`, `not_(ontop_lid1_pot1)`."""
        inside = "_".join(self.fact)
        return inside if self.positive else f"not_({inside})"


@dataclass(frozen=True, slots=True)
class GroundOperator:
    """`name` over `objects` (with `types`, in the same order). `preconditions` is a set in fact, kept sorted;
    `effects` are in the order in which they become true, which makes them the sub-goals of learning."""

    name: str
    objects: tuple[str, ...]
    types: tuple[str, ...]
    preconditions: tuple[Literal, ...]
    effects: tuple[Literal, ...]
