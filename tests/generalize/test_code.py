"""Programs out of replies: every shape of a reply gives the program that was meant, or the reason why not."""

from __future__ import annotations

import ast
import sys
import textwrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.generalize.code import ProgramText, program_from_reply
from groundplan.generalize.kinds import Kind

GOOD = '''
def get_plan(objects, init, goal):
    """One step for each fact of the goal."""
    plan = []
    for fact in sorted(goal):
        plan.append(f"(go {fact[1]})")
    return plan
'''.lstrip()
GOAL = {("at", "b"), ("at", "a")}
PLAN = ["(go a)", "(go b)"]
OLD = "def get_plan(objects, init, goal):\n    return 3\n"
NO_RETURN = GOOD.replace("    return plan\n", "")
SOLVE = GOOD.replace("get_plan", "solve")
MAKER = f"def make():\n{textwrap.indent(GOOD, '    ')}\n"
OTHER = GOOD.replace("(go {", "(drive {")


def fenced(code: str, mark: str = "```python", end: str = "```") -> str:
    return f"{mark}\n{code}{end}\n"


def run(found: ProgramText) -> Any:
    """What the program gives, run alone as a file would be."""
    assert found.fault is None, found.message
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(found.source, "program.py", "exec"), space)
    return list(space["get_plan"](set(), set(), GOAL))


METHOD = "class Planner:\n" + textwrap.indent(GOOD.replace("(objects", "(self, objects"), "    ")
MADE = "class P:\n    def __init__(self, objects, init, goal):\n        self.goal = goal\n    def get_plan(self):\n" + (
    '        return [f"(go {fact[1]})" for fact in sorted(self.goal)]\n'
)
SHAPES = {
    "a fence in prose": f"Here:\n\n{fenced(GOOD)}\nIt is linear.",
    "tildes": fenced(GOOD, "~~~Python3", "~~~"),
    "py": fenced(GOOD, "```py"),
    "no language": fenced(GOOD, "```"),
    "attributes": fenced(GOOD, '```python title="x.py"'),
    "another language": fenced(GOOD, "```text"),
    "four marks": fenced(GOOD.replace("One step", "```\n    One step"), "````python", "````"),
    "a fence in a docstring": fenced(GOOD.replace("One step", "One\n\n    ```\n    step\n    ```\n")),
    "glued end": f"```python\n{GOOD.rstrip()}```\nDone.",
    "no end": f"```python\n{GOOD}",
    "no end, prose behind": f"```python\n{GOOD}\nI hope that this helps. It's short!\n",
    "windows line ends": fenced(GOOD).replace("\n", "\r\n"),
    "old line ends": fenced(GOOD).replace("\n", "\r"),
    "byte-order mark": "\ufeff" + fenced(GOOD),
    "tabs": fenced(GOOD.replace("    ", "\t")),
    "tabs and blanks": fenced(GOOD.replace("        ", "\t")),
    "typographic quotes": fenced(GOOD.replace('"(go {fact[1]})"', "“(go {fact[1]})”")),
    "blanks that do not break": fenced(GOOD.replace("    ", "\u00a0" * 4)),
    "in a list": "1. So:\n\n" + textwrap.indent(fenced(GOOD), "   "),
    "quoted": textwrap.indent(fenced(GOOD), "> ", lambda line: True),
    "indented in the fence": fenced(textwrap.indent(GOOD, "    ")),
    "no fence": f"Here is the function:\n\n{GOOD}\nI apologise; it's mended now.\nBye",
    "no fence, imports and tables": (
        f"I use a table.\n\nimport re\nfrom typing import List\n\nTABLE = {{\n  1: 'go',\n}}\n\n"
        f"{GOOD.replace('(go {', '({TABLE[1]} {')}\nThat's it."
    ),
    "indented in prose": f"So:\n\n{textwrap.indent(GOOD, '    ')}\nThat was it.",
    "thinking aloud": f"<think>{fenced(OLD)}</think>{fenced(GOOD)}",
    "the end of thinking": f"{fenced(OLD)}</think>{fenced(GOOD)}",
    "marks in the prose": f"Use ```sorted``` and `get_plan`.\n{fenced(GOOD)}",
    "a mark behind prose": f"Sure! ```python\n{GOOD}```\nNow `get_plan` is right.",
    "quotes for fences": f"'''python\n{GOOD}'''\n",
    "tags": f"<code>\n{GOOD}</code>\n",
    "a heading": f"python\n{GOOD}\n## Notes\n\n- `get_plan` sorts: it's stable\n",
    "a lambda": fenced('get_plan = lambda objects, init, goal: [f"(go {fact[1]})" for fact in sorted(goal)]\n'),
    "another name for it": fenced(GOOD.replace("get_plan", "solve") + "\nget_plan = solve\n"),
    "a generator": fenced(GOOD.replace("return plan", "yield from plan")),
    "annotations": fenced(GOOD.replace("init, goal):", "init, goal: set[object]) -> list[str]:")),
    "a method": fenced(METHOD),
    "a method of an object made with the task": fenced(MADE),
    "a static method": fenced(METHOD.replace("    def", "    @staticmethod\n    def").replace("(self, ", "(")),
    "a maker of it": fenced(f"{MAKER}    return get_plan\n\nget_plan = make()\n"),
    "decorated": fenced(f"import functools\n\n@functools.cache\ndef name(fact):\n    return fact[1]\n\n{GOOD}"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_program_is_found(shape: str) -> None:
    found = program_from_reply(SHAPES[shape])
    assert run(found) == PLAN


TEST_CODE = "import pytest\n\n@pytest.mark.slow\ndef test_it():\n    assert not get_plan(1, 2, set())\n\ntest_it()\n"
DEMOS = {
    "undefined names": "plan = get_plan(objects, init, goal)\nprint(plan)\n",
    "an example": 'objects = {("a", "b")}\nprint(get_plan(objects, set(), set()))\n',
    "an import of itself": "from policy import get_plan\nprint(get_plan(1, 2, 3))\n",
    "a main guard": "import sys\nif __name__ == '__main__':\n    sys.exit(get_plan(1, 2, 3))\n",
    "a main function": "def main():\n    print(get_plan(1, 2, 3))\n\nmain()\n",
    "an assertion": "assert get_plan(set(), set(), set()) == [1]\n",
    "a test": TEST_CODE,
    "a loop": "for n in range(3):\n    print(get_plan(n, n, n))\n",
    "an exit": "import sys\nsys.exit(3)\n",
    "input": "name = input('?')\n",
    "on one line": "x = 1; print(get_plan(1, 2, 3))\n",
    "a try": "try:\n    print(get_plan(1, 2, 3))\nexcept Exception:\n    raise SystemExit\n",
}


@pytest.mark.parametrize("demo", DEMOS)
@pytest.mark.parametrize("apart", [False, True])
def test_what_runs_the_program_on_import_is_left_out(
    demo: str, apart: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    reply = f"{fenced(GOOD)}Try it:\n{fenced(DEMOS[demo])}" if apart else fenced(f"{GOOD}\n# quick test\n{DEMOS[demo]}")
    found = program_from_reply(reply)
    assert run(found) == PLAN
    assert capsys.readouterr().out == ""
    if demo == "undefined names":
        assert found.source == GOOD
    if not apart:
        assert any("left out line" in note for note in found.notes)


def test_what_the_program_needs_is_kept() -> None:
    code = (
        "import sys\nfrom collections import defaultdict\nsys.setrecursionlimit(5000)\nBASE = {}\n"
        "for n in range(3):\n    BASE[n] = n * n\nBASE.update({7: 49})\nKINDS = defaultdict(list)\n"
        "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n"
    ) + GOOD.replace("[]", "[BASE[7], len(KINDS)]")
    found = program_from_reply(fenced(code))
    assert run(found) == [49, 0, *PLAN]
    assert found.source == code
    assert found.notes == ("it imports `numpy`, which is not in Python's standard library",)


def test_text_that_python_itself_may_not_write_again() -> None:
    odd = GOOD.replace("{fact[1]}", "{'DEL'.join([fact[1]])}").replace("DEL", "\x7f")
    if sys.version_info < (3, 12):
        with pytest.raises(ValueError, match="backslash"):
            ast.unparse(ast.parse(odd))
    demo = "print(get_plan(1, 2, f\"{'DEL'}\"))\n".replace("DEL", "\x7f")
    found = program_from_reply(fenced(odd + demo))
    assert run(found) == PLAN
    assert "print" not in found.source


def test_lines_stay_where_they_are() -> None:
    code = f"import json\nprint(1)\n{GOOD}"
    found = program_from_reply(fenced(code))
    assert found.source.splitlines()[2:] == code.splitlines()[2:]


def test_helpers_of_other_blocks() -> None:
    helper = "import re\n\nSEEN = 'x'\n\n# takes the name\ndef name(fact):\n    return re.sub(SEEN, '', fact[1])\n"
    main = GOOD.replace("fact[1]", "name(fact)")
    for reply in (fenced(helper) + "and\n" + fenced(main), fenced(main) + "with\n" + fenced(helper)):
        found = program_from_reply(reply)
        assert run(found) == PLAN
        assert "# takes the name" in found.source
        assert "several code blocks were joined" in found.notes
    unneeded = fenced("def other():\n    return 1\n") + fenced(GOOD)
    assert "other" not in program_from_reply(unneeded).source


def test_of_alternatives_the_later_whole_one_counts() -> None:
    assert run(program_from_reply(f"First:\n{fenced(GOOD)}Better:\n{fenced(OTHER)}")) == ["(drive a)", "(drive b)"]
    for sketch in ("...", "pass", "raise NotImplementedError", "plan = []\n    ...\n    return plan"):
        outline = f"def get_plan(objects, init, goal):\n    {sketch}\n"
        assert run(program_from_reply(f"{fenced(GOOD)}In outline:\n{fenced(outline)}")) == PLAN


def test_a_later_block_corrects_a_helper() -> None:
    first = "def word():\n    return 'stay'\n\n" + GOOD.replace("(go {", "({word()} {")
    second = "def word():\n    return 'go'\n"
    found = program_from_reply(f"{fenced(first)}Corrected:\n{fenced(second)}")
    assert run(found) == PLAN
    assert "stay" not in found.source


def test_only_the_function_was_written_anew() -> None:
    first = "def word():\n    return 'go'\n\n" + GOOD.replace("(go {", "(stay {")
    assert run(program_from_reply(f"{fenced(first)}Now:\n{fenced(GOOD.replace('(go {', '({word()} {'))}")) == PLAN


def test_future_imports_stay_first() -> None:
    helper = "def word() -> Unknown:\n    return 'go'\n"
    main = "from __future__ import annotations\n" + GOOD.replace("(go {", "({word()} {")
    assert run(program_from_reply(fenced(helper) + fenced(main))) == PLAN


def test_an_excerpt_with_a_fault_does_not_spoil_the_program() -> None:
    excerpt = "for fact in sorted(goal)\n    plan.append(\n"
    assert run(program_from_reply(f"{fenced(GOOD)}I changed\n{fenced(excerpt)}")) == PLAN


CUT = GOOD[: GOOD.index("})")]
FAULTS = {
    "empty": (" \n", "empty"),
    "prose": ("I cannot do that.", "No program was found"),
    "another language": ('```json\n{"a": 1}\n```', "No program was found"),
    "cut off": (f"```python\n{CUT}", "cut off"),
    "cut off without a fence": (f"Sure:\n\n{CUT}", "cut off"),
    "cut off before its end": (f"```python\n{NO_RETURN}", "cut off"),
    "cut off in the second": (f"{fenced(GOOD)}Better:\n```python\n{CUT}", "cut off"),
    "cut off in an open bracket": (f"```python\n{OLD.replace('3', '[')}        1,\n        2,", "cut off"),
    "a syntax error": (fenced(GOOD.replace("goal):", "goal)")), "in line 1"),
    "another name": (fenced(GOOD.replace("get_plan", "solve")), "`solve` takes three arguments"),
    "other names": (fenced(SOLVE + "def b(x, y, z):\n    return 1\n"), "it defines `solve`, `b`"),
    "within a function": (fenced(MAKER), "within `make`"),
    "a method that cannot be called": (fenced(METHOD.replace("objects, init, goal", "task")), "within `Planner`"),
    "async": (fenced("async " + GOOD), "async def"),
    "nothing in it": (fenced("def get_plan(objects, init, goal):\n    pass\n"), "not written out"),
    "a null byte": (fenced("x = '\0'\n" + GOOD), "null"),
    "too deep": (fenced(f"x = {'(' * 5000}1{')' * 5000}\n{GOOD}"), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_no_program_and_why(name: str) -> None:
    reply, words = FAULTS[name]
    found = program_from_reply(reply)
    assert (found.source, found.fault) == ("", Kind.NO_PROGRAM)
    assert words in found.message
    assert found.message.endswith((".", "`"))


def test_a_syntax_error_names_line_and_code() -> None:
    found = program_from_reply(fenced(GOOD.replace("sorted(goal):", "sorted(goal)")))
    assert "in line 4" in found.message
    assert "`for fact in sorted(goal)`" in found.message


def test_modules_that_are_not_in_the_standard_library_are_noted() -> None:
    code = "import numpy.linalg\nfrom planning_kit import solve\nimport collections.abc\n" + GOOD.replace(
        "plan = []", "import networkx\n    plan = [] + solve(numpy)"
    )
    found = program_from_reply(fenced(code))
    assert [note for note in found.notes if "standard library" in note] == [
        f"it imports `{name}`, which is not in Python's standard library"
        for name in ("numpy.linalg", "planning_kit", "networkx")
    ]


FRAGMENTS = st.sampled_from(
    ["```python\n", "```\n", "~~~\n", GOOD, OTHER, CUT, "def get_plan(", "class A:\n", "import x\n", "    ", "\t",
     '"""', "return 1\n", "print(get_plan(1, 2, 3))\n", "Prose, it's so.\n", "@", "lambda: 0\n", "\r\n", "(", ")",
     "if a:\n", "global b\n", "x = 1;", "<think>", "</think>", "\0", "“", "get_plan = 3\n", "async def f():\n",
     "from __future__ import annotations\n"]
)  # fmt: skip


@given(st.text(max_size=80) | st.lists(FRAGMENTS, max_size=9).map("".join))
def test_any_reply_gives_a_program_that_compiles_or_a_fault(reply: str) -> None:
    found = program_from_reply(reply)
    if found.fault is None:
        compile(found.source, "program.py", "exec", dont_inherit=True)
        assert "get_plan" in found.source
        again = program_from_reply(fenced(found.source))
        assert (again.source, again.fault) == (found.source, None)  # what is clean stays as it is
    else:
        assert (found.source, found.fault) == ("", Kind.NO_PROGRAM)
        assert found.message
