"""What every test may use: the shared data, if they are there, and small seeded hypothesis budgets.

`HYPOTHESIS_PROFILE=thorough pytest ...` spends twenty times the examples, drawn anew each time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
"""Field cases and public data sets beside the checkout; never needed, always skipped when absent."""

# The programs under benchmarks/ hold the engines of the long runs; the tests run the same engines for a short time.
sys.path.insert(0, str(ROOT / "benchmarks"))

_SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)
settings.register_profile(
    "default", max_examples=60, derandomize=True, deadline=None, suppress_health_check=_SLOW_IS_FINE
)
settings.register_profile("thorough", max_examples=1200, deadline=None, suppress_health_check=_SLOW_IS_FINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of shared cases and data; tests that ask for it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("no shared data beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def data_dir(shared_dir: Path) -> Path:
    return shared_dir / "data"
