"""A person with a chat window as the model: prompts go out as files, replies come back as files."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from groundplan.models.errors import BadReply, ModelConfigError, ReplyTimeout
from groundplan.models.exchange import prompt_key
from groundplan.models.protocol import Message, Reply, Sampling, Usage
from groundplan.models.storage import write_whole


def _tell(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


class ManualModel:
    """Writes each prompt to `<directory>/<key>.prompt.md` and waits for `<key>.reply.txt` beside it.

    `<key>` is the first 12 characters of the prompt's key, so the same prompt always meets the same files: a reply that
    is already there is returned at once. Otherwise the file is read when its size has stood still for two looks,
    `poll_s` seconds apart, and it holds more than white space; it is taken as it is, without stripping or changing line
    ends. `<key>.reply.model.txt` may hold the name of the model that answered. `timeout_s` None waits for ever.

    `reply` raises ReplyTimeout, BadReply for a file that is not UTF-8, and StorageError when the prompt cannot be
    written.
    """

    def __init__(
        self,
        directory: Path | str,
        poll_s: float = 1.0,
        timeout_s: float | None = None,
        tell: Callable[[str], None] = _tell,
    ) -> None:
        self._directory = Path(directory)
        self._poll_s = poll_s
        self._timeout_s = timeout_s
        self._tell = tell

    @property
    def name(self) -> str:
        return "manual"

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        stem = prompt_key(self.name, messages, sampling, sample)[:12]
        answer = self._directory / f"{stem}.reply.txt"
        started = time.monotonic()
        text = _read(answer)
        if text is None:
            prompt = self._directory / f"{stem}.prompt.md"
            write_whole(prompt, prompt_page(messages, answer.name, sample).encode("utf-8", "replace"))
            self._tell(
                f"Waiting for a reply by hand: paste {prompt} into your chat window, save the answer as {answer}"
            )
            text = self._wait(answer)
        side = _read(self._directory / f"{stem}.reply.model.txt")
        model = side.strip() if side else self.name
        return Reply(text, model, usage=Usage(cost_usd=0.0), seconds=time.monotonic() - started)

    def _wait(self, answer: Path) -> str:
        started = time.monotonic()
        size = -1
        while True:
            if self._timeout_s is not None and time.monotonic() - started > self._timeout_s:
                raise ReplyTimeout(
                    f"{self.name}: no reply in {answer} within {self._timeout_s:g} s; save it and resume"
                )
            time.sleep(self._poll_s)
            last, size = size, _size(answer)
            if size > 0 and size == last:
                text = _read(answer)
                if text is not None:
                    return text


def prompt_page(messages: Sequence[Message], answer: str, sample: int = 0) -> str:
    """The page for a person: what to do, a line, and the messages as they are to be pasted."""
    again = f" This is sample {sample + 1} of the same prompt: open a new chat for it." if sample else ""
    head = (
        f"Paste everything below the line into your chat window, save the answer as {answer} (UTF-8).{again}\n\n---\n\n"
    )
    if len(messages) == 1:
        return head + messages[0].content
    titles = {"system": "Instructions", "user": "Question", "assistant": "Your earlier answer"}
    return head + "\n\n".join(f"## {titles[message.role]}\n\n{message.content}" for message in messages)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return -1


def _read(file: Path) -> str | None:
    """The file's text to the byte, or None while there is none."""
    try:
        text = file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise BadReply(f"{file}: not UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8") from error
    except OSError as error:
        raise ModelConfigError(f"{file}: cannot be read ({error.strerror or error})") from error
    return text if text.strip() else None
