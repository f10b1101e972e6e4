"""The verbs of the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from groundplan import __version__
from groundplan.cli.exits import Exit
from groundplan.cli.output import note, report_error, say
from groundplan.errors import GroundplanError

EPILOG = (
    "Exit codes: 0 yes; 1 no (not ok, invalid, unsolvable, not found); 2 the input or command line is wrong; "
    "3 an engine or model failed."
)


def build() -> typer.Typer:
    """The whole command line."""
    from groundplan.cli import (
        adapt,
        adapt_check,
        bench,
        check,
        compare,
        costume,
        demo,
        export,
        formalize,
        generalize,
        resume,
        run_program,
        solve,
        train,
        validate,
    )

    app = typer.Typer(
        name="groundplan",
        help="A language model proposes, a symbolic oracle disposes: plain language to PDDL to proved plans.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        epilog=EPILOG,
    )
    app.callback()(_root)
    for verb in (
        check,
        solve,
        validate,
        compare,
        costume,
        formalize,
        generalize,
        run_program,
        adapt,
        adapt_check,
        train,
        export,
        resume,
        demo,
        bench,
    ):
        verb.add_to(app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        say(f"groundplan {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """The options before the verb."""


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors raised on purpose become messages."""
    try:
        result = build()(arguments, standalone_mode=False)
    except GroundplanError as error:
        return report_error(error, "--json" in arguments)
    except typer.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, typer.Abort):
        note("groundplan: interrupted; what was done so far is kept")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.YES
    except Exception as error:  # noqa: BLE001 - usage errors of the command-line library, whose class is not public
        return _usage_error(error)
    return result if isinstance(result, int) else Exit.YES


def _usage_error(error: Exception) -> int:
    show = getattr(error, "show", None)
    if show is None:
        raise error
    show()
    return Exit.INPUT
