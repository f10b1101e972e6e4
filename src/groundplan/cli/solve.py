"""groundplan solve"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import AsJson, EngineName, Memory, Optimal, Timeout
from groundplan.cli.output import say, say_diagnostics, say_json
from groundplan.pddl.ast import Task
from groundplan.pddl.diagnostics import Diagnostic
from groundplan.pddl.read import check_sources
from groundplan.solve.cheaper import POLISH_S, cheaper
from groundplan.solve.engines import make_engine
from groundplan.solve.outcome import Limits, Outcome, Status


def exit_of(status: Status) -> Exit:
    if status is Status.SOLVED:
        return Exit.YES
    return Exit.FAILED if status is Status.FAILED else Exit.NO


def add_to(app: typer.Typer) -> None:
    @app.command(help="Find a plan, or learn why there is none. Every plan is validated by groundplan's simulator.")
    def solve(
        domain: Annotated[str, typer.Argument(help="PDDL domain file; - for standard input.")],
        problem: Annotated[str, typer.Argument(help="PDDL problem file; - for standard input.")],
        engine: EngineName = "fast-downward",
        timeout: Timeout = 60.0,
        memory: Memory = 2048,
        optimal: Optimal = False,
        polish: Annotated[
            float, typer.Option(min=0.0, help="Seconds to look for a cheaper plan where the problem minimizes cost.")
        ] = POLISH_S,
        explain: Annotated[bool, typer.Option(help="Explain why there is no plan.")] = True,
        as_json: AsJson = False,
    ) -> int:
        inputs = Inputs()
        solver = make_engine(engine, optimal=optimal)
        found = check_sources(inputs.source(domain, "domain"), inputs.source(problem, "problem"))
        task = found.task()  # a text that is refused ends here
        try:
            outcome = solver.solve(task, Limits(timeout, timeout, memory))
            seconds = min(polish, timeout - outcome.seconds)
            if seconds > 0:
                limits = Limits(seconds, seconds, memory)
                outcome = cheaper(task, outcome, lambda: make_engine(engine, optimal=True), limits)
        finally:
            solver.close()
        why = explanation(task, outcome) if explain else ()
        if as_json:
            say_json(_as_json(outcome, (*found.diagnostics, *why)))
        else:
            _print(outcome, found.diagnostics, why)
        return exit_of(outcome.status)


def explanation(task: Task, outcome: Outcome) -> tuple[Diagnostic, ...]:
    """Why a task is unsolvable; nothing for other endings."""
    if outcome.status is not Status.UNSOLVABLE:
        return ()
    from groundplan.pddl.explain import explain_unsolvable

    return tuple(explain_unsolvable(task))


def _as_json(outcome: Outcome, found: tuple[Diagnostic, ...]) -> dict[str, Any]:
    return {**outcome.as_json(), "diagnostics": [diagnostic.as_json() for diagnostic in found]}


def _print(outcome: Outcome, found: tuple[Diagnostic, ...], why: tuple[Diagnostic, ...]) -> None:
    say_diagnostics(found)
    if outcome.plan is not None and outcome.status is Status.SOLVED:
        for step in outcome.plan:
            say(str(step))
        measure = "total-cost" if outcome.measure == "total-cost" else "number of steps"
        proved = "optimal, " if outcome.optimal else ""
        say(f"; cost = {outcome.cost:g} ({proved}measured by {measure}), {len(outcome.plan)} step(s)")
    say_diagnostics(why)
    words = {Status.SOLVED: "solved", Status.UNSOLVABLE: "unsolvable (proved)", Status.NOT_FOUND: "no plan found"}
    reason = f": {outcome.reason}" if outcome.reason else ""
    say(f"; {words.get(outcome.status, 'failed')}{reason} [{outcome.engine}, {outcome.seconds:.2f} s]")
