"""What every Model must do. Subclass ModelContract, give `make`, and pytest runs it."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from groundplan.models.errors import BadReply, ModelError
from groundplan.models.protocol import Message, Model, Reply, Sampling, Usage

TEXT = "  (define (domain tüft-λ 🤖)\r\n\t)\n\n; spaces and line ends stay  \n"
PROMPT = (Message("system", "Answer in PDDL.\r\n"), Message("user", "Stack a on b — 🤖"))
GREEDY = Sampling()
WARM = Sampling(temperature=0.7, top_p=0.9, max_tokens=50, seed=3)


class ModelContract:
    """`make` returns a model that answers `text` to PROMPT under GREEDY (samples 0 and 1) and WARM."""

    def make(self, folder: Path, text: str) -> Model:
        raise NotImplementedError

    @pytest.fixture
    def model(self, tmp_path: Path) -> Model:
        return self.make(tmp_path, TEXT)

    def test_name_is_a_stable_text(self, model: Model) -> None:
        before = model.name
        model.reply(PROMPT, GREEDY)
        assert before
        assert model.name == before

    def test_reply_is_the_text_to_the_character(self, model: Model) -> None:
        assert model.reply(PROMPT, GREEDY).text == TEXT

    def test_reply_is_whole(self, model: Model) -> None:
        reply = model.reply(PROMPT, WARM)
        assert isinstance(reply, Reply)
        assert isinstance(reply.usage, Usage)
        assert reply.model
        assert reply.finish in ("stop", "length")
        assert reply.seconds >= 0
        assert reply.usage.prompt_tokens >= 0
        assert reply.usage.completion_tokens >= 0
        assert reply.usage.cost_usd is None or reply.usage.cost_usd >= 0

    def test_reply_is_frozen(self, model: Model) -> None:
        reply = model.reply(PROMPT, GREEDY)
        with pytest.raises(dataclasses.FrozenInstanceError):
            reply.text = "other"  # type: ignore[misc]

    def test_any_sequence_of_messages_and_left_as_it_was(self, model: Model) -> None:
        messages = list(PROMPT)
        assert model.reply(messages, GREEDY).text == TEXT
        assert messages == list(PROMPT)

    def test_second_sample(self, model: Model) -> None:
        assert model.reply(PROMPT, GREEDY, 1).text == TEXT

    def test_representation_is_short_and_holds_no_key(self, model: Model) -> None:
        model.reply(PROMPT, GREEDY)
        assert len(repr(model)) < 300
        assert os.environ.get("OPENAI_API_KEY", "no key") not in repr(model)

    def test_an_empty_answer_is_an_error_not_a_text(self, tmp_path: Path) -> None:
        model = self.make(tmp_path / "empty", " \n")
        with pytest.raises(ModelError) as caught:
            model.reply(PROMPT, GREEDY)
        assert isinstance(caught.value, self.empty_error)

    empty_error: type[ModelError] = BadReply
