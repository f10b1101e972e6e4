"""An engine on some machine of a Ray cluster; a SolverPool of them spreads solver calls over it.

pool = SolverPool(lambda: RayEngine("10.0.0.5:6379", "fast-downward"), workers=48)
"""

from __future__ import annotations

import importlib
import threading
from typing import Any

from groundplan.errors import InputError
from groundplan.pddl.ast import Task
from groundplan.solve.engines import make_engine
from groundplan.solve.outcome import Engine, Fault, Limits, Outcome, Status

LOCAL = "local"
_joining = threading.Lock()


class RayEngine:
    """An Engine whose calls go to one worker of the cluster at `address` ("local" starts one on this machine).

    groundplan must be installed on every node. The worker is started at the first call and again after it died: that
    call's outcome is FAILED (CRASH), like that of an engine here. Raises InputError where Ray is missing, no cluster
    answers, or there is no such engine.
    """

    def __init__(self, address: str, engine: str = "fast-downward", **options: Any) -> None:
        self._ray = require_ray()
        make_engine(engine, **options).close()  # a wrong name is told here, not by every call
        self.name = engine
        self._made = (engine, options)
        self.fingerprint = f"{engine}|{options}"
        self._worker: Any = None
        join(self._ray, address)

    def solve(self, task: Task, limits: Limits) -> Outcome:
        """See Engine."""
        try:
            if self._worker is None:
                self._worker = self._ray.remote(_Worker).options(num_cpus=1).remote(*self._made)
            found: Outcome = self._ray.get(self._worker.solve.remote(task, limits))
        except self._ray.exceptions.RayError as error:
            self.close()
            said = str(error).strip().splitlines()
            reason = f"the worker on the Ray cluster died ({said[0] if said else type(error).__name__})"
            return Outcome(Status.FAILED, self.name, reason=reason, fault=Fault.CRASH)
        return found

    def close(self) -> None:
        """End the worker; the cluster stays."""
        if self._worker is not None and self._ray.is_initialized():
            self._ray.kill(self._worker)
        self._worker = None


class _Worker:
    """What runs on the cluster."""

    def __init__(self, engine: str, options: dict[str, Any]) -> None:
        self._engine: Engine = make_engine(engine, **options)

    def solve(self, task: Task, limits: Limits) -> Outcome:
        return self._engine.solve(task, limits)


def require_ray() -> Any:
    """The ray module. Raises InputError where it is not installed."""
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise InputError("a Ray cluster wants Ray on this machine and on its nodes: pip install ray") from error


def join(ray: Any, address: str) -> bool:
    """Connect this process to the cluster at `address`, once; whether it was not connected before. Raises InputError
    where none can be reached."""
    options: dict[str, Any] = {"include_dashboard": False} if address == LOCAL else {"address": address}
    with _joining:
        if ray.is_initialized():
            return False
        try:
            ray.init(log_to_driver=False, configure_logging=False, **options)
        except Exception as error:
            raise InputError(f"Ray at {address}: no cluster can be reached there ({error})") from error
    return True
