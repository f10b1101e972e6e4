"""How a generalized plan is looked for: the protocol's numbers, and presets by name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from groundplan.errors import InputError
from groundplan.models.protocol import Sampling
from groundplan.pddl.diagnostics import did_you_mean

DEBUGGING_TASKS = 6
GREEDY = Sampling(temperature=0.0, max_tokens=16384)
EXAMPLE_TASKS = 2


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers of the generalized-planning paper by default (F5-3), and what goes beyond it, off by default.

    In the paper's words: `variants` initial programs with `fixes` code debugging steps each, `strategy_repairs`
    strategy debugging steps. `pair` (0, 1, 2) says which two debugging tasks the prompts show.

    `pseudocode` False asks for a strategy in plain language, and `check_strategy` False hands it to the programs
    unchecked; `own_descriptions` False describes domain and tasks in one reply; `reflect` asks why a program failed
    before asking for the fix; `solved_shown` shows the solved tasks besides (positive feedback); `example_plan` shows
    a plan with the example. `orders` counts the orders of objects and facts that a program must stand.

    Beyond the paper: `plans_per_check` plans are asked for before a strategy is blamed for a task; `growth` rounds add
    tasks that the program fails to the debugging tasks; `invariance` runs every task with renamed objects too;
    `trim_tokens` shortens a conversation that would grow beyond so many tokens; `shortest` breaks ties by plan length,
    then time. Unless `describe_each`, all tasks are described in one reply, which costs fewer calls. `jobs` is how many
    questions are asked at once, `variants_at_once` how many variants are worked on at once; the result is the same
    whatever these two are.
    """

    variants: int = 5
    fixes: int = 3
    strategy_repairs: int = 5
    pseudocode: bool = True
    check_strategy: bool = True
    own_descriptions: bool = True
    reflect: bool = True
    solved_shown: bool = True
    example_plan: bool = True
    orders: int = 4
    time_limit_s: float = 45.0
    pair: int = 0
    seed: int = 0
    plans_per_check: int = 1
    growth: int = 0
    invariance: bool = False
    trim_tokens: int | None = None
    shortest: bool = False
    sampling: Sampling = GREEDY
    describe_each: bool = False
    jobs: int = 1
    variants_at_once: int = 1


_F = Settings()
_BAS = replace(
    _F,
    variants=1,
    fixes=5,
    pseudocode=False,
    check_strategy=False,
    own_descriptions=False,
    reflect=False,
    solved_shown=False,
    example_plan=False,
)

PRESETS = {
    "f5-3": _F,
    "f3-6": replace(_F, variants=3, fixes=6),
    "bas": _BAS,
    "silver": replace(_BAS, fixes=4, orders=1, time_limit_s=30.0),
}
"""F5-3 and F3-6; Bas, the baseline with the same tasks, orders and time; Silver et al. (2024)."""

ABLATIONS: dict[str, dict[str, Any]] = {
    "mc": {"variants": 1},
    "sd": {"check_strategy": False},
    "cr": {"reflect": False},
}
"""-MC one program only, -SD no strategy debugging, -CR no code reflection."""

_FX_Y = re.compile(r"f(\d+)-(\d+)")


def preset(name: str) -> Settings:
    """The settings of a preset: a name in PRESETS or any `fX-Y`, then ablations, as in `f5-3-mc-cr`.

    Raises InputError for an unknown name.
    """
    words = name.strip().lower()
    base, *cut = _split(words)
    settings = PRESETS.get(base)
    if settings is None:
        numbers = _FX_Y.fullmatch(base)
        if numbers is None or int(numbers[1]) == 0:
            hint = did_you_mean(base, tuple(PRESETS)) or f"there are {', '.join(PRESETS)} and any fX-Y with X above 0"
            raise InputError(f"no preset is called `{name}`: {hint}")
        settings = replace(_F, variants=int(numbers[1]), fixes=int(numbers[2]))
    for ablation in cut:
        settings = replace(settings, **ABLATIONS[ablation])
    return settings


def _split(words: str) -> list[str]:
    """The preset and its ablations, told apart from the end."""
    cut: list[str] = []
    while (head := words.rpartition("-"))[2] in ABLATIONS and head[0]:
        words = head[0]
        cut.insert(0, head[2])
    return [words, *cut]
