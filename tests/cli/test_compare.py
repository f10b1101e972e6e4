"""groundplan compare: the keys, the exit codes, the words, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit

DOMAIN = """(define (domain lift) (:requirements :typing) (:types floor person)
  (:predicates (at ?f - floor) (waits ?p - person ?f - floor) (inside ?p - person) (out ?p - person ?f - floor))
  (:action ride :parameters (?a ?b - floor) :precondition (at ?a) :effect (and (not (at ?a)) (at ?b)))
  (:action enter :parameters (?p - person ?f - floor) :precondition (and (at ?f) (waits ?p ?f))
    :effect (and (not (waits ?p ?f)) (inside ?p)))
  (:action exit :parameters (?p - person ?f - floor) :precondition (and (at ?f) (inside ?p))
    :effect (and (not (inside ?p)) (out ?p ?f))))
"""
PROBLEM = """(define (problem one) (:domain lift) (:objects f1 f2 - floor ann - person)
  (:init (at f2) (waits ann f1)) (:goal (out ann f2)))
"""
KEYS = ["verdict", "category", "goal", "objects", "schemas", "witness", "maps", "schema_f1", "reason"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "d.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    (tmp_path / "lost.pddl").write_text(DOMAIN.replace("(and (at ?f) (inside ?p))", "(inside ?p)"))
    (tmp_path / "renamed.pddl").write_text(DOMAIN.replace("enter", "board").replace("waits", "stands"))
    (tmp_path / "other.pddl").write_text(
        PROBLEM.replace("waits", "stands").replace("f1", "floor-1").replace("f2", "floor-2").replace("ann", "p")
    )
    (tmp_path / "stands.pddl").write_text(PROBLEM.replace("waits", "stands"))
    (tmp_path / "same.pddl").write_text(PROBLEM.replace("ann", "bob"))
    return tmp_path


def compared(files: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    names = [str(files / word) if word.endswith((".pddl", ".json")) else word for word in words]
    code = run(["compare", *names, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_proved_refuted_and_the_keys(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = compared(files, capsys, "d.pddl", "p.pddl", "renamed.pddl", "stands.pddl")
    assert (code, found["verdict"]) == (Exit.YES, "proved")
    assert found["maps"]["actions"]["board"] == {"action": "enter", "positions": [0, 1]}  # type: ignore[index]
    code, found = compared(files, capsys, "d.pddl", "p.pddl", "lost.pddl", "p.pddl")
    assert (code, found["verdict"], found["category"]) == (Exit.NO, "refuted", "constraint omission")
    assert [key for key in KEYS if key not in found] == []
    steps = found["witness"]
    assert isinstance(steps, list)
    assert steps[:2] == ["(ride f2 f1)", "(enter ann f1)"]
    assert steps[2].startswith("permissive: the candidate allows (exit ann f2)")


def test_objects_and_maps(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("d.pddl", "p.pddl", "renamed.pddl", "other.pddl")
    code, found = compared(files, capsys, *words)
    assert (code, found["category"], found["objects"]) == (Exit.NO, "object/type drift", "different")
    assert compared(files, capsys, *words, "--objects", "free")[0] == Exit.YES
    (files / "maps.json").write_text('{"objects": {"p": "ann"}}')
    code, found = compared(files, capsys, *words, "--maps", "maps.json")
    assert code == Exit.YES
    (files / "again.json").write_text(json.dumps(found["maps"]))
    assert compared(files, capsys, *words, "--maps", "again.json")[1]["maps"] == found["maps"]


def test_isomorphism_is_between_problems_of_one_domain(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    relation = ("--relation", "isomorphism")
    assert compared(files, capsys, "d.pddl", "p.pddl", "d.pddl", "same.pddl", *relation)[0] == Exit.YES
    assert (
        run(["compare", *(str(files / name) for name in ("d.pddl", "p.pddl", "lost.pddl", "p.pddl")), *relation]) == 2
    )
    assert "one and the same domain" in capsys.readouterr().err


def test_the_explanation_is_readable(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *(str(files / name) for name in ("d.pddl", "p.pddl", "lost.pddl", "p.pddl"))]) == Exit.NO
    text = capsys.readouterr().out
    assert "REFUTED" in text
    assert "shortest run after which they differ" in text
    assert "1. (ride f2 f1)" in text
    assert "action exit lacks: precondition (at ?1)" in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "these are no maps"),
        ("[1]", "these are no maps"),
        ('{"objects": {"nobody": "ann"}}', "`nobody` is not among the candidate's objects"),
        ('{"objects": {"ann": "nobody"}}', "`nobody` is not among the reference's objects"),
        ('{"objects": {"f1": "f1", "f2": "f1"}}', "two objects stand for the same one"),
        ('{"actions": {"ride": {"action": "enter", "positions": [0]}}}', "wants 2 different positions"),
        ('{"actions": {"ride": {"action": "enter", "positions": [0, 0]}}}', "wants 2 different positions"),
        ('{"actions": {"ride": {"action": "enter", "positions": [0, 7]}}}', "wants 2 different positions"),
        ('{"actions": {"ride": "enter"}}', "these are no maps"),
    ],
)
def test_bad_maps(files: Path, capsys: pytest.CaptureFixture[str], text: str, words: str) -> None:
    (files / "maps.json").write_text(text)
    names = [str(files / name) for name in ("d.pddl", "p.pddl", "d.pddl", "p.pddl", "maps.json")]
    assert run(["compare", *names[:4], "--maps", names[4]]) == Exit.INPUT
    assert words in capsys.readouterr().err


def test_bad_files(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(files / name) for name in ("d.pddl", "p.pddl", "d.pddl", "none.pddl")]
    assert run(["compare", *names]) == Exit.INPUT
    assert "no such file" in capsys.readouterr().err
    (files / "none.pddl").write_text("(define (problem x) (:domain lift) (:goal (flies ann)))")
    assert run(["compare", *names]) == Exit.INPUT
    assert "flies" in capsys.readouterr().err
