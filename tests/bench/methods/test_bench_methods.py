"""Every method keeps to its budget, whatever a model says, and its endings are told apart."""

from __future__ import annotations

import pytest
from bench_fakes import (
    BEHAVIOURS,
    BROKEN,
    DRIFTED,
    JUDGED,
    LAMPS,
    NOTHING,
    RATED,
    RIGHT,
    UNSOLVABLE,
    DeadEngine,
    SlowEngine,
    by_prompt,
    context,
    fenced,
    problem,
    task,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.bench.methods.protocol import Checked
from groundplan.bench.methods.registry import METHODS, methods_named
from groundplan.bench.methods.trail import NO_ANSWER
from groundplan.bench.sets.task import Ending
from groundplan.errors import InputError
from groundplan.formalize.contexts import read_context
from groundplan.models.errors import ServerFailed
from groundplan.models.scripted import ScriptedModel

PLANNING = [name for name in METHODS if name != "self-consistency"]
WITH_PLANNER = [name for name in PLANNING if name not in ("cot", "tot")]


def always(text: str) -> ScriptedModel:
    return ScriptedModel(lambda messages, sample: text)


def roles(drafts: str, judged: str = JUDGED) -> ScriptedModel:
    """Drafts, with ratings and scores where those are asked for."""

    def answer(messages: object, sample: int) -> str:
        said = messages[0].content  # type: ignore[index]
        return judged if "judge" in said else RATED if "rate" in said else drafts

    return ScriptedModel(answer)


@settings(deadline=None, max_examples=120, derandomize=True)
@given(
    st.sampled_from(PLANNING),
    st.integers(0, 10**6),
    st.integers(0, 6),
    st.one_of(st.none(), st.integers(0, 8)),
    st.lists(st.sampled_from(BEHAVIOURS), min_size=1, max_size=4),
    st.booleans(),
)
def test_no_method_goes_beyond_its_budget(
    name: str, seed: int, k: int, calls: int | None, said: list[str], given_domain: bool
) -> None:
    model = by_prompt(seed, said)
    around = context(model, solver_calls=k, model_calls=calls)
    least, most = METHODS[name].model_calls(around)
    answer = METHODS[name].answer(task(given=given_domain), around)
    assert answer.solver_calls <= k
    assert sum(step.diagnostic != NO_ANSWER for step in answer.steps) == answer.solver_calls
    assert answer.model_calls <= min(most, 10**9 if calls is None else calls)
    assert model.calls <= answer.model_calls, "a question that was asked before is not asked of the model again"
    if calls is None and k:
        assert answer.model_calls >= least
    if answer.ending is Ending.ANSWERED:
        assert answer.steps
        assert any(step.problem for step in answer.steps)
        assert [step.solved for step in answer.steps[:-1]] == [False] * (len(answer.steps) - 1)
    else:
        assert answer.ending in (Ending.EXTRACTION, Ending.BUDGET)
        assert not any(step.solved for step in answer.steps)
    if given_domain:
        assert all(step.domain in (LAMPS, "") for step in answer.steps)


@pytest.mark.parametrize("name", PLANNING)
@pytest.mark.parametrize("given_domain", [False, True])
def test_a_right_reply_is_taken_at_once(name: str, given_domain: bool) -> None:
    answer = METHODS[name].answer(task(given=given_domain), context(roles(RIGHT)))
    assert answer.ending is Ending.ANSWERED
    assert answer.solver_calls == 1
    assert answer.steps[-1].plan == ("(light a)", "(light b)")
    wants_score = name in ("actor-judge", "actor-judge-editor", "editor-judge", "trained")
    assert answer.steps[-1].score == (0.75 if wants_score else None)


@pytest.mark.parametrize("name", PLANNING)
def test_unreadable_replies_are_extraction_failures(name: str) -> None:
    answer = METHODS[name].answer(task(), context(roles(NOTHING)))
    assert answer.ending is Ending.EXTRACTION
    assert answer.solver_calls == 0
    assert {step.diagnostic for step in answer.steps} <= {NO_ANSWER}


@pytest.mark.parametrize("name", WITH_PLANNER)
def test_a_dead_engine_is_a_tool_failure(name: str) -> None:
    answer = METHODS[name].answer(task(), context(roles(RIGHT), DeadEngine()))
    assert (answer.ending, answer.reason, answer.solver_calls) == (Ending.TOOL, "it died", 1)


@pytest.mark.parametrize("name", PLANNING)
def test_a_dead_server_is_a_tool_failure(name: str) -> None:
    model = ScriptedModel(lambda messages, sample: ServerFailed("no bad gateway again"))
    answer = METHODS[name].answer(task(), context(model))
    assert (answer.ending, answer.reason, answer.model_calls) == (Ending.TOOL, "no bad gateway again", 0)


@pytest.mark.parametrize("name", PLANNING)
def test_no_solver_call_is_a_spent_budget(name: str) -> None:
    model = roles(RIGHT)
    answer = METHODS[name].answer(task(), context(model, solver_calls=0))
    assert (answer.ending, model.calls) == (Ending.BUDGET, 0)


def test_a_limit_on_questions_ends_before_there_is_an_answer() -> None:
    answer = METHODS["tot"].answer(task(), context(roles(RIGHT), model_calls=5))
    assert (answer.ending, answer.model_calls) == (Ending.BUDGET, 5)
    assert "5 model calls" in answer.reason


def test_a_limit_on_questions_after_a_candidate_leaves_that() -> None:
    answer = METHODS["actor-editor"].answer(task(), context(roles(BROKEN), model_calls=1))
    assert (answer.ending, len(answer.steps), answer.steps[-1].solved) == (Ending.ANSWERED, 1, False)


def test_llm_p_stops_at_the_first_sample_with_a_plan() -> None:
    said = [BROKEN, NOTHING, UNSOLVABLE, DRIFTED, RIGHT, RIGHT]
    model = ScriptedModel(lambda messages, sample: said[sample])
    answer = METHODS["llm+p"].answer(task(), context(model))
    assert (answer.model_calls, answer.solver_calls) == (4, 3)
    kinds = [step.diagnostic for step in answer.steps]
    assert kinds == ["predicate/schema", NO_ANSWER, "unreachable search", ""]
    assert answer.steps[-1].plan == ("(light a)",)


def test_self_refine_shows_the_model_its_own_reply_and_what_the_solver_said() -> None:
    said = iter([BROKEN, RIGHT])
    model = ScriptedModel(lambda messages, sample: next(said))
    answer = METHODS["self-refine"].answer(task(), context(model))
    first, second = model.prompts
    assert second[: len(first)] == first
    assert second[len(first)].content == BROKEN
    assert "drak" in second[-1].content
    assert [step.solved for step in answer.steps] == [False, True]


def test_an_editor_that_changes_nothing_ends_the_repairs() -> None:
    answer = METHODS["actor-editor"].answer(task(), context(roles(UNSOLVABLE)))
    assert (answer.solver_calls, answer.model_calls) == (1, 2)
    assert "nothing to revise" in answer.reason


def test_the_judge_decides_which_draft_is_solved_first() -> None:
    said = [DRIFTED, UNSOLVABLE, RIGHT, DRIFTED, DRIFTED, DRIFTED]

    def answer(messages: object, sample: int) -> str:
        asked = messages[-1].content  # type: ignore[index]
        if "judge" not in messages[0].content:  # type: ignore[index]
            return said[sample]
        return '{"score": 0.9}' if "(lit a) (lit b)" in asked and "(dark b)" in asked else '{"score": 0.2}'

    found = METHODS["actor-judge"].answer(task(), context(ScriptedModel(answer)))
    assert (found.model_calls, found.solver_calls) == (12, 1)
    assert found.steps[-1].plan == ("(light a)", "(light b)")
    assert found.steps[-1].score == 0.9


def test_a_plan_for_a_goal_that_holds_already_is_no_answer() -> None:
    done = problem("a", "b").replace("(:init ", "(:init (lit a) (lit b) ")
    answer = METHODS["cot"].answer(task(), context(roles(fenced(LAMPS, done, plan="(light a)"))))
    assert {(step.solved, step.diagnostic) for step in answer.steps} == {(False, "goal/constraint")}


def test_given_a_domain_the_rules_in_words_are_not_shown() -> None:
    for name in PLANNING:
        model = roles(RIGHT)
        METHODS[name].answer(task(given=True), context(model))
        asked = "\n".join(item.content for prompt in model.prompts for item in prompt)
        assert "A dark lamp can be lit." not in asked, name
        assert "hall 0" in asked, name
        other = roles(RIGHT)
        METHODS[name].answer(task(), context(other))
        assert "A dark lamp can be lit." in "\n".join(item.content for item in other.prompts[0]), name


def test_text_sets_are_answered_directly_and_by_vote() -> None:
    said = ["Answer: True", "hm\n**Answer:** false", "Answer: False.", "", "Answer: maybe", "Answer: FALSE"]
    model = ScriptedModel(lambda messages, sample: said[sample])
    around = context(model, about_pddl=False)
    assert METHODS["cot"].answer(task(), around).text == "True"
    voted = METHODS["self-consistency"].answer(task(), around)
    assert (voted.ending, voted.text, voted.solver_calls) == (Ending.ANSWERED, "false", 0)
    assert METHODS["tot"].answer(task(), context(roles("Answer: True"), about_pddl=False)).text == "True"
    empty = METHODS["cot"].answer(task(), context(always(""), about_pddl=False))
    assert (empty.ending, empty.model_calls) == (Ending.EXTRACTION, 1)


class Parity:
    """A hook: the formal model is a number, solved where it is even."""

    def formal_prompt(self, task: object) -> str:
        return "Write a number."

    def solve_formal(self, task: object, reply: str) -> Checked:
        if not reply.isdigit():
            return Checked(False, None, "syntax/parse", f"`{reply}` is no number")
        even = int(reply) % 2 == 0
        return Checked(even, None, "" if even else "goal/constraint", "" if even else "odd", text=f"half {reply}")


@pytest.mark.parametrize("name", ["self-refine", "actor-judge-editor", "actor-editor"])
def test_a_hook_lets_formalizing_methods_answer_other_sets(name: str) -> None:
    from dataclasses import replace

    drafts = iter(["some", "3", "4"])

    def say(messages: object, sample: int) -> str:
        return JUDGED if "judge" in messages[0].content else next(drafts)  # type: ignore[index]

    around = replace(context(ScriptedModel(say), about_pddl=False), formal=Parity())
    found = METHODS[name].answer(task(), around)
    assert (found.ending, found.text, found.solver_calls) == (Ending.ANSWERED, "half 4", 3)


def test_methods_that_cannot_answer_say_so() -> None:
    with pytest.raises(InputError, match="has no solver for one"):
        METHODS["llm+p"].answer(task(), context(always(RIGHT), about_pddl=False))
    with pytest.raises(InputError, match="which plans are not"):
        METHODS["self-consistency"].answer(task(), context(always(RIGHT)))
    with pytest.raises(InputError, match="did you mean `self-refine`"):
        methods_named(["self-refin"])
    with pytest.raises(InputError, match="no method is named"):
        methods_named([" "])
    assert [method.name for method in methods_named(["tot", "cot", "ToT"])] == ["tot", "cot"]


@pytest.mark.parametrize("name", ["trained", "actor", "actor-judge", "actor-editor", "editor-judge", "solver-only"])
def test_a_trained_policy_can_read_every_prompt_of_its_methods(name: str) -> None:
    model = roles(UNSOLVABLE)
    METHODS[name].answer(task(given=True), context(model))
    found = [read_context(prompt) for prompt in model.prompts]
    assert all(found)
    assert {item.text for item in found if item} == {task().text}
    assert {item.specification.domain for item in found if item} == {LAMPS}
    assert {item.role for item in found if item} <= {"actor", "editor", "judge"}


def test_prompts_know_nothing_of_the_machine() -> None:
    """The same task gives the same prompts, letter for letter, however slow the engine is."""
    said = [BROKEN, UNSOLVABLE, NOTHING, DRIFTED]
    asked = []
    for seconds in (0.01, 59.0):
        drafts = iter(said)
        model = ScriptedModel(lambda messages, sample, drafts=drafts: next(drafts))  # type: ignore[misc]
        METHODS["actor-editor"].answer(task(), context(model, SlowEngine(seconds)))
        asked.append(model.prompts)
    assert len(asked[0]) == 4
    assert asked[0] == asked[1]
