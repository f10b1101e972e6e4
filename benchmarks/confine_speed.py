"""What a confined run of a trivial program costs: python benchmarks/confine_speed.py [--runs N]

Prints the median and the 95th percentile, in milliseconds of wall time, of every confinement that works on this machine
and of a bare `python -I -S -c pass`, all in turn in one session, and the ratio of the medians.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from groundplan.confine.opening import CannotConfine, open_confinement
from groundplan.confine.protocol import Confinement

PROGRAM = """
def get_plan(objects, init, goal):
    return [f"(move {name})" for name, kind in sorted(objects)]
"""
TASK: tuple[set[tuple[str, ...]], ...] = (
    {(f"b{n}", "block") for n in range(10)},
    {("on", f"b{n}", f"b{n + 1}") for n in range(9)},
    {("clear", "b9")},
)


def bare() -> None:
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)


def confined(confinement: Confinement) -> None:
    ran = confinement.run(PROGRAM, "get_plan", TASK)
    if not ran.returned:
        raise SystemExit(f"{confinement.name}: {ran}")


def milliseconds(way: Callable[[], None]) -> float:
    started = time.perf_counter()
    way()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    opened = []
    for kind in ("fork-server", "bubblewrap"):
        try:
            opened.append(open_confinement(kind))
        except CannotConfine as error:
            print(f"{kind}: left out ({error})")
    ways: dict[str, Callable[[], None]] = {"bare python -I -S": bare}
    ways |= {item.name: lambda item=item: confined(item) for item in opened}  # type: ignore[misc]
    for way in ways.values():
        way()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            times[name].append(milliseconds(way))
    base = statistics.median(times["bare python -I -S"])
    for name, found in times.items():
        middle, high = statistics.median(found), statistics.quantiles(found, n=20)[-1]
        print(f"{name:20} median {middle:6.2f} ms   p95 {high:6.2f} ms   ratio to bare {middle / base:5.2f}")
    print(f"with bubblewrap: {'yes' if shutil.which('bwrap') else 'not installed'}; {runs} runs of each")
    for item in opened:
        item.close()


if __name__ == "__main__":
    main()
