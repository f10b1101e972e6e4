"""Texts in the report: listings with their findings, diffs, and the evidence of signals."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import DOMAIN, PROBLEM, Text, finding

from groundplan.formalize.report_code import Listing, render_listing
from groundplan.formalize.report_diff import count_changes, render_diff
from groundplan.formalize.report_evidence import find_evidence
from groundplan.formalize.report_findings import Placed, place_findings
from groundplan.formalize.specification import Signal, Specification
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.source import Source, Span

lines = st.text(st.sampled_from("ab?:;() -<&"), max_size=12)
sources = st.lists(lines, min_size=1, max_size=8).flatmap(
    lambda rows: st.sampled_from(["\n", "\r\n"]).map(lambda e: e.join(rows))
)


@given(sources, st.data())
def test_a_listing_shows_every_character_and_marks_the_right_ones(text: str, data: st.DataObject) -> None:
    source = Source(text, "domain")
    offsets = st.integers(0, len(text))
    spans = [Span(*sorted((data.draw(offsets), data.draw(offsets)))) for _ in range(data.draw(st.integers(0, 4)))]
    placed = [
        Placed(Diagnostic("c", Category.SYNTAX, Severity.ERROR, f"finding {number}", span, source), span, f"f-{number}")
        for number, span in enumerate(spans)
    ]
    html = render_listing(Listing(source, "p", tuple(placed)))
    rows = re.findall(r'<div class="ln"><span class="no">(\d+)</span><code>(.*?)</code></div>', html)
    last = len(rows)
    assert [Text(code, without="here").text for _, code in rows] == [
        source.line(number) for number in range(1, last + 1)
    ]
    assert source.text.splitlines() == [source.line(number) for number in range(1, last + 1)] or not text.strip("\r\n")
    for number, code in rows:
        columns = {
            column
            for span in spans
            for column in range(len(source.line(int(number))))
            if source.position(span.start).line == int(number)
            and source.position(span.start).column - 1 <= column
            and (column + 1 < source.position(span.end).column or source.position(span.end).line > int(number))
        }
        assert "".join(Text(code, wanted="u", without="here").parts).replace("▲", "") == "".join(
            source.line(int(number))[column] for column in sorted(columns)
        )
    for item in placed:  # directly below its line, and above the next
        number = min(source.position(item.span.start).line, last)
        block = html.index(item.diagnostic.message)
        assert html.index(f'"no">{number}<') < block
        assert number == last or block < html.index(f'"no">{number + 1}<')


@given(st.lists(st.sampled_from("abcd<"), max_size=14), st.lists(st.sampled_from("abcd<"), max_size=14))
def test_a_diff_holds_both_texts(before: list[str], after: list[str]) -> None:
    html = render_diff("\n".join(before) + "\n", "\n".join(after) + "\n") if before and after else render_diff("", "")
    old, new = (before, after) if before and after else ([], [])
    rows = re.findall(r'<span class="no">(\d*)</span><span class="no">(\d*)</span>.*?<code>(.*?)</code>', html)
    assert [Text(code).text for number, _, code in rows if number] == old
    assert [Text(code).text for _, number, code in rows if number] == new
    assert [int(number) for number, _, _ in rows if number] == [*range(1, len(old) + 1)]
    assert [int(number) for _, number, _ in rows if number] == [*range(1, len(new) + 1)]
    removed, added = count_changes("\n".join(old), "\n".join(new))
    assert (removed, added) == (html.count('class="ln del"'), html.count('class="ln ins"'))


def test_long_unchanged_parts_are_folded() -> None:
    same = [f"(fact {number})" for number in range(300)]
    html = render_diff("\n".join([*same[:40], "old", *same[40:]]), "\n".join([*same[:40], "new", *same[40:]]))
    assert "<summary>37 unchanged lines</summary>" in html
    assert "… 257 unchanged lines …" in html
    assert "<del><code>" in html
    huge_diff = render_diff("\n".join(f"a{n}" for n in range(30_000)), "\n".join(f"b{n}" for n in range(30_000)))
    assert len(huge_diff) < 500_000
    assert "more changed lines left out" in huge_diff


def test_findings_find_their_text() -> None:
    specification = Specification(DOMAIN, PROBLEM)
    twin = Specification(DOMAIN, DOMAIN)
    inside = finding(PROBLEM, "(:goal", "/some/where/task.txt")
    shifted = finding("\ufeff" + PROBLEM + "\n", "(:goal", "problem.pddl")
    absent = finding("(define", "define", "reply")
    placed, elsewhere = place_findings(specification, (inside, shifted, absent), "r")
    assert [item.diagnostic for item in placed["problem"]] == [inside, shifted]
    assert [PROBLEM[slice(*item.span)] for item in placed["problem"]] == ["(:goal", "(:goal"]
    assert [item.diagnostic for item in elsewhere] == [absent]
    both = place_findings(twin, (finding(DOMAIN, "rooms", "problem"),), "r")[0]
    assert (len(both["domain"]), len(both["problem"])) == (0, 1)


@pytest.mark.parametrize(
    ("text", "evidence", "found"),
    [
        ("Put the red block on it", "red-block", ["red block"]),
        ("Ball 3 and ball 31", "ball3", ["Ball 3"]),
        ("a blocker and Block", "block", ["Block"]),
        ("A ball is a thing; take A now", "a", ["A"]),
        ("(on a b)", "(on a b)", []),
        ("move  the\n  big box.", "the big box", ["the\n  big box"]),
        ("Straße und STRASSE", "straße", ["Straße"]),
        ("x" * 50, "", []),
    ],
)
def test_evidence_is_found_as_words(text: str, evidence: str, found: list[str]) -> None:
    places = find_evidence(text, (Signal("s", "info", "m", (evidence,)),))
    assert [text[place.start : place.end] for place in places] == found
