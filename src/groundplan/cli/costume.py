"""groundplan costume"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import AsJson
from groundplan.cli.output import say, say_json
from groundplan.errors import InputError, PddlError
from groundplan.pddl.read import check_sources

if TYPE_CHECKING:
    from groundplan.generalize.names import Renaming
    from groundplan.pddl.ast import Domain, Problem

NAMES_FILE = "names.json"


def add_to(app: typer.Typer) -> None:
    @app.command(help="A domain and its problems in other words, and plans back in the old ones.")
    def costume(
        domain: Annotated[str | None, typer.Argument(help="PDDL domain file; - for standard input.")] = None,
        problems: Annotated[list[Path] | None, typer.Argument(metavar="PROBLEM...", help="Problem files.")] = None,
        anonymise: Annotated[bool, typer.Option("--anonymise", help="Names become action_1, pred_3, ...")] = False,
        table: Annotated[
            Path | None,
            typer.Option("--table", help="TOML or JSON file of lines `old = new`, or one table a namespace."),
        ] = None,
        random: Annotated[
            int | None, typer.Option("--random", metavar="SEED", help="Names become made-up words.")
        ] = None,
        complete: Annotated[
            bool, typer.Option("--complete", help="The table must have every name of the domain but variables.")
        ] = False,
        keep_objects: Annotated[
            bool, typer.Option("--keep-objects", help="Objects and names of problems stay as they are.")
        ] = False,
        out: Annotated[Path | None, typer.Option("--out", help=f"Directory for the files and {NAMES_FILE}.")] = None,
        plan_back: Annotated[
            str | None,
            typer.Option("--plan-back", metavar="PLAN", help="A plan in the new names, to print in the old."),
        ] = None,
        names: Annotated[Path | None, typer.Option("--names", help=f"The {NAMES_FILE} of the renamed files.")] = None,
        as_json: AsJson = False,
    ) -> int:
        if plan_back is not None:
            return _plan_back(plan_back, names, as_json)
        if sum((anonymise, table is not None, random is not None)) != 1:
            raise InputError("give one of --anonymise, --table FILE and --random SEED (or --plan-back PLAN)")
        if domain is None or out is None:
            raise InputError("a domain and --out DIR are wanted")
        texts = _read(domain, problems or [])
        renaming = _renaming(texts, anonymise, table, random, complete, keep_objects)
        written = _write(texts, renaming, out)
        if as_json:
            say_json({"files": [str(file) for file in written], "names": renaming.as_json()})
        else:
            for file in written:
                say(str(file))
        return Exit.YES


class _Texts:
    """What was read: the domain and the problems, each by its file's name."""

    def __init__(self, name: str, domain: Domain) -> None:
        self.name, self.domain = name, domain
        self.problems: dict[str, Problem] = {}


def _read(domain: str, problems: list[Path]) -> _Texts:
    """Raises InputError for unreadable files, features beyond classical planning, and files of one name."""
    from groundplan.pddl.ast import Problem, Task
    from groundplan.pddl.classical import refuse_beyond_classical

    inputs = Inputs()
    source = inputs.source(domain, "domain")
    found = check_sources(source)
    if found.domain is None or not found.readable:
        first = next(item for item in found.diagnostics if item.is_error)
        raise PddlError(first.as_text(), found.diagnostics)
    refuse_beyond_classical(Task(found.domain, Problem("none")))
    texts = _Texts("domain.pddl" if domain == "-" else Path(domain).name, found.domain)
    for file in problems:
        if file.name in texts.problems or file.name in (texts.name, NAMES_FILE):
            raise InputError(
                f"{file}: another file is called {file.name} too; the new files would overwrite each other"
            )
        task = check_sources(source, inputs.source(str(file), "problem")).task()
        refuse_beyond_classical(task)
        texts.problems[file.name] = task.problem
    return texts


def _renaming(
    texts: _Texts, anonymise: bool, table: Path | None, seed: int | None, complete: bool, keep_objects: bool
) -> Renaming:
    from groundplan.generalize.costume_table import read_costume_table
    from groundplan.generalize.renaming import anonymised, costume, random_costume

    problems = () if keep_objects else tuple(texts.problems.values())
    if table is not None:
        return costume(texts.domain, read_costume_table(table), problems, complete=complete)
    if complete:
        raise InputError("--complete says something of a table; give --table FILE with it")
    return anonymised(texts.domain, problems) if anonymise else random_costume(texts.domain, seed or 0, problems)


def _write(texts: _Texts, renaming: Renaming, out: Path) -> list[Path]:
    """All is renamed before the first file is written."""
    from groundplan.generalize.renaming import apply
    from groundplan.models.storage import write_whole
    from groundplan.pddl.ast import Task
    from groundplan.pddl.write import write_domain, write_problem

    files = {texts.name: write_domain(apply(renaming, texts.domain))}
    for name, problem in texts.problems.items():
        files[name] = write_problem(apply(renaming, Task(texts.domain, problem)).problem)
    files[NAMES_FILE] = json.dumps(renaming.as_json(), indent=2, ensure_ascii=False) + "\n"
    for name, text in files.items():
        write_whole(out / name, text.encode())
    return [out / name for name in files]


def _plan_back(plan: str, names: Path | None, as_json: bool) -> int:
    from groundplan.generalize.renaming import plan_back, renaming_from_json
    from groundplan.pddl.plan import read_plan, write_plan

    if names is None:
        raise InputError(f"--plan-back wants --names with the {NAMES_FILE} of the renamed files")
    inputs = Inputs()
    source = inputs.source(str(names), "table of names")
    try:
        renaming = renaming_from_json(json.loads(source.text))
    except ValueError as error:
        raise InputError(f"{names}: this is no JSON ({error})") from None
    text = read_plan(inputs.source(plan, "plan", may_be_empty=True))
    if not text.is_readable:
        first = next(found for found in text.diagnostics if found.is_error)
        raise PddlError(first.as_text(), text.diagnostics)
    back = plan_back(renaming, text.steps)
    if as_json:
        say_json({"plan": [str(step) for step in back]})
    else:
        for line in write_plan(back).splitlines():
            say(line)
    return Exit.YES
