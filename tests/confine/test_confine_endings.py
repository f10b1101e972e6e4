"""What a run tells of the program: its ending, place, variables, and the element that did not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from confine_limits import QUICK

from groundplan.confine.outcome import Ending, Frame
from groundplan.pddl import read_task

CASE = Path(__file__).parents[3] / "shared" / "cases" / "policy-assumes-fixed-arity"
FACTS = {("at", "b1", "roof"), ("clear", "b1")}


def test_returned_with_output(plain_run) -> None:
    source = "import sys\ndef f(x):\n    print('ü')\n    print('e', file=sys.stderr, end='')\n    return x + 1"
    ran = plain_run(source, 1)
    assert (ran.ending, ran.value, ran.output) == (Ending.RETURNED, 2, "ü\ne")
    assert ran.error == ran.message == ""
    assert 0 < ran.cpu_s < 3
    assert 0 < ran.seconds < 3


def test_the_module_is_not_main(plain_run) -> None:
    source = "def f():\n    return __name__\nif __name__ == '__main__':\n    raise SystemExit('ran as a script')"
    assert plain_run(source).value == "program"


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("def f():\n    return (", "line 2", 2),
        ("def f():\nreturn 1", "line 2", 2),
        ("x = '\x00'\ndef f(): pass", "null", None),
        ("def f(): return 1; return \ud800", "", None),
        ("def g(): pass\ndef h(): pass", "no function `f`; it defines g, h", None),
        ("f = 3", "no function `f`", None),
        ("", "no function `f`", None),
    ],
)
def test_bad_source(plain_run, source: str, message: str, line: int | None) -> None:
    ran = plain_run(source)
    assert ran.ending is Ending.BAD_SOURCE, ran
    assert message in ran.message
    if line:
        assert ran.error == "SyntaxError"
        assert ran.trace == (Frame(line, "", source.splitlines()[line - 1].strip()),)


def test_raised(plain_run) -> None:
    source = "def g(x):\n    return 1 / x\n\ndef f():\n    kept = [1, 2]\n    return g(0)"
    ran = plain_run(source)
    assert (ran.ending, ran.error, ran.message) == (Ending.RAISED, "ZeroDivisionError", "division by zero")
    assert ran.trace == (Frame(6, "f", "return g(0)"), Frame(2, "g", "return 1 / x"))
    assert ran.variables == (("x", "0"),)


def test_lines_are_counted_as_python_counts_them(plain_run) -> None:
    ran = plain_run("x = '\x0c\u2028'\r\ndef f():\r    raise KeyError(1)")
    assert ran.trace == (Frame(3, "f", "raise KeyError(1)"),)


def test_top_level_fault(plain_run) -> None:
    ran = plain_run("import numpy_that_is_not_there\ndef f(): pass")
    assert (ran.ending, ran.error) == (Ending.RAISED, "ModuleNotFoundError")
    assert ran.trace[0].line == 1


@pytest.mark.parametrize("body", ["raise SystemExit(3)", "import sys; sys.exit()", "import os; os._exit(0)", "exit(1)"])
def test_exited(plain_run, body: str) -> None:
    ending = plain_run(f"def f():\n    {body}").ending
    assert ending is (Ending.RAISED if body == "exit(1)" else Ending.EXITED)  # `exit` is of the site module


@pytest.mark.parametrize(
    "kind", ["KeyboardInterrupt", "GeneratorExit", "BaseException", "PermissionError", "TimeoutError"]
)
def test_what_a_program_raises_by_itself_is_raised(plain_run, kind: str) -> None:
    ran = plain_run(f"def f():\n    raise {kind}('x')")
    assert (ran.ending, ran.error, ran.message) == (Ending.RAISED, kind, "x")


def test_long_message_is_cut(plain_run) -> None:
    assert len(plain_run("def f():\n    raise ValueError('x' * 100_000)").message) == 2000


def test_time_out_tells_place_and_the_tail_of_the_plan(plain_run) -> None:
    source = """
def f():
    plan = []
    at = 0
    while at < 10:
        at = (at + 1) % 3
        plan.append(f"(move p{at})")
"""
    ran = plain_run(source, limits=QUICK)
    assert ran.ending is Ending.TIME_OUT
    assert ran.trace[-1].function == "f"
    assert 5 <= ran.trace[-1].line <= 7
    shown = dict(ran.variables)
    assert set(shown) == {"plan", "at"}
    assert "over 1" in shown["plan"] or "items" in shown["plan"]
    assert "(move p0)" in shown["plan"]
    assert len(shown["plan"]) < 500


def test_output_before_a_time_out_is_kept(plain_run) -> None:
    ran = plain_run("def f():\n    print('before')\n    while True: pass", limits=QUICK)
    assert (ran.ending, ran.output) == (Ending.TIME_OUT, "before\n")


def test_variables_stay_short(plain_run) -> None:
    source = """
def f():
    deep = [[["x" * 200] * 12] * 12] * 12
    big = 10 ** 5000
    text = "y" * 10_000
    wide = {n: n for n in range(1000)}
    class Own:
        def __repr__(self): raise SystemExit
    own = Own()
    raise KeyError
"""
    shown = dict(plain_run(source).variables)
    assert set(shown) == {"deep", "big", "text", "wide", "own"}
    assert all(len(text) <= 500 for text in shown.values()), {name: len(text) for name, text in shown.items()}


MISFITS = {
    "loop": ("for p, a, b in facts: pass", "('clear', 'b1') of facts does not fit (p, a, b)"),
    "comprehension": ("return [a for p, a, b in facts]", "('clear', 'b1') of facts does not fit (p, a, b)"),
    "sorted": ("for p, a, b in sorted(facts): pass", "('clear', 'b1') of sorted(facts) does not fit (p, a, b)"),
    "assignment": ("for fact in sorted(facts):\n        p, a, b = fact", "('clear', 'b1') does not fit (p, a, b)"),
    "star": ("for p, a, b, c, *rest in [('x',)]: pass", None),
    "star over names": ("x = [('x',)]\n    for p, a, *rest in x: pass", "('x',) of x does not fit (p, a, *rest)"),
    "call": ("def g(): return facts\n    for p, a, b in g(): pass", None),
    "no unpacking": ("raise ValueError('too many values to unpack')", None),
}


@pytest.mark.parametrize(("body", "told"), MISFITS.values(), ids=MISFITS.keys())
def test_the_element_that_does_not_fit(plain_run, body: str, told: str | None) -> None:
    ran = plain_run(f"def f(facts):\n    {body}", FACTS)
    assert ran.error == "ValueError"
    assert "to unpack" in ran.message
    if told is None:
        assert "does not fit" not in ran.message
    else:
        assert told in ran.message


def test_nothing_of_the_program_is_called_to_find_it(plain_run) -> None:
    source = """
class L(list):
    def __iter__(self):
        print('called')
        yield (1,)
def f():
    x = L()
    for a, b in x: pass
"""
    assert plain_run(source).output == "called\n"


@pytest.mark.skipif(not CASE.is_dir(), reason="the shared cases are not here")
def test_shared_case(plain_run) -> None:
    problem = read_task(CASE / "domain.pddl", CASE / "problem.pddl").problem
    objects = {(item.name, item.types[0]) for item in problem.objects}
    init, goal = ({(atom.predicate, *atom.terms) for atom in atoms} for atoms in (problem.init, problem.goal.parts))
    arguments = objects, init, goal
    source = (CASE / "policy.py").read_text().replace("def get_plan", "def f")
    ran = plain_run(source, *arguments)
    assert (ran.ending, ran.error, ran.trace[-1].line) == (Ending.RAISED, "ValueError", 2), ran
    assert "of init does not fit (pred, thing, spot)" in ran.message
    repaired = plain_run((CASE / "policy_repaired.py").read_text().replace("def get_plan", "def f"), *arguments)
    assert len(repaired.value) == 7
