"""Limits of the tests: small, so that reaching them is quick."""

from __future__ import annotations

from groundplan.confine.outcome import ConfineLimits

LIMITS = ConfineLimits(wall_s=5, cpu_s=5, memory_mib=256, output_bytes=20_000, value_bytes=400_000)
QUICK = ConfineLimits(wall_s=0.3, cpu_s=5, memory_mib=256, output_bytes=20_000, value_bytes=400_000)
