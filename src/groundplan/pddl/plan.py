"""Plan files: what planners, people and language models write down as a plan.

`read_plan` knows the spellings that are met in the field (see `plan_lines`). A line that it cannot read is an error
with its place and never skipped: a plan with a hole would be judged as another plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from groundplan.pddl.ast import Plan, Step
from groundplan.pddl.diagnostics import Diagnostic, has_errors
from groundplan.pddl.plan_lines import cost_of_line, lowered, read_lines
from groundplan.pddl.source import NO_SOURCE, Source, Span

# Nothing but `(a b c)`, blank lines and comments, each on a line of its own: most plan files.
_ONLY_IPC_LINES = re.compile(r"(?:(?:\([^()\[\]{};:,\"'`\n]*+\)|;[^\n]*+)?+(?:\n|\Z))*+")


@dataclass(frozen=True)
class PlanText:
    """A plan as it was read: `words` has the action and the objects of every step.

    `declared_cost` is the cost that the text claims for itself (`; cost = 4`), if it does. `bare` lists the steps
    (from 0) that were written without brackets: they may as well be prose, which only somebody who knows the task
    can tell. `diagnostics` has errors where the text could not be read; `words` then misses those lines.
    """

    words: tuple[tuple[str, ...], ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    declared_cost: float | None = None
    bare: tuple[int, ...] = ()
    source: Source = field(default=NO_SOURCE, compare=False, repr=False)

    @property
    def is_readable(self) -> bool:
        return not has_errors(self.diagnostics)

    @cached_property
    def steps(self) -> Plan:
        return tuple([Step(words[0], words[1:]) for words in self.words])

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Where each step stands in the source."""
        return tuple([Span(*span) for span in read_lines(self.source).spans])


def read_plan(source: Source) -> PlanText:
    """Read a plan in any of the known spellings; names become lower case.

    Never raises for what the text says: `diagnostics` has an error for every line that cannot be read. An empty
    text, or one of comments only, is a plan of zero steps.
    """
    quick = _read_ipc(source)
    if quick is not None:
        return quick
    draft = read_lines(source)
    return PlanText(tuple(draft.words), tuple(draft.diagnostics), draft.cost, tuple(draft.bare), source)


def write_plan(plan: Iterable[Step], cost: float | None = None) -> str:
    """The plan in the notation of the planning competitions, one step a line, with its cost as a comment."""
    lines = [str(step) for step in plan]
    if cost is not None:
        lines.append(f"; cost = {cost:.15g}")
    return "".join(f"{line}\n" for line in lines)


def _read_ipc(source: Source) -> PlanText | None:
    """The short cut for plain files; gives what `read_lines` would, or None where it must be asked."""
    text = lowered(source.text).replace("\r\n", "\n").replace("\r", "\n")
    if not _ONLY_IPC_LINES.fullmatch(text):
        return None
    cost = None
    known: dict[str, tuple[str, ...]] = {}
    lines = [line for line in text.split("\n") if line]
    for line in dict.fromkeys(lines):
        if line[0] == "(":
            words = known[line] = tuple(line[1:-1].split())
            if not words:
                return None
        else:
            found = cost_of_line(line)
            cost = cost if found is None else found
    return PlanText(tuple([known[line] for line in lines if line in known]), (), cost, (), source)
