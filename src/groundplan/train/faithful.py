"""Whether what was written for a given domain is the reference task, named objects by their names."""

from __future__ import annotations

from groundplan.errors import InputError
from groundplan.pddl.compare import Equivalence, compare_tasks
from groundplan.pddl.read import task_from_text
from groundplan.train.domain_form import DomainForm
from groundplan.train.problem_form import ProblemForm, form_of, problem_pddl
from groundplan.train.texts.written import WrittenTask

SECONDS = 3.0
"""For one comparison; equal domains make it short."""


def reference_form(task: WrittenTask, domain: DomainForm) -> ProblemForm:
    return form_of(task_from_text(task.domain_pddl, task.problem).problem, domain)


def exact(reference: ProblemForm, written: ProblemForm) -> bool:
    """The same objects of the same kinds, the same facts and the same goal, in whatever order."""
    parts = ("objects", "init", "goal")
    return all(set(getattr(reference, part)) == set(getattr(written, part)) for part in parts)


def faithful(task: WrittenTask, domain: DomainForm, written: ProblemForm) -> bool:
    """Exact, or proved equal: bisimilar under the names of the text (see groundplan.pddl.compare)."""
    reference = reference_form(task, domain)
    if exact(reference, written):
        return True
    if {name for name, _ in reference.objects} != {name for name, _ in written.objects}:
        return False
    try:
        other = task_from_text(task.domain_pddl, problem_pddl(written, domain))
        found = compare_tasks(task_from_text(task.domain_pddl, task.problem), other, seconds=SECONDS, probes=False)
    except InputError:
        return False
    return found.verdict is Equivalence.PROVED
