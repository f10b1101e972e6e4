from collections import defaultdict


def get_plan(objects, init, goal):
    SAT, INS = 0, 1          # a place is (SAT, satellite) or (INS, instrument)
    plan = []

    # ---------- reading the task ----------
    satellites = {n for n, t in objects if t == "satellite"}
    instruments = {n for n, t in objects if t == "instrument"}
    boards = defaultdict(set)      # instrument -> satellites
    supports = defaultdict(set)    # instrument -> modes
    targets = defaultdict(set)     # instrument -> calibration targets
    pointing = defaultdict(set)    # satellite -> directions (present)
    power = set()                  # occupied places (present)
    calibrated = set()             # instruments (present)
    images = set()                 # images that hold at the start
    adjacent = defaultdict(set)
    for f in init:
        p = f[0]
        if p == "on_board":
            instruments.add(f[1])
            satellites.add(f[2])
            boards[f[1]].add(f[2])
            adjacent[(INS, f[1])].add((SAT, f[2]))
            adjacent[(SAT, f[2])].add((INS, f[1]))
        elif p == "supports":
            supports[f[1]].add(f[2])
        elif p == "calibration_target":
            targets[f[1]].add(f[2])
        elif p == "pointing":
            pointing[f[1]].add(f[2])
        elif p == "power_avail":
            power.add((SAT, f[1]))
        elif p == "power_on":
            power.add((INS, f[1]))
        elif p == "calibrated":
            calibrated.add(f[1])
        elif p == "have_image":
            images.add((f[1], f[2]))

    want_pointing = defaultdict(set)
    want_calibrated = set()
    goal_places = set()
    missing = defaultdict(set)     # mode -> directions still to be photographed
    for f in goal:
        p = f[0]
        if p == "pointing":
            want_pointing[f[1]].add(f[2])
        elif p == "calibrated":
            want_calibrated.add(f[1])
        elif p == "power_avail":
            goal_places.add((SAT, f[1]))
        elif p == "power_on":
            goal_places.add((INS, f[1]))
        elif p == "have_image":
            if (f[1], f[2]) not in images:
                missing[f[2]].add(f[1])
    open_images = [sum(len(ds) for ds in missing.values())]

    satellites = sorted(satellites)
    instruments = sorted(instruments)
    boards = {i: sorted(v) for i, v in boards.items()}
    supports = {i: sorted(v) for i, v in supports.items()}
    targets = {i: sorted(v) for i, v in targets.items()}
    adjacent = {v: sorted(ws) for v, ws in adjacent.items()}

    # ---------- computed before moving ----------
    usable = {s for s in satellites if pointing.get(s)}
    carrier = {}
    for i in instruments:
        for s in boards.get(i, ()):
            if s in usable:
                carrier[i] = s
                break
    calibratable = {i for i in instruments if i in carrier and targets.get(i)}
    protected = {(INS, i) for i in want_calibrated
                 if i in calibrated and i not in calibratable}
    pinned = protected & goal_places

    # ---------- actions ----------
    def turn(s, new, old):
        plan.append("(turn_to %s %s %s)" % (s, new, old))
        pointing[s].discard(old)
        pointing[s].add(new)

    def switch_on(i, s):
        plan.append("(switch_on %s %s)" % (i, s))
        power.discard((SAT, s))
        power.add((INS, i))
        calibrated.discard(i)

    def switch_off(i, s):
        plan.append("(switch_off %s %s)" % (i, s))
        power.discard((INS, i))
        power.add((SAT, s))

    # ---------- procedures ----------
    def has_missing(i):
        return any(missing.get(m) for m in supports.get(i, ()))

    def point(s, d):
        if d in pointing[s]:
            return
        free = pointing[s] - want_pointing.get(s, set())
        turn(s, d, min(free) if free else min(pointing[s]))

    def calibrate(i):
        if i in calibrated or i not in calibratable:
            return
        s = carrier[i]
        choice = None
        for t in targets[i]:
            if t in pointing[s]:
                choice = t
                break
        if choice is None:
            modes = [m for m in supports.get(i, ()) if missing.get(m)]
            for t in targets[i]:
                if any(t in missing[m] for m in modes):
                    choice = t
                    break
        if choice is None:
            choice = targets[i][0]
        point(s, choice)
        plan.append("(calibrate %s %s %s)" % (s, i, choice))
        calibrated.add(i)

    def photograph(i):
        s = carrier[i]
        todo = defaultdict(list)
        for m in supports.get(i, ()):
            for d in missing.get(m, ()):
                todo[d].append(m)
        if not todo:
            return
        now = set(pointing[s])
        # the directions already pointed in come first, then listed order
        for d in sorted(todo, key=lambda x: (x not in now, x)):
            point(s, d)
            for m in todo[d]:
                plan.append("(take_image %s %s %s %s)" % (s, d, i, m))
                missing[m].discard(d)
                open_images[0] -= 1

    def find_route(g, is_start, key, dead=None):
        """Shortest route from a start to g, by breadth-first search from g."""
        if g in protected:
            return None
        after = {g: None}
        frontier = [g]
        while frontier:
            following = []
            starts = []
            for v in frontier:
                for w in adjacent.get(v, ()):
                    if w in after:
                        continue
                    after[w] = v
                    if is_start(w):
                        starts.append(w)
                    if w not in protected:
                        following.append(w)
            if starts:
                v = min(starts, key=key)
                route = []
                while v is not None:
                    route.append(v)
                    v = after[v]
                return route
            frontier = following
        if dead is not None:
            dead.update(after)
        return None

    def carry(route):
        for a, b in zip(route, route[1:]):
            if a[0] == SAT:
                i = b[1]
                switch_on(i, a[1])
                if (open_images[0] == 0 and i in want_calibrated
                        and i in calibratable):
                    calibrate(i)
            else:
                switch_off(a[1], b[1])

    def power_route(i, dead=None):
        return find_route(
            (INS, i),
            lambda v: v in power and v not in pinned,
            lambda v: (v in protected, v in goal_places, v),
            dead)

    # ---------- stage 1: on and calibrated ----------
    for i in instruments:
        if (INS, i) in power and i in calibrated and i in carrier:
            photograph(i)

    # ---------- stage 2: on, not calibrated ----------
    for i in instruments:
        if (INS, i) in power and i not in calibrated and i in calibratable:
            if has_missing(i):
                calibrate(i)
                photograph(i)

    # ---------- stage 3: the other instruments ----------
    while open_images[0] > 0:
        candidates = []
        for i in instruments:
            if i not in calibratable or (INS, i) in power:
                continue
            n = sum(len(missing[m]) for m in supports.get(i, ())
                    if m in missing)
            if n:
                has_free = any((SAT, s) in power for s in boards[i])
                candidates.append((-n, not has_free, i))
        candidates.sort()
        dead = set()
        chosen = None
        for _, _, i in candidates:
            if (INS, i) in dead:
                continue
            route = power_route(i, dead)
            if route is not None:
                chosen = i
                break
        if chosen is None:
            break                       # the remaining images are impossible
        carry(route)
        calibrate(chosen)
        photograph(chosen)

    # ---------- stage 4: demanded calibrations ----------
    for i in sorted(want_calibrated):
        if i in calibrated or i not in calibratable:
            continue
        if (INS, i) in power:
            calibrate(i)
            continue
        if (INS, i) in goal_places:
            continue                    # calibrated in stage 5
        route = power_route(i)
        if route is not None:
            carry(route)
            calibrate(i)                # does nothing if carry has done it

    # ---------- stage 5: demanded power ----------
    # A goal place without a route never gets one later (no round makes a new
    # occupied place outside the goal places), so one pass is enough.
    for g in sorted(goal_places):
        if g in power:
            continue
        route = find_route(
            g,
            lambda v: v in power and v not in goal_places,
            lambda v: (v in protected, v))
        if route is None:
            continue
        e = len(route) - 1
        for j in range(len(route) - 2, -1, -1):
            if route[j] in power:
                carry(route[j:e + 1])
                e = j

    # ---------- stage 6: demanded pointing ----------
    for s in sorted(want_pointing):
        wanted = want_pointing[s]
        for d in sorted(wanted):
            if d in pointing[s]:
                continue
            free = pointing[s] - wanted
            if not free:
                continue                # impossible
            turn(s, d, min(free))

    return plan
