"""The reference programs measured: coverage in four orders, tasks ten times larger, time and plan length against FF.

    python benchmarks/genplan_reference.py --data ../shared/data/genplan

Needs a copy of the public instances for the first and last part, as DIR/<domain>/{domain.pddl,eval/*.pddl}. Where DIR
has a MANIFEST.tsv with the column `ff_plan_len_45s`, tasks that FF is known not to solve are not tried again (each
would cost 45 s; the ratios do not count them); `--all-ff` tries them all.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from groundplan.bench.genplan.against_ff import Timing
from groundplan.bench.genplan.coverage import Settings, evaluate
from groundplan.bench.genplan.ledger import Ledger
from groundplan.bench.genplan.measure import measure, write_measurement
from groundplan.bench.genplan.suites import Programs, Suite, data_suite, generated_suite, programs_in
from groundplan.bench.genplan.table import as_table
from groundplan.confine.opening import open_confinement
from groundplan.confine.outcome import ConfineLimits
from groundplan.confine.protocol import Confinement
from groundplan.generalize.kinds import NamedTask
from groundplan.solve.engines import make_engine

ROOT = Path(__file__).resolve().parents[1]
LIMITS = ConfineLimits(wall_s=45.0, cpu_s=45.0)


def main() -> None:
    given = _arguments()
    programs = programs_in(given.programs)
    if given.domains:
        programs = {name: programs[name] for name in given.domains.split(",")}
    confinement = open_confinement()
    try:
        with Ledger(given.out) as ledger:
            if given.data:
                covered(programs, given.data, confinement, ledger, given.out, given.jobs)
            if given.huge:
                larger(programs, given.huge, confinement, ledger, given.jobs)
            if given.data and given.ff:
                timed(programs, given.data, confinement, ledger, given)
    finally:
        confinement.close()


def covered(
    programs: Programs, folder: Path, confinement: Confinement, ledger: Ledger, out: Path | None, jobs: int
) -> None:
    """Coverage on the public evaluation tasks, four orders each."""
    started = time.monotonic()
    suites = [data_suite(folder, domain) for domain in programs]
    found = measure(programs, suites, confinement, Settings(4, LIMITS, jobs), ledger=ledger, progress=_note)
    print(as_table(found.rows, "deepseek-f3-6"))
    if out is not None:
        write_measurement(found, out / "coverage", "deepseek-f3-6")
    for coverage in found.coverages:
        for result in coverage.results:
            if not result.solved:
                print(f"  {coverage.domain} {result.task}: {result.kind.value}: {result.message[:300]}")
    print(f"({time.monotonic() - started:.0f} s)\n")


def larger(programs: Programs, count: int, confinement: Confinement, ledger: Ledger, jobs: int) -> None:
    """Coverage on generated tasks of about ten times as many objects as the largest evaluation tasks."""
    print(f"generated, ten times larger ({count} a domain, four orders each):")
    for domain, runs in programs.items():
        suite = generated_suite(domain, "huge", count)
        started = time.monotonic()
        tasks = suite.load()
        made = time.monotonic() - started
        suite = Suite(domain, "huge", lambda tasks=tasks: tasks)
        sizes = [len(item.task.objects) for item in tasks]
        for run, source in runs.items():
            found = evaluate(source, suite, confinement, Settings(4, LIMITS, jobs), run=run, ledger=ledger)
            seconds = [result.seconds for result in found.results]
            print(
                f"  {domain:12s} {found.rate.hits}/{found.rate.n} solved, {min(sizes)} to {max(sizes)} objects, "
                f"{statistics.median(seconds):.2f} s (median), {max(seconds):.2f} s (longest); "
                f"generating took {made:.1f} s  {found.failures or ''}",
                flush=True,
            )
    print()


def timed(
    programs: Programs, folder: Path, confinement: Confinement, ledger: Ledger, given: argparse.Namespace
) -> None:
    """Ratios to FF, one at a time, on tasks that FF can solve."""
    started = time.monotonic()
    known = {} if given.all_ff else _solved_by_ff(folder)
    suites = [_only(data_suite(folder, domain), known.get(domain), given.every) for domain in programs]
    engine = make_engine("fast-downward", search="lazy-ff")
    settings = Settings(1, LIMITS, given.jobs)
    try:
        found = measure(
            programs,
            [suite for suite in suites if suite.load()],
            confinement,
            settings,
            engine=engine,
            ledger=ledger,
            progress=_note,
        )
    finally:
        engine.close()
    print(as_table(found.rows))
    if known:
        print("FF %: of the tasks that it was known to solve; the others were not tried")
    _seconds(found.timings)
    if given.out is not None:
        write_measurement(found, given.out / "ff")
    print(f"({time.monotonic() - started:.0f} s)")


def _seconds(timings: Sequence[Timing]) -> None:
    both = [item for item in timings if item.ours_s is not None and item.ff_s is not None]
    for name in ("ours_s", "whole_s", "ff_s"):
        values = [getattr(item, name) for item in both]
        print(f"  {name}: mean {statistics.mean(values):.3f} s, median {statistics.median(values):.3f} s")


def _solved_by_ff(folder: Path) -> dict[str, set[str]]:
    manifest = folder / "MANIFEST.tsv"
    if not manifest.exists():
        return {}
    found: dict[str, set[str]] = {}
    with manifest.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            names = found.setdefault(row["domain"], set())
            if row["split"] == "eval" and row["ff_plan_len_45s"]:
                names.add(Path(row["file"]).stem)
    return found


def _only(suite: Suite, names: set[str] | None, every: int) -> Suite:
    def load() -> Sequence[NamedTask]:
        return [item for item in suite.load() if names is None or item.name in names][::every]

    return Suite(suite.domain, suite.name, load)


def _note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=ROOT / "examples" / "programs")
    parser.add_argument("--data", type=Path, help="the public instances")
    parser.add_argument("--domains", default="", help="with commas; default: all that have a program")
    parser.add_argument("--huge", type=int, default=3, help="generated tasks a domain that are ten times larger")
    parser.add_argument("--ff", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--all-ff", action="store_true", help="also tasks that the manifest says FF does not solve")
    parser.add_argument("--every", type=int, default=1, help="only every n-th task against FF")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="results, tables and plots; what is there is not run again")
    return parser.parse_args()


if __name__ == "__main__":
    main()
