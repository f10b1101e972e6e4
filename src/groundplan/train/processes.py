"""Training on several processes: each plays its share of the episodes and of the samples; all hold the same weights.

Parameters are not sharded. Gradients are sums over the processes, so that any number of them takes the same step as
one, up to the rounding of sums. Start them with `accelerate launch`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

import torch
from torch import nn

from groundplan.errors import InputError

T = TypeVar("T")


class Processes(Protocol):
    """What training asks of the processes that it runs on; every process makes the same calls in the same order."""

    @property
    def rank(self) -> int:
        """0 for the process that writes the run."""

    @property
    def device(self) -> torch.device: ...

    def mine(self, items: Sequence[T]) -> list[T]:
        """Every n-th of them."""

    def gathered(self, own: Sequence[T]) -> list[T]:
        """The inverse of `mine`: what each made of its share, in the order of all."""

    def told(self, value: T) -> T:
        """The value that process 0 has."""

    def summed(self, figures: dict[str, float]) -> dict[str, float]:
        """Sums by name; a name that a process lacks counts as 0."""

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Put the sum of all processes' gradients in place; none where no process has one."""


class Alone:
    """One process: nothing to share."""

    rank = 0

    def __init__(self, device: torch.device | None = None) -> None:
        self.device = device or torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def mine(self, items: Sequence[T]) -> list[T]:
        return list(items)

    def gathered(self, own: Sequence[T]) -> list[T]:
        return list(own)

    def told(self, value: T) -> T:
        return value

    def summed(self, figures: dict[str, float]) -> dict[str, float]:
        return figures

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        return


class Accelerated:
    """Several processes, by the accelerate library."""

    def __init__(self) -> None:
        from accelerate import Accelerator

        cpu = os.environ.get("ACCELERATE_USE_CPU", "").lower() in {"1", "true", "yes"}
        self._accelerator = Accelerator(cpu=cpu)
        self.rank: int = self._accelerator.process_index
        self.device: torch.device = self._accelerator.device

    def mine(self, items: Sequence[T]) -> list[T]:
        return list(items)[self.rank :: self._accelerator.num_processes]

    def gathered(self, own: Sequence[T]) -> list[T]:
        from accelerate.utils import gather_object

        shares: list[list[T]] = [[] for _ in range(self._accelerator.num_processes)]
        for rank, items in gather_object([(self.rank, list(own))]):
            shares[rank] = items
        longest = max(map(len, shares))
        return [share[place] for place in range(longest) for share in shares if place < len(share)]

    def told(self, value: T) -> T:
        from accelerate.utils import broadcast_object_list

        found: T = broadcast_object_list([value])[0]
        return found

    def summed(self, figures: dict[str, float]) -> dict[str, float]:
        from accelerate.utils import gather_object

        total: dict[str, float] = {}
        for part in gather_object([figures]):
            for name, value in part.items():
                total[name] = total.get(name, 0.0) + value
        return total

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        from accelerate.utils import gather_object

        listed = list(parameters)
        has: Any = gather_object([[parameter.grad is not None for parameter in listed]])
        for place, parameter in enumerate(listed):
            if any(flags[place] for flags in has):
                own = parameter.grad if parameter.grad is not None else torch.zeros_like(parameter)
                parameter.grad = self._accelerator.reduce(own, reduction="sum")


def processes() -> Processes:
    """Those that `accelerate launch` (or torchrun) started, else this one. Raises InputError without accelerate."""
    if int(os.environ.get("WORLD_SIZE", "1")) <= 1:
        return Alone()
    try:
        return Accelerated()
    except ImportError as error:
        raise InputError(
            "training on several processes needs `pip install 'groundplan[train]'` (accelerate)"
        ) from error
