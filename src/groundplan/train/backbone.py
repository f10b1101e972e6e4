"""The language model under the three roles: any Hugging Face causal model from a directory, or a tiny one made here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundplan.errors import InputError

TINY = "tiny"
"""Names a random llama of 0.2 M parameters over bytes: for tests and for trying a configuration."""


@dataclass(frozen=True, slots=True)
class Backbone:
    """A causal language model with its tokenizer (both of the transformers library)."""

    name: str
    model: Any
    tokenizer: Any


def load_backbone(name: str, dtype: str = "float32", seed: int = 0) -> Backbone:
    """Load the model `name`: a directory with a Hugging Face causal model, `smollm2` (see embedded.py), or `tiny`.

    Raises InputError for a directory that is missing, holds no model, or a model of another kind.
    """
    import torch

    kind = getattr(torch, dtype, None)
    if not isinstance(kind, torch.dtype) or not kind.is_floating_point:
        raise InputError(f"`{dtype}` is no kind of number to train in; use float32 or bfloat16")
    if name == TINY:
        return tiny_backbone(seed)
    if name == "smollm2":
        from groundplan.train.embedded import embedded_model

        return _from_directory(name, embedded_model(), kind)
    return _from_directory(name, Path(name).expanduser(), kind)


def _from_directory(name: str, folder: Path, kind: Any) -> Backbone:
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    if not (folder / "config.json").is_file():
        raise InputError(
            f"{name}: no model here. Name a directory that holds a Hugging Face causal language model "
            "(config.json, safetensors, tokenizer.json), `smollm2` or `tiny`"
        )
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(folder, config=config, dtype=kind, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, KeyError, ImportError) as error:
        said = str(error).strip().splitlines()
        raise InputError(
            f"{name}: not a causal language model that can be loaded ({said[0] if said else error!r})"
        ) from error
    if tokenizer.eos_token_id is None:
        raise InputError(f"{name}: its tokenizer has no end-of-text token, so that no reply could end")
    return Backbone(name, model, tokenizer)


def tiny_backbone(seed: int = 0, layers: int = 2, width: int = 64, heads: int = 4) -> Backbone:
    """A random llama over bytes (256 tokens and the end of text), the same for the same seed; 0.1-1 M parameters."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = byte_tokenizer()
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=2048,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.eos_token_id,
        tie_word_embeddings=True,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config)
    return Backbone(TINY, model, tokenizer)


def byte_tokenizer() -> Any:
    """A tokenizer of one token a byte, with `<end>`, made on the spot: no file and no network."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"<end>": 0, **{sign: place + 1 for place, sign in enumerate(alphabet)}}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<end>"])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>")
