"""The short form of problems, and the grammar under which they are written."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from groundplan.pddl.read import check_sources, domain_from_text, task_from_text  # noqa: E402
from groundplan.pddl.source import Source  # noqa: E402
from groundplan.train.backbone import tiny_backbone  # noqa: E402
from groundplan.train.damage import damaged  # noqa: E402
from groundplan.train.domain_form import domain_form  # noqa: E402
from groundplan.train.faithful import exact, faithful  # noqa: E402
from groundplan.train.guides import Guides, unpack  # noqa: E402
from groundplan.train.policy import PolicySettings, Role, RolePolicy  # noqa: E402
from groundplan.train.problem_form import NotInForm, form_of, problem_pddl, read_form, write_form  # noqa: E402
from groundplan.train.sampling import Decoding, write  # noqa: E402
from groundplan.train.texts import DOMAINS, domain_text, written_task  # noqa: E402

quick = settings(max_examples=25, deadline=None, derandomize=True)
tasks = st.builds(written_task, st.sampled_from(DOMAINS), st.integers(0, 10_000))
TYPED = """(define (domain rooms) (:requirements :strips :typing)
  (:types place thing - object ball box - thing)
  (:constants hall - place)
  (:predicates (at ?t - thing ?p - place) (heavy ?b - ball) (lit))
  (:action take :parameters (?t - thing ?p - place) :precondition (at ?t ?p) :effect (not (at ?t ?p))))"""


@quick
@given(tasks)
def test_a_problem_survives_the_short_form(task) -> None:
    domain = domain_form(domain_from_text(task.domain_pddl))
    problem = task_from_text(task.domain_pddl, task.problem).problem
    form = form_of(problem, domain)
    assert read_form("".join(write_form(form))) == form
    again = task_from_text(task.domain_pddl, problem_pddl(form, domain)).problem
    assert set(again.init) == set(problem.init)
    assert {item.name for item in again.objects} == {item.name for item in problem.objects}
    assert exact(form, form_of(again, domain))
    assert faithful(task, domain, form)


@quick
@given(tasks, st.integers(0, 1000))
def test_what_is_faithful_is_not_what_was_damaged(task, seed) -> None:
    """A lost goal atom or a swapped term is seen, unless the damage left the meaning as it was."""
    domain = domain_form(domain_from_text(task.domain_pddl))
    form = form_of(task_from_text(task.domain_pddl, task.problem).problem, domain)
    spoilt = damaged(form, random.Random(seed))
    if set(spoilt.init) != set(form.init) and task.domain == "blocksworld":
        assert not faithful(task, domain, spoilt)


def test_kinds_are_types_or_static_unary_predicates() -> None:
    assert domain_form(domain_from_text(domain_text("gripper"))).kinds == ("room", "ball", "gripper")
    assert domain_form(domain_from_text(domain_text("blocksworld"))).kinds == ()
    typed = domain_form(domain_from_text(TYPED))
    assert typed.kinds == ("place", "thing", "ball", "box")
    assert dict(typed.predicates)["at"] == (frozenset({"thing", "ball", "box"}), frozenset({"place"}))
    assert typed.constants == (("hall", "place"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(:objects a",
        "(:objects a)\n(:init (p a)\n(:goal (q))",
        "(:objects a - )\n(:init )\n(:goal )",
        "(:objects a)\n(:init p)\n(:goal (q))",
    ],
)
def test_other_texts_are_not_in_form(text) -> None:
    with pytest.raises(NotInForm):
        read_form(text)


@pytest.fixture(scope="module")
def policy() -> RolePolicy:
    return RolePolicy(tiny_backbone(), PolicySettings(role_rank=1))


@settings(max_examples=8, deadline=None, derandomize=True)
@given(tasks, st.integers(0, 99))
def test_what_a_random_model_writes_under_the_grammar_is_well_formed_and_says_nothing_twice(policy, task, seed) -> None:
    domain = domain_form(domain_from_text(task.domain_pddl))
    guides = Guides(policy.tokenizer, 257)
    decoding = Decoding(temperature=1.0, nucleus=1.0, max_tokens=1500)
    [found] = write(policy, Role.ACTOR, [[1]], decoding, [guides.problem(domain, task.text)], [seed])
    if not found.finished:
        return
    form = read_form(found.text)
    result = check_sources(Source(task.domain_pddl, "d"), Source(problem_pddl(form, domain), "p"))
    assert not [item.message for item in result.diagnostics if item.is_error]
    for told in ([name for name, _ in form.objects], form.init, form.goal):
        assert len(set(told)) == len(told)
    assert found.masks is not None
    assert all(unpack(mask, 257)[token] for mask, token in zip(found.masks, found.tokens, strict=True))


@quick
@given(tasks)
def test_the_reference_is_allowed_by_the_grammar(policy, task) -> None:
    domain = domain_form(domain_from_text(task.domain_pddl))
    form = form_of(task_from_text(task.domain_pddl, task.problem).problem, domain)
    guide = Guides(policy.tokenizer, 257).problem(domain, task.text)
    ended = False
    for stage in write_form(form):
        for token in policy.tokenizer.encode(stage, add_special_tokens=False):
            assert unpack(guide.allowed(), 257)[token], (stage, task.text)
            ended = guide.accept(token)
    assert ended


@pytest.mark.parametrize("texts", [("ball1 ball10 ball", "gripper"), ("red redder r blue", "blocksworld")])
def test_a_name_is_not_written_again_though_it_begins_others(policy, texts) -> None:
    """Byte by byte, so that a name stands whole before it is known whether a longer one is meant."""
    text, name = texts
    domain = domain_form(domain_from_text(domain_text(name)))
    guides = Guides(policy.tokenizer, 257)

    def accepts(objects: str) -> bool:
        guide = guides.problem(domain, text)
        for token in policy.tokenizer.encode(objects, add_special_tokens=False):
            if not unpack(guide.allowed(), 257)[token]:
                return False
            guide.accept(token)
        return True

    if name == "gripper":
        right = [
            "(:objects ball1 ball10 - ball)\n",
            "(:objects ball10 ball1 - room)\n",
            "(:objects ball1 - ball ball10 - room)\n",
        ]
        wrong = [
            "(:objects ball1 ball1 ",
            "(:objects ball1 - ball ball1 ",
            "(:objects ball10 ball10 ",
            "(:objects ball1 ball1)",
        ]
    else:
        right = ["(:objects red redder r blue)\n", "(:objects r red)\n", "(:objects redder red r)\n"]
        wrong = ["(:objects red red)", "(:objects r r ", "(:objects redder red redder ", "(:objects r blue r)"]
    assert all(map(accepts, right))
    assert not any(map(accepts, wrong))
