"""Which tokens may come next, by llguidance; one guide a row of a batch."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import torch
from torch import Tensor

from groundplan.errors import InputError
from groundplan.train.domain_form import DomainForm
from groundplan.train.grammar import OBJECTS, complete, facts_grammar, objects_grammar
from groundplan.train.problem_form import OBJECTS_END, NotInForm, read_objects


class Guide(Protocol):
    """Follows one reply. `allowed` gives a bit mask over the vocabulary (int32, 32 tokens a number); `accept` is told
    the token that was taken, and says whether the reply is complete."""

    def allowed(self) -> Tensor: ...

    def accept(self, token: int) -> bool: ...


class Guides:
    """Makes guides for a tokenizer; `words` is the size of the logits' last axis, which may exceed the tokenizer's."""

    def __init__(self, tokenizer: Any, vocabulary: int) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = vocabulary

    @cached_property
    def _tokens(self) -> Any:
        from llguidance.hf import from_tokenizer

        try:
            return from_tokenizer(self.tokenizer, n_vocab=self.vocabulary)
        except (ValueError, RuntimeError) as error:
            what = f"this model's tokenizer cannot be guided by a grammar ({error}); decode without one"
            raise InputError(what) from error

    def problem(self, domain: DomainForm, text: str) -> Guide:
        """A problem in short form for `domain`, with names out of `text`."""
        return ProblemGuide(self, domain, text)

    def grammar(self, lark: str) -> Matching:
        return Matching(self._tokens, lark)


class Matching:
    """One grammar, followed to its end."""

    def __init__(self, tokens: Any, lark: str) -> None:
        from llguidance import LLMatcher

        self._matcher = LLMatcher(tokens, LLMatcher.grammar_from_lark(lark), log_level=0)  # faults are asked for
        if self._matcher.is_error():
            raise InputError(f"the grammar made from this domain is refused: {self._matcher.get_error()[:200]}")
        self._words = (tokens.vocab_size + 31) // 32

    def allowed(self) -> Tensor:
        from llguidance.torch import fill_next_token_bitmask

        mask = torch.zeros(1, self._words, dtype=torch.int32)
        fill_next_token_bitmask(self._matcher, mask, 0)
        return mask[0]

    def accept(self, token: int) -> bool:
        if not self._matcher.consume_token(token):
            raise ValueError(f"token {token} breaks the grammar: {self._matcher.get_error()[:200]}")
        return bool(self._matcher.is_stopped())


class ProblemGuide:
    """Stage one until the object list is closed, then stage two over what was declared (see grammar.py).

    After each name and each fact the grammar is made anew without it.
    """

    def __init__(self, guides: Guides, domain: DomainForm, text: str) -> None:
        self._guides = guides
        self._domain = domain
        self._text = text
        self._objects: tuple[tuple[str, str], ...] | None = None
        self._begin()

    def _begin(self) -> None:
        self._tokens: list[int] = []
        self._known = ("", "")
        self._stage = self._guides.grammar(self._grammar(*self._known))

    def _grammar(self, written: str, last: str) -> str:
        if self._objects is None:
            return objects_grammar(self._domain, self._text, written, last)
        return facts_grammar(self._domain, self._objects, written)

    def allowed(self) -> Tensor:
        return self._stage.allowed()

    def accept(self, token: int) -> bool:
        self._tokens.append(token)
        ended = self._stage.accept(token)
        written = self._guides.tokenizer.decode(self._tokens)
        if not ended:
            self._narrow(written)
        elif self._objects is None:
            words = written.removeprefix(OBJECTS).removesuffix(OBJECTS_END)
            try:
                self._objects = read_objects(words)
            except NotInForm:
                self._objects = ()
            self._begin()
            return False
        return ended

    def _narrow(self, written: str) -> None:
        """Leave out what stands there by now; a token that repeats something within itself stays as it was allowed."""
        known = complete(written, self._objects is None)
        if known == self._known:
            return
        self._known = known
        try:
            stage = self._guides.grammar(self._grammar(*known))
            for token in self._tokens:
                stage.accept(token)
        except ValueError:
            return
        self._stage = stage


def unpack(mask: Tensor, vocabulary: int) -> Tensor:
    """A bit mask (..., words) as booleans (..., vocabulary)."""
    bits = torch.arange(32, dtype=torch.int32, device=mask.device)
    return ((mask[..., None] >> bits) & 1).bool().flatten(-2)[..., :vocabulary]
