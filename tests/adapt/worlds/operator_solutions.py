"""The expected plans, and scripts for the operators that the robot does not have: for tests and reference runs only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.worlds.executors.moves import CLOSE, Move, Script, at_height, holds, pick, shifted
from groundplan.adapt.worlds.executors.scripted import executor_maker
from groundplan.adapt.worlds.registry import scenario
from groundplan.adapt.worlds.world import Executor, World
from groundplan.pddl import Task, read_task

TABLE, HAND, POD = "table1", "gripper1", "coffee-pod1"
Literal = tuple[bool, Fact]


@dataclass(frozen=True)
class NewOperator:
    """What a new operator brings about, in the order of its sub-goals, and a script that does it."""

    effects: Callable[..., Sequence[Literal]]
    script: Callable[..., Script]


def _pick_from(what: str, container: str) -> tuple[Literal, ...]:
    return (True, ("grasped", what, HAND)), (False, ("free", HAND)), (False, ("in", what, container))


def _lift_pod(pod: str, container: str, hand: str) -> Script:
    return Script([*pick("coffee_pod1_pos", ("grasped", pod, hand)), Move(at_height(0.12))])


NEW_OPERATORS = {
    "pick-up-lid-from-pot": NewOperator(
        lambda lid, pot, hand: (
            (True, ("grasped", lid, hand)),
            (False, ("free", hand)),
            (False, ("ontop", lid, pot)),
            (False, ("covered", pot)),
        ),
        lambda lid, pot, hand: Script([*pick("lid1_knob_pos", ("grasped", lid, hand)), Move(shifted(0.0, 0.0, 0.09))]),
    ),
    "pick-up-nut-from-peg": NewOperator(
        lambda nut, peg, hand: (
            (True, ("grasped", nut, hand)),
            (False, ("free", hand)),
            (False, ("on-peg", nut, peg)),
        ),
        lambda nut, peg, hand: Script(
            [*pick("square_nut1_handle_pos", ("grasped", nut, hand), 0.003), Move(at_height(0.2))]
        ),
    ),
    "pick-up-from-open-box": NewOperator(lambda pod, box, hand: _pick_from(pod, box), _lift_pod),
    "open-drawer": NewOperator(
        lambda drawer, hand: (
            (True, ("grasped", drawer, hand)),
            (False, ("free", hand)),
            (True, ("open", drawer)),
        ),
        lambda drawer, hand: Script(
            [
                *pick("drawer1_handle_pos", ("grasped", drawer, hand)),
                Move(shifted(0.14, 0.0, 0.0), CLOSE, holds(("open", drawer)), follow=True),
            ]
        ),
    ),
    "pick-up-from-open-drawer": NewOperator(lambda pod, drawer, hand: _pick_from(pod, drawer), _lift_pod),
}

_LID = [("open-pod-holder", ("pod-holder1", "lid1", HAND)), ("let-go-of-fixture", ("lid1", HAND))]
PLANS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "kitchen_lid": [
        ("pick-up-lid-from-pot", ("lid1", "pot1", HAND)),
        ("place-on-table", ("lid1", TABLE, HAND)),
        ("pick-up-from-tabletop", ("bread1", TABLE, HAND)),
        ("place-in-pot", ("bread1", "pot1", HAND)),
        ("turn-on-stove", ("switch1", "stove1", HAND)),
    ],
    "nut_round_peg": [
        ("pick-up-nut-from-peg", ("square-nut1", "round-peg1", HAND)),
        ("put-nut-on-peg", ("square-nut1", "square-peg1", HAND)),
    ],
    "coffee_box": [
        *_LID,
        ("pick-up-from-open-box", (POD, "box1", HAND)),
        ("place-pod-in-holder", (POD, "pod-holder1", HAND)),
    ],
    "coffee_drawer": [
        *_LID,
        ("open-drawer", ("drawer1", HAND)),
        ("let-go-of-fixture", ("drawer1", HAND)),
        ("pick-up-from-open-drawer", (POD, "drawer1", HAND)),
        ("place-pod-in-holder", (POD, "pod-holder1", HAND)),
    ],
}


def task_of(name: str) -> Task:
    found = scenario(name)
    return read_task(found.domain, found.problem)


def effects_of(task: Task, operator: str, objects: Sequence[str]) -> Sequence[Literal]:
    """The ground effects of a known or a new operator."""
    if operator in NEW_OPERATORS:
        return NEW_OPERATORS[operator].effects(*objects)
    action = task.domain.action_by_name[operator]
    bound = {parameter.name: name for parameter, name in zip(action.parameters, objects, strict=True)}
    return [
        (effect.positive, (effect.atom.predicate, *(bound.get(term, term) for term in effect.atom.terms)))
        for effect in action.effects
    ]


def executor_of(world: World, operator: str, objects: Sequence[str]) -> Executor:
    if operator in NEW_OPERATORS:
        return NEW_OPERATORS[operator].script(*objects)
    return executor_maker(world.name, operator)(world, objects)


def carry_out(world: World, operator: str, objects: Sequence[str]) -> list[Facts]:
    """Let the executor work until it is done; the facts before and after every step."""
    executor, seen, facts = executor_of(world, operator, objects), world.observe(), [world.facts()]
    while (action := executor.act(seen, facts[-1])) is not None:
        seen = world.step(action)
        facts.append(world.facts())
    return facts
