"""A small right task, and a way to put faults into it and to say where they must be found."""

from __future__ import annotations

from dataclasses import dataclass

from groundplan.pddl import CheckResult, Diagnostic, Severity, Source, check_sources
from own_tasks import GREENHOUSE

DOMAIN, PROBLEM = GREENHOUSE
MARK = "§"
"""Stands in a changed text where a finding is expected; it is taken out before the text is read."""


@dataclass(frozen=True)
class Changed:
    """The greenhouse task with a change in its domain or its problem, and the places that were marked in it."""

    domain: str = DOMAIN
    problem: str = PROBLEM

    def result(self) -> CheckResult:
        return check_sources(
            Source(self.domain.replace(MARK, ""), "domain"), Source(self.problem.replace(MARK, ""), "problem")
        )

    @property
    def marked(self) -> list[tuple[str, int, int]]:
        """File, line and column of every mark."""
        places = []
        for name, text in (("domain", self.domain), ("problem", self.problem)):
            parts = text.split(MARK)
            plain = Source("".join(parts))
            offset = 0
            for part in parts[:-1]:
                offset += len(part)
                places.append((name, *plain.position(offset)))
        return places


def in_domain(old: str, new: str) -> Changed:
    assert DOMAIN.count(old) == 1, f"{old!r} must stand once in the domain"
    return Changed(domain=DOMAIN.replace(old, new))


def in_problem(old: str, new: str) -> Changed:
    assert PROBLEM.count(old) == 1, f"{old!r} must stand once in the problem"
    return Changed(problem=PROBLEM.replace(old, new))


def errors(result: CheckResult) -> list[Diagnostic]:
    return [found for found in result.diagnostics if found.severity is Severity.ERROR]


def warnings(result: CheckResult) -> list[Diagnostic]:
    return [found for found in result.diagnostics if found.severity is Severity.WARNING]


def place(found: Diagnostic) -> tuple[str, int, int]:
    return (found.source.name, found.line, found.column)


def assert_found(found: list[Diagnostic], changed: Changed, codes: str, hint: str) -> None:
    """Exactly these codes at exactly the marked places, each with a way out, `hint` being in one of the texts."""
    shown = "\n".join(item.as_text() for item in found)
    assert [item.code for item in found] == codes.split(), shown
    assert [place(item) for item in found] == changed.marked, shown
    assert all(item.hint for item in found), shown
    assert any(hint in f"{item.message} {item.hint}" for item in found), shown
