"""Learned executors: a policy with the operator and the observables that it was trained for, saved and found again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from groundplan.adapt.facts import Facts
from groundplan.adapt.learn.actor import Actor
from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.rewards.layout import Layout
from groundplan.adapt.rewards.sub_goals import SubGoals, sub_goals_of
from groundplan.adapt.worlds.world import Array, Observable, Observation, World
from groundplan.errors import InputError
from groundplan.models.storage import write_whole

POLICY, HEAD = "policy.npz", "executor.json"
FORMAT = 1


class LearnedExecutor:
    """Acts by the mean of a policy until all sub-goals hold, or for `most_steps` steps."""

    def __init__(self, actor: Actor, layout: Layout, goals: SubGoals, most_steps: int) -> None:
        self._actor = actor
        self._layout = layout
        self._scale = layout.scale
        self._goals = goals
        self._left = most_steps

    def act(self, observation: Observation, facts: Facts) -> Array | None:
        """See Executor of worlds/world.py. Deterministic."""
        if self._left <= 0 or self._goals.reached(facts) == len(self._goals):
            return None
        self._left -= 1
        seen = (self._layout.flat(observation) * self._scale).astype(np.float32)
        action: Array = self._actor.mean(seen[None])[0].astype(np.float64)
        return action


@dataclass(frozen=True)
class SavedExecutor:
    """What lies in an executor's folder; call it to have an executor made (an ExecutorMaker).

    `most_steps` is how long it may act; `about` says how it was trained.
    """

    actor: Actor = field(repr=False)
    layout: Layout
    operator: GroundOperator
    most_steps: int
    about: Mapping[str, Any]

    def __call__(self, world: World, objects: Sequence[str]) -> LearnedExecutor:
        """An executor for these objects, in the order of the operator's.

        Other objects than those trained with may stand in where the world observes them under the same keys with their
        own names in them. Raises InputError where the objects do not fit, or where the world has no such keys.
        """
        names = dict(zip(self.operator.objects, objects, strict=False))
        kinds = tuple(world.objects.get(name, "") for name in objects)
        if len(objects) != len(self.operator.objects) or any(not kind for kind in kinds):
            raise InputError(
                f"`{self.operator.name}` acts on {len(self.operator.objects)} objects of the world, "
                f"not on {', '.join(objects) or 'none'}"
            )
        here = {item.name: item for item in world.observables}
        keys = []
        for item in self.layout.observables:
            wanted = _renamed(item.name, names)
            found = here.get(wanted)
            if found is None or found.size != item.size:
                raise InputError(f"`{self.operator.name}` was learned with the observation `{wanted}`, not seen here")
            keys.append(replace(item, name=wanted, objects=found.objects))
        operator = replace(
            self.operator,
            objects=tuple(objects),
            preconditions=tuple(_moved(item, names) for item in self.operator.preconditions),
            effects=tuple(_moved(item, names) for item in self.operator.effects),
        )
        return LearnedExecutor(self.actor, Layout(tuple(keys)), sub_goals_of(operator), self.most_steps)


def _renamed(key: str, names: Mapping[str, str]) -> str:
    """The key with each object's name replaced, all at once and the longest first."""
    for place, old in enumerate(sorted(names, key=len, reverse=True)):
        key = key.replace(old, f"\0{place}\0")
    for place, old in enumerate(sorted(names, key=len, reverse=True)):
        key = key.replace(f"\0{place}\0", names[old])
    return key


def _moved(literal: Literal, names: Mapping[str, str]) -> Literal:
    predicate, *rest = literal.fact
    return replace(literal, fact=(predicate, *(names.get(name, name) for name in rest)))


def save_executor(
    folder: Path, actor: Actor, layout: Layout, operator: GroundOperator, most_steps: int, about: Mapping[str, Any]
) -> None:
    """Write the policy and its description; the description comes last, so that a folder with one is whole. Raises
    StorageError."""
    actor.save(folder / POLICY)
    head = {
        "format": FORMAT,
        "operator": asdict(operator),
        "observables": [asdict(item) for item in layout.observables],
        "most_steps": most_steps,
        "about": dict(about),
    }
    write_whole(folder / HEAD, (json.dumps(head, indent=1) + "\n").encode())


def load_executor(folder: Path) -> SavedExecutor:
    """Read what `save_executor` wrote. Raises InputError where there is none, or it is damaged."""
    try:
        head = json.loads((folder / HEAD).read_text(encoding="utf-8"))
        if head["format"] != FORMAT:
            raise ValueError(f"format {head['format']} is not known here")
        observables = (Observable(**{**item, "objects": tuple(item["objects"])}) for item in head["observables"])
        operator = _operator(head["operator"])
        steps, about = int(head["most_steps"]), dict(head["about"])
        layout = Layout(tuple(observables))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: no learned executor can be read here ({error})") from error
    actor = Actor.load(folder / POLICY)
    if actor.layers[0][0].shape[1] != layout.width:
        raise InputError(f"{folder}: the policy sees {actor.layers[0][0].shape[1]} numbers, its layout {layout.width}")
    return SavedExecutor(actor, layout, operator, steps, about)


def _operator(data: Mapping[str, Any]) -> GroundOperator:
    def literals(items: Sequence[Mapping[str, Any]]) -> tuple[Literal, ...]:
        return tuple(Literal(tuple(item["fact"]), bool(item["positive"])) for item in items)

    return GroundOperator(
        data["name"],
        tuple(data["objects"]),
        tuple(data["types"]),
        literals(data["preconditions"]),
        literals(data["effects"]),
    )


def find_executors(library: Path, name: str, types: Sequence[str]) -> Iterator[SavedExecutor]:
    """The executors under a folder, at any depth, that were learned for an operator of this name over these types."""
    for head in sorted(library.rglob(HEAD)):
        saved = load_executor(head.parent)
        if saved.operator.name == name and saved.operator.types == tuple(types):
            yield saved
