"""The command line: one file a verb. `main` turns what groundplan raises into messages and exit codes."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. Exit codes: 0 yes, 1 no, 2 wrong input, 3 an engine or model failed (see exits.py)."""
    from groundplan.cli.app import run

    sys.exit(run(sys.argv[1:]))
