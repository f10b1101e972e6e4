"""Our reader against Fast Downward's: what we accept without a word, it takes; what it takes and we refuse, we mean to.

Its translator runs as a process of its own (fd_front_end.py) and reads the canonical text of what we accepted.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from greenhouse import DOMAIN, PROBLEM, Changed
from hypothesis import given
from strategies import tasks

from groundplan.pddl import CheckResult, Source, Task, check_sources, write_domain, write_problem
from mutate_reader import damaged, seeds

EITHER = "Got: (either "
"""The one thing that it refuses and we take: `either` outside of predicate declarations."""

FrontEnd = Callable[[str, str], str]
MEANT_STRICTNESS = frozenset(
    # Names declared twice, used otherwise than declared, or of the wrong type: Fast Downward plans on in silence.
    "type-mismatch duplicate-action duplicate-predicate duplicate-function duplicate-parameter cyclic-type "
    "type-as-predicate unknown-predicate unknown-function unknown-type unknown-constant unbound-variable wrong-arity "
    "contradictory-init derived-from-own-absence variable-not-allowed derived-in-effect unknown-object "
    "reserved-name duplicate-object duplicate-constant "
    # Marks and words that only look like names, and requirements that nobody knows.
    "bad-name wrong-bracket comma quote-mark foreign-comment typographic-dash placeholder foreign-word "
    "unknown-requirement not-a-variable missing-type bracket-in-list "
    # What is legal but beyond, and sections that would be lost.
    "unsupported-feature unknown-section unknown-keyword repeated-section duplicate-part missing-goal empty-goal "
    "stray-form stray-word text-around markdown-fence second-definition missing-name bad-title wrong-kind "
    "missing-bracket bad-parameters missing-operator bad-metric bad-value missing-part bare-word wrong-part-count "
    "nested-too-deep when-in-condition not-in-effect".split()
)


@pytest.fixture(scope="module")
def front_end() -> Iterator[FrontEnd]:
    if importlib.util.find_spec("fast_downward") is None:
        pytest.skip("Fast Downward's translator is not installed")
    program = Path(__file__).with_name("fd_front_end.py")
    with subprocess.Popen(
        [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(domain: str, problem: str) -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps([domain, problem]) + "\n")
            process.stdin.flush()
            return str(json.loads(process.stdout.readline()))

        yield ask
        process.stdin.close()


def canonical(result: CheckResult) -> tuple[str, str]:
    task = result.task()
    return write_domain(task.domain), write_problem(task.problem)


@given(task=tasks(either=False))
def test_it_takes_every_random_task_in_canonical_text(front_end: FrontEnd, task: Task) -> None:
    assert front_end(write_domain(task.domain), write_problem(task.problem)) == ""


def test_it_takes_every_damaged_task_that_we_accept_without_a_warning(front_end: FrontEnd) -> None:
    accepted = 0
    for domain, problem in damaged(seeds(None), 900, seed=5):
        result = check_sources(Source(domain, "domain"), Source(problem, "problem"))
        if not result.diagnostics:
            accepted += 1
            answer = front_end(*canonical(result))
            assert answer == "" or EITHER in answer, (answer, domain, problem)
    assert accepted > 20


def test_what_it_takes_and_we_refuse_is_meant_to_be_refused(front_end: FrontEnd) -> None:
    refused = set()
    for domain, problem in damaged(seeds(None), 900, seed=6):
        result = check_sources(Source(domain, "domain"), Source(problem, "problem"))
        if not result.ok and front_end(domain, problem) == "":
            codes = {found.code for found in result.diagnostics if found.is_error}
            assert codes & MEANT_STRICTNESS, (codes, domain, problem)
            refused |= codes
    assert {"type-mismatch", "duplicate-parameter"} & refused


def test_it_takes_the_public_domains_as_we_do(front_end: FrontEnd, data_dir: Path) -> None:
    for domain, problem in seeds(data_dir):
        result = check_sources(Source(domain, "domain"), Source(problem, "problem"))
        assert result.ok, result.diagnostics[0].as_text()
        answer = front_end(*canonical(result))
        assert answer == "" or EITHER in answer


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(wet ?p)))", "(increase (total-cost) 1)))"),
        ("(wet ?p)))", "(and (increase (total-cost) 2.0))))"),
        ("(wet ?p)))", "()))"),
        ("(on ?p sink)\n", "(or)\n"),
        ("(on ?p sink)\n", "(forall () (and))\n"),
    ],
)
def test_it_takes_what_is_odd_but_legal(front_end: FrontEnd, old: str, new: str) -> None:
    domain = DOMAIN.replace("  (:action move", "  (:functions (total-cost))\n  (:action move").replace(old, new)
    result = Changed(domain, PROBLEM).result()
    assert result.ok, result.diagnostics[0].as_text()
    assert front_end(*canonical(result)) == ""
