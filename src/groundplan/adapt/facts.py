"""Ground facts as the world's detectors and the planner both write them."""

from __future__ import annotations

Fact = tuple[str, ...]
"""(predicate, object, ...), lower case: ("grasped", "lid1", "gripper1")."""

Facts = frozenset[Fact]
"""All facts true now; what is not in it is false."""
