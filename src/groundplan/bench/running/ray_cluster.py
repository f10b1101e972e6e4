"""Units shared out over a Ray cluster. The log stays here: workers send every reply home before they go on."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from groundplan.bench.running.memory import CHECK, RESULT
from groundplan.bench.running.records import Record, record_from_json
from groundplan.bench.running.unit import Unit, Work
from groundplan.runs.budget import REPLY, BudgetExhausted
from groundplan.runs.run import Run
from groundplan.solve.over_ray import join, require_ray

Take = Callable[[int, list[Record]], None]
MakeWork = Callable[[], Work]


def spread_over_ray(
    address: str, make_work: MakeWork, at_once: int
) -> Callable[[Work, Sequence[Unit], Run, Take], str]:
    """A Spread over the cluster at `address` ("local" starts one here), with `at_once` units in work.

    `make_work` is pickled: each worker makes its own model and engine, once. groundplan and the task set's data must be
    there on every node; a key is read from the node's environment. Raises InputError where Ray is missing or cannot be
    reached.
    """
    ray = require_ray()

    def spread(work: Work, units: Sequence[Unit], run: Run, take: Take) -> str:
        started = join(ray, address)
        try:
            return _spread(ray, make_work, at_once, units, run, take)
        finally:
            if started:
                ray.shutdown()

    return spread


def _spread(ray: Any, make_work: MakeWork, at_once: int, units: Sequence[Unit], run: Run, take: Take) -> str:
    home = ray.remote(_Home).options(max_concurrency=max(2, at_once + 1)).remote()
    do_unit = ray.remote(_do_unit)
    known = _known(run)
    stop = threading.Event()

    def one(unit: Unit) -> list[Record]:
        """Follow a unit: write down what comes home, until it is done or the budget is."""
        run.check_budget()
        task = do_unit.remote(make_work, unit, known.get(unit.name, {}), home)
        while True:
            ready, _ = ray.wait([task], timeout=0.05)
            for kind, step, payload in ray.get(home.take.remote(unit.name)):
                run.event(kind, durable=kind not in (CHECK, RESULT), step=step, **payload)
            if ready:
                return [record_from_json(data) for data in ray.get(task)]
            if stop.is_set():
                ray.cancel(task, force=True)
                raise BudgetExhausted("the run was stopped")
            try:
                run.check_budget()
            except BudgetExhausted:
                ray.cancel(task, force=True)
                raise

    stopped = ""
    with ThreadPoolExecutor(max_workers=max(1, at_once)) as pool:
        waiting = {pool.submit(one, unit): place for place, unit in enumerate(units)}
        try:
            for future in as_completed(waiting):
                try:
                    take(waiting[future], future.result())
                except BudgetExhausted as end:
                    stopped = str(end)
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return stopped


def _known(run: Run) -> dict[str, dict[str, Mapping[str, Any]]]:
    """What the log holds of each unit."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for event in run.events():
        step = event.payload.get("step", "")
        if event.kind in (REPLY, CHECK, RESULT):
            found.setdefault(step.split("/", 1)[0], {})[f"{event.kind} {step}"] = event.payload
    return found


class _Home:
    """An actor that takes in what workers write down, by unit."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._new: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}

    def put(self, unit: str, kind: str, step: str, payload: dict[str, Any]) -> None:
        with self._mutex:
            self._new.setdefault(unit, []).append((kind, step, payload))

    def take(self, unit: str) -> list[tuple[str, str, dict[str, Any]]]:
        with self._mutex:
            return self._new.pop(unit, [])


class _SentHome:
    """The Memory of a worker on another machine; the budget is watched at home."""

    def __init__(self, unit: str, known: Mapping[str, Mapping[str, Any]], ray: Any, home: Any) -> None:
        self._unit, self._ray, self._home = unit, ray, home
        self._known = dict(known)

    def recall(self, kind: str, step: str) -> Mapping[str, Any] | None:
        return self._known.get(f"{kind} {step}")

    def keep(self, kind: str, step: str, payload: Mapping[str, Any]) -> None:
        self._known[f"{kind} {step}"] = payload
        self._ray.get(self._home.put.remote(self._unit, kind, step, dict(payload)))

    def check_budget(self) -> None:
        pass


_made: dict[bytes, Work] = {}
"""The model and the engine of this worker's process, kept for its next unit."""


def _do_unit(
    make_work: MakeWork, unit: Unit, known: Mapping[str, Mapping[str, Any]], home: Any
) -> list[dict[str, Any]]:
    import pickle

    key = pickle.dumps(make_work)
    if key not in _made:
        _made[key] = make_work()
    memory = _SentHome(unit.name, known, importlib.import_module("ray"), home)
    return [record.as_json() for record in _made[key].do(unit, memory)]
