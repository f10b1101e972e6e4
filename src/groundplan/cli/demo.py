"""groundplan demo"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.options import EngineName
from groundplan.cli.output import say
from groundplan.errors import InputError
from groundplan.solve.outcome import Status


def add_to(app: typer.Typer) -> None:
    @app.command(help="Plain language to proved plans, on replies recorded from a large language model. No key needed.")
    def demo(
        names: Annotated[list[str] | None, typer.Argument(help="Tasks to show; all if none is named.")] = None,
        out: Annotated[
            Path | None, typer.Option(help="Keep the runs (with their report.html) in this directory.")
        ] = None,
        engine: EngineName = "fast-downward",
    ) -> int:
        from groundplan.formalize.demo import RECORDED, demo_tasks

        tasks = {task.name: task for task in demo_tasks()}
        unknown = [name for name in names or () if name not in tasks]
        if unknown:
            raise InputError(f"no demo task `{unknown[0]}`; there are {', '.join(tasks)}")
        folder = out or _fresh_folder()
        say("The model's replies below are RECORDED from a large language model that saw nothing but the prompts, on")
        say(f"{RECORDED}; none was edited or asked for again. Checking, planning, validating, explaining run live.")
        statuses = [_show(tasks[name], folder / name, engine) for name in (names or tasks)]
        solved = sum(status is Status.SOLVED for status in statuses)
        say(f"\n{solved} of {len(statuses)} tasks solved. Each run is in {folder}; open its report.html in a browser.")
        say(
            "With a live model:  OPENAI_API_KEY=... groundplan formalize TASK.txt --model openai:gpt-4o --out runs/mine"
        )
        say("Without a key, with a chat window:  groundplan formalize TASK.txt --model manual:chat --out runs/mine")
        return Exit.FAILED if Status.FAILED in statuses else Exit.YES


def _fresh_folder() -> Path:
    import tempfile

    return Path(tempfile.mkdtemp(prefix="groundplan-demo-"))


def _show(task: object, folder: Path, engine: str) -> Status:
    """Run one task and print it: the text, each round, the result."""
    from groundplan.cli.formalize import Session, print_result, run_formalize
    from groundplan.formalize.demo import DemoTask, recording

    assert isinstance(task, DemoTask)
    say(f"\n=== {task.name} {'=' * (70 - len(task.name))}")
    say(task.text.strip())
    if task.domain:
        say("(the domain is given; only the problem is written)")
    say()
    settings = {
        "verb": "formalize",
        "text": task.text,
        "domain": task.domain,
        "model": f"replay:{recording()}",
        "base_url": None,
        "key_env": "OPENAI_API_KEY",
        "engine": engine,
        "timeout": 60.0,
        "memory": 2048,
        "repairs": task.repairs,
        "judge": task.judged,
        "temperature": 0.0,
        "max_tokens": 8192,
    }
    result = run_formalize(settings, folder, Session(quiet=True))
    for number, round_ in enumerate(result.rounds):
        who = "Actor" if number == 0 else f"Editor, repair {number}"
        verdict = "executable" if round_.verification.solved else round_.verification.reason
        say(f"{who}: {verdict}")
    print_result(result, folder)
    return result.status
