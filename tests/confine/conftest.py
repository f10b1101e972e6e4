"""Every confinement that works on this machine, and the proof after each test that nothing of a run is left."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from confine_limits import LIMITS

from groundplan.confine.fork_server import ForkServers
from groundplan.confine.opening import CannotConfine, lacking, open_confinement
from groundplan.confine.outcome import ConfineLimits, Ran

Runner = Callable[..., Ran]


def opened(kind: str) -> ForkServers:
    if lacking():
        pytest.skip(lacking())
    if kind == "landlock of Linux 5.13":
        return ForkServers(kind, landlock_abi=1)
    if kind == "bubblewrap" and not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    try:
        found = open_confinement(kind)
    except CannotConfine as error:
        pytest.skip(str(error))
    assert isinstance(found, ForkServers)
    return found


@pytest.fixture(scope="session", params=["fork-server", "landlock of Linux 5.13", "bubblewrap"])
def backend(request: pytest.FixtureRequest) -> Iterator[ForkServers]:
    confinement = opened(request.param)
    yield confinement
    confinement.close()


@pytest.fixture(scope="session")
def plain_backend() -> Iterator[ForkServers]:
    """One confinement, for tests of what does not hang on the kind."""
    confinement = opened("fork-server")
    yield confinement
    confinement.close()


@pytest.fixture
def run(backend: ForkServers) -> Iterator[Runner]:
    """Runs `f(*arguments)` of a program; afterwards the confinement must be as it was before."""
    yield from _checked(backend)


@pytest.fixture
def plain_run(plain_backend: ForkServers) -> Iterator[Runner]:
    yield from _checked(plain_backend)


def _checked(confinement: ForkServers) -> Iterator[Runner]:
    def go(source: str, *arguments: object, limits: ConfineLimits = LIMITS, hash_seed: int = 0) -> Ran:
        return confinement.run(source, "f", arguments, limits, hash_seed=hash_seed)

    yield go
    assert_healthy(confinement)
    own = 2 if confinement._bwrap else 0  # bubblewrap's inner process and the server in it
    for server in tuple(confinement._servers.values()):
        settled = _settles(lambda pid=server.process.pid: len(descendants(pid)) == own)  # type: ignore[misc]
        assert settled, "a process of a run is left"
    assert os.listdir(confinement._folder()) == [], "a file of a run is left"


def assert_healthy(confinement: ForkServers) -> None:
    ran = confinement.run("def f(x):\n    return x", "f", [{("on", "a", "b")}], LIMITS)
    assert ran.returned, ran
    assert ran.value == {("on", "a", "b")}


def descendants(of: int | None = None) -> set[int]:
    """The processes below one (this one), zombies left out."""
    found: set[int] = set()
    waiting = [os.getpid() if of is None else of]
    while waiting:
        for thread in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                below = [int(pid) for pid in thread.read_text().split() if is_alive(int(pid))]
                found.update(below)
                waiting += below
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _settles(holds: Callable[[], bool], seconds: float = 3.0) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
