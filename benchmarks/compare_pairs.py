"""Compare PlanBench tasks with renamed and mutated copies of themselves, and judge every verdict independently.

    python benchmarks/compare_pairs.py [--data DIR] [--per-domain N] [--mutants M] [--seed S] [--jobs 2]

DIR holds PlanBench's four domains (default: ../shared/data/planbench beside the checkout). Of every task there are a
renamed copy whose objects keep their names, one whose objects are renamed too (compared under any bijection of the
objects), and M mutants, every second of them renamed as well. Copies must be PROVED. A PROVED mutant is searched by the
plain oracle of tests/pddl/compare, up to --pairs pairs of states; the witness of a REFUTED one is replayed there. Where
the oracle does not come to an end, a verdict counts as "not checkable". Exit code 1 on any wrong verdict. Everything
but the time is seeded.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from groundplan.pddl import Task, read_task, write_domain, write_problem
from groundplan.pddl.compare.result import ActionMatch, Maps

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "planbench"
sys.path.append(str(ROOT / "tests" / "pddl" / "compare"))

DOMAINS = ("blocksworld", "mystery_blocksworld", "logistics", "gripper")
COPIES = ("named copy", "free copy")
Objects = Literal["named", "free"]


@dataclass(frozen=True)
class Trial:
    """One pair to compare: an instance and a copy of it of some kind."""

    domain: str
    instance: Path
    kind: str
    seed: int


@dataclass(frozen=True)
class Row:
    """What came of a trial. `truth` is the oracle's verdict under the true maps: same, different or unknown."""

    trial: Trial
    change: str
    verdict: str
    method: str
    truth: str
    wrong: str
    checked: bool
    seconds: float
    reason: str = ""
    steps: int | None = None
    is_shortest: bool = False
    on_probe: bool = False


@dataclass(frozen=True)
class Options:
    pairs: int
    seconds: float
    probes: bool
    keep: Path | None


def trials(data: Path, domains: Sequence[str], per_domain: int, mutants: int, seed: int) -> list[Trial]:
    """The same trials for the same seed; the instances are spread evenly over a domain's."""
    found = []
    for domain in domains:
        instances = sorted((data / domain / "instances").iterdir(), key=lambda path: int(path.stem.split("-")[-1]))
        count = min(per_domain, len(instances)) if per_domain else len(instances)
        for place in range(count):
            instance = instances[place * len(instances) // count]
            kinds = [*COPIES, *(("mutant", "renamed mutant")[number % 2] for number in range(mutants))]
            base = (seed * 10_007 + place) * 1000
            found += [Trial(domain, instance, kind, base + number) for number, kind in enumerate(kinds)]
    return found


def run(trial: Trial, options: Options) -> Row:
    """Compare and judge one pair; an exception of the comparison counts as a wrong verdict."""
    from judge import judged
    from mutations import mutated
    from renaming import renamed

    from groundplan.pddl.compare import compare_tasks

    task = read_task(trial.instance.parents[1] / "domain.pddl", trial.instance)
    objects: Objects = "free" if trial.kind == "free copy" else "named"
    copy, change = (task, "") if trial.kind in COPIES else mutated(task, trial.seed)
    style: Literal["fresh", "deceptive"] = "deceptive" if trial.seed % 3 == 0 else "fresh"
    candidate, maps = renamed(copy, trial.seed, objects=objects, style=style)
    if trial.kind == "mutant":
        candidate, maps = copy, _own_maps(task)
    start = time.perf_counter()
    try:
        found = compare_tasks(task, candidate, objects=objects, probes=options.probes, seconds=options.seconds)
    except Exception:  # noqa: BLE001 - whatever the comparison raises is a finding
        seconds = time.perf_counter() - start
        return Row(trial, change, "raised", "", "unknown", traceback.format_exc(), True, seconds)
    seconds = time.perf_counter() - start
    judgement = judged(task, candidate, found, maps, objects, options.pairs)
    wrong = judgement.wrong
    if trial.kind in COPIES and found.verdict != "proved":
        wrong = f"a copy is {found.verdict}: {found.reason} {wrong}"
    row = Row(
        trial,
        change,
        found.verdict.value,
        found.method,
        "unknown" if judgement.truth is None else ("same" if judgement.truth.equivalent else "different"),
        wrong,
        judgement.checked,
        seconds,
        found.reason,
        None if found.witness is None else len(found.witness.after),
        found.is_shortest,
        found.probe is not None,
    )
    if options.keep is not None and wrong:
        _keep(options.keep, trial, task, candidate)
    return row


def _own_maps(task: Task) -> Maps:
    actions = {item.name: ActionMatch(item.name, tuple(range(len(item.parameters)))) for item in task.domain.actions}
    return Maps({item.name: item.name for item in task.objects}, actions)


def _keep(folder: Path, trial: Trial, reference: Task, candidate: Task) -> None:
    place = folder / f"{trial.domain}-{trial.instance.stem}-{trial.kind.replace(' ', '-')}-{trial.seed}"
    place.mkdir(parents=True, exist_ok=True)
    for name, task in (("reference", reference), ("candidate", candidate)):
        (place / f"{name}-domain.pddl").write_text(write_domain(task.domain))
        (place / f"{name}-problem.pddl").write_text(write_problem(task.problem))


def run_all(work: Sequence[Trial], options: Options, jobs: int) -> list[Row]:
    rows: list[Row] = []
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(run, trial, options) for trial in work]
        for future in as_completed(waiting):
            rows.append(future.result())
            if len(rows) % 20 == 0 or len(rows) == len(work):
                bad = sum(bool(row.wrong) for row in rows)
                print(f"{len(rows)}/{len(work)} compared, {bad} wrong", file=sys.stderr, flush=True)
    return sorted(rows, key=lambda row: (row.trial.domain, row.trial.kind, row.trial.seed))


# --- report -----------------------------------------------------------------------------------------------------------


def report(rows: Sequence[Row]) -> None:
    kinds = (*COPIES, "mutant", "renamed mutant")
    print(f"{'domain':21}{'copy':16}{'pairs':>6}{'proved':>8}{'refuted':>9}{'(probe)':>9}{'unrefuted':>11}", end="")
    print(f"{'missed':>8}{'unchecked':>11}{'wrong':>7}{'median s':>10}{'95 % s':>9}{'max s':>9}")
    for domain in DOMAINS:
        for kind in kinds:
            _line(domain, kind, [row for row in rows if (row.trial.domain, row.trial.kind) == (domain, kind)])
        _line(domain, "all", [row for row in rows if row.trial.domain == domain])
    _line("all", "all", rows)
    print("\nmissed: unrefuted, though the oracle finds a difference; unchecked: proved or refuted, and the oracle")
    print("reached its limit of pairs first (a refuted one's witness was replayed all the same)")
    methods = Counter((row.verdict, row.method) for row in rows)
    print(
        "\nby method: " + "; ".join(f"{verdict} {method} {count}" for (verdict, method), count in methods.most_common())
    )
    shown = [row for row in rows if row.wrong] + [row for row in rows if _is_missed(row)]
    for row in shown[:60]:
        said = row.wrong or f"missed, for the oracle finds a difference: {row.reason}"
        print(f"\n{row.trial.domain} {row.trial.instance.name} {row.trial.kind} seed {row.trial.seed} [{row.change}]")
        print(f"  {row.verdict} by {row.method or '-'} in {row.seconds:.2f} s: {said}")


def _is_missed(row: Row) -> bool:
    return row.verdict == "unrefuted" and row.truth == "different"


def _line(domain: str, kind: str, rows: Sequence[Row]) -> None:
    if not rows:
        return
    verdicts = Counter(row.verdict for row in rows)
    unchecked = sum(not row.checked for row in rows if row.verdict != "unrefuted")
    print(f"{domain:21}{kind:16}{len(rows):>6}{verdicts['proved']:>8}{verdicts['refuted']:>9}", end="")
    print(f"{sum(row.on_probe for row in rows):>9}{verdicts['unrefuted']:>11}{sum(map(_is_missed, rows)):>8}", end="")
    print(f"{unchecked:>11}{sum(bool(row.wrong) for row in rows):>7}", end="")
    print("".join(f"{value:>{width}.3f}" for value, width in zip(_spread(rows), (10, 9, 9), strict=True)))


def _spread(rows: Iterable[Row]) -> tuple[float, float, float]:
    """Median, 95th percentile (nearest rank) and maximum of the seconds."""
    seconds = sorted(row.seconds for row in rows)
    return statistics.median(seconds), seconds[-(-95 * len(seconds) // 100) - 1], seconds[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="PlanBench's folder")
    parser.add_argument("--domains", nargs="+", choices=DOMAINS, default=DOMAINS)
    parser.add_argument("--per-domain", type=int, default=0, help="instances of each domain (default 0: all)")
    parser.add_argument("--mutants", type=int, default=2, help="mutants of each instance (default 2)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--pairs", type=int, default=20_000, help="pairs of states the oracle may search (default 20000)"
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="budget of one comparison (default 10)")
    parser.add_argument("--no-probes", action="store_true", help="compare on the problems themselves only")
    parser.add_argument("--keep", type=Path, help="write the PDDL of wrongly judged pairs into this folder")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        parser.error(f"{arguments.data}: no such folder; name PlanBench's with --data")
    options = Options(arguments.pairs, arguments.seconds, not arguments.no_probes, arguments.keep)
    work = trials(arguments.data, arguments.domains, arguments.per_domain, arguments.mutants, arguments.seed)
    start = time.perf_counter()
    rows = run_all(work, options, arguments.jobs)
    report(rows)
    print(f"\n{len(rows)} pairs in {time.perf_counter() - start:.0f} s with {arguments.jobs} jobs")
    sys.exit(any(row.wrong for row in rows))


if __name__ == "__main__":
    main()
