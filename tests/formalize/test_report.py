"""The report as a page: whole, self-contained, and safe whatever the texts say."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import DOMAIN, EVIL, PROBLEM, Page, Text, example, plan_data, result_of, verified

from groundplan.formalize.report import render_report
from groundplan.formalize.specification import Judgement, Result, Round, Signal, Specification, Verification
from groundplan.pddl.ast import Atom, Step, Task, TypedName
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.read import task_from_text
from groundplan.pddl.source import Source, Span
from groundplan.solve.outcome import Outcome, Status

fragments = st.sampled_from(
    [EVIL, "<b>", "</style>", "javascript:", "\\u003c", "\n", "💡", "&#60;", "red block", "`x`"]
)
texts = st.lists(fragments | st.text(max_size=12), max_size=4).map("".join)


@given(texts, texts, texts, st.sampled_from(["error", "warning", "info", EVIL]), st.sampled_from([*Status]))
def test_no_text_becomes_markup(one: str, two: str, three: str, severity: str, status: Status) -> None:
    source = Source(one, two)
    found = (
        Diagnostic(three, Category.GOAL, Severity.ERROR, two, Span(0, 3), source, one, ((three, Span(0, 1), source),)),
    )
    outcome = Outcome(Status.FAILED, two, (Step(one, (two,)),), reason=three, log=one)
    base = result_of()
    rounds = (
        Round(two, Specification(one, two), Verification(False, found, None, None, three), (one, two)),
        Round("editor", Specification(two, one), Verification(False, (), None, outcome, one)),
        *base.rounds,
    )
    signals = (Signal(one, severity, two, (three, one)),)
    result = replace(base, text=one, reason=two, status=status, rounds=rounds, signals=signals, model=three)
    html = render_report(replace(result, judgement=Judgement(0.5, (one, two))), title=two, run_id=three)
    page = Page(html)
    html.encode("utf-8")
    assert len(page.scripts) == 2
    assert page.scripts[1] == files("groundplan.formalize").joinpath("report.js").read_text(encoding="utf-8")
    assert not page.tags & {"img", "iframe", "object", "form", "base"}


@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \n<>&'\""), max_size=60))
def test_the_text_is_shown_word_for_word(text: str) -> None:
    evidence = tuple(text.split()[:3])
    html = render_report(replace(result_of(text=text), signals=(Signal("s", "warning", "m", evidence),)))
    quoted = html[html.index("<blockquote") : html.index("</blockquote>") + len("</blockquote>")]
    assert Text(quoted, without="ref").text == (text or "(empty)")


def test_hostile_names_in_a_plan() -> None:
    evil = "</script><img/onerror=x>&'\""
    task = task_from_text(DOMAIN, PROBLEM)
    objects = (*task.problem.objects, TypedName(evil, ("room",)))
    init = (*task.problem.init, Atom("seen", (evil,)), Atom("door", ("hall", evil)))
    problem = replace(task.problem, objects=objects, init=init)
    base = result_of()
    plan = (Step("move", ("hall", evil)), Step(evil, (evil,)))
    round_ = replace(base.rounds[0], verification=verified(Task(task.domain, problem), plan))
    html = render_report(replace(base, rounds=(round_,)))
    assert Page(html).tags.isdisjoint({"img"})
    assert f"(seen {evil})" in plan_data(html)["facts"]
    assert "<" not in Page(html).scripts[0]
    assert Text(html).text.count(f"(move hall {evil})") == 1


def test_the_policy_allows_this_script_and_style_alone() -> None:
    html = render_report(example())
    policy = dict(Page(html).elements[3][1])["content"] or ""
    for name, text in (("script", Page(html).scripts[-1]), ("style", html.split("<style>")[1].split("</style>")[0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert not re.findall(r"https?:|//[a-z]|url\(|@import", html.replace("// ", ""))


def test_the_same_result_gives_the_same_bytes_in_every_process() -> None:
    code = "import test_report as t; print(hash('x')); print(t.render_report(t.example(), run_id='r'))"
    pages = []
    for seed in ("1", "2"):
        path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        pages.append(run.stdout.split("\n", 1))
    assert pages[0][0] != pages[1][0]
    assert pages[0][1] == pages[1][1] == render_report(example(), run_id="r") + "\n"


@pytest.mark.parametrize(
    ("status", "word", "kind"),
    [
        (Status.SOLVED, "Solved", "ok"),
        (Status.UNSOLVABLE, "Unsolvable", "proof"),
        (Status.NOT_FOUND, "Not found", "warn"),
        (Status.FAILED, "Failed", "bad"),
    ],
)
def test_every_ending_has_a_word_a_sign_and_a_colour(status: Status, word: str, kind: str) -> None:
    html = render_report(Result("t", status, "because of `x`", ()))
    head = html[html.index('<div class="ending') :]
    assert head.startswith(f'<div class="ending {kind}"><svg class="sign"')
    assert f'<p class="word">{word}</p>' in head
    assert "because of <code>x</code>" in head
    assert "No specification was written" in html
    assert Page(html)
    signs = {render_report(Result("t", each, "", ())).split("<svg")[1].split("</svg>")[0] for each in Status}
    assert len(signs) == 4


def test_the_numbers_and_the_opinions() -> None:
    html = render_report(example(), title="Evening & night", run_id="run-7")
    text = Text(html).text
    for words in ("Solver calls3", "2 reached an engine", "Repairs2", "Tokens1,234", "$0.0123", "2 min 10 s"):
        assert words in text
    for words in ("Evening & night", "run run-7", "0.75 of 1", "All rooms are there.", "a model's opinion, no proof"):
        assert words in text
    # Errors come first, and their words in the text lead to them.
    assert text.index("the goal asks for hall") < text.index("one room more")
    assert re.search(r'<mark class="error">hall<a class="ref" id="evidence-1" href="#signal-1"', html)
    assert "Round 2: Editor, repair 1" in text
    assert "Round 1: Actor" in text


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    channels = [int(digits[index : index + 2], 16) / 255 for index in (0, 2, 4)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_text_colour_has_the_contrast_of_wcag_aa() -> None:
    css = files("groundplan.formalize").joinpath("report.css").read_text(encoding="utf-8")
    themes = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    ]
    assert len(themes) == 3  # light, dark, print
    tones = ["ok", "bad", "warn", "info", "proof"]
    for theme in themes:
        assert set(theme) == set(themes[0])
        pairs = [(ink, back) for ink in ("ink", "muted", "accent") for back in ("bg", "surface", "sunk")]
        pairs += [(tone, back) for tone in tones for back in (f"{tone}-bg", "surface", "bg")]
        pairs += [(ink, f"{tone}-bg") for tone in tones for ink in ("ink", "muted", "accent")]
        pairs += [
            (kind, back)
            for kind in ("keyword", "variable", "operator", "comment")
            for back in ("surface", "bad-bg", "warn-bg", "info-bg")
        ]
        for ink, back in pairs:
            light, dark = sorted((luminance(theme[ink]), luminance(theme[back])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, back)


STEPS = """
const out = [];
const see = () => out.push([document.getElementById("now").textContent,
  [...document.querySelectorAll("#facts li")].map((item) => item.className + ":" + item.textContent).join(" "),
  [...document.querySelectorAll("#goals .tick")].map((item) => item.textContent).join(" ")]);
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
see();
press("ArrowRight"); see();
document.querySelector("[data-go=last]").click(); see();
press("ArrowRight"); press("ArrowLeft"); see();
const slider = document.getElementById("slider");
slider.value = "1"; slider.dispatchEvent(new Event("input")); see();
document.querySelector("button[value=round-1]").click();
const open = () => [...document.querySelectorAll("details.round")].filter((item) => !item.hidden && item.open);
out.push(open().map((item) => item.id));
location.hash = "#round-2-finding-1";
setTimeout(() => {
  out.push(open().map((item) => item.id));
  document.body.dataset.seen = JSON.stringify(out);
}, 50);
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/usr/bin/chromium").exists(), reason="needs Chromium")
def test_a_browser_steps_through_the_plan(tmp_path: Path) -> None:
    html = render_report(example())
    # The policy would rightly refuse the test's own script.
    driven = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    dumps = []
    for name, text in (("plain", html), ("driven", driven.replace("</body>", f"<script>{STEPS}</script></body>"))):
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        flags = "--headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run --dump-dom"
        more = ["--virtual-time-budget=3000", f"--user-data-dir={tmp_path / 'profile'}"]
        address = (tmp_path / f"{name}.html").as_uri()
        run = subprocess.run(
            ["/usr/bin/chromium", *flags.split(), *more, address],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        dumps.append(run.stdout)
    assert '<html lang="en" class="js">' in dumps[0]  # the script runs under the page's own policy
    assert "Start: the initial state." in dumps[0]
    body = next(attributes for tag, attributes in Page(dumps[1]).elements if tag == "body")
    seen = json.loads(body["data-seen"] or "")
    assert seen[0][0].split("(")[1] == "2 of 4 goal conditions hold)"
    assert seen[1][0] == "Step 1 of 4: (move hall kitchen) (1 of 4 goal conditions hold)"
    assert seen[1][1] == "del:(at hall) ins:(at kitchen) :(lit hall) :(lit kitchen) ins:(seen kitchen)"
    assert seen[1][2] == "○ false ✓ true ○ false ○ false"
    assert seen[2][0] == "Step 4 of 4: (switch-off hall) (4 of 4 goal conditions hold)"
    assert seen[2][1] == ":(at hall) del:(lit hall) :(seen hall) :(seen kitchen)"
    assert seen[3][0].startswith("Step 3 of 4")
    assert seen[4] == seen[1]
    assert seen[5:] == [["round-1"], ["round-2"]]
