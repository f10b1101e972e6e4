"""Reading effects into their flat form."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.pddl.ast import TRUE, And, Arithmetic, Effect, Feature, Formula, FunctionTerm, NumericEffect, TypedName
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.read_condition import ConditionReader
from groundplan.pddl.read_expression import is_number, read_expression, read_function_term
from groundplan.pddl.source import Span

ASSIGNMENTS = frozenset(("increase", "decrease", "assign", "scale-up", "scale-down"))
_NOT_IN_EFFECTS = {
    "or": "an effect is certain; a choice belongs into two actions",
    "exists": "name the object through a parameter of the action",
    "imply": "write `(when condition effect)`",
}


class EffectReader:
    """Collects the effects of one action. Nested `when` (not in the grammar, but plain in meaning) is joined."""

    def __init__(self, conditions: ConditionReader, where: str) -> None:
        self.conditions = conditions
        self.findings = conditions.findings
        self.where = where
        self.effects: list[Effect] = []
        self.numeric: list[NumericEffect] = []

    def read(self, node: Node, condition: Formula = TRUE, variables: tuple[TypedName, ...] = ()) -> None:
        if isinstance(node, Word):
            self.all((node,), condition, variables)
            return
        if not node.items:
            return
        if isinstance(node.items[0], Form):
            self._list(node, condition, variables)
            return
        head = node.head
        if head in self.conditions.predicates:
            self._literal(node, True, condition, variables)
        elif head in ("and", "progn"):
            if head == "progn":
                self._foreign(node, "write `and`")
            self.all(node.items[1:], condition, variables)
        elif head == "not":
            self._negative(node, condition, variables)
        elif head in ("when", "if"):
            self._when(node, condition, variables)
        elif head == "forall":
            self._forall(node, condition, variables)
        elif head in ASSIGNMENTS:
            self._numeric(node, condition, variables)
        elif head in _NOT_IN_EFFECTS:
            self.findings.error(
                "not-in-effect",
                Category.CONDITION,
                node.span,
                f"`{head}` is not allowed in {self.where}",
                _NOT_IN_EFFECTS[head],
            )
        elif head in ("oneof", "probabilistic"):
            self.conditions.features.append(Feature("non-deterministic effect", node.span))
        elif head == "=":
            self._equality(node)
        else:
            self._literal(node, True, condition, variables)

    def all(self, nodes: Sequence[Node], condition: Formula = TRUE, variables: tuple[TypedName, ...] = ()) -> None:
        """Read effects one after another; words among them are an atom without its brackets, or a fault."""
        for form in self.conditions.in_brackets(nodes, self.where):
            self.read(form, condition, variables)

    def _list(self, node: Form, condition: Formula, variables: tuple[TypedName, ...]) -> None:
        span = Span(node.start, node.start + 1)
        while len(node.items) == 1 and isinstance(node.items[0], Form) and not node.items[0].head:
            node = node.items[0]
        if len(node.items) == 1:
            message, hint = f"a bracket too many around an effect, in {self.where}", "write `(predicate ...)`"
        else:
            message = f"a list of effects without a word in front, in {self.where}"
            hint = "write `(and ...)` around them"
        self.findings.error("missing-operator", Category.SYNTAX, span, message, hint)
        words = [item for item in node.items if isinstance(item, Word) and item.text == "and"]
        self.all([item for item in node.items if item not in words], condition, variables)

    def _literal(self, node: Form, positive: bool, condition: Formula, variables: tuple[TypedName, ...]) -> None:
        atom = self.conditions.atom(node, self.where)
        self.effects.append(Effect(atom, positive, condition, variables, node.span))

    def _negative(self, node: Form, condition: Formula, variables: tuple[TypedName, ...]) -> None:
        inner = node.items[1] if len(node.items) == 2 else None
        head = inner.head if isinstance(inner, Form) else ""
        known = head in self.conditions.predicates
        if not isinstance(inner, Form) or not head or (head in ("and", "or", "not", "when", "forall") and not known):
            self.findings.error(
                "not-in-effect",
                Category.CONDITION,
                node.span,
                f"`not` takes one atom in {self.where}",
                "write one `(not (predicate ...))` for each fact that ends",
            )
            return
        self._literal(inner, False, condition, variables)

    def _when(self, node: Form, condition: Formula, variables: tuple[TypedName, ...]) -> None:
        if node.head == "if":
            self._foreign(node, "write `(when condition effect)`")
        if len(node.items) != 3 and node.head == "if":
            return
        if len(node.items) != 3:
            self.findings.error(
                "wrong-part-count",
                Category.SYNTAX,
                node.span,
                f"`{node.head}` takes a condition and one effect, here it has {len(node.items) - 1} parts",
                "join several effects by `(and ...)`",
            )
            return
        added = self.conditions.read(node.items[1], f"a condition in {self.where}")
        if condition is not TRUE and condition != TRUE:
            self.findings.warn(
                "nested-when",
                Category.CONDITION,
                node.span,
                "nested `when` is not standard PDDL; read as one `when` with both conditions",
                "write `(when (and condition1 condition2) effect)`",
            )
            added = And((condition, added))
        self.read(node.items[2], added, variables)

    def _forall(self, node: Form, condition: Formula, variables: tuple[TypedName, ...]) -> None:
        if len(node.items) != 3 or not isinstance(node.items[1], Form):
            self.findings.error(
                "wrong-part-count",
                Category.SYNTAX,
                node.span,
                "`forall` takes a list of variables and one effect",
                "write `(forall (?x - type) effect)`",
            )
            return
        added = self.conditions.variables(node.items[1])
        names = {variable.name for variable in added}
        if any(variable.name in names for variable in variables):
            self.findings.error(
                "duplicate-parameter",
                Category.PREDICATE,
                node.items[1].span,
                "a quantified variable of the same name is in use here",
                "give the inner variable another name",
            )
            return
        self.read(node.items[2], condition, (*variables, *added))

    def _numeric(self, node: Form, condition: Formula, variables: tuple[TypedName, ...]) -> None:
        if len(node.items) != 3:
            message = f"`{node.head}` takes a function and an expression"
            hint = f"write `({node.head} (total-cost) 1)`"
            self.findings.error("wrong-part-count", Category.SYNTAX, node.span, message, hint)
            return
        target, amount = node.items[1:]
        function = (
            read_function_term(target, self.findings)
            if isinstance(target, Form)
            else FunctionTerm(target.text, (), target.span)
        )
        if function is None:
            return
        if isinstance(target, Word) and (is_number(target.text) or target.text.startswith("?")):
            self.findings.error(
                "bad-expression",
                Category.CONDITION,
                target.span,
                f"`{target.text}` is no function",
                "write `(name ...)`",
            )
            return
        if node.head == "assign" and isinstance(amount, Word) and not is_number(amount.text):
            self.conditions.features.append(Feature("object fluent", node.span))
            return
        expression = read_expression(amount, self.findings)
        self.numeric.append(NumericEffect(node.head, function, expression, condition, variables, node.span))
        if node.head != "increase" or function.name != "total-cost":
            self.conditions.features.append(Feature("numeric effect", node.span))
        elif condition != TRUE or variables:
            self.conditions.features.append(Feature("conditional action cost", node.span))
        elif isinstance(expression, Arithmetic):
            self.conditions.features.append(Feature("arithmetic in an action cost", node.span))

    def _equality(self, node: Form) -> None:
        self.findings.error(
            "not-in-effect",
            Category.CONDITION,
            node.span,
            f"`=` is not allowed in {self.where}",
            "an effect lists facts that become true, and `(not ...)` for those that end",
        )

    def _foreign(self, node: Form, hint: str) -> None:
        head = node.items[0]
        self.findings.error(
            "foreign-word",
            Category.CONDITION,
            head.span,
            f"`{node.head}` is no PDDL word and no declared predicate, in {self.where}",
            hint,
        )
