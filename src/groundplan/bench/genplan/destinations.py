"""Where things that are carried have to go: most of them elsewhere, a few where they are already."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

_STAYING = 1 / 6
"""The share of things whose wanted place is their present one; a program must not take these for work."""


def destinations(rng: random.Random, places: Mapping[str, str], anywhere: Sequence[str]) -> dict[str, str]:
    """The wanted place of each thing, given its present one. At least one thing has to move.

    `anywhere` needs two places, and `places` one thing, or there is no such choice.
    """
    things = list(places)
    mover = rng.choice(things)
    wanted = {}
    for thing in things:
        if thing != mover and rng.random() < _STAYING:
            wanted[thing] = places[thing]
        else:
            wanted[thing] = rng.choice([place for place in anywhere if place != places[thing]])
    return wanted
