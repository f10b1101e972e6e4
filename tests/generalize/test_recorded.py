"""The recorded searches: every reply is found again, and all else comes out as it did, live and without a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from genplan_recorded import RECORDED, domain_of, recordings, replay
from groundplan.bench.genplan.coverage import Settings, evaluate
from groundplan.bench.genplan.suites import generated_suite
from groundplan.confine.opening import open_confinement
from groundplan.confine.outcome import ConfineLimits
from groundplan.models.replay import read_recording

WANTED = {"gripper", "ferry", "blocksworld", "spanner", "logistics", "visitall"}
REPAIRED = {"beluga-tight": (2, 0), "beluga-tight-sd": (0, 2), "beluga-grown": (0, 1)}
"""Strategy repairs and program repairs; none in the others."""


def test_the_wanted_domains_were_recorded() -> None:
    assert set(recordings()) >= WANTED


@pytest.mark.parametrize("name", recordings())
def test_a_recorded_search_is_repeated(tmp_path: Path, name: str) -> None:
    recorded = list(read_recording(RECORDED / f"{name}.jsonl"))
    result = replay(name, tmp_path / "run")
    assert result.model_calls == len(recorded)
    assert result.program == (RECORDED / f"{name}.py").read_text()
    assert result.solved > 0
    assert (result.strategy_repairs, result.program_repairs) == REPAIRED.get(name, (0, 0))


@pytest.mark.parametrize("name", recordings())
def test_a_recorded_program_is_measured_on_tasks_that_its_search_never_saw(name: str) -> None:
    domain, program = domain_of(name), (RECORDED / f"{name}.py").read_text()
    confinement = open_confinement()
    try:
        found = evaluate(program, generated_suite(domain, "large", 3), confinement, Settings(2, ConfineLimits(), 2))
    finally:
        confinement.close()
    assert len(found.results) == 3
    assert {result.kind.value for result in found.results} <= {
        "solved",
        "time-out",
        "exception",
        "goal-missing",
        "unmet-precondition",
    }
