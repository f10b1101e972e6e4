"""The checkers behind the methods: the planner, and our validator for plans that a model wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from groundplan.bench.methods.protocol import Checked, checked_from_json
from groundplan.bench.running.memory import CHECK, Memory
from groundplan.errors import InputError
from groundplan.formalize.specification import Specification, Verification
from groundplan.formalize.verify import engine_at_fault, verify
from groundplan.pddl.diagnostics import Category, Diagnostic
from groundplan.pddl.read import check_sources
from groundplan.pddl.source import Source
from groundplan.pddl.validate import validate_text
from groundplan.solve.outcome import Engine, Limits


class KeptOracle:
    """Checks within one unit of work, each made once and then remembered: how far an engine gets within its limits
    depends on the machine's load, and what a model is told must be the same when a run is resumed.

    A checker that broke is asked anew.
    """

    def __init__(self, engine: Engine, limits: Limits, unit: str, memory: Memory) -> None:
        self._engine = engine
        self._limits = limits
        self._unit = unit
        self._memory = memory

    def solve(self, specification: Specification) -> Checked:
        key = ("solve", specification.domain, specification.problem, self._engine.name, repr(self._limits))
        return self._once(key, lambda: _from(verify(specification, self._engine, self._limits)))

    def validate(self, specification: Specification, plan: str) -> Checked:
        key = ("validate", specification.domain, specification.problem, plan)
        return self._once(key, lambda: validated(specification, plan))

    def _once(self, parts: tuple[str, ...], check: Callable[[], Checked]) -> Checked:
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
        step = f"{self._unit}/{digest}"
        known = self._memory.recall(CHECK, step)
        if known is not None:
            return checked_from_json(known["found"])
        found = check()
        if not found.broken:
            self._memory.keep(CHECK, step, {"found": found.as_json()})
        return found


def _from(found: Verification) -> Checked:
    if engine_at_fault(found):
        return Checked(False, broken=found.reason or "the planner broke")
    plan = found.outcome.plan if found.outcome else None
    steps = None if plan is None or not found.solved else tuple(str(step) for step in plan)
    category = "" if found.solved else category_of(found.diagnostics)
    return Checked(found.solved, steps, category, "" if found.solved else found.explanation)


def validated(specification: Specification, plan: str) -> Checked:
    """A model's plan on a model's specification. A plan that reaches a goal which holds at the start does no work, and
    is not accepted."""
    result = check_sources(Source(specification.domain, "domain.pddl"), Source(specification.problem, "problem.pddl"))
    if not result.ok:
        return Checked(False, None, category_of(result.diagnostics))
    task = result.task()
    try:
        if validate_text(task, Source("", "plan")).is_valid:
            return Checked(False, None, Category.GOAL.value, "the goal holds at the start")
        verdict = validate_text(task, Source(plan, "plan"))
    except InputError as error:  # features beyond classical planning
        return Checked(False, None, Category.PREDICATE.value, str(error))
    if not verdict.is_valid:
        return Checked(False, None, category_of(verdict.diagnostics), "\n".join(verdict.reasons))
    from groundplan.pddl.plan import read_plan

    return Checked(True, tuple(str(step) for step in read_plan(Source(plan, "plan")).steps))


def category_of(found: tuple[Diagnostic, ...]) -> str:
    """The category of the first error, else of the first finding; empty without any."""
    errors = [item for item in found if item.is_error] or list(found)
    return errors[0].category.value if errors else ""
