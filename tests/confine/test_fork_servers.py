"""Servers: several at once, restarted, ended with their caller; and which confinement is opened where."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from confine_limits import LIMITS, QUICK

from conftest import assert_healthy, descendants, is_alive, opened
from groundplan.confine import landlock, opening
from groundplan.confine.fork_server import MOST_SERVERS, ForkServers
from groundplan.confine.opening import CannotConfine, open_confinement
from groundplan.confine.outcome import ConfineLimits, Ending
from groundplan.errors import InputError

ECHO = "def f(x):\n    return x"
LOOP = "def f(x=0):\n    while True: pass"


def test_many_threads(plain_run, plain_backend: ForkServers) -> None:
    def one(n: int) -> bool:
        if n % 10 == 0:
            return plain_run(LOOP, limits=QUICK).ending is Ending.TIME_OUT
        return plain_run(ECHO, n, hash_seed=n % 2).value == n

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(one, range(60)))


def test_a_short_run_does_not_wait_for_a_long_one(plain_run) -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        long = pool.submit(plain_run, LOOP, limits=ConfineLimits(wall_s=1.2, memory_mib=64))
        time.sleep(0.1)
        assert plain_run(ECHO, 1).value == 1
        assert time.monotonic() - started < 1
        assert long.result().ending is Ending.TIME_OUT


def test_a_server_outlives_the_thread_that_wanted_it() -> None:
    confinement = opened("fork-server")
    thread = threading.Thread(target=assert_healthy, args=[confinement])
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert confinement._servers[0].process.poll() is None
    confinement.close()


def test_a_dead_server_is_replaced() -> None:
    confinement = opened("fork-server")
    assert_healthy(confinement)
    first = confinement._servers[0].process
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(confinement.run, LOOP, "f", [], LIMITS)
        time.sleep(0.3)
        below = descendants(first.pid)
        first.kill()
        assert running.result().ending is Ending.BROKEN
    assert below, "the run was under way"
    time.sleep(0.2)
    assert not any(is_alive(pid) for pid in below), "runs die with their server"
    assert_healthy(confinement)
    assert confinement._servers[0].process.pid != first.pid
    confinement.close()


@pytest.mark.slow
def test_idle_servers_are_ended_when_there_are_many() -> None:
    confinement = opened("fork-server")
    for hash_seed in range(MOST_SERVERS + 2):
        assert confinement.run(ECHO, "f", [1], LIMITS, hash_seed=hash_seed).value == 1
    assert len(confinement._servers) == MOST_SERVERS
    confinement.close()
    assert not confinement._servers


def test_closing() -> None:
    confinement = opened("fork-server")
    assert_healthy(confinement)
    root, server = confinement._folder(), confinement._servers[0].process
    confinement.close()
    confinement.close()
    assert not os.path.exists(root)
    assert server.poll() is not None
    with pytest.raises(RuntimeError, match="closed"):
        confinement.run(ECHO, "f", [1])


def test_closing_during_a_run_ends_it() -> None:
    confinement = opened("fork-server")
    assert_healthy(confinement)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(confinement.run, LOOP, "f", [], ConfineLimits(wall_s=30))
        time.sleep(0.3)
        confinement.close()
        assert running.result(10).ending is Ending.BROKEN


CALLER = """
import sys, threading
from groundplan.confine.opening import open_confinement
from groundplan.confine.outcome import ConfineLimits
confinement = open_confinement("fork-server")
print(confinement._folder(), flush=True)
confinement.run("def f(): pass", "f", [])
print("ready", flush=True)
confinement.run("def f():\\n    while True: pass", "f", [], ConfineLimits(wall_s=60, cpu_s=60))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_the_caller_ends(number: int) -> None:
    opened("fork-server").close()
    with subprocess.Popen([sys.executable, "-c", CALLER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as caller:
        assert caller.stdout is not None
        root = caller.stdout.readline().decode().strip()
        assert caller.stdout.readline() == b"ready\n"
        time.sleep(0.4)
        below = descendants(caller.pid)
        assert len(below) == 2, "the server and the run"
        caller.send_signal(number)
        caller.wait(10)
    end = time.monotonic() + 3
    while any(is_alive(pid) for pid in below) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(is_alive(pid) for pid in below)
    if number == signal.SIGINT:
        assert not os.path.exists(root)
    shutil.rmtree(root, ignore_errors=True)


def test_no_file_handles_are_lost(plain_run) -> None:
    plain_run(ECHO, 1)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        plain_run(ECHO, 1)
    assert len(os.listdir("/proc/self/fd")) == before


def test_bare_wants_to_be_asked_for() -> None:
    with pytest.raises(CannotConfine, match="--unconfined"):
        open_confinement("bare")
    with pytest.raises(InputError, match="no confinement is called `jail`"):
        open_confinement("jail")
    bare = open_confinement("bare", unconfined=True)
    assert bare.name == "bare"
    assert bare.run(ECHO, "f", [("x",)]).value == ("x",)
    assert bare.run(LOOP, "f", [], QUICK).ending is Ending.TIME_OUT
    assert bare.run("def f():\n    return open('/etc/passwd').read(4)", "f", []).returned, "bare confines nothing"
    bare.close()


def test_a_machine_that_cannot_confine_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    for kind in ("auto", "fork-server", "bubblewrap"):
        with pytest.raises(CannotConfine, match=r"Landlock.*--unconfined"):
            open_confinement(kind)
    monkeypatch.setattr("groundplan.confine.seccomp.is_available", lambda: False)
    with pytest.raises(CannotConfine, match=r"Landlock.* and .*seccomp.*--unconfined"):
        open_confinement()
    found = open_confinement("auto", unconfined=True)
    assert found.name == "bare"
    found.close()
    with pytest.raises(CannotConfine):
        open_confinement("fork-server", unconfined=True)
    monkeypatch.setattr(opening, "machine", lambda: "riscv64")
    monkeypatch.setattr("groundplan.confine.seccomp.machine", lambda: "riscv64")
    with pytest.raises(CannotConfine, match="riscv64"):
        open_confinement()


def test_bubblewrap_that_does_not_work_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened("fork-server").close()
    false = tmp_path / "bwrap"
    false.write_text("#!/bin/sh\nexit 1\n")
    false.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = open_confinement("auto")
    assert found.name == "fork-server"
    found.close()
    with pytest.raises(CannotConfine, match="bubblewrap"):
        open_confinement("bubblewrap")


def test_a_child_that_cannot_be_confined_runs_nothing(tmp_path: Path) -> None:
    """Landlock takes sixteen layers; a caller that has sixteen already cannot add the server's and the run's."""
    opened("fork-server").close()
    source = f"""
from groundplan.confine import landlock, privileges
from groundplan.confine.fork_server import ForkServers
from pathlib import Path
privileges.give_up()
for _ in range({{layers}}):
    landlock.restrict(landlock.rules([Path("/")], (1 << 13) - 1), 1)
confinement = ForkServers("deep")
ran = confinement.run("def f():\\n    open({str(tmp_path / "made")!r}, 'w')", "f", [])
print(ran.ending, ran.message)
confinement.close()
"""
    said = [
        subprocess.run([sys.executable, "-c", source.format(layers=layers)], capture_output=True, text=True).stdout
        for layers in (16, 15)
    ]
    assert [text.split()[0] for text in said] == ["broken", "broken"], said
    assert "could not be confined: OSError" in said[1]
    assert not (tmp_path / "made").exists()
