"""Reading a domain."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundplan.pddl.ast import OBJECT, TRUE, Action, And, Derived, Domain, Feature, Formula, Signature, TypedName
from groundplan.pddl.diagnostics import Category, Diagnostic, did_you_mean
from groundplan.pddl.findings import Findings
from groundplan.pddl.read_condition import ConditionReader
from groundplan.pddl.read_effect import EffectReader
from groundplan.pddl.read_names import TypedGroup, check_name, read_typed
from groundplan.pddl.read_sections import dispatch, open_definition, read_requirements
from groundplan.pddl.sexpr import Form, Node, Word
from groundplan.pddl.source import Source, Span

_ACTION_PARTS = (":parameters", ":precondition", ":effect")


@dataclass
class DomainText:
    """A domain as it was read, with what the checker needs of its layout."""

    domain: Domain
    type_groups: list[TypedGroup] = field(default_factory=list)
    has_requirements: bool = False


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
        seen = dispatch(sections, readers, self.findings, "domain", repeatable, (":predicates",))
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
        return DomainText(domain, self.groups, ":requirements" in seen)

    def _beyond(self, form: Form, kind: str) -> None:
        self.features.append(Feature(kind, Span(form.start, form.items[0].end)))

    def _requirements(self, form: Form) -> None:
        self.requirements += read_requirements(form, self.findings)

    def _types(self, form: Form) -> None:
        names, groups = read_typed(form.items[1:], self.findings, variables=False, what="type")
        # Declaring `object` itself is common and harmless; it is there anyway.
        self.types += tuple(item for item in names if (item.name, item.types) != (OBJECT, (OBJECT,)))
        self.groups += groups

    def _constants(self, form: Form) -> None:
        self.constants += read_typed(form.items[1:], self.findings, variables=False, what="constant")[0]

    def _predicates(self, form: Form) -> None:
        for item in form.items[1:]:
            signature = self._signature(item, "predicate")
            if signature is not None:
                self.predicates.append(signature)
        self.conditions.predicates = frozenset(predicate.name for predicate in self.predicates)

    def _signature(self, node: Node, what: str) -> Signature | None:
        if isinstance(node, Word):
            self.findings.error(
                "bare-word",
                Category.PREDICATE,
                node.span,
                f"`{node.text}`: a {what} stands in brackets",
                f"write `({node.text})`",
            )
            return None
        head = node.items[0] if node.items else None
        if not isinstance(head, Word) or not check_name(head, self.findings, f"a {what}"):
            if not isinstance(head, Word):
                self.findings.error("missing-name", Category.PREDICATE, node.span, f"a {what} without a name")
            return None
        parameters = read_typed(node.items[1:], self.findings, variables=True, what="parameter")[0]
        return Signature(head.text, parameters, head.span)

    def _functions(self, form: Form) -> None:
        index = 1
        while index < len(form.items):
            item = form.items[index]
            if isinstance(item, Word) and item.text == "-":
                kind = form.items[index + 1] if index + 1 < len(form.items) else None
                if not isinstance(kind, Word):
                    self.findings.error("missing-type", Category.OBJECT, item.span, "no type behind the dash")
                elif kind.text != "number":
                    self.features.append(Feature("object fluent", kind.span))
                index += 2
                continue
            signature = self._signature(item, "function")
            if signature is not None:
                self.functions.append(signature)
            index += 1

    def _action(self, form: Form) -> None:
        name = form.items[1] if len(form.items) > 1 else None
        if not isinstance(name, Word) or name.text.startswith(":"):
            self.findings.error(
                "missing-name", Category.PREDICATE, form.span, "an action without a name", "write `(:action name ...)`"
            )
            return
        check_name(name, self.findings, "an action")
        parts = self._parts(form, name.text)
        self.actions.append(
            Action(
                name.text,
                self._parameters(name, parts),
                self._condition(parts.get(":precondition"), name.text),
                *self._effects(name, parts),
                span=name.span,
                body_span=form.span,
            )
        )

    def _parts(self, form: Form, action: str) -> dict[str, list[Node]]:
        """The keyword parts of an action; a misspelt keyword is reported and still read."""
        parts: dict[str, list[Node]] = {}
        current: list[Node] | None = None
        for item in form.items[2:]:
            if isinstance(item, Word) and item.text.startswith(":"):
                key = self._part_key(item, action)
                if key in parts:
                    self.findings.error(
                        "duplicate-part",
                        Category.SYNTAX,
                        item.span,
                        f"a second `{key}` in action `{action}`",
                        "join the two",
                    )
                current = parts.setdefault(key, [])
            elif current is None:
                self.findings.error(
                    "stray-form" if isinstance(item, Form) else "stray-word",
                    Category.SYNTAX,
                    item.span,
                    f"a keyword is wanted here in action `{action}`",
                    "`:parameters`, `:precondition` or `:effect`",
                )
            else:
                current.append(item)
        return parts

    def _part_key(self, word: Word, action: str) -> str:
        if word.text in _ACTION_PARTS:
            return word.text
        meant = did_you_mean(word.text, _ACTION_PARTS)
        self.findings.error(
            "unknown-keyword",
            Category.SYNTAX,
            word.span,
            f"unknown keyword `{word.text}` in action `{action}`",
            meant or "an action has `:parameters`, `:precondition` and `:effect`",
        )
        return meant.split("`")[1] if meant else word.text

    def _parameters(self, name: Word, parts: dict[str, list[Node]]) -> tuple[TypedName, ...]:
        nodes = parts.get(":parameters")
        if nodes is None:
            self.findings.warn(
                "missing-parameters",
                Category.PREDICATE,
                name.span,
                f"action `{name.text}` has no `:parameters`; read as `()`",
                "write `:parameters ()`",
            )
            return ()
        if len(nodes) == 1 and isinstance(nodes[0], Form):
            return read_typed(nodes[0].items, self.findings, variables=True, what="parameter")[0]
        self.findings.error(
            "bad-parameters",
            Category.PREDICATE,
            nodes[0].span if nodes else name.span,
            f"`:parameters` of action `{name.text}` wants one list in brackets",
            "write `:parameters (?x - type ...)`",
        )
        words = [node for node in nodes if isinstance(node, Word)]
        return read_typed(words, self.findings, variables=True, what="parameter")[0]

    def _condition(self, nodes: list[Node] | None, action: str) -> Formula:
        where = f"the precondition of `{action}`"
        if nodes is None:
            return TRUE
        if len(nodes) == 1:
            return self.conditions.read(nodes[0], where)
        self._several(nodes, where, ":precondition")
        return And(tuple(self.conditions.read(node, where) for node in nodes))

    def _several(self, nodes: list[Node], where: str, keyword: str) -> None:
        if not nodes:
            self.findings.error(
                "missing-part", Category.CONDITION, Span(0, 0), f"nothing behind `{keyword}`, in {where}", "write `()`"
            )
        else:
            self.findings.error(
                "missing-operator",
                Category.SYNTAX,
                nodes[1].span,
                f"{len(nodes)} parts behind `{keyword}` where one is wanted, in {where}",
                "join them by `(and ...)`",
            )

    def _effects(self, name: Word, parts: dict[str, list[Node]]) -> tuple[tuple, tuple]:  # type: ignore[type-arg]
        where = f"the effect of `{name.text}`"
        nodes = parts.get(":effect")
        if nodes is None:
            self.findings.warn(
                "missing-effect",
                Category.CONDITION,
                name.span,
                f"action `{name.text}` has no `:effect`; it changes nothing",
                "write `:effect (and ...)`",
            )
            return (), ()
        if len(nodes) != 1:
            self._several(nodes, where, ":effect")
        reader = EffectReader(self.conditions, where)
        for node in nodes:
            reader.read(node)
        return tuple(reader.effects), tuple(reader.numeric)

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
