"""A trained policy as a language model for everything that names one (`--model trained:DIR`, `--model local`)."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from groundplan.errors import InputError
from groundplan.formalize.contexts import RoleContext, read_context
from groundplan.models.errors import ModelConfigError
from groundplan.models.protocol import Message, Reply, Sampling, Usage
from groundplan.pddl.read import check_sources, domain_from_text
from groundplan.pddl.source import Source
from groundplan.train.backbone import load_backbone
from groundplan.train.checkpoint import load_weights, policy_folder, read_head
from groundplan.train.contexts import actor_context, editor_context, judge_context
from groundplan.train.domain_form import DomainForm, domain_form
from groundplan.train.guides import Guides
from groundplan.train.policy import PolicySettings, Role, RolePolicy
from groundplan.train.problem_form import NotInForm, form_of, problem_pddl, read_form, write_form
from groundplan.train.sampling import Decoding, write

LONGEST = 768
"""Tokens of a reply at most: a problem that needs more is beyond what small policies were trained on."""


def load_policy(folder: Path) -> RolePolicy:
    """The policy that training left in `folder` (a run's `policy` directory, or the run itself). Raises InputError."""
    place = policy_folder(folder)
    head = read_head(place)
    policy = RolePolicy(load_backbone(head["backbone"]), PolicySettings.model_validate(head["policy"]))
    load_weights(policy, place)
    return policy.eval()


def open_trained(folder: Path) -> RoleModel:
    """`--model trained:DIR`. Raises InputError where no policy can be read there."""
    return RoleModel(load_policy(folder), f"trained:{folder}")


class RoleModel:
    """Answers the prompts of formalization in its roles; thread-safe, one question at a time.

    `reply` raises ModelConfigError for other prompts and where no domain is given: such a policy writes problems for a
    given domain, and nothing else. `watch` is shown the domain of each question.
    """

    def __init__(self, policy: RolePolicy, name: str, watch: Callable[[DomainForm], None] | None = None) -> None:
        self._policy = policy
        self._name = name
        self._watch = watch
        self._lock = threading.Lock()
        self._guides = Guides(policy.tokenizer, policy.model_of(Role.ACTOR).get_output_embeddings().weight.shape[0])

    @property
    def name(self) -> str:
        return self._name

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        context = read_context(messages)
        if context is None or not context.specification.domain:
            raise ModelConfigError(
                f"{self._name} writes problems for a domain that is given, and answers nothing else: "
                "name one with --domain, and leave checks that ask a model out"
            )
        started = time.monotonic()
        with self._lock, torch.no_grad():
            text, finish, read, written = self._answer(context, sampling, sample)
        return Reply(text, self._name, finish, Usage(read, written, 0.0), time.monotonic() - started)

    def _answer(self, context: RoleContext, sampling: Sampling, sample: int) -> tuple[str, str, int, int]:
        domain = domain_form(domain_from_text(context.specification.domain))
        if self._watch:
            self._watch(domain)
        present = _short(context, domain)
        if context.role == "judge":
            ids = self._encode(judge_context(domain, context.text, present))
            score = float(self._policy.judge_logits([ids]).sigmoid())
            said = json.dumps({"score": round(score, 4), "reasons": ["the trained Judge's forecast of success"]})
            return said, "stop", len(ids), 0
        role = Role(context.role)
        asked = actor_context(domain, context.text)
        if role is Role.EDITOR:
            asked = editor_context(domain, context.text, present, context.diagnostics)
        ids = self._encode(asked)
        decoding = Decoding(
            temperature=sampling.temperature, nucleus=sampling.top_p, max_tokens=min(sampling.max_tokens, LONGEST)
        )
        seed = random.Random(f"{sampling.seed} {sample}").getrandbits(60)
        guide = self._guides.problem(domain, context.text)
        [found] = write(self._policy, role, [ids], decoding, [guide], [seed])
        return _long(found.text, domain), "stop" if found.finished else "length", len(ids), len(found.tokens)

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._policy.tokenizer.encode(text, add_special_tokens=False)
        return ids


def _short(context: RoleContext, domain: DomainForm) -> str:
    """The present problem in short form, as the policy was trained to read it; as it stands where that fails."""
    specification = context.specification
    if not specification.problem:
        return ""
    result = check_sources(Source(specification.domain, "domain.pddl"), Source(specification.problem, "problem.pddl"))
    try:
        return "".join(write_form(form_of(result.task().problem, domain)))
    except (InputError, NotInForm):
        return specification.problem


def _long(text: str, domain: DomainForm) -> str:
    """A fenced PDDL problem; what was cut off is given as it stands."""
    try:
        return f"```pddl\n{problem_pddl(read_form(text), domain)}```"
    except NotInForm:
        return f"```pddl\n(define (problem written) (:domain {domain.name})\n{text}"
