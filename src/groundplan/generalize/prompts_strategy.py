"""The prompts for a strategy: propose it, follow it, find its fault, revise it."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.generalize.signatures import action_signatures, objects_by_kind
from groundplan.models.protocol import Message
from groundplan.pddl.ast import Task

_STRATEGIST = (
    "You find general ways to solve a whole kind of puzzle: one procedure that solves every puzzle of the kind, "
    "however large, without trying things out."
)

_FORM = """\
Write the strategy as pseudocode:
- Use `for each`, `while`, `if`, `else`, `continue`, indentation, and plain sentences for single steps.
- Say for every loop in which order it goes, for every choice how the thing is chosen, and for every move with which \
things it is made.
- Say what happens in the special cases: what already is as it should be, what stands in the way, what is reached \
only once.
- It must not depend on names, on numbers, or on what happens to be true in the examples.
- No search: moves may not be tried out and taken back. Computing something from the facts before moving (such as a \
shortest way on a map, or an order of things) is allowed; say how it is computed.

Put the whole strategy between a line <strategy> and a line </strategy>."""

_WHOLE = "Write the whole strategy again, not just what changes, between a line <strategy> and a line </strategy>."


def propose(description: str, examples: Sequence[str]) -> tuple[Message, ...]:
    """A strategy from the description of the domain and of two tasks."""
    parts = ["Here is a kind of puzzle:", "", description, ""]
    for number, example in enumerate(examples, 1):
        parts += [f"Example {number}:", "", example, ""]
    parts += ["Find a strategy that solves every puzzle of this kind.", "", _FORM]
    return Message("system", _STRATEGIST), Message("user", "\n".join(parts))


def unreadable(fault: str) -> str:
    """The question after an answer without a strategy."""
    return f"Your answer could not be used: {fault}. {_WHOLE}"


def follow(description: str, strategy: str, example: str, task: Task) -> tuple[Message, ...]:
    """A plan for one task, by following the strategy to the letter."""
    system = "You carry out a given strategy to the letter, like a machine, and write down the moves that it makes."
    parts = ["Here is a kind of puzzle:", "", description, "", "The strategy:", "", strategy, ""]
    parts += ["The puzzle to solve:", "", example, "", "Its things, by kind:", objects_by_kind(task), ""]
    parts += ["The moves, each with the things it is made with:", action_signatures(task.domain), ""]
    parts += [
        "Follow the strategy line by line on this puzzle and write down every move it makes. Do not improve on it: "
        "where it is wrong, do what it says. Where it leaves something open, take what fits it best. Keep your notes "
        "on the way short.",
        "",
        "End with the complete list of moves in a block, one a line, each as (move thing thing ...) with the exact "
        "names:",
        "",
        "```plan",
        "(move thing thing)",
        "```",
    ]
    return Message("system", system), Message("user", "\n".join(parts))


def reflect(feedback: str) -> str:
    """Which part of the strategy failed, and why; no repair yet."""
    return (
        f"These moves do not solve the puzzle. {feedback}\n\n"
        "Which part of the strategy led to this, and why? Name the lines. If the strategy is right and it was not "
        "followed, say where. Do not write a new strategy yet."
    )


def revise() -> str:
    """The next turn: the whole strategy, mended."""
    return (
        "Now mend the strategy so that this cannot happen, in this puzzle or in any other of its kind, however large. "
        f"Keep what is right.\n\n{_FORM}\n\n{_WHOLE}"
    )


def in_words() -> str:
    """The baselines' strategy, in plain language, after their summary."""
    return (
        "There is a simple strategy for solving all problems in this domain without using search. What is that "
        "strategy? Put it between a line <strategy> and a line </strategy>."
    )
