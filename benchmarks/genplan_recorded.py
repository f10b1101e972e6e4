"""The recorded searches replayed live, and their final programs measured on evaluation tasks.

    python benchmarks/genplan_recorded.py --data ../shared/data/genplan

The replies come from examples/recorded; everything else (planning, validating, confined runs) is done anew. Without
--data the programs are measured on generated tasks of size "large".
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from groundplan.bench.genplan.coverage import Settings
from groundplan.bench.genplan.measure import measure
from groundplan.bench.genplan.suites import data_suite, generated_suite
from groundplan.bench.genplan.table import as_table
from groundplan.cli.formalize import Session
from groundplan.cli.generalize import base_settings, run_generalize, task_settings
from groundplan.confine.opening import open_confinement
from groundplan.confine.outcome import ConfineLimits
from groundplan.generalize.result import Result

ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT / "examples" / "recorded"
GROWN_WITH = {"beluga-grown": "beluga-tight"}
"""Searches with counter-examples (--grow 3 --pool), by the folder of those."""


def recordings() -> list[str]:
    """By name: a domain, or DOMAIN-VARIETY for a search on debugging tasks of its own in RECORDED/NAME."""
    return sorted(file.stem for file in RECORDED.glob("*.jsonl"))


def domain_of(name: str) -> str:
    return name.partition("-")[0]


def preset_of(name: str) -> str:
    """The preset that was recorded: f5-3, or an ablation of it where the name ends so."""
    return "f5-3-sd" if name.endswith("-sd") else "f5-3"


def replay(name: str, folder: Path) -> Result:
    """The search as it was recorded, one variant after another."""
    settings = {**base_settings(f"replay:{RECORDED / f'{name}.jsonl'}"), **tasks_of(name), "preset": preset_of(name)}
    return run_generalize(settings, folder, Session(quiet=True), jobs=1)


def tasks_of(name: str) -> dict[str, Any]:
    """The debugging tasks: those in RECORDED/NAME, else generated ones; a search that grew has a pool too."""
    files = sorted((RECORDED / GROWN_WITH.get(name, name.removesuffix("-sd"))).glob("p*.pddl"))
    if files and name not in GROWN_WITH:
        return task_settings(str(files[0].with_name("domain.pddl")), files, 0)
    made = task_settings(f"bench:{domain_of(name)}", [], 0)
    pool = {f"tight{file.stem[1:]}": file.read_text(encoding="utf-8") for file in files}  # as they were called then
    return {**made, "pool": pool, "growth": 3} if pool else made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="public instances, DIR/<domain>/{domain.pddl,eval/}")
    parser.add_argument("--seeds", type=int, default=10, help="generated tasks a domain, without --data")
    given = parser.parse_args()
    programs = {}
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'domain':14}{'ending':14}{'debugging':>10}{'calls':>7}{'strategy repairs':>18}{'program repairs':>17}")
        for name in recordings():
            found = replay(name, Path(folder) / name)
            tasks = f"{found.solved}/{len(found.debugging) + len(found.added)}"
            repairs = f"{found.strategy_repairs:>18}{found.program_repairs:>17}"
            print(f"{name:14}{found.ending.value:14}{tasks:>10}{found.model_calls:>7}{repairs}")
            programs.setdefault(domain_of(name), {})[name] = found.program
    suites = [
        data_suite(given.data, domain) if given.data else generated_suite(domain, "large", given.seeds)
        for domain in programs
    ]
    confinement = open_confinement()
    try:
        measured = measure(programs, suites, confinement, Settings(4, ConfineLimits(), 2))
    finally:
        confinement.close()
    print()
    print(as_table(measured.rows))


if __name__ == "__main__":
    main()
