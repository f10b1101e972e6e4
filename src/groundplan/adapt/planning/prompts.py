"""The two questions of a proposal. They are part of what a recording stands for: change one, and record again.

They hold the present state, the goal, the objects, the known operators and, where it is known, what is new; nothing
else. In particular no reference operator ever comes near them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.adapt.facts import Facts
from groundplan.adapt.operator import Literal
from groundplan.adapt.planning.replies import NO_OPERATOR
from groundplan.adapt.planning.states import text_of
from groundplan.models.protocol import Message
from groundplan.models.reply_text import without_thinking
from groundplan.pddl.ast import Domain, Signature, Task
from groundplan.pddl.diagnostics import Diagnostic
from groundplan.pddl.write import typed, write_action, write_formula

VERSION = "2026-12"

_SYSTEM = (
    "You help a robot whose planner has run into something new. The planner knows some operators and cannot reach its "
    "goal with them. You find the one operator that is missing: something that the robot could physically do and learn "
    "as a skill, not a trick that makes the goal true on paper."
)

_STEP_FORM = f"""\
Is there an operator that the robot does not know yet, that it could carry out right now, in this state, and that would
help it on the way to the goal? If several steps are missing, give the one that comes first.

- It must be possible in the present state with the objects as they are; a hand that is full cannot grasp.
- It does one thing that the known operators cannot do. What they can do afterwards is left to them.
- Name every object that takes part, the robot's hand too if it is an object, and no other.
- If nothing new can or need be done in this very state, answer ({NO_OPERATOR}).

Think it over in a few sentences. Then end with one fenced block that holds one line, the operator's name and its
objects, like

```
(name object1 object2)
```"""

_EFFECTS_FORM = """\
What does it change? Give its effects in the order in which they come about while the robot carries it out: first what
becomes true or false first, last what is achieved last.

- Use only the predicates given, over only the objects of this operator.
- Give everything that changes, and nothing that stays as it is. What stops holding is an effect too: (not (fact ...)).
- Look at how the known operators write the same kind of change.

End with one fenced block of this form:

```pddl
(and (first-change ...) (not (second-change ...)) (third-change ...))
```"""


@dataclass(frozen=True, slots=True)
class Told:
    """What the model is told besides the state: `novel` objects, `changed` facts as text, `fixed` predicates."""

    novel: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()


def step_question(task: Task, domain: Domain, facts: Facts, told: Told) -> list[Message]:
    """The first question: name and objects of an operator that is missing in the state `facts`, derived facts included.

    `domain` has the operators known so far, those proposed earlier on the way included.
    """
    parts = _situation(task, domain, facts, told)
    return [Message("system", _SYSTEM), Message("user", "\n".join([*parts, "", _STEP_FORM]))]


def effects_question(
    asked: Sequence[Message], answer: str, name: str, objects: Sequence[str], preconditions: Sequence[Literal]
) -> list[Message]:
    """The second question, in the same conversation: the effects, given what holds of the objects before."""
    now = [f"  {text_of(item.fact, item.positive)}" for item in preconditions]
    parts = [f"So the operator is ({' '.join((name, *objects))}).", "", "Before it, this holds of its objects:"]
    parts += now or ["  (nothing is known)"]
    return [*asked, _said(answer), Message("user", "\n".join([*parts, "", _EFFECTS_FORM]))]


def again(asked: Sequence[Message], answer: str, faults: Sequence[Diagnostic]) -> list[Message]:
    """The same question once more, with what was wrong with the answer."""
    told = "\n".join(f"- {fault.message}" + (f" ({fault.hint})" if fault.hint else "") for fault in faults[:6])
    text = f"This answer cannot be used:\n{told}\n\nAnswer again, in the form that was asked for."
    return [*asked, _said(answer), Message("user", text)]


def _said(answer: str) -> Message:
    """An answer as part of the conversation, without a reasoning model's thinking aloud."""
    return Message("assistant", without_thinking(answer).strip() or "(nothing)")


def _situation(task: Task, domain: Domain, facts: Facts, told: Told) -> list[str]:
    parts = ["Types and predicates:", "```pddl", f"(:types {typed(domain.types, keep_object=True)})", "(:predicates"]
    parts += [f"  {_signature(predicate)}" for predicate in domain.predicates]
    parts += [")", "```", "", "Objects:", f"  {typed(task.objects)}", ""]
    if told.novel:
        parts += ["New objects, which the operators were not made for:", f"  {' '.join(told.novel)}", ""]
    if told.changed:
        parts += ["What has changed since the goal could be reached:", *(f"  {line}" for line in told.changed), ""]
    if told.fixed:
        parts += ["Nothing in the world can change the facts of these predicates:", f"  {' '.join(told.fixed)}", ""]
    parts += ["What is true now (everything else is false):"]
    parts += [f"  {text_of(fact)}" for fact in sorted(facts)] or ["  (nothing)"]
    parts += ["", "The goal:", f"  {write_formula(task.problem.goal)}", "", "The known operators:", "```pddl"]
    parts += [write_action(action) for action in domain.actions] or ["; none"]
    return [*parts, "```"]


def _signature(signature: Signature) -> str:
    parameters = typed(signature.parameters, keep_object=True)
    return f"({signature.name} {parameters})" if parameters else f"({signature.name})"
