"""Static checks and trials on planted faults: each is found, named, and placed; good functions pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_layout import LAYOUT, REACH, REACH_OTHERWISE, reference

from groundplan.adapt.rewards.static import BUILTINS, check_source
from groundplan.adapt.rewards.trial import Trier
from groundplan.adapt.rewards.worker import _SMALL
from groundplan.confine.opening import lacking

HEAD = "def shaping(previous, current):\n"
PLANTED = {
    "syntax": ["def shaping(previous, current)\n    return 0.0\n", "\0", "((" * 5000],
    "form": [
        "def reward(previous, current):\n    return 0.0\n",
        "def shaping(previous):\n    return 0.0\n",
        "def shaping(previous, current, *more):\n    return 0.0\n",
        f"{HEAD}    pass\n",
        "x = 1\n" * 5000,
    ],
    "language": [
        f"import os\n{HEAD}    return 0.0\n",
        f"import math as os\n{HEAD}    return 0.0\n",
        f"from os import path\n{HEAD}    return 0.0\n",
        f"from math import system\n{HEAD}    return 0.0\n",
        f"import numpy as np\n{HEAD}    return float(np.linalg.norm(current['hand_pos']))\n",
        f"{HEAD}    return current['hand_pos'].__class__\n",
        f"{HEAD}    return ().__class__.__bases__[0].__subclasses__()\n",
        f"{HEAD}    while True:\n        pass\n    return 0.0\n",
        f"{HEAD}    try:\n        return 0.0\n    except Exception:\n        return 1.0\n",
        f"{HEAD}    return open('hand_pos')\n",
        f"{HEAD}    return eval('hand_pos')\n",
        f"{HEAD}    return __import__\n",
        f"{HEAD}    return world\n",
        f"{HEAD}    max = min\n    return max(0.0, 1.0)\n",
        f"{HEAD}    global n\n    n = 1\n    return 0.0\n",
        f"class A:\n    pass\n{HEAD}    return 0.0\n",
        f"{HEAD}    return current.get('hand_pos')[0]\n",
        f"{HEAD}    return f'{{current}}'\n",
        f"{HEAD}    yield 0.0\n    return 0.0\n",
        f"@abs\n{HEAD}    return 0.0\n",
        f"{HEAD}    return (x := 1.0)\n",
    ],
    "key": [
        f"{HEAD}    return current['hand'][0]\n",
        f"{HEAD}    if current['hand_pos'][0] > 99.0:\n        return current['secret'][0]\n    return 0.0\n",
        f"{HEAD}    f = lambda o: o['detector'][0]\n    return 0.0\n",
        f"{HEAD}    key = 'grasped'\n    return current[key][0]\n",
    ],
    "index": [
        f"{HEAD}    return current['hand_pos'][3]\n",
        f"{HEAD}    return current['hand_aperture'][-2]\n",
    ],
    "state": [
        f"LAST = []\n{HEAD}    return 0.0\n",
        f"LAST = [0.0]\n{HEAD}    LAST[0] = 1.0\n    return 0.0\n",
        f"{HEAD}    current['hand_pos'] = (0.0, 0.0, 0.0)\n    return 0.0\n",
        f"{HEAD}    previous['hand_pos'][0] += 1.0\n    return 0.0\n",
        f"{HEAD}    del current['hand_pos']\n    return 0.0\n",
        f"def more(x, seen=[]):\n    seen += [x]\n    return len(seen)\n{HEAD}    return more(1.0) / 100\n",
        f"STEPS = (n for n in range(9))\n{HEAD}    for n in STEPS:\n        return n / 9\n    return 0.0\n",
        f"for n in range(9):\n    pass\n{HEAD}    return 0.0\n",
    ],
}


@pytest.mark.parametrize(("code", "source"), [(code, source) for code, some in PLANTED.items() for source in some])
def test_a_planted_fault_is_found(code: str, source: str) -> None:
    found = check_source(source, LAYOUT.sizes)
    assert code in {fault.code for fault in found}
    assert all(fault.message and fault.line <= source.count("\n") + 1 for fault in found)


@pytest.mark.parametrize("source", [REACH, REACH_OTHERWISE])
def test_good_functions_pass(source: str) -> None:
    assert check_source(source, LAYOUT.sizes) == ()


def test_the_place_of_an_unknown_key_is_told() -> None:
    (fault,) = check_source(f"{HEAD}    if False:\n        return current['lid'][0]\n    return 0.0\n", LAYOUT.sizes)
    assert (fault.code, fault.line) == ("key", 3)
    assert "lid_pos" in str(fault)


def test_what_the_check_allows_is_there_when_it_runs() -> None:
    assert set(_SMALL) == BUILTINS


@given(st.text(max_size=200))
def test_no_text_breaks_the_check(text: str) -> None:
    assert check_source(text, LAYOUT.sizes)


TRIED = {
    "constant": f"{HEAD}    return 0.5\n",
    "sign": REACH.replace("(before - after)", "(after - before)"),
    "scale": REACH.replace("0.016", "16.0"),
    "raised": f"{HEAD}    return 1.0 / (current['hand_pos'][0] - current['hand_pos'][0])\n",
    "not-finite": f"{HEAD}    return current['hand_pos'][0] * 1e308 * 1e308\n",
    "no-number": f"{HEAD}    return current['hand_pos']\n",
}


@pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")
@pytest.mark.parametrize(("code", "source"), [*TRIED.items(), ("scale", REACH.replace("0.016", "0.0001"))])
def test_a_trial_finds_what_only_running_shows(code: str, source: str) -> None:
    trial = Trier(LAYOUT, reference=reference()).try_out(source)
    assert [fault.code for fault in trial.faults] == [code]


@pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")
def test_a_trial_of_good_functions_passes_and_warns_of_farming() -> None:
    trier = Trier(LAYOUT, around=reference()[0], reference=reference())
    assert trier.try_out(REACH).passed
    assert trier.try_out(REACH).warnings == ()
    one_sided = trier.try_out(REACH.replace("max(-1.0,", "max(0.0,"))
    assert one_sided.passed
    assert [item.code for item in one_sided.warnings] == ["farmable"]
