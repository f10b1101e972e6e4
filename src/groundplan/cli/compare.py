"""groundplan compare"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.inputs import Inputs
from groundplan.cli.options import AsJson
from groundplan.cli.output import say, say_json
from groundplan.errors import InputError
from groundplan.pddl.ast import Task
from groundplan.pddl.read import check_sources

if TYPE_CHECKING:
    from groundplan.pddl.compare.result import Comparison, Maps


class Objects(StrEnum):
    """How objects may correspond."""

    NAMED = "named"
    FREE = "free"


class Relation(StrEnum):
    """What counts as the same task."""

    BISIMULATION = "bisimulation"
    ISOMORPHISM = "isomorphism"


def add_to(app: typer.Typer) -> None:
    @app.command(help="Is a task the task that was asked for? Proved, or the shortest run after which they differ.")
    def compare(
        reference_domain: Annotated[str, typer.Argument(help="Domain of the task that was asked for.")],
        reference_problem: Annotated[str, typer.Argument(help="Its problem.")],
        domain: Annotated[str, typer.Argument(help="Domain of the task that was written.")],
        problem: Annotated[str, typer.Argument(help="Its problem.")],
        objects: Annotated[
            Objects, typer.Option(help="named: objects follow their names; free: any bijection will do.")
        ] = Objects.NAMED,
        relation: Annotated[
            Relation,
            typer.Option(help="isomorphism: problems of one domain equal up to renaming objects (as in Planetarium)."),
        ] = Relation.BISIMULATION,
        maps: Annotated[
            str | None, typer.Option(help="JSON file with `objects` and/or `actions`, as this command prints `maps`.")
        ] = None,
        timeout: Annotated[float, typer.Option(min=0.1, help="Seconds; then the verdict is `unrefuted`.")] = 10.0,
        states: Annotated[int, typer.Option(min=10, help="Pairs of states that one search may keep.")] = 200_000,
        probes: Annotated[bool, typer.Option(help="Try two domains on variations of the problem, too.")] = True,
        as_json: AsJson = False,
    ) -> int:
        inputs = Inputs()
        names = (reference_domain, reference_problem, domain, problem)
        texts = [inputs.source(name, kind) for name, kind in zip(names, ("domain", "problem") * 2, strict=True)]
        tasks = [check_sources(*texts[:2]).task(), check_sources(*texts[2:]).task()]
        given = _read_maps(inputs.source(maps, "maps").text, maps, tasks[0], tasks[1]) if maps else None
        found = _compare(tasks[0], tasks[1], objects, relation, given, timeout, states, probes)
        if as_json:
            say_json(found.as_json())
        else:
            _print(found)
        return Exit.YES if found.is_same else Exit.NO


def _compare(
    reference: Task,
    candidate: Task,
    objects: Objects,
    relation: Relation,
    maps: Maps | None,
    timeout: float,
    states: int,
    probes: bool,
) -> Comparison:
    from groundplan.pddl.compare import compare_tasks
    from groundplan.pddl.compare.budget import Budget
    from groundplan.pddl.compare.isomorphic import isomorphic

    if relation is Relation.ISOMORPHISM:
        return isomorphic(reference, candidate, Budget(timeout, states))
    how: Any = objects.value
    return compare_tasks(reference, candidate, objects=how, maps=maps, seconds=timeout, states=states, probes=probes)


def _read_maps(text: str, name: str, reference: Task, candidate: Task) -> Maps:
    """The maps of a file; names that are not in the tasks are errors."""
    from groundplan.pddl.compare.result import ActionMatch, Maps

    try:
        data = json.loads(text)
        objects = {str(mine).lower(): str(other).lower() for mine, other in data.get("objects", {}).items()}
        actions = {
            str(mine).lower(): ActionMatch(str(item["action"]).lower(), tuple(map(int, item["positions"])))
            for mine, item in data.get("actions", {}).items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{Path(name).name}: these are no maps ({error}); {_SHAPE}") from None
    for names, known, what in (
        (objects, {item.name for item in candidate.objects}, "candidate's objects"),
        (objects.values(), {item.name for item in reference.objects}, "reference's objects"),
        (actions, candidate.domain.action_by_name, "candidate's actions"),
        ((match.action for match in actions.values()), reference.domain.action_by_name, "reference's actions"),
    ):
        unknown = [item for item in names if item not in known]
        if unknown:
            raise InputError(f"{Path(name).name}: `{unknown[0]}` is not among the {what}: {', '.join(sorted(known))}")
    if len(set(objects.values())) < len(objects):
        raise InputError(f"{Path(name).name}: two objects stand for the same one")
    for mine, match in actions.items():
        wanted = len(reference.domain.action_by_name[match.action].parameters)
        offered = len(candidate.domain.action_by_name[mine].parameters)
        if (
            sorted(set(match.positions)) != sorted(match.positions)
            or len(match.positions) != wanted
            or not all(0 <= place < offered for place in match.positions)
        ):
            raise InputError(
                f"{Path(name).name}: `{mine}` wants {wanted} different positions from 0 to {offered - 1}, one for each "
                f"parameter of `{match.action}`"
            )
    return Maps(objects, actions)


_SHAPE = (
    '{"objects": {"blk1": "a"}, "actions": {"grab": {"action": "pick-up", "positions": [0]}}} is wanted, from the '
    "candidate's names to the reference's"
)


def _print(found: Comparison) -> None:
    from groundplan.pddl.compare.explain import explanation

    for line in explanation(found):
        say(line)
