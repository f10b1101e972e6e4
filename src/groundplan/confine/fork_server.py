"""The caller's side: one server process for each hash seed, and the runs in them."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import groundplan
from groundplan.confine import tagged
from groundplan.confine.exchange import Pipes, converse, outcome
from groundplan.confine.outcome import ConfineLimits, Ending, Plain, Ran
from groundplan.confine.protocol import DEFAULT_LIMITS

_HOME = str(Path(groundplan.__file__).resolve().parents[1])
_MAIN = "import sys; sys.path.insert(0, {home!r}); from groundplan.confine.server import serve; serve({fd}, {confined})"
_CLOSE_S = 3.0
MOST_SERVERS = 16


class ForkServers:
    """The confinement by fork servers, alone or (`bwrap`) in a bubblewrap sandbox; see `open_confinement`."""

    def __init__(self, name: str, *, confined: bool = True, bwrap: str | None = None) -> None:
        self._name = name
        self._confined = confined
        self._bwrap = bwrap
        self._servers: dict[int, _Server] = {}
        self._lock = threading.Lock()
        self._root: str | None = None
        self._closed = False

    @property
    def name(self) -> str:
        return self._name

    @staticmethod
    def works_in(bwrap: str) -> bool:
        """Whether bubblewrap can make its namespaces on this machine."""
        try:
            return subprocess.run([*_sandbox(bwrap, "/tmp"), "true"], capture_output=True, timeout=10).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False

    def run(
        self,
        source: str,
        function: str,
        arguments: Sequence[Plain],
        limits: ConfineLimits = DEFAULT_LIMITS,
        *,
        hash_seed: int = 0,
    ) -> Ran:
        encoded = [tagged.Encoder(strict=True).encode(item) for item in arguments]
        directory = tempfile.mkdtemp(dir=self._folder())
        request = {
            "source": source,
            "function": function,
            "arguments": encoded,
            "directory": directory,
            "limits": {
                "wall_s": limits.wall_s,
                "cpu_s": limits.cpu_s,
                "memory_mib": limits.memory_mib,
                "value_bytes": limits.value_bytes,
            },
        }
        try:
            return self._run(tagged.dump(request), limits, hash_seed)
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def _run(self, request: bytes, limits: ConfineLimits, hash_seed: int) -> Ran:
        for again in (True, False):
            server = self._server(hash_seed)
            with Pipes() as pipes:
                try:
                    number = server.start(pipes)
                except OSError:
                    self._forget(hash_seed, server)
                    if again:
                        continue
                    break
                try:
                    talk = converse(pipes, request, limits, lambda run=number, at=server: at.kill(run))  # type: ignore[misc]
                except BaseException:
                    server.kill(number)
                    raise
                if talk.lost:
                    self._forget(hash_seed, server)
                return outcome(talk, limits)
        return Ran(Ending.BROKEN, message="the process that runs programs does not start")

    def _server(self, hash_seed: int) -> _Server:
        with self._lock:
            if self._closed:
                raise RuntimeError("this confinement is closed")
            server = self._servers.get(hash_seed)
            if server is None:
                if len(self._servers) >= MOST_SERVERS:
                    self._servers.pop(next(iter(self._servers))).close()
                server = self._servers[hash_seed] = _start(hash_seed, self._confined, self._bwrap, self._folder())
            return server

    def _forget(self, hash_seed: int, server: _Server) -> None:
        with self._lock:
            if self._servers.get(hash_seed) is server:
                del self._servers[hash_seed]
        server.close()

    def _folder(self) -> str:
        if self._root is None:
            self._root = tempfile.mkdtemp(prefix="groundplan-confined-")
        return self._root

    def close(self) -> None:
        with self._lock:
            self._closed = True
            servers, self._servers = list(self._servers.values()), {}
        for server in servers:
            server.close()
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)


@dataclass
class _Server:
    """A server process and the socket to it."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    lock: threading.Lock
    numbers: itertools.count[int]

    def start(self, pipes: Pipes) -> int:
        """Have a run forked that uses these pipes; returns its number. Raises OSError when the server is gone."""
        number = next(self.numbers)
        with self.lock:
            socket.send_fds(self.control, [tagged.dump({"run": number})], pipes.childs)
        pipes.close_childs()
        return number

    def kill(self, number: int) -> None:
        with self.lock, contextlib.suppress(OSError):
            self.control.send(tagged.dump({"kill": number}))

    def close(self) -> None:
        """The server ends, and kills its runs, when the socket closes."""
        with self.lock:
            self.control.close()
        try:
            self.process.wait(_CLOSE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _start(hash_seed: int, confined: bool, bwrap: str | None, folder: str) -> _Server:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        code = _MAIN.format(home=_HOME, fd=theirs.fileno(), confined=confined)
        command = [sys.executable, "-P", "-s", "-S", "-B", "-c", code]
        process = subprocess.Popen(
            [*_sandbox(bwrap, folder), *command] if bwrap else command,
            env={"PYTHONHASHSEED": str(hash_seed)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            cwd="/",
            start_new_session=True,
        )
    return _Server(process, ours, threading.Lock(), itertools.count())


def _sandbox(bwrap: str, folder: str) -> list[str]:
    """A read-only file system, no network, own process numbers; only the runs' folder can be written."""
    return [
        bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--proc", "/proc",
        "--dev", "/dev", "--bind", folder, folder, "--",
    ]  # fmt: skip
