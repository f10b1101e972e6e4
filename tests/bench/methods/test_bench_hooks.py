"""Formal models for the other sets: their own gold, written as a model should, is answered right."""

from __future__ import annotations

import json

import pytest
from bench_fakes import LampSet, work
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.bench.methods.hooks import JsonHooks, hook_for
from groundplan.bench.methods.protocol import Formal
from groundplan.bench.methods.registry import METHODS
from groundplan.bench.running.unit import Conditions
from groundplan.bench.sets.logic.theory import read_theory
from groundplan.bench.sets.registry import task_set
from groundplan.bench.sets.task import Answer, Ending, Task
from groundplan.models.scripted import ScriptedModel

NAMES = ("prontoqa", "natural-plan-trip", "natural-plan-calendar")


def clocked(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def written(task: Task) -> str:
    """The task in its formal language."""
    if task.group == "trip":
        return json.dumps(task.gold["trip"])
    if task.group == "calendar":
        data = dict(task.gold["meeting"])
        data |= {"opens": clocked(data["opens"]), "closes": clocked(data["closes"])}
        data["busy"] = [[who, day, clocked(start), clocked(end)] for who, day, start, end in data["busy"]]
        data["avoid"] = [[who, day, part, clocked(time)] for who, day, part, time in data["avoid"]]
        return json.dumps(data)
    theory, question = read_theory(task.gold["context"], task.gold["question"])
    told = {"facts": theory.facts, "rules": theory.rules, "question": [question]}
    rows = {name: [[c.subject, c.quality, c.positive] for c in claims] for name, claims in told.items()}
    return json.dumps({**rows, "question": rows["question"][0]})


@pytest.mark.parametrize("name", NAMES)
def test_the_gold_as_a_formal_model_is_answered_right(name: str) -> None:
    tasks = task_set(name)
    for task in tasks.tasks(5, 0):
        found = JsonHooks().solve_formal(task, f"Here it is:\n```json\n{written(task)}\n```")
        assert found.solved, found
        assert tasks.score(task, Answer(Ending.ANSWERED, found.text)).correct is True, (task, found)


@pytest.mark.parametrize("name", NAMES)
def test_llm_p_and_repair_answer_through_the_hook(name: str) -> None:
    tasks = task_set(name)
    [task] = tasks.tasks(1, 0)
    said = iter(["{}", "no JSON", written(task)])
    model = ScriptedModel(lambda messages, sample: next(said))
    context = work([], model, tasks, about_pddl=False).context_for(model)  # type: ignore[arg-type]
    answer = METHODS["self-refine"].answer(task, context)
    assert [step.diagnostic for step in answer.steps] == ["predicate/schema", "syntax/parse", ""]
    assert answer.solver_calls == 3
    assert tasks.score(task, answer).correct is True


@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    st.sampled_from(("prontoqa", "trip", "calendar")),
    st.one_of(
        st.text(max_size=40),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(-5, 10**12), st.text(max_size=5)),
            lambda inner: st.one_of(
                st.lists(inner, max_size=4),
                st.dictionaries(
                    st.sampled_from(
                        "facts rules question days stays windows flights people minutes opens closes busy avoid".split()
                    ),
                    inner,
                    max_size=8,
                ),
            ),
            max_leaves=12,
        ).map(json.dumps),
    ),
)
def test_no_reply_breaks_a_hook(group: str, reply: str) -> None:
    found = JsonHooks().solve_formal(Task("t", group, ""), reply)
    assert found.solved == (not found.category) == bool(found.text)


def test_which_sets_have_a_hook() -> None:
    assert hook_for(LampSet()) is None
    assert [hook_for(task_set(name)) for name in NAMES] == [JsonHooks()] * 3
    assert isinstance(JsonHooks(), Formal)
    assert Conditions(about_pddl=True).context(None, None, task_set("prontoqa")).formal is None  # type: ignore[arg-type]
