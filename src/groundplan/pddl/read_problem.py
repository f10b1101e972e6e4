"""Reading a problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.pddl.ast import (
    TRUE,
    And,
    Atom,
    Domain,
    Feature,
    Formula,
    FunctionValue,
    Metric,
    Problem,
    TypedName,
)
from groundplan.pddl.diagnostics import Category, Diagnostic
from groundplan.pddl.findings import Findings
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.read_condition import ConditionReader, several_hint
from groundplan.pddl.read_expression import is_number, read_expression, read_function_term
from groundplan.pddl.read_names import read_typed
from groundplan.pddl.read_sections import dispatch, open_definition, read_requirements
from groundplan.pddl.source import NO_SPAN, Source, Span

_NOT_HINT = "what is not listed is false anyway: drop it"
_GOAL_HINT = "write `(:goal (and (predicate object ...) ...))`"


@dataclass
class ProblemText:
    """A problem as it was read, and where its `:domain` name stands."""

    problem: Problem
    domain_span: Span = NO_SPAN


def read_problem_text(source: Source, domain: Domain | None) -> tuple[ProblemText | None, list[Diagnostic]]:
    """Read a problem, going on behind errors; `domain` tells its predicates from foreign words."""
    findings = Findings(source)
    opened = open_definition(findings, "problem")
    if opened is None:
        return None, findings.diagnostics
    name, sections = opened
    return _ProblemReader(findings, domain).read(name, sections), findings.diagnostics


class _ProblemReader:
    def __init__(self, findings: Findings, domain: Domain | None) -> None:
        self.findings = findings
        self.features: list[Feature] = []
        names = frozenset(domain.predicate_by_name) if domain is not None else frozenset()
        self.conditions = ConditionReader(findings, names, self.features)
        self.domain_name = ""
        self.domain_span = NO_SPAN
        self.requirements: tuple[str, ...] = ()
        self.objects: tuple[TypedName, ...] = ()
        self.init: list[Atom] = []
        self.init_false: list[Atom] = []
        self.values: list[FunctionValue] = []
        self.goal: Formula = TRUE
        self.goal_span = NO_SPAN
        self.metric: Metric | None = None

    def read(self, name: str, sections: list[Form]) -> ProblemText:
        readers = {
            ":domain": self._domain,
            ":requirements": self._requirements,
            ":objects": self._objects,
            ":init": self._init,
            ":goal": self._goal,
            ":metric": self._metric,
            ":constraints": lambda form: self._beyond(form, "trajectory constraint"),
            ":length": lambda form: None,
        }
        seen = dispatch(sections, readers, self.findings, "problem", (), ())
        self._missing(seen)
        problem = Problem(
            name,
            self.domain_name,
            self.requirements,
            self.objects,
            tuple(self.init),
            tuple(self.init_false),
            tuple(self.values),
            self.goal,
            self.metric,
            tuple(self.features),
            self.findings.source,
            self.goal_span,
        )
        return ProblemText(problem, self.domain_span)

    def _missing(self, seen: frozenset[str]) -> None:
        if any(found.code == "text-ends-early" for found in self.findings.diagnostics):
            return  # what is missing was cut off; saying so once is enough
        end = len(self.findings.source.text.rstrip())
        place = Span(max(0, end - 1), end)
        if ":goal" not in seen:
            self.findings.error("missing-goal", Category.GOAL, place, "the problem has no `:goal`", _GOAL_HINT)
        if ":init" not in seen:
            self.findings.warn(
                "missing-init",
                Category.GOAL,
                place,
                "the problem has no `:init`; nothing holds at the start",
                "write `(:init ...)`",
            )
        if ":domain" not in seen:
            self.findings.warn(
                "missing-domain",
                Category.SYNTAX,
                place,
                "the problem does not name its domain",
                "write `(:domain name)`",
            )

    def _beyond(self, form: Form, kind: str) -> None:
        self.features.append(Feature(kind, Span(form.start, form.items[0].end)))

    def _domain(self, form: Form) -> None:
        name = form.items[1] if len(form.items) == 2 else None
        if not isinstance(name, Word):
            message = "one name is wanted in `(:domain ...)`"
            self.findings.error("missing-name", Category.SYNTAX, form.span, message, "write `(:domain name)`")
            return
        self.domain_name, self.domain_span = name.text, name.span

    def _requirements(self, form: Form) -> None:
        self.requirements += read_requirements(form, self.findings)

    def _objects(self, form: Form) -> None:
        self.objects += read_typed(form.items[1:], self.findings, variables=False, what="object")[0]

    # --- the initial state ---

    def _init(self, form: Form) -> None:
        self._facts(form.items[1:])

    def _facts(self, nodes: Sequence[Node]) -> None:
        for form in self.conditions.in_brackets(nodes, "`:init`"):
            self._fact(form)

    def _fact(self, node: Form) -> None:
        head = node.head
        if head and (head in self.conditions.predicates or head not in _NOT_FACTS):
            if head == "at" and self._timed(node):
                return
            atom = self.conditions.atom(node, "`:init`")
            self.init.append(atom)
            if len(atom.terms) < len(node.items) - 1:  # facts inside a fact that lacks its bracket
                self._facts([item for item in node.items if isinstance(item, Form)])
        elif not node.items:
            self.findings.error("empty-form", Category.SYNTAX, node.span, "empty brackets in `:init`", "delete them")
        elif not head:
            self.findings.error(
                "missing-operator",
                Category.SYNTAX,
                Span(node.start, node.start + 1),
                "a bracket too many around facts in `:init`",
                "list the facts one after another: `(:init (fact object) ...)`",
            )
            while len(node.items) == 1 and isinstance(node.items[0], Form) and not node.items[0].head:
                node = node.items[0]
            self._facts(node.items)
        elif head == "and":
            self.findings.error(
                "and-in-init",
                Category.SYNTAX,
                node.items[0].span,
                "`and` is not allowed in `:init`",
                "list the atoms one after another, without `(and ...)`",
            )
            self._facts(node.items[1:])
        elif head == "not":
            self._false_fact(node)
        elif head == "=":
            self._value(node)
        else:
            self._no_fact(node, head)

    def _no_fact(self, node: Form, head: str) -> None:
        if head == "oneof":
            self.features.append(Feature("uncertain initial state", node.span))
            return
        self.findings.error(
            "not-in-init",
            Category.GOAL,
            node.span,
            f"`{head}` is not allowed in `:init`, which lists what holds at the start",
            "write out every fact that holds; what is not listed is false",
        )

    def _timed(self, node: Form) -> bool:
        items = node.items
        if len(items) == 3 and isinstance(items[1], Word) and is_number(items[1].text) and isinstance(items[2], Form):
            self.features.append(Feature("timed initial literal", node.span))
            return True
        return False

    def _false_fact(self, node: Form) -> None:
        inner = node.items[1] if len(node.items) == 2 else None
        if isinstance(inner, Form) and inner.head:
            self.init_false.append(self.conditions.atom(inner, "`:init`"))
        else:
            message = "`not` takes one atom in `:init`"
            self.findings.error("wrong-part-count", Category.SYNTAX, node.span, message, _NOT_HINT)

    def _value(self, node: Form) -> None:
        target = node.items[1] if len(node.items) == 3 else None
        amount = node.items[2] if len(node.items) == 3 else None
        if isinstance(target, Form) and isinstance(amount, Word) and is_number(amount.text):
            function = read_function_term(target, self.findings)
            if function is not None:
                self.values.append(FunctionValue(function, float(amount.text), node.span))
            return
        if isinstance(target, Form) and isinstance(amount, Word) and amount.text[0].isalpha():
            self.features.append(Feature("object fluent", node.span))
            return
        hint = "write `(= (function object ...) number)`; objects of different names differ anyway"
        if isinstance(target, Word) and isinstance(amount, Word) and is_number(amount.text):
            hint = f"a function stands in brackets: `(= ({target.text}) {amount.text})`"
        self.findings.error("bad-value", Category.GOAL, node.span, "not a value", hint)

    # --- goal and metric ---

    def _goal(self, form: Form) -> None:
        parts = form.items[1:]
        if not form.closed and not parts:
            return
        if not parts:
            self.findings.error("empty-goal", Category.GOAL, form.span, "the `:goal` section is empty", _GOAL_HINT)
            return
        only = parts[0]
        if len(parts) == 1 and isinstance(only, Form) and not only.items:
            if only.closed:
                self.findings.error(
                    "empty-goal", Category.GOAL, only.span, "the goal is `()`: no goal is given", _GOAL_HINT
                )
            return
        forms = [part for part in parts if isinstance(part, Form)]
        if len(forms) > 1:
            message = f"{len(forms)} parts in `:goal` where one is wanted"
            self.findings.error("missing-operator", Category.SYNTAX, forms[1].span, message, several_hint(forms))
        self.goal_span = form.span
        goals = self.conditions.several(parts, "the goal")
        self.goal = goals[0] if len(goals) == 1 else And(goals)

    def _metric(self, form: Form) -> None:
        words = form.items[1:]
        direction = words[0].text if words and isinstance(words[0], Word) else ""
        if direction not in ("minimize", "maximize") or len(words) != 2:
            self.findings.error(
                "bad-metric",
                Category.GOAL,
                form.span,
                "not a metric",
                "write `(:metric minimize (total-cost))`",
            )
            return
        name = words[1].text if isinstance(words[1], Word) else words[1].head
        if name == "total-time":
            message = (
                "`total-time` measures plans with durations; classical plans are measured by their number of steps"
            )
            self.findings.warn("total-time-metric", Category.GOAL, form.span, message, "drop the metric")
            return
        expression = read_expression(words[1], self.findings)
        self.metric = Metric("minimize" if direction == "minimize" else "maximize", expression, form.span)
        if name != "total-cost" or direction == "maximize":
            self.features.append(Feature("numeric metric", form.span))


_NOT_FACTS = frozenset(("and or not = when forall exists imply oneof > < >= <= increase decrease assign").split())
