"""groundplan formalize"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import (
    AsJson,
    BaseUrl,
    EngineName,
    KeyEnv,
    MaxCalls,
    MaxTokens,
    MaxUsd,
    Memory,
    ModelTimeout,
    PriceFile,
    Retries,
    Temperature,
    Timeout,
)
from groundplan.cli.output import note, say, say_json
from groundplan.cli.solve import exit_of
from groundplan.errors import InputError
from groundplan.formalize.specification import MAX_REPAIRS, Blame, Result
from groundplan.solve.outcome import Limits, Status

if TYPE_CHECKING:  # loaded only when a run is made: the other verbs start faster without them
    from groundplan.models.protocol import Model
    from groundplan.models.retry import Attempt
    from groundplan.runs.budget import Budget
    from groundplan.runs.run import Run

CHECKS_HELP = (
    "Checks of the result, with commas between: names, all, none, +NAME, -NAME. Those that cost model calls run only "
    "when they are asked for: restriction-probes (1 call), back-translation (2 calls)."
)
SAMPLES_HELP = (
    "Formalize the text this often (wants --temperature above 0) and return what most samples agree on; costs K times "
    "the model calls."
)
ENDINGS = {
    Status.SOLVED: "solved: the plan is valid",
    Status.UNSOLVABLE: "unsolvable (proved)",
    Status.NOT_FOUND: "no plan found",
    Status.FAILED: "failed",
}


def add_to(app: typer.Typer) -> None:
    @app.command(name="formalize", help="Plain language to PDDL to a plan that is proved valid.")
    def command(
        text: Annotated[str, typer.Argument(help="The task: a text file, - for standard input, or the text itself.")],
        model: Annotated[
            str,
            typer.Option("--model", help="openai:NAME, local, trained:DIR, replay:PATH, manual:DIR or scripted:FILE."),
        ],
        out: Annotated[Path, typer.Option("--out", help="Directory of the run; an unfinished run there is resumed.")],
        domain: Annotated[str | None, typer.Option(help="A domain file: only the problem is written.")] = None,
        base_url: BaseUrl = None,
        key_env: KeyEnv = "OPENAI_API_KEY",
        engine: EngineName = "fast-downward",
        timeout: Timeout = 60.0,
        memory: Memory = 2048,
        repairs: Annotated[int, typer.Option(min=0, help="At most this many Editor repairs.")] = MAX_REPAIRS,
        judge: Annotated[bool, typer.Option(help="Ask the model for its own score of the result.")] = True,
        signals: Annotated[str | None, typer.Option("--signals", metavar="NAMES", help=CHECKS_HELP)] = None,
        temperature: Temperature = 0.0,
        samples: Annotated[int, typer.Option("--samples", metavar="K", min=1, help=SAMPLES_HELP)] = 1,
        max_tokens: MaxTokens = 8192,
        prices: PriceFile = None,
        model_timeout: ModelTimeout = 600.0,
        retries: Retries = 5,
        max_calls: MaxCalls = None,
        max_usd: MaxUsd = None,
        as_json: AsJson = False,
    ) -> int:
        inputs = Inputs()
        settings = {
            "verb": "formalize",
            "text": inputs.text(text),
            "domain": inputs.source(domain, "domain").text if domain else "",
            "model": model,
            "base_url": base_url,
            "key_env": key_env,
            "engine": engine,
            "timeout": timeout,
            "memory": memory,
            "repairs": repairs,
            "judge": judge,
            "temperature": temperature,
            "max_tokens": max_tokens,
            **signal_settings(signals),
            **({"samples": samples} if samples > 1 else {}),
        }
        session = Session(prices, model_timeout, retries, max_calls, max_usd)
        result = run_formalize(settings, out, session)
        if as_json:
            say_json({**result.as_json(), "run": str(out)})
        else:
            print_result(result, out)
        return exit_of_result(result)


def signal_settings(words: str | None) -> dict[str, Any]:
    """The run's setting for `--signals`; none for the checks that run anyway. Raises InputError for unknown names."""
    from groundplan.formalize.signals import CHECKS, SYMBOLIC, chosen_checks

    names = SYMBOLIC if words is None else chosen_checks(words)
    return {} if names == SYMBOLIC else {"signals": [name for name in CHECKS if name in names]}


def exit_of_result(result: Result) -> Exit:
    """What the user can mend (the server's address, the account, the choice of the model) is wrong input."""
    return Exit.INPUT if result.blame in (Blame.SERVER, Blame.NO_PDDL) else exit_of(result.status)


class Session:
    """What may change from one session of a run to the next, so that it is no part of the run's settings."""

    def __init__(
        self,
        prices: Path | None = None,
        model_timeout: float = 600.0,
        retries: int = 5,
        max_calls: int | None = None,
        max_usd: float | None = None,
        quiet: bool = False,
    ) -> None:
        from groundplan.models.prices import read_prices

        self.prices = read_prices(prices) if prices else {}
        self.model_timeout = model_timeout
        self.retries = retries
        self.max_calls = max_calls
        self.max_usd = max_usd
        self.progress = _silent if quiet else _tell
        if max_usd is not None and not prices:
            raise InputError("--max-usd wants --prices FILE: without prices nobody knows what a call costs")

    @property
    def budget(self) -> Budget:
        from groundplan.runs.budget import Budget

        return Budget(calls=self.max_calls, usd=self.max_usd)

    def model(self, settings: Mapping[str, Any], run_id: str | None = None) -> Model:
        from groundplan.models.registry import model_from_name

        return model_from_name(
            str(settings["model"]),
            base_url=settings["base_url"],
            api_key_env=str(settings["key_env"]),
            timeout_s=self.model_timeout,
            max_retries=self.retries,
            prices=self.prices,
            run_id=run_id,
            on_attempt=_tell_attempt,
            openers={"trained": _open_trained, "local": _open_local},
        )


@cache
def _open_trained(folder: str) -> Model:
    """A policy that `groundplan train` left; kept, since it is asked for before the run and in it."""
    from groundplan.cli.train import require_training

    require_training()
    from groundplan.train.role_model import open_trained

    return open_trained(Path(folder).expanduser())


@cache
def _open_local(_: str) -> Model:
    from groundplan.cli.train import require_training

    require_training()
    from groundplan.train.local_model import open_local

    return open_local(note)


def run_formalize(settings: Mapping[str, Any], out: Path, session: Session) -> Result:
    """Open (or resume) the run, formalize, and write its files. All that is wrong is found before the run is made."""
    from groundplan.formalize.loop import Settings, formalize
    from groundplan.formalize.signals import SYMBOLIC
    from groundplan.formalize.signals.registry import refuse_unknown
    from groundplan.models.protocol import Sampling
    from groundplan.pddl.read import domain_from_text
    from groundplan.runs.run import Run
    from groundplan.solve.engines import make_engine

    if settings["domain"]:
        domain_from_text(str(settings["domain"]))
    session.model(settings)
    names = frozenset(settings.get("signals", SYMBOLIC))
    refuse_unknown(names)
    how = Settings(
        settings["repairs"],
        Limits(settings["timeout"], settings["timeout"], settings["memory"]),
        Sampling(settings["temperature"], max_tokens=settings["max_tokens"]),
        settings["judge"],
        names,
        settings.get("samples", 1),
    )
    engine = make_engine(str(settings["engine"]))
    try:
        with Run.open(out, settings=settings, budget=session.budget) as run:
            if run.resumed:
                note(f"resuming the run in {out}: what was paid for is not asked again")
            result = formalize(
                str(settings["text"]),
                session.model(settings, run.id),
                engine,
                run,
                domain=str(settings["domain"]),
                settings=how,
                progress=session.progress,
            )
            write_files(result, run)
            return result
    finally:
        engine.close()


def write_files(result: Result, run: Run) -> None:
    """The run's files for people: domain, problem, plan, result and report."""
    from groundplan.formalize.report import render_report

    data = result.as_json()
    for name in ("domain", "problem"):
        if data[name]:
            run.artifact(f"{name}.pddl", data[name].rstrip() + "\n")
    if data["plan"] is not None:
        run.artifact("plan.txt", "".join(f"{step}\n" for step in data["plan"]))
    run.artifact("result.json", json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    run.artifact("report.html", render_report(result, run_id=run.id))


def print_result(result: Result, out: Path | None) -> None:
    """The result for people."""
    data = result.as_json()
    for found in result.final.verification.diagnostics if result.final and not result.final.verification.solved else ():
        say(found.as_text())
    for signal in result.signals:
        say(f"signal ({signal.severity}) {signal.name}: {signal.message}")
    if result.judgement and result.judgement.score is not None:
        say(f"judge: {result.judgement.score:g} (the model's own opinion, no proof)")
    for step in data["plan"] or ():
        say(step)
    calls, repairs = result.solver_calls, result.repairs
    say(f"; {ENDINGS[result.status]}; {calls} solver call(s), {repairs} repair(s), {result.model_calls} model call(s)")
    if result.reason and result.status is not Status.SOLVED:
        say(f"; {result.reason}")
    if out is not None:
        say(f"; run: {out} (open {out / 'report.html'})")
        if result.status is Status.FAILED:
            say(f"; nothing is lost: go on with `groundplan resume {out}`")


def _tell(words: str) -> None:
    note(f"... {words}")


def _silent(_: str) -> None:
    pass


def _tell_attempt(attempt: Attempt) -> None:
    again = f"; asking again in {attempt.wait_s:.1f} s" if attempt.wait_s else "; asking again"
    note(f"request {attempt.number}: {attempt.problem}{again}")
