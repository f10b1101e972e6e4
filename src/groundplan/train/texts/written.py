"""A task with the text that tells it: what warm starts learn from, and what evaluations ask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WrittenTask:
    """One task in plain words, and the PDDL that they mean.

    `problem` is PDDL for `domain_pddl`; its objects bear the names that the text uses, in PDDL's spelling (the red
    block: `red`; ball 3: `ball3`; truck_1: `truck_1`). `wording` names the manner in which the text is written.
    """

    name: str
    domain: str
    domain_pddl: str
    text: str
    problem: str
    wording: str = ""
