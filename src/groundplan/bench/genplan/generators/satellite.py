"""Satellite: images in modes that instruments support, and directions to point at in the end."""

from __future__ import annotations

import random

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Problem


def make(
    rng: random.Random, *, satellites: int, instruments: int, modes: int, targets: int, observations: int
) -> Problem:
    """`instruments` is the most on one satellite; directions are `targets` for calibration and `observations` more.

    Wanted are as many images as there are observations, of any directions, and for some satellites a direction to
    point at. Solvable: every mode has an instrument, every instrument a calibration target.
    """
    require(
        "satellite",
        1,
        satellites=satellites,
        instruments=instruments,
        modes=modes,
        targets=targets,
        observations=observations,
    )
    craft = numbered(rng, "satellite", satellites)
    carried = {one: rng.randint(1, instruments) for one in craft}
    tools = iter(numbered(rng, "instrument", sum(carried.values())))
    on_board = {next(tools): one for one, count in carried.items() for _ in range(count)}
    kinds = numbered(rng, "mode", modes)
    directions = numbered(rng, "direction", targets + observations)
    facts = [fact("on_board", tool, one) for tool, one in on_board.items()]
    for tool in on_board:
        aims = rng.sample(directions[:targets], rng.randint(1, max(1, targets // 3)))
        facts += [fact("calibration_target", tool, aim) for aim in aims]
    facts += [fact("supports", tool, kind) for tool, kind in _supports(rng, list(on_board), kinds)]
    for one in craft:
        facts += [fact("power_avail", one), fact("pointing", one, rng.choice(directions))]
    goal = [fact("pointing", one, rng.choice(directions)) for one in craft if rng.random() < 1 / 3]
    goal += [fact("have_image", *image) for image in _images(rng, directions, kinds, observations)]
    objects = {"satellite": craft, "direction": directions, "instrument": list(on_board), "mode": kinds}
    return shuffled_problem(rng, "satellite", objects, facts, goal)


def _supports(rng: random.Random, tools: list[str], kinds: list[str]) -> list[tuple[str, str]]:
    """Each instrument with its modes; a mode left over goes to any instrument."""
    found = [(tool, kind) for tool in tools for kind in rng.sample(kinds, rng.randint(1, len(kinds)))]
    found += [(rng.choice(tools), kind) for kind in kinds if all(kind != known for _, known in found)]
    return found


def _images(rng: random.Random, directions: list[str], kinds: list[str], count: int) -> list[tuple[str, str]]:
    images: dict[tuple[str, str], None] = {}
    while len(images) < count:
        images[rng.choice(directions), rng.choice(kinds)] = None
    return list(images)


GENERATOR = Generator(
    make,
    {
        "small": {
            "satellites": (1, 2),
            "instruments": (1, 3),
            "modes": (1, 3),
            "targets": (1, 2),
            "observations": (2, 3),
        },
        "large": {
            "satellites": (2, 8),
            "instruments": (2, 3),
            "modes": (3, 5),
            "targets": (6, 20),
            "observations": (6, 40),
        },
        "huge": {
            "satellites": (15, 25),
            "instruments": (3, 3),
            "modes": (5, 8),
            "targets": (50, 60),
            "observations": (110, 160),
        },
    },
)
