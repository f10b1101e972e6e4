"""From text to nested forms, with recovery: where a bracket is missing or one too many, reading goes on.

Iterative throughout, so no input exhausts Python's stack; forms nested deeper than MAX_DEPTH are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.source import Source, Span

MAX_DEPTH = 100
"""No real task nests deeper than about ten; later stages may recurse over forms because of this bound."""


class Word:
    """A name, variable, keyword or number: `text` in lower case, and where it stands."""

    __slots__ = ("end", "start", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Form:
    """A bracketed list of words and forms; `closed` is false where the text ended before its bracket."""

    __slots__ = ("closed", "end", "items", "start")

    def __init__(self, start: int) -> None:
        self.items: list[Word | Form] = []
        self.start = start
        self.end = start + 1
        self.closed = False

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def head(self) -> str:
        """The first word, or an empty string."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Node = Word | Form

_TOKEN = re.compile(r"[()]|;[^\r\n]*|\?[^\s();?]*|[^\s();?]+")
_PLACEHOLDER = re.compile(r"\.{2,}|…+|<\.\.\.>|\[\.\.\.\]")
_FENCE = re.compile(r"`{3,}|~{3,}")


def read_definition(source: Source, findings: Findings) -> Form | None:
    """The first `(define ...)` form of a text. None (with an error) when there is none."""
    tokens = _tokens(source.text)
    _skip_to_define(source, findings, tokens)
    if tokens.done:
        return None
    return _FormReader(source, findings, tokens).read()


class _Tokens:
    """Tokens with one place of look-ahead; comments are left out."""

    def __init__(self, words: Iterator[tuple[str, int]]) -> None:
        self._words = words
        self.text = ""
        self.start = 0
        self.done = False
        self._ahead: list[tuple[str, int]] = []
        self.advance()

    def advance(self) -> None:
        if self._ahead:
            self.text, self.start = self._ahead.pop(0)
            return
        try:
            self.text, self.start = next(self._words)
        except StopIteration:
            self.text, self.done = "", True

    def following(self) -> str:
        """The token after the present one, without moving; an empty string at the end."""
        if not self._ahead:
            try:
                self._ahead.append(next(self._words))
            except StopIteration:
                return ""
        return self._ahead[0][0]


def _tokens(text: str) -> _Tokens:
    return _Tokens((match.group(), match.start()) for match in _TOKEN.finditer(text) if match.group()[0] != ";")


def _skip_to_define(source: Source, findings: Findings, tokens: _Tokens) -> None:
    """Move to the bracket of the first `(define`; what stands before it is reported once."""
    if tokens.done:
        findings.error(
            "empty-text",
            Category.SYNTAX,
            Span(0, len(source.text)),
            f"{source.name} holds no PDDL: the text is empty",
            "a definition starts with `(define (domain name)` or `(define (problem name)`",
        )
        return
    first = tokens.start
    stray = not _at_define(tokens)
    while not tokens.done and not _at_define(tokens):
        tokens.advance()
    if tokens.done:
        findings.error(
            "no-definition",
            Category.SYNTAX,
            Span(first, min(len(source.text), first + 1)),
            "no PDDL definition here: the text nowhere says `(define ...`",
            "a definition starts with `(define (domain name)` or `(define (problem name)`",
        )
    elif stray:
        report_stray(source, findings, Span(first, tokens.start), "before")


def _at_define(tokens: _Tokens) -> bool:
    return tokens.text == "(" and tokens.following().lower() == "define"


def report_stray(source: Source, findings: Findings, span: Span, where: str) -> None:
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

    def __init__(self, source: Source, findings: Findings, tokens: _Tokens) -> None:
        self.source = source
        self.findings = findings
        self.tokens = tokens
        self.stack: list[Form] = []
        self.too_deep = 0
        self.reopened = False

    def read(self) -> Form:
        root = Form(self.tokens.start)
        self.stack = [root]
        self.tokens.advance()
        while not self.tokens.done:
            if not self.stack and not self._go_on_after_end(root):
                break
            self._take()
        if self.stack:
            self._text_ended()
        return root

    def _take(self) -> None:
        text, start = self.tokens.text, self.tokens.start
        if text == "(":
            self._open(start)
        elif text == ")":
            self._close(start)
        elif not self.too_deep:
            self._word(text, start)
        self.tokens.advance()

    def _open(self, start: int) -> None:
        if self.too_deep or len(self.stack) >= MAX_DEPTH:
            if not self.too_deep:
                self.findings.error(
                    "nested-too-deep",
                    Category.SYNTAX,
                    Span(start, start + 1),
                    f"brackets are nested more than {MAX_DEPTH} deep",
                )
            self.too_deep += 1
            return
        if len(self.stack) > 1 and self.tokens.following().startswith(":"):
            self._missing_before(start)
        form = Form(start)
        self.stack[-1].items.append(form)
        self.stack.append(form)

    def _close(self, start: int) -> None:
        if self.too_deep:
            self.too_deep -= 1
            return
        form = self.stack.pop()
        form.end = start + 1
        form.closed = True

    def _word(self, text: str, start: int) -> None:
        end = start + len(text)
        if text in ("'", "`", "#'"):
            self.findings.error(
                "quote-mark",
                Category.SYNTAX,
                Span(start, end),
                f"the quote mark `{text}` is Lisp, PDDL has none",
                "drop it",
            )
        elif _PLACEHOLDER.fullmatch(text):
            self.findings.error(
                "placeholder",
                Category.SYNTAX,
                Span(start, end),
                f"`{text}` stands for something left out",
                "write out every object, fact and condition",
            )
        else:
            self.stack[-1].items.append(Word(text.lower(), start, end))

    def _missing_before(self, start: int) -> None:
        """A section starts inside another form: its closing bracket is missing. Close all down to the definition."""
        keyword = self.tokens.following()
        inner = self.stack[-1]
        section = self.stack[1]
        place = self.source.position(inner.start)
        count = len(self.stack) - 1
        what = "a closing bracket is" if count == 1 else f"{count} closing brackets are"
        self.findings.error(
            "missing-bracket",
            Category.SYNTAX,
            Span(start, start + 1 + len(keyword)),
            f"{what} missing before `({keyword}`: `{_label(section)}` is still open "
            f"(innermost open bracket: line {place.line}, column {place.column})",
            "close the section before the next one starts",
            ("the bracket that is still open", Span(inner.start, inner.start + 1), self.source),
        )
        for form in self.stack[1:]:
            form.end = start
            form.closed = True
        del self.stack[1:]

    def _go_on_after_end(self, root: Form) -> bool:
        """The definition is closed but text follows. True when it was closed too early and reading goes on in it."""
        first = self.tokens.start
        surplus = False
        while self.tokens.text == ")":
            surplus = True
            self.tokens.advance()
        start = self.tokens.start
        if self.tokens.text == "(" and self.tokens.following().startswith(":"):
            self._closed_early(root, start)
            self.stack = [root]
            self.reopened = True
            return True
        if surplus and not self.reopened:
            self._surplus(first)
        if self.tokens.done:
            return False
        if _at_define(self.tokens):
            self.findings.error(
                "second-definition",
                Category.SYNTAX,
                Span(start, start + 7),
                "a second definition starts here; a file holds one domain or one problem",
                "put the domain and the problem into files of their own",
            )
        else:
            report_stray(self.source, self.findings, Span(start, len(self.source.text)), "behind")
        return False

    def _surplus(self, start: int) -> None:
        self.findings.error(
            "surplus-bracket",
            Category.SYNTAX,
            Span(start, start + 1),
            "this `)` closes nothing",
            "delete it, or look for a bracket that is missing further up",
        )

    def _closed_early(self, root: Form, start: int) -> None:
        words = self.source.text[start : start + 80].split(None, 2)
        lost = " ".join(words[:2]).split(")")[0]
        line = self.source.position(start).line
        self.findings.error(
            "surplus-bracket",
            Category.SYNTAX,
            Span(root.end - 1, root.end),
            f"this `)` ends the definition too early: `{lost}` in line {line} and what follows fall outside it, "
            "and the last `)` of the text closes nothing",
            "delete this bracket",
            (f"`{lost}` stands outside the definition", Span(start, start + len(lost)), self.source),
        )

    def _text_ended(self) -> None:
        """Brackets are open at the end of the text."""
        count = len(self.stack) + self.too_deep
        end = len(self.source.text.rstrip())
        section = self.stack[1] if len(self.stack) > 1 else self.stack[0]
        line = self.source.position(section.start).line
        span = Span(max(0, end - 1), end)
        opened = ("opened here", Span(section.start, section.start + 1), self.source)
        if count == 1:
            self.findings.error(
                "missing-bracket",
                Category.SYNTAX,
                span,
                f"the closing bracket of the definition (opened in line {line}) is missing at the end",
                "add one `)`, or give the whole text again if it was cut off",
                opened,
            )
        else:
            self.findings.error(
                "text-ends-early",
                Category.SYNTAX,
                span,
                f"the text ends early, inside `{_label(section)}` (opened in line {line}): {count} brackets are open",
                "give the whole text again; adding brackets would guess at what is missing",
                opened,
            )
        for form in self.stack:
            form.end = end
        if count > 1:
            _drop_unfinished(self.stack)


def _drop_unfinished(stack: list[Form]) -> None:
    """Take the innermost unfinished form out of its parent: half an atom says something that nobody wrote."""
    if len(stack) > 1 and stack[-2].items and stack[-2].items[-1] is stack[-1]:
        stack[-2].items.pop()


def _label(form: Form) -> str:
    head = form.head
    if head in (":action", ":derived", ":durative-action", "define") and len(form.items) > 1:
        second = form.items[1]
        return f"{head} {second.text}" if isinstance(second, Word) else head
    return head or "("


def find_definitions(text: str) -> list[Span]:
    """Where the `(define ...)` forms of a text stand, prose and fences around them ignored.

    A definition that is never closed runs to the next `(define` or to the end of the text.
    """
    spans: list[Span] = []
    start, depth = -1, 0
    tokens = _tokens(text)
    while not tokens.done:
        if _at_define(tokens):
            if start >= 0:
                spans.append(Span(start, tokens.start))
            start, depth = tokens.start, 0
        if start >= 0 and tokens.text in ("(", ")"):
            depth += 1 if tokens.text == "(" else -1
        end = tokens.start + 1
        tokens.advance()
        if start >= 0 and depth == 0:
            while tokens.text == ")":
                end = tokens.start + 1
                tokens.advance()
            if tokens.text == "(" and tokens.following().startswith(":"):
                depth = 1
            else:
                spans.append(Span(start, end))
                start = -1
    if start >= 0:
        spans.append(Span(start, len(text)))
    return spans
