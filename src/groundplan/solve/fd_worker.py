"""The Fast Downward worker: a program of its own, not a part of the groundplan library.

Licence: this program imports Fast Downward's translator (`fast_downward.translate`) and starts Fast Downward's
search program `downward`; both are GPL-3.0. Whoever passes this program on together with them does so under the
GPL-3.0. It imports nothing of groundplan, and groundplan never imports the translator: the two run as separate
processes and exchange lines of JSON over pipes.

    python fd_worker.py WORK_ROOT PARENT_PID DOWNWARD PACKAGES

WORK_ROOT is removed when the parent dies; PACKAGES is the folder that holds the package `fast_downward`.

Standard input has one request a line: the PDDL texts `domain` and `problem`; `search` for `downward --search`, with
`search_adl` in its place where the translated task has axioms or conditional effects, and `settle`, a complete search
to run after an incomplete one gave up (may be empty); `wall_s`, `cpu_s`, `memory_mib`; `work_dir`.

Standard output has one reply a line: `code` (Fast Downward's exit codes; 10 = the translator proved the task
unsolvable; negative = killed by that signal), `timed_out` (by the wall clock), `stage`, `log` (its end), `translate_s`
and `search_s` (wall seconds), `cpu_s`, `peak_kib`, `retire` (this worker is spent). Plans are left in `work_dir` as
`sas_plan`, or `sas_plan.1`, `sas_plan.2`, ...

The translator is imported once, so a task costs neither a Python start nor an import. It keeps three things between
tasks (its options, two counters, the set of warnings printed so far); the first never change, the others are reset.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import io
import json
import os
import queue
import resource
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple, TextIO

SUCCESS, UNSOLVABLE, INCOMPLETE = 0, 10, 12
TRANSLATE_OUT_OF_MEMORY, TRANSLATE_OUT_OF_TIME, TRANSLATE_CRASH, INPUT_ERROR = 20, 21, 30, 31
LOG_CHARS = 8000
SEARCH_FLOOR = 16 << 20
"""Bytes of address space without which the search program cannot even start."""
HEADROOM = 512 << 20
"""Bytes between the memory limit of the translator, which is watched, and the one that the kernel enforces."""
RETIRE = 256 << 20
"""Bytes that this process may keep after a task. Python rarely gives memory back, so above it asks to be replaced."""
PR_SET_PDEATHSIG = 1

OUT_OF_MEMORY: dict[str, Any] = {
    "code": TRANSLATE_OUT_OF_MEMORY,
    "stage": "translator",
    "log": "The translator ran out of memory.",
    "retire": True,
}


class OutOfTime(BaseException):
    """The translator's CPU or wall time is used up; no ordinary handler of the translator catches this."""


class Translator:
    """The modules of the translator that are used here, imported once."""

    def __init__(self) -> None:
        load: Callable[[str], Any] = importlib.import_module
        self.main = load("fast_downward.translate.main")
        self.warning = load("fast_downward.translate.pddl_parser.warning")
        self.parse_list = load("fast_downward.translate.pddl_parser.lisp_parser").parse_nested_list
        self.parse_task = load("fast_downward.translate.pddl_parser.parsing_functions").parse_task
        self.ParseError = load("fast_downward.translate.pddl_parser.parse_error").ParseError
        # The texts come with the requests: no file of these names is ever read.
        load("fast_downward.translate.options").set_options(["domain.pddl", "problem.pddl"])

    def forget(self) -> None:
        """Reset what the translator remembers of earlier tasks."""
        self.main.simplified_effect_condition_counter = 0
        self.main.added_implied_precondition_counter = 0
        self.warning.printed_warnings.clear()


class Translation(NamedTuple):
    """What became of a task: `sas` is its SAS+ text, empty where `code` is already the answer."""

    code: int
    log: str
    sas: str = ""
    is_adl: bool = False
    timed_out: bool = False


def main() -> None:
    work_root, parent, downward = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    sys.path.append(sys.argv[4])
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)  # ending everything means ending this process group, so it must be our own
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing that the translator or a C library prints can get between the replies
    watch = Watch(parent, work_root, replies)
    watch.start()
    translator = Translator()
    signal.signal(signal.SIGPROF, _raise_out_of_time)
    signal.signal(signal.SIGALRM, _raise_out_of_time)
    gc.collect()
    gc.freeze()
    reply: dict[str, Any] = {"ready": True}
    while True:
        print(json.dumps(reply), file=replies, flush=True)
        if gc.get_count()[0] > 100_000:
            gc.collect()
        try:
            reply = answer(json.loads(watch.requests.get()), watch, translator, downward)
        except MemoryError:
            reply = OUT_OF_MEMORY


def answer(request: dict[str, Any], watch: Watch, translator: Translator, downward: str) -> dict[str, Any]:
    """Translate and search, within the request's limits."""
    cpu_s, wall_s = float(request["cpu_s"]), float(request["wall_s"])
    memory = int(request["memory_mib"]) << 20
    started, cpu_before = time.perf_counter(), time.process_time()
    with watch.memory(memory):
        done = translate(request["domain"], request["problem"], translator, cpu_s, wall_s)
    used = time.process_time() - cpu_before
    reply = {
        "code": done.code,
        "timed_out": done.timed_out,
        "stage": "translator",
        "log": done.log[-LOG_CHARS:],
        "translate_s": time.perf_counter() - started,
        "search_s": 0.0,
        "cpu_s": used,
        "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "retire": done.code == TRANSLATE_OUT_OF_MEMORY or _resident() > RETIRE,
    }
    if not done.sas:
        if done.code == SUCCESS:
            with open(os.path.join(request["work_dir"], "sas_plan"), "w", encoding="ascii") as plan:
                plan.write("; cost = 0 (unit cost)\n")
        return reply
    search = request["search_adl"] if done.is_adl else request["search"]
    bounds = Bounds(request["work_dir"], cpu_s, max(memory, SEARCH_FLOOR), started + wall_s)
    _search(downward, search, done.sas, bounds, reply)
    if reply["code"] == INCOMPLETE and request["settle"] and request["settle"] != search:
        _search(downward, request["settle"], done.sas, bounds, reply)
    return reply


# --- translating ----------------------------------------------------------------------------------------------------


def translate(domain: str, problem: str, translator: Translator, cpu_s: float, wall_s: float) -> Translation:
    """Run the translator on two texts. Its own faults become exit codes, as if it ran in a process of its own."""
    log = io.StringIO()
    translator.forget()
    gc.disable()
    try:
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            try:
                signal.setitimer(signal.ITIMER_PROF, max(cpu_s, 0.001))
                signal.setitimer(signal.ITIMER_REAL, max(wall_s, 0.001))
                return _translate(domain, problem, translator, log)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_REAL, 0)
    except OutOfTime as reason:
        return Translation(TRANSLATE_OUT_OF_TIME, "Translator hit the time limit", timed_out=str(reason) == "wall")
    except MemoryError:
        return Translation(TRANSLATE_OUT_OF_MEMORY, OUT_OF_MEMORY["log"])
    except translator.ParseError as error:
        return Translation(INPUT_ERROR, str(error).strip())
    except SystemExit as error:
        return Translation(INPUT_ERROR, str(error.code))
    except Exception as error:  # noqa: BLE001  # a process boundary: any crash of the translator is its exit code 30
        trace = traceback.format_exc(limit=-4)
        return Translation(TRANSLATE_CRASH, f"{trace}\n{type(error).__name__}: {error}")
    finally:
        gc.enable()


def _translate(domain: str, problem: str, translator: Translator, log: io.StringIO) -> Translation:
    lists = [translator.parse_list(io.StringIO(text)) for text in (domain, problem)]
    task = translator.parse_task(*lists)
    translator.main.normalize.normalize(task)
    sas = translator.main.pddl_to_sas(task)
    if sas.variables.value_names == [["Atom dummy(val1)", "Atom dummy(val2)"]]:  # a stand-in: the answer is known
        reason = [line for line in log.getvalue().splitlines() if "! Generating " in line][-1:]
        solvable = sas.goal.pairs == [(0, 0)]
        return Translation(SUCCESS if solvable else UNSOLVABLE, (reason or ["Trivial task"])[0].split("!")[0])
    is_adl = bool(sas.axioms) or any(cond for op in sas.operators for _, _, _, cond in op.pre_post)
    text = io.StringIO()
    sas.output(text)
    return Translation(SUCCESS, log.getvalue(), text.getvalue(), is_adl)


def _raise_out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTime("wall" if number == signal.SIGALRM else "cpu")


# --- searching ------------------------------------------------------------------------------------------------------


class Bounds(NamedTuple):
    """Of a search: its folder, its limits (bytes for `memory`), and when it must be over by time.perf_counter()."""

    work_dir: str
    cpu_s: float
    memory: int
    deadline: float


def _search(downward: str, search: str, sas: str, bounds: Bounds, reply: dict[str, Any]) -> None:
    """Run the search program and enter into the reply what came of it. Its input never touches a disk."""
    started = time.perf_counter()
    left = max(1, int(bounds.cpu_s - reply["cpu_s"] + 0.999))
    command = [downward, "--search", search, "--internal-plan-file", "sas_plan"]
    with open(os.memfd_create("sas"), "w+", encoding="utf-8") as task:
        task.write(sas)
        task.seek(0)
        child = subprocess.Popen(
            command, stdin=task, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=bounds.work_dir, bufsize=0
        )
    _limit(child.pid, resource.RLIMIT_CPU, left, left + 1)
    _limit(child.pid, resource.RLIMIT_AS, bounds.memory, bounds.memory)
    reply["log"] = _read_log(child, bounds.deadline, reply)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    reply["code"] = child.returncode
    reply["stage"] = "search"
    reply["search_s"] += time.perf_counter() - started
    reply["cpu_s"] += usage.ru_utime + usage.ru_stime
    reply["peak_kib"] = max(reply["peak_kib"], usage.ru_maxrss)


def _limit(pid: int, kind: int, soft: int, hard: int) -> None:
    """Lower a limit of a process; where a lower one is in force, that one stays."""
    with contextlib.suppress(ProcessLookupError):
        present = resource.prlimit(pid, kind)[1]
        if present != resource.RLIM_INFINITY:
            soft, hard = min(soft, present), min(hard, present)
        resource.prlimit(pid, kind, (soft, hard))


def _read_log(child: subprocess.Popen[bytes], deadline: float, reply: dict[str, Any]) -> str:
    """Read until the child ends; at the deadline it is killed."""
    log = b""
    assert child.stdout is not None
    with child.stdout as output:
        poll = select.poll()
        poll.register(output, select.POLLIN)
        while True:
            if not reply["timed_out"] and not poll.poll(max(0.0, deadline - time.perf_counter()) * 1000):
                reply["timed_out"] = True
                child.kill()
            chunk = os.read(output.fileno(), 65536)
            if not chunk:
                return log.decode("utf-8", "replace")
            log = (log + chunk)[-LOG_CHARS:]


# --- watching -------------------------------------------------------------------------------------------------------


class Watch:
    """Reads the requests, and sees to it that this process and its children end in time.

    They end with the parent, however that ends; three signs are watched: the end of standard input, a change of the
    parent's id, and the kernel's own signal (which also comes when merely the thread ends that started this process,
    so the id is looked at again). And they end when the translator takes too much memory: leaving that to Python's
    MemoryError is no good, since CPython 3.11 loops for ever where it cannot even allocate what unwinding needs.
    """

    def __init__(self, parent: int, work_root: str, replies: TextIO) -> None:
        self.requests: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._parent = parent
        self._work_root = work_root
        self._replies = replies
        self._limit = 0
        self._changing = threading.Lock()
        self._is_busy = False

    def start(self) -> None:
        def check(number: int, frame: FrameType | None) -> None:
            self._check_parent()

        signal.signal(signal.SIGTERM, check)
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
        self._check_parent()  # it may have ended before the line above
        threading.Thread(target=self._read_requests, daemon=True).start()

    @contextlib.contextmanager
    def memory(self, limit: int) -> Iterator[None]:
        """Let this process take no more than `limit` bytes within the block."""
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        bound = limit + HEADROOM if hard == resource.RLIM_INFINITY else min(limit + HEADROOM, hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
        self._limit = limit
        try:
            yield
        finally:
            with self._changing:
                self._limit, self._is_busy = 0, False

    def _read_requests(self) -> None:
        pending = bytearray()
        while True:
            try:
                ready, _, _ = select.select([0], [], [], 0.05 if self._is_busy else 1.0)
                self._check_parent()
                self._check_memory()
                if not ready:
                    continue
                chunk = os.read(0, 1 << 18)
                if not chunk:
                    self._end_all()
                pending += chunk
                if b"\n" in chunk:
                    *lines, rest = pending.split(b"\n")
                    pending = bytearray(rest)
                    for line in lines:
                        self._is_busy = True
                        self.requests.put(line.decode("utf-8"))
            except MemoryError:
                self._check_memory()

    def _check_parent(self) -> None:
        if os.getppid() != self._parent:
            self._end_all()

    def _check_memory(self) -> None:
        with self._changing:
            if self._limit and _resident() > self._limit:
                print(json.dumps(OUT_OF_MEMORY), file=self._replies, flush=True)
                os.killpg(0, signal.SIGKILL)  # the next task gets a fresh process

    def _end_all(self) -> None:
        shutil.rmtree(self._work_root, ignore_errors=True)
        os.killpg(0, signal.SIGKILL)


def _resident() -> int:
    """The memory of this process, in bytes."""
    with open("/proc/self/statm", "rb") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


if __name__ == "__main__":
    main()
