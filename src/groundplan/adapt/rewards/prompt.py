"""The prompt for a shaping function: the operator, the sub-goal, what is observed; nothing of the world's own code."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.rewards.layout import Layout
from groundplan.adapt.rewards.static import BUILTINS, FUNCTION, Fault
from groundplan.adapt.rewards.sub_goals import SubGoals
from groundplan.adapt.worlds.world import CONTROL_HZ, MAX_DISPLACEMENT
from groundplan.models.protocol import Message

_UNITS = {"m": "metres", "rad": "radians", "1": "a share from 0 to 1"}

SYSTEM = """\
You write reward functions for a robot arm with a gripper that learns by reinforcement. You answer with one Python \
function in a single code block, and at most two sentences before it."""

TEMPLATE = f"""\
```python
import math

def {FUNCTION}(previous, current):
    ...
    return progress
```"""


def question(operator: GroundOperator, goals: SubGoals, place: int, layout: Layout) -> tuple[Message, ...]:
    """Ask for the shaping of sub-goal `place`."""
    text = f"""\
The robot has to learn a new operator.

{_operator(operator)}

The effects are learned one after the other, in this order:
{_goals(goals, place)}

Write the shaping for sub-goal {place + 1}, `{goals.goals[place]}`: how much one control step (1/{CONTROL_HZ} s) has \
brought the robot nearer to it.{_before(place)} The bonus for reaching it is paid elsewhere.

`previous` and `current` are the observations before and after the step. Each is a dict from these keys to a tuple of \
floats (also where there is one number only: write `[0]`):
{_table(layout)}
The z axis points up.

{TEMPLATE}

Rules
- Measure progress as a change between `previous` and `current`, for instance of the distance between two points, so \
that going back costs what going forward pays.
- The gripper moves by at most {MAX_DISPLACEMENT} m along each axis in one step: divide a change of distance by it, so \
that the result lies in [-1, 1]; clip it to that. A quantity in another unit is divided by its own largest change.
- The larger the value, the more progress; 0 when nothing has changed.
- Only `import math` is allowed, and these builtins: {", ".join(sorted(BUILTINS))}. No `while`, no classes, no `try`, \
no methods such as `.get`; read an observation as `current["key"]`.
- Keep nothing between calls and change nothing in the observations."""
    return (Message("system", SYSTEM), Message("user", text))


def complaint(faults: Sequence[Fault]) -> Message:
    """What is wrong with the last answer, and the request for another."""
    told = "\n".join(f"- {fault}" for fault in faults[:8])
    return Message(
        "user",
        f"This function cannot be used:\n{told}\n\nWrite the whole function again, mended, in one Python code block.",
    )


def _operator(operator: GroundOperator) -> str:
    parameters = ", ".join(f"{name} ({kind})" for name, kind in zip(operator.objects, operator.types, strict=True))
    return (
        f"Operator: {operator.name}\nObjects: {parameters}\nBefore it: {_facts(operator.preconditions)}\n"
        f"Its effects: {_facts(operator.effects)}"
    )


def _facts(literals: Sequence[Literal]) -> str:
    return ", ".join(("" if item.positive else "not ") + f"({' '.join(item.fact)})" for item in literals) or "nothing"


def _goals(goals: SubGoals, place: int) -> str:
    rows = []
    for number, goal in enumerate(goals.goals):
        mark = "   <- this one" if number == place else ""
        rows.append(f"{number + 1}. {_facts(goal.literals)}{mark}")
    return "\n".join(rows)


def _before(place: int) -> str:
    if not place:
        return ""
    return " While it counts, the sub-goals before it hold: the gripper does what they say, and is to go on doing it."


def _table(layout: Layout) -> str:
    return "\n".join(
        f'- "{item.name}": {item.size} number{"s" if item.size > 1 else ""}, {_UNITS.get(item.unit, item.unit)}. '
        f"{item.meaning}"
        for item in layout.observables
    )
