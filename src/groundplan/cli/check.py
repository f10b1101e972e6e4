"""groundplan check"""

from __future__ import annotations

from typing import Annotated

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.output import say, say_diagnostics, say_json
from groundplan.pddl.read import check_sources


def add_to(app: typer.Typer) -> None:
    @app.command(help="Check a domain, or a domain and a problem: every fault with its place and the way out.")
    def check(
        domain: Annotated[str, typer.Argument(help="PDDL domain file; - for standard input.")],
        problem: Annotated[str | None, typer.Argument(help="PDDL problem file; - for standard input.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ) -> int:
        inputs = Inputs()
        texts = [inputs.source(domain, "domain")]
        if problem is not None:
            texts.append(inputs.source(problem, "problem"))
        result = check_sources(*texts)
        if as_json:
            say_json({"ok": result.ok, "diagnostics": [found.as_json() for found in result.diagnostics]})
        else:
            say_diagnostics(result.diagnostics)
            errors = sum(found.is_error for found in result.diagnostics)
            warnings = len(result.diagnostics) - errors
            say(f"{'ok' if result.ok else 'not ok'}: {errors} error(s), {warnings} warning(s)")
        return Exit.YES if result.ok else Exit.NO
