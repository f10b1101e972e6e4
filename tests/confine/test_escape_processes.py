"""A run starts no process, signals none, opens no socket, and keeps its limits and its rights as they are."""

from __future__ import annotations

import os
import platform

import pytest

from groundplan.confine.outcome import ConfineLimits, Ending
from groundplan.confine.system_calls import DEADLY, NUMBERS

FRAME = """
import ctypes, fcntl, multiprocessing, os, resource, signal, socket, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), name)
    return result
def f(parent, number=0):
    {body}
"""

pytestmark = pytest.mark.parametrize("backend", ["fork-server", "bubblewrap"], indirect=True)

REFUSED = {
    "fork": "os.fork()",
    "fork bomb": "while True: os.fork()",
    "fork by the C library": "call('fork')",
    "clone without a thread": "call('syscall', number, 17, 0, 0, 0, 0)",
    "exec": "os.execv('/bin/true', ['true'])",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "subprocess": "subprocess.run(['/bin/true'])",
    "subprocess in a shell": "subprocess.run('true', shell=True)",
    "multiprocessing": "multiprocessing.get_context('fork').Process(target=print).start()",
    "kill the caller": "os.kill(parent, 9)",
    "probe the caller": "os.kill(parent, 0)",
    "kill the server": "os.kill(os.getppid(), 9)",
    "kill all": "os.kill(-1, 9)",
    "kill the group": "os.killpg(0, 9)",
    "kill by thread": "call('tgkill', os.getppid(), os.getppid(), 9)",
    "handle of a process": "os.pidfd_open(parent)",
    "tcp": "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
    "udp": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "tcp, version 6": "socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
    "unix": "socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)",
    "abstract unix": "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind(chr(0) + 'x')",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "raw": "socket.socket(socket.AF_INET, socket.SOCK_RAW)",
    "socket pair": "socket.socketpair()",
    "user": "os.setuid(12345)",
    "group": "os.setgid(12345)",
    "session": "os.setsid()",
    "process group": "os.setpgid(0, 0)",
    "nice": "os.setpriority(os.PRIO_PROCESS, 0, -5)",
    "nicer": "os.setpriority(os.PRIO_PROCESS, parent, 19)",
    "scheduler": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
    "cores": "os.sched_setaffinity(0, {0})",
    "raise the memory limit": "call('setrlimit', 9, (ctypes.c_uint64 * 2)(-1, -1))",
    "lower a limit": "call('setrlimit', 0, (ctypes.c_uint64 * 2)(1, 1))",
    "limits of the caller": "resource.prlimit(parent, resource.RLIMIT_NOFILE, (3, 3))",
    "alarm": "signal.setitimer(signal.ITIMER_REAL, 0)",
    "dumpable": "call('prctl', 4, 1, 0, 0, 0)",
    "another filter": "call('prctl', 22, 2, 0, 0, 0)",
    "message queue": "call('msgget', 0, 0o1600)",
    "shared memory": "call('shmget', 0, 4096, 0o1600)",
    "host name": "socket.sethostname('x')",
    "event": "os.eventfd(0)",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_refused(run, body: str) -> None:
    ran = run(FRAME.format(body=body), os.getpid(), NUMBERS[platform.machine()]["clone"])
    assert ran.ending is Ending.FORBIDDEN, ran
    assert ran.error in ("PermissionError", "itimer_error")
    assert "not permitted" in ran.message or "denied" in ran.message


@pytest.mark.parametrize("name", sorted(DEADLY))
def test_deadly(run, name: str) -> None:
    number = NUMBERS[platform.machine()][name]
    ran = run(FRAME.format(body="libc.syscall(number, 0, 0, 0, 0, 0, 0); return 'alive'"), os.getpid(), number)
    assert ran.ending is Ending.FORBIDDEN, ran
    assert "system call" in ran.message


@pytest.mark.parametrize("number", [0x40000000 + 39, 0x40000000 + 57])
@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 is of x86_64")
def test_the_other_call_table_is_deadly(run, number: int) -> None:
    ran = run(FRAME.format(body="libc.syscall(number); return 'alive'"), os.getpid(), number)
    assert ran.ending is Ending.FORBIDDEN, ran


def test_a_shell_command_does_not_run(run) -> None:
    ran = run(FRAME.format(body="return os.system('echo x > made'), os.listdir('.')"), os.getpid())
    assert ran.value[0] != 0
    assert ran.value[1] == []


def test_no_capability_is_left(run) -> None:
    body = """header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    call('capset', header, data)"""
    assert run(FRAME.format(body=body), 0).ending is Ending.FORBIDDEN


def test_threads_work_and_end_with_the_run(run) -> None:
    body = """import threading
    found = []
    thread = threading.Thread(target=lambda: found.append(1)); thread.start(); thread.join()
    for daemon in (True, False):
        threading.Thread(target=time.sleep, args=(60,), daemon=daemon).start()
    return found"""
    ran = run(FRAME.format(body=body), 0)
    assert ran.value == [1], ran
    assert ran.seconds < 4


def test_threads_are_counted(run) -> None:
    body = """import threading
    threading.stack_size(32768)
    event = threading.Event()
    while True:
        threading.Thread(target=event.wait, daemon=True).start()"""
    ran = run(FRAME.format(body=body), 0)
    assert (ran.ending, ran.message) == (Ending.FORBIDDEN, "it started more than 64 threads"), ran


def test_exit_handlers_do_not_run(run) -> None:
    body = "import atexit; atexit.register(lambda: time.sleep(60)); return 1"
    ran = run(FRAME.format(body=body), 0)
    assert ran.value == 1
    assert ran.seconds < 4


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSTOP", "SIGSEGV", "SIGABRT", "SIGTERM"])
def test_a_run_may_signal_itself_alone(run, name: str) -> None:
    body = f"call('tgkill', os.getpid(), os.getpid(), signal.{name}); time.sleep(9)"
    ran = run(FRAME.format(body=body), 0, limits=ConfineLimits(wall_s=0.3, memory_mib=256))
    assert ran.ending is (Ending.TIME_OUT if name == "SIGSTOP" else Ending.KILLED), ran
    assert name == "SIGSTOP" or name in ran.message
