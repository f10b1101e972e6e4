"""What kind of mistake a difference is: the first of the drift categories that applies."""

from __future__ import annotations

from dataclasses import dataclass

from groundplan.pddl.ast import Atom, Step, Task
from groundplan.pddl.compare.difference import Pair
from groundplan.pddl.compare.goals import goal_literals, reread_literals
from groundplan.pddl.compare.labelled import LabelledTask
from groundplan.pddl.compare.literal_lists import Literal, Role, SchemaMatch, reread_atom
from groundplan.pddl.compare.result import Difference, Drift, Maps, Witness
from groundplan.pddl.types import hierarchy_of


@dataclass(frozen=True)
class Evidence:
    """What is known about a candidate that is another task. `weaker`, `stronger`, `steps`: such differences exist."""

    reference: Task
    candidate: Task
    maps: Maps
    witness: Witness
    pair: Pair
    literals: SchemaMatch
    weaker: bool
    stronger: bool
    steps: bool


def category(evidence: Evidence) -> Drift:
    """The drift category. The order is that of the definition; lists of effects are compared before the names of
    over-permissive behaviour are given, since a lost delete effect first shows as such."""
    if is_object_drift(evidence):
        return Drift.OBJECT_TYPE
    same_effects = effects_agree(evidence)
    if evidence.weaker and (not evidence.steps or not same_problem(evidence) or same_effects):
        return Drift.GOAL_WEAKENING
    if not evidence.steps:
        return Drift.GOAL_STRENGTHENING
    if same_effects and _is_omission(evidence):
        return Drift.CONSTRAINT_OMISSION
    return Drift.SCHEMA


def is_object_drift(evidence: Evidence) -> bool:
    """An object is missing, or an extra one acts, or a type makes a step (im)possible."""
    witness = evidence.witness
    if witness.difference is Difference.OBJECTS:
        return True
    if _acts_in_several_ways(evidence):
        return True
    step = witness.step
    if step is None:
        return False
    if witness.difference is Difference.RESTRICTIVE:
        known = set(evidence.maps.objects.values())
        return any(name not in known for name in step.args) or _is_mistyped(evidence.candidate, _back(evidence, step))
    label = witness.reference_step
    if label is None:
        match = evidence.maps.actions.get(step.action)
        needed = [step.args[place] for place in match.positions] if match else []
        return any(name not in evidence.maps.objects for name in needed)
    return _is_mistyped(evidence.reference, label)


def effects_agree(evidence: Evidence) -> bool:
    """Whether the mapped actions have the same effects: literal by literal, or by what facts do in joint runs."""
    if not evidence.literals.of_role(Role.ADD, Role.DELETE):
        return True
    shared = evidence.pair.shared
    theirs = {place for place, _ in shared.candidate.places}
    relevant = _asked_for(evidence.pair.reference)
    return all(place in theirs for number, (place, _) in enumerate(shared.reference.places) if relevant >> number & 1)


def same_problem(evidence: Evidence) -> bool:
    """Whether initial facts and goal atoms are the same under the maps."""
    return not any((*init_differences(evidence), *goal_differences(evidence)))


def init_differences(evidence: Evidence) -> tuple[frozenset[str], frozenset[str]]:
    """Initial facts of the reference that are missing, and those of the candidate that are extra."""
    return _differences(
        {str(atom) for atom in evidence.reference.problem.init},
        {str(reread_atom(atom, evidence.literals, evidence.maps)) for atom in evidence.candidate.problem.init},
    )


def goal_differences(evidence: Evidence) -> tuple[frozenset[str], frozenset[str]]:
    """Literals of the goals, as texts, in the same way."""
    return _differences(
        set(goal_literals(evidence.reference)),
        set(reread_literals(evidence.candidate, evidence.literals, evidence.maps)),
    )


def _differences(ours: set[str], theirs: set[str]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(ours - theirs), frozenset(theirs - ours)


def _is_omission(evidence: Evidence) -> bool:
    """The witness is a step that is too permissive since its preconditions, or the static facts, are fewer."""
    witness = evidence.witness
    if witness.difference is not Difference.PERMISSIVE or witness.reference_step is None:
        return False
    name = witness.reference_step.action
    extra = [
        item
        for action, item in evidence.literals.extra
        if action == name and item.role is Role.PRECONDITION and not _always_holds(evidence, name, item)
    ]
    missing = [item for action, item in evidence.literals.missing if action == name and item.role is Role.PRECONDITION]
    if missing and not extra:
        return True
    if missing or extra:
        return False
    lost, more = init_differences(evidence)
    return bool(lost) and not more


def _always_holds(evidence: Evidence, action: str, literal: Literal) -> bool:
    """Whether a literal about static facts holds for every step that the reference may ever take."""
    if not literal.positive or literal.depth or literal.predicate in evidence.reference.domain.fluents:
        return False
    init = set(evidence.reference.problem.init)
    for step in evidence.pair.reference.by_label:
        if step.action == action:
            names = {f"?{index}": name for index, name in enumerate(step.args)}
            if Atom(literal.predicate, tuple(names.get(arg, arg) for arg in literal.args)) not in init:
                return False
    return True


def _acts_in_several_ways(evidence: Evidence) -> bool:
    """A step of the witness that the candidate can take in several ways, with objects that the reference lacks."""
    labels = [*evidence.witness.after]
    if evidence.witness.reference_step is not None:
        labels.append(evidence.witness.reference_step)
    for label in labels:
        steps = {operator.step for operator in evidence.pair.candidate.by_label.get(label, ())}
        if len(steps) > 1 and any(name not in evidence.maps.objects for step in steps for name in step.args):
            return True
    return False


def _back(evidence: Evidence, step: Step) -> Step | None:
    """A step of the reference in the candidate's words, where no parameter is added."""
    names = {mine: other for other, mine in evidence.maps.objects.items()}
    for action, match in evidence.maps.actions.items():
        schema = evidence.candidate.domain.action_by_name[action]
        if match.action == step.action and len(schema.parameters) == len(match.positions):
            args = [""] * len(match.positions)
            for place, name in zip(match.positions, step.args, strict=True):
                args[place] = names.get(name, "")
            return Step(action, tuple(args))
    return None


def _is_mistyped(task: Task, step: Step | None) -> bool:
    """Whether an object of a step is not of its parameter's type."""
    if step is None:
        return False
    hierarchy = hierarchy_of(task.domain)
    types = {item.name: item.types for item in task.objects}
    parameters = task.domain.action_by_name[step.action].parameters
    return any(
        name in types and not hierarchy.fits(types[name], parameter.types)
        for name, parameter in zip(step.args, parameters, strict=True)
    )


def _asked_for(task: LabelledTask) -> int:
    """The facts that some operator or the goal asks for."""
    mask = 0
    for operators in task.by_label.values():
        for operator in operators:
            mask |= operator.pos | operator.neg
            for effect in operator.conditional:
                mask |= effect.pos | effect.neg
    if task.ground.goal is not None:
        mask |= task.ground.goal[0] | task.ground.goal[1]
    return mask & task.ground.basic
