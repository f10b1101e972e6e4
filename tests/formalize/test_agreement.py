"""Clustering of tasks by what they mean, without any model."""

from __future__ import annotations

import re
import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.formalize.agreement import Compared, agreement, agreement_signal, compare_pair
from groundplan.formalize.specification import Agreement
from groundplan.pddl.ast import Task
from groundplan.pddl.compare import Equivalence
from groundplan.pddl.read import check_sources
from groundplan.pddl.source import Source

sys.path.append(str(Path(__file__).parent))
from texts import DOMAIN, PROBLEM

WORDS = {"lamps": "halls", "lamp": "bulb", "dark": "off", "lit": "on", "light": "switch-on", "two-lamps": "hall"}
WEAK_GOAL = PROBLEM.replace("(and (lit left) (lit right))", "(lit left)")
UNLIT = DOMAIN.replace("(dark ?l)\n", "(and (dark ?l) (not (lit ?l)))\n").replace(
    ":strips", ":strips :negative-preconditions"
)
"""A dark lamp is never lit, so this is the same task."""
ANY_TIME = DOMAIN.replace(":precondition (dark ?l)", ":precondition ()")
"""Lighting a lamp that is lit changes nothing, so this is the same task."""
TEXTS = {
    "plain": (DOMAIN, PROBLEM),
    "one more condition": (UNLIT, PROBLEM),
    "any time": (ANY_TIME, PROBLEM),
    "weak": (DOMAIN, WEAK_GOAL),
    "other goal": (DOMAIN, PROBLEM.replace("(lit left) (lit right)))", "(dark left) (lit right)))")),
}


def _renamed(text: str) -> str:
    return re.sub(r"[\w-]+", lambda word: WORDS.get(word.group(), word.group()), text)


def _task(domain: str, problem: str) -> Task:
    result = check_sources(Source(domain, "domain.pddl"), Source(problem, "problem.pddl"))
    assert result.ok, [found.message for found in result.diagnostics]
    return result.task()


TASKS = {name: _task(*texts) for name, texts in TEXTS.items()}
TASKS |= {f"{name}, renamed": _task(*map(_renamed, texts)) for name, texts in TEXTS.items()}
SAME = {"one more condition": "plain", "any time": "plain"}
MEANING = {name: SAME.get(name.split(",")[0], name.split(",")[0]) for name in TASKS}


def test_names_do_not_matter_and_a_weaker_goal_does() -> None:
    names = ["plain", "weak", "plain, renamed"]
    found = agreement(dict(enumerate(TASKS[name] for name in names)), 3)
    assert found.clusters == ((0, 2), (1,))
    assert found.share == pytest.approx(2 / 3)
    assert (found.executable, found.undecided) == (3, ())
    assert "goal" in found.difference
    assert "(light left)" in found.difference


def test_objects_without_common_names_may_be_any() -> None:
    other = PROBLEM.replace("left", "x").replace("right", "y")
    assert compare_pair(TASKS["plain"], _task(DOMAIN, other)).verdict is Equivalence.PROVED
    swapped = WEAK_GOAL.replace("(lit left)", "(lit right)")
    assert compare_pair(TASKS["weak"], _task(DOMAIN, swapped)).verdict is Equivalence.REFUTED


def test_a_parameter_that_only_one_of_them_has_is_no_difference_either_way() -> None:
    domain = DOMAIN.replace(":types lamp", ":types lamp hand").replace("?l - lamp)\n", "?l - lamp ?h - hand)\n", 1)
    wide = _task(domain, PROBLEM.replace("right - lamp", "right - lamp only - hand"))
    assert ":parameters (?l - lamp ?h - hand)" in wide.domain.source.text
    assert compare_pair(TASKS["plain"], wide).verdict is Equivalence.PROVED
    assert compare_pair(wide, TASKS["plain"]).verdict is Equivalence.PROVED


@given(st.lists(st.sampled_from(sorted(TASKS)), min_size=1, max_size=7), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_the_partition_is_that_of_the_meanings_in_any_order(names: list[str], chance: object) -> None:
    places = list(range(len(names)))
    chance.shuffle(places)  # type: ignore[attr-defined]
    for order in (list(range(len(names))), places):
        found = agreement({at: TASKS[names[place]] for at, place in enumerate(order)}, len(names))
        assert found.undecided == ()
        assert sorted(index for cluster in found.clusters for index in cluster) == list(range(len(names)))
        for one, other in combinations(range(len(names)), 2):
            together = any({one, other} <= set(cluster) for cluster in found.clusters)
            assert together == (MEANING[names[order[one]]] == MEANING[names[order[other]]])
        sizes = [len(cluster) for cluster in found.clusters]
        assert sizes == sorted(sizes, reverse=True)
        assert bool(found.difference) == (len(sizes) > 1)


def test_each_is_compared_with_one_of_each_cluster_only() -> None:
    asked = []

    def compare(reference: Task, candidate: Task) -> Compared:
        asked.append((reference, candidate))
        return Compared(Equivalence.PROVED, "")

    same = TASKS["plain"]
    assert agreement(dict.fromkeys(range(6), same), 6, compare).clusters == ((0, 1, 2, 3, 4, 5),)
    assert len(asked) == 5


def test_of_two_clusters_of_one_size_the_earlier_one_is_first() -> None:
    found = agreement({1: TASKS["weak"], 2: TASKS["plain"], 4: TASKS["plain"], 5: TASKS["weak"]}, 6)
    assert found.clusters == ((1, 5), (2, 4))
    assert found.share == pytest.approx(1 / 3)


def test_what_is_not_decided_stays_apart_and_is_said() -> None:
    def compare(reference: Task, candidate: Task) -> Compared:
        return Compared(Equivalence.UNREFUTED, "the budget is spent")

    found = agreement({0: TASKS["plain"], 1: TASKS["weak"]}, 2, compare)
    assert (found.clusters, found.undecided) == (((0,), (1,)), ((0, 1),))
    signal = agreement_signal(found)
    assert "the budget is spent" in signal.message
    assert "neither proved the same nor refuted: samples 1 and 2" in signal.message


def test_a_pair_decided_with_a_later_cluster_is_not_open() -> None:
    def compare(reference: Task, candidate: Task) -> Compared:
        verdict = Equivalence.PROVED if reference is candidate else Equivalence.UNREFUTED
        return Compared(verdict, "the budget is spent")

    found = agreement({0: TASKS["plain"], 1: TASKS["weak"], 2: TASKS["weak"]}, 3, compare)
    assert (found.clusters, found.undecided) == (((1, 2), (0,)), ((0, 1),))


@pytest.mark.parametrize(
    ("clusters", "samples", "severity", "words"),
    [
        (((0, 1, 2),), 3, "info", "all 3 samples are the same task"),
        (((0, 2), (1,)), 3, "info", "2 of 3 samples agree (clusters: 2 + 1)"),
        (((0, 2),), 4, "warning", "2 of 4 samples agree (clusters: 2, 2 not executable)"),
        (((0,), (1,)), 2, "warning", "1 of 2 samples agree (clusters: 1 + 1)"),
        ((), 2, "warning", "none of 2 samples is executable"),
    ],
)
def test_the_signal(clusters: tuple[tuple[int, ...], ...], samples: int, severity: str, words: str) -> None:
    signal = agreement_signal(Agreement(samples, clusters, "at the start they differ"))
    assert (signal.name, signal.severity) == ("agreement", severity)
    assert words in signal.message
    assert ("at the start they differ" in signal.message) == (len(clusters) > 1)
