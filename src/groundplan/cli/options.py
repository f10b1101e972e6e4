"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
EngineName = Annotated[str, typer.Option("--engine", help="The planner: fast-downward or builtin.")]
Timeout = Annotated[float, typer.Option("--timeout", min=0.05, help="Wall and CPU seconds for one solver call.")]
Memory = Annotated[int, typer.Option("--memory", min=64, help="Memory for one solver call, in MiB.")]
Optimal = Annotated[bool, typer.Option("--optimal", help="Ask for a proved cheapest plan.")]

# models and what they may cost
BaseUrl = Annotated[str | None, typer.Option(help="Server with OpenAI's protocol (vLLM, Ollama, ...).")]
KeyEnv = Annotated[str, typer.Option(help="Environment variable with the key.")]
PriceFile = Annotated[Path | None, typer.Option(help="TOML file: dollars per million tokens, by model.")]
ModelTimeout = Annotated[float, typer.Option(min=0.1, help="Seconds to wait for one reply.")]
Retries = Annotated[int, typer.Option(min=0, help="Retries of a failed request.")]
MaxCalls = Annotated[int | None, typer.Option(min=0, help="Budget: model calls.")]
MaxUsd = Annotated[float | None, typer.Option(min=0.0, help="Budget: US dollars.")]
Temperature = Annotated[float, typer.Option(min=0.0, max=2.0, help="0 is greedy.")]
MaxTokens = Annotated[int, typer.Option(min=16, help="Longest reply, in tokens.")]
