"""Memory that torch runs out of: told in words, with what to lower and where to go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from groundplan.errors import GroundplanError
from groundplan.train.settings import TrainSettings

_SIGNS = ("out of memory", "can't allocate memory", "not enough memory", "alloc_cpu")
"""In the message of a RuntimeError, which is all that torch raises for memory on a CPU."""


class OutOfMemory(GroundplanError):
    """Training needs more memory than there is; the last checkpoint is whole."""


@contextmanager
def out_of_memory_told(settings: TrainSettings, checkpoint: Path) -> Iterator[None]:
    """Raises OutOfMemory in place of what torch or Python raise for want of memory."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and not any(sign in str(error).lower() for sign in _SIGNS):
            raise
        begin = f"; `start_from: {checkpoint}` begins with what was learnt" if checkpoint.exists() else ""
        raise OutOfMemory(
            f"out of memory. Lower optimizer.minibatch (now {settings.optimizer.minibatch}), batch (now "
            f"{settings.batch}) or decoding.max_tokens (now {settings.decoding.max_tokens}), or let less learn "
            f"(policy.backbone is {settings.policy.backbone}). The same command with more memory goes on from the last "
            f"checkpoint{begin}"
        ) from error
