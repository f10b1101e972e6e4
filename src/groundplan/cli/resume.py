"""groundplan resume"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from groundplan.cli.options import AsJson
from groundplan.cli.output import say_json
from groundplan.errors import InputError
from groundplan.runs.settings import read_head


def add_to(app: typer.Typer) -> None:
    @app.command(help="Go on with a run that was stopped. Nothing is paid for twice.")
    def resume(
        run: Annotated[Path, typer.Argument(help="Directory of the run.")],
        prices: Annotated[Path | None, typer.Option(help="TOML file: dollars per million tokens, by model.")] = None,
        as_json: AsJson = False,
    ) -> int:
        if not (run / "run.json").exists():
            raise InputError(f"{run}: there is no run here to resume")
        settings = read_head(run / "run.json").settings
        if settings.get("verb") == "formalize":
            return _formalize(settings, run, prices, as_json)
        if settings.get("verb") == "generalize":
            return _generalize(settings, run, prices, as_json)
        if settings.get("verb") == "train":
            return _train(settings, run, as_json)
        if settings.get("verb") == "adapt":
            return _adapt(settings, run, prices, as_json)
        if settings.get("verb") == "bench":
            raise InputError(
                f"{run}: a run of benchmarks goes on when the same `groundplan bench` command is given again"
            )
        raise InputError(f"{run}: a run of `{settings.get('verb')}`, which cannot be resumed this way")


def _formalize(settings: Mapping[str, Any], run: Path, prices: Path | None, as_json: bool) -> int:
    from groundplan.cli.formalize import Session, exit_of_result, print_result, run_formalize

    result = run_formalize(settings, run, Session(prices))
    if as_json:
        say_json({**result.as_json(), "run": str(run)})
    else:
        print_result(result, run)
    return exit_of_result(result)


def _generalize(settings: Mapping[str, Any], run: Path, prices: Path | None, as_json: bool) -> int:
    from groundplan.cli.formalize import Session
    from groundplan.cli.generalize import exit_of_result, print_result, run_generalize

    result = run_generalize(settings, run, Session(prices))
    if as_json:
        say_json({**result.as_json(), "run": str(run)})
    else:
        print_result(result, run)
    return exit_of_result(result)


def _train(settings: Mapping[str, Any], run: Path, as_json: bool) -> int:
    from groundplan.cli.train import require_training, run_training, show

    require_training()
    return show(run_training(settings, run), run, as_json)


def _adapt(settings: Mapping[str, Any], run: Path, prices: Path | None, as_json: bool) -> int:
    from groundplan.cli.adapt import run_adapt, show
    from groundplan.cli.formalize import Session

    return show(*run_adapt(settings, run, Session(prices)), run, as_json)
