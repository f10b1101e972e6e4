"""From text to nested forms, with recovery: where a bracket is missing or one too many, reading goes on.

Iterative throughout, so no input exhausts Python's stack; forms nested deeper than MAX_DEPTH are refused.
"""

from __future__ import annotations

import re

from groundplan.pddl.brackets import Brackets
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.foreign import without_foreign_marks
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.source import Source, Span
from groundplan.pddl.tokens import Tokens, find_definitions, without_comments

__all__ = ["MAX_DEPTH", "Form", "Node", "Word", "find_definitions", "read_definition"]

MAX_DEPTH = 100
"""No real task nests deeper than about ten; later stages may recurse over forms because of this bound."""

_PLACEHOLDER = re.compile(r"\.{2,}|…+|<\.\.\.>|\[(?:\.\.\.|…)\]")
_UNUSUAL = frozenset(":.…<[")
"""First characters of keywords and of what may be a placeholder."""
_FENCE = re.compile(r"`{3,}|~{3,}")


def read_definition(source: Source, findings: Findings) -> Form | None:
    """The first `(define ...)` form of a text. None (with an error) when there is none."""
    text = without_foreign_marks(without_comments(source.text), findings)
    tokens = Tokens(" " + text[1:] if text[:1] == "\ufeff" else text)  # a byte-order mark says nothing
    index = _skip_to_define(source, findings, tokens)
    if index is None:
        return None
    return _FormReader(source, findings, tokens, index).read()


def _skip_to_define(source: Source, findings: Findings, tokens: Tokens) -> int | None:
    """The index of the first `(define`; what stands before it is reported once. None when there is none."""
    if not tokens.count:
        findings.error(
            "empty-text",
            Category.SYNTAX,
            Span(0, len(source.text)),
            "the text holds nothing but comments" if source.text.strip() else "the text is empty",
            "a definition starts with `(define (domain name)` or `(define (problem name)`",
        )
        return None
    index = next((i for i in range(tokens.count) if tokens.at_define(i)), None)
    first = tokens.starts[0]
    if index is None:
        findings.error(
            "no-definition",
            Category.SYNTAX,
            Span(first, min(len(source.text), first + 1)),
            "no PDDL definition here: the text nowhere says `(define ...`",
            "a definition starts with `(define (domain name)` or `(define (problem name)`",
        )
    elif index:
        _report_stray(source, findings, Span(first, tokens.starts[index]), "before")
    return index


def _report_stray(source: Source, findings: Findings, span: Span, where: str) -> None:
    """Report text around a definition: a Markdown fence, or prose."""
    text = source.excerpt(span).strip()
    if _FENCE.search(text):
        findings.error(
            "markdown-fence",
            Category.SYNTAX,
            span,
            f"a Markdown fence stands {where} the definition",
            "give the PDDL text alone, without ``` lines",
        )
    else:
        shown = " ".join(text.split())[:40]
        findings.error(
            "text-around",
            Category.SYNTAX,
            span,
            f"text {where} the definition is no PDDL: `{shown}`",
            "give the PDDL text alone; a comment starts with `;`",
        )


class _FormReader:
    """Builds the tree of one definition. The stack holds the open forms, the definition itself first."""

    def __init__(self, source: Source, findings: Findings, tokens: Tokens, index: int) -> None:
        self.source = source
        self.findings = findings
        self.tokens = tokens
        self.index = index
        self.end = tokens.next_define(index + 1)
        self.stack: list[Form] = []
        self.brackets = Brackets(source, findings, tokens, self.stack)
        self.too_deep = 0
        self.reopened = False

    def read(self) -> Form:
        root = Form(self.tokens.starts[self.index])
        self.stack.append(root)
        self.index += 1
        self._read_open_forms()
        while not self.stack and self.index < self.end and self._go_on_after_end(root):
            self._read_open_forms()
        if self.stack and self.end == self.tokens.count:
            self.brackets.text_ended(self.too_deep)
        elif self.stack:
            self.brackets.missing_before(self.tokens.starts[self.end], "(define", 0)
        if self.end < self.tokens.count:
            self._second_definition(self.tokens.starts[self.end])
        return root

    def _read_open_forms(self) -> None:
        """Read until the definition is closed or the text ends. The hot loop of the reader."""
        texts, starts, stack = self.tokens.texts, self.tokens.starts, self.stack
        items = stack[-1].items
        for index in range(self.index, self.end):
            text, start = texts[index], starts[index]
            if text == "(":
                if self.too_deep or len(stack) >= MAX_DEPTH:
                    self._too_deep(start)
                    continue
                if (texts[index + 1][:1] == ":") is not (len(stack) == 1):
                    self.brackets.form(index)
                    items = stack[-1].items
                form = Form(start)
                items.append(form)
                stack.append(form)
                items = form.items
            elif text == ")":
                if self.too_deep:
                    self.too_deep -= 1
                    continue
                form = stack.pop()
                form.end = start + 1
                form.closed = True
                if not stack:
                    self.index = index + 1
                    return
                items = stack[-1].items
            elif self.too_deep:
                continue
            elif text[0] in _UNUSUAL or len(stack) == 1:
                items = self._unusual_word(index)
            else:
                items.append(Word(text, start, start + len(text)))
        self.index = self.end

    def _too_deep(self, start: int) -> None:
        if not self.too_deep:
            self.findings.error(
                "nested-too-deep",
                Category.SYNTAX,
                Span(start, start + 1),
                f"brackets are nested more than {MAX_DEPTH} deep",
                "write flatter conditions: `(and a b c)` takes any number of parts",
            )
            self.stack[-1].items.append(Form(start))  # what is left out has a place all the same
        self.too_deep += 1

    def _unusual_word(self, index: int) -> list[Node]:
        """Take a keyword, a placeholder or a word between the sections. Returns the items of the form now open."""
        text, start = self.tokens.texts[index], self.tokens.starts[index]
        word = Word(text, start, start + len(text))
        if _PLACEHOLDER.fullmatch(text):
            self.findings.error(
                "placeholder",
                Category.SYNTAX,
                word.span,
                f"`{text}` stands for something left out",
                "write out every object, fact and condition",
            )
        else:
            self.brackets.word(word, index)
            self.stack[-1].items.append(word)
        return self.stack[-1].items

    def _go_on_after_end(self, root: Form) -> bool:
        """The definition is closed but text follows. True when it was closed too early and reading goes on in it."""
        tokens = self.tokens
        first = self.index
        while self.index < self.end and tokens.texts[self.index] == ")":
            self.index += 1
        if self.index < self.end and (tokens.at_section(self.index) or tokens.texts[self.index][0] == ":"):
            self.brackets.early_end(root, "the definition", self.index, self.brackets.last_surplus(self.index))
            self.stack.append(root)
            self.reopened = True
            return True
        if self.index > first and not self.reopened:
            self.brackets.surplus(tokens.starts[first])
        if self.index < self.end:
            end = tokens.starts[self.end] if self.end < tokens.count else len(self.source.text)
            _report_stray(self.source, self.findings, Span(tokens.starts[self.index], end), "behind")
        return False

    def _second_definition(self, start: int) -> None:
        self.findings.error(
            "second-definition",
            Category.SYNTAX,
            Span(start, start + 7),
            "a second definition starts here; a file holds one domain or one problem",
            "put the domain and the problem into files of their own",
        )
