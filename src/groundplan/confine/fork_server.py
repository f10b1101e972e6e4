"""The caller's side: one server process for each hash seed, and the runs in them."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from groundplan.confine import strict_json, tagged
from groundplan.confine.exchange import Pipes, converse, outcome
from groundplan.confine.outcome import ConfineLimits, Ending, Plain, Ran
from groundplan.confine.protocol import DEFAULT_LIMITS
from groundplan.confine.server_process import ServerProcess, start

MOST_SERVERS = 16
_HASH_SEEDS = range(1 << 32)


class ForkServers:
    """The confinement by fork servers, alone or (`bwrap`) in a bubblewrap sandbox; see `open_confinement`.

    `landlock_abi` stands for an older kernel's, for tests; None is the machine's own.
    """

    def __init__(
        self, name: str, *, confined: bool = True, bwrap: str | None = None, landlock_abi: int | None = None
    ) -> None:
        self._name = name
        self._confined = confined
        self._bwrap = bwrap
        self._abi = landlock_abi
        self._servers: dict[int, ServerProcess] = {}
        self._lock = threading.RLock()
        self._root: str | None = None
        self._closed = False
        self._remove_root: Callable[[], object] = lambda: None
        # Servers die with the thread that starts them, so one thread that stays starts them all.
        self._starter = ThreadPoolExecutor(1, "groundplan-confinement")

    @property
    def name(self) -> str:
        return self._name

    def run(
        self,
        source: str,
        function: str,
        arguments: Sequence[Plain],
        limits: ConfineLimits = DEFAULT_LIMITS,
        *,
        hash_seed: int = 0,
    ) -> Ran:
        if hash_seed not in _HASH_SEEDS:
            raise ValueError(f"a hash seed is a number from 0 to {_HASH_SEEDS[-1]}, not {hash_seed}")
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
            return self._run(strict_json.dump(request), directory, limits, hash_seed)
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def _run(self, request: bytes, directory: str, limits: ConfineLimits, hash_seed: int) -> Ran:
        for _ in range(2):
            server = self._server(hash_seed)
            try:
                with Pipes() as pipes:
                    try:
                        number = server.start(pipes, directory)
                    except OSError:
                        self._forget(hash_seed, server)
                        continue
                    try:
                        talk = converse(pipes, request, limits, lambda run=number, at=server: at.kill(run))  # type: ignore[misc]
                    except BaseException:
                        server.kill(number)
                        raise
                    if talk.lost:
                        self._forget(hash_seed, server)
                    return outcome(talk, limits)
            finally:
                with self._lock:
                    server.users -= 1
        return Ran(Ending.BROKEN, message="the process that runs programs does not start")

    def _server(self, hash_seed: int) -> ServerProcess:
        """The server for this seed, counted as in use; of more than MOST_SERVERS, idle ones are ended."""
        with self._lock:
            if self._closed:
                raise RuntimeError("this confinement is closed")
            server = self._servers.get(hash_seed)
            if server is None:
                idle = [seed for seed, other in self._servers.items() if not other.users]
                for seed in idle[: max(0, len(self._servers) - MOST_SERVERS + 1)]:
                    self._servers.pop(seed).close()
                begin = self._starter.submit(start, hash_seed, self._folder(), self._confined, self._bwrap, self._abi)
                server = self._servers[hash_seed] = begin.result()
            server.users += 1
            return server

    def _forget(self, hash_seed: int, server: ServerProcess) -> None:
        with self._lock:
            if self._servers.get(hash_seed) is server:
                del self._servers[hash_seed]
        server.close()

    def _folder(self) -> str:
        with self._lock:
            if self._closed:
                raise RuntimeError("this confinement is closed")
            if self._root is None:
                self._root = tempfile.mkdtemp(prefix="groundplan-confined-")
                self._remove_root = weakref.finalize(self, shutil.rmtree, self._root, ignore_errors=True)
            return self._root

    def close(self) -> None:
        with self._lock:
            self._closed = True
            servers, self._servers = list(self._servers.values()), {}
        for server in servers:
            server.close()
        self._starter.shutdown()
        self._remove_root()
