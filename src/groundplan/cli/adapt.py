"""groundplan adapt"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.adapt_world import (
    WORLD_HELP,
    play_world,
    print_played,
    require_robot,
    scenario_texts,
    world_settings,
)
from groundplan.cli.exits import Exit
from groundplan.cli.formalize import Session
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import (
    AsJson,
    BaseUrl,
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
    from groundplan.adapt.execution.adapting import Played
    from groundplan.adapt.planning.result import Adapted
    from groundplan.adapt.planning.settings import Settings
    from groundplan.runs.run import Run

DOMAIN_HELP = "PDDL domain file, - for standard input; or, without PROBLEM, the name of a scenario of our own."
MODEL_HELP = "openai:NAME, replay:PATH, manual:DIR or scripted:FILE; without it, only what needs no model is done."
OUT_HELP = "Directory of the run; an unfinished run there is resumed. Without it, nothing is kept."
BEFORE_HELP = "The problem before the novelty, when it had a plan: what differs is told."
FIXED_HELP = "A predicate that nothing in the world can change; may be given several times."
SCENARIO_HELP = "Caps and novel objects of the paper: kitchen, nut, coffee-box or coffee-drawer."
EVERY_HELP = "Ask at the states strictly by their distance, as in the paper, not those first that show something new."
CALLS_HELP = "Model calls of the whole search (60); a state costs 3 to 10, and the replies that must be asked again."


def add_to(app: typer.Typer) -> None:
    @app.command(name="adapt", help="A task without a plan: the operators it lacks, proposed by a model, and a plan.")
    def adapt(
        domain: Annotated[str, typer.Argument(help=DOMAIN_HELP)],
        problem: Annotated[str | None, typer.Argument(help="PDDL problem file; - for standard input.")] = None,
        model: Annotated[str | None, typer.Option("--model", help=MODEL_HELP)] = None,
        out: Annotated[Path | None, typer.Option("--out", help=OUT_HELP)] = None,
        world: Annotated[str | None, typer.Option("--world", help=WORLD_HELP)] = None,
        preset: Annotated[
            str, typer.Option(help="With --world: how long is learned: smoke, standard, paper.")
        ] = "smoke",
        seed: Annotated[int, typer.Option(help="With --world: the scene, and all chance in training.")] = 0,
        library: Annotated[
            Path | None, typer.Option(help="With --world: folder of controllers learned before.")
        ] = None,
        rewards: Annotated[
            int, typer.Option(min=1, help="With --world: reward functions asked for each sub-goal.")
        ] = 3,
        jobs: Annotated[int, typer.Option(min=1, help="With --world: trainings at once.")] = 2,
        before: Annotated[str | None, typer.Option("--before", help=BEFORE_HELP)] = None,
        scenario: Annotated[str | None, typer.Option("--scenario", help=SCENARIO_HELP)] = None,
        samples: Annotated[int, typer.Option(min=1, help="Proposals at one state; 3 that agree end it early.")] = 5,
        depth: Annotated[int | None, typer.Option(min=0, help="Steps to the states asked at, and ahead (15).")] = None,
        calls: Annotated[int | None, typer.Option("--calls", min=0, help=CALLS_HELP)] = None,
        every: Annotated[bool, typer.Option("--every", help=EVERY_HELP)] = False,
        novel: Annotated[list[str] | None, typer.Option("--novel", help="An object that is new.")] = None,
        fixed: Annotated[list[str] | None, typer.Option("--fixed", help=FIXED_HELP)] = None,
        base_url: BaseUrl = None,
        key_env: KeyEnv = "OPENAI_API_KEY",
        temperature: Temperature = 0.3,
        max_tokens: MaxTokens = 8192,
        prices: PriceFile = None,
        model_timeout: ModelTimeout = 600.0,
        retries: Retries = 5,
        max_calls: MaxCalls = None,
        max_usd: MaxUsd = None,
        as_json: AsJson = False,
    ) -> int:
        inputs = Inputs()
        texts = scenario_texts(domain) if problem is None else None
        settings = {
            "verb": "adapt",
            "domain": texts[0] if texts else inputs.source(domain, "domain").text,
            "problem": texts[1] if texts else inputs.source(str(problem), "problem").text,
            "before": inputs.source(before, "problem before").text if before else "",
            "model": model,
            "base_url": base_url,
            "key_env": key_env,
            "scenario": scenario,
            "samples": samples,
            "depth": depth,
            "calls": calls,
            "every": every,
            "novel": novel or [],
            "fixed": [name.lower() for name in fixed or []],
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        if world is not None:
            settings |= {"world": world, "preset": preset, "seed": seed, "candidates": rewards}
            settings["library"] = None if library is None else str(library)
        session = Session(prices, model_timeout, retries, max_calls, max_usd)
        return show(*adapted(settings, out, session, jobs), out, as_json)


def adapted(
    settings: Mapping[str, Any], out: Path | None, session: Session, jobs: int = 1
) -> tuple[Adapted, Played | None]:
    """Run (or resume) in `out`, or in a directory that is thrown away."""
    if out is not None:
        return run_adapt(settings, out, session, jobs)
    with tempfile.TemporaryDirectory(prefix="groundplan-adapt-") as folder:
        return run_adapt(settings, Path(folder) / "run", session, jobs)


def run_adapt(data: Mapping[str, Any], out: Path, session: Session, jobs: int = 1) -> tuple[Adapted, Played | None]:
    """Open (or resume) the run, search, act where a world is named, and write the files of the run.

    All that is wrong is found before the run is made.
    """
    from groundplan.adapt.planning.search import find_operators, refuse_unknown
    from groundplan.pddl.read import task_from_text
    from groundplan.runs.run import Run

    settings = settings_of(data)
    task = task_from_text(data["domain"], data["problem"])
    before = task_from_text(data["domain"], data["before"]).problem if data["before"] else None
    refuse_unknown(task, settings)
    if data.get("world"):
        require_robot()
        world_settings(data)
        if not data["model"]:
            raise InputError("--world wants --model: rewards are written by a model")
    if data["model"]:
        session.model(data)
    with Run.open(out, settings=data, budget=session.budget) as run:
        if run.resumed:
            note(f"resuming the run in {out}: what was paid for is not asked again")
        model = session.model(data, run.id) if data["model"] else None
        result = find_operators(task, model, run, settings, before=before, progress=session.progress)
        write_files(result, run)
        played = None
        if data.get("world") and result.plan is not None and model is not None:
            played = play_world(data, task, result, model, run, jobs, session.progress)
        return result, played


def settings_of(data: Mapping[str, Any]) -> Settings:
    """The search's settings from those of the run. Raises InputError for an unknown scenario."""
    from groundplan.adapt.planning.settings import AskAt, Settings, scenario
    from groundplan.models.protocol import Sampling

    base = scenario(str(data["scenario"])) if data["scenario"] else Settings()
    return replace(
        base,
        samples=data["samples"],
        max_depth=base.max_depth if data["depth"] is None else data["depth"],
        max_calls=base.max_calls if data["calls"] is None else data["calls"],
        ask_at=AskAt.EVERY if data["every"] else base.ask_at,
        novel=tuple(dict.fromkeys((*base.novel, *(name.lower() for name in data["novel"])))),
        fixed=frozenset(data["fixed"]),
        sampling=Sampling(data["temperature"], max_tokens=data["max_tokens"]),
    )


def write_files(result: Adapted, run: Run) -> None:
    """The run's files: the modified domain, the new operators, the plan, the result."""
    if result.plan is not None:
        run.artifact("domain.pddl", result.domain_text)
        run.artifact("operators.pddl", "".join(f"{item.pddl}\n\n" for item in result.operators))
        run.artifact("plan.txt", "".join(f"{step}\n" for step in result.plan))
    run.artifact("result.json", json.dumps(result.as_json(), indent=2, ensure_ascii=False) + "\n")


def show(result: Adapted, played: Played | None, out: Path | None, as_json: bool) -> int:
    """Print what came of it; the exit code."""
    if as_json:
        more = {"world": played.as_json()} if played else {}
        say_json({**result.as_json(), **more, "run": None if out is None else str(out)})
    else:
        print_result(result, out)
        if played:
            print_played(played)
    return exit_of_result(result, played)


def exit_of_result(result: Adapted, played: Played | None = None) -> Exit:
    """The plan was found, and, where it was acted on, the goal reached."""
    from groundplan.adapt.planning.result import Status

    if played is not None and not played.execution.reached:
        return Exit.NO
    if result.status is Status.FOUND:
        return Exit.YES
    return Exit.FAILED if result.status is Status.FAILED else Exit.NO


def print_result(result: Adapted, out: Path | None) -> None:
    """The result for people."""
    for found in result.findings:
        say(found.as_compact())
    for item in result.operators:
        say(f"; new operator ({item.votes} of {item.samples} samples), for {' '.join(item.ground.objects)}:")
        say(item.pddl)
    for step in result.plan or ():
        say(str(step))
    say(f"; {result.status.value}: {result.reason}")
    if result.operators:
        odd = ", and looks like a way round the task" if result.suspicious else ""
        say(f"; a plan was found; whether its operators are right is not checked{odd}")
    say(f"; {result.calls} model call(s), asked at {result.asked} state(s), {result.opened} opened")
    if out is not None:
        say(f"; run: {out}" + (f" (the domain: {out / 'domain.pddl'})" if result.plan is not None else ""))
