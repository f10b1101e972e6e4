"""Fast Downward as an engine: a warm worker process that translates, and the search program called directly."""

from __future__ import annotations

import contextlib
import json
import math
import re
import threading
import time
import weakref
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from groundplan.errors import InputError
from groundplan.pddl.ast import Plan, Step, Task
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.validate import validate_plan
from groundplan.pddl.write import write_domain, write_problem
from groundplan.solve.command import plan_files
from groundplan.solve.compile import COST, CannotCompile, Compiled, compile_task
from groundplan.solve.exit_codes import Ending, ending_of
from groundplan.solve.fd_home import FastDownwardHome, Installed, find_fast_downward, installed_versions
from groundplan.solve.outcome import DEFAULT_LIMITS, Fault, Limit, Limits, Outcome, Status
from groundplan.solve.process import LineWorker, OutOfWallTime, WorkerDied

SEARCHES = {
    "lazy-ff": "let(hff,ff(),lazy_greedy([hff],preferred=[hff]))",
    "lama-first": (
        "let(hlm,eval_modify_costs(landmark_sum(lm_factory=lm_reasonable_orders_hps(lm_rhw()),pref=false),cost_type=one),"
        "let(hff,eval_modify_costs(ff(),cost_type=one),"
        "lazy_greedy([hff,hlm],preferred=[hff,hlm],cost_type=one,reopen_closed=false)))"
    ),
}
"""Searches by name: greedy with FF's heuristic, and the first iteration of LAMA, which the papers use."""

_OPTIMAL, _OPTIMAL_ADL = "astar(lmcut())", "astar(blind())"
_INSTALL = "pip install up-fast-downward fast-downward-translate"
_CLOSE_S = 5.0
_GRACE_S = 0.5
_PLAN_END = re.compile(r"; cost = (\d+) \((?:unit|general) cost\)\n?\Z")


class FastDownwardEngine:
    """Fast Downward behind the Engine protocol.

    `search` is a name in SEARCHES or a search string of Fast Downward's own; `optimal` asks for A* with LM-cut (blind
    A* where the translated task has conditional effects or axioms) instead. The worker starts with the first task,
    or with `start`, and stays until `close`; one engine solves one task at a time. `downward` is the search program,
    in place of the installed one.

    Raises InputError when `search` and `optimal` contradict each other.
    """

    def __init__(self, search: str = "lazy-ff", *, optimal: bool = False, downward: str | Path | None = None) -> None:
        if optimal and search != "lazy-ff":
            raise InputError("give either a search or optimal=True, not both")
        if not search.strip():
            raise InputError(f"an empty search; known names are {', '.join(SEARCHES)}")
        self._optimal = optimal
        self._search = _OPTIMAL if optimal else SEARCHES.get(search, search)
        self._search_adl = _OPTIMAL_ADL if optimal else self._search
        # With axioms, FF's dead ends are no proof and a search that runs dry is incomplete: a blind one settles it.
        self._settle = _OPTIMAL_ADL if search in SEARCHES else ""
        self._label = "A*, optimal" if optimal else search if search in SEARCHES else "own search"
        self._downward = None if downward is None else Path(downward)
        self._installed: Installed | None = None
        self._busy = threading.Lock()
        self._home = FastDownwardHome()
        weakref.finalize(self, self._home.close)

    @property
    def name(self) -> str:
        return "fast-downward"

    @property
    def fingerprint(self) -> str:
        """Name, version and options: outcomes of engines with equal fingerprints may stand for each other."""
        installed = installed_versions()
        program = str(self._downward or "")
        return "|".join((self.name, installed, program, self._search, self._search_adl, self._settle))

    def start(self) -> None:
        """Start the worker now, so that the first task does not wait for it. What fails here, `solve` reports."""
        installed = self._find()
        if installed is not None:
            with self._busy, contextlib.suppress(WorkerDied, OutOfWallTime, OSError):
                self._home.worker(installed)

    def solve(self, task: Task, limits: Limits = DEFAULT_LIMITS) -> Outcome:
        started = time.monotonic()
        outcome = self._solve(task, limits)
        measure = "total-cost" if task.minimizes_cost else "steps"
        return replace(outcome, measure=measure, seconds=time.monotonic() - started)

    def close(self) -> None:
        """End the worker; a task that it is at ends as FAILED. A later task starts a new worker."""
        deadline = time.monotonic() + _CLOSE_S
        while time.monotonic() < deadline:
            self._home.kill()  # again and again: a thread may just now have started a worker for its task
            if self._busy.acquire(timeout=0.05):
                try:
                    self._home.close()
                finally:
                    self._busy.release()
                return

    def _find(self) -> Installed | None:
        if self._installed is None:
            self._installed = find_fast_downward(self._downward)
        return self._installed

    def _solve(self, task: Task, limits: Limits) -> Outcome:
        try:
            refuse_beyond_classical(task)
            compiled = compile_task(task)
        except (InputError, CannotCompile) as error:
            return self._failed(Fault.UNSUPPORTED, f"Fast Downward cannot take this task: {error}")
        installed = self._find()
        if installed is None:
            return self._failed(Fault.MISSING, f"Fast Downward is not installed: {_INSTALL}")
        request = {
            "domain": write_domain(compiled.task.domain),
            "problem": write_problem(compiled.task.problem),
            "search": self._search,
            "search_adl": self._search_adl,
            "settle": self._settle,
            "wall_s": limits.wall_s,
            "cpu_s": limits.cpu_s,
            "memory_mib": limits.memory_mib,
        }
        with self._busy:
            try:
                worker, root = self._home.worker(installed)
            except (WorkerDied, OutOfWallTime, OSError) as error:
                return self._failed(Fault.CRASH, f"the Fast Downward worker does not start: {error}", self._home.log())
            try:
                with self._home.task_directory(root) as directory:
                    answer = self._ask(worker, {**request, "work_dir": str(directory)}, limits)
                    return self._conclude(task, compiled, answer, directory)
            except OSError as error:  # disk full, or `close` took the folder away
                return self._failed(Fault.CRASH, f"the folder of the Fast Downward worker cannot be used: {error}")

    def _ask(self, worker: LineWorker, request: dict[str, Any], limits: Limits) -> _Answer:
        try:
            # The worker keeps to the wall limit itself; only where it cannot, it is killed a little later.
            reply = json.loads(worker.ask(json.dumps(request).encode(), limits.wall_s + _GRACE_S))
            code, log, timed_out = int(reply["code"]), str(reply["log"]), bool(reply.get("timed_out"))
        except OutOfWallTime:
            return _Answer(_out_of_wall_time(limits), "")
        except WorkerDied as death:
            words = f"its worker died without an answer ({ending_of(death.code).words})"
            return _Answer(Ending(Status.FAILED, words, fault=Fault.CRASH), self._home.log(), died=True)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            worker.kill()
            words = f"its worker answered with something that is no answer ({error})"
            return _Answer(Ending(Status.FAILED, words, fault=Fault.CRASH), self._home.log())
        except BaseException:  # Ctrl-C in the midst of it: nothing may stay behind
            worker.kill()
            raise
        if reply.get("retire"):
            worker.kill()  # it holds too much memory; the next task gets a fresh one
        if timed_out:
            return _Answer(_out_of_wall_time(limits), log)
        ending = ending_of(code)
        if code < 0 and reply.get("cpu_s", 0.0) >= limits.cpu_s:
            ending = ending_of(23)
        if code == 10:
            ending = replace(ending, words=f"proved while translating: {log[:1].lower()}{log[1:]}")
        return _Answer(ending, log, died=code < 0, clean=code == 0)

    def _conclude(self, task: Task, compiled: Compiled, answer: _Answer, directory: Path) -> Outcome:
        """The plan files decide, then the exit code."""
        ending, plans = answer.ending, _read_plans(directory)
        if plans:
            return self._judged(task, compiled, answer, *plans[0])
        if ending.status is Status.SOLVED:
            return self._failed(Fault.CRASH, "Fast Downward claims a plan but left none that is complete", answer.log)
        if answer.died and any(directory.iterdir()):
            reason = f"Fast Downward was stopped while writing a plan ({ending.words}); half a plan is none"
            return self._failed(Fault.CRASH, reason, answer.log)
        reason = f"Fast Downward ({self._label}): {ending.words}"
        if ending.status is Status.FAILED and answer.log.strip():
            reason += f": {_essence(answer.log)}"
        return Outcome(ending.status, self.name, reason=reason, limit=ending.limit, fault=ending.fault, log=answer.log)

    def _judged(self, task: Task, compiled: Compiled, answer: _Answer, plan: Plan, claimed: int) -> Outcome:
        plan = compiled.restore(plan)
        try:
            verdict = validate_plan(task, plan)
        except InputError as error:
            reason = f"Fast Downward found a plan that our simulator cannot judge: {error}"
            return self._failed(Fault.UNSUPPORTED, reason, answer.log)
        if not verdict.is_valid:
            against = "; ".join(str(reason) for reason in verdict.reasons)
            reason = f"Fast Downward says that its plan of {len(plan)} steps is valid, our simulator says no: {against}"
            return replace(self._failed(Fault.BAD_PLAN, reason, answer.log), plan=plan)
        reason = f"found by Fast Downward ({self._label}); our simulator agrees that it is valid"
        cost = verdict.cost if verdict.cost is not None else float(len(plan))
        agreed = math.isclose(_initial_cost(task) + claimed / compiled.scale, cost)
        if not agreed:
            reason += f"; it claims cost {claimed / compiled.scale:g}, our simulator counts {cost:g}"
        if not answer.clean:
            reason += f"; afterwards: {answer.ending.words}"
        return Outcome(
            Status.SOLVED,
            self.name,
            plan=plan,
            cost=cost,
            optimal=not plan or (self._optimal and agreed and answer.clean),
            reason=reason,
            log=answer.log,
        )

    def _failed(self, fault: Fault, reason: str, log: str = "") -> Outcome:
        return Outcome(Status.FAILED, self.name, reason=reason, fault=fault, log=log)


def _out_of_wall_time(limits: Limits) -> Ending:
    return Ending(Status.NOT_FOUND, f"no plan within {limits.wall_s:g} s", limit=Limit.WALL)


def _initial_cost(task: Task) -> float:
    """The value that total-cost starts with, which Fast Downward leaves out of account."""
    values = task.problem.values if task.minimizes_cost else ()
    return next((item.value for item in values if item.function.name == COST), 0.0)


@dataclass(frozen=True, slots=True)
class _Answer:
    """How the worker's run ended; `died` when somebody killed it, `clean` when the search ended by itself."""

    ending: Ending
    log: str
    died: bool = False
    clean: bool = False


# --- what it left ---------------------------------------------------------------------------------------------------


def _read_plans(directory: Path) -> list[tuple[Plan, int]]:
    """The complete plans with the costs they claim, the latest (best) first. Half-written files count for nothing."""
    plans = []
    for path in plan_files(directory):
        text = path.read_text("utf-8", "replace")
        end = _PLAN_END.search(text)
        if end is not None:
            words = [line.strip("()").split() for line in text[: end.start()].splitlines()]
            plans.append((tuple(Step(name, tuple(args)) for name, *args in words), int(end[1])))
    return plans


def _essence(log: str) -> str:
    """The end of a log on one line, for a reason."""
    return " / ".join(line.strip() for line in log.strip().splitlines()[-8:] if line.strip())[-600:]
