"""The sections of a definition: `(define (domain d) (:section ...) ...)`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from groundplan.pddl.diagnostics import Category, did_you_mean
from groundplan.pddl.findings import Findings
from groundplan.pddl.sexpr import Form, Word, read_definition
from groundplan.pddl.source import Span

REQUIREMENTS = frozenset(
    (
        ":strips :typing :negative-preconditions :disjunctive-preconditions :equality "
        ":existential-preconditions :universal-preconditions :quantified-preconditions :conditional-effects "
        ":fluents :numeric-fluents :object-fluents :adl :durative-actions :duration-inequalities "
        ":continuous-effects :derived-predicates :timed-initial-literals :preferences :constraints "
        ":action-costs :goal-utilities :domain-axioms :non-deterministic :probabilistic-effects :multi-agent "
        ":factored-privacy :unfactored-privacy :time :hierarchy :method-preconditions :rewards :mdp "
        ":safety-constraints :expression-evaluation :open-world :true-negation :ucpop :dag-expansions "
        ":foreach-expansions :subgoals-through-axioms :disjunctive-effects :supply-demand :processes :events "
        ":htn :partial-observability"
    ).split()
)

SectionReader = Callable[[Form], None]


def open_definition(findings: Findings, kind: str) -> tuple[str, list[Form]] | None:
    """Read `(define (KIND name) section...)`. Returns the name and the sections, or None when it is no such thing."""
    root = read_definition(findings.source, findings)
    if root is None:
        return None
    title = root.items[1] if len(root.items) > 1 else None
    found = title.head if isinstance(title, Form) else ""
    if not isinstance(title, Form) or found not in ("domain", "problem"):
        span = title.span if title is not None else root.span
        findings.error(
            "bad-title",
            Category.SYNTAX,
            span,
            f"`({kind} name)` is wanted behind `define`",
            did_you_mean(found, (kind,)),
        )
        return None
    if found != kind:
        findings.error(
            "wrong-kind",
            Category.SYNTAX,
            title.span,
            f"this is a {found}, a {kind} is wanted here",
            "the domain comes first, then the problem",
        )
        return None
    return _name_of(title, findings, kind), _sections(root, findings)


def _name_of(title: Form, findings: Findings, kind: str) -> str:
    name = title.items[1] if len(title.items) > 1 else None
    if not isinstance(name, Word):
        findings.error(
            "missing-name", Category.SYNTAX, title.span, f"the {kind} has no name", f"write `({kind} some-name)`"
        )
        return ""
    if len(title.items) > 2:
        findings.error(
            "bad-title",
            Category.SYNTAX,
            title.items[2].span,
            f"one name is wanted in `({kind} ...)`",
            "join words by dashes",
        )
    return name.text


def _sections(root: Form, findings: Findings) -> list[Form]:
    sections = []
    for item in root.items[2:]:
        if isinstance(item, Word):
            findings.error(
                "stray-word",
                Category.SYNTAX,
                item.span,
                f"`{item.text}` stands between the sections",
                "a section stands in brackets: `(:section ...)`",
            )
        elif not item.head.startswith(":"):
            if item.closed or item.items:
                findings.error(
                    "stray-form",
                    Category.SYNTAX,
                    Span(item.start, item.end),
                    f"`({item.head} ...` is no section; sections start with a colon",
                    did_you_mean(":" + item.head, KNOWN_SECTIONS) if item.head else "",
                )
        else:
            sections.append(item)
    return sections


KNOWN_SECTIONS = (
    ":requirements :types :constants :predicates :functions :action :derived :durative-action "
    ":constraints :domain :objects :init :goal :metric"
).split()


def dispatch(
    sections: list[Form],
    readers: Mapping[str, SectionReader],
    findings: Findings,
    kind: str,
    repeatable: Collection[str],
    first: Collection[str],
) -> frozenset[str]:
    """Give every section to its reader, those named in `first` before all others (sections may come in any order).

    Returns the sections seen.
    """
    seen: dict[str, Form] = {}
    ordered = [form for name in first for form in sections if form.head == name]
    ordered += [form for form in sections if form.head not in first]
    for form in ordered:
        head = form.head
        reader = readers.get(head)
        if reader is None:
            findings.error(
                "unknown-section",
                Category.SYNTAX,
                form.items[0].span,
                f"a {kind} has no section `{head}`",
                did_you_mean(head, readers),
            )
            continue
        if head in seen and head not in repeatable:
            findings.warn(
                "duplicate-section",
                Category.SYNTAX,
                form.items[0].span,
                f"a second `{head}` section; read as if it were one with the first",
                "join the two",
                ("the first one", seen[head].items[0].span, findings.source),
            )
        seen.setdefault(head, form)
        reader(form)
    return frozenset(seen)


def read_requirements(form: Form, findings: Findings) -> tuple[str, ...]:
    names = []
    for item in form.items[1:]:
        if isinstance(item, Form):
            findings.error("bracket-in-list", Category.SYNTAX, item.span, "a bracket inside `:requirements`")
        elif item.text not in REQUIREMENTS:
            hint = did_you_mean(item.text, REQUIREMENTS) or f"known ones are {' '.join(sorted(REQUIREMENTS)[:6])} ..."
            findings.error(
                "unknown-requirement", Category.PREDICATE, item.span, f"unknown requirement `{item.text}`", hint
            )
        else:
            names.append(item.text)
    return tuple(dict.fromkeys(names))
