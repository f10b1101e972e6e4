"""Bracket faults and text that is no PDDL: one fault gives one error, at times two, at its place and with a way out,
and everything else in the text is still read."""

from __future__ import annotations

import pytest
from greenhouse import DOMAIN, PROBLEM, Changed, assert_found, errors, in_domain, in_problem


def cut_off(text: str, before: str) -> str:
    """The text as far as `before`, with a mark at its last character that is no blank."""
    kept = text[: text.index(before)].rstrip()
    return f"{kept[:-1]}§{kept[-1]}"


MISSING_CLOSING = [
    (Changed(domain=DOMAIN.rstrip()[:-2] + "§)"), "missing-bracket", "add one `)`"),
    (Changed(problem=PROBLEM.rstrip()[:-2] + "§)"), "missing-bracket", "add one `)`"),
    (in_domain("?to))))\n  (:action w", "?to)))\n  §(:action w"), "missing-bracket", "`:action move` is still open"),
    (in_domain("bench - thing)\n  (:con", "bench - thing\n  §(:con"), "missing-bracket", "`:types` is still open"),
    (in_problem("(free sink))\n  (:goal", "(free sink)\n  §(:goal"), "missing-bracket", "`:init` is still open"),
    (in_problem("- bench)\n  (:init", "- bench\n  §(:init"), "missing-bracket", "`:objects` is still open"),
    (in_domain("?to - bench)\n    :pre", "?to - bench\n    §:pre"), "missing-bracket", "before `:precondition`"),
    (in_domain("(on ?p sink)\n    :eff", "(on ?p sink\n    §:eff"), "missing-bracket", "before `:effect`"),
    (in_domain("(free ?to))\n    :eff", "(free ?to)\n    §:eff"), "missing-bracket", "`(and ...` is still open"),
    (
        in_domain("?from) (free ?to))\n    :e", "?from §(free ?to))\n    §:e"),
        "bracket-in-atom missing-bracket",
        "is a closing bracket missing before it?",
    ),
    (
        in_domain(
            "(wet ?p - plant)\n               (free ?b - bench))\n  (", "(wet ?p - plant §(free ?b - bench))\n  §("
        ),
        "bracket-in-list missing-bracket",
        "is a closing bracket missing before it?",
    ),
    (
        in_problem("left) (on ivy right) (free sink))\n  (:g", "left §(on ivy right) (free sink))\n  §(:g"),
        "bracket-in-atom missing-bracket",
        "is a closing bracket missing before it?",
    ),
]

MISSING_OPENING = [
    (in_domain("(:action water", "§:action water"), "missing-bracket", "write `(:action`"),
    (in_problem("(:goal", "§:goal"), "missing-bracket", "write `(:goal`"),
    (in_problem("(:objects", "§:objects"), "missing-bracket", "write `(:objects`"),
    (in_domain("(on ?p sink)", "§on ?p sink§)"), "bare-word surplus-bracket", "write `(on ?p sink)`"),
    (in_problem("(on fern left) (on ivy", "§on fern left§) (on ivy"), "bare-word surplus-bracket", "`(on fern left)`"),
    (
        in_domain("(?p - plant)\n    :pre", "§?p - plant§)\n    :pre"),
        "bad-parameters surplus-bracket",
        "(?x - type ...)",
    ),
]

SURPLUS = [
    (in_domain("?to))))\n", "?to))))§)\n"), "surplus-bracket", "ends the definition too early"),
    (in_problem("(free sink))", "(free sink))§)"), "surplus-bracket", "the `)` in line 7 closes nothing"),
    (in_domain("(free ?to))\n    :eff", "(free ?to))§)\n    :eff"), "surplus-bracket", "ends `:action move` too early"),
    (in_domain("(on ?p sink)", "(on ?p sink)§)"), "surplus-bracket", "`:effect (wet` in line 17"),
    (in_domain("(wet ?p - plant)", "(wet ?p - plant)§)"), "surplus-bracket", "ends `:predicates` too early"),
    (in_problem("(on fern left) (on ivy", "(on fern left)§) (on ivy"), "surplus-bracket", "ends `:init` too early"),
    (in_problem("ivy - plant", "ivy - plant§)"), "surplus-bracket", "ends `:objects` too early"),
    (Changed(domain=DOMAIN.rstrip() + "§)\n"), "surplus-bracket", "closes nothing"),
    (Changed(problem=PROBLEM.rstrip() + "§)))\n"), "surplus-bracket", "closes nothing"),
    (
        in_domain("(on ?p ?from) (free ?to))", "(on ?p ?from)) §(free ?to)§)"),
        "missing-operator surplus-bracket",
        "a `)` there stands too early",
    ),
]

NOT_PDDL = [
    (Changed(domain="§```pddl\n" + DOMAIN + "§```\n"), "markdown-fence markdown-fence", "without ``` lines"),
    (Changed(problem=PROBLEM + "§~~~~\n"), "markdown-fence", "without ``` lines"),
    (Changed(domain="§Here is the domain:\n\n" + DOMAIN), "text-around", "`Here is the domain:`"),
    (Changed(domain=DOMAIN + "\n§Hope this helps!\n"), "text-around", "behind the definition"),
    (Changed(problem="§The (improved) problem is\n" + PROBLEM), "text-around", "before the definition"),
    (Changed(problem="§I am sorry, I cannot do that."), "no-definition", "(define (domain name)"),
    (Changed(problem="§"), "empty-text", "the text is empty"),
    (Changed(problem="§ ; nothing but (a comment)\n"), "empty-text", "nothing but comments"),
    (Changed(domain=DOMAIN + "§(define (domain other) (:predicates (p)))"), "second-definition", "files of their own"),
    (Changed(domain=DOMAIN.rstrip()[:-1] + "§§" + PROBLEM), "missing-bracket second-definition", "before `(define`"),
    (Changed(domain=DOMAIN.rstrip()[:-3] + "§§" + PROBLEM), "missing-bracket second-definition", "3 closing brackets"),
    (Changed(problem="(define §(domain again) (:predicates (p)))"), "wrong-kind", "a problem is wanted here"),
    (in_problem("(:init", "§Now the start:\n  (:init"), "stray-word", "a comment starts with `;`"),
    (in_problem("(free sink))", "(free sink))\n  §(wet fern) (wet ivy)"), "stray-form", "move it into the section"),
]

CUT_OFF = [
    (Changed(problem=cut_off(PROBLEM, " fern)")), "text-ends-early", "inside `:goal` (opened in line 6)"),
    (Changed(problem=cut_off(PROBLEM, "ivy right")), "text-ends-early", "inside `:init`"),
    (Changed(domain=cut_off(DOMAIN, " ?to - bench)")), "text-ends-early", "inside `:action move`"),
    (Changed(domain=cut_off(DOMAIN, "(free ?b")), "text-ends-early", "inside `:predicates`"),
    (Changed(domain=cut_off(DOMAIN, "house)")), "text-ends-early", "give the whole text again"),
]

OTHER_LANGUAGES = [
    (in_domain("(on ?p sink)", "§[on ?p sink]"), "wrong-bracket", "round brackets"),
    (in_domain("(wet ?p)))", "§{wet ?p}))"), "wrong-bracket", "round brackets"),
    (in_domain("(?p - plant ?from ?to", "(?p - plant ?from§, ?to"), "comma", "drop the comma"),
    (in_problem("fern ivy", "fern§, ivy"), "comma", "drop the comma"),
    (in_domain("(wet ?p - plant)", "(wet ?p - plant) §// it (drips"), "foreign-comment", "start with `;`"),
    (in_domain("(wet ?p - plant)", "(wet ?p - plant) §# it drips)"), "foreign-comment", "start with `;`"),
    (in_domain("(wet ?p - plant)", "§/* what (is\n wet */ (wet ?p - plant)"), "foreign-comment", "start with `;`"),
    (
        Changed(domain=DOMAIN.rstrip().replace("\n", "\\n").replace("house)", "house)§")),
        "escaped-text",
        "taken from JSON",
    ),
    (in_domain("(on ?p sink)", '(on ?p §\\§"sink\\")'), "escaped-text quote-mark", "decode it"),
    (in_domain("(on ?p sink)", "§'(on ?p sink)"), "quote-mark", "drop it"),
    (in_problem("(wet fern)", '(wet §"fern")'), "quote-mark", "drop it"),
    (in_problem("(wet fern)", "(wet §“fern”)"), "quote-mark", "drop it"),
    (in_problem("ivy - plant", "ivy §\u2013 plant"), "typographic-dash", "write `-`"),
    (in_problem("(free sink)", "(free sink) §..."), "placeholder", "write out every object"),
    (in_problem("fern ivy", "fern §… ivy"), "placeholder", "write out every object"),
    (in_problem("(free sink)", "(free sink) §[...]"), "placeholder", "write out every object"),
    (in_domain("(on ?p sink)", "§on(?p sink)"), "bracket-in-atom", "write `(on ?p sink)`"),
    (in_domain("(on ?p sink)", "(on§(?p sink))"), "bracket-in-atom", "the bracket stands before the name"),
    (in_problem("fern ivy", "§f\u00e4rn ivy fern"), "bad-name", "U+00E4"),
    (in_problem("(wet fern)", "(wet §fern\u200b)"), "bad-name", "U+200B"),
    (in_problem("(wet fern)", "(wet §fern\x07)"), "bad-name", "U+0007"),
]

ALL = [*MISSING_CLOSING, *MISSING_OPENING, *SURPLUS, *NOT_PDDL, *CUT_OFF, *OTHER_LANGUAGES]


@pytest.mark.parametrize(("changed", "codes", "hint"), ALL, ids=range(len(ALL)))
def test_the_fault_is_found_at_its_place_and_nothing_else(changed: Changed, codes: str, hint: str) -> None:
    assert_found(errors(changed.result()), changed, codes, hint)


def test_a_predicate_may_be_called_define() -> None:
    domain, problem = DOMAIN.replace("wet", "define"), PROBLEM.replace("wet", "define")
    assert not Changed(domain, problem).result().diagnostics


def test_what_follows_a_missing_bracket_is_still_checked() -> None:
    changed = in_domain("?to))))\n  (:action water\n", "?to)))\n  §(:action water\n    §:effects (wet ?p)\n")
    assert_found(errors(changed.result())[:2], changed, "missing-bracket unknown-keyword", "did you mean `:effect`?")


def test_actions_behind_a_surplus_bracket_are_read() -> None:
    result = in_domain("?to))))\n", "?to)))))\n").result()
    assert result.domain is not None
    assert [action.name for action in result.domain.actions] == ["move", "water"]


def test_half_an_atom_is_left_out_of_a_text_cut_off() -> None:
    problem = Changed(problem=PROBLEM[: PROBLEM.index(" left) (on ivy")]).result().problem
    assert problem is not None
    assert problem.init == ()


def test_a_run_of_faults_is_counted_not_listed() -> None:
    commas = errors(in_problem("fern ivy", "a, b, c, fern, ivy").result())
    assert [found.code for found in commas] == ["comma"]
    assert "4 places" in commas[0].message


def test_faults_of_several_kinds_are_found_in_one_go() -> None:
    changed = Changed(
        domain=DOMAIN.replace("(wet ?p)))", "§(moist ?p)))").replace("?from ?to - bench", "?from ?to - §banch"),
        problem=PROBLEM.replace("(wet fern)", "§(wet)").replace("(free sink)", "(free §synk)"),
    )
    assert_found(
        errors(changed.result()), changed, "unknown-type unknown-predicate unknown-object wrong-arity", "`bench`?"
    )
