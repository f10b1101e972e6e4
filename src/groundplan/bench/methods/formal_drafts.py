"""Drafts in the formal language of a set that is not about PDDL."""

from __future__ import annotations

from groundplan.bench.methods import prompts
from groundplan.bench.methods.draft import Draft
from groundplan.bench.methods.meter import Meter
from groundplan.bench.methods.pddl_drafts import shown
from groundplan.bench.methods.protocol import Checked, Formal
from groundplan.bench.sets.task import Task
from groundplan.formalize.roles import read_judgement
from groundplan.models.protocol import Reply
from groundplan.models.reply_text import without_thinking


class FormalDrafts:
    """A draft is the whole reply: the hook finds the formal model in it, and says so where there is none."""

    def __init__(self, task: Task, formal: Formal, meter: Meter) -> None:
        self._task, self._formal, self._meter = task, formal, meter
        self._text, self._language = shown(task, about_pddl=False), formal.formal_prompt(task)

    def first(self, sample: int | None = None) -> Draft:
        return _draft(self._meter.ask(prompts.formal(self._text, self._language), sample))

    def revised(self, draft: Draft, said: str) -> Draft:
        asked = prompts.formal_repair(self._text, self._language, draft.problem, said)
        return _draft(self._meter.ask(asked), draft)

    def judged(self, draft: Draft) -> float | None:
        reply = self._meter.ask(prompts.formal_judgement(self._text, self._language, draft.problem))
        return read_judgement(reply.text).score if reply else None

    def checked(self, draft: Draft) -> Checked:
        return self._meter.solve_formal(self._formal, self._task, draft.problem)


def _draft(reply: Reply | None, present: Draft | None = None) -> Draft:
    text = without_thinking(reply.text).strip() if reply else ""
    fault = "" if text else "the reply is empty"
    return Draft("", text or (present.problem if present else ""), fault, reply)
