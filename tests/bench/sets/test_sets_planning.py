"""Planning sets: references score right, planted mistakes land where they belong, readers and makers are sound."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.bench.sets import Answer, Ending, Score, Step, Task, task_set
from groundplan.bench.sets.planning import judge
from groundplan.bench.sets.planning.own import own_task
from groundplan.bench.sets.planning.planning_set import FOLDERS
from groundplan.bench.sets.planning.steps import read_steps
from groundplan.errors import InputError
from groundplan.pddl.ground import ground
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_search import Bounds
from groundplan.pddl.read import task_from_text

GROUPS = tuple(FOLDERS)
SEEDS = st.integers(0, 10**6)
SET = task_set("planbench")


def plan_of(task: Task) -> tuple[str, ...]:
    if "plan" in task.gold:
        return tuple(task.gold["plan"])
    steps = greedy(ground(judge.reference(task)), Bounds()).steps
    assert steps
    return tuple(map(str, steps))


def solved(task: Task, problem: str) -> tuple[str, ...]:
    """A plan for another problem in the task's domain."""
    steps = greedy(ground(task_from_text(task.domain, problem)), Bounds()).steps
    assert steps is not None
    return tuple(map(str, steps))


def pddl_answer(task: Task, problem: str = "", plan: tuple[str, ...] | None = None, domain: str = "") -> Answer:
    steps = plan_of(task) if plan is None else plan
    return Answer(Ending.ANSWERED, steps=(Step(domain or task.domain, problem or task.gold["problem"], steps, True),))


def in_words(task: Task) -> str:
    words = judge.vocabulary(task)
    plan = read_steps("\n".join(plan_of(task)), words)
    assert plan is not None
    return "\n".join(f"{number}. {words.in_words(step)}" for number, step in enumerate(plan, 1))


def check_reference(task: Task) -> None:
    score = SET.score(task, pddl_answer(task))
    assert score.correct is True, score.why
    assert [score.marks[mark] for mark in judge.PDDL_MARKS] == [True, True, True]
    spoken = SET.score(task, Answer(Ending.ANSWERED, f"Here is my plan:\n[PLAN]\n{in_words(task)}\n[PLAN END]\nDone."))
    assert spoken.correct is True, spoken.why
    assert spoken.marks["plan_valid"] is True


def swapped_goal(task: Task) -> str:
    """The reference with the two objects of its first goal atom swapped: another task, as solvable."""
    head, goal = task.gold["problem"].split("(:goal", 1)
    return head + "(:goal" + re.sub(r"\((\S+) (\S+) ([^\s()]+)\)", r"(\1 \3 \2)", goal, count=1)


@pytest.mark.parametrize("group", GROUPS)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_made_tasks_are_solvable_and_score_their_own_reference(group: str, seed: int) -> None:
    task = own_task(group, seed)
    assert task == own_task(group, seed)
    check_reference(task)


@pytest.mark.parametrize("group", GROUPS)
def test_made_tasks_come_in_several_wordings_and_any_size(group: str) -> None:
    wordings = {own_task(group, seed).gold["wording"] for seed in range(40)}
    assert len(wordings) >= 6
    big = own_task(group, 1, (9, 9))
    assert len(judge.reference(big).objects) >= 9
    with pytest.raises(InputError, match="size"):
        own_task(group, 1, (5, 99))


def test_a_disguise_is_complete() -> None:
    plain = re.compile(r"\b(?:(?:block|table|stack|clear|holding|hand|arm|pick|put)\w*|on|ontable)\b", re.IGNORECASE)
    for seed in range(30):
        task = own_task("mystery", seed)
        assert not plain.search(task.text + task.rules + task.domain), task.text
        for item in judge.reference(task).objects:
            assert item.name.replace("_", " ") in task.text.lower()


@pytest.mark.parametrize("name", ["planbench", *(f"planbench-{group}" for group in GROUPS)])
def test_the_same_seed_draws_the_same_tasks_and_a_smaller_draw_is_part_of_a_greater(name: str) -> None:
    few, more = task_set(name).tasks(2, 3), task_set(name).tasks(4, 3)
    assert few == task_set(name).tasks(2, 3)
    assert {task.id for task in few} <= {task.id for task in more}
    assert {task.id for task in few} != {task.id for task in task_set(name).tasks(2, 4)}


def planted(task: Task) -> dict[str, tuple[Answer, str]]:
    plan = plan_of(task)
    own = task.gold["problem"]
    return {
        "swapped goal": (pddl_answer(task, swapped_goal(task), solved(task, swapped_goal(task))), "wrong"),
        "empty goal": (pddl_answer(task, re.sub(r"\(:goal.*", "(:goal (and)))", own, flags=re.DOTALL), ()), "wrong"),
        "lost step": (pddl_answer(task, plan=plan[:-1]), "tool"),  # the solver called it solved: two judges disagree
        "no plan": (Answer(Ending.ANSWERED, steps=(Step(task.domain, own),)), "wrong"),
        "cut off": (pddl_answer(task, own[: len(own) // 2]), "wrong"),
        "no problem": (Answer(Ending.ANSWERED, steps=(Step(task.domain, "", plan),)), "wrong"),
        "short plan": (Answer(Ending.ANSWERED, "\n".join(plan[:-1]) or plan[0] * 2), "wrong"),
        "unparsable": (Answer(Ending.ANSWERED, "I am sorry, I can not do this."), "extraction"),
        "extraction": (Answer(Ending.EXTRACTION), "extraction"),
        "dead engine": (Answer(Ending.TOOL, reason="the engine died"), "tool"),
        "budget": (Answer(Ending.BUDGET), "budget"),
    }


def test_planted_wrong_answers_land_in_their_columns() -> None:
    task = next(task for task in (own_task("blocksworld", seed) for seed in range(50)) if len(plan_of(task)) > 3)
    for name, (answer, column) in planted(task).items():
        score = SET.score(task, answer)
        assert (name, score.column) == (name, column), score.why
        assert score.correct is (None if column == "tool" else False)
        assert score.why
        assert score == SET.score(task, answer)


def test_solved_but_of_another_goal_is_goal_drift() -> None:
    task = own_task("blocksworld", 5)
    weaker = re.sub(r"\(:goal.*", "(:goal (and)))", task.gold["problem"], flags=re.DOTALL)
    score = SET.score(task, pddl_answer(task, weaker, ()))
    assert score.marks["solved"] is True
    assert score.marks["faithful"] is False
    assert score.marks["goal_preserved"] is False
    assert score.marks["goal weakening"] is True
    assert score.why.startswith("goal weakening")


def test_other_names_of_predicates_and_near_names_of_objects_are_faithful() -> None:
    task = next(task for task in (own_task("blocksworld", seed) for seed in range(80)) if "red" in task.gold["problem"])

    def told(text: str) -> str:
        for old, new in (("ontable", "resting"), ("on", "above"), ("clear", "topfree"), ("red", "red-block")):
            text = re.sub(rf"(?<![\w-]){old}(?![\w-])", new, text)
        return text

    plan = tuple(map(told, plan_of(task)))
    score = SET.score(task, pddl_answer(task, told(task.gold["problem"]), plan, told(task.domain)))
    assert score.correct is True, score.why


def test_schemas_are_the_references_or_measurably_not() -> None:
    task = own_task("blocksworld", 5)
    own = SET.score(task, pddl_answer(task, task.gold["problem"], plan_of(task), task.domain))
    assert own.measures == {"schema_f1": 1.0}
    lost = task.domain.replace("(not (handempty))", "")
    assert lost != task.domain
    other = SET.score(task, pddl_answer(task, task.gold["problem"], plan_of(task), lost))
    assert other.marks["faithful"] is False
    assert 0.5 < other.measures["schema_f1"] < 1.0


def test_a_dead_checker_is_a_tool_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(*_: Any, **__: Any) -> Any:
        raise MemoryError("out of memory")

    task = own_task("gripper", 1)
    monkeypatch.setattr(judge, "compare_tasks", dead)
    score = SET.score(task, pddl_answer(task))
    assert (score.correct, score.column) == (None, "tool")
    assert "out of memory" in score.why


WORDS = st.sampled_from(
    "( ) [PLAN] [PLAN END] ``` pick up stack unstack the red block on from \n 1. - plan: (define".split(" ")
)
JUNK = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join))


@settings(max_examples=60)
@given(text=JUNK, domain=st.one_of(st.just(""), JUNK), problem=st.one_of(st.just(""), JUNK),
       plan=st.none() | st.lists(JUNK, max_size=3).map(tuple), ending=st.sampled_from(Ending))  # fmt: skip
def test_scores_are_total_and_pure_over_junk(
    text: str, domain: str, problem: str, plan: tuple[str, ...] | None, ending: Ending
) -> None:
    task = own_task("blocksworld", 7)
    for steps in ((), (Step(domain, problem, plan),)):
        answer = Answer(ending, text, steps)
        score = SET.score(task, answer)
        assert isinstance(score, Score)
        assert score == SET.score(task, answer)
        assert "the checker broke" not in score.why
        assert score.correct is not True


SPELLINGS = {
    "pddl": "(unstack red blue)\n(put-down red)",
    "upper": "(UNSTACK RED BLUE)\n(PUT_DOWN Red)",
    "calls": "unstack(red, blue)\nput-down(red)",
    "numbered": "1. (unstack red blue)\n2. (put-down red)",
    "bare": "unstack red blue\nput-down red",
    "english": "First, unstack the red block from on top of the blue block.\nThen put down the red block.",
    "one line": "unstack the red block from the blue block, then put down the red block",
    "json": '["(unstack red blue)", "(put-down red)"]',
    "fenced": "We must move red.\n```plan\n(unstack red blue)\n(put-down red)\n```\nThis works.",
    "bold": "**Plan:**\n- **Unstack** the red block from the blue block\n- **Put down** the red block",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_plans_are_read_in_many_spellings(spelling: str) -> None:
    domain = own_task("blocksworld", 0).domain
    problem = """(define (problem p) (:domain blocksworld) (:objects red blue)
      (:init (on red blue) (clear red) (ontable blue) (handempty)) (:goal (and (ontable red) (clear blue))))"""
    gold = {"domain": domain, "problem": problem, "actions": {"unstack": "unstack the {} from on top of the {}"}}
    gold["phrases"] = {"red": "red block", "blue": "blue block"}
    task = Task("t", "blocksworld", "", "", domain, gold)
    assert SET.score(task, Answer(Ending.ANSWERED, SPELLINGS[spelling])).correct is True
    strange = SPELLINGS[spelling].replace("blue", "green").replace("BLUE", "GREEN")
    assert SET.score(task, Answer(Ending.ANSWERED, strange)).correct is False


def _planbench(data: Path, n: int | None) -> list[Task]:
    return list(task_set("planbench", data).tasks(n, 0))


def raw_answer(data: Path, task: Task) -> Answer:
    """The instance file itself, with its own names of objects."""
    text = (data / "planbench" / FOLDERS[task.group] / task.gold["file"]).read_text("utf-8")
    back = {told: own for own, told in task.gold["names"].items()}
    plan = tuple(re.sub(r"(?<=\s)[\w-]+", lambda word: back.get(word[0], word[0]), step) for step in plan_of(task))
    return pddl_answer(task, text, plan)


def test_a_sample_of_planbench_scores_its_own_references(data_dir: Path) -> None:
    tasks = _planbench(data_dir, 8)
    assert len(tasks) == 32
    for task in tasks:
        check_reference(task)
        assert SET.score(task, raw_answer(data_dir, task)).correct is True


@pytest.mark.slow
def test_all_of_planbench_scores_its_own_references(data_dir: Path) -> None:
    tasks = _planbench(data_dir, None)
    assert len(tasks) == 400
    for task in tasks:
        check_reference(task)
        assert SET.score(task, raw_answer(data_dir, task)).correct is True


def test_planted_wrong_answers_to_planbench(data_dir: Path) -> None:
    for group in ("blocksworld", "mystery"):
        task = next(task for task in task_set(f"planbench-{group}", data_dir).tasks(None, 0) if len(plan_of(task)) > 3)
        for name, (answer, column) in planted(task).items():
            assert (group, name, SET.score(task, answer).column) == (group, name, column)


def test_data_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    for data in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(InputError):
            task_set("planbench", data).tasks(1, 0)
    with pytest.raises(InputError, match="choose one of"):
        task_set("planbunch")
