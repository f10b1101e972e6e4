"""Beluga: parts arrive in a fixed order, wait on racks, and are processed in the order of the production line.

A rack is a row of parts: the aeroplane's truck works at its left end, the factory's truck at its right end, and the
parts' sizes together must fit. A part is in the way if a part to its left is needed before it.

Policy: a part that is needed next and lies at a right end is processed at once. For everything else a best-first
search looks at where to put the next arrival, and which parts to take from the rack of the needed part; it prefers
states with few steps still to do, two for each part that is in the way. If that leads nowhere, a second search may take
any part from any rack. The search is bounded: a very tight task may stay unsolved. So may one whose only plans use
that the domain forgets, after the factory's truck put a part back, that the part before it is no longer at the end.
"""

from heapq import heappop, heappush

MOST_STATES = (20000, 60000)  # States that the narrow and the wide search may look at.
NOTHING, ZERO = "nonep", "n00"


def get_plan(objects, init, goal):
    missing = sorted(goal - init)
    if not missing:
        return []
    if any(fact[0] != "processed" for fact in missing):
        raise ValueError("This program processes parts; it can make nothing else true.")
    yard = Yard(objects, init, {fact[1] for fact in missing})
    for wide in (False, True):
        plan = search(yard, wide)
        if plan is not None:
            return plan
    raise ValueError("No order of storing and processing was found: there is none, or the racks are too tight.")


def search(yard, wide):
    """Weighted A*: the plan, or None."""
    start = yard.start()
    came_from = {start: None}
    steps_to = {start: 0}
    heap = [(0, 0, start)]
    count = 0
    while heap and count < MOST_STATES[wide]:
        _, _, state = heappop(heap)
        if yard.is_done(state):
            parts = []
            while came_from[state]:
                state, steps = came_from[state]
                parts.append(steps)
            return [step for steps in reversed(parts) for step in steps]
        for steps, following in yard.moves(state, wide):
            made = steps_to[state] + len(steps)
            if following not in steps_to or made < steps_to[following]:
                count += 1
                steps_to[following] = made
                came_from[following] = (state, steps)
                heappush(heap, (made + 3 * yard.steps_left(following), -count, following))
    return None


class Yard:
    """What never changes. A state is (arriving, lines, called, left, right, racks, processed):

    the part that can be unloaded, the next part of every line, the part called for (or `nonep`), the parts on the two
    trucks (or None), for every rack its parts from left to right and its level, and the parts that were processed.
    """

    def __init__(self, objects, init, wanted):
        facts = {}
        for fact in sorted(init):
            facts.setdefault(fact[0], []).append(fact[1:])
        self.facts = facts
        kinds = {}
        for name, kind in sorted(objects):
            kinds.setdefault(kind, []).append(name)
        empty = {truck for (truck,) in facts.get("empty", ())}
        loads = [(truck, part) for part, truck in facts.get("on-truck", ())]
        self.left, self.left_load = first_truck(kinds.get("beluga-truck", ()), empty, loads)
        self.right, self.right_load = first_truck(kinds.get("fab-truck", ()), empty, loads)
        self.size = dict(facts.get("size", ()))
        self.more = {(level, size): total for level, size, total in facts.get("fit-n-sum", ())}
        self.less = {(total, size): level for level, size, total in facts.get("fit-n-sum", ())}
        self.next_arrival = dict(facts.get("next-to-unload", ()))
        self.line_names = [line for line, _ in facts.get("p-line-next", ())]
        self.next_in_line = dict(facts.get("p-line-succ", ()))
        self.levels = dict(facts.get("level", ()))
        self.rack_names = sorted(self.levels)
        self.read_wishes(wanted)
        self.known_blocks = {}

    def read_wishes(self, wanted):
        """When each part is needed, as far as the lines have to run for the wanted parts."""
        self.turn, self.ends = {}, {}
        called = [part for (part,) in self.facts.get("needed-next", ()) if part != NOTHING]
        for part in called:
            self.turn[part] = -1
        for line, part in self.facts.get("p-line-next", ()):
            order = []
            while part != NOTHING and part not in order:
                order.append(part)
                part = self.next_in_line.get(part, NOTHING)
            last = max((at for at, one in enumerate(order) if one in wanted), default=-1)
            self.turn.update({one: at for at, one in enumerate(order[: last + 1])})
            self.ends[line] = last
        lost = sorted(part for part in wanted if part not in self.turn)
        if lost:
            raise ValueError(f"{lost[0]} is on no production line.")
        self.wanted = wanted

    def start(self):
        arriving = next((part for (part,) in self.facts.get("ready-to-unload", ())), NOTHING)
        called = next((part for (part,) in self.facts.get("needed-next", ())), None)
        lines = tuple(part for _, part in self.facts.get("p-line-next", ()))
        pairs = self.facts.get("rack-succ", ())
        racks = []
        for rack in self.rack_names:
            parts = [part for name, part in self.facts.get("on-rack", ()) if name == rack]
            follows = {left: right for left, right in pairs if left in parts}
            first = [part for part in parts if part not in follows.values()]
            row = first[:1]
            while row and row[-1] in follows:
                row.append(follows[row[-1]])
            racks.append((tuple(row), self.levels[rack]))
        return (arriving, lines, called, self.left_load, self.right_load, tuple(racks), frozenset())

    def is_done(self, state):
        return self.wanted <= state[6]

    def steps_left(self, state):
        """Steps still to do: two for an arrival, three for a part to process, two for each part in the way."""
        arriving, _, _, left, right, racks, processed = state
        total = 3 * (len(self.turn) - len(processed))
        if len(processed) < len(self.turn):
            part, waiting, most = arriving, 0, 0
            while part != NOTHING:
                waiting += 2
                if part in self.turn and part not in processed:
                    most = waiting
                part = self.next_arrival.get(part, NOTHING)
            total += most
        return total + (left is not None) + (right is not None) + sum(self.in_the_way(row) for row, _ in racks)

    def in_the_way(self, row):
        """Two for each part of a row that is needed after some part to its left, or never."""
        if row not in self.known_blocks:
            steps, first = 0, None
            for part in row:
                turn = self.turn.get(part, len(self.turn))
                if first is not None and turn > first:
                    steps += 2
                first = turn if first is None else min(first, turn)
            self.known_blocks[row] = steps
        return self.known_blocks[row]

    # --- moves: pairs of steps and the state after them ---

    def moves(self, state, wide):
        arriving, lines, called, left, right, racks, processed = state
        done = list(self.process(state))
        if done:
            return done
        found = []
        if left is not None:
            found += self.put(state, "left")
        if right is not None:
            found += self.put(state, "right")
        if found and not wide:
            return found
        if left is None and self.left and arriving in self.size:
            following = self.next_arrival.get(arriving)
            if following:
                step = f"(unload-from-beluga {arriving} {following} {self.left})"
                found.append(([step], (following, lines, called, arriving, right, racks, processed)))
        needed = {called} if called != NOTHING else set(lines)
        for at, (row, _) in enumerate(racks):
            if row and (wide or needed & set(row)):
                found += self.take(state, at, "left") if left is None and self.left else ()
                found += self.take(state, at, "right") if right is None and self.right else ()
        return found

    def process(self, state):
        """Process a needed part that can be got at: it never helps to wait."""
        arriving, lines, called, left, right, racks, processed = state
        for part in (called,) if called != NOTHING else lines:
            steps, after = [], lines
            if called == NOTHING:
                at = lines.index(part)
                if part == NOTHING or part not in self.turn:
                    continue
                following = self.next_in_line[part]
                steps.append(f"(set-next {self.line_names[at]} {part} {following})")
                after = (*lines[:at], following, *lines[at + 1 :])
            last = f"(to-fab {self.right} {part})"
            done = processed | {part}
            if right == part:
                yield [*steps, last], (arriving, after, NOTHING, left, None, racks, done)
                return
            for rack, (row, _) in enumerate(racks) if right is None and self.right else ():
                if row and row[-1] == part:
                    for taken, state_after in self.take(state, rack, "right"):
                        yield [*steps, *taken, last], (arriving, after, NOTHING, left, None, state_after[5], done)
                        return

    def take(self, state, at, side):
        """A part from the end of a rack onto the truck of that side."""
        arriving, lines, called, left, right, racks, processed = state
        row, level = racks[at]
        rack, truck = self.rack_names[at], self.left if side == "left" else self.right
        part, rest = (row[0], row[1:]) if side == "left" else (row[-1], row[:-1])
        size = self.size[part]
        if rest:
            lower = self.less.get((level, size))
            beside = rest[0] if side == "left" else rest[-1]
            if side == "left":
                step = f"(put-on-truck-beluga {truck} {part} {rack} {beside} {size} {lower} {level})"
            else:
                step = f"(put-on-truck-fab {truck} {rack} {part} {beside} {size} {level} {lower})"
        else:
            lower = ZERO if level == size and (side == "right" or self.more.get((ZERO, size)) == size) else None
            step = f"(put-on-truck-first-beluga {truck} {part} {rack} {size})"
            if side == "right":
                step = f"(put-on-truck-fab-last {truck} {rack} {part} {size} {ZERO} {ZERO})"
        if lower is not None:
            racks = (*racks[:at], (rest, lower), *racks[at + 1 :])
            loads = (part, right) if side == "left" else (left, part)
            yield [step], (arriving, lines, called, *loads, racks, processed)

    def put(self, state, side):
        """The part of a truck to the end of each rack that has room; of several empty racks, to the first."""
        arriving, lines, called, left, right, racks, processed = state
        part, truck = (left, self.left) if side == "left" else (right, self.right)
        loads = (None, right) if side == "left" else (left, None)
        size, found, seen_empty = self.size[part], [], False
        for at, (row, level) in enumerate(racks):
            rack, total = self.rack_names[at], self.more.get((level, size))
            if not row:
                if seen_empty or level != ZERO or (side == "left" and total != size):
                    continue
                seen_empty = True
                step = f"(put-on-rack-first-beluga {truck} {part} {rack} {size})"
                if side == "right":
                    step, total = f"(put-on-rack-fab-last {truck} {rack} {part} {size} {ZERO} {ZERO})", size
            elif total is None:
                continue
            elif side == "left":
                step = f"(put-on-rack-beluga {truck} {part} {rack} {row[0]} {size} {level} {total})"
            else:
                step = f"(put-on-rack-fab {truck} {rack} {part} {row[-1]} {size} {total} {level})"
            longer = (part, *row) if side == "left" else (*row, part)
            after = (*racks[:at], (longer, total), *racks[at + 1 :])
            found.append(([step], (arriving, lines, called, *loads, after, processed)))
        return found


def first_truck(trucks, empty, loads):
    """A truck to work with, and the part that it carries: an empty one, or else a loaded one."""
    for truck in trucks:
        if truck in empty:
            return truck, None
    for truck, part in loads:
        if truck in trucks:
            return truck, part
    return None, None
