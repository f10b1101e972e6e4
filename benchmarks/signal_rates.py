"""How often the signals speak on faithful tasks, and on tasks that were broken on purpose.

    python benchmarks/signal_rates.py [--data DIR] [--set NAME ...] [--each N] [--examples KIND]

DIR holds the public data sets `planbench` and `planetarium` (default: ../shared/data beside the checkout); without it
only the texts in `signal_texts.py` are measured. Everything is seeded: two runs print the same table.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from groundplan.formalize.signals import CHECKS, signals
from groundplan.formalize.specification import Signal
from groundplan.pddl import task_from_text
from groundplan.pddl.ast import Action, And, Atom, Domain, Effect, Problem, Task
from signal_texts import WRITTEN

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PLANBENCH = ("blocksworld", "gripper", "logistics", "mystery_blocksworld")


@dataclass(frozen=True)
class Item:
    """A faithful task with its text; `group` is the row of the table."""

    group: str
    text: str
    task: Task


# --- golds ------------------------------------------------------------------------------------------------------------


def golds(data: Path, sets: set[str]) -> Iterator[Item]:
    if "own" in sets:
        for written in WRITTEN:
            yield Item("own texts", written.text, task_from_text(written.domain, written.problem))
    if "planbench" in sets and (data / "planbench").is_dir():
        for name in PLANBENCH:
            folder = data / "planbench" / name
            table = json.loads((folder / "tasks.json").read_text())
            domain = (folder / "domain.pddl").read_text()
            for row in table["tasks"]:
                task = task_from_text(domain, (folder / row["problem_file"]).read_text())
                yield Item(f"planbench {name}", f"{table['domain_nl']}\n\n{row['query_nl']}", task)
    if "planetarium" in sets and (data / "planetarium").is_dir():
        for row in json.loads((data / "planetarium" / "sample.json").read_text()):
            domain = (data / "planetarium" / "domains" / f"{row['domain']}.pddl").read_text()
            kind = "abstract" if row["init_is_abstract"] or row["goal_is_abstract"] else "explicit"
            yield Item(f"planetarium {kind}", row["natural_language"], task_from_text(domain, row["problem_pddl"]))


# --- broken golds -----------------------------------------------------------------------------------------------------


def _with(task: Task, problem: Problem) -> Task:
    return Task(task.domain, problem)


def _goal(task: Task) -> list[Atom] | None:
    """The atoms of a plain goal; None for any other."""
    goal = task.problem.goal
    parts = goal.parts if isinstance(goal, And) else (goal,)
    return [part for part in parts if isinstance(part, Atom)] if all(isinstance(p, Atom) for p in parts) else None


def _without_objects(task: Task, gone: set[str]) -> Task | None:
    """The task without some objects and everything that is said of them."""
    problem, goal = task.problem, _goal(task)
    if goal is None:
        used: tuple[Atom, ...] = ()
    else:
        used = tuple(atom for atom in goal if not gone & set(atom.terms))
    if goal is not None and not used:
        return None
    return _with(
        task,
        replace(
            problem,
            objects=tuple(item for item in problem.objects if item.name not in gone),
            init=tuple(atom for atom in problem.init if not gone & set(atom.terms)),
            goal=problem.goal if goal is None else And(used),
        ),
    )


def drop_object(task: Task, rng: random.Random) -> Task | None:
    """Forget one object, with all its facts and goal atoms."""
    names = [item.name for item in task.problem.objects]
    return _without_objects(task, {rng.choice(names)}) if len(names) > 2 and _goal(task) else None


def halve_objects(task: Task, rng: random.Random) -> Task | None:
    """Forget every second object, as models do that shorten a list."""
    names = [item.name for item in task.problem.objects]
    return _without_objects(task, set(names[1::2])) if len(names) > 3 and _goal(task) else None


def drop_goal_atom(task: Task, rng: random.Random) -> Task | None:
    """Forget one demand."""
    goal = _goal(task)
    if goal is None or len(goal) < 2:
        return None
    gone = rng.randrange(len(goal))
    return _with(task, replace(task.problem, goal=And(tuple(goal[:gone] + goal[gone + 1 :]))))


def redirect_goal_atom(task: Task, rng: random.Random) -> Task | None:
    """Replace one thing in a goal atom by another that stands in a like place elsewhere in the initial state."""
    goal = _goal(task) or []
    choices = [(at, k) for at, atom in enumerate(goal) for k in range(len(atom.terms))]
    rng.shuffle(choices)
    for at, k in choices:
        atom = goal[at]
        others = {fact.terms[k] for fact in task.problem.init if fact.predicate == atom.predicate} - set(atom.terms)
        if others:
            terms = (*atom.terms[:k], rng.choice(sorted(others)), *atom.terms[k + 1 :])
            new = [*goal[:at], Atom(atom.predicate, terms), *goal[at + 1 :]]
            return _with(task, replace(task.problem, goal=And(tuple(new)))) if new[at] not in goal else None
    return None


def goal_from_init(task: Task, rng: random.Random) -> Task | None:
    """Demand what already is."""
    fluents = [atom for atom in task.problem.init if atom.predicate in task.domain.fluents]
    size = len(_goal(task) or [1])
    return _with(task, replace(task.problem, goal=And(tuple(rng.sample(fluents, min(size, len(fluents)))))))


def goal_into_init(task: Task, rng: random.Random) -> Task | None:
    """State the goal as if it held at the start."""
    goal = _goal(task)
    if goal is None or all(atom in task.problem.init for atom in goal):
        return None
    return _with(task, replace(task.problem, init=tuple(dict.fromkeys((*task.problem.init, *goal)))))


def empty_goal(task: Task, rng: random.Random) -> Task | None:
    """Demand nothing."""
    return _with(task, replace(task.problem, goal=And(())))


def drop_fact(task: Task, rng: random.Random) -> Task | None:
    """Forget one fact of the initial state."""
    init = task.problem.init
    gone = rng.randrange(len(init))
    return _with(task, replace(task.problem, init=init[:gone] + init[gone + 1 :]))


def _change_effects(task: Task, rng: random.Random, positive: bool) -> Task | None:
    choices = [(a, e) for a in task.domain.actions for e in a.effects if e.positive is positive and len(a.effects) > 1]
    if not choices:
        return None
    action, effect = rng.choice(choices)
    return Task(_with_effects(task.domain, action, tuple(e for e in action.effects if e is not effect)), task.problem)


def _with_effects(domain: Domain, action: Action, effects: tuple[Effect, ...]) -> Domain:
    changed = replace(action, effects=effects)
    return replace(domain, actions=tuple(changed if other is action else other for other in domain.actions))


def lose_delete_effect(task: Task, rng: random.Random) -> Task | None:
    """Let one action leave something true that it should end."""
    return _change_effects(task, rng, positive=False)


def lose_add_effect(task: Task, rng: random.Random) -> Task | None:
    """Let one action miss one of its results."""
    return _change_effects(task, rng, positive=True)


BREAKS: tuple[Callable[[Task, random.Random], Task | None], ...] = (
    empty_goal,
    goal_from_init,
    goal_into_init,
    drop_object,
    halve_objects,
    drop_goal_atom,
    redirect_goal_atom,
    drop_fact,
    lose_delete_effect,
    lose_add_effect,
)


# --- measuring --------------------------------------------------------------------------------------------------------


@dataclass
class Row:
    """One row of the table: how many tasks, and on how many of them each check spoke."""

    tasks: int
    spoken: Counter[tuple[str, str]]
    any_error: int = 0
    any_warning: int = 0

    def add(self, found: tuple[Signal, ...]) -> None:
        self.tasks += 1
        kinds = {(signal.name, signal.severity) for signal in found}
        self.spoken.update(kinds)
        self.any_error += any(severity == "error" for _, severity in kinds)
        self.any_warning += any(severity in ("warning", "error") for _, severity in kinds)


def measure(items: list[Item], each: int, example_kind: str) -> None:
    tables: dict[str, dict[str, Row]] = {"faithful": {}}
    seconds: list[float] = []
    numbers: Counter[str] = Counter()
    for item in items:
        numbers[item.group] += 1
        start = time.perf_counter()
        found = signals(item.text, item.task)
        seconds.append(time.perf_counter() - start)
        tables["faithful"].setdefault(item.group, Row(0, Counter())).add(found)
        if example_kind == "faithful":
            _show(item, found)
        for kind in BREAKS:
            for index in range(each):
                broken = kind(item.task, random.Random(f"{item.group} {numbers[item.group]} {kind.__name__} {index}"))
                if broken is not None:
                    found = signals(item.text, broken)
                    tables.setdefault(kind.__name__, {}).setdefault(item.group, Row(0, Counter())).add(found)
                    if example_kind == kind.__name__ and not any(s.severity != "info" for s in found):
                        _show(Item(item.group, item.text, broken), found)
    for name, rows in tables.items():
        _print(name, rows)
    seconds.sort()
    print(f"\ntime: median {seconds[len(seconds) // 2] * 1e3:.1f} ms, longest {seconds[-1] * 1e3:.1f} ms")


def _print(name: str, rows: dict[str, Row]) -> None:
    print(f"\n{name.replace('_', ' ')}")
    for group, row in rows.items():
        parts = [
            f"{check}{'' if severity == CHECKS[check].severity else f' ({severity})'} {count}"
            for (check, severity), count in sorted(row.spoken.items())
        ]
        print(
            f"  {group:30} {row.tasks:4} tasks, error {100 * row.any_error / row.tasks:3.0f} %, error or warning "
            f"{100 * row.any_warning / row.tasks:3.0f} %  {', '.join(parts)}"
        )


def _show(item: Item, found: tuple[Signal, ...]) -> None:
    goal = " ".join(map(str, _goal(item.task) or ["(no plain goal)"]))
    print(f"--- {item.group}: {item.text[-600:]}\n    goal {goal}")
    for signal in found:
        print(f"    {signal.severity} {signal.name}: {signal.message}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Rates of the reference-free signals.")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--set", nargs="+", default=["own", "planbench", "planetarium"])
    parser.add_argument("--each", type=int, default=1, help="broken tasks of each kind for every gold")
    parser.add_argument("--examples", default="", help="show faithful tasks, or the broken ones of a kind that pass")
    options = parser.parse_args()
    measure(list(golds(options.data, set(options.set))), options.each, options.examples)


if __name__ == "__main__":
    main()
