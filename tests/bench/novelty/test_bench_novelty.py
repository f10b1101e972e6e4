"""The benchmark of novelty adaptation on a world without physics: learned, tested, joined, resumed."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("stable_baselines3")
sys.path.insert(0, str(Path(__file__).parents[2] / "adapt" / "execution"))
from button_world import KNOWN, PROBLEM

from groundplan.adapt.execution.learning import StartSeeds
from groundplan.adapt.learn.settings import PRESETS, Method
from groundplan.adapt.learn.statistics import compare
from groundplan.bench.novelty.adapted import read_adapted
from groundplan.bench.novelty.curves import curves_plot, interval
from groundplan.bench.novelty.outcome import FreshScenes, Outcome, PhaseOutcome, outcome_from_json, read_outcomes
from groundplan.bench.novelty.report import joined, write_report
from groundplan.bench.novelty.running import Plan, run_novelty
from groundplan.bench.novelty.subjects import Subject, subjects
from groundplan.bench.novelty.tables import tables
from groundplan.cli.bench_novelty import numbers
from groundplan.errors import InputError
from groundplan.runs.run import Run

WORLD = f"{Path(__file__).parents[2] / 'adapt' / 'execution' / 'button_world.py'}:ButtonWorld"
TOUCH = """(:action touch :parameters (?l - lamp ?h - gripper)
  :precondition (and (free ?h) (lit ?l)) :effect (warm ?l))"""
SHAPING = """def shaping(previous, current):
    nearer = abs(previous["a_from_h"][0]) - abs(current["a_from_h"][0])
    return max(-1.0, min(1.0, nearer / 0.016))
"""
QUICK = replace(
    PRESETS["smoke"], evaluate_every=1024, most_steps=2048, episodes=5, horizons=(40,), rollout=64, window=1
)
PLAN = Plan((Method.SPARSE, Method.GUIDED), (0, 1), QUICK, fresh=10, scenes=StartSeeds(range(10, 16), range(30, 35)))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("novelty") / "lamps"
    (folder / "rewards/touch/warm_a").mkdir(parents=True)
    (folder / "domain.pddl").write_text(KNOWN)
    (folder / "problem.pddl").write_text(PROBLEM)
    (folder / "missing.pddl").write_text(TOUCH)
    (folder / "rewards/touch/warm_a/0.py").write_text(SHAPING)
    return folder.parent


@pytest.fixture(scope="module")
def found(data: Path) -> tuple[Subject, ...]:
    return subjects(f"lamps={WORLD}", data)


@pytest.fixture(scope="module")
def done(data: Path, found: tuple[Subject, ...]) -> tuple[Path, list[Outcome]]:
    out = data.parent / "run"
    with Run.open(out, settings={"verb": "bench novelty"}) as run:
        outcomes, left_out = run_novelty(run, found, replace(PLAN, rewards=data))
    assert not left_out
    return out, outcomes


def test_the_operator_its_objects_and_the_way_to_it_come_from_the_plan(found: tuple[Subject, ...]) -> None:
    [subject] = found
    assert (subject.operator.name, subject.operator.objects) == ("touch", ("a", "h"))
    assert ("switch-on", ("a", "h")) in [(step.action, step.args) for step in subject.before]
    assert "touch" not in subject.known.domain.action_by_name


def test_each_method_and_seed_is_trained_and_tested_in_fresh_scenes(done: tuple[Path, list[Outcome]]) -> None:
    out, outcomes = done
    assert [(item.method, item.seed) for item in outcomes] == [
        (method, seed) for method in ("guided", "sparse") for seed in (0, 1)
    ]
    for item in outcomes:
        assert item.sub_goals == ("warm_a",)
        assert item.curve[-1][0] == item.phases[-1].steps <= QUICK.most_steps
        assert item.cpu_s_per_step
        assert (item.tested is None) is bool(item.reason)
        if item.tested is not None:
            assert item.tested.episodes == 10
            assert item.tested.reached == (item.success,)
            assert (out / item.executor / "executor.json").exists()
    assert read_outcomes(out) == tuple(outcomes)


@pytest.mark.slow
def test_a_right_reward_is_learned_from_and_shows_in_fresh_scenes(
    data: Path, found: tuple[Subject, ...], tmp_path: Path
) -> None:
    longer = replace(QUICK, most_steps=60_000, evaluate_every=4096, rollout=128)
    with Run.open(tmp_path / "run", settings={"verb": "bench novelty"}) as run:
        plan = replace(PLAN, rewards=data, settings=longer, methods=(Method.GUIDED,), seeds=(0,))
        [item], _ = run_novelty(run, found, plan)
    assert item.best >= 0.8
    assert item.success >= 0.7
    assert item.steps_to_enough is None or item.steps_to_enough <= 60_000


def test_called_again_it_trains_nothing_and_says_the_same(
    done: tuple[Path, list[Outcome]], data: Path, found: tuple[Subject, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, before = done
    monkeypatch.setattr("groundplan.bench.novelty.running.train", lambda *_: pytest.fail("trained again"))
    with Run.open(out, settings={"verb": "bench novelty"}) as run:
        assert run_novelty(run, found, replace(PLAN, rewards=data))[0] == before


def test_a_report_has_its_tables_and_figure(done: tuple[Path, list[Outcome]], tmp_path: Path) -> None:
    out, outcomes = done
    made = write_report(outcomes, (), tmp_path)
    assert [table.title for table in made] == ["II. Learning", "II. Sub-goals", "III. Guided against"]
    assert (tmp_path / "curves.png").stat().st_size > 5_000
    assert len(json.loads((tmp_path / "summary.json").read_text())["outcomes"]) == 4
    assert "lamps/touch" in (tmp_path / "tables.md").read_text()
    with pytest.raises(InputError, match="in two of the runs"):
        joined([*outcomes, *read_outcomes(out)])


def test_without_rewards_guided_trainings_are_refused(found: tuple[Subject, ...], tmp_path: Path) -> None:
    with (
        Run.open(tmp_path / "run", settings={"verb": "bench novelty"}) as run,
        pytest.raises(InputError, match="guided trainings want rewards"),
    ):
        run_novelty(run, found, PLAN)


def test_an_operator_behind_one_that_was_not_learned_is_left_out_with_the_reason(
    found: tuple[Subject, ...], tmp_path: Path
) -> None:
    [subject] = found
    behind = replace(subject, before=(*subject.before, replace(subject.before[-1], action="touch")))
    with Run.open(tmp_path / "run", settings={"verb": "bench novelty"}) as run:
        outcomes, left_out = run_novelty(run, [behind], replace(PLAN, methods=(Method.SPARSE,)))
    assert not outcomes
    assert "no scene reaches it" in left_out[0]


@pytest.mark.parametrize(
    ("named", "files", "said"),
    [
        ("gone", {}, "no such folder"),
        ("lamps", {"missing.pddl": TOUCH}, "domain.pddl: wanted"),
        ("lamps", {"domain.pddl": KNOWN, "problem.pddl": PROBLEM}, "no new operators here"),
        ("lamps", {"domain.pddl": KNOWN, "problem.pddl": PROBLEM, "missing.pddl": "nothing"}, "no \\(:action"),
        (
            "lamps",
            {"domain.pddl": KNOWN, "problem.pddl": PROBLEM, "missing.pddl": TOUCH.replace("warm", "hot")},
            "missing.pddl.*hot",
        ),
        (
            "lamps",
            {"domain.pddl": KNOWN, "problem.pddl": PROBLEM, "missing.pddl": TOUCH.replace("(warm ?l)", "(lit ?l)")},
            "has no plan",
        ),
    ],
)
def test_a_folder_that_will_not_do_is_told_by_name(
    tmp_path: Path, named: str, files: dict[str, str], said: str
) -> None:
    (tmp_path / "lamps").mkdir()
    for name, text in files.items():
        (tmp_path / "lamps" / name).write_text(text)
    with pytest.raises(InputError, match=said):
        subjects(f"{named}={WORLD}", tmp_path)


def test_seeds_are_read() -> None:
    assert numbers("0-2,5, 1") == (0, 1, 2, 5)
    for wrong in ("", "a", "3-", "-1", "5-2"):
        with pytest.raises(InputError, match="--seeds"):
            numbers(wrong)


SHARES = st.integers(0, 20).map(lambda hits: hits / 20)
OUTCOMES = st.builds(
    lambda method, seed, success, best: Outcome(
        "lamps",
        "touch",
        method,
        seed,
        ("warm_a",),
        (PhaseOutcome("warm_a", best, best, 100, 200, 50 if best >= 0.9 else None, 90 if best >= 0.9 else None),),
        True,
        "",
        FreshScenes(20, success, success, (success,)),
        ((50, best / 2), (100, best)),
        0.01,
    ),
    st.sampled_from(("guided", "sparse", "machine")),
    st.integers(0, 9),
    SHARES,
    SHARES,
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(OUTCOMES, min_size=1, max_size=25, unique_by=lambda item: (item.method, item.seed)))
def test_tables_hold_what_a_plain_count_finds(outcomes: list[Outcome]) -> None:
    assert [outcome_from_json(json.loads(json.dumps(item.as_json()))) for item in outcomes] == outcomes
    made = {table.title: table for table in tables(outcomes)}
    names = {"guided": "guided (ours)", "sparse": "LEAGUE-sparse", "machine": "Reward Machine"}
    for _, name, seeds, fresh, *_, hits, steps, seconds in made["II. Learning"].rows:
        here = [item for item in outcomes if names[item.method] == name]
        assert int(seeds) == len(here)
        assert float(fresh.split()[0]) == pytest.approx(100 * np.mean([i.success for i in here]), abs=0.051)
        reached = [item for item in here if item.best >= 0.9]
        assert hits == f"{len(reached)}/{len(here)}"
        assert (steps, seconds) == (("90", "1") if reached else ("–", "–"))
    for row in made["III. Guided against"].rows if "III. Guided against" in made else ():
        score = {"fresh": lambda i: i.success, "best": lambda i: i.best}[row[2]]
        of = {
            side: {item.seed: score(item) for item in outcomes if names[item.method] == side}
            for side in ("guided (ours)", row[1])
        }
        shared = sorted(of["guided (ours)"].keys() & of[row[1]].keys())
        ours, theirs = ([of[side][seed] for seed in shared] for side in ("guided (ours)", row[1]))
        wins = sum(a > b for a, b in zip(ours, theirs, strict=True))
        assert row[3].split("/")[0] == str(wins)
        assert row[4] == f"{compare(ours, theirs).sign_p:.4f}"


def test_an_interval_holds_its_mean_and_shrinks_with_more_seeds() -> None:
    rng = np.random.default_rng(3)
    widths = []
    for seeds in (3, 30, 300):
        rows = rng.random((seeds, 4))
        low, high = interval(rows)
        assert (low <= rows.mean(0)).all()
        assert (rows.mean(0) <= high).all()
        widths.append(float((high - low).mean()))
    assert widths == sorted(widths, reverse=True)


def test_a_curve_of_nothing_is_drawn_too(tmp_path: Path) -> None:
    assert curves_plot([], tmp_path / "none.png").exists()


def test_what_is_no_run_of_adapt_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no finished run"):
        read_adapted(tmp_path)
