"""groundplan validate"""

from __future__ import annotations

from typing import Annotated

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import AsJson
from groundplan.cli.output import say, say_json
from groundplan.pddl.read import check_sources
from groundplan.pddl.validate import Verdict, VerdictKind, validate_text

_EXITS = {VerdictKind.VALID: Exit.YES, VerdictKind.INVALID: Exit.NO, VerdictKind.UNREADABLE: Exit.INPUT}


def add_to(app: typer.Typer) -> None:
    @app.command(help="Judge a plan: valid, invalid (which step, every cause), or unreadable.")
    def validate(
        domain: Annotated[str, typer.Argument(help="PDDL domain file; - for standard input.")],
        problem: Annotated[str, typer.Argument(help="PDDL problem file; - for standard input.")],
        plan: Annotated[str, typer.Argument(help="Plan file in any common spelling; - for standard input.")],
        as_json: AsJson = False,
    ) -> int:
        inputs = Inputs()
        task = check_sources(inputs.source(domain, "domain"), inputs.source(problem, "problem")).task()
        verdict = validate_text(task, inputs.source(plan, "plan", may_be_empty=True))
        if as_json:
            say_json(verdict.as_json())
        else:
            _print(verdict)
        return _EXITS[verdict.verdict]


def _print(verdict: Verdict) -> None:
    if verdict.is_valid:
        measure = "total-cost" if verdict.measure == "total-cost" else "number of steps"
        say(f"valid: cost {verdict.cost:g} (measured by {measure})")
        return
    where = f" at step {verdict.step}" if verdict.step is not None else ""
    say(f"{verdict.verdict.value}{where}")
    for diagnostic in verdict.diagnostics:
        say(diagnostic.as_text())
    if not verdict.diagnostics:
        for reason in verdict.reasons:
            say(f"  {reason}")
