"""A program for a process of its own: does Fast Downward's translator take a task?

Fast Downward is GPL-3.0 and never imported by the library or its tests; this program talks to them in lines of JSON:
`[domain, problem]` in, `""` (taken) or the reason of the refusal out.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import traceback


def main() -> None:
    from fast_downward.translate import normalize, options
    from fast_downward.translate.pddl_parser import lisp_parser, parse_error, parsing_functions

    options.set_options(["domain.pddl", "problem.pddl"])
    for line in sys.stdin:
        domain, problem = json.loads(line)
        answer = ""
        try:
            with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
                trees = [lisp_parser.parse_nested_list(text.splitlines()) for text in (domain, problem)]
                normalize.normalize(parsing_functions.parse_task(*trees))
        except parse_error.ParseError as error:
            answer = f"refused: {error}"
        except SystemExit:
            answer = f"refused: {said.getvalue()[-300:]}"
        except Exception:  # noqa: BLE001 - the translator's own faults are answers too
            answer = f"crashed: {traceback.format_exc(limit=-2)}"
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
