"""How long `import groundplan` and the command line's start take, each in fresh processes, beside a bare Python.

python benchmarks/import_time.py [--runs 15]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

CASES = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import groundplan": [sys.executable, "-c", "import groundplan"],
    "import groundplan.pddl": [sys.executable, "-c", "import groundplan.pddl"],
    "groundplan --version": [sys.executable, "-m", "groundplan", "--version"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    seconds: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(runs + 1):  # in turn, so that a drift of the machine's speed hits all alike
        for name, command in CASES.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            seconds[name].append(time.perf_counter() - start)
    bare = statistics.median(seconds["python -c pass"][1:])
    for name, times in seconds.items():
        median = statistics.median(times[1:])
        print(f"{name:<24} {median * 1000:7.1f} ms   {(median - bare) * 1000:7.1f} ms above bare Python")


if __name__ == "__main__":
    main()
