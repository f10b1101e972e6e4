"""groundplan train"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.options import AsJson
from groundplan.cli.output import note, say, say_json
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.solve.outcome import Engine
    from groundplan.train.estimate import Estimate
    from groundplan.train.loop import Trained
    from groundplan.train.policy import RolePolicy
    from groundplan.train.settings import TrainSettings

CONFIG_HELP = "A YAML file of settings, or a preset: paper, gpu-small, cpu."
ABLATION_HELP = "full, actor, actor-judge, actor-editor, editor-judge, solver-only or separate."


def add_to(app: typer.Typer) -> None:
    @app.command(name="train", help="Train one model as Actor, Judge and Editor on the solver's feedback.")
    def command(
        config: Annotated[str, typer.Argument(metavar="CONFIG", help=CONFIG_HELP)],
        out: Annotated[
            Path | None, typer.Option("--out", help="Directory of the run; an unfinished run there is resumed.")
        ] = None,
        ablation: Annotated[str | None, typer.Option("--ablation", help=ABLATION_HELP)] = None,
        model: Annotated[
            str | None, typer.Option("--model", help="smollm2, tiny, or a directory with a Hugging Face model.")
        ] = None,
        seed: Annotated[int | None, typer.Option(help="Seed of tasks and samples.")] = None,
        only_estimate: Annotated[
            bool, typer.Option("--estimate", help="Say what the run would take, and do not start it.")
        ] = False,
        as_json: AsJson = False,
    ) -> int:
        require_training()
        settings = settings_of(config, ablation, model, seed)
        if only_estimate:
            return _estimate(settings, as_json)
        if out is None:
            raise InputError("--out DIR is wanted: the directory of the run")
        return show(run_training(settings.model_dump(mode="json"), out), out, as_json)


def require_training() -> None:
    """Raises InputError where the libraries of the `train` extra are missing."""
    import importlib.util

    missing = [name for name in ("torch", "transformers", "peft", "pydantic") if not importlib.util.find_spec(name)]
    if missing:
        raise InputError(f"training needs {', '.join(missing)}: install with `pip install 'groundplan[train]'`")


def settings_of(config: str, ablation: str | None, model: str | None, seed: int | None) -> TrainSettings:
    """Settings from a file or preset and the options. Raises InputError."""
    from groundplan.train.settings import PRESETS, read_settings, settings_from

    changes: dict[str, Any] = {}
    if model is not None:
        changes["model"] = model
    if seed is not None:
        changes["seed"] = seed
    if config in PRESETS:
        return settings_from(config, ablation or "full", **changes)
    if not Path(config).exists():
        raise InputError(f"{config}: no such file, and no preset (there are {', '.join(PRESETS)})")
    if ablation is not None:
        raise InputError("write `ablation:` into the file, or name a preset instead of a file")
    return settings_from(**{**read_settings(config).model_dump(mode="json"), **changes})


def run_training(data: Mapping[str, Any], out: Path) -> Trained:
    """Start or resume the run in `out`."""
    from contextlib import nullcontext

    from groundplan.runs.run import Run
    from groundplan.solve.pool import SolverPool
    from groundplan.train.loop import train
    from groundplan.train.processes import processes
    from groundplan.train.settings import settings_from

    chosen = {name: value for name, value in data.items() if name != "verb"}
    settings = settings_from(**chosen)
    sharing = processes()
    kept = {"verb": "train", **settings.model_dump(mode="json")}
    with (
        Run.open(out, settings=kept) if sharing.rank == 0 else nullcontext() as run,
        SolverPool(_engine(settings), settings.solver_workers) as pool,
    ):
        if run is not None and run.resumed:
            note(f"resuming the training in {out} from its last checkpoint")
        return train(settings, run, pool, note if run else None, processes=sharing, folder=out)


def _engine(settings: TrainSettings) -> str | Callable[[], Engine]:
    """What the pool is made of: engines here, or on a Ray cluster."""
    if not settings.solver_ray:
        return settings.solver
    from groundplan.solve.over_ray import RayEngine

    return lambda: RayEngine(settings.solver_ray, settings.solver)


def show(trained: Trained, out: Path, as_json: bool) -> int:
    """Print what training came to; exit code 3 where a loss was no number."""
    if as_json:
        say_json(
            {
                "policy": str(trained.policy),
                "reason": trained.reason,
                "updates": trained.steps,
                "evaluations": trained.evaluations,
                "run": str(out),
            }
        )
    else:
        say(f"trained policy: {trained.policy} ({trained.reason})")
        for name, figures in trained.evaluations.items():
            drift = "-" if figures["drift"] is None else f"{figures['drift']:.2f}"
            say(
                f"  {name:>9}  solved {figures['solved']:.2f}  faithful {figures['faithful']:.2f}  drift {drift}  "
                f"solver calls {figures['calls']:.1f}"
            )
    return Exit.FAILED if "not a finite number" in trained.reason else Exit.YES


def _estimate(settings: TrainSettings, as_json: bool) -> int:
    from groundplan.train.estimate import estimate

    note("measuring one small step of the model (where it is at hand)")
    found = estimate(settings, measured_policy(settings))
    if as_json:
        say_json(found.as_json())
    else:
        _say_estimate(found)
    return Exit.YES


def measured_policy(settings: TrainSettings) -> RolePolicy | None:
    """The policy to measure; None where the model is not here (the preset `paper` can be estimated without it)."""
    from groundplan.train.backbone import load_backbone
    from groundplan.train.policy import RolePolicy
    from groundplan.train.processes import Alone

    try:
        backbone = load_backbone(settings.model, settings.dtype, settings.seed)
    except InputError:
        return None
    return RolePolicy(backbone, settings.policy, settings.seed).to(Alone().device)


def _say_estimate(found: Estimate) -> None:
    for part, count in found.shares.parts.items():
        say(f"{part:>7}  {count:>14,} parameters  {found.shares.share(part):6.2%}")
    say(f"trained: {found.trained:,} parameters; role adapters of rank {found.shares.rank}")
    say(f"memory: {found.memory_bytes / 2**30:.1f} GiB for weights, gradients and optimizer, activations aside")
    say(f"at most {found.episodes:,} episodes, {found.tokens:,} tokens, {found.flops:.2g} floating-point operations")
    if found.seconds is None:
        say("time: unknown, the model is not here to be measured")
    else:
        say(f"at most {found.seconds / 3600:.1f} hours at {found.tokens_per_second:.0f} tokens a second, measured here")
