"""The answer of an OpenAI-compatible server, read without trusting its shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from groundplan.models.errors import BadReply
from groundplan.models.openai_failures import without_keys
from groundplan.models.prices import Prices
from groundplan.models.protocol import Reply, Usage


def decode_answer(data: bytes, place: str, key: str) -> Mapping[str, Any]:
    """The JSON object in `data`. Raises BadReply for anything else; its message begins with `place` (model and URL)
    and quotes the answer without `key`."""
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        start = without_keys(data[:2000].decode("utf-8", "replace"), key)[:80]
        page = "a web page" if start.startswith("<") else "something that is not JSON"
        raise BadReply(
            f"{place}: answered with {page}: `{start}`. Is the base URL right? It usually ends in /v1"
        ) from None
    if not isinstance(answer, Mapping):
        raise BadReply(f"{place}: answered with JSON that is not an object")
    return answer


def read_reply(answer: Mapping[str, Any], asked: str, place: str, prices: Prices | None, seconds: float) -> Reply:
    """The reply in a chat completion. Raises BadReply, with the usage, when it holds no text."""
    usage = read_usage(answer.get("usage"), prices)
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, Mapping) or not isinstance(choice.get("message"), Mapping):
        raise BadReply(f"{place}: the answer holds no choice; ask again, or try another model", usage)
    finish = choice.get("finish_reason")
    finish = finish if isinstance(finish, str) else "stop"
    text = _text(choice["message"].get("content"))
    if finish == "content_filter":
        raise BadReply(f"{place}: the server's content filter withheld the reply; change the prompt", usage)
    if not text.strip():
        raise BadReply(f"{place}: {_why_empty(choice['message'], finish, usage)}", usage)
    model = answer.get("model")
    return Reply(text, model if isinstance(model, str) and model else asked, finish, usage, seconds)


def read_usage(data: object, prices: Prices | None) -> Usage:
    """Tokens and cost; zeros where the server does not say."""
    if not isinstance(data, Mapping):
        return Usage()
    prompt, completion = _count(data.get("prompt_tokens")), _count(data.get("completion_tokens"))
    details = data.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, Mapping) else 0
    return Usage(prompt, completion, None if prices is None else prices.cost(prompt, completion, cached))


def _text(content: object) -> str:
    """The content as a text: some servers send a list of parts. Halves of surrogate pairs become U+FFFD."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        return ""
    return content.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _why_empty(message: Mapping[str, Any], finish: str, usage: Usage) -> str:
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return f"the model refused: {refusal[:200]}"
    if message.get("tool_calls"):
        return "the model called a tool instead of answering; turn tools off on the server"
    if finish == "length":
        return (
            f"the reply is empty: all {usage.completion_tokens or ''} tokens went before the first word of the answer, "
            "as reasoning perhaps; raise max_tokens"
        ).replace("  ", " ")
    return "the reply is empty; ask again, or try another model"


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
