"""Written tasks: the PDDL is sound, the text names all that it holds, and no wording of PlanBench is among ours."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.pddl import Source, check_sources, domain_from_text, task_from_text
from groundplan.pddl.ast import And, Atom, Problem
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits, Status
from groundplan.train.texts import (
    DOMAINS,
    WrittenTask,
    blocksworld_words,
    domain_text,
    gripper_words,
    logistics_words,
    written_task,
)
from groundplan.train.texts.overlap import clauses, masked, masked_clauses, shared_clauses, shared_ngrams

SMALL = {"blocksworld": (2, 4), "gripper": (1, 3), "logistics": (1, 2)}
SEEDS = st.integers(min_value=0, max_value=10**6)
TYPES = ("room", "ball", "gripper", "obj", "truck", "airplane", "city", "location")
SAMPLE = 300
"""How many tasks of each domain stand for all, where a whole collection is looked at."""


def read(task: WrittenTask) -> Problem:
    return task_from_text(task.domain_pddl, task.problem).problem


def atoms(task: WrittenTask) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """The facts of the start and of the goal."""
    problem = read(task)
    goal = problem.goal
    parts = goal.parts if isinstance(goal, And) else (goal,)
    assert all(isinstance(part, Atom) for part in parts)
    return {_fact(atom) for atom in problem.init}, {_fact(part) for part in parts}


def _fact(atom: object) -> tuple[str, ...]:
    assert isinstance(atom, Atom), atom
    return (atom.predicate, *map(str, atom.terms))


def spellings(name: str) -> list[str]:
    """How a text may write an object: its name, or its number after the kind (b3: block 3)."""
    number = re.fullmatch(r"b(\d+)", name)
    return [name, f"block {number[1]}", f"ball {number[1]}"] if number else [name]


def called(names: list[str]) -> list[str]:
    """Everything that a text may call objects of these names, articles and kinds with them."""
    forms = ("{}", "the {}", "the {} block", "{} block", "block {}", "the block {}", "the {} one", "the {} cube",
             "{} cube", "{} one", "cube {}", "the {} ball", "{} ball")  # fmt: skip
    plain = [form.format(name) for name in names for form in forms]
    return plain + [spelling for name in names for spelling in spellings(name)]


def object_names(task: WrittenTask) -> list[str]:
    return [item.name for item in read(task).objects]


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_domain_reads_without_a_finding(domain: str) -> None:
    assert not check_sources(Source(domain_text(domain))).diagnostics
    assert domain_from_text(domain_text(domain)).name == domain


@pytest.mark.parametrize("domain", DOMAINS)
@given(seed=SEEDS)
def test_the_problem_is_sound_and_unsolved_and_the_text_names_every_object(domain: str, seed: int) -> None:
    task = written_task(domain, seed)
    assert task == written_task(domain, seed)
    result = check_sources(Source(task.domain_pddl), Source(task.problem))
    assert not result.diagnostics, result.diagnostics
    init, goal = atoms(task)
    assert goal
    assert not goal <= init
    text = task.text.lower()
    for name in object_names(task):
        found = any(re.search(rf"(?<![\w-]){re.escape(way)}(?![\w-])", text) for way in spellings(name))
        assert found, (name, task.text)


@pytest.mark.parametrize("domain", DOMAINS)
@settings(max_examples=12)
@given(seed=SEEDS)
def test_small_tasks_are_solvable(domain: str, seed: int) -> None:
    task = written_task(domain, seed, SMALL[domain])
    outcome = BuiltinEngine().solve(task_from_text(task.domain_pddl, task.problem), Limits(wall_s=20, cpu_s=20))
    assert outcome.status is Status.SOLVED
    assert outcome.plan is not None
    assert len(outcome.plan) > 0


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_wordings_are_many(domain: str) -> None:
    tasks = [written_task(domain, seed) for seed in range(SAMPLE)]
    assert len({task.wording for task in tasks}) >= 10
    assert len({task.text for task in tasks}) == SAMPLE
    told = {clause for task in tasks for clause in masked_clauses(task.text, called(object_names(task)))}
    assert len(told) > 400


@pytest.mark.parametrize(
    ("domain", "size"), [("blocksworld", (1, 3)), ("gripper", (3, 2)), ("logistics", (1, 99)), ("sokoban", (1, 2))]
)
def test_what_cannot_be_made_is_refused(domain: str, size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=domain):
        written_task(domain, 0, size)


@given(seed=SEEDS, low=st.integers(2, 7), more=st.integers(0, 2))
def test_sizes_are_kept_to(seed: int, low: int, more: int) -> None:
    assert low <= len(object_names(written_task("blocksworld", seed, (low, low + more)))) <= low + more
    assert low <= written_task("gripper", seed, (low, low + more)).problem.count("(ball ") <= low + more
    assert low <= written_task("logistics", seed, (low, low + more)).problem.count("(city ") <= low + more


WORDS = {"blocksworld": blocksworld_words, "gripper": gripper_words, "logistics": logistics_words}
KINDS = {"at/package": "at", "at/truck": "at", "at/airplane": "at"}
FORMS = ("{}", "the {}", "the {} block", "block {}", "the block {}", "the {} one", "the {} cube", "cube {}",
         "the {} ball", "the {} gripper", "the {} hand", "the {} arm", "gripper {}")  # fmt: skip


def sayings(domain: str, names: list[str], text: str) -> dict[str, tuple[str, ...]]:
    """Every clause that the words of the domain could say about the objects, as the text calls them, and its fact."""
    found: dict[str, tuple[str, ...]] = {}
    ways = [(name, form.format(way)) for name in names for way in spellings(name) for form in FORMS]
    ways = [(name, way) for name, way in ways if way in text]
    for key in {*KINDS, "on", "ontable", "clear", "handempty", "holding", "at-robby", "at", "free", "carry", "airport",
                "in-city", "in"} & set(WORDS[domain].PHRASES):  # fmt: skip
        for phrase in WORDS[domain].PHRASES[key]:
            places = len(set(re.findall(r"\{\d\}", phrase)))
            for chosen in product(ways, repeat=places):
                fact = (KINDS.get(key, key), *(name for name, _ in chosen))
                found[phrase.format(*(way for _, way in chosen)).lower()] = fact
    return found


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_text_of_one_fact_a_clause_states_the_whole_start_and_nothing_else(domain: str) -> None:
    """Read back by phrase, such a text gives the facts of the start, and at most those of the goal besides."""
    simple = {manner.name for manner in WORDS[domain].MANNERS if manner.order == "random"}
    tasks = [task for task in (written_task(domain, seed) for seed in range(80)) if task.wording in simple]
    assert len(tasks) > 5
    for task in tasks:
        init, goal = atoms(task)
        init = {fact for fact in init if fact[0] not in TYPES}
        text = task.text.lower()
        known = sayings(domain, object_names(task), text)
        stated = set()
        for clause in clauses(text):
            words = clause.split()
            stated |= {known[tail] for at in range(len(words)) if (tail := " ".join(words[at:])) in known}
        assert init <= stated, (init - stated, task.text)
        assert stated <= init | goal, (stated - init - goal, task.text)


def test_masking_takes_the_longest_name_and_clauses_end_at_and() -> None:
    text = "The red block is clear, b1 holds b10 and nothing is on Red.\n- b1 free"
    names = ["red", "the red block", "b1", "b10"]
    assert [masked(clause, names) for clause in clauses(text)] == [
        "<x> is clear", "<x> holds <x>", "nothing is on <x>", "<x> free",
    ]  # fmt: skip
    assert masked_clauses("red, b1 and b10.", names) == set()
    assert shared_ngrams(["nothing is on <x>"], ["there nothing is"], 2) == {("nothing", "is")}
    assert masked("location_0_0 is at location_0_1", ["location_0_0", "location_0_1"]) == "<x> is at <x>"


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_clause_of_planbench_is_a_clause_of_ours(data_dir: Path, domain: str) -> None:
    folder = data_dir / "planbench" / domain
    if not folder.is_dir():
        pytest.skip("no PlanBench beside this checkout")
    theirs: set[str] = set()
    data = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    for item in data["tasks"]:
        theirs |= masked_clauses(item["query_nl"], called(_their_names(item["query_nl"])))
    assert len(theirs) >= 5
    ours: set[str] = set()
    for seed in range(SAMPLE):
        task = written_task(domain, seed)
        ours |= masked_clauses(task.text, called(object_names(task)))
    assert shared_clauses(ours, theirs) == set()


def _their_names(text: str) -> list[str]:
    """The objects of a PlanBench text: what stands before "block", and names that end with a number or a letter."""
    colours = re.findall(r"the (\w+) (?:block|gripper)", text)
    numbered = re.findall(r"\b(?:room[a-z]|[a-z]+(?:_?\d+)+)\b", text)
    return sorted({*colours, *numbered})
