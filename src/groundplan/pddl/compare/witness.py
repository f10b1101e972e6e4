"""From a plan of the difference task to a witness, and its replay in both tasks by the simulator."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.pddl.ast import Step, Task
from groundplan.pddl.compare.difference import Alarm, DifferenceTask, Joint
from groundplan.pddl.compare.labelled import is_foreign, label_of
from groundplan.pddl.compare.result import Difference, Maps, Witness
from groundplan.pddl.ground_task import GroundOperator
from groundplan.pddl.simulate import Simulator, State


def witness_of(
    plan: Sequence[GroundOperator], task: DifferenceTask, reference: Task, candidate: Task, maps: Maps
) -> Witness | None:
    """The witness that a plan stands for, cut short where the tasks differ earlier than the plan says.

    None where the replay in both tasks shows no difference: then the search was wrong.
    """
    joints = [meaning for operator in plan if isinstance(meaning := task.meaning(operator), Joint)]
    alarm = next(meaning for operator in plan if isinstance(meaning := task.meaning(operator), Alarm))
    replay = _Replay(reference, candidate, maps)
    for number, joint in enumerate(joints):
        found = replay.differs_at(joint.label, joint.candidate)
        if found is not None:
            return replay.witness(found, joints[:number])
        replay.take(joint)
    if alarm.label is None:
        goals = replay.goals()
        return None if goals is None else replay.witness(goals, joints)
    found = replay.differs_at(alarm.label, alarm.step if alarm.difference is Difference.PERMISSIVE else None)
    return None if found is None else replay.witness(found, joints)


class _Replay:
    def __init__(self, reference: Task, candidate: Task, maps: Maps) -> None:
        self.sides = Simulator(reference), Simulator(candidate)
        self.states: tuple[State, State] = self.sides[0].initial, self.sides[1].initial
        self.maps = maps
        self.candidate = candidate

    def take(self, joint: Joint) -> None:
        self.states = (
            self.sides[0].apply(self.states[0], joint.label),
            self.sides[1].apply(self.states[1], joint.candidate),
        )

    def goals(self) -> Witness | None:
        ours, theirs = (side.is_goal(state) for side, state in zip(self.sides, self.states, strict=True))
        if ours == theirs:
            return None
        if theirs:
            missing = "; ".join(self.sides[0].goal_reasons(self.states[0]))
            return Witness(
                Difference.WEAKER_GOAL, detail=f"the candidate's goal holds, the reference's does not: {missing}"
            )
        missing = "; ".join(self.sides[1].goal_reasons(self.states[1]))
        return Witness(
            Difference.STRONGER_GOAL, detail=f"the reference's goal holds, the candidate's does not: {missing}"
        )

    def differs_at(self, label: Step, step: Step | None) -> Witness | None:
        """The difference if one task allows a step (that changes something) and the other does not."""
        ours = not is_foreign(label) and self._changes(0, label)
        candidates = [step] if step is not None else []
        if step is None or (ours and not self._changes(1, step)):
            candidates += self._meant_by(label)  # another step of the same meaning may do what this one does not
        allowed = [item for item in candidates if self._changes(1, item)]
        if ours == bool(allowed):
            return None
        if ours:
            why = self._why_not(1, candidates)
            detail = f"the reference allows {label}, the candidate does not: {why}"
            return Witness(Difference.RESTRICTIVE, step=label, reference_step=label, detail=detail)
        meant = None if is_foreign(label) else label
        why = self._why_not(0, [label]) if meant else "the reference has no such step"
        detail = f"the candidate allows {allowed[0]}, the reference does not: {why}"
        return Witness(Difference.PERMISSIVE, step=allowed[0], reference_step=meant, detail=detail)

    def witness(self, found: Witness, joints: Sequence[Joint]) -> Witness:
        after = tuple(joint.label for joint in joints)
        other = tuple(joint.candidate for joint in joints)
        return Witness(found.difference, after, other, found.step, found.reference_step, found.detail)

    def _changes(self, side: int, step: Step) -> bool:
        simulator, state = self.sides[side], self.states[side]
        if simulator.task.domain.action_by_name.get(step.action) is None or simulator.applicable(state, step):
            return False
        return simulator.apply(state, step) != state

    def _why_not(self, side: int, steps: Sequence[Step]) -> str:
        if not steps:
            return "no action stands for it"
        reasons = self.sides[side].applicable(self.states[side], steps[0])
        return "; ".join(reasons) if reasons else "it would change nothing"

    def _meant_by(self, label: Step) -> list[Step]:
        """The candidate's steps that stand for a label; parameters that are projected away may be any object."""
        found = []
        names = {mine: other for other, mine in self.maps.objects.items()}
        everything = [item.name for item in self.candidate.objects]
        for action, match in self.maps.actions.items():
            if match.action != label.action or any(name not in names for name in label.args):
                continue
            schema = self.candidate.domain.action_by_name[action]
            fixed = {place: names[name] for place, name in zip(match.positions, label.args, strict=True)}
            open_ = [{**fixed}]
            for place in range(len(schema.parameters)):
                if place not in fixed:
                    open_ = [{**args, place: name} for args in open_ for name in everything][:10_000]
            found += [Step(action, tuple(args[place] for place in range(len(args)))) for args in open_]
        return [step for step in found if label_of(step, self.maps) == label]
