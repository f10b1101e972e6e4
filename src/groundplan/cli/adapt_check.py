"""groundplan adapt-check"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundplan.cli.adapt import BEFORE_HELP, FIXED_HELP
from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import AsJson
from groundplan.cli.output import say, say_json
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.adapt.planning.judge import Bench, Judged
    from groundplan.pddl.ast import Problem
    from groundplan.pddl.source import Source

PROPOSALS_HELP = "Files with (:action ...) forms or whole replies; a directory stands for all in it."


def add_to(app: typer.Typer) -> None:
    @app.command(name="adapt-check", help="Judge operators that were proposed: findings, and which to try first.")
    def adapt_check(
        domain: Annotated[str, typer.Argument(help="PDDL domain file; - for standard input.")],
        proposals: Annotated[list[str], typer.Argument(metavar="PROPOSAL...", help=PROPOSALS_HELP)],
        problem: Annotated[str | None, typer.Option("--problem", help="The problem that they should help.")] = None,
        before: Annotated[str | None, typer.Option("--before", help=BEFORE_HELP)] = None,
        transitions: Annotated[
            list[str] | None, typer.Option("--transitions", help="What a world did: one JSON object a line.")
        ] = None,
        tried_as: Annotated[str, typer.Option("--tried-as", help="The name of the operator in the transitions.")] = "",
        fixed: Annotated[list[str] | None, typer.Option("--fixed", help=FIXED_HELP)] = None,
        as_json: AsJson = False,
    ) -> int:
        bench = bench_of(Inputs(), domain, problem, before, transitions or [], tried_as, fixed or [])
        return judge(bench, proposal_sources(proposals), as_json)


def bench_of(
    inputs: Inputs,
    domain: str,
    problem: str | None,
    before: str | None,
    transitions: list[str],
    tried_as: str,
    fixed: list[str],
) -> Bench:
    """What the proposals are judged against. Raises InputError and PddlError for files that cannot be used."""
    from groundplan.adapt.planning.changes import changes_between
    from groundplan.adapt.planning.judge import Bench
    from groundplan.adapt.planning.transitions import read_transitions
    from groundplan.pddl.ast import Task
    from groundplan.pddl.read import check_sources, domain_from_text

    if before and not problem:
        raise InputError("--before is compared with --problem: name both")
    source = inputs.source(domain, "domain")

    def task(path: str, what: str) -> Problem:
        return check_sources(source, inputs.source(path, what)).task().problem

    known = domain_from_text(source.text) if problem is None else None
    now = task(problem, "problem") if problem else None
    known = known or check_sources(source).domain
    assert known is not None, "a problem that reads has a domain that reads"
    earlier = task(before, "problem before") if before else None
    for name in fixed:
        if name.lower() not in known.predicate_by_name:
            raise InputError(f"--fixed {name}: there is no such predicate in the domain")
    seen = [item for path in transitions for item in read_transitions(inputs.source(path, "transitions"), known)]
    changes = changes_between(Task(known, now), earlier) if now and earlier else None
    names = frozenset(name.lower() for name in fixed)
    return Bench(known, now, tuple(seen), changes, names, tried_as.lower())


def proposal_sources(paths: list[str]) -> list[Source]:
    """The proposals' texts, each named by its file. Raises InputError for a file that cannot be read."""
    inputs = Inputs()
    found = []
    for path in paths:
        folder = Path(path)
        files = [str(file) for file in sorted(folder.iterdir()) if file.is_file()] if folder.is_dir() else [path]
        if not files:
            raise InputError(f"{path}: no file is there")
        found += [inputs.source(file, "proposal", may_be_empty=True) for file in files]
    return found


def judge(bench: Bench, proposals: list[Source], as_json: bool) -> int:
    from groundplan.adapt.planning.judge import judge_proposals, ranking

    judged = judge_proposals(bench, proposals)
    ranked = ranking(judged)
    if as_json:
        say_json({"proposals": [item.as_json() for item in judged], "ranking": [item.name for item in ranked]})
    else:
        for item in judged:
            _print_judged(item)
        say("; to try, in this order: " + (", ".join(item.name for item in ranked) or "none"))
    return Exit.YES if ranked else Exit.NO


def _print_judged(item: Judged) -> None:
    steps = f", plan of {item.helps.steps} step(s)" if item.helps and item.helps.steps is not None else ""
    right = f"; {item.right.value}" if item.replays else ""
    say(f"{item.name}: {item.standing.value}{steps}{right}")
    for found in item.findings:
        say(f"  {found.as_compact()}")
    for replay in item.replays:
        say(f"  replay: {replay}")
