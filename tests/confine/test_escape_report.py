"""A program may ruin its own answer; it can ruin nothing else, and most of what it ruins does not even reach that."""

from __future__ import annotations

import json
import time

import pytest
from confine_limits import QUICK

from groundplan.confine.outcome import ConfineLimits, Ending, Opaque

pytestmark = pytest.mark.parametrize("backend", ["fork-server", "bubblewrap"], indirect=True)

HARMLESS = {
    "json": "import json, json.encoder\n    json.dumps = json.loads = json.JSONEncoder = None\n    json.encoder.c_make_encoder = json.encoder.encode_basestring_ascii = None",  # noqa: E501
    "builtins": "import builtins\n    names = vars(builtins)\n    for name in list(names): names[name] = None if name != 'KeyError' else KeyError",  # noqa: E501
    "builtins of the module": "__builtins__.len = __builtins__.type = __builtins__.isinstance = None",
    "os": "import os\n    os.write = os._exit = os.read = None",
    "sys": "import sys\n    sys.stdout = sys.stderr = sys.__stdout__ = sys.settrace = sys.excepthook = None",
    "modules": "import sys\n    sys.modules.clear()",
    "path": "import sys\n    sys.path.clear(); sys.meta_path.clear()",
    "signal": "import signal\n    signal.signal = None",
    "trace function": "import sys\n    sys.setprofile(lambda *_: None)\n    sys.settrace(lambda *_: None)",
    "random": "import random\n    random.seed(1)",
    "recursion limit": "import sys\n    sys.setrecursionlimit(10**9)",
    "collector": "import gc\n    gc.disable(); gc.unfreeze(); gc.collect()",
    "atexit": "import atexit\n    atexit.register(lambda: 1 / 0)",
    "warnings": "import warnings\n    warnings.warn('x')",
    "finalizer": "class A:\n        def __del__(self): raise ValueError\n    A(); a = A(); a.me = a",
}


@pytest.mark.parametrize("body", HARMLESS.values(), ids=HARMLESS.keys())
def test_what_a_program_changes_does_not_reach_its_report(run, body: str) -> None:
    ran = run(f"def f():\n    {body}\n    return [1, (2, 'x')]")
    assert ran.ending is Ending.RETURNED, ran
    assert ran.value == [1, (2, "x")]


@pytest.mark.parametrize("body", HARMLESS.values(), ids=HARMLESS.keys())
def test_nor_the_report_of_its_fault(run, body: str) -> None:
    ran = run(f"def f():\n    {body}\n    raise KeyError('k')")
    assert (ran.ending, ran.error, ran.message) == (Ending.RAISED, "KeyError", "'k'"), ran
    assert ran.trace[-1].code == "raise KeyError('k')"


WRITERS = """
import os
def everywhere(data):
    for handle in range(3, 1024):
        try:
            os.write(handle, data)
        except OSError:
            pass
"""
REPORT = {"ending": "returned", "value": ["forged"]}


def framed(report: object) -> bytes:
    data = report if isinstance(report, bytes) else json.dumps(report).encode()
    return len(data).to_bytes(8, "big") + data


FORGED = {
    "garbage": b"garbage" * 10,
    "zeros": bytes(100),
    "one byte": b"x",
    "huge length": b"\xff" * 8 + b"x",
    "no json": framed(b"{"),
    "no object": framed([1]),
    "broken": framed({"ending": "broken", "message": "x"}),
    "unknown ending": framed({"ending": "hacked"}),
    "ending of another type": framed({"ending": ["returned"]}),
    "names twice": framed(b'{"ending":"returned","ending":"raised","value":1}'),
    "nan": framed(b'{"ending":"returned","value":NaN}'),
    "infinity": framed(b'{"ending":"returned","value":{"f":"x"}}'),
    "digits": framed(b'{"ending":"returned","value":' + b"9" * 100_000 + b"}"),
    "depth": framed(b'{"ending":"returned","value":' + b"[" * 5_000 + b"]" * 5_000 + b"}"),
    "depth with text": framed(b'{"ending":"returned","value":' + b'["[",' * 5_000 + b"]" * 5_000 + b"}"),
    "unknown tag": framed({"ending": "returned", "value": {"x": []}}),
    "list in a set": framed({"ending": "returned", "value": {"s": [[1]]}}),
    "no pairs": framed({"ending": "returned", "value": {"d": [[1]]}}),
    "no text": framed(b'\xff\xfe{"ending"}'),
    "pickle": b"\x80\x04\x95\x1a\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94.",
}


@pytest.mark.parametrize("data", FORGED.values(), ids=FORGED.keys())
def test_forged_answers_are_told_as_such(run, data: bytes) -> None:
    source = f"{WRITERS}\ndef f():\n    everywhere({data!r})\n    while True: pass"
    if data in (FORGED["huge length"], FORGED["one byte"], FORGED["pickle"]):  # no whole answer: waited for
        assert run(source, limits=QUICK).ending in (Ending.FORBIDDEN, Ending.TIME_OUT)
        return
    ran = run(source)
    assert ran.ending is Ending.FORBIDDEN, ran
    assert ran.value is None
    assert ran.seconds < 4


def test_a_well_formed_forgery_is_only_what_the_program_could_return(run) -> None:
    source = f"{WRITERS}\ndef f():\n    everywhere({framed(REPORT)!r})\n    while True: pass"
    assert run(source).value == ["forged"]


def test_garbage_before_the_answer(run) -> None:
    assert run(f"{WRITERS}\ndef f():\n    everywhere(b'x'); return 1").ending is not Ending.RETURNED


@pytest.mark.parametrize("kind", ["i", "tuple"])
def test_values_of_one_hash_do_not_hold_the_caller_up(run, kind: str) -> None:
    numbers = [n * ((1 << 61) - 1) for n in range(1, 12_000)]
    items = [{"i": hex(n)} if kind == "i" else {"t": [{"i": hex(n)}]} for n in numbers]
    data = framed({"ending": "returned", "value": {"s": items}})
    started = time.monotonic()
    ran = run(f"{WRITERS}\nimport json\ndef f(data):\n    everywhere(bytes.fromhex(data))\n    while True: pass", data.hex(),  # noqa: E501
              limits=ConfineLimits(wall_s=5, memory_mib=256, value_bytes=4_000_000))  # fmt: skip
    assert ran.ending is Ending.FORBIDDEN, ran
    assert time.monotonic() - started < 4


def test_small_json_that_takes_much_memory(run) -> None:
    value = b"[" + b"[]," * 100_000 + b"[]]"
    source = f"{WRITERS}\ndef f():\n    v = b'[' + b'[],' * 100_000 + b'[]]'\n    d = b'{{\"ending\":\"returned\",\"value\":' + v + b'}}'\n"  # noqa: E501
    ran = run(source + "    everywhere(len(d).to_bytes(8, 'big') + d)\n    while True: pass")
    assert len(value) < 400_000
    assert ran.ending is Ending.OUTPUT, ran


def test_a_gigabyte_to_every_file(run) -> None:
    ran = run(f"{WRITERS}\ndef f():\n    for _ in range(1024): everywhere(b'x' * (1 << 20))")
    assert ran.ending in (Ending.FORBIDDEN, Ending.OUTPUT, Ending.TIME_OUT), ran
    assert ran.seconds < 7


def test_closing_all_files(run) -> None:
    ran = run("import os\ndef f():\n    os.closerange(0, 4096)\n    return 1")
    assert ran.ending is Ending.FORBIDDEN, ran
    ran = run("import os\ndef f():\n    os.closerange(0, 4096)\n    while True: pass")
    assert ran.ending is Ending.FORBIDDEN, ran
    assert ran.seconds < 3


@pytest.mark.parametrize("code", [0, 1, 113, 114, 255])
def test_exit_codes_are_no_secret_language(run, code: int) -> None:
    ran = run(f"import os\ndef f():\n    os._exit({code})")
    assert ran.ending in (Ending.EXITED, Ending.FORBIDDEN), ran
    assert ran.ending is Ending.EXITED or code == 114


def test_machinery_that_is_found_is_of_no_use(run) -> None:
    source = """
import gc, sys
def f():
    frame, found = sys._getframe(), []
    while frame:
        found.append(frame.f_code.co_filename)
        for name, value in list(frame.f_locals.items()):
            try: setattr(value, 'is_done', True)
            except Exception: pass
        frame.f_globals.clear() if frame.f_code.co_filename != '<program>' else None
        frame = frame.f_back
    for item in gc.get_objects():
        if type(item) is dict and 'Encoder' in item: item.clear()
    return found
"""
    ran = run(source)
    assert ran.ending in (Ending.RETURNED, Ending.RAISED, Ending.FORBIDDEN, Ending.EXITED), ran


def test_a_pickle_trap_comes_back_as_text(run) -> None:
    source = "import os\nclass A:\n    def __reduce__(self): return os.system, ('echo hacked',)\n    def __repr__(self): return 'trap'\ndef f():\n    return [A()]"  # noqa: E501
    assert run(source).value == [Opaque("A", "trap")]


HOSTILE = {
    "repr raises": "def __repr__(self): raise SystemExit",
    "repr is no text": "def __repr__(self): return 5",
    "repr is long": "def __repr__(self): return 'x' * 1000",
    "attributes raise": "def __getattribute__(self, name): raise KeyboardInterrupt",
    "class lies": "__class__ = list",
    "length lies": "def __len__(self): return 1 << 62",
    "hash raises": "def __hash__(self): 1 / 0",
    "equality raises": "def __eq__(self, other): 1 / 0",
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_objects_come_back_as_text(run, line: str) -> None:
    ran = run(f"class A:\n    {line}\ndef f():\n    return [A(), 1]")
    assert ran.ending is Ending.RETURNED, ran
    assert isinstance(ran.value[0], Opaque)
    assert len(ran.value[0].text) <= 200


@pytest.mark.parametrize("base", ["int", "dict", "set", "float", "bytes"])
def test_classes_made_of_plain_ones_are_not_taken_for_them(run, base: str) -> None:
    source = f"class A({base}):\n    def __iter__(self):\n        while True: yield 1\n    def __len__(self): return -1\ndef f():\n    return A()"  # noqa: E501
    ran = run(source)
    assert isinstance(ran.value, Opaque), ran
    assert ran.value.type == "A"


@pytest.mark.parametrize(("base", "expected"), [("str", ""), ("list", []), ("tuple", ())])
def test_classes_made_of_sequences_are_read_by_the_built_in_methods(run, base: str, expected: object) -> None:
    source = f"class A({base}):\n    def __iter__(self):\n        while True: yield 1\n    __len__ = __str__ = None\ndef f():\n    return A()"  # noqa: E501
    ran = run(source)
    assert ran.value == expected
    assert type(ran.value) is type(expected)


def test_hostile_metaclass(run) -> None:
    source = """
class M(type):
    def __getattribute__(cls, name): raise SystemExit(name)
    def __instancecheck__(cls, item): raise SystemExit('instance')
    def __subclasscheck__(cls, item): raise SystemExit('subclass')
class A(metaclass=M): pass
def f():
    x = A()
    raise KeyError(1)
"""
    ran = run(source)
    assert (ran.ending, ran.error) == (Ending.RAISED, "KeyError"), ran


def test_inputs_are_fresh_for_each_run(run) -> None:
    facts = {("on", "a", "b")}
    source = "def f(facts):\n    found = len(facts)\n    facts.clear(); facts.add(1)\n    return found"
    assert [run(source, facts).value, run(source, facts).value] == [1, 1]
    assert facts == {("on", "a", "b")}
