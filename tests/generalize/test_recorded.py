"""The recorded searches: every reply is found again, and all else comes out as it did, live and without a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from genplan_recorded import RECORDED, recorded_domains, replay
from groundplan.bench.genplan.coverage import Settings, evaluate
from groundplan.bench.genplan.suites import generated_suite
from groundplan.confine.opening import open_confinement
from groundplan.confine.outcome import ConfineLimits
from groundplan.models.replay import read_recording


@pytest.mark.parametrize("domain", recorded_domains())
def test_a_recorded_search_is_repeated(tmp_path: Path, domain: str) -> None:
    recorded = list(read_recording(RECORDED / f"{domain}.jsonl"))
    result = replay(domain, tmp_path / "run")
    assert result.model_calls == len(recorded)
    assert result.program == (RECORDED / f"{domain}.py").read_text()
    assert result.solved > 0


@pytest.mark.parametrize("domain", recorded_domains())
def test_a_recorded_program_is_measured_on_tasks_that_its_search_never_saw(domain: str) -> None:
    program = (RECORDED / f"{domain}.py").read_text()
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
