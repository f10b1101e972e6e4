"""Random numbers of one training, kept apart from those of the rest of the process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


@dataclass
class Randomness:
    """The states of the three global generators that Stable-Baselines3 draws from."""

    torch_state: torch.Tensor
    numpy_state: Any
    python_state: Any

    @classmethod
    def seeded(cls, seed: int) -> Randomness:
        torch_state = torch.Generator().manual_seed(seed).get_state()
        numpy_state = np.random.RandomState(seed % (1 << 32)).get_state()
        return cls(torch_state, numpy_state, random.Random(seed).getstate())

    @classmethod
    def _present(cls) -> Randomness:
        return cls(torch.get_rng_state(), np.random.get_state(), random.getstate())

    def _put(self) -> None:
        torch.set_rng_state(self.torch_state)
        np.random.set_state(self.numpy_state)
        random.setstate(self.python_state)

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Within it the global generators go on from these states; after it they are what they were before.

        One thread computes, since sums in another order are other sums.
        """
        outer, threads = self._present(), torch.get_num_threads()
        torch.set_num_threads(1)
        self._put()
        try:
            yield
        finally:
            now = self._present()
            self.torch_state, self.numpy_state, self.python_state = now.torch_state, now.numpy_state, now.python_state
            outer._put()
            torch.set_num_threads(threads)
