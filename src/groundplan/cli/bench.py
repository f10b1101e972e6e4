"""groundplan bench"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.bench_methods import add_to as add_methods
from groundplan.cli.bench_novelty import add_to as add_novelty
from groundplan.cli.exits import Exit
from groundplan.cli.options import AsJson
from groundplan.cli.output import note, say, say_json
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.bench.genplan.coverage import Settings
    from groundplan.bench.genplan.measure import Measurement
    from groundplan.bench.genplan.suites import Programs, Suite


class Split(StrEnum):
    EVAL = "eval"
    TRAIN = "train"


_NO_PROGRAMS = (
    "no programs to measure: give --programs DIR (DIR/<domain>.py, or DIR/<domain>/<run>.py for several runs) or "
    "--program FILE, or --model M to search for them first"
)


def add_to(app: typer.Typer) -> None:
    bench = typer.Typer(
        name="bench", help="Benchmarks: tables and figures with their uncertainty.", no_args_is_help=True
    )
    app.add_typer(bench)

    add_methods(bench)
    add_novelty(bench)

    @bench.command(
        help="Measure programs for generalized planning: coverage by domain, time and plan length against FF."
    )
    def genplan(
        domains: Annotated[
            str, typer.Option(help="Domains, with commas; default: all that there are programs for.")
        ] = "",
        programs: Annotated[Path | None, typer.Option(help="Directory of programs by domain.")] = None,
        program: Annotated[
            list[str] | None, typer.Option(help="FILE or DOMAIN=FILE; several for one domain are runs of it.")
        ] = None,
        data: Annotated[
            Path | None, typer.Option(help="Tasks as DIR/<domain>/{domain.pddl,eval/,train/}; default: generated ones.")
        ] = None,
        split: Annotated[Split, typer.Option(help="With --data: which tasks.")] = Split.EVAL,
        sizes: Annotated[str, typer.Option(help="Generated tasks: small, large, huge; with commas.")] = "large",
        seeds: Annotated[int, typer.Option(min=1, help="Generated tasks: how many of each size.")] = 30,
        model: Annotated[
            str, typer.Option("--model", help="Search for programs with this model first (see `generalize`).")
        ] = "",
        preset: Annotated[str, typer.Option(help="With --model: the preset of the search.")] = "f5-3",
        runs: Annotated[
            int, typer.Option(min=1, max=3, help="With --model: searches a domain, each shown another pair of tasks.")
        ] = 1,
        base_url: Annotated[str | None, typer.Option(help="With --model: server with OpenAI's protocol.")] = None,
        key_env: Annotated[
            str, typer.Option(help="With --model: environment variable with the key.")
        ] = "OPENAI_API_KEY",
        orders: Annotated[int, typer.Option(min=1, help="Orders of objects and facts; all must succeed.")] = 4,
        renamed: Annotated[bool, typer.Option("--renamed", help="Every task with other object names as well.")] = False,
        ff: Annotated[
            bool, typer.Option("--ff/--no-ff", help="Time and plan length against FF, one at a time.")
        ] = False,
        timeout: Annotated[float, typer.Option(min=0.1, help="Seconds for one program run, and for FF.")] = 45.0,
        jobs: Annotated[int, typer.Option(min=1, help="Programs run at once for coverage.")] = 2,
        paper: Annotated[str, typer.Option(help="Column of the paper's to show, for instance deepseek-f3-6.")] = "",
        out: Annotated[
            Path | None, typer.Option(help="Directory for results, tables and plots; what is there is not run again.")
        ] = None,
        unconfined: Annotated[
            bool, typer.Option("--unconfined", help="Run programs even where this machine cannot confine them.")
        ] = False,
        as_json: AsJson = False,
    ) -> int:
        from groundplan.bench.genplan.coverage import Settings
        from groundplan.bench.genplan.paper import paper_column
        from groundplan.confine.outcome import ConfineLimits

        if paper:
            paper_column(paper)  # a wrong name is found before anything runs
        wanted = [name for name in domains.lower().replace(",", " ").split() if name]
        if model:
            options = {"preset": preset, "base_url": base_url, "key_env": key_env, "unconfined": unconfined}
            found = _searched(model, wanted, data, runs, out, options)
        else:
            found = _programs(programs, program or [], wanted)
        suites = _suites(list(found), data, split, sizes.replace(",", " ").split(), seeds)
        settings = Settings(orders, ConfineLimits(wall_s=timeout, cpu_s=timeout), jobs, renamed)
        measured = _measure(found, suites, settings, ff, out, unconfined)
        _report(measured, out, paper, as_json)
        return Exit.FAILED if measured.tool_failures else Exit.YES


def _programs(folder: Path | None, files: list[str], domains: list[str]) -> Programs:
    """The programs by domain and run, of the domains asked for. Raises InputError where one has none."""
    from groundplan.bench.genplan.suites import programs_from, programs_in

    if folder is None and not files:
        raise InputError(_NO_PROGRAMS)
    found = programs_in(folder) if folder is not None else {}
    for domain, runs in programs_from(files, domains).items():
        found.setdefault(domain, {}).update(runs)
    missing = [domain for domain in domains if domain not in found]
    if missing:
        raise InputError(f"no program for {', '.join(missing)}; there are programs for {', '.join(found)}")
    return {domain: found[domain] for domain in domains} if domains else found


def _searched(
    model: str, domains: list[str], data: Path | None, runs: int, out: Path | None, options: dict[str, Any]
) -> Programs:
    """Programs by searching for them: one run a domain and pair, under OUT/searches, resumed where it is there already.

    The debugging tasks are those under DIR/<domain>/train with --data, generated ones else.
    """
    from groundplan.cli.formalize import Session
    from groundplan.cli.generalize import base_settings, run_generalize, task_settings

    if out is None or not domains:
        raise InputError("--model wants --domains and --out: the searches are kept there, and resumed after a stop")
    found: dict[str, dict[str, str]] = {}
    for domain in domains:
        where = f"bench:{domain}" if data is None else str(data / domain / "domain.pddl")
        tasks = [] if data is None else sorted((data / domain / "train").glob("*.pddl"))
        for pair in range(runs):
            note(f"searching for a program for {domain}, run {pair + 1} of {runs}")
            settings = {**base_settings(model), **options, "pair": pair, **task_settings(where, tasks, 0)}
            result = run_generalize(settings, out / "searches" / domain / str(pair + 1), Session(), jobs=4)
            note(f"{domain}, run {pair + 1}: {result.ending.value}: {result.reason}")
            found.setdefault(domain, {})[str(pair + 1)] = result.program or NO_PROGRAM
    return found


NO_PROGRAM = "# the search found no program\n"
"""Solves nothing, so that a search without a result counts as coverage 0 and is not left out."""


def _suites(domains: list[str], data: Path | None, split: Split, sizes: list[str], seeds: int) -> list[Suite]:
    from groundplan.bench.genplan.suites import data_suite, generated_suite

    if data is not None:
        return [data_suite(data, domain, "train" if split is Split.TRAIN else "eval") for domain in domains]
    if not sizes:
        raise InputError("--sizes is empty: give small, large or huge, or several with commas")
    return [generated_suite(domain, size, seeds) for domain in domains for size in sizes]  # type: ignore[arg-type]


def _measure(
    programs: Programs, suites: list[Suite], settings: Settings, ff: bool, out: Path | None, unconfined: bool
) -> Measurement:
    from groundplan.bench.genplan.ledger import Ledger
    from groundplan.bench.genplan.measure import measure
    from groundplan.confine.opening import open_confinement
    from groundplan.solve.engines import make_engine

    engine = make_engine("fast-downward", search="lazy-ff") if ff else None
    confinement = open_confinement(unconfined=unconfined)
    try:
        with Ledger(out) as ledger:
            if len(ledger):
                note(f"{out}: {len(ledger)} results are there already and are not measured again")
            return measure(programs, suites, confinement, settings, engine=engine, ledger=ledger, progress=note)
    finally:
        confinement.close()
        if engine is not None:
            engine.close()


def _report(found: Measurement, out: Path | None, paper: str, as_json: bool) -> None:
    from groundplan.bench.genplan.measure import write_measurement
    from groundplan.bench.genplan.table import as_table

    if as_json:
        say_json(found.as_json())
    else:
        for line in as_table(found.rows, paper).splitlines():
            say(line)
    if out is not None:
        for file in write_measurement(found, out, paper):
            note(str(file))
