"""A trained policy for other programs: one role merged into a plain Hugging Face directory, or all packed small.

The role embedding e_rho (Eq. 2) becomes the embedding of a new token, which the chat template puts first; the output
layer gives that token the bias of never being written, as far as a layer without biases can (its row is zero).
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import torch
from peft.tuners.lora import LoraLayer
from torch import nn

from groundplan.errors import InputError
from groundplan.train.checkpoint import HEAD, WEIGHTS, read_head, replace_folder
from groundplan.train.packing import pack
from groundplan.train.policy import SHARED, Role, RolePolicy

TEMPLATE = "{{ '%s' }}{{ messages[-1]['content'] }}"


def export_role(policy: RolePolicy, role: Role, folder: Path) -> Path:
    """Write `role` of the policy as a causal model of its own, with its tokenizer, into the new directory `folder`.

    Servers with OpenAI's protocol (vLLM, llama.cpp after its conversion to GGUF) load it; prompts are those of
    groundplan.train.contexts. The Judge is exported without its head, which no such server knows. Raises InputError
    where `folder` is there already.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder}: there is something here already; name a new directory")
    token = f"<|{role}|>"
    model = _merged(policy, role)
    tokenizer = copy.deepcopy(policy.tokenizer)
    tokenizer.add_special_tokens({"additional_special_tokens": [token]})
    place = tokenizer.convert_tokens_to_ids(token)
    _untie(model, max(place + 1, model.get_input_embeddings().weight.shape[0]))
    with torch.no_grad():
        model.get_input_embeddings().weight[place] = policy.embeddings[role].to(model.dtype)
        model.get_output_embeddings().weight[place] = 0.0
    tokenizer.chat_template = TEMPLATE % token
    model.generation_config.suppress_tokens = [place]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _merged(policy: RolePolicy, role: Role) -> Any:
    """A copy of the role's model with its adapters added to the weights, and no adapters left."""
    model = copy.deepcopy(policy.model_of(role))
    names = [SHARED, role]
    for parent in list(model.modules()):
        for name, layer in list(parent.named_children()):
            if isinstance(layer, LoraLayer):
                setattr(parent, name, _plain(layer, names))
    if hasattr(model, "_hf_peft_config_loaded"):
        model._hf_peft_config_loaded = False
    return model


def _plain(layer: Any, names: list[str]) -> nn.Module:
    base: nn.Module = layer.get_base_layer()
    with torch.no_grad():
        for name in names:
            if name in layer.lora_A:
                base.weight += layer.get_delta_weight(name).to(base.weight.dtype)
    return base


def _untie(model: Any, size: int) -> None:
    """Input and output embeddings of `size` rows of their own: the role's token must differ in the two."""
    old_in, old_out = model.get_input_embeddings().weight, model.get_output_embeddings().weight
    width = old_in.shape[1]
    found = []
    for old in (old_in, old_out):
        new = torch.zeros(size, width, dtype=old.dtype)
        new[: old.shape[0]] = old.detach()
        found.append(new)
    embedding = nn.Embedding(size, width, _weight=found[0])
    output = nn.Linear(width, size, bias=False)
    output.weight = nn.Parameter(found[1])
    model.config.tie_word_embeddings = False
    model.set_input_embeddings(embedding)
    model.set_output_embeddings(output)
    model.config.vocab_size = size


def export_packed(source: Path, folder: Path, **about: Any) -> Path:
    """Pack the saved policy in `source` into `folder` (for `trained:DIR`, or to ship); returns `folder`."""
    from safetensors.torch import load_file, save_file

    head = read_head(source)
    try:
        values = load_file(source / WEIGHTS)
    except Exception as error:
        raise InputError(f"{source}: no trained policy can be read here ({error})") from error

    def write(new: Path) -> None:
        save_file(pack(values), new / WEIGHTS)
        (new / HEAD).write_text(json.dumps({**head, **about}, indent=2) + "\n", encoding="utf-8")

    replace_folder(folder, write)
    return folder
