"""Any planner or validator that can be started from a command line.

Each call runs in a fresh folder, so nothing that an earlier run left can be taken for an answer, and nothing that the
program started is left running. What a program does not say it has not said: a crash, silence or half an answer is
never a verdict.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from groundplan.errors import InputError
from groundplan.pddl.ast import Plan, Task
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.plan import read_plan, write_plan
from groundplan.pddl.source import decode
from groundplan.pddl.validate import validate_plan
from groundplan.solve.command import PLAN_FILE, Command, fresh_folder, plan_files, write_task
from groundplan.solve.exit_codes import Ending, ending_of
from groundplan.solve.outcome import DEFAULT_LIMITS, Fault, Limit, Limits, Outcome, Status
from groundplan.solve.process import Finished, run_program


class ExternalPlanner:
    """A planner program behind the Engine protocol.

    `command` has the places {domain}, {problem} and, where it takes one, {plan}; without {plan} the program is
    expected to write `sas_plan` into its working folder. Several plans may be numbered behind a dot, the last being
    the best. `ending` says what an exit code means; Fast Downward's table is the default, other planners have taken
    it over. `limit_memory=False` is for programs that reserve much address space without using it (Java).

    Raises InputError when the command has a wrong place, or lacks one.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        name: str = "",
        ending: Callable[[int], Ending] = ending_of,
        limit_memory: bool = True,
    ) -> None:
        self._command = Command(command, ("domain", "problem", "plan"), ("domain", "problem"))
        self._name = name or self._command.name
        self._ending = ending
        self._limit_memory = limit_memory

    @property
    def name(self) -> str:
        return self._name

    @property
    def fingerprint(self) -> str:
        return f"{self.name}|{self._command}"

    def solve(self, task: Task, limits: Limits = DEFAULT_LIMITS) -> Outcome:
        try:
            refuse_beyond_classical(task)
        except InputError as error:
            return self._failed(Fault.UNSUPPORTED, str(error))
        with fresh_folder() as folder:
            run = _run(self._command, task, folder, limits, limit_memory=self._limit_memory)
            if isinstance(run, str):
                return self._failed(Fault.MISSING, run)
            ending = self._ending(run.code)
            if run.timed_out:
                ending = Ending(Status.NOT_FOUND, f"no plan within {limits.wall_s:g} s", limit=Limit.WALL)
            outcome = self._judged(task, run, ending, plan_files(folder))
        measure = "total-cost" if task.minimizes_cost else "steps"
        return replace(outcome, seconds=run.seconds, measure=measure, log=run.output)

    def close(self) -> None:
        """Nothing is held between calls."""

    def _judged(self, task: Task, run: Finished, ending: Ending, files: list[Path]) -> Outcome:
        """The plan files decide, then the exit code."""
        complaint, bad_plan = "", None
        for path in files:
            plan, against = _read(task, path)
            if plan is not None and not against:
                return self._solved(task, plan, ending)
            if not complaint:
                complaint, bad_plan = against, plan
        words = f"{self.name}: {ending.words}"
        if not files and ending.status is Status.SOLVED:
            return self._failed(Fault.CRASH, f"{words}, but it left none")
        if files and run.code == -signal.SIGKILL and not run.timed_out:
            return self._failed(Fault.CRASH, f"{words}, while it wrote a plan: {complaint}")
        if files and ending.status is Status.UNSOLVABLE:
            return self._failed(Fault.CRASH, f"{words}, yet it left a plan: {complaint}")
        if files and ending.status is Status.SOLVED:
            if bad_plan is None:
                return self._failed(Fault.CRASH, f"{words}, which cannot be read: {complaint}")
            reason = f"{words}; our simulator says that it is not valid: {complaint}"
            return replace(self._failed(Fault.BAD_PLAN, reason), plan=bad_plan)
        if ending.status is Status.FAILED and run.output.strip():
            words += f": {' / '.join(run.output.strip().splitlines()[-8:])[-600:]}"
        return Outcome(ending.status, self.name, reason=words, limit=ending.limit, fault=ending.fault)

    def _solved(self, task: Task, plan: Plan, ending: Ending) -> Outcome:
        reason = f"found by {self.name}; our simulator agrees that it is valid"
        if ending.status is not Status.SOLVED:
            reason += f"; its exit code says: {ending.words}"
        cost = validate_plan(task, plan).cost
        return Outcome(Status.SOLVED, self.name, plan=plan, cost=cost, optimal=not plan, reason=reason)

    def _failed(self, fault: Fault, reason: str) -> Outcome:
        return Outcome(Status.FAILED, self.name, reason=reason, fault=fault)


class Judgement(StrEnum):
    """What an external validator said of a plan."""

    VALID = "valid"
    INVALID = "invalid"
    NOT_JUDGED = "not judged"
    """It crashed, said nothing that we know, contradicted itself, or ran out of time: nothing is known."""


@dataclass(frozen=True, slots=True)
class ExternalVerdict:
    judgement: Judgement
    reason: str
    output: str = ""
    seconds: float = 0.0


class ExternalValidator:
    """A validator program, judged by what it prints; an exit code alone says nothing.

    `command` has the places {domain}, {problem} and {plan}. The patterns are searched for in the output; those of
    VAL are the default. A plan is VALID when only `valid` matches and the program ended with exit code 0, INVALID
    when only `invalid` matches and no signal ended it, and NOT_JUDGED otherwise, in particular when `unreadable`
    matches.

    Raises InputError when the command has a wrong place, or lacks one.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        name: str = "",
        valid: str = r"(?mi)^\s*plan valid\b",
        invalid: str = r"(?mi)^\s*(?:plan invalid|plan failed to execute|goal not satisfied)\b",
        unreadable: str = r"(?i)bad plan (?:description|file)|bad operator in plan",
    ) -> None:
        places = ("domain", "problem", "plan")
        self._command = Command(command, places, places)
        self.name = name or self._command.name
        self._valid, self._invalid, self._unreadable = map(re.compile, (valid, invalid, unreadable))

    def judge(self, task: Task, plan: Plan, limits: Limits = DEFAULT_LIMITS) -> ExternalVerdict:
        with fresh_folder() as folder:
            (folder / PLAN_FILE).write_text(write_plan(plan), "utf-8")
            run = _run(self._command, task, folder, limits)
        if isinstance(run, str):
            return ExternalVerdict(Judgement.NOT_JUDGED, run)
        judgement, reason = self._judgement(run, limits)
        return ExternalVerdict(judgement, f"{self.name}: {reason}", run.output, run.seconds)

    def _judgement(self, run: Finished, limits: Limits) -> tuple[Judgement, str]:
        if run.timed_out:
            return Judgement.NOT_JUDGED, f"no answer within {limits.wall_s:g} s"
        if run.code < 0:
            return Judgement.NOT_JUDGED, ending_of(run.code).words
        if not run.output.strip():
            return Judgement.NOT_JUDGED, f"it printed nothing (exit code {run.code})"
        if match := self._unreadable.search(run.output):
            return Judgement.NOT_JUDGED, f"it could not read the plan: {_line(match)}"
        valid, invalid = self._valid.search(run.output), self._invalid.search(run.output)
        if valid and invalid:
            return Judgement.NOT_JUDGED, f"it contradicts itself: {_line(valid)} / {_line(invalid)}"
        if invalid:
            return Judgement.INVALID, _line(invalid)
        if valid and run.code == 0:
            return Judgement.VALID, _line(valid)
        if valid:
            return Judgement.NOT_JUDGED, f"it contradicts itself: {_line(valid)}, exit code {run.code}"
        return Judgement.NOT_JUDGED, f"nothing that it printed is a verdict: {run.output.strip()[-200:]}"


def _run(command: Command, task: Task, folder: Path, limits: Limits, *, limit_memory: bool = True) -> Finished | str:
    """Run a program on a task; a sentence where it cannot be started."""
    filled = command.filled({**write_task(task, folder), "plan": folder / PLAN_FILE})
    if filled is None:
        return f"there is no program `{command.words[0]}`"
    try:
        return run_program(filled, folder, limits, limit_memory=limit_memory)
    except OSError as error:
        return f"`{command.words[0]}` cannot be started: {error}"


def _read(task: Task, path: Path) -> tuple[Plan | None, str]:
    """The plan of a file (None when it cannot be read), and what speaks against it (empty: it is valid)."""
    try:
        text = read_plan(decode(path.read_bytes(), path.name))
    except (InputError, OSError) as error:
        return None, str(error)
    if not text.is_readable:
        return None, next(found.message for found in text.diagnostics if found.is_error)
    try:
        verdict = validate_plan(task, text.steps)
    except InputError as error:
        return None, str(error)
    return text.steps, "" if verdict.is_valid else "; ".join(verdict.reasons)


def _line(match: re.Match[str]) -> str:
    """The line in which a pattern was found."""
    start = match.string.rfind("\n", 0, match.end()) + 1
    return match.string[start:].split("\n", 1)[0].strip()
