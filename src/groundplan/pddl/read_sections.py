"""The sections of a definition: `(define (domain d) (:section ...) ...)`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches

from groundplan.pddl.brackets import SECTIONS
from groundplan.pddl.diagnostics import Category, listing
from groundplan.pddl.findings import Findings
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.sexpr import read_definition
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

_REQUIREMENTS_HINT = (
    "drop it; usual ones are :strips :typing :negative-preconditions :equality :disjunctive-preconditions "
    ":quantified-preconditions :conditional-effects :adl :derived-predicates :action-costs"
)

_SINGLE = frozenset((":domain", ":goal", ":metric"))

SectionReader = Callable[[Form], None]


def open_definition(findings: Findings, kind: str) -> tuple[str, list[Form]] | None:
    """Read `(define (KIND name) section...)`. Returns the name and the sections, or None when it is no such thing."""
    root = read_definition(findings.source, findings)
    if root is None:
        return None
    title = root.items[1] if len(root.items) > 1 else None
    found = title.head if isinstance(title, Form) else ""
    if not isinstance(title, Form) or found not in ("domain", "problem"):
        return _untitled(root, findings, kind)
    if found != kind:
        findings.error(
            "wrong-kind",
            Category.SYNTAX,
            title.span,
            f"this is a {found}, a {kind} is wanted here",
            "the domain comes first, then the problem",
        )
        return None
    return _name_of(title, findings, kind), _sections(root.items[2:], findings)


def _untitled(root: Form, findings: Findings, kind: str) -> tuple[str, list[Form]] | None:
    """A definition without a right title: reported, and read as one of this kind if it has sections."""
    items = root.items[1:]
    if root.closed or items:
        span = items[0].span if items else root.span
        hint = f"write `(define ({kind} some-name) ...`"
        findings.error("bad-title", Category.SYNTAX, span, f"`({kind} name)` is wanted behind `define`", hint)
    first = next((i for i, item in enumerate(items) if isinstance(item, Form) and item.head.startswith(":")), None)
    return None if first is None else ("", _sections(items[first:], findings))


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


def _sections(items: list[Node], findings: Findings) -> list[Form]:
    sections = []
    stray: list[Node] = []
    for item in items:
        if isinstance(item, Form) and (item.head.startswith(":") or _add_colon(item, findings)):
            sections.append(item)
            _report_stray(stray, findings)
            stray = []
        elif isinstance(item, Word) or item.closed or item.items:
            stray.append(item)
    _report_stray(stray, findings)
    return sections


def _add_colon(form: Form, findings: Findings) -> bool:
    """`(objects a b)` is a section without its colon: reported, and read as the section."""
    head = form.items[0] if form.items else None
    if not isinstance(head, Word) or ":" + head.text not in SECTIONS:
        return False
    message = f"the section `{head.text}` lacks its colon"
    findings.error("stray-form", Category.SYNTAX, head.span, message, f"write `(:{head.text} ...)`")
    form.items[0] = Word(":" + head.text, head.start, head.end)
    return True


def _report_stray(items: list[Node], findings: Findings) -> None:
    """Report words and forms between the sections; a run of them once."""
    if not items:
        return
    first = items[0]
    span = Span(first.start, items[-1].end)
    if isinstance(first, Word):
        shown = " ".join(item.text for item in items[:6] if isinstance(item, Word))
        message = f"`{shown}` stands between the sections"
        hint = "a section stands in brackets, `(:section ...)`; a comment starts with `;`"
        findings.error("stray-word", Category.SYNTAX, span, message, hint)
    else:
        message = f"`({first.head} ...)` stands between the sections"
        hint = "move it into the section that it belongs to; a section starts with a colon: `(:section ...)`"
        findings.error("stray-form", Category.SYNTAX, span, message, hint)


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
            head = _meant(head, readers, findings, form, kind)
            reader = readers.get(head)
        if reader is None:
            continue
        if head in seen and head not in repeatable:
            _again(form, head, seen[head], findings)
        seen.setdefault(head, form)
        reader(form)
    return frozenset(seen)


_OTHER_NAMES = {
    ":operator": ":action",
    ":operators": ":action",
    ":axiom": ":derived",
    ":initial-state": ":init",
    ":initial": ":init",
    ":start": ":init",
    ":goal-state": ":goal",
    ":final": ":goal",
    ":relations": ":predicates",
}


def _meant(head: str, readers: Iterable[str], findings: Findings, form: Form, kind: str) -> str:
    """Report an unknown section. Returns the name of the section that was meant, if it can be told, or its own."""
    known = list(readers)
    other = _OTHER_NAMES.get(head, "")
    close = [other] if other in known else [] if findings.full else get_close_matches(head, known, 1, 0.75)
    hint = f"did you mean `{close[0]}`?" if close else f"a {kind} has {listing(known, 12)}"
    message = f"a {kind} has no section `{head}`"
    if head in SECTIONS:
        where = "problem" if kind == "domain" else "domain"
        message, hint = f"`{head}` belongs into the {where}, not into the {kind}", f"move it into the {where}"
        close = []
    findings.error("unknown-section", Category.SYNTAX, form.items[0].span, message, hint)
    return close[0] if close else head


def _again(form: Form, head: str, first: Form, findings: Findings) -> None:
    span, related = form.items[0].span, ("the first one", first.items[0].span, findings.source)
    if head in _SINGLE:
        message = f"a second `{head}` section; which of the two counts?"
        findings.error("repeated-section", Category.SYNTAX, span, message, "keep one, or join the two", related)
    else:
        message = f"a second `{head}` section; read as if it were one with the first"
        findings.warn("duplicate-section", Category.SYNTAX, span, message, "join the two", related)


def read_requirements(form: Form, findings: Findings) -> tuple[str, ...]:
    names = []
    for item in form.items[1:]:
        if isinstance(item, Form):
            message = "a bracket inside `:requirements`"
            hint = "is a closing bracket missing before it? Names stand one after another"
            findings.error("bracket-in-list", Category.SYNTAX, item.span, message, hint)
        elif item.text not in REQUIREMENTS:
            if not findings.is_first("unknown-requirement", item.text):
                continue
            hint = findings.meant(item.text, REQUIREMENTS, "requirement") or _REQUIREMENTS_HINT
            findings.error(
                "unknown-requirement", Category.PREDICATE, item.span, f"unknown requirement `{item.text}`", hint
            )
        else:
            names.append(item.text)
    return tuple(dict.fromkeys(names))
