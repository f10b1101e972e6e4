"""Learning curves of the roles: full, solver-only and without the Judge, from one warm start, with real Fast Downward.

    python benchmarks/role_curves.py WARM_START --out RUNS [--ablations full solver-only actor-editor] [--seeds 0]
        [--cycles 4] [--updates 5] [--held-out 48] [--print-only]

WARM_START is a policy that a run of `groundplan train` left (`RUN/warm-start`). Each ablation and seed is a training
run of its own in RUNS/ABLATION-SEED; stop and start the command as you like, it goes on from the last checkpoint.
`full+agreement` and `full+coverage` are the whole method with a reward that needs no reference, `full+both` with both.

Prints solver success, faithful success and drift by cycle on the same held-out tasks, greedily decoded.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from groundplan.bench.rate import Rate
from groundplan.cli.train import run_training
from groundplan.runs.log import read_events
from groundplan.train.checkpoint import read_head
from groundplan.train.settings import ABLATIONS, settings_from

EXTRAS: dict[str, dict[str, float]] = {
    "full": {},
    "full+agreement": {"agreement": 1.0},
    "full+coverage": {"coverage": 1.0},
    "full+both": {"agreement": 1.0, "coverage": 1.0},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warm_start", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--ablations", nargs="+", default=["full", "solver-only", "actor-editor"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--cycles", type=int, default=4)
    parser.add_argument("--updates", type=int, default=5)
    parser.add_argument("--held-out", type=int, default=48)
    parser.add_argument("--learning-rate", type=float, default=5e-5)
    parser.add_argument("--size", type=int, nargs=2, default=(2, 5), help="least and most blocks or balls of a task")
    parser.add_argument("--batch", type=int, default=16, help="episodes of an update")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--print-only", action="store_true", help="train nothing; print what is there")
    given = parser.parse_args()
    unknown = [name for name in given.ablations if name not in ABLATIONS and name not in EXTRAS]
    if unknown:
        parser.error(f"there is no ablation {unknown[0]}; there are {', '.join(dict.fromkeys([*ABLATIONS, *EXTRAS]))}")
    names = [(ablation, seed) for seed in given.seeds for ablation in given.ablations]
    for ablation, seed in [] if given.print_only else names:
        run_training(_settings(given, ablation, seed), given.out / f"{ablation}-{seed}")
    print(f"{'ablation':14}{'seed':>5}{'cycle':>7}{'solved':>8}{'faithful (95 %)':>24}{'drift':>7}{'calls':>7}")
    for ablation, seed in names:
        _print_curve(given.out / f"{ablation}-{seed}", ablation, seed)


def _settings(given: argparse.Namespace, ablation: str, seed: int) -> dict[str, Any]:
    head = read_head(given.warm_start)
    settings = settings_from(
        "cpu",
        ablation.partition("+")[0],
        **({"rewards": EXTRAS[ablation]} if "+" in ablation else {}),
        model=head["backbone"],
        policy=head["policy"],
        start_from=str(given.warm_start.resolve()),
        seed=seed,
        threads=given.threads,
        warm_start={"steps": 0},
        tasks={"domains": ["blocksworld", "gripper"], "size": list(given.size), "held_out": given.held_out},
        optimizer={"learning_rate": given.learning_rate, "minibatch": 2, "kl": 0.05},
        decoding={"max_tokens": 224},
        batch=given.batch,
        cycles=given.cycles,
        updates=given.updates,
    )
    return settings.model_dump(mode="json")


def _print_curve(folder: Path, ablation: str, seed: int) -> None:
    if not (folder / "events.jsonl").exists():
        print(f"{ablation:14}{seed:5}      - nothing there yet")
        return
    for event in read_events(folder / "events.jsonl"):
        if event.kind != "evaluation":
            continue
        figures = event.payload["figures"]
        faithful = Rate(round(figures["faithful"] * figures["n"]), figures["n"])
        low, high = faithful.wilson()
        share = f"{figures['faithful']:.2f} ({low:.2f} to {high:.2f})"
        drift = "-" if figures["drift"] is None else f"{figures['drift']:.2f}"
        cycle = event.payload["name"].rpartition("-")[2]
        print(f"{ablation:14}{seed:5}{cycle:>7}{figures['solved']:8.2f}{share:>24}{drift:>7}{figures['calls']:7.2f}")


if __name__ == "__main__":
    main()
