"""Reading a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundplan.pddl.ast import OBJECT, Action, Derived, Domain, Feature, Signature, TypedName
from groundplan.pddl.diagnostics import Category, Diagnostic
from groundplan.pddl.findings import Findings
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.read_action import read_action
from groundplan.pddl.read_condition import ConditionReader
from groundplan.pddl.read_names import TypedGroup, check_name, read_typed
from groundplan.pddl.read_sections import dispatch, open_definition, read_requirements
from groundplan.pddl.source import Source, Span

RESERVED = frozenset("and or not imply forall exists when increase".split())
"""Words that mean something else wherever a predicate may stand; all other names are free."""


@dataclass
class DomainText:
    """A domain as it was read, with what the checker needs of its layout."""

    domain: Domain
    type_groups: list[TypedGroup] = field(default_factory=list)
    requirements_span: Span | None = None


def read_domain_text(source: Source) -> tuple[DomainText | None, list[Diagnostic]]:
    """Read a domain, going on behind errors. None when the text is no domain at all."""
    findings = Findings(source)
    opened = open_definition(findings, "domain")
    if opened is None:
        return None, findings.diagnostics
    name, sections = opened
    return _DomainReader(findings).read(name, sections), findings.diagnostics


class _DomainReader:
    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.features: list[Feature] = []
        self.requirements: tuple[str, ...] = ()
        self.types: tuple[TypedName, ...] = ()
        self.groups: list[TypedGroup] = []
        self.constants: tuple[TypedName, ...] = ()
        self.predicates: list[Signature] = []
        self.functions: list[Signature] = []
        self.actions: list[Action] = []
        self.derived: list[Derived] = []
        self.requirements_span: Span | None = None
        self.conditions = ConditionReader(findings, frozenset(), self.features)

    def read(self, name: str, sections: list[Form]) -> DomainText:
        readers = {
            ":requirements": self._requirements,
            ":types": self._types,
            ":constants": self._constants,
            ":predicates": self._predicates,
            ":functions": self._functions,
            ":action": self._action,
            ":derived": self._derived,
            ":durative-action": lambda form: self._beyond(form, "durative action"),
            ":process": lambda form: self._beyond(form, "process"),
            ":event": lambda form: self._beyond(form, "event"),
            ":constraints": lambda form: self._beyond(form, "trajectory constraint"),
        }
        repeatable = (":action", ":derived", ":durative-action", ":process", ":event")
        dispatch(sections, readers, self.findings, "domain", repeatable, (":predicates",))
        domain = Domain(
            name,
            self.requirements,
            self.types,
            self.constants,
            tuple(self.predicates),
            tuple(self.functions),
            tuple(self.actions),
            tuple(self.derived),
            tuple(self.features),
            self.findings.source,
        )
        return DomainText(domain, self.groups, self.requirements_span)

    def _beyond(self, form: Form, kind: str) -> None:
        self.features.append(Feature(kind, Span(form.start, form.items[0].end)))

    def _requirements(self, form: Form) -> None:
        self.requirements += read_requirements(form, self.findings)
        self.requirements_span = form.span

    def _types(self, form: Form) -> None:
        names, groups = read_typed(form.items[1:], self.findings, variables=False, what="type")
        for item in names:
            if item.name == "number":
                message = "`number` is the type of functions and cannot name a type of objects"
                self.findings.error("reserved-name", Category.PREDICATE, item.span, message, "write `quantity`, say")
        # Declaring `object` itself is common and harmless; it is there anyway.
        self.types += tuple(item for item in names if (item.name, item.types) != (OBJECT, (OBJECT,)))
        self.groups += groups

    def _constants(self, form: Form) -> None:
        self.constants += read_typed(form.items[1:], self.findings, variables=False, what="constant")[0]

    def _predicates(self, form: Form) -> None:
        self.predicates += self._signatures(form.items[1:], "predicate")
        self.conditions.predicates = frozenset(predicate.name for predicate in self.predicates)

    def _signatures(self, nodes: Sequence[Node], what: str) -> list[Signature]:
        """Signatures one after another, and those inside another one that lacks its closing bracket."""
        found = []
        for node in self._in_brackets(nodes, what):
            signature = self._signature(node, what)
            if signature is not None:
                found.append(signature)
            inner = [item for item in node.items[1:] if isinstance(item, Form) and item.head != "either"]
            found += self._signatures(inner, what)
        return found

    def _in_brackets(self, nodes: Sequence[Node], what: str) -> list[Form]:
        """The forms among `nodes`; a run of words between them is reported once."""
        words: list[Word] = []
        for node in (*nodes, None):
            if isinstance(node, Word):
                words.append(node)
            elif words:
                text = " ".join(word.text for word in words)
                message, hint = f"`{text}`: a {what} stands in brackets", f"write `({text})`"
                span = Span(words[0].start, words[-1].end)
                self.findings.error("bare-word", Category.SYNTAX, span, message, hint)
                words = []
        return [node for node in nodes if isinstance(node, Form)]

    def _signature(self, form: Form, what: str) -> Signature | None:
        head = form.items[0] if form.items else None
        if not isinstance(head, Word):
            message, hint = f"a {what} without a name", f"write `({what}-name ?x - type)`"
            self.findings.error("missing-name", Category.SYNTAX, form.span, message, hint)
            return None
        if head.text in RESERVED and what == "predicate":
            message, hint = (
                f"`{head.text}` is a word of PDDL and cannot name a predicate",
                f"write `is-{head.text}`, say",
            )
            self.findings.error("reserved-name", Category.PREDICATE, head.span, message, hint)
            return None
        if head.text == "=" and what == "predicate":
            message = "`=` is built in and needs no declaration"
            self.findings.warn("predeclared", Category.PREDICATE, head.span, message, "delete it")
            return None
        check_name(head, self.findings, what)
        parameters = read_typed(form.items[1:], self.findings, variables=True, what="parameter")[0]
        return Signature(head.text, parameters, head.span)

    def _functions(self, form: Form) -> None:
        index = 1
        while index < len(form.items):
            item = form.items[index]
            if isinstance(item, Word) and item.text == "-":
                kind = form.items[index + 1] if index + 1 < len(form.items) else None
                if not isinstance(kind, Word):
                    message = "no type behind the dash"
                    self.findings.error("missing-type", Category.OBJECT, item.span, message, "write `- number`")
                elif kind.text != "number":
                    self.features.append(Feature("object fluent", kind.span))
                index += 2
                continue
            self.functions += self._signatures((item,), "function")
            index += 1

    def _action(self, form: Form) -> None:
        action = read_action(form, self.conditions)
        if action is not None:
            self.actions.append(action)

    def _derived(self, form: Form) -> None:
        if len(form.items) != 3 or not isinstance(form.items[1], Form):
            self.findings.error(
                "wrong-part-count",
                Category.SYNTAX,
                form.span,
                "`:derived` takes a predicate with its variables and one condition",
                "write `(:derived (predicate ?x - type) condition)`",
            )
            return
        head = self._signature(form.items[1], "predicate")
        if head is not None:
            condition = self.conditions.read(form.items[2], f"the definition of `{head.name}`")
            self.derived.append(Derived(head, condition, form.span))
