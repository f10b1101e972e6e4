"""groundplan generalize"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.formalize import Session
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import (
    AsJson,
    BaseUrl,
    EngineName,
    KeyEnv,
    MaxCalls,
    MaxTokens,
    MaxUsd,
    ModelTimeout,
    PriceFile,
    Retries,
    Temperature,
)
from groundplan.cli.output import note, say, say_json
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.generalize.kinds import NamedTask
    from groundplan.generalize.result import Result
    from groundplan.generalize.settings import Settings
    from groundplan.runs.run import Run

DOMAIN_HELP = "The domain: a PDDL file, or bench:NAME for a benchmark domain with generated tasks."
PRESET_HELP = "f5-3, f3-6 or any fX-Y, bas, silver; with -mc, -sd, -cr for the ablations."
GROW_HELP = "Beyond the paper: rounds of counter-examples, from left-over tasks, and --pool or generated ones."
POOL_HELP = "More problem files to look for counter-examples in (--grow); no prompt shows those that are solved."


def add_to(app: typer.Typer) -> None:
    @app.command(
        name="generalize", help="A domain and a few small tasks to a Python program that solves all its tasks."
    )
    def command(
        domain: Annotated[str, typer.Argument(help=DOMAIN_HELP)],
        model: Annotated[str, typer.Option("--model", help="openai:NAME, replay:PATH, manual:DIR or scripted:FILE.")],
        out: Annotated[Path, typer.Option("--out", help="Directory of the run; an unfinished run there is resumed.")],
        tasks: Annotated[
            list[Path] | None, typer.Argument(metavar="TASK...", help="Problem files; six are used.")
        ] = None,
        preset: Annotated[str, typer.Option("--preset", help=PRESET_HELP)] = "f5-3",
        pair: Annotated[int, typer.Option(min=0, max=2, help="Which two debugging tasks the prompts show.")] = 0,
        seed: Annotated[int, typer.Option(help="Seed of generated tasks and shuffled examples.")] = 0,
        faithful: Annotated[
            bool,
            typer.Option("--faithful", help="As in the paper: tasks described one by one, one variant after another."),
        ] = False,
        jobs: Annotated[int, typer.Option(min=1, help="Questions at once.")] = 4,
        variants_at_once: Annotated[
            int, typer.Option(min=1, help="Program variants worked on at once; 1 costs the fewest calls.")
        ] = 4,
        plans_per_check: Annotated[
            int, typer.Option(min=1, help="Beyond the paper: plans asked for before a strategy is blamed.")
        ] = 1,
        growth: Annotated[int, typer.Option("--grow", min=0, help=GROW_HELP)] = 0,
        pool: Annotated[list[Path] | None, typer.Option("--pool", help=POOL_HELP)] = None,
        invariance: Annotated[
            bool, typer.Option("--invariance", help="Beyond the paper: every task with renamed objects as well.")
        ] = False,
        trim_tokens: Annotated[
            int | None, typer.Option(min=500, help="Beyond the paper: shorten conversations longer than this.")
        ] = None,
        shortest: Annotated[
            bool, typer.Option("--shortest", help="Beyond the paper: ties go to shorter plans, then to less time.")
        ] = False,
        orders: Annotated[int | None, typer.Option(min=1, help="Orders of objects and facts to stand.")] = None,
        timeout: Annotated[float | None, typer.Option(min=0.1, help="Seconds for one program run.")] = None,
        unconfined: Annotated[
            bool, typer.Option("--unconfined", help="Run programs even where this machine cannot confine them.")
        ] = False,
        base_url: BaseUrl = None,
        key_env: KeyEnv = "OPENAI_API_KEY",
        engine: EngineName = "fast-downward",
        temperature: Temperature = 0.0,
        max_tokens: MaxTokens = 16384,
        prices: PriceFile = None,
        model_timeout: ModelTimeout = 600.0,
        retries: Retries = 5,
        max_calls: MaxCalls = None,
        max_usd: MaxUsd = None,
        as_json: AsJson = False,
    ) -> int:
        settings = {
            **base_settings(model),
            **task_settings(domain, tasks or [], seed),
            "base_url": base_url,
            "key_env": key_env,
            "engine": engine,
            "preset": preset,
            "describe_each": faithful,
            "pair": pair,
            "seed": seed,
            "plans_per_check": plans_per_check,
            "growth": growth,
            "invariance": invariance,
            "trim_tokens": trim_tokens,
            "shortest": shortest,
            "orders": orders,
            "timeout": timeout,
            "unconfined": unconfined,
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        settings |= pool_settings(str(settings["domain"]), dict(settings["tasks"]), pool or [], growth)
        session = Session(prices, model_timeout, retries, max_calls, max_usd)
        result = run_generalize(settings, out, session, jobs, 1 if faithful else variants_at_once)
        if as_json:
            say_json({**result.as_json(), "run": str(out)})
        else:
            print_result(result, out)
        return exit_of_result(result)


def base_settings(model: str) -> dict[str, Any]:
    """The settings of a run as they are without any option, the tasks aside."""
    return {
        "verb": "generalize",
        "model": model,
        "base_url": None,
        "key_env": "OPENAI_API_KEY",
        "engine": "fast-downward",
        "preset": "f5-3",
        "describe_each": False,
        "pair": 0,
        "seed": 0,
        "plans_per_check": 1,
        "growth": 0,
        "invariance": False,
        "trim_tokens": None,
        "shortest": False,
        "orders": None,
        "timeout": None,
        "unconfined": False,
        "temperature": 0.0,
        "max_tokens": 16384,
    }


def task_settings(domain: str, files: list[Path], seed: int) -> dict[str, Any]:
    """The texts of domain and tasks as settings of the run.

    Raises InputError for missing files, and PddlError, naming file and place, for one that is no task of the domain.
    """
    from groundplan.bench.genplan.generator import domain_text, generate
    from groundplan.generalize.settings import DEBUGGING_TASKS
    from groundplan.pddl.read import check_sources
    from groundplan.pddl.source import Source
    from groundplan.pddl.write import write_problem

    inputs = Inputs()
    name = domain.removeprefix("bench:")
    source = Source(domain_text(name), domain) if domain != name else inputs.source(domain, "domain")
    if domain == name and not files:
        raise InputError("no task is given: name problem files after the domain, best six small ones")
    stems = len({file.stem for file in files}) == len(files)
    named: dict[str, str] = {}
    for file in files:
        problem = inputs.source(str(file), "problem")
        check_sources(source, problem).task()
        title = file.stem if stems else str(file.with_suffix(""))
        if title in named:
            raise InputError(f"{file}: this task is named twice")
        named[title] = problem.text
    if not named:
        numbers = range(DEBUGGING_TASKS * seed, DEBUGGING_TASKS * (seed + 1))
        named = {f"{name}-{n}": write_problem(generate(name, "small", n).problem) for n in numbers}
    return {"domain": source.text, "tasks": named}


def pool_settings(domain: str, tasks: Iterable[str], files: Sequence[Path], growth: int) -> dict[str, Any]:
    """The texts of more tasks as a setting of the run; none without files. A directory stands for all in it. `tasks`
    are the names that are taken.

    Raises InputError for missing files and without --grow, and PddlError for one that is no task of the domain.
    """
    from groundplan.pddl.read import check_sources
    from groundplan.pddl.source import Source

    if files and not growth:
        raise InputError("--pool is for counter-examples: it wants --grow ROUNDS too")
    named: dict[str, str] = {}
    taken = set(tasks)
    for file in (file for path in files for file in (sorted(path.glob("*.pddl")) if path.is_dir() else [path])):
        if file.name == "domain.pddl":
            continue
        problem = Inputs().source(str(file), "problem")
        check_sources(Source(domain, "the domain"), problem).task()
        named[file.stem if file.stem not in taken else str(file.with_suffix(""))] = problem.text
        taken |= set(named)
    if files and not named:
        raise InputError(f"{files[0]}: no problem file (*.pddl) is there")
    return {"pool": named} if named else {}


def exit_of_result(result: Result) -> Exit:
    from groundplan.generalize.result import Ending

    if result.ending is Ending.ALL_SOLVED:
        return Exit.YES
    return Exit.FAILED if result.ending in (Ending.MODEL, Ending.CONFINEMENT) else Exit.NO


def settings_of(data: Mapping[str, Any], jobs: int, variants_at_once: int = 1) -> Settings:
    """The search's settings from those of the run. Raises InputError for an unknown preset."""
    from groundplan.generalize.settings import preset
    from groundplan.models.protocol import Sampling

    base = preset(str(data["preset"]))
    return replace(
        base,
        pair=data["pair"],
        seed=data["seed"],
        plans_per_check=data["plans_per_check"],
        growth=data["growth"],
        invariance=data["invariance"],
        trim_tokens=data["trim_tokens"],
        shortest=data["shortest"],
        orders=data["orders"] or base.orders,
        time_limit_s=data["timeout"] or base.time_limit_s,
        sampling=Sampling(data["temperature"], max_tokens=data["max_tokens"]),
        describe_each=data["describe_each"],
        jobs=jobs,
        variants_at_once=variants_at_once,
    )


def named_tasks(data: Mapping[str, Any]) -> list[NamedTask]:
    """The tasks of a run. Raises PddlError where one cannot be read."""
    from groundplan.generalize.kinds import NamedTask
    from groundplan.pddl.read import task_from_text

    return [NamedTask(name, task_from_text(data["domain"], text)) for name, text in data["tasks"].items()]


def run_generalize(
    data: Mapping[str, Any], out: Path, session: Session, jobs: int = 1, variants_at_once: int = 1
) -> Result:
    """Open (or resume) the run, search, and write its files. All that is wrong is found before the run is made."""
    from groundplan.bench.genplan.pool import generated_pool
    from groundplan.confine.opening import open_confinement
    from groundplan.generalize.choose import refuse_unfit
    from groundplan.generalize.loop import generalize
    from groundplan.runs.run import Run
    from groundplan.solve.engines import make_engine

    settings = settings_of(data, jobs, variants_at_once)
    tasks = named_tasks(data)
    refuse_unfit(tasks)
    session.model(data)
    engine = make_engine(str(data["engine"]))
    confinement = open_confinement(unconfined=bool(data["unconfined"]))
    own = named_tasks({"domain": data["domain"], "tasks": data.get("pool", {})})
    pool = (lambda _: own) if own else generated_pool(tasks[0].task.domain, settings.seed)
    try:
        with Run.open(out, settings=data, budget=session.budget) as run:
            if run.resumed:
                note(f"resuming the run in {out}: what was paid for is not asked again")
            model = session.model(data, run.id)
            result = generalize(tasks, model, engine, confinement, run, settings, pool=pool, progress=session.progress)
            write_files(result, run)
            return result
    finally:
        engine.close()
        confinement.close()


def write_files(result: Result, run: Run) -> None:
    """The run's files for people: program, strategy, result and report."""
    from groundplan.generalize.report import render_report

    if result.program:
        run.artifact("program.py", result.program.rstrip() + "\n")
    if result.strategy:
        run.artifact("strategy.txt", result.strategy.rstrip() + "\n")
    run.artifact("result.json", json.dumps(result.as_json(), indent=2, ensure_ascii=False) + "\n")
    run.artifact("report.md", render_report(result))


def print_result(result: Result, out: Path | None) -> None:
    """The result for people."""
    for item in result.best.check.results if result.best else ():
        say(f"{item.task}: {'solved' if item.solved else f'{item.kind.value}: {item.message}'}")
    calls, strategies, programs = result.model_calls, result.strategy_repairs, result.program_repairs
    say(f"; {result.ending.value}: {result.reason}")
    say(f"; {calls} model call(s), {strategies} strategy repair(s), {programs} program repair(s)")
    if out is not None:
        say(f"; run: {out}" + (f" (the program: {out / 'program.py'})" if result.program else ""))
        if result.ending.value in ("model failed", "budget used up"):
            say(f"; nothing is lost: go on with `groundplan resume {out}`")
