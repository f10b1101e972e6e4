"""Reading conditions: preconditions, goals, the conditions of effects and derived predicates."""

from __future__ import annotations

from groundplan.pddl.ast import (
    TRUE,
    And,
    Atom,
    Comparison,
    Exists,
    Feature,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    TypedName,
)
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.read_expression import is_number, read_expression
from groundplan.pddl.read_names import check_name, read_typed
from groundplan.pddl.sexpr import Form, Node, Word
from groundplan.pddl.source import Span

COMPARISONS = frozenset(("<", "<=", ">", ">="))
TRAJECTORY = frozenset(
    ("always sometime within at-most-once sometime-after sometime-before always-within hold-during hold- after").split()
)

FOREIGN = {
    "eq": "write `(= ?a ?b)`, and `(not (= ?a ?b))` for the contrary",
    "equal": "write `(= ?a ?b)`",
    "equals": "write `(= ?a ?b)`",
    "==": "write `(= ?a ?b)`",
    "!=": "write `(not (= ?a ?b))`",
    "/=": "write `(not (= ?a ?b))`",
    "<>": "write `(not (= ?a ?b))`",
    "neq": "write `(not (= ?a ?b))`",
    "not=": "write `(not (= ?a ?b))`",
    "if": "write `(imply condition consequence)` in a condition, `(when condition effect)` in an effect",
    "implies": "write `imply`",
    "=>": "write `imply`",
    "->": "write `imply`",
    "iff": "write two `imply`, one in each direction",
    "xor": "write it with `or`, `and` and `not`",
    "progn": "write `and`",
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`",
    "!": "write `not`",
    "~": "write `not`",
    "all": "write `(forall (?x - type) ...)`",
    "for-all": "write `(forall (?x - type) ...)`",
    "foreach": "write `(forall (?x - type) ...)`",
    "exist": "write `(exists (?x - type) ...)`",
    "some": "write `(exists (?x - type) ...)`",
    "unless": "write `(when (not condition) effect)`",
    "lambda": "PDDL has no functions of its own; write the condition out",
    "quote": "drop the quote",
    "setq": "write the fact that becomes true, and `(not ...)` for the one that ends",
    "set": "write the fact that becomes true, and `(not ...)` for the one that ends",
    "add": "write the fact itself: what is listed becomes true",
    "del": "write `(not ...)`",
    "delete": "write `(not ...)`",
    "true": "drop it: no condition at all is always true",
    "false": "drop it, and write `(not ...)` where a fact must be false",
    "t": "drop it: no condition at all is always true",
    "nil": "drop it: leave the condition out, or write `(and)`",
    "null": "drop it: leave the condition out, or write `(and)`",
}


class ConditionReader:
    """Reads conditions over the declared predicates; `predicates` tells real predicates from foreign words."""

    def __init__(self, findings: Findings, predicates: frozenset[str], features: list[Feature]) -> None:
        self.findings = findings
        self.predicates = predicates
        self.features = features

    def read(self, node: Node, where: str) -> Formula:
        """`where` says in messages what is being read: "the precondition of `a`", "the goal"."""
        if isinstance(node, Word):
            return self._bare(node, where)
        if not node.items:
            return TRUE
        first = node.items[0]
        if isinstance(first, Form):
            return self._list_of_conditions(node, where)
        head = first.text
        method = _OPERATORS.get(head)
        if method is not None and head not in self.predicates:
            return method(self, node, where)
        if head == "=":
            return self._equals(node)
        if head in COMPARISONS and head not in self.predicates:
            return self._comparison(node)
        if head not in self.predicates and (head in TRAJECTORY or head == "preference"):
            return self._beyond(node, where)
        return self.atom(node, where)

    def _parts(self, node: Form, where: str) -> tuple[Formula, ...]:
        parts = []
        for item in node.items[1:]:
            if isinstance(item, Word) and self._foreign(item, where):
                continue
            parts.append(self.read(item, where))
        return tuple(parts)

    def _and(self, node: Form, where: str) -> Formula:
        return And(self._parts(node, where), node.span)

    def _or(self, node: Form, where: str) -> Formula:
        return Or(self._parts(node, where), node.span)

    def _not(self, node: Form, where: str) -> Formula:
        parts = self._parts(node, where)
        if len(parts) != 1:
            self._count(node, "not", "one condition", len(node.items) - 1)
            return Not(parts[0], node.span) if parts else TRUE
        return Not(parts[0], node.span)

    def _imply(self, node: Form, where: str) -> Formula:
        parts = self._parts(node, where)
        if len(parts) != 2:
            self._count(node, "imply", "two conditions", len(node.items) - 1)
            return TRUE
        return Imply(parts[0], parts[1], node.span)

    def _quantified(self, node: Form, where: str) -> Formula:
        head = node.head
        if len(node.items) != 3 or not isinstance(node.items[1], Form):
            self._count(node, head, "a list of variables and one condition", len(node.items) - 1)
            return TRUE
        variables = self.variables(node.items[1])
        part = self.read(node.items[2], where)
        return (Forall if head == "forall" else Exists)(variables, part, node.span)

    def variables(self, form: Form) -> tuple[TypedName, ...]:
        return read_typed(form.items, self.findings, variables=True, what="variable")[0]

    def _when(self, node: Form, where: str) -> Formula:
        self.findings.error(
            "when-in-condition",
            Category.CONDITION,
            node.span,
            f"`when` belongs into effects, not into {where}",
            "write `(imply condition consequence)`, or move it into the effect",
        )
        return TRUE

    def _equals(self, node: Form) -> Formula:
        if len(node.items) == 3:
            left, right = node.items[1:]
            numeric = any(isinstance(item, Form) or is_number(item.text) for item in (left, right))
            if numeric:
                return self._comparison(node)
        else:
            self._count(node, "=", "two terms", len(node.items) - 1)
            return TRUE
        return self.atom(node, "an equality")

    def _comparison(self, node: Form) -> Formula:
        if len(node.items) != 3:
            self._count(node, node.head, "two expressions", len(node.items) - 1)
            return TRUE
        left, right = (read_expression(item, self.findings) for item in node.items[1:])
        self.features.append(Feature("numeric condition", node.span))
        return Comparison(node.head, left, right, node.span)

    def _beyond(self, node: Form, where: str) -> Formula:
        kind = "preference" if node.head == "preference" else "trajectory constraint"
        self.features.append(Feature(kind, node.span))
        return TRUE

    def _list_of_conditions(self, node: Form, where: str) -> Formula:
        self.findings.error(
            "missing-operator",
            Category.SYNTAX,
            Span(node.start, node.start + 1),
            f"a list of conditions without a word in front, in {where}",
            "write `(and ...)` around them",
        )
        return And(tuple(self.read(item, where) for item in node.items), node.span)

    def atom(self, node: Form, where: str) -> Atom:
        """`(predicate term ...)`, its terms unchecked. The form must start with a word."""
        head = node.items[0]
        assert isinstance(head, Word)
        if head.text not in self.predicates and not self._foreign(head, where):
            check_name(head, self.findings, "a predicate")
        terms, spans = [], []
        for item in node.items[1:]:
            if isinstance(item, Form):
                self.findings.error(
                    "bracket-in-atom",
                    Category.SYNTAX,
                    item.span,
                    f"a bracket inside `({head.text} ...)`, where a variable or an object is wanted",
                    "is a closing bracket missing before it? Conditions are joined by `(and ...)`",
                )
                continue
            if item.text.startswith("?") or check_name(item, self.findings, "an object"):
                terms.append(item.text)
                spans.append(item.span)
        return Atom(head.text, tuple(terms), node.span, tuple(spans))

    def _bare(self, word: Word, where: str) -> Formula:
        if not self._foreign(word, where):
            declared = word.text in self.predicates
            self.findings.error(
                "bare-word",
                Category.SYNTAX,
                word.span,
                f"`{word.text}` stands alone in {where}",
                f"write `({word.text})`" if declared else "a condition stands in brackets: `(predicate ?x)`",
            )
        return TRUE

    def _foreign(self, word: Word, where: str) -> bool:
        """Report a word of another language; says whether it was one."""
        hint = FOREIGN.get(word.text)
        if hint is None or word.text in self.predicates:
            return False
        self.findings.error(
            "foreign-word",
            Category.CONDITION,
            word.span,
            f"`{word.text}` is no PDDL word and no declared predicate, in {where}",
            hint,
        )
        return True

    def _count(self, node: Form, head: str, wanted: str, got: int) -> None:
        self.findings.error(
            "wrong-part-count", Category.SYNTAX, node.span, f"`{head}` takes {wanted}, here it has {got} part(s)"
        )


_OPERATORS = {
    "and": ConditionReader._and,
    "or": ConditionReader._or,
    "not": ConditionReader._not,
    "imply": ConditionReader._imply,
    "forall": ConditionReader._quantified,
    "exists": ConditionReader._quantified,
    "when": ConditionReader._when,
}
