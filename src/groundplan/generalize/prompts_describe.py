"""The prompts that turn a domain and its tasks into a description without planning jargon.

All prompts are part of what a recording stands for: change one, and record again.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.generalize.kinds import NamedTask
from groundplan.models.protocol import Message
from groundplan.pddl.write import write_domain, write_problem

VERSION = "2026-12"

_WRITER = (
    "You explain puzzles to clever people who know nothing about automated planning. You are exact: whoever reads your "
    "text must be able to play by the rules without seeing the formal definition."
)


def describe_domain(task: NamedTask) -> tuple[Message, ...]:
    """The domain as a puzzle: its things, its facts and its moves, with what is surprising about them."""
    text = "\n".join(
        [
            "Here is the formal definition of a kind of puzzle, in PDDL:",
            "",
            _block("pddl", write_domain(task.task.domain)),
            "",
            "Describe this kind of puzzle in plain words.",
            "- Say which kinds of things there are and which facts can hold about them.",
            "- For every move, say everything that must hold before it can be made, and everything that it changes. "
            "Leave nothing out, and add nothing that the definition does not say.",
            "- Point out what would surprise a reader: a condition that common sense does not expect, a condition that "
            "common sense expects and that is not there, an effect that cannot be undone, a thing used up.",
            "- Keep the names of moves and facts as they are in the definition, so that they can be referred to.",
            "- Do not use the words action, predicate, parameter, precondition, effect, PDDL or planning.",
            "- Do not say how to solve it.",
            "",
            "Answer with the description alone.",
        ]
    )
    return Message("system", _WRITER), Message("user", text)


def describe_task(description: str, task: NamedTask) -> tuple[Message, ...]:
    """One task of the domain in plain words; every object is named."""
    text = "\n".join(
        [
            "Here is a kind of puzzle:",
            "",
            description,
            "",
            "And here is one puzzle of this kind, in a formal notation:",
            "",
            _block("pddl", write_problem(task.task.problem)),
            "",
            "Describe this puzzle in plain words: all things with their exact names and kinds, everything that holds "
            "at the start, and what must hold at the end. Facts of the same form may be put together in one sentence, "
            "but none may be lost. What is not listed does not hold. Do not say how to solve it.",
            "",
            "Answer with the description alone.",
        ]
    )
    return Message("system", _WRITER), Message("user", text)


def describe_tasks(description: str, tasks: Sequence[NamedTask]) -> tuple[Message, ...]:
    """All tasks in one reply, each between marks with its name."""
    parts = ["Here is a kind of puzzle:", "", description, ""]
    count = len(tasks)
    parts += [
        f"And here are {count} puzzles of this kind, in a formal notation. They have nothing to do with each other."
    ]
    for task in tasks:
        parts += ["", f"Puzzle {task.name}:", "", _block("pddl", write_problem(task.task.problem))]
    parts += [
        "",
        "Describe each of these puzzles in plain words, so that it can be understood without the others: all things "
        "with their exact names and kinds, everything that holds at the start, and what must hold at the end. Facts of "
        "the same form may be put together in one sentence, but none may be lost. What is not listed does not hold. Do "
        "not say how to solve it.",
        "",
        "Put each description between two lines of its own:",
        "",
        f"<puzzle {tasks[0].name}>",
        "...",
        "</puzzle>",
        "",
        "Answer with the descriptions alone.",
    ]
    return Message("system", _WRITER), Message("user", "\n".join(parts))


def describe_together(tasks: Sequence[NamedTask]) -> tuple[Message, ...]:
    """Domain and example tasks in one short summary, as the baselines have it."""
    parts = ["Domain:", _block("pddl", write_domain(tasks[0].task.domain)), ""]
    for number, task in enumerate(tasks, 1):
        parts += [f"Example problem {number}:", _block("pddl", write_problem(task.task.problem)), ""]
    parts.append("Write a short summary of this domain in words.")
    return (Message("user", "\n".join(parts)),)


def _block(tag: str, text: str) -> str:
    return f"```{tag}\n{text.strip()}\n```"
