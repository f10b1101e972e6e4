"""From a domain and a seed to a written task."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from random import Random

from groundplan.train.texts import (
    blocksworld,
    blocksworld_words,
    gripper,
    gripper_words,
    logistics,
    logistics_words,
    telling,
)
from groundplan.train.texts.goal_openings import OPENINGS
from groundplan.train.texts.scene import Scene
from groundplan.train.texts.telling import Manner, Voice
from groundplan.train.texts.written import WrittenTask

DOMAINS = ("blocksworld", "gripper", "logistics")
"""The domains of which there are texts."""


@dataclass(frozen=True, slots=True)
class _Domain:
    scene: Callable[[Random, tuple[int, int]], Scene]
    size: tuple[int, int]
    bounds: tuple[int, int]
    phrases: telling.Lexicon
    manners: tuple[Manner, ...]
    clauses: Callable[[Voice, str], list[str]]
    goal: Callable[[Voice, str], list[str]]


_OF = {
    name: _Domain(states.scene, states.SIZE, states.BOUNDS, words.PHRASES, words.MANNERS, words.clauses, words.goal)
    for name, states, words in (
        ("blocksworld", blocksworld, blocksworld_words),
        ("gripper", gripper, gripper_words),
        ("logistics", logistics, logistics_words),
    )
}


@cache
def domain_text(name: str) -> str:
    """The PDDL of one of `DOMAINS`, with the predicates and actions that the field uses.

    Raises:
        ValueError: there is no such domain here.
    """
    _known(name)
    return files(__package__).joinpath(f"{name}.pddl").read_text(encoding="utf-8")


def written_task(domain: str, seed: int, size: tuple[int, int] | None = None) -> WrittenTask:
    """A random task of `domain` in plain English with its PDDL; the same for the same arguments.

    `size` is the least and the most number of blocks (blocksworld), of balls (gripper) or of cities (logistics). The
    task is solvable, and its goal is not yet true at the start.

    Raises:
        ValueError: there is no such domain here, or `size` is out of bounds.
    """
    about = _known(domain)
    low, high = size or about.size
    least, most = about.bounds
    if not least <= low <= high <= most:
        raise ValueError(f"size ({low}, {high}) of a {domain} task: give two numbers from {least} to {most}, in order")
    rng = Random(f"{domain} {seed} {low} {high}")
    scene = about.scene(rng, (low, high))
    manner = rng.choice(about.manners)
    voice = Voice(rng, scene, about.phrases, terse=manner.order == "terse")
    start = telling.start_text(voice, manner, rng.choice(manner.settings), about.clauses(voice, manner.order))
    goal = telling.goal_text(voice, manner, OPENINGS, partial(about.goal, voice))
    name = f"{domain}-{seed}"
    text = telling.whole(manner, start, goal)
    return WrittenTask(
        name=name,
        domain=domain,
        domain_pddl=domain_text(domain),
        text=text,
        problem=_as_told(scene, voice, text).pddl(name),
        wording=manner.name,
    )


def _as_told(scene: Scene, voice: Voice, text: str) -> Scene:
    """The scene with objects and facts in the order in which the text has them, so that a small model can read along.

    Facts that no clause tells by name (nothing is on any tower's top block) come last, in their fixed order.
    """
    low, late = text.lower(), len(text)

    def place(words: str) -> int:
        found = low.find(words.lower())
        return found if found >= 0 else late

    def called(name: str) -> int:
        found = re.search(rf"(?<![\w-]){re.escape(scene.calls[name].removeprefix('the ').lower())}(?![\w-])", low)
        return found.start() if found else late

    turn = {fact: number for number, fact in enumerate(voice.said)}
    facts = sorted(
        scene.init,
        key=lambda fact: (place(voice.said[fact]), turn[fact]) if fact in turn else (late, len(turn)),
    )
    goal = voice.aimed if sorted(voice.aimed) == sorted(scene.goal) else scene.goal
    calls = {name: scene.calls[name] for name in sorted(scene.calls, key=called)}
    return replace(scene, calls=calls, init=tuple(facts), goal=tuple(goal))


def _known(name: str) -> _Domain:
    if name not in _OF:
        raise ValueError(f"no texts for the domain {name!r}: choose one of {', '.join(DOMAINS)}")
    return _OF[name]
