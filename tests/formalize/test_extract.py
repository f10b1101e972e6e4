"""Extraction: whatever surrounds the PDDL in a reply, the same two texts come out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.formalize.extract import extract
from groundplan.pddl.read import check_sources
from groundplan.pddl.source import Source

DOMAIN = """\
(define (domain lamps)
  (:requirements :strips)
  (:predicates (dark ?l) (lit ?l)) ; a lamp is one or the other :-)
  (:action light :parameters (?l) :precondition (dark ?l) :effect (and (lit ?l) (not (dark ?l)))))"""
PROBLEM = """\
(define (problem two-lamps)
  (:domain lamps)
  (:objects hall porch)
  (:init (dark hall) (dark porch))
  (:goal (and (lit hall) (lit porch))))"""

PROSE = st.lists(
    st.sampled_from(
        [
            "Sure! Here it is.",
            "1. The action is `light` (see `(lit ?l)`).",
            "**Domain**",
            "### Problem :-)",
            "I use (define ...) forms; see below.",
            "It's done (I think).",
            "",
            "- `:init` lists facts",
        ]
    ),
    max_size=4,
).map("\n".join)
FENCES = st.sampled_from(["```pddl", "```lisp", "```", "~~~", "```PDDL domain.pddl"])


def _fenced(text: str, fence: str) -> str:
    return f"{fence}\n{text}\n{fence[:3]}"


@given(PROSE, PROSE, PROSE, FENCES, st.booleans(), st.booleans())
def test_prose_and_fences_do_not_matter(
    before: str, between: str, after: str, fence: str, one_block: bool, problem_first: bool
) -> None:
    parts = [PROBLEM, DOMAIN] if problem_first else [DOMAIN, PROBLEM]
    blocks = [_fenced("\n\n".join(parts), fence)] if one_block else [_fenced(part, fence) for part in parts]
    reply = "\n".join([before, f"\n{between}\n".join(blocks), after])
    found = extract(reply)
    assert (found.domain, found.problem) == (DOMAIN, PROBLEM)


@given(PROSE)
def test_without_fences(before: str) -> None:
    found = extract(f"{before}\n{DOMAIN}\n\nand\n\n{PROBLEM}\n")
    assert (found.domain, found.problem) == (DOMAIN, PROBLEM)


@given(st.booleans(), st.sampled_from([("domain", "problem"), ("Domain PDDL", "problem_pddl")]), PROSE)
def test_json(fenced: bool, keys: tuple[str, str], before: str) -> None:
    text = json.dumps({keys[0]: DOMAIN, keys[1]: PROBLEM}, indent=1)
    found = extract(before + "\n" + (_fenced(text, "```json") if fenced else text))
    assert found.domain is not None
    assert found.problem is not None
    assert check_sources(Source(found.domain), Source(found.problem)).ok


@pytest.mark.parametrize("cut", [40, 90, len(DOMAIN) - 1])
def test_a_broken_draft_gives_way_to_the_final_version(cut: int) -> None:
    draft = _fenced(DOMAIN[:cut], "```pddl")
    reply = f"Draft:\n{draft}\nThat lacks something, so:\n{_fenced(DOMAIN + chr(10) + PROBLEM, '```pddl')}"
    found = extract(reply)
    assert (found.domain, found.problem) == (DOMAIN, PROBLEM)


def test_the_last_of_several_versions_counts_and_is_noted() -> None:
    first = PROBLEM.replace("porch", "cellar")
    found = extract(f"{_fenced(first, '```')}\nNo, wait.\n{_fenced(PROBLEM, '```')}")
    assert found.domain is None
    assert found.problem == PROBLEM
    assert "2 versions of the problem" in found.notes[0]


@pytest.mark.parametrize(
    "reply", ["", "none", "I cannot do that.", "```pddl\n```", "(:action a)", "(define", "{}", "()"]
)
def test_no_pddl_is_no_answer(reply: str) -> None:
    assert extract(reply).empty


@given(st.integers(30, len(PROBLEM) - 2))
def test_a_cut_off_reply_is_kept_as_it_is_and_refused_as_incomplete(cut: int) -> None:
    reply = _fenced(DOMAIN, "```pddl") + "\n```pddl\n" + PROBLEM[:cut]
    found = extract(reply)
    assert found.domain == DOMAIN
    if found.problem is None:
        return  # cut before anything was said
    assert PROBLEM.startswith(found.problem)
    result = check_sources(Source(found.domain), Source(found.problem))
    assert not result.ok
    assert {"text-ends-early", "missing-bracket"} & {diagnostic.code for diagnostic in result.diagnostics}


def test_a_surplus_bracket_loses_no_action() -> None:
    broken = DOMAIN[:-1] + ")\n  (:action dim :parameters (?l) :precondition (lit ?l) :effect (dark ?l)))"
    found = extract(_fenced(broken, "```"))
    assert found.domain is not None
    assert "dim" in found.domain


def test_thinking_is_not_the_answer() -> None:
    thought = f"<think>Maybe {PROBLEM.replace('porch', 'attic')}</think>"
    assert extract(thought + PROBLEM).problem == PROBLEM


@given(st.text(max_size=400))
def test_any_text_is_survived(reply: str) -> None:
    extract(reply)
    extract("(define (domain " + reply)
    extract("```\n" + reply + '{"domain": "' + reply)
