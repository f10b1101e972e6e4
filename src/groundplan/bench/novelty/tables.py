"""Tables I to III of the novelty-adaptation paper from what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from groundplan.adapt.learn.settings import Method
from groundplan.adapt.learn.statistics import Compared, compare, summary
from groundplan.bench.novelty.adapted import AdaptedRun
from groundplan.bench.novelty.outcome import Outcome
from groundplan.bench.tables.layout import Table, number

NAMES = {"guided": "guided (ours)", "sparse": "LEAGUE-sparse", "machine": "Reward Machine", "discovery": "Discovery"}


def tables(outcomes: Sequence[Outcome], adapted: Sequence[AdaptedRun] = ()) -> tuple[Table, ...]:
    """Table I where there are runs of `groundplan adapt`, Tables II and III where there are trainings."""
    found = [planning(adapted)] if adapted else []
    if outcomes:
        found += [learning(outcomes), sub_goals(outcomes)]
        if len({item.method for item in outcomes}) > 1:
            found.append(against(outcomes))
    return tuple(found)


def planning(runs: Sequence[AdaptedRun]) -> Table:
    """Table I: plans found, and, apart from that, operators right."""
    rows = []
    for name in dict.fromkeys(run.scenario for run in runs):
        here = [run for run in runs if run.scenario == name]
        judged = [run.right for run in here if run.right is not None]
        acted = [run.reached for run in here if run.reached is not None]
        counts = [f"{sum(some)}/{len(some)}" if some else "–" for some in ([r.found for r in here], judged, acted)]
        calls = number(summary([float(run.calls) for run in here]).mean)
        rows.append((name, *counts, calls, number(summary([run.model_s for run in here]).mean)))
    columns = ("Scenario", "plan found", "operators right", "goal reached", "model calls", "model (s)")
    notes = ("Right: each new operator foretells just what the world did when it was executed.",)
    return Table("I. Planning", columns, tuple(rows), notes)


def learning(outcomes: Sequence[Outcome]) -> Table:
    """Table II: success by operator and method, over seeds."""
    rows = []
    for operator, method, here in _groups(outcomes):
        scores = [_mean([getattr(item, name) for item in here]) for name in ("success", "best", "final")]
        drawn = _mean([item.tested.stochastic if item.tested else 0.0 for item in here])
        hits = [item.steps_to_enough for item in here if item.steps_to_enough is not None]
        seconds = [
            item.steps_to_enough * item.cpu_s_per_step
            for item in here
            if item.steps_to_enough is not None and item.cpu_s_per_step is not None
        ]
        ends = [f"{median(values):.0f}" if values else "–" for values in (hits, seconds)]
        rows.append((operator, NAMES[method], str(len(here)), *scores, drawn, f"{len(hits)}/{len(here)}", *ends))
    columns = ("Operator", "Method", "seeds", "fresh", "best", "final", "fresh, drawn", "90 %", "steps", "CPU-s")
    notes = (
        "Success in % over seeds ± standard error. Fresh: the controller in scenes that training never saw, acting by "
        "the mean (drawn: by draws); 0 where no controller came of it. Best: the best evaluation ever seen (the "
        "paper's score). 90 %: seeds that came to 90 %, then the median of control steps (of all candidates) and "
        "CPU-seconds to it.",
    )
    return Table("II. Learning", columns, tuple(rows), notes)


def sub_goals(outcomes: Sequence[Outcome]) -> Table:
    """Each sub-goal of the learned controllers, in fresh scenes."""
    rows = []
    for operator, method, here in _groups(outcomes):
        for place, goal in enumerate(here[0].sub_goals):
            shares = [item.tested.reached[place] if item.tested else 0.0 for item in here]
            phases = [item.phases[place] for item in here if method in _IN_PHASES and place < len(item.phases)]
            best = _mean([phase.best for phase in phases]) if phases else "–"
            steps = [phase.to_enough for phase in phases if phase.to_enough is not None]
            cells = (_mean(shares), best, f"{median(steps):.0f}" if steps else "–")
            rows.append((f"{operator}: {goal}", NAMES[method], *cells))
    notes = (
        "Fresh: the share of episodes in which the sub-goal held together with all before it. Best and steps to 90 % "
        "are of the phase that learns the sub-goal, where the method has phases.",
    )
    return Table("II. Sub-goals", ("Sub-goal", "Method", "fresh", "best", "steps"), tuple(rows), notes)


def against(outcomes: Sequence[Outcome]) -> Table:
    """Table III: the guided agents against each other method over the same seeds, by both tests."""
    rows = []
    methods = [name for name in dict.fromkeys(item.method for item in outcomes) if name != Method.GUIDED]
    operators = list(dict.fromkeys(_operator(item) for item in outcomes))
    for method in methods:
        for operator in [*operators, ""]:
            for score in ("fresh", "best"):
                found = _compared(outcomes, operator, method, score)
                if found is not None:
                    tally = f"{found.wins}/{found.losses}/{found.ties}"
                    head = (operator or "all", NAMES[method], score, tally)
                    rows.append((*head, f"{found.sign_p:.4f}", f"{found.wilcoxon_p:.4f}"))
    notes = (
        "Guided against each method over the same seeds; one-sided p. The paper names Wilcoxon's test; its p-values "
        "are those of the sign test. All: operators and seeds together, which are not independent.",
    )
    columns = ("Operator", "Against", "score", "wins/losses/ties", "sign p", "Wilcoxon p")
    return Table("III. Guided against", columns, tuple(rows), notes)


_IN_PHASES = frozenset(method.value for method in Method if method.in_phases)


def _compared(outcomes: Iterable[Outcome], operator: str, method: str, score: str) -> Compared | None:
    of: dict[str, dict[tuple[str, int], float]] = {Method.GUIDED.value: {}, method: {}}
    for item in outcomes:
        if item.method in of and (not operator or _operator(item) == operator):
            of[item.method][_operator(item), item.seed] = item.success if score == "fresh" else item.best
    ours, theirs = of[Method.GUIDED.value], of[method]
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        return None
    return compare([ours[key] for key in shared], [theirs[key] for key in shared])


def _groups(outcomes: Sequence[Outcome]) -> list[tuple[str, str, list[Outcome]]]:
    keys = dict.fromkeys((_operator(item), item.method) for item in outcomes)
    order = sorted(keys, key=lambda key: [name for name, _ in keys].index(key[0]))
    return [
        (operator, method, [item for item in outcomes if (_operator(item), item.method) == (operator, method)])
        for operator, method in order
    ]


def _operator(item: Outcome) -> str:
    return f"{item.scenario}/{item.operator}"


def _mean(values: Sequence[float]) -> str:
    found = summary(values)
    return f"{100 * found.mean:.1f}" + ("" if found.n < 2 else f" ± {100 * found.error:.1f}")
