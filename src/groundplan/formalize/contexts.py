"""From the prompts of the three roles back to what they say: for models that were trained on contexts of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundplan.formalize.specification import Specification
from groundplan.models.protocol import Message

_BLOCK = r"```pddl\n(?P<{}>.*?)\n```"
_ACTOR = re.compile(r"Task:\n(?P<text>.*)\n\nDomain:\n" + _BLOCK.format("domain") + r"\n\nRules:.*", re.DOTALL)
_EDITOR = re.compile(
    r"Task:\n(?P<text>.*)\n\nPresent domain:\n(?:\(none yet\)|" + _BLOCK.format("domain") + r")\n\nPresent problem:\n"
    r"(?:\(none yet\)|" + _BLOCK.format("problem") + r")\n\nThe checker and the planner report:\n(?P<said>.*)\n\n"
    r"Repair the specification\..*",
    re.DOTALL,
)
_JUDGE = re.compile(
    r"Task:\n(?P<text>.*)\n\nDomain:\n" + _BLOCK.format("domain") + r"\n\nProblem:\n" + _BLOCK.format("problem")
    + r"\n\nCompare in this order:.*",
    re.DOTALL,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoleContext:
    """A role's context (section 3.2): the text x, y (its problem empty for the Actor) and the diagnostics d."""

    role: Literal["actor", "editor", "judge"]
    text: str
    specification: Specification
    diagnostics: str = ""


def read_context(messages: Sequence[Message]) -> RoleContext | None:
    """What a prompt of formalize.prompts says; None for any other prompt, and for an Actor without a domain."""
    asked = messages[-1].content if messages else ""
    if found := _JUDGE.fullmatch(asked):
        return RoleContext("judge", found["text"], Specification(found["domain"], found["problem"]))
    if found := _EDITOR.fullmatch(asked):
        present = Specification(found["domain"] or "", found["problem"] or "")
        return RoleContext("editor", found["text"], present, found["said"])
    if found := _ACTOR.fullmatch(asked):
        return RoleContext("actor", found["text"], Specification(found["domain"]))
    return None
