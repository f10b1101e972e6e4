"""Blocksworld: rebuild towers of blocks with one hand.

A block is settled when it need not move any more: all below it is settled, it stands where the goal wants it (or the
goal does not care), and its place is not wanted for another block. Then, as long as blocks are not settled:

1. A clear block whose place is ready (the table, or a settled clear block) moves there, once and for all. A block the
   goal says nothing of goes to the table.
2. A block that stands somewhere above the place it must go to has to make way first: to the table.
3. Else the towers wait for each other in a circle: the top of one of them goes to the table.

So each block moves at most twice. This is the strategy GN1 of Slaney and Thiebaux ("Blocks World revisited", 2001),
for goals that may be partial, and may speak of the hand. The time is linear but for the circles.
"""

from __future__ import annotations

from collections import deque

Fact = tuple[str, ...]
TABLE = ""  # no object has an empty name


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    world = World(init, goal)
    world.empty_hand()
    world.settle_all()
    if world.to_hold:
        world.lift(world.to_hold)
    return as_far_as_needed(world.plan, init, goal)


class World:
    """The towers as they stand, what the goal wants of each block, and the plan so far."""

    def __init__(self, init: set[Fact], goal: set[Fact]) -> None:
        self.plan: list[tuple[str, ...]] = []
        self.held, self.towers = read_towers(init)
        self.blocks = sorted([block for tower in self.towers for block in tower] + [self.held] * bool(self.held))
        self.tower_of = {block: tower for tower in self.towers for block in tower}
        self.target, self.wanted_on, self.to_hold = read_goal(goal, set(self.blocks))
        self.keep_clear = {fact[1] for fact in goal if fact[0] == "clear"}
        self.settled: set[str] = set()
        for tower in self.towers:
            self._settle_bottom(tower)
        self.in_the_way = self._blocks_above_their_place()
        self.todo: deque[str] = deque()
        self.waiting: dict[str, None] = {}  # used as an ordered set

    def _settle_bottom(self, tower: list[str]) -> None:
        """Note which blocks of a tower can stay, from the table up to the first that cannot."""
        below = TABLE
        for block in tower:
            if below and below == self.to_hold:
                return
            if block == self.to_hold:
                if self.wanted_on.get(below) is None:
                    self.settled.add(block)  # it stays until it is lifted as the last step
                return
            fits = self.target.get(block) in (None, below)
            if below and self.wanted_on.get(below, block) != block:
                fits = False
            if not fits or below in self.keep_clear:
                return
            self.settled.add(block)
            below = block

    def _blocks_above_their_place(self) -> set[str]:
        """Blocks that stand above a block which their goal tower has below them: they must move twice."""
        height = {block: level for tower in self.towers for level, block in enumerate(tower)}
        found = set()
        for bottom in self.blocks:
            if self.target.get(bottom):
                continue
            lowest: dict[int, int] = {}  # tower -> the lowest level of the goal tower's blocks there
            block: str | None = bottom
            while block is not None:
                if block in self.tower_of:
                    tower, level = id(self.tower_of[block]), height[block]
                    if lowest.get(tower, level) < level and block not in self.settled:
                        found.add(block)
                    lowest[tower] = min(level, lowest.get(tower, level))
                block = self.wanted_on.get(block)
        return found

    def is_clear(self, block: str) -> bool:
        return block in self.tower_of and self.tower_of[block][-1] == block

    def ready_place(self, block: str) -> str | None:
        """Where a block can go for good right now, if anywhere."""
        place = self.target.get(block, TABLE)
        if place == TABLE or (place in self.settled and self.is_clear(place)):
            return place
        return None

    def empty_hand(self) -> None:
        """Put down what is held at the start."""
        if self.held:
            place = self.ready_place(self.held)
            self.put(self.held, TABLE if place is None else place, place is not None)

    def settle_all(self) -> None:
        self.todo.extend(sorted(tower[-1] for tower in self.towers if tower))
        while self.todo or self.waiting:
            if not self.todo:
                self.move(self.top_in_a_circle(), TABLE, settles=False)
                continue
            block = self.todo.popleft()
            if block in self.settled or not self.is_clear(block):
                continue
            place = self.ready_place(block)
            if place is not None:
                self.move(block, place, settles=True)
            elif block in self.in_the_way:
                self.move(block, TABLE, settles=False)
            else:
                self.waiting[block] = None

    def top_in_a_circle(self) -> str:
        """One of the tops that wait for each other. A top waits for the tower that its place is in."""
        block = next(iter(self.waiting))
        seen: dict[str, int] = {}
        while block not in seen:
            seen[block] = len(seen)
            block = self.tower_of[self.target[block]][-1]
        circle = list(seen)[seen[block] :]
        return next(block for block in circle if len(self.tower_of[block]) > 1)

    def move(self, block: str, place: str, settles: bool) -> None:
        self.waiting.pop(block, None)
        self.in_the_way.discard(block)
        below = self.lift(block)
        self.put(block, place, settles)
        if below:
            self.wake(below)

    def lift(self, block: str) -> str:
        """Take a clear block into the hand; what it stood on is returned."""
        tower = self.tower_of.pop(block)
        tower.pop()
        if not tower:
            self.plan.append(("pick-up", block))
            return TABLE
        self.plan.append(("unstack", block, tower[-1]))
        return tower[-1]

    def put(self, block: str, place: str, settles: bool) -> None:
        if place:
            self.plan.append(("stack", block, place))
            self.tower_of[block] = self.tower_of[place]
        else:
            self.plan.append(("put-down", block))
            self.tower_of[block] = []
        self.tower_of[block].append(block)
        if settles:
            self.settled.add(block)
        self.wake(block)

    def wake(self, block: str) -> None:
        """A block has become clear or settled: it may move now, or the one that is wanted on it."""
        self.todo.append(block)
        if block in self.wanted_on:
            self.todo.append(self.wanted_on[block])


def read_towers(init: set[Fact]) -> tuple[str, list[list[str]]]:
    """The held block ("" for none) and the towers, bottom first."""
    above: dict[str, str] = {}
    for fact in sorted(init):
        if fact[0] == "on":
            if fact[2] in above:
                raise ValueError(f"The start has two blocks on {fact[2]}.")
            above[fact[2]] = fact[1]
    towers = []
    for fact in sorted(init):
        if fact[0] == "ontable":
            towers.append([fact[1]])
            while towers[-1][-1] in above:
                towers[-1].append(above[towers[-1][-1]])
    held = sorted(fact[1] for fact in init if fact[0] == "holding")
    placed = [block for tower in towers for block in tower] + held
    clear = {fact[1] for fact in init if fact[0] == "clear"}
    sound = len(placed) == len(set(placed)) and len(placed) == len(towers) + len(above) + len(held)
    if not sound or clear != {tower[-1] for tower in towers} or len(held) + (("handempty",) in init) != 1:
        raise ValueError("The start is no state of blocks in towers and one hand.")
    return (held[0] if held else ""), towers


def read_goal(goal: set[Fact], blocks: set[str]) -> tuple[dict[str, str], dict[str, str], str]:
    """Where blocks shall stand, which block shall stand on a block, and the block to be held in the end, if any."""
    target: dict[str, str] = {}
    wanted_on: dict[str, str] = {}
    for predicate, *args in sorted(goal):
        if not blocks.issuperset(args):
            raise ValueError(f"The goal names {' '.join(args)}, but there are not all such blocks.")
        if predicate in ("on", "ontable"):
            place = args[1] if predicate == "on" else TABLE
            if args[0] in target or place in wanted_on:
                raise ValueError(f"The goal wants {args[0]} in two places, or two blocks on one.")
            target[args[0]] = place
            if place:
                wanted_on[place] = args[0]
    to_hold = sorted(fact[1] for fact in goal if fact[0] == "holding")
    held = to_hold[0] if to_hold else ""
    if len(to_hold) > 1 or (held and (held in target or held in wanted_on or ("handempty",) in goal)):
        raise ValueError(f"The goal wants {held} held and something that goes against it.")
    for fact in goal:
        if fact[0] == "clear" and (fact[1] in wanted_on or fact[1] == held):
            raise ValueError(f"The goal wants {fact[1]} both clear and not clear.")
    refuse_rings(target)
    return target, wanted_on, held


def refuse_rings(target: dict[str, str]) -> None:
    """Raise ValueError where the goal stacks blocks in a ring, which no tower can be."""
    sound: set[str] = set()
    for block in target:
        walked: list[str] = []
        on_walk: set[str] = set()
        while block in target and block not in sound:
            if block in on_walk:
                raise ValueError(f"The goal wants {block} above itself.")
            walked.append(block)
            on_walk.add(block)
            block = target[block]
        sound.update(walked)


def as_far_as_needed(plan: list[tuple[str, ...]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan up to the first moment at which the goal holds: the last block may not have to be put down."""
    missing = set(goal) - set(init)
    for number, (action, block, *other) in enumerate(plan, 1):
        place = ("on", block, other[0]) if other else ("ontable", block)
        at_rest = {("clear", block), place, ("handempty",)}
        in_hand = {("holding", block)}
        covered = {("clear", other[0])} if other else set()
        lifts = action in ("pick-up", "unstack")
        deleted = at_rest if lifts else in_hand | covered
        added = in_hand | covered if lifts else at_rest
        missing |= deleted & goal
        missing -= added
        if not missing:
            return ["(" + " ".join(step) + ")" for step in plan[:number]]
    raise ValueError("The goal cannot be reached: it contradicts itself.")
