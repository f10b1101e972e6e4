"""groundplan run-program"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import AsJson
from groundplan.cli.output import note, say, say_json
from groundplan.errors import InputError

REPLY_SUFFIXES = (".txt", ".md")


def add_to(app: typer.Typer) -> None:
    @app.command(name="run-program", help="Run a program on a task, confined, and validate its plan.")
    def command(
        program: Annotated[str, typer.Argument(help="A .py file with get_plan, or a model's reply (.txt, .md).")],
        domain: Annotated[str, typer.Argument(help="The domain file.")],
        problem: Annotated[str, typer.Argument(help="The problem file.")],
        orders: Annotated[int, typer.Option(min=1, help="Orders of objects and facts; all must succeed.")] = 4,
        renamed: Annotated[bool, typer.Option("--renamed", help="With renamed objects as well.")] = False,
        timeout: Annotated[float, typer.Option(min=0.05, help="Seconds for one run.")] = 45.0,
        memory: Annotated[int, typer.Option(min=16, help="MiB for one run.")] = 1024,
        out: Annotated[Path | None, typer.Option("--out", help="Write the plan to this file if it is valid.")] = None,
        unconfined: Annotated[
            bool, typer.Option("--unconfined", help="Run it even where this machine cannot confine it.")
        ] = False,
        as_json: AsJson = False,
    ) -> int:
        data = run(program, domain, problem, orders, renamed, (timeout, memory), unconfined)
        if out is not None and data["kind"] == "solved":
            _write(out, data["plan"])
        if as_json:
            say_json(data)
        else:
            _print(data)
        if data["kind"] == "not-run":
            return Exit.FAILED
        return Exit.YES if data["kind"] == "solved" else Exit.NO


def run(
    program: str,
    domain: str,
    problem: str,
    orders: int,
    renamed: bool,
    limits: tuple[float, int],
    unconfined: bool,
) -> dict[str, Any]:
    """Run and judge; the keys that `--json` prints. Raises InputError for files that cannot be used."""
    from groundplan.confine.opening import open_confinement
    from groundplan.confine.outcome import ConfineLimits
    from groundplan.generalize.execute import run_on_task
    from groundplan.generalize.kinds import NamedTask, TaskResult
    from groundplan.pddl.read import check_sources

    inputs = Inputs()
    text = inputs.source(program, "program").text
    task = check_sources(inputs.source(domain, "domain"), inputs.source(problem, "problem")).task()
    named = NamedTask(Path(problem).stem, task)
    notes: tuple[str, ...] = ()
    if Path(program).suffix.lower() in REPLY_SUFFIXES:
        from groundplan.generalize.code import program_from_reply

        found = program_from_reply(text)
        text, notes = found.source, found.notes
        if found.fault is not None:
            return _as_json(TaskResult(named.name, found.fault, found.message), program, notes)
    confinement = open_confinement(unconfined=unconfined)
    try:
        wall, memory = limits
        bounds = ConfineLimits(wall_s=wall, cpu_s=wall, memory_mib=memory)
        result = run_on_task(text, named, confinement, limits=bounds, orders=orders, renamed=renamed)
    finally:
        confinement.close()
    return _as_json(result, program, notes)


def _as_json(result: Any, program: str, notes: tuple[str, ...]) -> dict[str, Any]:
    data: dict[str, Any] = result.as_json()
    return {**data, "valid": result.solved, "program": program, "notes": list(notes)}


def _write(out: Path, steps: list[str]) -> None:
    try:
        out.write_text("".join(f"{step}\n" for step in steps), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: the plan cannot be written ({error.strerror or error})") from error


def _print(data: dict[str, Any]) -> None:
    for words in data["notes"]:
        note(f"note: {words}")
    for step in data["plan"] or ():
        say(step)
    if data["valid"]:
        orders = data["orders_tried"]
        say(f"; valid: {len(data['plan'])} step(s), in {orders} order(s) of objects and facts, {data['seconds']:.3f} s")
    else:
        say(f"; {data['kind']}: {data['message']}")
