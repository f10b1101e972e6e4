"""Every confinement that works on this machine, and the proof after each test that nothing of a run is left."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundplan.confine.fork_server import ForkServers
from groundplan.confine.opening import CannotConfine, lacking, open_confinement
from groundplan.confine.outcome import ConfineLimits, Ran

LIMITS = ConfineLimits(wall_s=5, cpu_s=5, memory_mib=256, output_bytes=20_000, value_bytes=400_000)
QUICK = ConfineLimits(wall_s=0.3, cpu_s=5, memory_mib=256, output_bytes=20_000, value_bytes=400_000)

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
    assert_healthy(confinement)
    before = descendants()

    def go(source: str, *arguments: object, limits: ConfineLimits = LIMITS, hash_seed: int = 0) -> Ran:
        return confinement.run(source, "f", arguments, limits, hash_seed=hash_seed)

    yield go
    assert_healthy(confinement)
    assert _settles(lambda: not (descendants() - before)), "a process of a run is left"
    assert os.listdir(confinement._folder()) == [], "a file of a run is left"


def assert_healthy(confinement: ForkServers) -> None:
    ran = confinement.run("def f(x):\n    return x", "f", [{("on", "a", "b")}], LIMITS)
    assert ran.returned, ran
    assert ran.value == {("on", "a", "b")}


def descendants(of: int | None = None) -> set[int]:
    """The processes below one (this one), zombies left out."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found = {os.getpid() if of is None else of}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid() if of is None else of}


def _settles(holds: Callable[[], bool], seconds: float = 3.0) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
