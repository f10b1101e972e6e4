"""The environment E of Eq. 1 for problems in short form over a given domain, through the pool of engines."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from groundplan.formalize.specification import Specification, Verification
from groundplan.formalize.verify import engine_at_fault, verify
from groundplan.solve.outcome import Engine, Limits, Status
from groundplan.train.domain_form import DomainForm
from groundplan.train.problem_form import NotInForm, ProblemForm, problem_pddl, read_form


@dataclass(frozen=True, slots=True)
class Answer:
    """(b, d) = E(y): `solved` with the guard against empty plans, `executable` without it, diagnostics in one line.

    `engine_fault` says that the engine broke, so that the label means nothing (it is kept out of training).
    """

    solved: bool
    executable: bool
    diagnostics: str
    engine_fault: str = ""


def form_or_none(text: str) -> ProblemForm | None:
    """The problem that a reply holds; None where it holds none."""
    try:
        return read_form(text)
    except NotInForm:
        return None


class Environment:
    """Checks and solves; answers are remembered by text, since samples repeat themselves."""

    def __init__(self, engine: Engine, limits: Limits, workers: int = 2) -> None:
        self.engine, self.limits, self.workers = engine, limits, workers
        self.calls = 0
        self._known: dict[tuple[str, str], Answer] = {}

    def answers(self, asked: Sequence[tuple[str, DomainForm, str]]) -> list[Answer]:
        """One answer for each (domain PDDL, its form, written text), side by side; never raises for what is written."""
        new = list(dict.fromkeys((domain, text) for domain, _, text in asked if (domain, text) not in self._known))
        forms = {(domain, text): form for domain, form, text in asked}
        self.calls += len(asked)
        with ThreadPoolExecutor(self.workers) as threads:
            found = list(threads.map(lambda key: self._answer(key[0], forms[key], key[1]), new))
        fresh = dict(zip(new, found, strict=True))
        self._known.update({key: answer for key, answer in fresh.items() if not answer.engine_fault})
        return [fresh.get((domain, text)) or self._known[domain, text] for domain, _, text in asked]

    def _answer(self, domain: str, form: DomainForm, text: str) -> Answer:
        try:
            problem = problem_pddl(read_form(text), form)
        except NotInForm as error:
            return Answer(False, False, f"not readable: {error}")
        return _from(verify(Specification(domain, problem), self.engine, self.limits))


def _from(verification: Verification) -> Answer:
    outcome = verification.outcome
    executable = outcome is not None and outcome.status is Status.SOLVED
    errors = [found.message for found in verification.diagnostics if found.is_error]
    fault = (outcome.reason if outcome else "") if engine_at_fault(verification) else ""
    return Answer(verification.solved, executable, "; ".join(errors[:3]) or verification.reason, fault)
