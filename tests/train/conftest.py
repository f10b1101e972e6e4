"""Small models gain nothing by threads, and lose much where two test workers fight for the cores."""

from __future__ import annotations

import importlib.util

if importlib.util.find_spec("torch") is not None:
    import torch

    torch.set_num_threads(1)
