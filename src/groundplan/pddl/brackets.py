"""Where a bracket is missing or one too many: saying so, and putting the open forms right.

Section names and the keywords of an action stand at a known depth. One that stands deeper tells of a bracket that was
not closed, one that stands higher tells of a bracket that was closed too early.
"""

from __future__ import annotations

from itertools import accumulate

from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.forms import Form, Word
from groundplan.pddl.source import Source, Span
from groundplan.pddl.tokens import Tokens

SECTIONS = frozenset(
    ":requirements :types :constants :predicates :functions :action :derived :durative-action :process :event "
    ":constraints :domain :objects :init :goal :metric :length".split()
)
ACTION_KEYWORDS = frozenset(":parameters :precondition :effect :duration :condition".split())
_ACTIONS = frozenset(":action :durative-action :process :event".split())
_OF_NAMES = frozenset(":requirements :types :constants :objects".split())
_OF_FORMS = frozenset(":predicates :functions :init :goal".split()) | _ACTIONS


class Brackets:
    """Repairs the stack of open forms of one definition; the definition itself is at its bottom."""

    def __init__(self, source: Source, findings: Findings, tokens: Tokens, stack: list[Form]) -> None:
        self.source = source
        self.findings = findings
        self.tokens = tokens
        self.stack = stack
        self._looked_until = -1
        self._closes_again = False
        self._open_behind: list[int] = []
        self._last_bracket = 0

    def form(self, index: int) -> None:
        """A bracket opens at token `index`: a section inside another form, or no section between the sections."""
        following = self.tokens.text(index + 1)
        if len(self.stack) > 1:
            if following in SECTIONS:
                self.missing_before(self.tokens.starts[index], f"({following}", 1)
            return
        last = self._last_section(_OF_FORMS)
        if last is not None and ":" + following not in SECTIONS and self._closed_early(index):
            self._reopen(last, index)

    def word(self, word: Word, index: int) -> None:
        """A keyword anywhere, or any word between the sections."""
        depth = len(self.stack)
        if word.text in ACTION_KEYWORDS:
            last = self._last_section(_ACTIONS)
            if depth > 2 and self.stack[1].head in _ACTIONS and self.stack[-1].items:
                self.missing_before(word.start, word.text, 2)
            elif depth == 1 and last is not None:
                self._reopen(last, index)
        elif depth == 1 and word.text in SECTIONS:
            self._open_before(word)
        elif depth == 1:
            last = self._last_section(_OF_NAMES)
            if last is not None and self._closed_early(index):
                self._reopen(last, index)

    def _last_section(self, kinds: frozenset[str]) -> Form | None:
        """The section that was closed last, where it is the last thing read and of one of these kinds."""
        items = self.stack[0].items
        last = items[-1] if len(self.stack) == 1 and items else None
        return last if isinstance(last, Form) and last.head in kinds else None

    def _closed_early(self, index: int) -> bool:
        """Whether what stands between the sections at token `index` is followed by a bracket that closes a section.

        Otherwise the brackets around it are in order, and it stands there by mistake.
        """
        if index >= self._looked_until:
            texts, depth = self.tokens.texts, 0
            for place in range(index, self.tokens.count):
                if texts[place] == "(":
                    if not depth and texts[place + 1][:1] == ":":
                        break
                    depth += 1
                elif texts[place] == ")":
                    depth -= 1
                    if depth < 0:
                        break
            else:
                place = self.tokens.count
            self._looked_until = place
            following = self.tokens.text(place + 1)[:1]
            self._closes_again = self.tokens.text(place) == ")" and following in ("(", ")", ":") and following != ""
        return self._closes_again

    # --- repairs ---

    def missing_before(self, start: int, keyword: str, depth: int) -> None:
        """Close all forms down to `depth`: `keyword` starts inside a form that should be closed by now."""
        inner = self.stack[-1]
        place = self.source.position(inner.start)
        count = len(self.stack) - depth
        what = "a closing bracket is" if count == 1 else f"{count} closing brackets are"
        self.findings.error(
            "missing-bracket",
            Category.SYNTAX,
            Span(start, start + len(keyword)),
            f"{what} missing before `{keyword}`: `{label(self.stack[depth])}` is still open "
            f"(innermost open bracket: line {place.line}, column {place.column})",
            f"close it before `{keyword}`",
            ("the bracket that is still open", Span(inner.start, inner.start + 1), self.source),
        )
        for form in self.stack[depth:]:
            form.end = start
            form.closed = True
        del self.stack[depth:]

    def _open_before(self, word: Word) -> None:
        self.findings.error(
            "missing-bracket",
            Category.SYNTAX,
            word.span,
            f"an opening bracket is missing before `{word.text}`",
            f"write `({word.text}`",
        )
        form = Form(word.start)
        self.stack[-1].items.append(form)
        self.stack.append(form)

    def _reopen(self, form: Form, index: int) -> None:
        self.early_end(form, f"`{label(form)}`", index)
        self.stack.append(form)

    def early_end(self, form: Form, what: str, index: int, more: str = "") -> None:
        """Report the bracket that closed `form` before the token at `index`, which belongs into it."""
        start = self.tokens.starts[index]
        words = self.source.text[start : start + 80].split(None, 2)
        lost = " ".join(words[:2]).split(")")[0][:60]
        line = self.source.position(start).line
        self.findings.error(
            "surplus-bracket",
            Category.SYNTAX,
            Span(form.end - 1, form.end),
            f"this `)` ends {what} too early: `{lost}` in line {line} and what follows fall outside it{more}",
            "delete this bracket",
            (f"`{lost}` stands outside", Span(start, start + len(lost)), self.source),
        )

    def last_surplus(self, index: int) -> str:
        """What to say of the last `)` of the text if the text behind token `index` closes more than it opens."""
        texts = self.tokens.texts
        if not self._open_behind:
            depths = accumulate((text == "(") - (text == ")") for text in reversed(texts))
            self._open_behind = list(reversed(list(depths)))
            self._last_bracket = max(i for i, text in enumerate(texts) if text in ("(", ")"))
        if self._open_behind[index] >= 0 or texts[self._last_bracket] == "(":
            return ""
        line = self.source.position(self.tokens.starts[self._last_bracket]).line
        return f", and the `)` in line {line} closes nothing"

    def surplus(self, start: int) -> None:
        self.findings.error(
            "surplus-bracket",
            Category.SYNTAX,
            Span(start, start + 1),
            "this `)` closes nothing",
            "delete it, or look for a bracket that is missing further up",
        )

    def text_ended(self, too_deep: int) -> None:
        """Brackets are open at the end of the text. What was not finished is left out: half an atom or half an
        action says something that nobody wrote."""
        stack = self.stack
        count = len(stack) + too_deep
        end = len(self.source.text.rstrip())
        section = stack[1] if len(stack) > 1 else stack[0]
        line = self.source.position(section.start).line
        span = Span(max(0, end - 1), end)
        opened = ("opened here", Span(section.start, section.start + 1), self.source)
        if count == 1 and len(section.items) > 2:
            self.findings.error(
                "missing-bracket",
                Category.SYNTAX,
                span,
                f"the closing bracket of the definition (opened in line {line}) is missing at the end",
                "add one `)`, or give the whole text again if it was cut off",
                opened,
            )
        else:
            brackets = "1 bracket is" if count == 1 else f"{count} brackets are"
            self.findings.error(
                "text-ends-early",
                Category.SYNTAX,
                span,
                f"the text ends early, inside `{label(section)}` (opened in line {line}): {brackets} open",
                "give the whole text again; adding brackets would guess at what is missing",
                opened,
            )
        for form in stack:
            form.end = end
        if len(stack) > 1:
            (stack[0] if section.head in _ACTIONS else stack[-2]).items.pop()


def label(form: Form) -> str:
    """What to call a form in a message: its first word, and the name behind it where it has one."""
    head = form.head
    if head in _ACTIONS or head in ("define", "domain", "problem"):
        second = form.items[1] if len(form.items) > 1 else None
        return f"{head} {second.text}" if isinstance(second, Word) else head
    return head if head in SECTIONS else f"({head} ..."
