"""From text to nested forms, with recovery: where a bracket is missing or one too many, reading goes on.

Iterative throughout, so no input exhausts Python's stack; forms nested deeper than MAX_DEPTH are refused.
"""

from __future__ import annotations

import re

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

_TOKEN = re.compile(r"[()]|\?[^\s()?]*|[^\s()?]+")
_COMMENT = re.compile(r";[^\r\n]*")
_PLACEHOLDER = re.compile(r"\.{2,}|…+|<\.\.\.>|\[\.\.\.\]")
_SUSPICIOUS = frozenset("'`#.…<[")
"""First characters of what may be a quote mark or a placeholder."""
_FENCE = re.compile(r"`{3,}|~{3,}")


def read_definition(source: Source, findings: Findings) -> Form | None:
    """The first `(define ...)` form of a text. None (with an error) when there is none."""
    tokens = _Tokens(source.text)
    index = _skip_to_define(source, findings, tokens)
    if index is None:
        return None
    return _FormReader(source, findings, tokens, index).read()


class _Tokens:
    """The tokens of a text in lower case, comments left out: two lists of the same length."""

    __slots__ = ("count", "starts", "texts")

    def __init__(self, text: str) -> None:
        lower = text.lower()
        if len(lower) != len(text):  # some capital letters grow; offsets must not move
            lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
        if ";" in lower:
            lower = _COMMENT.sub(lambda match: " " * len(match.group()), lower)
        self.texts: list[str] = _TOKEN.findall(lower)
        # Only blanks stand between two tokens, so the next place a token is found is its own.
        self.starts: list[int] = []
        place = 0
        for token in self.texts:
            place = lower.find(token, place)
            self.starts.append(place)
            place += len(token)
        self.count = len(self.texts)

    def text(self, index: int) -> str:
        """The token at an index, or an empty string behind the end."""
        return self.texts[index] if index < self.count else ""

    def at_define(self, index: int) -> bool:
        return self.text(index) == "(" and self.text(index + 1) == "define"

    def at_section(self, index: int) -> bool:
        return self.text(index) == "(" and self.text(index + 1)[:1] == ":"


def _skip_to_define(source: Source, findings: Findings, tokens: _Tokens) -> int | None:
    """The index of the first `(define`; what stands before it is reported once. None when there is none."""
    if not tokens.count:
        findings.error(
            "empty-text",
            Category.SYNTAX,
            Span(0, len(source.text)),
            f"{source.name} holds no PDDL: the text is empty",
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
        report_stray(source, findings, Span(first, tokens.starts[index]), "before")
    return index


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

    def __init__(self, source: Source, findings: Findings, tokens: _Tokens, index: int) -> None:
        self.source = source
        self.findings = findings
        self.tokens = tokens
        self.index = index
        self.stack: list[Form] = []
        self.too_deep = 0
        self.reopened = False

    def read(self) -> Form:
        root = Form(self.tokens.starts[self.index])
        self.stack.append(root)
        self.index += 1
        self._read_open_forms()
        while not self.stack and self.index < self.tokens.count and self._go_on_after_end(root):
            self._read_open_forms()
        if self.stack:
            self._text_ended()
        return root

    def _read_open_forms(self) -> None:
        """Read until the definition is closed or the text ends. The hot loop of the reader."""
        texts, starts, stack = self.tokens.texts, self.tokens.starts, self.stack
        items = stack[-1].items
        for index in range(self.index, self.tokens.count):
            text, start = texts[index], starts[index]
            if text == "(":
                if self.too_deep or len(stack) >= MAX_DEPTH:
                    self._too_deep(start)
                    continue
                if len(stack) > 1 and self.tokens.text(index + 1)[:1] == ":":
                    self._missing_before(start, self.tokens.text(index + 1))
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
            elif not self.too_deep and (text[0] not in _SUSPICIOUS or self._is_word(text, start)):
                items.append(Word(text, start, start + len(text)))
        self.index = self.tokens.count

    def _too_deep(self, start: int) -> None:
        if not self.too_deep:
            message = f"brackets are nested more than {MAX_DEPTH} deep"
            self.findings.error("nested-too-deep", Category.SYNTAX, Span(start, start + 1), message)
        self.too_deep += 1

    def _is_word(self, text: str, start: int) -> bool:
        """Report quote marks and placeholders; says whether the token is a word all the same."""
        span = Span(start, start + len(text))
        if text in ("'", "`", "#'"):
            message = f"the quote mark `{text}` is Lisp, PDDL has none"
            self.findings.error("quote-mark", Category.SYNTAX, span, message, "drop it")
            return False
        if _PLACEHOLDER.fullmatch(text):
            self.findings.error(
                "placeholder",
                Category.SYNTAX,
                span,
                f"`{text}` stands for something left out",
                "write out every object, fact and condition",
            )
            return False
        return True

    def _missing_before(self, start: int, keyword: str) -> None:
        """A section starts inside another form: its closing bracket is missing. Close all down to the definition."""
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
        tokens = self.tokens
        first = self.index
        while tokens.text(self.index) == ")":
            self.index += 1
        if tokens.at_section(self.index):
            self._closed_early(root, tokens.starts[self.index])
            self.stack.append(root)
            self.reopened = True
            return True
        if self.index > first and not self.reopened:
            self._surplus(tokens.starts[first])
        if self.index >= tokens.count:
            return False
        start = tokens.starts[self.index]
        if tokens.at_define(self.index):
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
    start, depth, index = -1, 0, 0
    tokens = _Tokens(text)
    while index < tokens.count:
        if tokens.at_define(index):
            if start >= 0:
                spans.append(Span(start, tokens.starts[index]))
            start, depth = tokens.starts[index], 0
        if start >= 0 and tokens.texts[index] in ("(", ")"):
            depth += 1 if tokens.texts[index] == "(" else -1
            if depth == 0:
                while tokens.text(index + 1) == ")":
                    index += 1
                if tokens.at_section(index + 1):
                    depth = 1  # closed too early: what follows belongs to it
                else:
                    spans.append(Span(start, tokens.starts[index] + 1))
                    start = -1
        index += 1
    if start >= 0:
        spans.append(Span(start, len(text)))
    return spans
