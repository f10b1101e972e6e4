"""From the name on a command line to a model."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from groundplan.models.errors import ModelConfigError
from groundplan.models.exchange import exchange_from_json
from groundplan.models.manual import ManualModel
from groundplan.models.openai_client import OpenAICompatible
from groundplan.models.prices import Prices
from groundplan.models.protocol import Model, Reply, Usage
from groundplan.models.replay import ReplayModel
from groundplan.models.retry import Attempt
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl.diagnostics import did_you_mean
from groundplan.pddl.source import read_source

FORMS = {
    "openai": "openai:NAME      a server with OpenAI's protocol (give a base URL for vLLM, llama.cpp, Ollama, ...)",
    "replay": "replay:PATH      recorded replies: a file of JSON lines, a cache or a run",
    "manual": "manual:DIR       you, with a chat window: prompts and replies as files in DIR",
    "scripted": "scripted:FILE    replies from a text file, separated by lines of =====, or a JSON list",
}
NEEDS_NOTHING = "local"
"""The form that is whole without a colon."""
_OPENED_ELSEWHERE = {
    "local": "the small local model is opened by groundplan.train.local_model.open_local, or by name in a terminal",
    "trained": "a trained policy is opened by groundplan.train.role_model.open_trained, or by name on the command line",
}
Opener = Callable[[str], Model]
_HOSTED = re.compile(r"(gpt-\d|chatgpt-|o\d($|-)|ft:gpt-)")
_SEPARATOR = re.compile(r"^=====[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


def model_from_name(
    spec: str,
    *,
    base_url: str | None = None,
    api_key_env: str = "OPENAI_API_KEY",
    timeout_s: float = 600.0,
    max_retries: int = 5,
    prices: Mapping[str, Prices] | None = None,
    run_id: str | None = None,
    on_attempt: Callable[[Attempt], None] | None = None,
    openers: Mapping[str, Opener] | None = None,
) -> Model:
    """The model that `spec` names, in one of FORMS, or in a form of `openers` (by what stands before the colon).

    A bare NAME means openai:NAME where a base URL is given (here or as OPENAI_BASE_URL) or OpenAI hosts such a name.
    The keyword arguments concern servers alone (see OpenAICompatible); `prices` is by model name.
    Raises ModelConfigError, with the forms, for any other text.
    """
    form, colon, rest = (part.strip() for part in spec.partition(":"))
    bare = spec.strip()
    known = form.lower() in FORMS
    if form.lower() == NEEDS_NOTHING and rest:
        raise ModelConfigError(f"`{spec}`: there is one local model, which has no name behind a colon; say `local`")
    whole = rest or (form.lower() == NEEDS_NOTHING and not colon and not base_url)
    if openers and form.lower() in openers and whole:
        return openers[form.lower()](rest)
    if form.lower() in _OPENED_ELSEWHERE and (colon or not base_url):
        raise ModelConfigError(f"{spec}: {_OPENED_ELSEWHERE[form.lower()]}")
    if known and not rest:
        raise ModelConfigError(f"`{spec}` lacks what belongs behind the colon. The form is {FORMS[form.lower()]}")
    match form.lower():
        case "replay":
            return ReplayModel(Path(rest).expanduser())
        case "manual":
            return ManualModel(Path(rest).expanduser())
        case "scripted":
            return ScriptedModel(read_script(Path(rest).expanduser()))
    name = rest if known else bare
    if not name or not (known or base_url or os.environ.get("OPENAI_BASE_URL") or _HOSTED.match(bare)):
        hint = did_you_mean(form.lower(), [*FORMS, *_OPENED_ELSEWHERE])
        raise ModelConfigError(
            f"`{spec}` names no model{f' ({hint})' if hint else ''}. The forms are:\n  "
            + "\n  ".join(FORMS.values())
            + "\nA bare NAME will do where a base URL is given."
        )
    return OpenAICompatible(
        name,
        base_url,
        api_key_env,
        timeout_s=timeout_s,
        max_retries=max_retries,
        prices=(prices or {}).get(name),
        run_id=run_id,
        on_attempt=on_attempt,
    )


def read_script(path: Path) -> list[Line]:
    """The replies in a script file; each lacks the line end before its separator. Raises InputError."""
    text = read_source(path).text
    if text.lstrip().startswith("["):
        try:
            return _script_from_json(json.loads(text))
        except ValueError as error:
            if path.suffix == ".json":
                raise ModelConfigError(f"{path}: not a JSON list of replies ({error})") from error
    replies: list[Line] = [re.sub(r"\r?\n\Z", "", reply) for reply in _SEPARATOR.split(text)]
    if len(replies) > 1 and replies[-1] == "":
        replies.pop()
    return replies


def _script_from_json(items: object) -> list[Line]:
    """Texts, or objects with `text` and, if wanted, `finish` and `usage`. Raises ValueError."""
    if not isinstance(items, list):
        raise ValueError("not a list")
    return [item if isinstance(item, str) else _whole_reply(item) for item in items]


def _whole_reply(item: object) -> Reply:
    asked = {"model": "scripted", "messages": [{"role": "user", "content": ""}], "reply": item}
    reply = exchange_from_json(asked).reply
    free = isinstance(item, dict) and "usage" not in item
    return Reply(reply.text, reply.model, reply.finish, Usage(cost_usd=0.0) if free else reply.usage, reply.seconds)
