"""Public tasks that people plan with are accepted: every problem of the shared data, by domain."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundplan.pddl import check_sources, read_source

GENPLAN = (
    "beluga blocksworld delivery ferry goldminer gripper grippers heavy hiking logistics miconic minigrid rovers "
    "satellite spanner transport visitall"
).split()
PLANBENCH = ["blocksworld", "gripper", "logistics", "mystery_blocksworld"]


@pytest.mark.parametrize(
    "folder", [*(f"genplan/{name}" for name in GENPLAN), *(f"planbench/{name}" for name in PLANBENCH)]
)
def test_every_problem_is_accepted(data_dir: Path, folder: str) -> None:
    domain = read_source(data_dir / folder / "domain.pddl")
    problems = sorted(path for path in (data_dir / folder).rglob("*.pddl") if path.name != "domain.pddl")
    assert problems
    for path in problems:
        result = check_sources(domain, read_source(path))
        assert result.ok, result.diagnostics[0].as_text()


def test_the_data_are_whole(data_dir: Path) -> None:
    def count(folder: str) -> int:
        return sum(path.name != "domain.pddl" for path in (data_dir / folder).rglob("*.pddl"))

    assert (count("genplan"), count("planbench")) == (484, 400)
