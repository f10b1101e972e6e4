"""The report of a search, in Markdown: what was tried, what failed and why, what came out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from groundplan.generalize.kinds import TaskResult
from groundplan.generalize.result import Result


def render_report(result: Result) -> str:
    """The report as Markdown text; a model's own words stand in fenced blocks, whatever they hold."""
    return "\n".join([*_head(result), *_strategies(result), *_programs(result), *_best(result)]) + "\n"


def _head(result: Result) -> Iterator[str]:
    yield f"# Generalized plan for `{result.domain}`"
    yield ""
    yield f"**{result.ending.value}**: {result.reason}"
    yield ""
    cost = "unknown" if result.cost_usd is None else f"${result.cost_usd:.4f}"
    yield "| | |"
    yield "|---|---|"
    yield f"| model | {result.model} |"
    yield f"| model calls, tokens, cost | {result.model_calls}, {result.tokens}, {cost} |"
    yield f"| debugging tasks | {', '.join(result.debugging)} |"
    yield f"| shown in prompts | {', '.join(result.examples)} |"
    if result.added:
        yield f"| added by counter-examples | {', '.join(result.added)} |"
    yield f"| strategy repairs, program repairs | {result.strategy_repairs}, {result.program_repairs} |"
    yield ""
    if result.description:
        yield from ("## The domain as the model describes it", "", *_fenced(result.description), "")


def _strategies(result: Result) -> Iterator[str]:
    rounds = result.strategies.rounds if result.strategies else ()
    chosen = result.strategies.best if result.strategies else None
    for number, item in enumerate(rounds, 1):
        mark = " (goes on to the programs)" if item is chosen else ""
        yield f"## Strategy {number}{mark}"
        yield ""
        if item.check.fault:
            yield f"Could not be read: {item.check.fault}."
        else:
            yield from _fenced(item.proposal.text)
        yield ""
        yield from _results([followed.result for followed in item.check.followed])


def _programs(result: Result) -> Iterator[str]:
    for item in result.tried:
        name = f"Program {item.variant + 1}" + (f", fix {item.fix}" if item.fix else "")
        yield f"## {name}{' (the result)' if item is result.best else ''}"
        yield ""
        for words in item.program.text.notes:
            yield f"- {words}"
        yield f"{item.check.solved} of {len(item.check.results)} tasks solved."
        yield ""
        yield from _results(item.check.results)


def _best(result: Result) -> Iterator[str]:
    if result.program:
        yield from ("## The program", "", *_fenced(result.program, "python"))


def _results(results: Iterable[TaskResult]) -> Iterator[str]:
    results = tuple(results)
    if not results:
        return
    yield "| task | result | what was found |"
    yield "|---|---|---|"
    for item in results:
        yield f"| {item.task} | {item.kind.value} | {_cell(item.message)} |"
    yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:600]


def _fenced(text: str, tag: str = "") -> Iterator[str]:
    """A fence longer than any in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    yield f"{fence}{tag}"
    yield text.rstrip()
    yield fence
