"""From a model's reply to a strategy or a plan. What cannot be read is said, never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.models.reply_text import THINKING
from groundplan.pddl.ast import Plan
from groundplan.pddl.plan import read_plan
from groundplan.pddl.source import Source

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_STEP = re.compile(r"\(\s*[A-Za-z][^()\n]*\)")
_NOTHING = re.compile(
    r"\b(empty plan|no (?:steps|moves|actions) (?:are|is) (?:needed|necessary|required))\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Found:
    """A text found in a reply, or why there is none."""

    text: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class FoundPlan:
    """A plan found in a reply; None with the reason where it cannot be read."""

    plan: Plan | None
    fault: str = ""


def without_thinking(reply: str) -> str:
    """The reply without a reasoning model's thinking aloud."""
    return THINKING.sub("", reply).strip()


def strategy_in(reply: str, cut_off: bool = False) -> Found:
    """The strategy between <strategy> and </strategy>; of several the last. The whole reply never stands in for it."""
    text = without_thinking(reply)
    found = re.findall(r"<strategy>(.*?)</strategy>", text, re.DOTALL | re.IGNORECASE)
    filled = [part.strip() for part in found if part.strip()]
    if filled:
        return Found(_without_fence(filled[-1]))
    if not text:
        return Found(fault="the reply was empty")
    if re.search(r"<strategy>", text, re.IGNORECASE):
        why = "it was cut off at the length limit: be briefer" if cut_off else "</strategy> is missing"
        return Found(fault=f"the strategy has no end: {why}" if not found else "the strategy was empty")
    return Found(fault="no strategy was found: it must stand between <strategy> and </strategy>")


def _without_fence(text: str) -> str:
    fenced = _FENCE.fullmatch(text)
    return fenced[1].strip() if fenced else text


def descriptions_in(reply: str, names: Sequence[str]) -> dict[str, str]:
    """The texts between <puzzle NAME> and </puzzle>, by name; names that are missing or not asked for are left out."""
    text = without_thinking(reply)
    found = {}
    for name in names:
        match = re.search(rf"<puzzle\s+{re.escape(name)}\s*>(.*?)</puzzle>", text, re.DOTALL | re.IGNORECASE)
        if match and match[1].strip():
            found[name] = match[1].strip()
    return found


def plan_in(reply: str, cut_off: bool = False) -> FoundPlan:
    """The plan in the last fenced block that holds one, else the steps `(a b c)` that stand at the start of lines."""
    text = without_thinking(reply)
    if not text:
        return FoundPlan(None, "the reply was empty")
    if cut_off:
        return FoundPlan(None, "the reply was cut off at the length limit before its end")
    blocks = _FENCE.findall(text)
    if blocks and not blocks[-1].strip() and len(_MARK.findall(text)) % 2 == 0:
        return FoundPlan(())
    filled = [block for block in blocks if block.strip()]
    fault = ""
    for block in reversed(filled):
        read = read_plan(Source(block, "plan"))
        if read.is_readable:
            return FoundPlan(read.steps)
        first = next(found for found in read.diagnostics if found.is_error)
        fault = fault or f"line {first.line} of the plan cannot be read: {first.message}"
    if fault:
        return FoundPlan(None, fault)
    lines = [line.strip().lstrip("-*0123456789.: `") for line in text.splitlines()]
    steps = [match[0] for line in lines if (match := _STEP.match(line))]
    if steps:
        return FoundPlan(read_plan(Source("\n".join(steps), "plan")).steps)
    if _NOTHING.search(text):
        return FoundPlan(())
    return FoundPlan(
        None, "no plan was found: it must stand in a block of its own, one step (action object ...) a line"
    )
