"""The questions of the checks that ask a language model. As with the prompts of the roles: change one, and record
again."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.models.protocol import Message
from groundplan.pddl.ast import Task
from groundplan.pddl.write import typed, write_domain, write_problem

_BREAKER = (
    "You test a model of a task that somebody else wrote. The text of the task forbids some things; you look for ways "
    "to do them all the same, step by step."
)
_TELLER = (
    "You put PDDL into plain words for somebody who does not know PDDL. You say what is written there, whether or not "
    "it seems right, and nothing besides."
)
_COMPARER = (
    "You compare a list of facts with the text that they are said to come from. A fact that is wrong, or one that is "
    "lost, changes the task, so look at each one by itself."
)


def restrictions(text: str, task: Task) -> tuple[Message, ...]:
    """Every sentence of the text that forbids something, with steps that break it. What the actions need is not shown:
    it is what is tested."""
    actions = [f"({' '.join(filter(None, (item.name, typed(item.parameters))))})" for item in task.domain.actions]
    parts = ["Task:", text.strip(), "", "Actions of the model:", *actions, "", "Objects of the model:"]
    parts += [typed(task.objects) or "(none)", ""]
    parts.append(
        "List every restriction of the task: each sentence that says what must not, cannot or may only be done "
        '("only if", "must", "must not", "at most one", "cannot", "before", "unless", ...), except what is asked for '
        "at the end. For each one write a short trace: ground steps of the actions above, with the objects above, that "
        "start at the beginning of the task and break the restriction with the last step. All earlier steps must be "
        "allowed by the task; often none is needed. Leave out a restriction that no trace can break. Answer with JSON "
        'alone: {"restrictions": [{"sentence": "...", "trace": ["(action object object)", "..."]}]}, where each '
        "sentence is copied from the task word by word."
    )
    return Message("system", _BREAKER), Message("user", "\n".join(parts))


def facts_of(task: Task) -> tuple[Message, ...]:
    """What the PDDL says, in plain words. The text is not shown, and comments in the PDDL are not either."""
    parts = ["Domain:", _block(write_domain(task.domain)), "", "Problem:", _block(write_problem(task.problem)), ""]
    parts.append(
        "List everything that this says, one short sentence for each fact, with the names of the objects as they are "
        'written. Answer with JSON alone: {"objects": [{"name": "...", "kind": "..."}], "initial": ["...", "..."], '
        '"goal": ["...", "..."], "actions": [{"name": "...", "needs": ["...", "..."], "changes": ["...", "..."]}]}, '
        "where `initial` are the facts that hold at the start, `goal` is what must hold at the end, `needs` is what "
        "must hold before an action, and `changes` what it makes true or false."
    )
    return Message("system", _TELLER), Message("user", "\n".join(parts))


def comparison(text: str, facts: Sequence[tuple[str, str]]) -> tuple[Message, ...]:
    """Whether the text says each of some facts, given as (label, sentence), and what the list lacks."""
    parts = ["Task:", text.strip(), "", "Facts (O: objects, I: at the start, G: at the end, A: actions):"]
    parts += [f"{label}: {sentence}" for label, sentence in facts]
    parts += [
        "",
        "Say of each fact whether it is `stated` in the task, `implied` by it (it follows, or goes without saying), "
        "`contradicted` by it, or `absent` from it. Then list what the task says and no fact of the list does. Answer "
        'with JSON alone: {"facts": [{"fact": "G1", "verdict": "stated", "words": "..."}], "missing": [{"part": '
        '"initial", "sentence": "...", "words": "..."}]}, where `part` is one of object, initial, goal, action, and '
        "`words` are the words of the task that it rests on, copied word by word (empty for absent facts).",
    ]
    return Message("system", _COMPARER), Message("user", "\n".join(parts))


def _block(text: str) -> str:
    return f"```pddl\n{text.strip()}\n```"
