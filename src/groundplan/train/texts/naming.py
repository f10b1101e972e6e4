"""Names for the objects of made-up tasks, and what a text calls them: always the name, or the name in a plain rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

COLOURS = tuple(
    "red blue green yellow orange purple white black pink brown grey violet cyan magenta gold silver teal beige".split()
)
WORDS = tuple(
    "alpha beta gamma delta oak pine maple birch apple pear plum lemon anna bruno clara dora emil frida "
    "mars venus saturn pluto iron copper marble clay".split()
)
LETTERS = tuple("abcdefghijklmnopqrstuvw")
HOUSE_ROOMS = tuple("kitchen hall bedroom cellar attic garage office library pantry studio".split())
CITIES = tuple("paris rome lyon oslo vienna turin lima quito cairo delhi boston denver austin bergen porto".split())
PLACES = tuple(
    "harbour market mill station bakery brewery museum school dairy quarry foundry sawmill hangar warehouse depot "
    "factory hospital stadium".split()
)


def _numbers(rng: Random, count: int) -> list[int]:
    first = rng.choice((0, 1, 1, 1))
    return list(range(first, first + count))


def _letters(rng: Random, count: int) -> list[str]:
    if rng.random() < 0.7:
        return list(LETTERS[:count])
    return sorted(rng.sample(LETTERS, count))


def _same(names: Sequence[str]) -> dict[str, str]:
    return {name: name for name in names}


def blocks(rng: Random, count: int) -> dict[str, str]:
    """Names for `count` blocks, and what the text calls each."""
    manner = rng.choice(("colour", "colour", "colour", "letter", "letter", "number", "stem", "word"))
    if manner == "colour":
        pattern = rng.choice(("the {} block", "the {} block", "{}", "the {} one", "the {} cube"))
        return {name: pattern.format(name) for name in rng.sample(COLOURS, count)}
    if manner == "letter":
        pattern = rng.choice(("block {}", "block {}", "Block {}", "{}", "cube {}"))
        upper = pattern == "{}" or rng.random() < 0.5  # a lone "a" would read as the article
        return {name: pattern.format(name.upper() if upper else name) for name in _letters(rng, count)}
    if manner == "number":
        pattern = rng.choice(("block {}", "b{}"))
        return {f"b{number}": pattern.format(number) for number in _numbers(rng, count)}
    if manner == "stem":
        stem = rng.choice(("block", "block_", "block-", "cube", "brick", "box", "crate_"))
        if rng.random() < 0.5:
            return _same([f"{stem}{number}" for number in _numbers(rng, count)])
        return _same([f"{stem}{letter}" for letter in _letters(rng, count)])
    pattern = rng.choice(("{}", "block {}", "the block {}"))
    return {name: pattern.format(name) for name in rng.sample(WORDS, count)}


def rooms(rng: Random, count: int) -> dict[str, str]:
    """Names for `count` rooms."""
    manner = rng.choice(("letter", "number", "house", "house"))
    if manner == "house":
        pattern = rng.choice(("the {}", "the {}", "{}"))
        return {name: pattern.format(name) for name in rng.sample(HOUSE_ROOMS, count)}
    stem = rng.choice(("room", "room", "room", "room_", "room-", "chamber", "hall"))
    ends = _letters(rng, count) if manner == "letter" else _numbers(rng, count)
    return _same([f"{stem}{end}" for end in ends])


def balls(rng: Random, count: int) -> dict[str, str]:
    """Names for `count` balls."""
    manner = rng.choice(("number", "number", "letter", "colour", "rule"))
    if manner == "colour":
        return {name: f"the {name} ball" for name in rng.sample(COLOURS, count)}
    if manner == "rule":
        return {f"b{number}": f"ball {number}" for number in _numbers(rng, count)}
    stem = rng.choice(("ball", "ball", "ball", "ball_", "ball-"))
    ends = _letters(rng, count) if manner == "letter" else _numbers(rng, count)
    return _same([f"{stem}{end}" for end in ends])


def grippers(rng: Random) -> dict[str, str]:
    """Names for a robot's two grippers."""
    if rng.random() < 0.6:
        pattern = rng.choice(("the {} gripper", "the {} gripper", "the {} hand", "the {} arm", "gripper {}"))
        return {name: pattern.format(name) for name in ("left", "right")}
    pair = rng.choice(
        (("gripper1", "gripper2"), ("g1", "g2"), ("arm1", "arm2"), ("grip_a", "grip_b"), ("upper", "lower"))
    )
    return {name: f"the {name} gripper" if name in ("upper", "lower") else name for name in pair}


def _counted(rng: Random, count: int, stems: Sequence[str]) -> list[str]:
    stem = rng.choice(stems)
    ends = _letters(rng, count) if stem.endswith("-") else _numbers(rng, count)
    return [f"{stem}{end}" for end in ends]


PACKAGES = ("package_", "package_", "package", "parcel", "parcel_", "box-", "pkg", "crate_", "item", "p", "letter")
TRUCKS = ("truck_", "truck_", "truck", "lorry", "lorry_", "van-", "t", "truck-")
AIRPLANES = ("airplane_", "airplane_", "plane", "plane_", "jet-", "a", "aircraft", "airplane")
_PLACE_STEMS: tuple[Callable[[int, int], str], ...] = (
    lambda city, place: f"location_{city}_{place}",
    lambda city, place: f"location_{city}_{place}",
    lambda city, place: f"loc{city}-{place}",
    lambda city, place: f"l{city}-{place}",
    lambda city, place: f"site_{city}{LETTERS[place]}",
    lambda city, place: f"depot-{city}-{place}",
    lambda city, place: f"pos{city}{place}",
    lambda city, place: f"stop{LETTERS[city]}{place}",
)


def counted(rng: Random, count: int, stems: Sequence[str]) -> dict[str, str]:
    """Names for `count` packages, trucks or airplanes, which the text writes as PDDL does."""
    return _same(_counted(rng, count, stems))


def cities(rng: Random, count: int) -> dict[str, str]:
    """Names for `count` cities."""
    if rng.random() < 0.5:
        return _same(_counted(rng, count, ("city_", "city_", "city", "town-", "c", "town")))
    capital = rng.random() < 0.6
    return {name: name.capitalize() if capital else name for name in rng.sample(CITIES, count)}


def places(rng: Random, counts: Sequence[int]) -> list[dict[str, str]]:
    """Names for the places of each city, `counts` of them."""
    if sum(counts) <= len(PLACES) and rng.random() < 0.3:
        pattern = rng.choice(("the {}", "the {}", "{}"))
        drawn = rng.sample(PLACES, sum(counts))
        return [{name: pattern.format(name) for name in (drawn.pop() for _ in range(count))} for count in counts]
    stem, first = rng.choice(_PLACE_STEMS), rng.choice((0, 1))
    return [_same([stem(city + first, place + first) for place in range(count)]) for city, count in enumerate(counts)]
