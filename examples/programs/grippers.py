"""Grippers: robots carry balls between rooms, one with each gripper they have.

One robot works at a time. It goes on until its grippers are empty; then a robot takes over that stands where balls
wait, as it is there without a move, or that carries balls from the start. At every stop the robot first drops the balls
that belong there, then picks up balls that must leave, rather such as go where it goes anyway, or where other balls
wait. Where it goes next:

1. to the target of a ball it carries, if balls wait there that a gripper will be free for;
2. with a gripper free, to where a ball waits for the target of one it carries;
3. with a gripper free, to a room that more balls leave than reach, or else to any where balls wait;
4. to the target of a ball it carries, rather one that no other ball still has to come to.

Balls that are carried at the start and belong nowhere are dropped when their gripper is wanted. Goals that want balls
in certain grippers, or robots in rooms, are seen to at the end. The time is nearly linear in the facts.
"""

from __future__ import annotations

from collections import Counter, defaultdict

Fact = tuple[str, ...]
Hand = tuple[str, str]  # robot and gripper


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    target, hand_for, last_room = read_goal(init, goal)
    plan: list[str] = []
    room_of = {fact[1]: fact[2] for fact in sorted(init) if fact[0] == "at"}
    robots = [Robot(fact[1], fact[2], init, room_of, hand_for, plan) for fact in sorted(init) if fact[0] == "at-robby"]
    for ball in sorted(target):
        if ball not in room_of and not any(ball in robot.gripper_of for robot in robots):
            raise ValueError(f"{ball} is nowhere, so that it cannot be brought to {target[ball]}.")
    deliver(robots, Waiting(room_of, target), target)
    hold(robots, hand_for, {(fact[1], fact[2]) for fact in goal if fact[0] == "free"})
    for robot in robots:
        robot.move(last_room.pop(robot.name, robot.here))
    if last_room:
        raise ValueError(f"{min(last_room)} is in no room, so that it cannot go to one.")
    return plan


class Robot:
    """A robot's room and what its grippers hold. The balls' rooms and the plan so far are shared by all robots."""

    def __init__(
        self, name: str, here: str, init: set[Fact], room_of: dict[str, str], hand_for: dict[str, Hand], plan: list[str]
    ) -> None:
        self.name, self.here, self.room_of, self.hand_for, self.plan = name, here, room_of, hand_for, plan
        mine = sorted(fact for fact in init if fact[1:2] == (name,))
        self.free = [fact[2] for fact in reversed(mine) if fact[0] == "free"]
        self.gripper_of = {fact[2]: fact[3] for fact in mine if fact[0] == "carry"}

    def move(self, room: str) -> None:
        if room != self.here:
            self.plan.append(f"(move {self.name} {self.here} {room})")
            self.here = room

    def pick(self, ball: str, gripper: str = "") -> None:
        gripper = gripper or self.free[-1]
        self.free.remove(gripper)
        self.plan.append(f"(pick {self.name} {ball} {self.here} {gripper})")
        self.gripper_of[ball] = gripper
        del self.room_of[ball]

    def drop(self, ball: str) -> None:
        gripper = self.gripper_of.pop(ball)
        self.plan.append(f"(drop {self.name} {ball} {self.here} {gripper})")
        self.free.append(gripper)
        self.room_of[ball] = self.here

    def is_where_wanted(self, ball: str) -> bool:
        """Whether a ball is in the very gripper where the goal wants it."""
        return self.hand_for.get(ball) == (self.name, self.gripper_of[ball])

    def free_a_gripper(self, target: dict[str, str]) -> bool:
        """Whether a gripper is free, or has become so by a ball dropped that need not go anywhere.

        A ball that is in the gripper where the goal wants it is dropped only if nothing else helps.
        """
        if not self.free:
            idle = sorted((self.is_where_wanted(ball), ball) for ball in self.gripper_of if ball not in target)
            if idle and (not idle[0][0] or len(idle) == len(self.gripper_of)):
                self.drop(idle[0][1])
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


def deliver(robots: list[Robot], waiting: Waiting, target: dict[str, str]) -> None:
    """Bring all balls to their targets."""
    able = [robot for robot in robots if robot.free or robot.gripper_of]
    # With a free gripper first, so that a wanted ball is not dropped without need.
    able.sort(key=lambda robot: not robot.free and all(map(robot.is_where_wanted, robot.gripper_of)))
    robot = next((robot for robot in able if robot.here in waiting.at), able[0] if able else None)
    while robot is not None:
        for ball in sorted(ball for ball in robot.gripper_of if target.get(ball) == robot.here):
            robot.drop(ball)
        carried = Counter(target[ball] for ball in robot.gripper_of if ball in target)
        while robot.here in waiting.at and robot.free_a_gripper(target):
            ball = waiting.take(robot.here, carried, len(robot.free))
            robot.pick(ball)
            carried[target[ball]] += 1
        other = None if carried else takes_over(able, waiting, target)
        if other is not None:
            robot = other
            continue
        room = next_stop(waiting, carried, robot.free_a_gripper(target) if waiting.at else False)
        if not room:
            return
        robot.move(room)
    if waiting.at:
        raise ValueError("No robot has a gripper.")


def takes_over(able: list[Robot], waiting: Waiting, target: dict[str, str]) -> Robot | None:
    """A robot that stands where balls wait, or that carries balls that belong somewhere."""
    for robot in able:
        if robot.here in waiting.at or not target.keys().isdisjoint(robot.gripper_of):
            return robot
    return None


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


def hold(robots: list[Robot], hand_for: dict[str, Hand], to_free: set[Hand]) -> None:
    """Take the balls into the grippers where the goal wants them, and empty those that it wants free."""
    wanted = {*hand_for.values(), *to_free}
    for robot in robots:
        for ball, gripper in sorted(robot.gripper_of.items()):
            if not robot.is_where_wanted(ball) and (ball in hand_for or (robot.name, gripper) in wanted):
                robot.drop(ball)
    free = {(robot.name, gripper) for robot in robots for gripper in robot.free}
    held = {ball for robot in robots for ball in robot.gripper_of}
    missing = {ball: hand for ball, hand in hand_for.items() if ball not in held}
    if to_free - free or set(missing.values()) - free:
        raise ValueError("A gripper that the goal speaks of cannot be emptied, or there is no such gripper.")
    for robot in robots:
        mine = {ball: gripper for ball, (name, gripper) in missing.items() if name == robot.name}
        if mine.keys() - robot.room_of.keys():
            raise ValueError(f"{min(mine.keys() - robot.room_of.keys())} is nowhere, so that it cannot be picked up.")
        for ball in sorted(mine, key=lambda ball: (robot.room_of[ball] != robot.here, robot.room_of[ball], ball)):
            robot.move(robot.room_of[ball])
            robot.pick(ball, mine[ball])


def read_goal(init: set[Fact], goal: set[Fact]) -> tuple[dict[str, str], dict[str, Hand], dict[str, str]]:
    """Each ball's target, the hand of each ball to be held in the end, and the last rooms of robots."""
    target: dict[str, str] = {}
    hand_for: dict[str, Hand] = {}
    last_room: dict[str, str] = {}
    for fact in sorted(goal):
        if fact[0] == "at":
            if fact[1] in target:
                raise ValueError(f"The goal wants {fact[1]} in two places.")
            target[fact[1]] = fact[2]
        elif fact[0] == "carry":
            if fact[2] in target or fact[2] in hand_for or (fact[1], fact[3]) in hand_for.values():
                raise ValueError(f"The goal wants {fact[2]} in two places, or two balls in one gripper.")
            hand_for[fact[2]] = (fact[1], fact[3])
        elif fact[0] == "at-robby":
            if fact[1] in last_room:
                raise ValueError(f"The goal wants {fact[1]} in two rooms.")
            last_room[fact[1]] = fact[2]
        elif fact[0] != "free" and fact not in init:
            raise ValueError(f"No action brings about ({' '.join(fact)}).")
    for fact in sorted(goal):
        if fact[0] == "free" and (fact[1], fact[2]) in hand_for.values():
            raise ValueError(f"The goal wants {fact[2]} of {fact[1]} both free and in use.")
    return target, hand_for, last_room
