"""Why a plan is not valid, in words that help its author: which step, what it needed, what there was in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.generalize.kinds import Kind
from groundplan.generalize.plan_past import Past, goal_held_after, past_of
from groundplan.generalize.plan_value import strange_object
from groundplan.generalize.unmet import conditions_of, is_static, text_of, true_instead
from groundplan.generalize.values import Fact
from groundplan.pddl.ast import OBJECT, Action, Plan
from groundplan.pddl.conditions import Tables
from groundplan.pddl.faults import Fault
from groundplan.pddl.simulate import Simulator

_KINDS = {
    "plan-unknown-action": Kind.UNKNOWN_ACTION,
    "plan-wrong-arity": Kind.WRONG_ARITY,
    "plan-unknown-object": Kind.UNKNOWN_OBJECT,
    "plan-type-mismatch": Kind.WRONG_OBJECT_TYPE,
}
_MOST = 8


@dataclass(frozen=True, slots=True)
class PlanFault:
    """The kind of a plan's first fault, and the feedback in full sentences."""

    kind: Kind
    message: str


def step_fault(simulator: Simulator, plan: Plan, taken: int, tables: Tables) -> PlanFault:
    """Why the step after `taken` others cannot be taken in the state of `tables`."""
    step = plan[taken]
    faults = simulator.step_faults((step.action, *step.args), tables)
    head = f"Step {taken + 1} of the plan, {step},"
    named = [fault for fault in faults if fault.code in _KINDS]
    if named:
        strange = [name for name in step.args if strange_object(name) and not _is_object(name, simulator)]
        kind = Kind.UNKNOWN_OBJECT if strange else _KINDS[named[0].code]
        action = simulator.task.domain.action_by_name.get(step.action)
        texts = "; ".join(_wrong_names(named, strange, action))
        return PlanFault(kind, f"{head} is wrong: {texts}{'' if texts.endswith('?') else '.'}")
    domain = simulator.task.domain
    conditions = conditions_of(faults, domain)
    past = past_of(simulator, plan[:taken], [item.row for item in conditions if item.row])
    sentences = [text_of(item, domain, tables, past) for item in conditions[:_MOST]]
    if len(conditions) > _MOST:
        sentences.append(f"And {len(conditions) - _MOST} more conditions do not hold.")
    kind = Kind.UNMET_STATIC if any(is_static(item, domain) for item in conditions) else Kind.UNMET_FLUENT
    return PlanFault(kind, " ".join([f"{head} cannot be taken.", *sentences, *_held(simulator, plan[:taken])]))


def goal_fault(simulator: Simulator, goal: Sequence[Fact], plan: Plan, tables: Tables) -> PlanFault:
    """Why the goal does not hold in the state of `tables`, after all steps."""
    head = (
        f"All {len(plan)} steps of the plan can be taken" if len(plan) > 1 else "The one step of the plan can be taken"
    )
    if not plan:
        head = "The plan has no steps"
    missing = sorted(row for row in goal if row[1:] not in tables.get(row[0], ()))
    if not missing:
        reasons = [fault.message.removeprefix("goal not reached: ") for fault in simulator.goal_faults(tables)]
        wrong = all(reason.endswith("must be false") for reason in reasons)
        kind = Kind.GOAL_WRONGLY_TRUE if wrong else Kind.GOAL_MISSING
        return PlanFault(kind, f"{head}, but the goal does not hold at the end: {'; '.join(reasons[:_MOST])}.")
    past = past_of(simulator, plan, missing[:_MOST])
    facts = [_missing_fact(row, tables, past) for row in missing[:_MOST]]
    if len(missing) > _MOST:
        facts.append(f"and {len(missing) - _MOST} more")
    count = f"{len(missing)} of its {len(goal)} facts {'is' if len(missing) == 1 else 'are'} missing"
    text = f"{head}, but the goal does not hold at the end: {count}: {'; '.join(facts)}."
    return PlanFault(Kind.GOAL_MISSING, " ".join([text, *_held(simulator, plan)]))


def _missing_fact(row: Fact, tables: Tables, past: Past) -> str:
    text = f"({' '.join(row)})"
    if row in past.destroyed:
        before = "reached, but" if row in past.made else "true at the start, but"
        text += f" ({before} {past.step(past.destroyed[row])} made it false)"
    instead = true_instead(row, tables, only_near=True)
    return f"{text} (true instead: {instead})" if instead else text


def _held(simulator: Simulator, plan: Plan) -> Iterator[str]:
    """A sentence where the goal already held on the way."""
    after = goal_held_after(simulator, plan)
    if after == 0:
        yield "The goal already holds at the start, without any step."
    elif after is not None:
        yield f"The goal already held after step {after}: end the plan there."


def _wrong_names(faults: Sequence[Fault], strange: Sequence[str], action: Action | None) -> Iterator[str]:
    """What is wrong with the names of a step, and the action's signature where that helps."""
    seen: set[str] = set()
    for name in dict.fromkeys(strange):
        yield f"`{name}` is no object of this task; {strange_object(name)}"
    for fault in faults:
        if fault.code == "plan-unknown-object" and any(f"`{name}`" in fault.message for name in strange):
            continue
        seen.add(fault.code)
        hint = "" if fault.code == "plan-wrong-arity" else fault.hint
        text = fault.message.replace("of this problem", "of this task")
        yield f"{text}; {hint}" if hint else text
    if action is not None and seen & {"plan-wrong-arity", "plan-type-mismatch"}:
        yield f"write {_signature(action)}"


def _signature(action: Action) -> str:
    """`(board ?c ?q), where ?c is a car and ?q is a quay`."""
    call = f"({' '.join((action.name, *(item.name for item in action.parameters)))})"
    kinds = [f"{item.name} is a {' or '.join(item.types)}" for item in action.parameters if item.types != (OBJECT,)]
    return f"{call}, where {' and '.join(kinds)}" if kinds else call


def _is_object(name: str, simulator: Simulator) -> bool:
    return any(item.name == name for item in simulator.task.objects)
