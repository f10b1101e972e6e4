"""Options that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
EngineName = Annotated[str, typer.Option("--engine", help="The planner: fast-downward or builtin.")]
Timeout = Annotated[float, typer.Option("--timeout", min=0.05, help="Wall and CPU seconds for one solver call.")]
Memory = Annotated[int, typer.Option("--memory", min=64, help="Memory for one solver call, in MiB.")]
Optimal = Annotated[bool, typer.Option("--optimal", help="Ask for a proved cheapest plan.")]
