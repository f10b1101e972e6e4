"""groundplan bench novelty | novelty-report"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.adapt_world import require_robot
from groundplan.cli.exits import Exit
from groundplan.cli.options import AsJson, BaseUrl, KeyEnv, MaxCalls, MaxTokens, MaxUsd, PriceFile, Temperature
from groundplan.cli.output import note, say, say_json
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.bench.novelty.subjects import Subject

DATA_HELP = (
    "Folder with a folder for each scenario, which holds its new operators (missing.pddl, or operators.pddl as "
    "`groundplan adapt --out` leaves it)."
)
SCENARIOS_HELP = "With commas: folders of DATA; FOLDER=WORLD where the world is called otherwise. Default: all."
REWARDS_HELP = "Folder with SCENARIO/rewards, as runs of `groundplan adapt` leave them; default: DATA."
MODEL_HELP = "Writes the rewards that are not there: openai:NAME, replay:PATH, manual:DIR or scripted:FILE."
ADAPTED_HELP = "A run of `groundplan adapt`, for Table I; may be given several times."
LIBRARY_HELP = "Folder of controllers learned before, for operators that this run does not learn."


def add_to(bench: typer.Typer) -> None:
    @bench.command(help="Operators of novel scenes learned in worlds, by several methods over seeds: Tables I to III.")
    def novelty(
        data: Annotated[Path, typer.Option("--data", help=DATA_HELP)],
        out: Annotated[Path, typer.Option("--out", help="Directory of the run; an unfinished run is resumed.")],
        scenarios: Annotated[str, typer.Option(help=SCENARIOS_HELP)] = "",
        operators: Annotated[str, typer.Option(help="With commas: only these; default: all.")] = "",
        methods: Annotated[str, typer.Option(help="guided, sparse, machine, discovery.")] = "guided,sparse,machine",
        seeds: Annotated[str, typer.Option(help="Such as 0-2 or 0,3,5.")] = "0-2",
        preset: Annotated[str, typer.Option(help="How long is learned: smoke, standard, paper.")] = "standard",
        rewards: Annotated[Path | None, typer.Option("--rewards", help=REWARDS_HELP)] = None,
        model: Annotated[str | None, typer.Option("--model", help=MODEL_HELP)] = None,
        candidates: Annotated[int, typer.Option(min=1, help="Rewards for each sub-goal.")] = 3,
        fresh: Annotated[int, typer.Option(min=1, help="Fresh scenes for the final test.")] = 100,
        library: Annotated[Path | None, typer.Option("--library", help=LIBRARY_HELP)] = None,
        adapted: Annotated[list[Path] | None, typer.Option("--adapted", help=ADAPTED_HELP)] = None,
        jobs: Annotated[int, typer.Option(min=1, help="Candidates trained at once.")] = 1,
        estimate: Annotated[bool, typer.Option("--estimate", help="Say what it takes, and do not start it.")] = False,
        base_url: BaseUrl = None,
        key_env: KeyEnv = "OPENAI_API_KEY",
        temperature: Temperature = 1.0,
        max_tokens: MaxTokens = 4096,
        prices: PriceFile = None,
        max_calls: MaxCalls = None,
        max_usd: MaxUsd = None,
        as_json: AsJson = False,
    ) -> int:
        return _run(locals())

    @bench.command(name="novelty-report", help="Join runs of `bench novelty` that share the work (seeds, operators).")
    def novelty_report(
        runs: Annotated[list[Path], typer.Argument(help="Directories of runs.")],
        out: Annotated[Path, typer.Option("--out", help="Directory for tables and figure.")],
        adapted: Annotated[list[Path] | None, typer.Option("--adapted", help=ADAPTED_HELP)] = None,
        as_json: AsJson = False,
    ) -> int:
        from groundplan.bench.novelty.adapted import read_adapted
        from groundplan.bench.novelty.outcome import read_outcomes
        from groundplan.bench.novelty.report import joined, write_report

        outcomes = joined([item for run in runs for item in read_outcomes(run)])
        made = write_report(outcomes, [read_adapted(run) for run in adapted or ()], out)
        _show(made, outcomes, as_json)
        return Exit.YES


def numbers(text: str) -> tuple[int, ...]:
    """`0-2,5` as (0, 1, 2, 5). Raises InputError for anything else."""
    found: list[int] = []
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise InputError(f"--seeds {text}: numbers are wanted, such as 0-2 or 0,3,5")
        found += range(int(first), int(last or first) + 1)
    if not found:
        raise InputError(f"--seeds {text}: the range is empty")
    return tuple(dict.fromkeys(found))


def _subjects(data: Path, scenarios: str, operators: str) -> tuple[Subject, ...]:
    from groundplan.bench.novelty.subjects import OPERATORS, subjects

    named = [name for name in scenarios.split(",") if name]
    if not named and data.is_dir():
        named = sorted(path.name for path in data.iterdir() if any((path / name).exists() for name in OPERATORS))
    found = [subject for name in named for subject in subjects(name, data)]
    wanted = [name for name in operators.split(",") if name]
    unknown = [name for name in wanted if name not in {item.operator.name for item in found}]
    if unknown or not found:
        known = ", ".join(item.operator.name for item in found) or "none"
        raise InputError(f"{data}: no operator {', '.join(unknown) or 'to learn'} here (there are {known})")
    return tuple(item for item in found if not wanted or item.operator.name in wanted)


def _run(o: dict[str, Any]) -> int:
    require_robot()
    from groundplan.adapt.learn.settings import Method, preset
    from groundplan.bench.novelty.adapted import read_adapted
    from groundplan.bench.novelty.report import write_report
    from groundplan.bench.novelty.running import Plan, most_steps, run_novelty
    from groundplan.cli.formalize import Session
    from groundplan.runs.paid import RecordedModel
    from groundplan.runs.run import Run

    subjects = _subjects(o["data"], o["scenarios"], o["operators"])
    names = [name for name in o["methods"].split(",") if name]
    unknown = [name for name in names if name not in list(Method)]
    if unknown or not names:
        raise InputError(f"--methods {o['methods']}: known are {', '.join(Method)}")
    learning, seeds = preset(o["preset"]), numbers(o["seeds"])
    runs = [read_adapted(folder) for folder in o["adapted"] or ()]
    session = Session(o["prices"], max_calls=o["max_calls"], max_usd=o["max_usd"])
    settings = {
        "verb": "bench novelty",
        "subjects": [[item.scenario, item.world, repr(item.operator)] for item in subjects],
        **{name: o[name] for name in ("preset", "candidates", "fresh", "model", "temperature", "max_tokens")},
    }
    plan = Plan(
        tuple(Method(name) for name in dict.fromkeys(names)),
        seeds,
        learning,
        rewards=o["rewards"] or o["data"],
        candidates=o["candidates"],
        fresh=o["fresh"],
        library=o["library"],
        jobs=o["jobs"],
    )
    steps = most_steps(subjects, plan)
    said = f"{len(subjects)} operators, {len(names)} methods, {len(seeds)} seeds: at most {steps:,} control steps"
    if o["estimate"]:
        say_json({"most_steps": steps}) if o["as_json"] else say(said)
        return Exit.YES
    note(said)
    with Run.open(o["out"], settings=settings, budget=session.budget) as run:
        if o["model"]:
            from dataclasses import replace

            plan = replace(plan, model=RecordedModel(session.model(o, run.id), run))
        outcomes, left_out = run_novelty(run, subjects, plan, session.progress)
        made = write_report(outcomes, runs, o["out"])
    _show(made, outcomes, o["as_json"])
    for reason in left_out:
        note(f"left out: {reason}")
    note(f"run: {o['out']} (tables.md, tables.tex, summary.json, curves.png)")
    return Exit.FAILED if left_out else Exit.YES


def _show(made: Any, outcomes: Any, as_json: bool) -> None:
    if as_json:
        say_json({"outcomes": [item.as_json() for item in outcomes]})
    else:
        say("\n".join(table.as_markdown() for table in made))
