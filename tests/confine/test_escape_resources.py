"""Memory, time, output and depth are bounded, each with its own ending, and the caller goes on."""

from __future__ import annotations

import pytest
from confine_limits import QUICK

from groundplan.confine.outcome import ConfineLimits, Ending

pytestmark = pytest.mark.parametrize("backend", ["fork-server", "bubblewrap"], indirect=True)

TIMES = {
    "loop": "while True: pass",
    "loop that catches all": "while True:\n        try:\n            while True: pass\n        except BaseException: pass",  # noqa: E501
    "C code": "return 10 ** 10 ** 8",
    "C code that looks at no signal": "return 'a' * 30 in 'a' * 29 * 0 or sorted(range(10**9).__iter__().__length_hint__() for _ in iter(int, 1))",  # noqa: E501
    "ignores the alarm": "import signal\n    signal.signal(signal.SIGALRM, signal.SIG_IGN)\n    while True: pass",
    "blocks all signals": "import signal\n    signal.pthread_sigmask(0, range(1, 65))\n    while True: pass",
    "own handler": "import signal\n    signal.signal(signal.SIGALRM, lambda *_: None)\n    while True: pass",
    "sleeps": "import time\n    time.sleep(100)",
    "waits for itself": "import threading\n    threading.Event().wait()",
    "loops in a thread": "import threading\n    def loop():\n        while True: pass\n    t = threading.Thread(target=loop); t.start(); t.join()",  # noqa: E501
    "repr that hangs": "class A:\n        def __repr__(self):\n            while True: pass\n    return A()",
    "iterator that hangs": "def g():\n        while True:\n            if False: yield\n    return g()",
    "exception whose text hangs": "class E(Exception):\n        def __str__(self):\n            while True: pass\n    raise E",  # noqa: E501
    "trace function that hangs": "import sys\n    def t(*_):\n        while True: pass\n    sys.settrace(t)\n    (lambda: 0)()",  # noqa: E501
    "regular expression": "import re\n    return re.match('(a+)+$', 'a' * 60 + 'b')",
}


@pytest.mark.parametrize("body", TIMES.values(), ids=TIMES.keys())
def test_time(run, body: str) -> None:
    ran = run(f"def f():\n    {body}", limits=QUICK)
    assert ran.ending is Ending.TIME_OUT, ran
    assert "limit of 0.3 seconds" in ran.message
    assert ran.seconds < 3


def test_top_level_is_bounded_too(run) -> None:
    assert run("while True: pass\ndef f(): pass", limits=QUICK).ending is Ending.TIME_OUT


def test_processor_time(run) -> None:
    ran = run("def f():\n    while True: pass", limits=ConfineLimits(wall_s=20, cpu_s=1, memory_mib=256))
    assert ran.ending is Ending.TIME_OUT
    assert "1 seconds of CPU time" in ran.message
    assert ran.trace[-1].line == 2
    assert 0.5 < ran.cpu_s < 2.5  # the kernel counts in ticks


MEMORY = {
    "one block": "return bytearray(2 << 30)",
    "one string": "x = 'a' * (2 << 30)\n    return len(x)",
    "many blocks": "kept = []\n    while True: kept.append(bytearray(1 << 20))",
    "many small things": "kept = []\n    while True: kept.append((len(kept), [len(kept)]))",
    "a set": "kept = set()\n    while True: kept.add((len(kept), 'x' * 50 + str(len(kept))))",
    "caught": "kept = []\n    try:\n        while True: kept.append(bytearray(1 << 20))\n    except MemoryError:\n        raise",  # noqa: E501
}


@pytest.mark.parametrize("body", MEMORY.values(), ids=MEMORY.keys())
def test_memory(run, request: pytest.FixtureRequest, body: str) -> None:
    ran = run(f"def f():\n    {body}", limits=ConfineLimits(wall_s=20, memory_mib=64))
    assert ran.ending is Ending.MEMORY, ran
    assert "64 MiB" in ran.message
    # Where no byte is left, Python itself can note no place.
    assert ran.trace or "many small" in request.node.name or "a set" in request.node.name


def test_memory_is_not_taken_by_mapping(run) -> None:
    ran = run("import mmap\ndef f():\n    return len(mmap.mmap(-1, 2 << 30))")
    assert ran.ending is not Ending.RETURNED


OUTPUTS = {
    "endless print": "while True: print('x' * 100)",
    "endless bytes": "import os\n    while True: os.write(2, b'x' * 10000)",
    "endless generator": "import itertools\n    return itertools.count()",
    "endless strings": "import itertools\n    return ('x' * 1000 for _ in itertools.count())",
    "large list": "return ['(move a b)'] * 100_000",
    "large string": "return 'x' * 1_000_000",
    "list of itself many times": "x = []\n    for _ in range(40): x = [x, x, x]\n    return x",
}


@pytest.mark.parametrize("body", OUTPUTS.values(), ids=OUTPUTS.keys())
def test_output(run, body: str) -> None:
    ran = run(f"def f():\n    {body}")
    assert ran.ending is Ending.OUTPUT, ran
    assert len(ran.output) <= 20_000
    assert ran.seconds < 5


def test_deep_recursion(run) -> None:
    ran = run("def f(n=0):\n    return f(n + 1)")
    assert (ran.ending, ran.error) == (Ending.RAISED, "RecursionError")
    assert len(ran.trace) <= 12
    assert ran.trace[-1].code == "return f(n + 1)"


def test_recursion_below_a_limit_that_the_program_raised(run) -> None:
    source = (
        "import sys\nsys.setrecursionlimit(10**6)\ndef g(n):\n    return n and g(n - 1)\ndef f():\n    return g(20_000)"
    )
    assert run(source).value == 0


def test_recursion_without_a_limit(run) -> None:
    source = "import sys\nsys.setrecursionlimit(10**9)\ndef f(n=0):\n    return max([n], key=lambda m: f(n + 1))"
    ran = run(source)
    assert ran.ending in (Ending.KILLED, Ending.MEMORY, Ending.RAISED), ran
    assert ran.ending is not Ending.KILLED or "recursion" in ran.message


def test_deep_value(run) -> None:
    ran = run("def f():\n    x = []\n    for _ in range(100_000): x = [x]\n    return x")
    assert ran.ending is Ending.RETURNED
    assert "nested too deep" in repr(ran.value)


def test_huge_integers(run) -> None:
    ran = run("def f():\n    return [10 ** 1000, 1 << 1_000_000]")
    assert ran.value[0] == 10**1000
    assert ran.value[1].type == "int"


def test_deep_source(run) -> None:
    for source in ("(" * 5000 + ")" * 5000, "-" * 100_000 + "1", "x" + ".a" * 50_000, "[" * 90 + "]" * 90 + "\x00"):
        ran = run(source + "\ndef f(): pass")
        assert ran.ending in (Ending.BAD_SOURCE, Ending.RAISED, Ending.KILLED), ran
