"""Reading an action: its keyword parts, misspelt or misplaced ones included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from groundplan.pddl.ast import TRUE, Action, And, Effect, Formula, NumericEffect, TypedName
from groundplan.pddl.brackets import ACTION_KEYWORDS
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.read_condition import ConditionReader, form_of, several_hint
from groundplan.pddl.read_effect import EffectReader
from groundplan.pddl.read_names import check_name, read_typed
from groundplan.pddl.source import Span

_ACTION_PARTS = (":parameters", ":precondition", ":effect")
_OTHER_KEYWORDS = {
    ":params": ":parameters",
    ":args": ":parameters",
    ":arguments": ":parameters",
    ":vars": ":parameters",
    ":variables": ":parameters",
    ":pre": ":precondition",
    ":prec": ":precondition",
    ":preconds": ":precondition",
    ":condition": ":precondition",
    ":conditions": ":precondition",
    ":eff": ":effect",
    ":post": ":effect",
    ":postcondition": ":effect",
    ":postconditions": ":effect",
}


@dataclass
class _Part:
    """A keyword of an action and what stands behind it; `joined` when the keyword came twice (reported there)."""

    keyword: Word
    nodes: list[Node] = field(default_factory=list)
    joined: bool = False


def read_action(form: Form, conditions: ConditionReader) -> Action | None:
    """The action of an `(:action ...)` form, going on behind errors; None (with an error) when it has no name."""
    return _ActionReader(conditions).read(form)


_LISTS = {
    **dict.fromkeys((":add", ":add-list", ":adds", ":add-effects"), "what becomes true stands in `:effect` as it is"),
    **dict.fromkeys(
        (":del", ":delete", ":del-list", ":delete-list", ":deletes", ":delete-effects"),
        "what ends stands in `:effect` as `(not (predicate ...))`",
    ),
}


class _ActionReader:
    def __init__(self, conditions: ConditionReader) -> None:
        self.conditions = conditions
        self.findings = conditions.findings

    def read(self, form: Form) -> Action | None:
        name = form.items[1] if len(form.items) > 1 else None
        if not isinstance(name, Word) or name.text.startswith(":"):
            span = Span(form.start, form.items[0].end)
            hint = "write `(:action name ...)`"
            self.findings.error("missing-name", Category.SYNTAX, span, "an action without a name", hint)
            return None
        check_name(name, self.findings, "action")
        parts = self._parts(form, name.text)
        return Action(
            name.text,
            self._parameters(name, parts),
            self._condition(parts.get(":precondition"), name.text),
            *self._effects(name, parts),
            span=name.span,
            body_span=form.span,
        )

    def _parts(self, form: Form, action: str) -> dict[str, _Part]:
        """The keyword parts of an action; a misspelt keyword is reported and still read."""
        parts: dict[str, _Part] = {}
        current: _Part | None = None
        for item in self._unwrapped(form.items[2:], action):
            if isinstance(item, Word) and (item.text[0] == ":" or ":" + item.text in ACTION_KEYWORDS):
                key = self._part_key(item, action)
                current = parts.setdefault(key, _Part(item))
                if current.keyword is not item:
                    current.joined = True
                    message = f"a second `{key}` in action `{action}`"
                    self.findings.error("duplicate-part", Category.SYNTAX, item.span, message, "join the two")
            elif current is None:
                self.findings.error(
                    "stray-form" if isinstance(item, Form) else "stray-word",
                    Category.SYNTAX,
                    item.span,
                    f"a keyword is wanted here in action `{action}`",
                    "`:parameters`, `:precondition` or `:effect`",
                )
            else:
                current.nodes.append(item)
        return parts

    def _unwrapped(self, items: Sequence[Node], action: str) -> Iterator[Node]:
        """`(:effect ...)` in brackets of its own is reported and read without them."""
        for item in items:
            if isinstance(item, Form) and item.head[:1] == ":":
                message = f"`({item.head} ...)` in action `{action}`: a keyword has no brackets around it"
                hint = f"write `{item.head} (...)`"
                self.findings.error("bracketed-keyword", Category.SYNTAX, item.items[0].span, message, hint)
                rest = item.items[1:]
                flat = item.head == ":parameters" and any(isinstance(part, Word) for part in rest)
                yield item.items[0]
                yield from (form_of(rest),) if flat else rest
            else:
                yield item

    def _part_key(self, word: Word, action: str) -> str:
        if word.text in _ACTION_PARTS:
            return word.text
        text = word.text if word.text[0] == ":" else ":" + word.text
        close = [_OTHER_KEYWORDS[text]] if text in _OTHER_KEYWORDS else []
        if not close and not self.findings.full:
            close = get_close_matches(text, _ACTION_PARTS, 1, 0.75)
        hint = f"did you mean `{close[0]}`?" if close else "an action has `:parameters`, `:precondition` and `:effect`"
        hint = _LISTS.get(text, hint)
        message = f"unknown keyword `{word.text}` in action `{action}`"
        self.findings.error("unknown-keyword", Category.SYNTAX, word.span, message, hint)
        return close[0] if close else text

    def _parameters(self, name: Word, parts: dict[str, _Part]) -> tuple[TypedName, ...]:
        part = parts.get(":parameters")
        if part is None:
            self.findings.warn(
                "missing-parameters",
                Category.PREDICATE,
                name.span,
                f"action `{name.text}` has no `:parameters`; read as `()`",
                "write `:parameters ()`",
            )
            return ()
        nodes = part.nodes
        if len(nodes) == 1 and isinstance(nodes[0], Form):
            return read_typed(nodes[0].items, self.findings, variables=True, what="parameter")[0]
        message = f"`:parameters` of action `{name.text}` wants one list in brackets"
        span = nodes[0].span if nodes else part.keyword.span
        self.findings.error("bad-parameters", Category.PREDICATE, span, message, "write `:parameters (?x - type ...)`")
        words = [node for node in nodes if isinstance(node, Word)]
        return read_typed(words, self.findings, variables=True, what="parameter")[0]

    def _condition(self, part: _Part | None, action: str) -> Formula:
        where = f"the precondition of `{action}`"
        if part is None:
            return TRUE
        if len(part.nodes) == 1:
            return self.conditions.read(part.nodes[0], where)
        self._several(part, where)
        return And(self.conditions.several(part.nodes, where))

    def _several(self, part: _Part, where: str) -> None:
        forms = [node for node in part.nodes if isinstance(node, Form)]
        if not part.nodes:
            message = f"nothing behind `{part.keyword.text}`, in {where}"
            self.findings.error("missing-part", Category.CONDITION, part.keyword.span, message, "write `()`")
        elif len(forms) > 1 and not part.joined:
            message = f"{len(forms)} parts behind `{part.keyword.text}` where one is wanted, in {where}"
            hint = several_hint(forms)
            self.findings.error("missing-operator", Category.SYNTAX, forms[1].span, message, hint)

    def _effects(self, name: Word, parts: dict[str, _Part]) -> tuple[tuple[Effect, ...], tuple[NumericEffect, ...]]:
        where = f"the effect of `{name.text}`"
        part = parts.get(":effect")
        if part is None and any(key not in _ACTION_PARTS for key in parts):
            return (), ()  # an unknown keyword was reported: the effect may stand behind it
        if part is None:
            self.findings.warn(
                "missing-effect",
                Category.CONDITION,
                name.span,
                f"action `{name.text}` has no `:effect`; it changes nothing",
                "write `:effect (and ...)`",
            )
            return (), ()
        if len(part.nodes) != 1:
            self._several(part, where)
        reader = EffectReader(self.conditions, where)
        reader.all(part.nodes)
        return tuple(reader.effects), tuple(reader.numeric)
