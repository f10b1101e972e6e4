"""groundplan run-program"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import AsJson
from groundplan.cli.output import note, say, say_json
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.generalize.code import ProgramText
    from groundplan.generalize.kinds import TaskResult
    from groundplan.pddl.source import Source

PROGRAM_SUFFIX = ".py"
REPLY_SUFFIXES = (".txt", ".md")


def add_to(app: typer.Typer) -> None:
    @app.command(name="run-program", help="Run a program on a task, confined, and validate its plan.")
    def command(
        program: Annotated[str, typer.Argument(help="A .py file with get_plan, or a model's reply (.txt, .md).")],
        domain: Annotated[str, typer.Argument(help="PDDL domain file; - for standard input.")],
        problem: Annotated[str, typer.Argument(help="PDDL problem file; - for standard input.")],
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
        if out is not None and data["valid"]:
            _write(out, data)
        if as_json:
            say_json(data)
        else:
            _print(data)
        return exit_of_kind(data["kind"])


def exit_of_kind(kind: str) -> Exit:
    """A text that is no program is wrong input; a confinement that failed says nothing of the program."""
    special = {"solved": Exit.YES, "no-program": Exit.INPUT, "not-run": Exit.FAILED}
    return special.get(kind, Exit.NO)


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
    from groundplan.pddl.validate import validate_plan

    inputs = Inputs()
    text = inputs.source(program, "program", may_be_empty=True)
    task = check_sources(inputs.source(domain, "domain"), inputs.source(problem, "problem")).task()
    named = NamedTask("problem" if problem == "-" else Path(problem).stem, task)
    found = program_of(text, program)
    if found.fault is not None:
        return _as_json(TaskResult(named.name, found.fault, found.message), program, found.notes, None)
    wall, memory = limits
    bounds = ConfineLimits(wall_s=wall, cpu_s=wall, memory_mib=memory)
    confinement = open_confinement(unconfined=unconfined)
    try:
        result = run_on_task(found.source, named, confinement, limits=bounds, orders=orders, renamed=renamed)
    finally:
        confinement.close()
    cost = validate_plan(task, result.plan or ()).cost if result.solved else None
    return _as_json(result, program, found.notes, cost)


def program_of(text: Source, path: str) -> ProgramText:
    """The program in a file: a .py file as it stands, a reply by what it holds, another file by what it is."""
    from groundplan.generalize.code import ProgramText, program_from_reply
    from groundplan.generalize.python_text import Parsed, parsed

    suffix = Path(path).suffix.lower()
    if suffix == PROGRAM_SUFFIX or (suffix not in REPLY_SUFFIXES and isinstance(parsed(text.text), Parsed)):
        return ProgramText(text.text)
    return program_from_reply(text.text)


def _as_json(result: TaskResult, program: str, notes: tuple[str, ...], cost: float | None) -> dict[str, Any]:
    return {**result.as_json(), "valid": result.solved, "cost": cost, "program": program, "notes": list(notes)}


def _write(out: Path, data: dict[str, Any]) -> None:
    lines = [*data["plan"], f"; cost = {data['cost']:.15g}"]
    try:
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: the plan cannot be written ({error.strerror or error})") from error


def _print(data: dict[str, Any]) -> None:
    for words in data["notes"]:
        note(f"note: {words}")
    for step in data["plan"] or ():
        say(step)
    if data["valid"]:
        count, orders = len(data["plan"]), data["orders_tried"]
        say(
            f"; valid: cost = {data['cost']:g}, {count} step(s), in {orders} order(s) of objects and facts, "
            f"{data['seconds']:.3f} s"
        )
    else:
        say(f"; {data['kind']}: {data['message']}")
