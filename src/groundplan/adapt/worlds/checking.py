"""`check_world`: tries a world of one's own against the interface before hours of learning are spent in it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator

import numpy as np

from groundplan.adapt.facts import Facts
from groundplan.adapt.worlds.errors import RenderError
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array, Observable, Observation, World
from groundplan.pddl.ast import Task
from groundplan.pddl.types import hierarchy_of

UNITS = ("m", "rad", "1")
STEPS = 40
"""Control steps of each of the two runs that are compared."""
SLACK = 1.3
"""How much further than MAX_DISPLACEMENT the gripper may come in a step: servos overshoot a little."""

Trace = list[tuple[Observation, Facts]]


def check_world(world: World, task: Task | None = None, seed: int = 0) -> list[str]:
    """What is wrong with a world, one sentence each; empty when nothing was found.

    `task` is the scenario's PDDL: with it, facts must be well typed, and after a reset they must be its `:init`. The
    world is reset and stepped, some hundred steps in all; nothing is raised for what it does wrong, whatever that is.
    """
    checks: list[Callable[[], Iterator[str]]] = [
        lambda: _declared(world),
        lambda: _resets(world, seed),
        lambda: _observes(world, seed),
        lambda: _acts(world, seed),
        lambda: _goes_back(world, seed),
        lambda: _facts(world, task, seed),
        lambda: _pictures(world),
    ]
    found: list[str] = []
    for check in checks:
        try:
            found.extend(check())
        except Exception as error:  # noqa: BLE001 - the world is someone's own code, and this is where it is tried
            found.append(f"{type(error).__name__} was raised where nothing should be: {error}")
    return list(dict.fromkeys(found))


def _declared(world: World) -> Iterator[str]:
    seen = list(world.observables)
    names = [each.name for each in seen]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"observables: {name} is there twice"
    for each in seen:
        yield from _observable(each, set(world.objects))
    if not any(each.objects and all(world.objects.get(name) == "gripper" for name in each.objects) for each in seen):
        yield "observables: none is about the gripper alone; learning needs its position (say gripper_pos)"


def _observable(each: Observable, objects: set[str]) -> Iterator[str]:
    if each.unit not in UNITS:
        yield f"observables: the unit of {each.name} is {each.unit!r}, not one of {', '.join(UNITS)}"
    if each.size < 1 or not each.scale > 0:
        yield f"observables: {each.name} needs a size of 1 or more and a scale above 0"
    if len(each.meaning.split()) < 3:
        yield f"observables: {each.name} needs a sentence of meaning: a model that writes rewards reads nothing else"
    for name in sorted(set(each.objects) - objects):
        yield f"observables: {each.name} is about {name}, which is not in `objects`"


def _resets(world: World, seed: int) -> Iterator[str]:
    first, facts = _copy(world.reset(seed)), world.facts()
    for number in range(STEPS // 2):
        world.step(_actions(seed)[number])
    again = world.reset(seed)
    if not _same(first, again) or world.facts() != facts:
        yield "reset: the same seed gives another scene after some steps; reset everything and draw from the seed alone"
    if any(fact[0] == "grasped" for fact in facts):
        yield "reset: something is grasped already; start with an empty hand, and forget what the detectors remember"
    if _same(first, world.reset(seed + 1)) and _same(first, world.reset(seed + 2)):
        yield "reset: three seeds give one and the same scene; move things a little, or one scene is learned by heart"


def _observes(world: World, seed: int) -> Iterator[str]:
    declared = {each.name: each.size for each in world.observables}
    seen = world.reset(seed)
    if set(seen) != set(declared):
        odd = ", ".join(sorted(set(seen) ^ set(declared)))
        yield f"reset: the observation's keys differ from the observables: {odd}"
    for number in range(STEPS // 4):
        for name, array in seen.items():
            if not isinstance(array, np.ndarray) or array.dtype != np.float64:
                yield f"observation: {name} is not a float64 array"
            elif array.shape != (declared.get(name, -1),):
                yield f"observation: {name} has the shape {array.shape}, not ({declared.get(name, '?')},)"
            elif not np.isfinite(array).all():
                yield f"observation: {name} is not finite"
        seen = world.step(_actions(seed)[number])
    if not _same(seen, world.observe()):
        yield "observe: differs from what the last step returned"
    before = _copy(world.observe())
    for array in world.observe().values():
        array += 1.0
    if not _same(before, world.observe()):
        yield "observe: changing the returned arrays changes the world or its next observation; return fresh arrays"


def _acts(world: World, seed: int) -> Iterator[str]:
    world.reset(seed)
    start = world.save()
    one = _copy(world.step(np.ones(4)))
    world.restore(start)
    if not _same(one, world.step(np.full(4, 7.0))):
        yield "step: an action of 7 does not do what an action of 1 does; clip to [-1, 1]"
    world.restore(start)
    try:
        world.step(np.array([0.0, np.nan, 0.0, 0.0]))
        yield "step: NaN is taken for an action; raise ValueError"
    except ValueError:
        pass
    if "gripper_pos" in one:
        yield from _moves(world, start)


def _moves(world: World, start: object) -> Iterator[str]:
    for axis, name in enumerate("xyz"):
        world.restore(start)
        action = np.zeros(4)
        action[axis] = 1.0
        places = [world.observe()["gripper_pos"].copy(), *(world.step(action)["gripper_pos"].copy() for _ in range(5))]
        steps = np.diff(np.array(places), axis=0)
        if np.abs(steps).max() > SLACK * MAX_DISPLACEMENT:
            yield (
                f"step: the gripper moves by {np.abs(steps).max():.3f} m in one step along {name}, more than "
                f"MAX_DISPLACEMENT = {MAX_DISPLACEMENT}"
            )
        if steps[:, axis].sum() <= 0.5 * MAX_DISPLACEMENT:
            yield f"step: the gripper does not move along {name} under an action of 1 along it"


def _goes_back(world: World, seed: int) -> Iterator[str]:
    actions = _actions(seed)
    world.reset(seed)
    for action in actions[:STEPS]:
        world.step(action)
    saved, here = world.save(), _copy(world.observe())
    ahead = _run(world, actions[STEPS:])
    if not _same(world.restore(saved), here):
        yield "restore: returns another observation than there was when the state was saved"
    if not _equal(_run(world, actions[STEPS:]), ahead):
        yield (
            "restore: the same actions lead elsewhere after a restore; save all that the future depends on (speeds, "
            "servo targets, warm starts, the detectors' memory), and copy it"
        )
    try:
        packed = pickle.dumps(saved)
    except Exception as error:  # noqa: BLE001 - pickling fails with errors of every type
        yield f"save: the state cannot be pickled: {error}"
        return
    world.reset(seed + 1)
    world.restore(pickle.loads(packed))
    if not _equal(_run(world, actions[STEPS:]), ahead):
        yield "restore: a pickled state put back after a reset leads elsewhere; something is left out of the state"


def _facts(world: World, task: Task | None, seed: int) -> Iterator[str]:
    world.reset(seed)
    initial = world.facts()
    if world.facts() != initial:
        yield "facts: asking twice gives two answers; let only reset, step and restore change the detectors' memory"
    seen = set(initial)
    for action in _actions(seed):
        world.step(action)
        seen |= world.facts()
    objects = dict(world.objects)
    for fact in sorted(seen, key=str):
        if not isinstance(fact, tuple) or not all(isinstance(word, str) and word == word.lower() for word in fact):
            yield f"facts: {fact!r} is not a tuple of lower-case words"
            continue
        for name in sorted(set(fact[1:]) - set(objects)):
            yield f"facts: {' '.join(fact)} is about {name}, which is not in `objects`"
    if task is not None:
        yield from _typed(task, objects, seen)
        stated = {(atom.predicate, *atom.terms) for atom in task.problem.init}
        for fact in sorted(stated - initial):
            yield f"facts: ({' '.join(fact)}) holds in the problem's :init, and not after reset({seed})"
        for fact in sorted(initial - stated):
            yield f"facts: ({' '.join(fact)}) holds after reset({seed}), and not in the problem's :init"


def _typed(task: Task, objects: dict[str, str], seen: set[tuple[str, ...]]) -> Iterator[str]:
    types = {item.name: item.types for item in task.objects}
    for name in sorted(set(objects) - set(types)):
        yield f"objects: {name} is not an object of the problem"
    for name, kind in objects.items():
        if name in types and kind not in types[name]:
            yield f"objects: {name} is of type {kind} here, and {' or '.join(types[name])} in the problem"
    hierarchy = hierarchy_of(task.domain)
    for fact in sorted(seen):
        predicate = task.domain.predicate_by_name.get(fact[0])
        if predicate is None or predicate.arity != len(fact) - 1:
            yield f"facts: ({' '.join(fact)}) is no predicate of the domain with {len(fact) - 1} arguments"
            continue
        for name, wanted in zip(fact[1:], predicate.parameters, strict=True):
            if name in types and not hierarchy.fits(types[name], wanted.types):
                yield f"facts: ({' '.join(fact)}): {name} is no {' or '.join(wanted.types)}"


def _pictures(world: World) -> Iterator[str]:
    try:
        picture = world.render(64, 48)
    except RenderError:
        return
    if picture.shape != (48, 64, 3) or picture.dtype != np.uint8:
        yield f"render: (64, 48) gives {picture.dtype} of shape {picture.shape}, not uint8 of shape (48, 64, 3)"


def _actions(seed: int) -> Array:
    """The same random actions for every run of a check, held for a few steps each so that they lead somewhere."""
    return np.repeat(np.random.default_rng(seed).uniform(-1, 1, (STEPS // 2, 4)), 4, axis=0)


def _run(world: World, actions: Array) -> Trace:
    return [(_copy(world.step(action)), world.facts()) for action in actions]


def _copy(seen: Observation) -> Observation:
    return {name: np.array(array) for name, array in seen.items()}


def _same(first: Observation, second: Observation) -> bool:
    return set(first) == set(second) and all(np.array_equal(array, second[name]) for name, array in first.items())


def _equal(first: Trace, second: Trace) -> bool:
    return all(_same(one, other) and facts == also for (one, facts), (other, also) in zip(first, second, strict=True))
