"""Gripper: a robot carries balls between rooms, one with each of its grippers.

At every stop the robot first drops the balls that belong there, then picks up balls that must leave, rather such as go
where it goes anyway, or where other balls wait. Where it goes next:

1. to the target of a ball it carries, if balls wait there that a gripper will be free for;
2. with a gripper free, to where a ball waits for the target of one it carries;
3. with a gripper free, to a room that more balls leave than reach, or else to any where balls wait;
4. to the target of a ball it carries, rather one that no other ball still has to come to.

Balls that are carried at the start and belong nowhere are dropped when their gripper is wanted. Goals that want balls
in certain grippers, or the robot in a room, are seen to at the end. The time is nearly linear in the facts.
"""

from __future__ import annotations

from collections import Counter, defaultdict

Fact = tuple[str, ...]


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    target, gripper_for, last_room = read_goal(init, goal)
    robot = Robot(init, gripper_for)
    deliver(robot, target)
    hold(robot, gripper_for, {fact[1] for fact in goal if fact[0] == "free"})
    if last_room:
        robot.move(last_room)
    return robot.plan


class Robot:
    """The robot's room, what its grippers hold, the balls' rooms, and the plan so far."""

    def __init__(self, init: set[Fact], gripper_for: dict[str, str]) -> None:
        self.plan: list[str] = []
        self.rooms = arguments(init, "room")
        self.balls = arguments(init, "ball")
        here = sorted(arguments(init, "at-robby"))
        if not here:
            raise ValueError("The robot is nowhere: the start has no fact `at-robby`.")
        self.here = here[0]
        grippers = arguments(init, "gripper")
        self.free = sorted(arguments(init, "free") & grippers, reverse=True)
        self.gripper_of = {fact[1]: fact[2] for fact in sorted(init) if fact[0] == "carry" and fact[2] in grippers}
        self.room_of = {fact[1]: fact[2] for fact in sorted(init) if fact[0] == "at"}
        self.gripper_for = gripper_for

    def move(self, room: str) -> None:
        if room == self.here:
            return
        if room not in self.rooms or self.here not in self.rooms:
            raise ValueError(f"The robot cannot go from {self.here} to {room}.")
        self.plan.append(f"(move {self.here} {room})")
        self.here = room

    def pick(self, ball: str, gripper: str = "") -> None:
        if not self.free or ball not in self.balls or self.here not in self.rooms:
            raise ValueError(f"{ball} cannot be picked up at {self.here}.")
        gripper = gripper or self.free[-1]
        self.free.remove(gripper)
        self.plan.append(f"(pick {ball} {self.here} {gripper})")
        self.gripper_of[ball] = gripper
        del self.room_of[ball]

    def drop(self, ball: str) -> None:
        if ball not in self.balls or self.here not in self.rooms:
            raise ValueError(f"{ball} cannot be dropped at {self.here}.")
        gripper = self.gripper_of.pop(ball)
        self.plan.append(f"(drop {ball} {self.here} {gripper})")
        self.free.append(gripper)
        self.room_of[ball] = self.here

    def free_a_gripper(self, target: dict[str, str]) -> bool:
        """Whether a gripper is free, or has become so by a ball dropped that need not go anywhere."""
        if not self.free:
            idle = [ball for ball in sorted(self.gripper_of) if ball not in target]
            # A ball that is in the very gripper the goal wants it in is dropped only if nothing else helps.
            idle.sort(key=lambda ball: self.gripper_for.get(ball) == self.gripper_of[ball])
            at_rest = idle and self.gripper_for.get(idle[0]) == self.gripper_of[idle[0]]
            if idle and (not at_rest or len(idle) == len(self.gripper_of)):
                self.drop(idle[0])
        return bool(self.free)


class Waiting:
    """The balls that wait to be picked up, by room and target."""

    def __init__(self, room_of: dict[str, str], target: dict[str, str]) -> None:
        self.at: dict[str, dict[str, list[str]]] = defaultdict(dict)  # room -> target -> balls
        self.bound_for: dict[str, dict[str, int]] = defaultdict(dict)  # target -> room -> number of balls
        surplus: Counter[str] = Counter()
        for ball in sorted(target, reverse=True):
            room, to = room_of.get(ball, ""), target[ball]
            if room and room != to:
                self.at[room].setdefault(to, []).append(ball)
                self.bound_for[to][room] = self.bound_for[to].get(room, 0) + 1
                surplus[room] += 1
                surplus[to] -= 1
        self._rooms = sorted(self.at, key=lambda room: (surplus[room] > 0, room))  # the next one is at the end

    def take(self, room: str, carried: Counter[str], hands: int) -> str:
        """A ball that waits in a room, the one that suits best those that are carried (their number by target)."""

        def merit(to: str) -> tuple[bool, bool, int]:
            return carried[to] > 0, to in self.at, min(hands, len(self.at[room][to]))

        groups = self.at[room]
        to = max(groups, key=merit)
        ball = groups[to].pop()
        self.bound_for[to][room] -= 1
        if not groups[to]:
            del groups[to], self.bound_for[to][room]
        if not groups:
            del self.at[room]
        return ball

    def next_room(self) -> str:
        """A room where balls wait, of those that must start a trip if there are any; "" when none waits."""
        while self._rooms and self._rooms[-1] not in self.at:
            self._rooms.pop()
        return self._rooms[-1] if self._rooms else ""


def deliver(robot: Robot, target: dict[str, str]) -> None:
    """Bring all balls to their targets."""
    for ball in sorted(target):
        if ball not in robot.room_of and ball not in robot.gripper_of:
            raise ValueError(f"{ball} is nowhere, so that it cannot be brought to {target[ball]}.")
    waiting = Waiting(robot.room_of, target)
    while True:
        for ball in sorted(ball for ball in robot.gripper_of if target.get(ball) == robot.here):
            robot.drop(ball)
        carried = Counter(target[ball] for ball in robot.gripper_of if ball in target)
        while robot.here in waiting.at and robot.free_a_gripper(target):
            ball = waiting.take(robot.here, carried, len(robot.free))
            robot.pick(ball)
            carried[target[ball]] += 1
        room = next_stop(waiting, carried, robot.free_a_gripper(target) if waiting.at else False)
        if not room:
            return
        if not carried and not robot.free:
            raise ValueError("The robot has no gripper that it can use.")
        robot.move(room)


def next_stop(waiting: Waiting, carried: Counter[str], has_free: bool) -> str:
    """Where to go next (see the strategy above); "" when all is done."""
    targets = sorted(carried)
    for to in targets:
        if to in waiting.at:
            return to
    if has_free or not targets:
        for to in targets:
            if waiting.bound_for[to]:
                return min(waiting.bound_for[to])
        room = waiting.next_room()
        if room or not targets:
            return room
    return min(targets, key=lambda to: (bool(waiting.bound_for[to]), -carried[to], to))


def hold(robot: Robot, gripper_for: dict[str, str], to_free: set[str]) -> None:
    """Take the balls into the grippers where the goal wants them, and empty those that it wants free."""
    used = set(gripper_for.values())
    for ball, gripper in sorted(robot.gripper_of.items()):
        wanted = gripper_for.get(ball)
        if wanted != gripper and (wanted or gripper in used or gripper in to_free):
            robot.drop(ball)
    if to_free - set(robot.free):
        raise ValueError("A gripper that the goal wants free cannot be emptied.")
    missing = [ball for ball in gripper_for if ball not in robot.gripper_of]
    for ball in sorted(missing, key=lambda ball: (robot.room_of.get(ball) != robot.here, robot.room_of.get(ball, ""))):
        if ball not in robot.room_of or gripper_for[ball] not in robot.free:
            raise ValueError(f"{ball} cannot be taken into {gripper_for[ball]}.")
        robot.move(robot.room_of[ball])
        robot.pick(ball, gripper_for[ball])


def read_goal(init: set[Fact], goal: set[Fact]) -> tuple[dict[str, str], dict[str, str], str]:
    """Each ball's target, the gripper of each ball to be held in the end, and the robot's last room ("" for any)."""
    target: dict[str, str] = {}
    gripper_for: dict[str, str] = {}
    last_room = ""
    for fact in sorted(goal):
        if fact[0] in ("at", "carry"):
            wanted = target if fact[0] == "at" else gripper_for
            if fact[1] in target or fact[1] in gripper_for or (fact[0] == "carry" and fact[2] in wanted.values()):
                raise ValueError(f"The goal wants {fact[1]} in two places, or two balls in one gripper.")
            wanted[fact[1]] = fact[2]
        elif fact[0] == "at-robby":
            if last_room:
                raise ValueError("The goal wants the robot in two rooms.")
            last_room = fact[1]
        elif fact[0] == "free":
            if any(other[0] == "carry" and other[2] == fact[1] for other in goal):
                raise ValueError(f"The goal wants {fact[1]} both free and in use.")
        elif fact not in init:
            raise ValueError(f"No action brings about ({' '.join(fact)}).")
    return target, gripper_for, last_room


def arguments(facts: set[Fact], predicate: str) -> set[str]:
    """The objects that a predicate of one argument holds of."""
    return {fact[1] for fact in facts if fact[0] == predicate}
