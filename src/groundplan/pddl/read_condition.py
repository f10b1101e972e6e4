"""Reading conditions: preconditions, goals, the conditions of effects and derived predicates."""

from __future__ import annotations

from collections.abc import Sequence

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
from groundplan.pddl.foreign import FOREIGN_WORDS, SAME_MEANING
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.read_expression import is_number, read_expression
from groundplan.pddl.read_names import check_name, read_typed
from groundplan.pddl.source import Span

COMPARISONS = frozenset(("<", "<=", ">", ">="))
TRAJECTORY = frozenset(
    ("always sometime within at-most-once sometime-after sometime-before always-within hold-during hold- after").split()
)


class ConditionReader:
    """Reads conditions over the declared predicates; `predicates` tells real predicates from foreign words."""

    def __init__(self, findings: Findings, predicates: frozenset[str], features: list[Feature]) -> None:
        self.findings = findings
        self.predicates = predicates
        self.features = features

    def read(self, node: Node, where: str) -> Formula:
        """`where` says in messages what is being read: "the precondition of `a`", "the goal"."""
        if isinstance(node, Word):
            return And(self.several((node,), where))
        if not node.items:
            return TRUE
        first = node.items[0]
        if isinstance(first, Form):
            return self._list_of_conditions(node, where)
        head = first.text
        if head in SAME_MEANING and self._foreign(first, where):
            head = SAME_MEANING[head]
        method = _OPERATORS.get(head)
        if method is not None:
            return method(self, node, where)
        if head == "=":
            return self._equals(node)
        if head in COMPARISONS and head not in self.predicates:
            return self._comparison(node)
        if head not in self.predicates and (head in TRAJECTORY or head == "preference"):
            return self._beyond(node, where)
        return self.atom(node, where)

    def several(self, nodes: Sequence[Node], where: str) -> tuple[Formula, ...]:
        """Conditions one after another; words among them are an atom without its brackets, or another language's."""
        parts = []  # a loop, for the sake of the stack: conditions may nest up to the reader's bound
        for form in self.in_brackets(nodes, where):
            parts.append(self.read(form, where))
        return tuple(parts)

    def in_brackets(self, nodes: Sequence[Node], where: str) -> list[Form]:
        """The forms among `nodes`; words are reported, and words that make an atom (`on ?a ?b`) become one."""
        forms = [node for node in nodes if isinstance(node, Form)]
        if len(forms) == len(nodes):
            return forms
        forms = []
        index = 0
        while index < len(nodes):
            node = nodes[index]
            first = index
            index += 1
            if isinstance(node, Form):
                forms.append(node)
                continue
            if self._foreign(node, where):
                continue
            while index < len(nodes) and isinstance(nodes[index], Word):
                index += 1
            words = list(nodes[first:index])
            call = nodes[index] if index < len(nodes) and len(words) == 1 else None
            if isinstance(call, Form) and call.start == node.end:
                index += 1
                words += call.items
                self._call(node, call, where)
            else:
                self._bare(words, where)
            if node.text in self.predicates:
                forms.append(form_of(words))
        return forms

    def _and(self, node: Form, where: str) -> Formula:
        return And(self.several(node.items[1:], where), node.span)

    def _or(self, node: Form, where: str) -> Formula:
        return Or(self.several(node.items[1:], where), node.span)

    def _not(self, node: Form, where: str) -> Formula:
        parts = self.several(node.items[1:], where)
        if len(node.items) != 2 and _are_forms(node.items[1:]):
            hint = "one `(not ...)` for each condition" if parts else "write `(not (predicate ...))`"
            self._count(node, "not", "one condition", hint)
        return Not(parts[0], node.span) if parts else TRUE

    def _imply(self, node: Form, where: str) -> Formula:
        parts = self.several(node.items[1:], where)
        if len(node.items) != 3 and _are_forms(node.items[1:]):
            hint = "write `(imply condition consequence)`; join several by `(and ...)`"
            self._count(node, "imply", "two conditions", hint)
        return Imply(parts[0], parts[1], node.span) if len(parts) == 2 else TRUE

    def _quantified(self, node: Form, where: str) -> Formula:
        head = SAME_MEANING.get(node.head, node.head)
        if len(node.items) != 3 or not isinstance(node.items[1], Form):
            hint = f"write `({head} (?x - type) condition)`; join several conditions by `(and ...)`"
            self._count(node, head, "a list of variables and one condition", hint)
            return TRUE
        variables = self.variables(node.items[1])
        part = self.read(node.items[2], where)
        if not variables:
            return part
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
            forms = [item for item in (left, right) if isinstance(item, Form)]
            words = [item for item in (left, right) if isinstance(item, Word) and not is_number(item.text)]
            if forms and words:  # `(= (place ?x) kitchen)`
                self.features.append(Feature("object fluent", node.span))
                return TRUE
            if forms or not words:
                return self._comparison(node)
        else:
            self._count(node, "=", "two terms", "write `(= ?a ?b)`, one for each pair")
            return TRUE
        return self.atom(node, "an equality")

    def _comparison(self, node: Form) -> Formula:
        if len(node.items) != 3:
            self._count(node, node.head, "two expressions", f"write `({node.head} left right)`")
            return TRUE
        left, right = (read_expression(item, self.findings) for item in node.items[1:])
        self.features.append(Feature("numeric condition", node.span))
        return Comparison(node.head, left, right, node.span)

    def _beyond(self, node: Form, where: str) -> Formula:
        kind = "preference" if node.head == "preference" else "trajectory constraint"
        self.features.append(Feature(kind, node.span))
        return TRUE

    def _list_of_conditions(self, node: Form, where: str) -> Formula:
        span = Span(node.start, node.start + 1)
        inner: Node = node
        while isinstance(inner, Form) and len(inner.items) == 1 and isinstance(inner.items[0], Form):
            inner = inner.items[0]
        if inner is not node:
            message, hint = f"a bracket too many around a condition, in {where}", "write `(predicate ...)`"
        else:
            message, hint = f"a list of conditions without a word in front, in {where}", "write `(and ...)` around them"
        self.findings.error("missing-operator", Category.SYNTAX, span, message, hint)
        if inner is not node:
            return self.read(inner, where)
        # `((a) and (b))`: the word stands between the conditions, as in other languages
        words = [item for item in node.items if isinstance(item, Word) and item.text in ("and", "or")]
        parts = self.several([item for item in node.items if item not in words], where)
        return (Or if words and words[0].text == "or" else And)(parts, node.span)

    def atom(self, node: Form, where: str) -> Atom:
        """`(predicate term ...)`, its terms unchecked. The form must start with a word."""
        head = node.items[0]
        assert isinstance(head, Word)
        foreign = head.text not in self.predicates and self._foreign(head, where)
        if head.text not in self.predicates and not foreign:
            check_name(head, self.findings, "predicate")
        terms, spans = [], []
        for item in node.items[1:]:
            if isinstance(item, Form):
                if not foreign:
                    self._bracket_in_atom(head, item)
                break
            if item.text == "-":
                self._type_in_atom(head, node)
                break
            if item.text[0] != "?":
                check_name(item, self.findings, "object")
            terms.append(item.text)
            spans.append(item.span)
        return Atom(head.text, tuple(terms), node.span, tuple(spans))

    def _type_in_atom(self, head: Word, node: Form) -> None:
        words = [item for item in node.items if isinstance(item, Word)]
        dash = next(index for index, item in enumerate(words) if item.text == "-")
        span = Span(words[dash].start, words[min(dash + 1, len(words) - 1)].end)
        message = f"a type inside `({head.text} ...)`"
        hint = "drop it: types stand only where variables and objects are declared"
        self.findings.error("type-in-atom", Category.OBJECT, span, message, hint)

    def _bracket_in_atom(self, head: Word, form: Form) -> None:
        if form.start == head.end:
            message = f"`{head.text}(...)` is how other languages write it"
            hint = f"write `({head.text} ...)`: the bracket stands before the name"
        else:
            message = f"a bracket inside `({head.text} ...)`, where a variable or an object is wanted"
            hint = "is a closing bracket missing before it? Conditions are joined by `(and ...)`"
        self.findings.error("bracket-in-atom", Category.SYNTAX, form.span, message, hint)

    def _call(self, name: Word, form: Form, where: str) -> None:
        shown = " ".join(item.text for item in (name, *form.items) if isinstance(item, Word))
        self.findings.error(
            "bracket-in-atom",
            Category.SYNTAX,
            Span(name.start, form.end),
            f"`{name.text}(...)` is how other languages write it, in {where}",
            f"write `({shown})`: the bracket stands before the name",
        )

    def _bare(self, words: Sequence[Node], where: str) -> None:
        text = " ".join(word.text for word in words if isinstance(word, Word))
        first = words[0]
        declared = isinstance(first, Word) and first.text in self.predicates
        stands = "stands alone" if len(words) == 1 else "stands without brackets"
        self.findings.error(
            "bare-word",
            Category.SYNTAX,
            Span(first.start, words[-1].end),
            f"`{text}` {stands} in {where}",
            f"write `({text})`" if declared else "a condition stands in brackets: `(predicate ?x)`",
        )

    def _foreign(self, word: Word, where: str) -> bool:
        """Report a word of another language; says whether it was one."""
        hint = FOREIGN_WORDS.get(word.text)
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

    def _count(self, node: Form, head: str, wanted: str, hint: str) -> None:
        got = len(node.items) - 1
        parts = "nothing" if got == 0 else "1 part" if got == 1 else f"{got} parts"
        message = f"`{head}` takes {wanted}, here it has {parts}"
        self.findings.error("wrong-part-count", Category.SYNTAX, node.span, message, hint)


def _are_forms(nodes: Sequence[Node]) -> bool:
    """Whether no word stands among the parts of an operator; words are reported before parts are counted."""
    return all(isinstance(node, Form) for node in nodes)


def several_hint(nodes: Sequence[Node]) -> str:
    """The way out where several conditions or effects stand in the place of one."""
    first = nodes[0]
    if isinstance(first, Form) and first.head == "and":
        return "move it into the `(and ...)` before it: a `)` there stands too early"
    return "join them by `(and ...)`"


def form_of(nodes: Sequence[Node]) -> Form:
    """A form with these items, as if they stood in brackets."""
    form = Form(nodes[0].start)
    form.items = list(nodes)
    form.end = nodes[-1].end
    form.closed = True
    return form


_OPERATORS = {
    "and": ConditionReader._and,
    "or": ConditionReader._or,
    "not": ConditionReader._not,
    "imply": ConditionReader._imply,
    "forall": ConditionReader._quantified,
    "exists": ConditionReader._quantified,
    "when": ConditionReader._when,
}
