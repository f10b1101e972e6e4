"""How the worst local hacking gain grows with the number of parameters (Theorem 3.1), by simulation.

    python benchmarks/hacking_scaling.py [--head N] [--rank R] [--sigma S] [--draws N] [--seed N] [--sizes N ...]

Separate: all parameters are the Actor's. Shared: only its head is free of the Judge and the Editor. Neutral: these two
see R of the backbone's directions (a share with a point, as 0.9, or a number, as 64). Seeded: two runs print the same.
"""

from __future__ import annotations

import argparse
import time

from groundplan.train.theory.hacking import Arm, simulate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--head", type=int, default=64)
    parser.add_argument("--rank", type=lambda text: float(text) if "." in text else int(text), default=0.9)
    parser.add_argument("--sigma", type=float, default=1.0)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2**power for power in range(8, 19, 2)])
    given = parser.parse_args()
    begun = time.perf_counter()
    found = simulate(given.sizes, given.head, given.rank, given.sigma, given.draws, given.seed)
    print(f"head {given.head}, rank {given.rank}, sigma {given.sigma:g}, {given.draws} draws, seed {given.seed}\n")
    print("| arm | parameters | dimension | mean gain | error | exact | (mean - exact) / error |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for arm in Arm:
        for row in (row for row in found.rows if row.arm is arm):
            away = (row.gain - row.predicted) / row.error
            print(
                f"| {arm} | {row.parameters} | {row.dimension} | {row.gain:.3f} | {row.error:.3f} "
                f"| {row.predicted:.3f} | {away:+.2f} |"
            )
    print("\n| arm | exponent of the gain in the number of parameters |\n|---|--:|")
    for arm, slope in found.exponents.items():
        print(f"| {arm} | {slope:+.4f} |")
    print(f"\n{time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
