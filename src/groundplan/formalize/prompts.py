"""The prompts of the three roles. They are part of what a recording stands for: change one, and record again.

Contexts follow the multi-role paper (section 3.2): the Actor sees the text x; the Judge (x, y); the Editor
(x, y_t, d_t).
"""

from __future__ import annotations

from groundplan.formalize.specification import Specification
from groundplan.models.protocol import Message

VERSION = "2026-12"

_LANGUAGE = (
    "You turn tasks in plain language into PDDL, which a classical planner (Fast Downward) will solve as it is "
    "written. The PDDL must mean exactly what the text says: every object, every fact, every rule and every goal of "
    "the text, and nothing besides."
)

_RULES = """\
Rules:
- Write everything out. No placeholders, no `...`, no comments that stand for missing facts.
- Name objects after the text (the red block: red-block; ball 3: ball3). Declare every object that the text mentions.
- `:init` lists the facts that hold at the start, one after another. What is not listed is false.
- The goal holds what the text asks for, and no more. Do not put the goal into `:init`.
- Make restrictions that the text gives into preconditions, so that a plan cannot break them.
- Every action deletes the facts that stop holding."""

_FORM_BOTH = "Answer with two fenced blocks marked ```pddl: first the whole domain, then the whole problem."
_FORM_PROBLEM = (
    "Answer with one fenced block marked ```pddl: the whole problem for the domain given. Leave the domain as it is."
)


def actor(text: str, domain: str = "") -> tuple[Message, ...]:
    """The Actor: a first specification from the text; with `domain`, the problem alone (the LLM+P setting)."""
    parts = ["Task:", text.strip(), ""]
    if domain:
        parts += ["Domain:", _block(domain), ""]
    parts += [_RULES, "", _FORM_PROBLEM if domain else _FORM_BOTH]
    return Message("system", _LANGUAGE), Message("user", "\n".join(parts))


def editor(text: str, current: Specification, diagnostics: str, given_domain: bool) -> tuple[Message, ...]:
    """The Editor: repairs the current specification after the latest diagnostics, changing no more than is needed."""
    parts = [
        "Task:",
        text.strip(),
        "",
        "Present domain:",
        _block(current.domain) if current.domain else "(none yet)",
        "",
    ]
    parts += ["Present problem:", _block(current.problem) if current.problem else "(none yet)", ""]
    parts += ["The checker and the planner report:", diagnostics.strip(), ""]
    parts += [
        "Repair the specification. Mend the cause of each error; keep what is right as it is. Never weaken the goal, "
        "leave out objects or drop a restriction of the task to get a plan: the result must still mean what the task "
        "says.",
        "",
        _RULES,
        "",
    ]
    parts.append(
        _FORM_PROBLEM
        if given_domain
        else _FORM_BOTH + " A file that needs no change may be left out; write every file that you change as a whole."
    )
    return Message("system", _LANGUAGE), Message("user", "\n".join(parts))


def judge(text: str, specification: Specification) -> tuple[Message, ...]:
    """The Judge: how likely it is that the specification is right, as a number."""
    system = (
        "You judge whether PDDL says what a text says. A planner that solves a wrong task is of no use, so look for "
        "what is lost, added or changed."
    )
    parts = ["Task:", text.strip(), "", "Domain:", _block(specification.domain), "", "Problem:"]
    parts += [_block(specification.problem), ""]
    parts.append(
        "Compare in this order: objects and their number; initial facts; the preconditions and effects of each action "
        "against the rules of the text; the goal. Then answer with JSON alone: "
        '{"score": S, "reasons": ["...", "..."]}, where S between 0 and 1 is the probability that the PDDL is '
        "accepted by a planner and means exactly what the text says, and each reason is one short sentence."
    )
    return Message("system", system), Message("user", "\n".join(parts))


def _block(text: str) -> str:
    return f"```pddl\n{text.strip()}\n```"
