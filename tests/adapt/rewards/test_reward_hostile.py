"""Hostile reward functions, with all of Python at hand and no check before: the operating system contains them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest
from reward_layout import LAYOUT, REACH, SIZES

from groundplan.adapt.rewards.shaping import ConfinedShaping, ShapingFailed, ShapingLimits
from groundplan.adapt.rewards.static import check_source
from groundplan.confine.opening import lacking

pytestmark = pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")
LIMITS = ShapingLimits(call_s=0.3, wall_s=1.0, most_faults=100)
HEAD = "def shaping(previous, current):\n"

COUNTED = {
    "reads a file": (f"{HEAD}    return float(len(open('/etc/hostname').read()))\n", "raised"),
    "writes a file": (f"{HEAD}    open('/tmp/groundplan-was-here', 'w').write('x')\n    return 1.0\n", "raised"),
    "starts a process": (f"import os\n{HEAD}    return float(os.fork())\n", "raised"),
    "signals its caller": (f"import os\n{HEAD}    os.kill(os.getppid(), 9)\n    return 1.0\n", "raised"),
    "connects": (
        f"{HEAD}    import _socket\n    _socket.socket().connect(('127.0.0.1', 80))\n    return 1.0\n",
        "raised",
    ),
    "allocates 2 GiB": (f"{HEAD}    return float(len(bytearray(2 << 30)))\n", "out-of-memory"),
    "returns nan": (f"{HEAD}    return float('nan')\n", "not-finite"),
    "returns infinity": (f"{HEAD}    return float('-inf')\n", "not-finite"),
    "returns an endless integer": (f"{HEAD}    return 10 ** 400\n", "raised"),
    "raises": (f"{HEAD}    raise SystemExit(0)\n", "raised"),
    "recurses": (f"{HEAD}    return shaping(previous, current)\n", "raised"),
    "reads the detector": (
        f"import gc\n{HEAD}    found = [o for o in gc.get_objects() if 'World' in type(o).__name__]\n"
        "    return found[0].facts()\n",
        "raised",
    ),
}
FATAL = {
    "loops": (f"{HEAD}    while True:\n        pass\n", "time-out"),
    "loops in C": (f"{HEAD}    return float(len(range(10 ** 18)) * sum(range(10 ** 18)))\n", "time-out"),
    "loops and catches": (
        f"{HEAD}    while True:\n        try:\n            x = 1\n        except BaseException:\n            pass\n",
        "time-out",
    ),
    "sleeps": (f"import time\n{HEAD}    time.sleep(3600)\n    return 0.0\n", "time-out"),
    "ends its process": (f"import os\n{HEAD}    os._exit(0)\n", "killed"),
    "traces its caller": (
        f"import os\n{HEAD}    import ctypes\n    ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)\n    return 0.0\n",
        "",
    ),
    "writes into its answers": (
        f"import os\n{HEAD}    [os.write(n, b'x' * 999) for n in range(3, 9) if not os.set_blocking(n, False)]\n"
        "    return 0.0\n",
        "",
    ),
}


def rows(count: int = 3) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(count, LAYOUT.width))


@pytest.mark.parametrize("name", COUNTED)
def test_a_fault_counts_as_no_progress_and_is_counted(name: str) -> None:
    source, kind = COUNTED[name]
    with ConfinedShaping([source], SIZES, LIMITS, language="python") as shaping:
        values = shaping.values([0] * 3, rows(), rows())
        assert list(values) == [0.0, 0.0, 0.0]
        assert shaping.faults == {kind: 3}
        assert shaping.first_fault
    assert not Path("/tmp/groundplan-was-here").exists()


@pytest.mark.parametrize("name", FATAL)
def test_what_cannot_go_on_is_ended(name: str) -> None:
    source, kind = FATAL[name]
    started = time.monotonic()
    with ConfinedShaping([source], SIZES, LIMITS, language="python") as shaping:
        process = shaping._process
        ended = ""
        for _ in range(3):
            try:
                assert np.isfinite(shaping.values([0] * 3, rows(), rows())).all()
            except ShapingFailed as error:
                ended = error.kind
                break
        assert not kind or ended == kind
    assert process.poll() is not None
    assert time.monotonic() - started < 8


@pytest.mark.parametrize("name", [*COUNTED, *FATAL])
def test_the_check_before_refuses_most_of_them(name: str) -> None:
    """All but what is only wrong when it runs."""
    source = (COUNTED | FATAL)[name][0]
    runs = {"returns an endless integer", "recurses", "loops in C"}
    assert bool(check_source(source, LAYOUT.sizes)) is (name not in runs)


def test_mutated_observations_hurt_nobody() -> None:
    source = f"{HEAD}    current.clear()\n    previous['hand_pos'] = 1\n    return 0.25\n"
    before = rows()
    with ConfinedShaping([source, REACH], SIZES, LIMITS, language="python") as shaping:
        previous, current = before.copy(), before.copy()
        assert list(shaping.values([0, 0, 0], previous, current)) == [0.25] * 3
        assert list(shaping.values([1, 1, 1], previous, current)) == [0.0] * 3
    assert (previous == before).all()


def test_too_many_faults_end_it_and_nothing_is_left_of_the_process() -> None:
    with ConfinedShaping([f"{HEAD}    return None\n"], SIZES, LIMITS) as shaping:
        shaping.values([0] * 100, rows(100), rows(100))
        with pytest.raises(ShapingFailed) as caught:
            shaping.values([0], rows(1), rows(1))
        assert caught.value.kind == "too-many-faults"
        assert "NoneType" in str(caught.value)
        with pytest.raises(ShapingFailed):
            shaping.values([0], rows(1), rows(1))
        with pytest.raises(ProcessLookupError):
            os.kill(shaping._process.pid, 0)


def test_the_line_of_an_endless_loop_is_told() -> None:
    source = f"{HEAD}    x = 1.0\n    while x > 0:\n        x += 1.0\n    return x\n"
    with ConfinedShaping([source], SIZES, LIMITS) as shaping, pytest.raises(ShapingFailed, match=r"line [34]: "):
        shaping.values([0], rows(1), rows(1))


def test_a_source_that_does_not_load_is_told_at_once() -> None:
    for source, words in (("def shaping(p, c:\n", "SyntaxError"), ("x = 1\n", "shaping"), ("1 / 0\n", "ZeroDivision")):
        with pytest.raises(ShapingFailed, match=words) as caught:
            ConfinedShaping([REACH, source], SIZES, LIMITS)
        assert caught.value.kind == "bad-source"


def test_a_large_batch_comes_back_in_order() -> None:
    count = 2000
    previous, current = rows(count), rows(count)[::-1].copy()
    with ConfinedShaping([REACH, f"{HEAD}    return current['lid_pos'][2]\n"], SIZES, LIMITS) as shaping:
        which = [n % 2 for n in range(count)]
        values = shaping.values(which, previous, current)
        assert (values[1::2] == current[1::2, 6]).all()
        assert shaping.values([], previous[:0], current[:0]).shape == (0,)
        assert shaping.calls == count
