"""Results to report on, and readers for the page that comes of them."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

from groundplan.formalize.specification import Judgement, Result, Round, Signal, Specification, Verification
from groundplan.pddl.ast import Plan, Step, Task
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.read import task_from_text
from groundplan.pddl.source import Source, Span
from groundplan.solve.outcome import Limit, Outcome, Status

DOMAIN = """; rooms and a robot
(define (domain rooms)
  (:requirements :strips :typing)
  (:types room)
  (:predicates (at ?r - room) (door ?a ?b - room) (lit ?r - room) (seen ?r - room))
  (:action move
    :parameters (?a ?b - room)
    :precondition (and (at ?a) (door ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (seen ?b)))
  (:action switch-off
    :parameters (?r - room)
    :precondition (and (at ?r) (lit ?r))
    :effect (not (lit ?r))))
"""
PROBLEM = """(define (problem evening)
  (:domain rooms)
  (:objects hall kitchen attic - room)
  (:init (at hall) (lit hall) (lit kitchen) (door hall kitchen) (door kitchen hall))
  (:goal (and (at hall) (seen kitchen) (not (lit kitchen)) (forall (?r - room) (imply (seen ?r) (not (lit ?r)))))))
"""
PLAN = (
    Step("move", ("hall", "kitchen")),
    Step("switch-off", ("kitchen",)),
    Step("move", ("kitchen", "hall")),
    Step("switch-off", ("hall",)),
)
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \"'`&amp; <!-- ]]> \u202e\x00\ud800"
VOID = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """Reads a page and refuses what no report may hold: open elements, doubled ids, handlers, foreign addresses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.scripts: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open
        assert len(self.ids) == len(set(self.ids))
        assert {link[1:] for link in self.links} <= set(self.ids)
        assert self.headings[0] == 1
        assert self.headings.count(1) == 1
        assert all(deeper <= level + 1 for level, deeper in pairwise(self.headings))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert len(found) == len(attrs)
        assert not {name for name in found if name.startswith("on") or name in ("src", "style", "action", "srcset")}
        if tag not in VOID:
            self._open.append(tag)
        if tag == "script":
            self.scripts.append("")
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if "id" in found:
            self.ids.append(found["id"] or "")
        if tag == "link":
            assert found == {"rel": "icon", "href": "data:,"}
        elif "href" in found:
            assert tag == "a"
            assert (found["href"] or "").startswith("#")
            self.links.append(found["href"] or "")
        self.elements.append((tag, found))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("path", "circle")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts[-1] += data

    @property
    def tags(self) -> set[str]:
        return {tag for tag, _ in self.elements}


class Text(HTMLParser):
    """The text of some HTML; that of elements with the class `wanted` is kept apart."""

    def __init__(self, html: str, wanted: str = "", without: str = "") -> None:
        super().__init__()
        self.text = ""
        self.parts: list[str] = []
        self._wanted, self._without = wanted, without
        self._depths: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = (dict(attrs).get("class") or "").split()
        inside = "wanted" if self._wanted in names else "without" if self._without in names else ""
        if inside == "wanted":
            self.parts.append("")
        if tag not in VOID:
            self._depths.append(inside)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        self._depths.pop()

    def handle_data(self, data: str) -> None:
        if "without" not in self._depths:
            self.text += data
        if "wanted" in self._depths:
            self.parts[-1] += data


def verified(task: Task, plan: Plan, found: tuple[Diagnostic, ...] = (), measure: str = "steps") -> Verification:
    outcome = Outcome(
        Status.SOLVED, "own-engine", plan, float(len(plan)), measure, seconds=0.25, reason="found by search"
    )
    return Verification(True, found, task, outcome, outcome.reason)


def result_of(domain: str = DOMAIN, problem: str = PROBLEM, plan: Plan = PLAN, text: str = "Go home.") -> Result:
    round_ = Round("actor", Specification(domain, problem), verified(task_from_text(domain, problem), plan))
    return Result(text, Status.SOLVED, "a plan was found", (round_,), model="some-model", model_calls=2, tokens=1234)


def finding(
    text: str, words: str, name: str = "domain", severity: Severity = Severity.ERROR, **more: object
) -> Diagnostic:
    start = text.index(words)
    span = Span(start, start + len(words))
    return Diagnostic("some-code", Category.SYNTAX, severity, f"bad `{words}`", span, Source(text, name), **more)  # type: ignore[arg-type]


def example() -> Result:
    """A run of three rounds with all that a report can show."""
    broken = DOMAIN.replace("(seen ?b)", "(see ?b)")
    related = (("declared here", Span(broken.index("(seen"), 0), Source(broken, "domain")),)
    errors = (
        finding(broken, "(see ?b)", hint="did you mean `seen`?", related=related),
        Diagnostic("elsewhere", Category.SEARCH, Severity.INFO, "no place"),
    )
    refused = Verification(False, errors, reason="the PDDL is refused")
    lost = PROBLEM.replace("(lit kitchen) ", "")
    gone = Outcome(Status.NOT_FOUND, "own-engine", reason="60 s are over", limit=Limit.WALL, log="gave up")
    unfound = Verification(False, (finding(lost, "(:goal", "problem", Severity.WARNING),), None, gone, gone.reason)
    final = result_of(text="From the hall, see the kitchen; its light must be off.")
    return replace(
        final,
        rounds=(
            Round("actor", Specification(broken, lost), refused, ("the reply holds two versions",)),
            Round("editor", Specification(DOMAIN, lost), unfound),
            replace(final.rounds[0], role="editor"),
        ),
        signals=(
            Signal("count", "info", "one room more", ("the kitchen", "attic")),
            Signal("goal", "error", "the goal asks for `hall`", ("hall", "(at hall)")),
        ),
        judgement=Judgement(0.75, ("All rooms are there.",)),
        cost_usd=0.0123,
        seconds=130.0,
    )


def plan_data(html: str) -> dict[str, list]:  # type: ignore[type-arg]
    return json.loads(Page(html).scripts[0])  # type: ignore[no-any-return]
