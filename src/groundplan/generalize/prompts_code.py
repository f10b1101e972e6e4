"""The prompts for a program: write it, find its fault, fix it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.generalize.signatures import action_signatures, predicate_signatures, types_tree
from groundplan.models.protocol import Message
from groundplan.pddl.ast import Domain, Plan

SIGNATURE = "def get_plan(objects, init, goal):"

_PROGRAMMER = (
    "You write Python programs that solve every task of a planning domain: short, general, correct and fast, without "
    "search over sequences of actions."
)

_INTERFACE = """\
Write a Python function `get_plan(objects, init, goal)`:
- `objects` is a set of pairs (name, type), all strings{untyped}.
- `init` is a set of tuples (predicate, argument, ...), all strings: the facts that are true at the start.
- `goal` is a set of such tuples: the facts that must all be true at the end; others do not matter.
- It returns a list of strings, the actions in order, each written like "({example})". If the goal holds already, the \
list is empty.

Rules:
- Python's standard library only; no input, output, files or command line. Define what you need in the same block.
- Facts have different numbers of arguments: look at the predicate before you unpack a tuple.
- Sets have no order. The result must not depend on the order in which they are iterated, on how objects are called, \
or on what happens to be true in the example only.
- Keep track of the state while the plan is built: update your own copies after every action.
- It must work for far larger tasks than the example, within seconds, and must always end."""

_WHOLE = "Answer with the whole program in one ```python block: all imports, functions and `get_plan`."


@dataclass(frozen=True, slots=True)
class Example:
    """A task as the program gets it (`values` is Python source) and a plan for it, if one is shown."""

    values: str
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A task with what the program made of it, to be shown to the model."""

    name: str
    values: str
    output: str
    message: str = ""


def write(domain: Domain, strategy: str, example: Example | None) -> tuple[Message, ...]:
    """The program from the strategy: signature, predicates, actions, one worked example."""
    parts = [f"The domain `{domain.name}` has these actions:", action_signatures(domain), ""]
    parts += ["Its facts are of these forms:", predicate_signatures(domain), ""]
    tree = types_tree(domain)
    if tree:
        parts += ["Its types:", tree, ""]
    parts += ["A strategy that solves every task of the domain:", "", strategy, ""]
    parts += [interface(domain), ""]
    if example is not None:
        parts += ["An example of the arguments:", "", f"```python\n{example.values}\n```", ""]
        if example.plan is not None:
            lines = ",\n".join(f'    "{step}"' for step in example.plan)
            parts += ["and a result that is right for them (not the only one):", ""]
            parts += [f"```python\n[\n{lines},\n]\n```" if lines else "```python\n[]\n```", ""]
    parts += ["Implement the strategy.", "", _WHOLE]
    return Message("system", _PROGRAMMER), Message("user", "\n".join(parts))


def interface(domain: Domain) -> str:
    """What the function gets and returns."""
    action = domain.actions[0] if domain.actions else None
    arguments = (item.name.lstrip("?") for item in action.parameters) if action else ()
    example = " ".join((action.name if action else "action", *arguments))
    untyped = "" if domain.types else '; in this domain every type is "object"'
    return _INTERFACE.format(example=example, untyped=untyped)


def implement(domain: Domain, example: Example | None) -> str:
    """The baselines' question for the program, in the conversation that holds the strategy."""
    parts = ["Implement the strategy.", "", interface(domain)]
    if example is not None:
        parts += ["", "An example of the arguments:", "", f"```python\n{example.values}\n```"]
    return "\n".join([*parts, "", _WHOLE])


def unusable(message: str) -> str:
    """The question after an answer without a program."""
    return f"Your answer could not be used: {message} {_WHOLE}"


def reflect(solved: Sequence[Shown], failed: Shown) -> str:
    """What went right, one task that went wrong, and the question why."""
    return (
        f"{_report(solved, failed)}\n\nWhy does the program fail here? Follow it on this task up to the fault, name "
        "the lines that are wrong, and say whether the strategy or its implementation is at fault. Do not write a new "
        "program yet."
    )


def fix() -> str:
    """The next turn: the program, mended."""
    return (
        "Now fix the program. Mend the cause, for every task of the domain and not just for this one, and keep what "
        f"works on the tasks that are solved.\n\n{_WHOLE}"
    )


def fix_at_once(solved: Sequence[Shown], failed: Shown) -> str:
    """Feedback and fix in one turn, for runs without reflection."""
    return f"{_report(solved, failed)}\n\n{fix()}"


def _report(solved: Sequence[Shown], failed: Shown) -> str:
    parts = []
    if solved:
        parts.append(f"The program solves {len(solved)} task{'s' if len(solved) > 1 else ''}:")
        for task in solved:
            parts += [f"\nTask {task.name}, with\n```python\n{task.values}\n```\nIt returned\n{task.output}"]
        parts.append("")
    parts.append(f"The program fails on task {failed.name}, with\n```python\n{failed.values}\n```")
    if failed.output:
        parts.append(f"It returned\n{failed.output}")
    parts.append(f"What is wrong: {failed.message}")
    return "\n".join(parts)
