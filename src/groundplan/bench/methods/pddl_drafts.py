"""Drafts in PDDL: with the roles of formalization, or by plain prompting with an example."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.bench.methods import prompts
from groundplan.bench.methods.draft import Draft
from groundplan.bench.methods.meter import Meter
from groundplan.bench.methods.protocol import Checked, Context
from groundplan.bench.sets.task import Task
from groundplan.formalize import prompts as role_prompts
from groundplan.formalize.extract import extract, no_answer
from groundplan.formalize.roles import read_judgement
from groundplan.formalize.specification import Specification
from groundplan.models.protocol import Message, Reply


def shown(task: Task, *, about_pddl: bool = True) -> str:
    """What a method is shown of a task. For planning tasks the rules in words only where no PDDL domain is given, which
    prompts show by themselves; for others all that there is."""
    if about_pddl:
        return "\n\n".join(filter(None, ("" if task.domain else task.rules.strip(), task.text.strip())))
    return "\n\n".join(filter(None, (task.rules.strip(), task.domain.strip(), task.text.strip())))


def draft_of(reply: Reply | None, given: str, present: Draft | None = None) -> Draft:
    """The specification in a reply; a given domain is kept, and so are parts of `present` that the reply lacks."""
    text = reply.text if reply else ""
    found = extract(text)
    domain = given or found.domain or (present.domain if present else "")
    problem = found.problem or (present.problem if present else "")
    missing = "PDDL" if found.empty else "" if domain and problem else "problem" if domain else "domain"
    return Draft(domain, problem, no_answer(text, missing).as_compact() if missing else "", reply)


class RoleDrafts:
    """Actor, Editor and Judge, with their own prompts (formalize/prompts.py); the contexts of section 3.2."""

    def __init__(self, task: Task, context: Context, meter: Meter) -> None:
        self._text, self._given, self._meter = shown(task), task.domain, meter

    def first(self, sample: int | None = None) -> Draft:
        return draft_of(self._meter.ask(role_prompts.actor(self._text, self._given), sample), self._given)

    def revised(self, draft: Draft, said: str) -> Draft:
        present = Specification(draft.domain, draft.problem)
        asked = role_prompts.editor(self._text, present, said, bool(self._given))
        return draft_of(self._meter.ask(asked), self._given, draft)

    def judged(self, draft: Draft) -> float | None:
        asked = role_prompts.judge(self._text, Specification(draft.domain, draft.problem))
        reply = self._meter.ask(asked)
        return read_judgement(reply.text).score if reply else None

    def checked(self, draft: Draft) -> Checked:
        return self._meter.solve(Specification(draft.domain, draft.problem))


class PlainDrafts(RoleDrafts):
    """The same by prompting alone: one conversation, in which the model sees its own last PDDL (section H.3)."""

    def __init__(self, task: Task, context: Context, meter: Meter) -> None:
        super().__init__(task, context, meter)
        self._asked: Sequence[Message] = prompts.formalization(self._text, self._given)

    def first(self, sample: int | None = None) -> Draft:
        return draft_of(self._meter.ask(self._asked, sample), self._given)

    def revised(self, draft: Draft, said: str) -> Draft:
        before = draft.reply.text if draft.reply else ""
        asked = prompts.refinement(self._asked, before, said, self._given)
        return draft_of(self._meter.ask(asked), self._given, draft)
