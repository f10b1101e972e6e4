"""Hostile and broken texts: no exception, no long wait, and always a place and a way out.

The engine of the random part is benchmarks/mutate_reader.py; here it runs for a short time.
"""

from __future__ import annotations

import inspect
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from greenhouse import DOMAIN, PROBLEM, Changed, errors, in_domain, in_problem
from hypothesis import given
from hypothesis import strategies as st

from groundplan.errors import InputError
from groundplan.pddl import CheckResult, Source, check_sources, write_domain, write_problem
from groundplan.pddl.findings import MOST
from groundplan.pddl.read import forget_domains
from groundplan.pddl.source import decode
from mutate_reader import badly_placed, damaged, run, seeds, trial

T = TypeVar("T")
MANY = 100_000


def test_damaged_tasks_keep_every_promise() -> None:
    trials, breaches = run(damaged(seeds(None), 1500, seed=1))
    assert not breaches, breaches[0]
    accepted = sum(item.accepted for item in trials)
    assert 50 < accepted < 750, "the damage must be neither harmless nor always fatal"
    assert len(set().union(*(item.codes for item in trials))) > 60, "the damage must be of many kinds"


def test_damaged_public_tasks_keep_every_promise(data_dir: Path) -> None:
    _, breaches = run(damaged(seeds(data_dir), 200, seed=2))
    assert not breaches, breaches[0]


def test_the_same_seed_makes_the_same_damage() -> None:
    first, second = (list(damaged(seeds(None), 20, seed=3)) for _ in range(2))
    assert first == second != list(damaged(seeds(None), 20, seed=4))


@given(st.text(alphabet="()?-:; \n\tabdefinorst[]{}\"',`.#/\\\x00\u200bÅ0195", max_size=80))
def test_any_text_keeps_every_promise(text: str) -> None:
    for domain, problem in ((text, text), ("(define (domain d)" + text, "(define (problem p)" + text)):
        assert not trial(domain, problem).breach


def test_any_bytes_are_a_text_or_an_input_error() -> None:
    rng = random.Random(0)
    refusals, texts = set(), []
    for _ in range(2000):
        data = rng.choice((b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) + rng.randbytes(rng.randrange(40))
        try:
            texts.append(decode(data, "file").text)
        except InputError as error:
            refusals.add(str(error).partition(" (")[0])
    assert refusals == {"file: this is a binary file, not text", "file: not a text file"}
    assert len(texts) > 100
    assert not any(trial(text, text).breach for text in texts)


# --- large and deep texts: linear time ---


def timed(changed: Changed) -> tuple[CheckResult, float]:
    started = time.process_time()
    result = changed.result()
    for found in result.diagnostics:
        assert not badly_placed(found)
    return result, time.process_time() - started


def chain(count: int) -> str:
    return " ".join(f"t{index} - t{index + 1}" for index in range(count))


FAR_TOO_MUCH = {
    "nested conditions": in_domain("(on ?p sink)\n", "(not " * MANY + "(on ?p sink)" + ")" * MANY + "\n"),
    "open brackets": in_domain("(on ?p sink)", "(" * MANY),
    "closing brackets": Changed(domain=DOMAIN + ")" * MANY),
    "brackets between sections": in_problem("(:goal", "(a) " * MANY + "(:goal"),
    "words between sections": in_problem("(:goal", "a " * MANY + "(:goal"),
    "square brackets": in_problem("fern ivy", "[ " * MANY),
    "open comments": in_problem("fern ivy", "/* " * MANY),
    "unknown requirements": in_domain(":strips", " ".join(f":strips{index}" for index in range(MANY // 2))),
    "unknown sections": in_problem("(:goal", "".join(f"(:goals{index})" for index in range(MANY // 2)) + "(:goal"),
    "unknown keywords": in_domain(":effect (wet", " ".join(f":effect{index}" for index in range(MANY // 2))),
    "quote marks": in_problem("fern ivy", "a" + "'" * MANY + "b"),
    "definitions": Changed(domain="(define (domain x)) " * MANY),
    "beginnings": Changed(domain="(define " * MANY),
    "undeclared names": in_problem("(free sink)", " ".join(f"(free x{i})" for i in range(MANY // 10))),
    "misspelt names": Changed(
        problem=PROBLEM.replace("fern ivy", " ".join(f"fern-{i} ivy-{i}" for i in range(2000)) + " fern ivy").replace(
            "(free sink)", " ".join(f"(wet farn-{i})" for i in range(2000))
        )
    ),
    "early ends": Changed(domain=DOMAIN.rstrip() + ") (:action a)" * (MANY // 20)),
    "a chain of types": in_domain(
        "thing - object", "thing - object " + " ".join(f"t{i} - t{i + 1}" for i in range(500))
    ),
    "a ring of types": in_domain("thing - object", f"thing - t0 {chain(500)} t500 - t0"),
}


@pytest.mark.parametrize("changed", FAR_TOO_MUCH.values(), ids=FAR_TOO_MUCH)
def test_far_too_much_of_anything_is_answered_soon(changed: Changed) -> None:
    result, seconds = timed(changed)
    assert seconds < 5
    assert len(result.diagnostics) <= 4 * (MOST + 1)


def test_deep_brackets_are_one_error() -> None:
    result = FAR_TOO_MUCH["nested conditions"].result()
    assert [found.code for found in errors(result)] == ["nested-too-deep"]


def test_a_hundred_thousand_errors_are_not_listed_but_counted_as_errors() -> None:
    result, _ = timed(in_problem("(free sink)", " ".join(f"(bogus-{i})" for i in range(MANY))))
    assert not result.ok
    assert len(errors(result)) == MOST
    assert [found.code for found in result.diagnostics if found.severity == "info"] == ["more-findings"]


def test_errors_are_not_crowded_out_by_warnings() -> None:
    warned = " ".join(f"(:action w{i} :effect ())" for i in range(MOST + 10))
    result = in_domain("(:action water", f"{warned} (:action x :effects ()) (:action water").result()
    assert [found.code for found in errors(result)] == ["unknown-keyword"]


def test_an_error_in_an_endless_line_is_shown_short() -> None:
    line = in_problem("(free sink)", "(free sink) " * 800)
    result = Changed(problem=line.problem.replace("(wet fern)", "(wet cactus)").replace("\n", " ")).result()
    assert [found.code for found in errors(result)] == ["unknown-object"]
    assert max(map(len, errors(result)[0].as_text().splitlines())) < 200


@pytest.mark.slow
def test_ten_megabytes_in_one_line() -> None:
    result, seconds = timed(in_problem("(free sink)", "(free sink) " * 850_000))
    assert result.ok
    assert seconds < 90


@pytest.mark.slow
def test_a_million_objects_are_read_in_seconds_and_bounded_memory() -> None:
    child = os.fork()  # a process of its own, so that the memory of other tests does not count
    if child == 0:
        status = 1
        try:
            names = " ".join(f"plant-{index}" for index in range(1_000_000))
            result, seconds = timed(in_problem("fern ivy", f"fern ivy {names}"))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            status = 0 if result.ok and seconds < 60 and peak < 1500 else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# --- little stack, odd characters ---


def with_frames_left(frames: int, call: Callable[[], T]) -> T:
    """Call with so many frames left before Python's recursion limit."""

    def deeper(levels: int) -> T:
        return call() if levels <= 0 else deeper(levels - 1)

    return deeper(sys.getrecursionlimit() - len(inspect.stack(0)) - frames)


@pytest.mark.parametrize("operator", ["and", "not", "or", "imply (wet ?p)", "forall (?x - plant)", "exists (?x)"])
def test_the_deepest_condition_needs_little_stack(operator: str) -> None:
    deep = f"({operator} " * 95 + "(wet ?p)" + ")" * 95
    changed = in_domain("(on ?p sink)\n", deep + "\n")
    forget_domains()
    result = with_frames_left(350, changed.result)
    assert result.ok
    task = result.task()
    text = with_frames_left(350, lambda: write_domain(task.domain) + write_problem(task.problem))
    assert deep in text


@pytest.mark.parametrize("effect", ["and", "when (wet ?p)", "forall (?x{} - plant)"])
def test_the_deepest_effect_needs_little_stack(effect: str) -> None:
    deep = "".join(f"({effect.format(level)} " for level in range(90)) + "(wet ?p)" + ")" * 90
    forget_domains()
    assert with_frames_left(350, in_domain("(wet ?p)))", deep + "))").result).ok


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_do_not_depend_on_the_kind_of_line_end(end: str) -> None:
    text = in_domain("(on ?p sink)", "(on ?p snk)").domain.replace("\n", end)
    found = errors(Changed(domain=text).result())
    assert [(item.code, item.line, item.column) for item in found] == [("unknown-constant", 16, 26)]
    assert "snk" in found[0].as_text().splitlines()[1]


@pytest.mark.parametrize("odd", ["\udfff", "\x00", "\x1b[31m", "\u202e", "İ", "ß", "\U0001f600"])
def test_odd_characters_are_refused_and_can_be_shown(odd: str) -> None:
    found = errors(in_problem("(wet fern)", f"(wet fern{odd})").result())
    assert found
    assert not any(map(badly_placed, found))
    assert found[0].line == 6
    found[0].as_compact().encode()  # a lone surrogate would raise here


@pytest.mark.parametrize("blank", ["\t", "\x0b", "\f", "\u00a0", "\u2003", "\u2028"], ids=ascii)
def test_any_blank_separates_names(blank: str) -> None:
    assert not in_problem("(wet fern)", f"(wet{blank}fern)").result().diagnostics


def test_a_capital_that_grows_in_lower_case_moves_no_place() -> None:
    result = check_sources(Source("; İİİİ\n" + DOMAIN.replace("(on ?p sink)", "(on ?p snk)"), "domain"))
    assert [(found.line, found.column) for found in errors(result)] == [(17, 26)]
