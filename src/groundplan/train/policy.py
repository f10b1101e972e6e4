"""The role-conditioned policy: one backbone, three roles (section 3.2, Eqs. 2-4).

The parameters are theta = theta_sh + theta_A + theta_J + theta_E (Eq. 3). Shared are the backbone itself or, where it
is too large to train, low-rank adapters on it; a role's own are its embedding e_rho before the context, low-rank
adapters, and for the Judge its scalar head g (Eq. 4). With `separate`, each role has a whole backbone of its own (the
ablation "3 x 7B").
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Literal

import torch
from peft import LoraConfig, inject_adapter_in_model
from peft.tuners.tuners_utils import BaseTunerLayer
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn

from groundplan.errors import InputError
from groundplan.train.backbone import Backbone


class Role(StrEnum):
    ACTOR = "actor"
    JUDGE = "judge"
    EDITOR = "editor"


SHARED = "shared"


class PolicySettings(BaseModel):
    """Which parameters there are. `backbone` says what of theta_sh learns: all of it ("full"), low-rank adapters of
    `shared_rank` ("lora"), or nothing ("frozen"). `role_share` is the wished share of each role's own parameters in
    all (about 1.67 % in section A.3), from which the rank follows; `role_rank` sets it outright."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backbone: Literal["full", "lora", "frozen"] = "full"
    shared_rank: int = Field(16, ge=1)
    role_share: float = Field(0.0167, gt=0, lt=0.5)
    role_rank: int | None = Field(None, ge=1)
    separate: bool = False


class RolePolicy(nn.Module):
    """pi_theta(. | c, rho) = LM_theta(. | [e_rho; c]) (Eq. 2), and the Judge's score (Eq. 4)."""

    def __init__(self, backbone: Backbone, settings: PolicySettings, seed: int = 0) -> None:
        super().__init__()
        self.tokenizer = backbone.tokenizer
        self.backbone_name = backbone.name
        self.settings = settings
        width = backbone.model.get_input_embeddings().weight.shape[1]
        self.role_rank = settings.role_rank or rank_for_share(backbone.model, settings.role_share)
        generator = torch.Generator().manual_seed(seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.models = nn.ModuleDict(_models(backbone.model, settings, self.role_rank))
        mean = backbone.model.get_input_embeddings().weight.detach().float().mean(0)
        noise = backbone.model.get_input_embeddings().weight.detach().float().std()
        self.embeddings = nn.ParameterDict(
            {role: nn.Parameter(mean + noise * torch.randn(width, generator=generator)) for role in Role}
        )
        self.judge_head = _zero_head(width)
        self.value_heads = nn.ModuleDict({role: _zero_head(width) for role in (Role.ACTOR, Role.EDITOR)})
        self.active: Role | None = None
        self.activate(Role.ACTOR)

    @property
    def device(self) -> torch.device:
        return self.judge_head.weight.device

    def model_of(self, role: Role) -> Any:
        return self.models[role if self.settings.separate else SHARED]

    def activate(self, role: Role | None) -> Any:
        """Switch the adapters of `role` on (None: the bare backbone) and return its model."""
        model = self.model_of(role or Role.ACTOR)
        if role is not self.active or self.settings.separate:
            names = [] if role is None else [SHARED, role]
            for layer in model.modules():
                if isinstance(layer, BaseTunerLayer):
                    present = [name for name in names if name in layer.lora_A]
                    layer._active_adapter = present
                    layer._disable_adapters = not present
            self.active = role
        return model

    def hidden(self, role: Role, contexts: Sequence[Sequence[int]], replies: Sequence[Sequence[int]]) -> list[Tensor]:
        """The last hidden states of [e_rho; context; reply] for each row: shape (1 + context + reply, width) each.

        Rows are padded on the right, which causal attention cannot see.
        """
        model = self.activate(role)
        rows = [
            torch.tensor([*context, *reply], device=self.device)
            for context, reply in zip(contexts, replies, strict=True)
        ]
        lengths = [len(row) + 1 for row in rows]
        ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=self.tokenizer.eos_token_id)
        inputs = self.with_role(role, model.get_input_embeddings()(ids))
        mask = (
            torch.arange(inputs.shape[1], device=self.device)[None] < torch.tensor(lengths, device=self.device)[:, None]
        )
        states = model.get_decoder()(
            inputs_embeds=inputs, attention_mask=mask.long(), use_cache=False
        ).last_hidden_state
        return [state[:length] for state, length in zip(states, lengths, strict=True)]

    def with_role(self, role: Role, inputs: Tensor) -> Tensor:
        """Put e_rho before embedded tokens (batch, length, width)."""
        first = self.embeddings[role].to(inputs.dtype).expand(inputs.shape[0], 1, -1)
        return torch.cat([first, inputs], dim=1)

    def reply_logits(
        self, role: Role, contexts: Sequence[Sequence[int]], replies: Sequence[Sequence[int]]
    ) -> list[tuple[Tensor, Tensor]]:
        """For each row the logits of its reply's tokens (reply, vocabulary) and the state before it (width,)."""
        head = self.model_of(role).get_output_embeddings()
        found = []
        for state, context, reply in zip(self.hidden(role, contexts, replies), contexts, replies, strict=True):
            found.append((head(state[len(context) : len(context) + len(reply)]), state[len(context)]))
        return found

    def judge_logits(self, contexts: Sequence[Sequence[int]]) -> Tensor:
        """g_theta([e_J; x; y]) of Eq. 4, one number a row; the score is its sigmoid."""
        states = self.hidden(Role.JUDGE, contexts, [[] for _ in contexts])
        last = torch.stack([state[-1] for state in states]).to(self.judge_head.weight.dtype)
        logits: Tensor = self.judge_head(last).squeeze(-1)
        return logits

    def parameters_of(self, part: Role | Literal["shared"]) -> Iterator[tuple[str, nn.Parameter]]:
        """The parameters of theta_sh, theta_A, theta_J or theta_E. With separate models theta_sh is empty."""
        for name, parameter in self.named_parameters():
            if part_of(name, self.settings.separate) == part:
                yield name, parameter

    def trainable(self) -> Iterator[tuple[str, nn.Parameter]]:
        return ((name, parameter) for name, parameter in self.named_parameters() if parameter.requires_grad)


def part_of(name: str, separate: bool) -> str:
    """Which part of Eq. 3 a parameter belongs to, by its name."""
    if name.startswith("judge_head"):
        return Role.JUDGE
    for prefix in ("embeddings.", "value_heads."):
        if name.startswith(prefix):
            return name.removeprefix(prefix).split(".")[0]
    if separate:
        return name.removeprefix("models.").split(".")[0]
    pieces = name.split(".")
    return next((role for role in Role if role in pieces), SHARED)


def _zero_head(width: int) -> nn.Linear:
    """Says 0 whatever it is shown, until it has learnt."""
    head = nn.Linear(width, 1)
    nn.init.zeros_(head.weight)
    nn.init.zeros_(head.bias)
    return head


def _models(model: Any, settings: PolicySettings, rank: int) -> dict[str, Any]:
    if not settings.separate:
        return {SHARED: _adapted(model, settings, rank, list(Role))}
    copies = {role: copy.deepcopy(model) for role in Role}
    return {role: _adapted(copies[role], settings, rank, []) for role in Role}


def _adapted(model: Any, settings: PolicySettings, rank: int, roles: Iterable[Role]) -> Any:
    """Adapters put into the model in place. With several models a role's own ones would be superfluous."""
    targets = linear_layers(model)
    if not targets:
        raise InputError("this model has no linear layers to adapt; a decoder-only transformer is wanted")
    ranks = {SHARED: settings.shared_rank} if settings.backbone == "lora" else {}
    ranks |= dict.fromkeys(roles, rank)
    for name, size in ranks.items():
        config = LoraConfig(r=size, lora_alpha=2 * size, lora_dropout=0.0, target_modules=targets)
        with warnings.catch_warnings():  # several adapters are what is wanted
            warnings.simplefilter("ignore", UserWarning)
            inject_adapter_in_model(config, model, adapter_name=name)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("lora_" in name or settings.backbone == "full")
    return model


def linear_layers(model: Any) -> list[str]:
    """The names of all linear layers but the output layer (peft's "all-linear")."""
    output = model.get_output_embeddings()
    found = (name for name, layer in model.named_modules() if isinstance(layer, nn.Linear) and layer is not output)
    return sorted({name.rsplit(".", 1)[-1] for name in found})


def low_rank_size(model: Any, rank: int) -> int:
    """Parameters of one adapter of this rank on all linear layers: rank * (in + out) each."""
    output = model.get_output_embeddings()
    layers = [layer for layer in model.modules() if isinstance(layer, nn.Linear) and layer is not output]
    size: int = rank * sum(layer.in_features + layer.out_features for layer in layers)
    return size


def rank_for_share(model: Any, share: float) -> int:
    """The rank at which each of three roles holds about `share` of all parameters (A.3: 1.67 % each, 95 % shared)."""
    base: int = sum(parameter.numel() for parameter in model.parameters())
    one = low_rank_size(model, 1)
    return max(1, round(share * base / ((1 - 3 * share) * one)))
