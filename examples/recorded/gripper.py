from collections import defaultdict


def get_plan(objects, init, goal):
    # Step 0: nothing to do
    if all(fact in init for fact in goal):
        return []

    rooms, balls, grippers = set(), set(), set()
    robby = set()                    # rooms where Robby is
    free = set()                     # free grippers
    at = defaultdict(set)            # ball -> rooms
    carry = defaultdict(set)         # gripper -> balls
    for fact in init:
        p = fact[0]
        if p == "room":
            rooms.add(fact[1])
        elif p == "ball":
            balls.add(fact[1])
        elif p == "gripper":
            grippers.add(fact[1])
        elif p == "at-robby":
            robby.add(fact[1])
        elif p == "free":
            free.add(fact[1])
        elif p == "at":
            at[fact[1]].add(fact[2])
        elif p == "carry":
            carry[fact[2]].add(fact[1])

    want_at = defaultdict(set)       # ball -> wanted rooms
    want_carry = set()               # (ball, gripper)
    want_robby = set()
    for fact in goal:
        p = fact[0]
        if p == "at":
            want_at[fact[1]].add(fact[2])
        elif p == "carry":
            want_carry.add((fact[1], fact[2]))
        elif p == "at-robby":
            want_robby.add(fact[1])

    plan = []
    gripper_order = sorted(grippers)

    def first(items):
        return min(items, default=None)

    def here():
        return first(robby & rooms)

    def move(a, b):
        plan.append("(move %s %s)" % (a, b))
        robby.discard(a)
        robby.add(b)

    def go_to(r):
        if r not in robby:
            move(here(), r)

    def pick(b, r, g):
        plan.append("(pick %s %s %s)" % (b, r, g))
        at[b].discard(r)
        free.discard(g)
        carry[g].add(b)

    def drop(b, r, g):
        plan.append("(drop %s %s %s)" % (b, r, g))
        carry[g].discard(b)
        at[b].add(r)
        free.add(g)

    def source(b):
        # first room where b lies without being wanted there
        return first((at[b] & rooms) - want_at[b])

    if here() is None:               # without Robby no action is possible
        return plan

    # Step 1: empty the grippers
    for g in gripper_order:
        for b in sorted(carry[g] & balls):
            if (b, g) in want_carry:
                continue
            r = first((want_at[b] & rooms) - at[b])
            if r is not None:
                go_to(r)
                drop(b, r, g)
            else:
                drop(b, here(), g)

    # Step 2: bring the balls to their wanted rooms
    wanted_places = sorted((b, r) for b, rs in want_at.items() for r in rs)
    g = first(free & grippers)       # stays the first free one: it is free again after every delivery
    for b, r in wanted_places:
        if r in at[b] or b not in balls or r not in rooms:
            continue
        if g is None:
            for k in gripper_order:
                held = carry[k] & balls
                if held:
                    g = k
                    drop(first(held), here(), g)
                    break
            if g is None:            # no usable gripper at all
                break
        s = source(b)
        if s is None:
            continue
        go_to(s)
        pick(b, s, g)
        go_to(r)
        drop(b, r, g)

    # Step 3: take up the balls that are wanted in a gripper
    for b, k in sorted(want_carry):
        if b in carry[k] or b not in balls or k not in grippers or k not in free:
            continue
        s = source(b)
        if s is None:
            continue
        go_to(s)
        pick(b, s, k)

    # Step 4: bring Robby to his wanted room
    for r in sorted(want_robby):
        if r in robby or r not in rooms:
            continue
        h = first((robby & rooms) - want_robby)
        if h is not None:
            move(h, r)

    return plan
