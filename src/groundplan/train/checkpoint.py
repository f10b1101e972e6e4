"""Checkpoints: everything that the next step depends on, written whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from groundplan.errors import InputError
from groundplan.models.storage import storage_error
from groundplan.train.packing import unpack
from groundplan.train.policy import PolicySettings, RolePolicy

WEIGHTS, STATE, HEAD = "weights.safetensors", "state.pt", "policy.json"


def save_policy(policy: RolePolicy, folder: Path, **about: Any) -> None:
    """Write what was trained (adapters, embeddings, heads; the backbone too where it learns) to `folder`, in place of
    what was there. Raises StorageError when it cannot be written; what was there before is then untouched."""
    replace_folder(folder, lambda new: _write_policy(policy, new, about))


def save_checkpoint(
    policy: RolePolicy, optimizer: torch.optim.Optimizer, generator: torch.Generator, folder: Path, **counters: Any
) -> None:
    """The policy, the optimizer, the random state and the counters, from which training goes on bit for bit."""

    def write(new: Path) -> None:
        _write_policy(policy, new, {})
        state = {"optimizer": optimizer.state_dict(), "generator": generator.get_state(), "counters": counters}
        torch.save(state, new / STATE)

    replace_folder(folder, write)


def load_weights(policy: RolePolicy, folder: Path) -> None:
    """Put saved parameters into a policy of the same make. Raises InputError where they do not fit or are damaged."""
    from safetensors.torch import load_file

    try:
        saved = unpack(load_file(folder / WEIGHTS))
    except Exception as error:
        raise InputError(f"{folder}: no trained policy can be read here ({error})") from error
    own = dict(policy.named_parameters())
    wrong = [name for name, value in saved.items() if name not in own or own[name].shape != value.shape]
    missing = [name for name, _ in policy.trainable() if name not in saved]
    if wrong or missing:
        raise InputError(f"{folder}: trained for another model or other settings (`{(wrong or missing)[0]}` differs)")
    with torch.no_grad():
        for name, value in saved.items():
            own[name].copy_(value)


def load_checkpoint(
    policy: RolePolicy, optimizer: torch.optim.Optimizer, generator: torch.Generator, folder: Path
) -> None:
    """The inverse of `save_checkpoint`. Raises InputError for a damaged one."""
    load_weights(policy, folder)
    state = _state(folder)
    optimizer.load_state_dict(state["optimizer"])
    generator.set_state(state["generator"])


def counters_of(folder: Path) -> dict[str, Any]:
    """The counters of a checkpoint. Raises InputError for a damaged one."""
    counters: dict[str, Any] = _state(folder)["counters"]
    return counters


def _state(folder: Path) -> dict[str, Any]:
    try:
        state: dict[str, Any] = torch.load(folder / STATE, weights_only=True)
        if not {"optimizer", "generator", "counters"} <= set(state):
            raise ValueError("parts are missing")
    except Exception as error:
        raise InputError(f"{folder / STATE}: this checkpoint is damaged ({error})") from error
    return state


def policy_folder(folder: Path) -> Path:
    """Where the policy lies: in a run's `policy`, else in `folder` itself."""
    return folder / "policy" if (folder / "policy" / HEAD).exists() else folder


def read_head(folder: Path) -> dict[str, Any]:
    """What policy.json says: the backbone's name, the policy's settings, and what was said of it when saved."""
    try:
        data: dict[str, Any] = json.loads((folder / HEAD).read_text(encoding="utf-8"))
        PolicySettings.model_validate(data["policy"])
    except OSError as error:
        raise InputError(f"{folder}: no trained policy here ({error.strerror})") from error
    except (ValueError, KeyError) as error:
        raise InputError(f"{folder / HEAD}: damaged ({error})") from error
    return data


def _write_policy(policy: RolePolicy, folder: Path, about: dict[str, Any]) -> None:
    from safetensors.torch import save_file

    values = {name: parameter.detach().cpu().contiguous().clone() for name, parameter in policy.trainable()}
    save_file(values, folder / WEIGHTS)
    head = {"format": 1, "backbone": policy.backbone_name, "policy": policy.settings.model_dump(mode="json")}
    head |= {"role_rank": policy.role_rank, **about}
    (folder / HEAD).write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")


def replace_folder(folder: Path, write: Callable[[Path], None]) -> None:
    """Fill a new folder beside `folder`, then let it take its place; the old one goes last. Raises StorageError."""
    new, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    try:
        for stale in (new, old):
            shutil.rmtree(stale, ignore_errors=True)
        new.mkdir(parents=True)
        write(new)
        _sync(new)
        if folder.exists():
            os.rename(folder, old)
        os.rename(new, folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        raise storage_error(folder, error) from error
    except RuntimeError as error:  # how torch reports a disk that is full
        shutil.rmtree(new, ignore_errors=True)
        raise storage_error(folder, OSError(None, str(error))) from error


def recover(folder: Path) -> None:
    """After a kill between the two renames, the old checkpoint is the last good one."""
    old = folder.with_name(folder.name + ".old")
    if not folder.exists() and old.exists():
        os.rename(old, folder)


def _sync(folder: Path) -> None:
    for file in folder.iterdir():
        descriptor = os.open(file, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
