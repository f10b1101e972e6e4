"""A server process as its caller holds it: its start, the messages to it, its end."""

from __future__ import annotations

import contextlib
import itertools
import socket
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import groundplan
from groundplan.confine import strict_json
from groundplan.confine.exchange import Pipes

_HOME = str(Path(groundplan.__file__).resolve().parents[1])
_MAIN = (
    "import sys; sys.path.insert(0, {home!r}); from groundplan.confine.server import serve; "
    "serve({fd}, {folder!r}, {confined}, {abi})"
)
_CLOSE_S = 3.0
_TRY_S = 10.0


@dataclass
class ServerProcess:
    """A server process and the socket to it."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    users: int = 0
    """Runs under way; kept by whoever holds the server."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def start(self, pipes: Pipes, directory: str) -> int:
        """Have a run forked that uses these pipes; returns its number. Raises OSError when the server is gone."""
        with self._lock:
            number = next(self._numbers)
            message = strict_json.dump({"run": number, "directory": directory})
            socket.send_fds(self.control, [message], pipes.childs)
        pipes.close_childs()
        return number

    def kill(self, number: int) -> None:
        with self._lock, contextlib.suppress(OSError):
            self.control.send(strict_json.dump({"kill": number}))

    def close(self) -> None:
        """The server ends, and kills its runs, when the socket closes."""
        with self._lock:
            self.control.close()
        try:
            self.process.wait(_CLOSE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start(hash_seed: int, folder: str, confined: bool, bwrap: str | None, abi: int | None) -> ServerProcess:
    """Start a server; it lives as long as the thread that calls this."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        code = _MAIN.format(home=_HOME, fd=theirs.fileno(), folder=folder, confined=confined, abi=abi)
        # Not -I, which would ignore the hash seed: -P and -s and an empty environment are the rest of it.
        command = [sys.executable, "-P", "-s", "-S", "-B", "-W", "ignore", "-X", "utf8", "-c", code]
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
    return ServerProcess(process, ours)


def works_in(bwrap: str) -> bool:
    """Whether bubblewrap can make its namespaces, and run this Python in them, on this machine."""
    command = [*_sandbox(bwrap, "/tmp"), sys.executable, "-I", "-S", "-c", ""]
    try:
        return subprocess.run(command, capture_output=True, timeout=_TRY_S, env={}).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _sandbox(bwrap: str, folder: str) -> list[str]:
    """A file system of Python, this package and shared libraries alone; no network, own process numbers."""
    seen = [Path("/usr"), Path("/lib"), Path("/lib64"), Path("/etc/ld.so.cache"), Path(_HOME)]
    seen += [
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(sys.executable).parent,
        Path(sys.executable).resolve().parent,
    ]
    seen += [Path(name) for part in ("stdlib", "platstdlib") if (name := sysconfig.get_path(part))]
    binds = [word for path in dict.fromkeys(map(str, seen)) for word in ("--ro-bind-try", path, path)]
    return [
        bwrap, "--unshare-all", "--die-with-parent", "--new-session", *binds, "--proc", "/proc", "--dev", "/dev",
        "--bind", folder, folder, "--remount-ro", "/", "--",
    ]  # fmt: skip
