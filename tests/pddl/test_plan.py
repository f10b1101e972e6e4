"""Reading plans: every spelling gives the same steps, nothing is skipped in silence, no text takes long."""

from __future__ import annotations

import itertools
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.pddl.ast import Step
from groundplan.pddl.plan import PlanText, read_plan, write_plan
from groundplan.pddl.plan_lines import read_lines
from groundplan.pddl.source import Source

LOADING = (Step("load", ("crate-1", "van_a")), Step("wait"), Step("drive", ("van_a", "dock", "yard")))


def read(text: str) -> PlanText:
    return read_plan(Source(text, "plan.txt"))


def complaints(text: str) -> list[tuple[str, int, int]]:
    return [(found.code, found.line, found.column) for found in read(text).diagnostics]


DIALECTS = {
    "ipc": "(load crate-1 van_a)\n(wait)\n(drive van_a dock yard)\n; cost = 3 (unit cost)\n",
    "no last line end": "(load crate-1 van_a)\n(wait)\n(drive van_a dock yard)",
    "upper case": "(LOAD CRATE-1 Van_A)\n(Wait)\n(DRIVE van_a DOCK yard)\n",
    "blanks and tabs": "\n  ( load\tcrate-1  van_a )\n\t(wait )\n\n\n ( drive van_a\tdock yard)  \n",
    "byte-order mark, CRLF": "\ufeff(load crate-1 van_a)\r\n(wait)\r\n(drive van_a dock yard)\r\n",
    "old Macintosh": "(load crate-1 van_a)\r(wait)\r(drive van_a dock yard)\r",
    "on one line": "(load crate-1 van_a) (wait)(drive van_a dock yard) ; all of it (really)",
    "over several lines": "(load\n   crate-1 ; the heavy one (40 kg\n   van_a)\n(wait\n)\n(drive van_a\n dock yard)\n",
    "comments": ";; plan (by hand :-)\n(load crate-1 van_a) ; 1)\n;(wait)\n(wait);(\n(drive van_a dock yard) ;((\n;",
    "timed": "0.000: (load crate-1 van_a) [0.001]\n0.001: (wait)  [0.001]\n0.002: (drive van_a dock yard)\t[0.001]\n",
    "timed, tight": "0:(load crate-1 van_a)[1]\n1:(wait)[1]\n2 : (drive van_a dock yard) [D:1.000; C:0.100]\n",
    "numbered": "0: (load crate-1 van_a)\n1: (wait)\n2: (drive van_a dock yard)\n",
    "cost line": "0: (load crate-1 van_a) [1]\n1: (wait)\n2: (drive van_a dock yard)\nplan (cost: 3.000000)  [0.001]\n",
    "cost line in words": "(load crate-1 van_a)\n(wait)\n(drive van_a dock yard)\nPlan cost: 3\n",
    "bare": "load crate-1 van_a\nwait\ndrive van_a dock yard\n",
    "bare, numbered": "1. load crate-1 van_a\n2. wait\n3. drive van_a dock yard ; there\n",
    "numbered list": "1. (load crate-1 van_a)\n2. (wait)\n3. (drive van_a dock yard)",
    "list with brackets": "1) (load crate-1 van_a)\n2) (wait)\n3) (drive van_a dock yard)",
    "bulleted list": "- (load crate-1 van_a)\n* (wait)\n- `(drive van_a dock yard)`\n",
    "fence": "```pddl\n(load crate-1 van_a)\n(wait)\n(drive van_a dock yard)\n```\n",
    "steps in words": "Step 1: (load crate-1 van_a)\nStep 2: **(wait)**\nStep 3: `(drive van_a dock yard)`\n",
    "json": '["(load crate-1 van_a)", "(WAIT)",\n "(drive van_a dock yard)"]\n',
    "json, bare": '["load crate-1 van_a", "wait", "drive van_a dock yard"]',
    "json in a fence": '```json\n[\n  "(load crate-1 van_a)",\n  "(wait)",\n  "(drive van_a dock yard)"\n]\n```\n',
    "ff": (
        "\nff: parsing domain file\ndomain 'VANS' defined\n ... done.\nff: parsing problem file\n"
        "problem 'VANS-1' defined\n ... done.\n\n\nno metric specified. plan length assumed.\n\n"
        "checking for cyclic := effects --- OK.\n\nff: search configuration is EHC, if that fails then best-first\n\n"
        "Cueing down from goal distance:    3 into depth [1]\n                                   2            [1][2]\n"
        "                                   0            \n\n"
        "ff: found legal plan as follows\n\nstep    0: LOAD CRATE-1 VAN_A\n        1: WAIT\n"
        "        2: DRIVE VAN_A DOCK YARD\n     \n\ntime spent:    0.00 seconds instantiating 9 easy, 0 hard action "
        "templates\n               0.00 seconds reachability analysis, yielding 9 facts and 9 actions\n"
        "               0.00 seconds searching, evaluating 4 states, to a max depth of 1\n"
        "               0.00 seconds total time\n\n"
    ),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_is_the_same_plan(name: str) -> None:
    plan = read(DIALECTS[name])
    assert plan.diagnostics == ()
    assert plan.steps == LOADING
    for span, step in zip(plan.spans, plan.steps, strict=True):
        shown = plan.source.excerpt(span).lower()
        assert all(word in shown for word in (step.action, *step.args)), "spans point at the words"


@pytest.mark.parametrize("text", ["", "\n\n  \t\n", "; cost = 0 (unit cost)\n", "\ufeff", "```\n```\n", "[]", "[ ]\n"])
def test_texts_without_steps_are_plans_of_zero_steps(text: str) -> None:
    plan = read(text)
    assert plan.steps == ()
    assert plan.is_readable


def test_a_planner_that_found_the_goal_reached_or_nothing_at_all() -> None:
    reached = (
        "ff: parsing domain file\ndomain 'D' defined\nff: goal can be simplified to TRUE. The empty plan solves it\n"
    )
    assert read(reached).is_readable
    assert complaints("\nff: parsing domain file\ndomain 'D' defined\n ... done.\n") == [("plan-missing", 2, 1)]
    hopeless = "ff: goal can be simplified to FALSE. No plan will solve it\n"
    assert complaints(hopeless) == [("plan-unreadable-line", 1, 1)]


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("(a)\n; cost = 4 (general cost)", 4.0),
        ("; Cost: 2.5\n(a)", 2.5),
        ("(a)\nplan (cost: 4.000000)  [0.001]", 4.0),
        ("(a)\nPlan cost: 12", 12.0),
        ("(a)\n[t=0.002s, 9876 KB] Plan cost: 7\n", 7.0),
        ("(a)\ncost = 3", 3.0),
        ("(cost b)\n; nothing", None),
        ("(a) ; cost = 9", None),
        ("(a)\n; costs nothing", None),
    ],
)
def test_the_cost_that_a_text_claims(text: str, cost: float | None) -> None:
    plan = read(text)
    assert plan.is_readable
    assert plan.declared_cost == cost
    assert len(plan.steps) == 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Here is the plan:\n(a b)\n", (1, 1)),
        ("(a b)\n\nThis reaches the goal.\n", (3, 1)),
        ("(a b)\n(c d\n(e f)\n", (2, 1)),
        ("(a b)\n(c d", (2, 1)),
        ("(a b)\nc d)\n", (2, 1)),
        ("(a b)\n()\n", (2, 1)),
        ("((a b) (c d))\n", (1, 1)),
        ("(a (b) c)\n", (1, 1)),
        ("(a, b)\n", (1, 1)),
        ("a(b, c)\n", (1, 1)),
        ("(a b) then\n", (1, 7)),
        ("(a b)\r\n(c d)\r\n???\r\n", (3, 1)),
        ("(a b)\nc d\n", (2, 1)),
        ('["(a b)", ["c"]]', (1, 1)),
        ('["(a b)", "(c d) (e f)"]', (1, 11)),
        ('["(a b)",\n "not: one"]', (2, 2)),
        ('["(a b)", "(c d)"', (1, 1)),
        ("0: (a)\n1: b c d.\n", (2, 1)),
    ],
)
def test_what_cannot_be_read_is_an_error_at_its_place(text: str, place: tuple[int, int]) -> None:
    plan = read(text)
    assert not plan.is_readable
    first = plan.diagnostics[0]
    assert first.code == "plan-unreadable-line"
    assert first.message.startswith("cannot read this l")
    assert (first.line, first.column) == place


def test_words_without_brackets_may_be_a_step_or_prose_which_only_the_task_can_tell() -> None:
    assert read("No plan found").bare == (0,)
    assert read("(no plan found)").bare == ()


def test_numbers_that_run_back_are_put_in_order_or_refused() -> None:
    plan = read("0.002: (c)\n0.000: (a)\n0.001: (b)\n")
    assert [str(step) for step in plan.steps] == ["(a)", "(b)", "(c)"]
    assert [plan.source.excerpt(span) for span in plan.spans] == ["a", "b", "c"]
    assert [(found.code, found.is_error) for found in plan.diagnostics] == [("plan-steps-reordered", False)]
    assert complaints("1. (a)\n2. (b)\n1. (a)\n2. (b)\n") == [("plan-order-unclear", 3, 5)]
    assert [str(step) for step in read("1. (b)\n1. (a)\n").steps] == ["(b)", "(a)"], "Markdown numbers all alike"


NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,6}", fullmatch=True).filter(lambda name: name not in ("step", "cost"))
PLANS = st.lists(st.builds(Step, NAMES, st.lists(NAMES, max_size=4).map(tuple)), max_size=8).map(tuple)


@given(PLANS, st.one_of(st.none(), st.integers(0, 10**6), st.floats(0, 1e6).map(lambda cost: round(cost, 3))))
def test_what_is_written_reads_back(plan: tuple[Step, ...], cost: float | None) -> None:
    again = read(write_plan(plan, cost))
    assert again.steps == plan
    assert again.declared_cost == cost
    assert again.diagnostics == ()


@given(PLANS, st.data())
def test_layout_does_not_matter(plan: tuple[Step, ...], data: st.DataObject) -> None:
    blank = st.sampled_from([" ", "\t", "  ", "\n ", " ;x(\n ", "\r\n"])
    text = ""
    for index, step in enumerate(plan):
        words = [word.upper() if data.draw(st.booleans()) else word for word in (step.action, *step.args)]
        text += data.draw(st.sampled_from(["", " ", "\n", "; (old\n", "\n- ", f"\n{index}: ", f"\n{index}. "]))
        text += "(" + "".join(word + data.draw(blank) for word in words) + ")"
        text += data.draw(st.sampled_from(["\n", " ;) (\n", " [0.5]\n", " ", "\r\n"]))
    plan_text = read(text)
    assert plan_text.diagnostics == ()
    assert plan_text.steps == plan


@given(PLANS)
def test_json_and_bare_lines_read_as_the_plan(plan: tuple[Step, ...]) -> None:
    assert read(json.dumps([str(step) for step in plan])).steps == plan
    assert read("".join(f"{str(step)[1:-1]}\n" for step in plan)).steps == plan


LINES = st.lists(
    st.sampled_from(
        ["(a b)", "(c)", "; note (", "", "; cost = 2", "(A B)", "( a )", "()", "x y", "0: (a)", " (c) ", "z."]
    ),
    max_size=6,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_short_cut_reads_what_the_reader_of_lines_reads(lines: list[str], end: str) -> None:
    source = Source(end.join(lines))
    draft, plan = read_lines(source), read_plan(source)
    assert plan.words == tuple(draft.words)
    assert plan.diagnostics == tuple(draft.diagnostics)
    assert (plan.declared_cost, plan.bare) == (draft.cost, tuple(draft.bare))
    assert len(plan.spans) == len(plan.words)


@given(st.text("(ab) ;:.\n\t[]0`*-\"',stepff\r", max_size=60))
def test_no_text_is_too_odd_and_none_is_read_by_halves(text: str) -> None:
    plan = read(text)
    spans = sorted(plan.spans)
    assert all(left.end <= right.start for left, right in itertools.pairwise(spans))
    if plan.is_readable and not text.lstrip().startswith("[") and ";" not in text:
        rest = list(text)
        for span in spans:
            rest[span.start : span.end] = " " * (span.end - span.start)
        assert "a" not in "".join(rest), "every letter outside comments belongs to a step"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200_000,
        "(a\n" * 60_000,
        "(a ;(\n" * 60_000,
        " " * 300_000 + "x",
        "1" * 300_000,
        "a " * 100_000 + ",",
        "[" * 200_000,
        '["' + '\\"' * 100_000,
        "(a b) " * 40_000,
        "`" * 200_000,
        "0: (a b) [0.001]\n" * 40_000,
        "cost " * 60_000,
        "ff: \n" + "a b c\n" * 40_000,
    ],
    ids=range(13),
)
def test_reading_is_linear(text: str) -> None:
    start = time.perf_counter()
    read(text)
    assert time.perf_counter() - start < 5, "a quadratic pattern would take minutes"
