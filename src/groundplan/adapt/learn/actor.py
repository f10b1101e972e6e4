"""The policy as it acts: a small network in numpy, for evaluation and execution; no torch is needed to run it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundplan.errors import InputError
from groundplan.models.storage import write_whole

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class Actor:
    """Layers of (weight, bias) with tanh between them, the last giving the mean action; `log_std` of each action."""

    layers: tuple[tuple[Rows, Rows], ...]
    log_std: Rows

    def mean(self, seen: Rows) -> Rows:
        """The deterministic action for each row of scaled observations, within [-1, 1]."""
        return np.clip(self._raw(seen), -1.0, 1.0)

    def draw(self, seen: Rows, random: np.random.Generator) -> Rows:
        """An action as training draws it."""
        mean = self._raw(seen)
        noise = random.standard_normal(mean.shape, dtype=np.float32)
        drawn: Rows = np.clip(mean + np.exp(self.log_std) * noise, -1.0, 1.0)
        return drawn

    def _raw(self, seen: Rows) -> Rows:
        values = seen
        for weight, bias in self.layers[:-1]:
            values = np.tanh(values @ weight.T + bias)
        weight, bias = self.layers[-1]
        return values @ weight.T + bias

    @classmethod
    def of(cls, policy: Mapping[str, Any]) -> Actor:
        """From the state of a Stable-Baselines3 MlpPolicy."""
        own = {name: np.asarray(value, dtype=np.float32) for name, value in policy.items()}
        hidden = sorted({int(name.split(".")[2]) for name in own if name.startswith("mlp_extractor.policy_net.")})
        names = [*(f"mlp_extractor.policy_net.{number}" for number in hidden), "action_net"]
        return cls(tuple((own[f"{name}.weight"], own[f"{name}.bias"]) for name in names), own["log_std"])

    def save(self, path: Path) -> None:
        """Write an .npz. Raises StorageError."""
        arrays = {"log_std": self.log_std}
        for number, (weight, bias) in enumerate(self.layers):
            arrays[f"weight{number}"], arrays[f"bias{number}"] = weight, bias
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        write_whole(path, buffer.getvalue())

    @classmethod
    def load(cls, path: Path) -> Actor:
        """Read what `save` wrote. Raises InputError for a damaged file."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                count = (len(arrays.files) - 1) // 2
                layers = tuple((arrays[f"weight{n}"], arrays[f"bias{n}"]) for n in range(count))
                return cls(layers, arrays["log_std"])
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise InputError(f"{path}: no learned policy can be read here ({error})") from error
