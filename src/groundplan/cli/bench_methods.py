"""groundplan bench planbench | natural-plan | prontoqa | planetarium | report"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.options import (
    AsJson,
    BaseUrl,
    EngineName,
    KeyEnv,
    MaxCalls,
    MaxTokens,
    MaxUsd,
    Memory,
    PriceFile,
    Timeout,
)
from groundplan.cli.output import note, say, say_json
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.bench.running.runner import Progress
    from groundplan.bench.running.unit import Work
    from groundplan.bench.sets.task import TaskSet
    from groundplan.bench.tables.report import Report
    from groundplan.cli.formalize import Session

Methods = Annotated[
    str,
    typer.Option(
        "--methods",
        help="With commas: cot, self-consistency, tot, llm+p, self-refine, actor-judge-editor, trained, actor, "
        "actor-judge, actor-editor, editor-judge, solver-only.",
    ),
]
ModelName = Annotated[
    str, typer.Option("--model", help="openai:NAME, trained:DIR, local, replay:PATH, manual:DIR or scripted:FILE.")
]
Out = Annotated[Path, typer.Option("--out", help="Directory of the run; an unfinished run there is resumed.")]
Number = Annotated[int | None, typer.Option("--n", min=1, help="Tasks of each group; default: all.")]
Seed = Annotated[int, typer.Option("--seed", help="Which tasks are drawn.")]
Data = Annotated[Path | None, typer.Option("--data", help="Your copy of the benchmark; default: tasks of our own.")]
Calls = Annotated[int, typer.Option("--k", min=1, help="Solver calls for one task at most.")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Tasks in work at once.")]
Ray = Annotated[
    str, typer.Option("--ray", metavar="ADDRESS", help="Spread over a Ray cluster: auto, local, HOST:PORT.")
]
Temperature = Annotated[float, typer.Option(min=0.0, max=2.0, help="For methods that draw several samples.")]
Label = Annotated[str, typer.Option(help="The model's name in tables; default: what --model says.")]
OnlyEstimate = Annotated[bool, typer.Option("--estimate", help="Say what the run would take, and do not start it.")]
GivenDomain = Annotated[bool, typer.Option("--given-domain", help="Show the PDDL domain; only problems are written.")]


def add_to(bench: typer.Typer) -> None:
    @bench.command(help="Planning tasks of PlanBench's domains: methods against each other, success and faithfulness.")
    def planbench(
        methods: Methods,
        model: ModelName,
        out: Out,
        n: Number = None,
        seed: Seed = 0,
        data: Data = None,
        groups: Annotated[str, typer.Option(help="With commas; default: all.")] = "",
        given_domain: GivenDomain = False,
        k: Calls = 6,
        jobs: Jobs = 4,
        ray: Ray = "",
        temperature: Temperature = 0.7,
        max_tokens: MaxTokens = 8192,
        label: Label = "",
        engine: EngineName = "fast-downward",
        timeout: Timeout = 60.0,
        memory: Memory = 2048,
        base_url: BaseUrl = None,
        key_env: KeyEnv = "OPENAI_API_KEY",
        prices: PriceFile = None,
        max_calls: MaxCalls = None,
        max_usd: MaxUsd = None,
        estimate: OnlyEstimate = False,
        as_json: AsJson = False,
    ) -> int:
        return _run({**locals(), "set": "planbench"})

    for name, words in (
        ("natural-plan", "Trips and meetings of NATURAL PLAN: exact match and constraints satisfied."),
        ("prontoqa", "Statements of ProntoQA: true or false."),
        ("planetarium", "Pairs of problems of Planetarium: are they the same task?"),
    ):
        bench.command(name=name, help=words)(_text_command(name))

    @bench.command(help="Join runs of several models on the same tasks, with the published figures beside them.")
    def report(
        runs: Annotated[list[Path], typer.Argument(help="Directories of runs.")],
        out: Annotated[Path | None, typer.Option("--out", help="Directory for tables and figures.")] = None,
        published: Annotated[
            bool, typer.Option("--published/--no-published", help="With the paper's figures, not recomputed.")
        ] = True,
        as_json: AsJson = False,
    ) -> int:
        from groundplan.bench.running.reading import read_run
        from groundplan.bench.tables.report import report as join

        _show(join([read_run(folder) for folder in runs], reference=published), out, as_json)
        return Exit.YES


def _text_command(name: str) -> Any:
    def command(
        methods: Methods,
        model: ModelName,
        out: Out,
        n: Number = None,
        seed: Seed = 0,
        data: Data = None,
        k: Calls = 6,
        jobs: Jobs = 4,
        ray: Ray = "",
        temperature: Temperature = 0.7,
        max_tokens: MaxTokens = 8192,
        label: Label = "",
        base_url: BaseUrl = None,
        key_env: KeyEnv = "OPENAI_API_KEY",
        prices: PriceFile = None,
        max_calls: MaxCalls = None,
        max_usd: MaxUsd = None,
        estimate: OnlyEstimate = False,
        as_json: AsJson = False,
    ) -> int:
        planner = {"engine": "builtin", "timeout": 60.0, "memory": 2048, "given_domain": False, "groups": ""}
        return _run({**locals(), **planner, "set": name})

    return command


def open_set(name: str, data: Path | None, groups: str = "") -> TaskSet:
    """The set of a command. Raises InputError for groups that it has not."""
    from groundplan.bench.running.joined import JoinedSet
    from groundplan.bench.sets.registry import task_set

    if name == "natural-plan":
        return JoinedSet(name, tuple(task_set(f"{name}-{part}", data) for part in ("trip", "calendar")))
    wanted = groups.replace(",", " ").split()
    if wanted:
        return JoinedSet(name, tuple(task_set(f"{name}-{group}", data) for group in dict.fromkeys(wanted)))
    return task_set(name, data)


@dataclass(frozen=True)
class MakeWork:
    """Makes what a worker needs, here or on another machine. What it holds can be pickled."""

    options: Mapping[str, Any]
    engines: int
    run_id: str = ""

    def __call__(self) -> Work:
        from groundplan.bench.methods.registry import methods_named
        from groundplan.bench.running.unit import Conditions, Work
        from groundplan.solve.outcome import Limits
        from groundplan.solve.pool import SolverPool

        o = self.options
        limits = Limits(o["timeout"], o["timeout"], o["memory"])
        about_pddl = o["set"] == "planbench"
        conditions = Conditions(o["k"], o["temperature"], o["max_tokens"], None, about_pddl, o["given_domain"], limits)
        methods = methods_named(o["methods"].split(","))
        model = self.session().model(o, self.run_id or None)
        engine = SolverPool(o["engine"], self.engines, limits)
        return Work(open_set(o["set"], o["data"], o["groups"]), methods, model, engine, conditions)

    def session(self) -> Session:
        from groundplan.cli.formalize import Session

        o = self.options
        return Session(o["prices"], max_calls=o["max_calls"], max_usd=o["max_usd"], quiet=True)


def _run(options: dict[str, Any]) -> int:
    from groundplan.bench.running.estimate import estimate
    from groundplan.bench.running.reading import read_run
    from groundplan.bench.running.runner import run_bench
    from groundplan.bench.tables.report import report, write_report

    _check(options)
    jobs = 1 if options["model"].startswith("scripted:") else options["jobs"]
    make = MakeWork(options, jobs)
    work = make()
    try:
        work.refuse()
        tasks = work.task_set.tasks(options["n"], options["seed"])
        if not tasks:
            raise InputError(f"{options['set']}: there are no tasks here")
        prices = make.session().prices.get(options["model"].partition(":")[2])
        guess = estimate(work, tasks, jobs, prices)
        if options["estimate"]:
            say_json(guess.as_json()) if options["as_json"] else say(guess.as_text())
            return Exit.YES
        note(guess.as_text())
        with _progress(len(tasks)) as tell:
            done = run_bench(
                work,
                tasks,
                options["out"],
                label=_label(options, work),
                settings={"seed": options["seed"], "asked": options["model"]},
                budget=make.session().budget,
                workers=jobs,
                spread=_spread(options, make, jobs),
                progress=tell,
            )
    finally:
        work.engine.close()
    if done.records:
        made = report([read_run(options["out"])])
        write_report(made, options["out"])
        _show(made, None, options["as_json"])
    note(f"run: {options['out']} (results.jsonl, tables.md, tables.tex, figures/)")
    if done.stopped:
        note(f"stopped: {done.stopped}; the same command with a larger budget goes on")
    return Exit.FAILED if done.stopped or any(record.failed for record in done.records) else Exit.YES


def _check(options: dict[str, Any]) -> None:
    """What can be wrong on the command line alone."""
    trained = options["model"].startswith("trained:")
    if "trained" in options["methods"].split(",") and not trained:
        raise InputError("the method `trained` wants --model trained:DIR, a policy that `groundplan train` left")
    if trained and not options["given_domain"]:
        raise InputError("a trained policy writes problems for a domain that is given: add --given-domain (planbench)")
    if options["max_usd"] is not None and not options["prices"]:
        raise InputError("--max-usd wants --prices FILE: without prices nobody knows what a call costs")
    if options["ray"]:
        from groundplan.solve.over_ray import require_ray

        require_ray()
        if options["model"].startswith(("scripted:", "manual:")):
            raise InputError("--ray wants a model that every machine can ask: a server, a recording or a policy")


def _label(options: Mapping[str, Any], work: Work) -> str:
    """The model's name in tables, without a path: they are the same wherever they are made."""
    name = str(options["label"] or work.model.name)
    return f"trained:{Path(name.removeprefix('trained:')).name}" if name.startswith("trained:") else name


def _spread(options: Mapping[str, Any], make: MakeWork, jobs: int) -> Any:
    if not options["ray"]:
        return None
    from groundplan.bench.running.ray_cluster import spread_over_ray

    remote = MakeWork({**options, "data": options["data"] and options["data"].resolve()}, 1)
    return spread_over_ray(options["ray"], remote, jobs)


@contextmanager
def _progress(total: int) -> Iterator[Progress]:
    """A bar on a terminal's standard error; without a terminal a line for every tenth of the tasks."""
    import sys

    if not sys.stderr.isatty():
        told = 0

        def tell(done: int, _: int) -> None:
            nonlocal told
            if done * 10 // total > told:
                told = done * 10 // total
                note(f"... {done} of {total} tasks")

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("tasks"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        row = bar.add_task("tasks", total=total)
        yield lambda done, _: bar.update(row, completed=done)


def _show(made: Report, out: Path | None, as_json: bool) -> None:
    from groundplan.bench.tables.report import write_report

    if as_json:
        say_json(made.as_json())
    else:
        for line in made.as_markdown().splitlines():
            say(line)
    if out is not None:
        for file in write_report(made, out):
            note(str(file))
