"""Trained parameters in 8 bits, for policies that are shipped: adapters are small differences, and lose little.

A matrix is kept as whole numbers from -127 to 127 with one scale for each row or column, whichever are fewer (for
adapters: one for each of their ranks); vectors and scalars stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

SCALE = "#scale"
"""What is added to a name for its scales, shape (rows, 1) or (1, columns)."""


def pack(values: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Parameters by name -> the same, matrices as int8 with their scales. An entry is off by at most half a scale,
    that is 1/254 of the largest in its row or column."""
    packed: dict[str, Tensor] = {}
    for name, value in values.items():
        if value.dim() != 2 or not value.is_floating_point():
            packed[name] = value.contiguous()
            continue
        scale = value.float().abs().amax(int(value.shape[0] <= value.shape[1]), keepdim=True).clamp(min=1e-12) / 127
        packed[name] = (value.float() / scale).round().to(torch.int8).contiguous()
        packed[name + SCALE] = scale.contiguous()
    return packed


def unpack(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The inverse of `pack`, in float32; what was never packed passes through."""
    return {
        name: value.float() * packed[name + SCALE] if name + SCALE in packed else value
        for name, value in packed.items()
        if not name.endswith(SCALE)
    }
