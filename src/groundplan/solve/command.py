"""Command lines with places for files, and the fresh folder that each run of one gets."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from groundplan.errors import InputError
from groundplan.pddl.ast import Task
from groundplan.pddl.diagnostics import did_you_mean, listing
from groundplan.pddl.write import write_domain, write_problem

PLAN_FILE = "sas_plan"
"""The plan's name in the folder: what planners of Fast Downward's family write without being asked."""

_PLAN_NAME = re.compile(rf"{PLAN_FILE}(?:\.(\d+))?")
_PLACE = re.compile(r"\{(\w+)\}")


class Command:
    """A program with arguments, some of which are places: `planner --out {plan} {domain} {problem}`.

    A text is split as a shell would, but no shell runs. Raises InputError for an empty command, for unknown places
    and for missing ones.
    """

    def __init__(self, command: str | Sequence[str], places: Sequence[str], needed: Sequence[str]) -> None:
        self.words = tuple(shlex.split(command) if isinstance(command, str) else command)
        if not self.words:
            raise InputError("the command is empty")
        used = dict.fromkeys(name for word in self.words for name in _PLACE.findall(word))
        for name in used:
            if name not in places:
                hint = did_you_mean(name, places) or f"known are {listing(places)}"
                raise InputError(f"the command `{self}` has an unknown place `{{{name}}}`: {hint}")
        missing = [f"{{{name}}}" for name in needed if name not in used]
        if missing:
            raise InputError(f"the command `{self}` has no place for {listing(missing)}")

    def __str__(self) -> str:
        return shlex.join(self.words).replace("'{", "{").replace("}'", "}")

    @property
    def name(self) -> str:
        return Path(self.words[0]).name

    def filled(self, files: Mapping[str, Path]) -> list[str] | None:
        """The command with its files; None when there is no such program."""
        program = shutil.which(self.words[0])
        if program is None:
            return None
        arguments = [_PLACE.sub(lambda match: str(files[match[1]]), word) for word in self.words[1:]]
        return [str(Path(program).absolute()), *arguments]


@contextlib.contextmanager
def fresh_folder() -> Iterator[Path]:
    """An empty folder that is removed afterwards, with all that was left in it."""
    folder = Path(tempfile.mkdtemp(prefix="groundplan-run-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_task(task: Task, folder: Path) -> dict[str, Path]:
    """Write `domain.pddl` and `problem.pddl`, in canonical form."""
    files = {"domain": folder / "domain.pddl", "problem": folder / "problem.pddl"}
    files["domain"].write_text(write_domain(task.domain), "utf-8")
    files["problem"].write_text(write_problem(task.problem), "utf-8")
    return files


def plan_files(folder: Path) -> list[Path]:
    """The plans that were left (`sas_plan`, `sas_plan.1`, `sas_plan.2`, ...), the last, which is the best, first."""
    names = [(match, path) for path in folder.iterdir() if (match := _PLAN_NAME.fullmatch(path.name))]
    ordered = sorted(names, key=lambda item: int(item[0][1] or 0), reverse=True)
    return [path for _, path in ordered if path.is_file()]
