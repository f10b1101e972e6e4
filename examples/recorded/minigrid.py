from collections import deque, defaultdict


def get_plan(objects, init, goal):
    if all(f in init for f in goal):
        return []

    # ---------- reading the task ----------
    by = defaultdict(list)
    for f in sorted(init):
        by[f[0]].append(f[1:])
    want = defaultdict(list)
    for f in sorted(goal):
        want[f[0]].append(f[1:])

    declared = {a[0] for a in by["place"]}
    keys = sorted({a[0] for a in by["key"]})
    keyset = set(keys)
    shapeset = {a[0] for a in by["shape"]}

    used = set(declared)
    for d in (by, want):
        for pr in ("open", "locked", "at-robot"):
            used.update(a[0] for a in d[pr])
        used.update(a[1] for a in d["at"])
    names = sorted(used)
    idx = {x: i for i, x in enumerate(names)}
    n = len(names)

    succ = [[] for _ in range(n)]
    pred = [[] for _ in range(n)]
    for a, b in by["conn"]:
        if a in declared and b in declared:
            succ[idx[a]].append(idx[b])
            pred[idx[b]].append(idx[a])
    for lst in succ:
        lst.sort()
    for lst in pred:
        lst.sort()

    kshapes = {k: [] for k in keys}
    for k, s in by["key-shape"]:
        if k in keyset and s in shapeset:
            kshapes[k].append(s)
    lshapes = [[] for _ in range(n)]
    for x, s in by["lock-shape"]:
        if x in idx and s in shapeset:
            lshapes[idx[x]].append(s)

    opn = bytearray(n)
    for a in by["open"]:
        opn[idx[a[0]]] = 1
    locked0 = {idx[a[0]] for a in by["locked"]}

    at_goals = [(k, idx[x]) for k, x in want["at"]]
    goal_place = {}
    for k, x in at_goals:
        goal_place.setdefault(k, x)
    robot_goals = [idx[a[0]] for a in want["at-robot"]]
    hold_goals = [a[0] for a in want["holding"]]
    open_goals = [idx[a[0]] for a in want["open"]]
    locked_goals = [idx[a[0]] for a in want["locked"]]
    want_empty = bool(want["arm-empty"])
    keep = set(locked_goals)
    goal_keys = set(goal_place) | set(hold_goals)

    lockable = bytearray(n)
    for x in locked0:
        if x not in keep and not opn[x]:
            lockable[x] = 1
    locksucc = [[q for q in succ[p] if lockable[q]] for p in range(n)]

    if not by["at-robot"]:
        return []
    here = idx[by["at-robot"][0][0]]
    pos = {}
    for k, x in by["at"]:
        pos.setdefault(k, idx[x])

    plan = []

    # ---------- odd start ----------
    held = None
    arm_empty = bool(by["arm-empty"])
    held_list = sorted(a[0] for a in by["holding"] if a[0] in keyset)
    if len(held_list) > 1 or (held_list and arm_empty):
        for k in held_list:
            plan.append("(putdown %s %s)" % (names[here], k))
            pos[k] = here
        arm_empty = True
    elif held_list:
        held = held_list[0]
        pos[held] = None
    can_take = held is not None or arm_empty

    # ---------- regions ----------
    def grow(start, seen, adj, o):
        if start in seen:
            return []
        seen.add(start)
        new = [start]
        for p in new:
            for q in adj[p]:
                if o[q] and q not in seen:
                    seen.add(q)
                    new.append(q)
        return new

    class Region:
        """Region of a place; kept up to date while places are opened.
        relaxed: only forward reachability counts."""

        def __init__(self, place, o, relaxed=False):
            self.place = place
            self.o = o
            self.relaxed = relaxed
            self.reset()

        def reset(self):
            self.closed = not self.relaxed and not self.o[self.place]
            self.fwd = set()
            self.bwd = set()
            if self.closed:
                self.members = {self.place}
                return
            grow(self.place, self.fwd, succ, self.o)
            if self.relaxed:
                self.members = set(self.fwd)
            else:
                grow(self.place, self.bwd, pred, self.o)
                self.members = self.fwd & self.bwd

        def opened(self, L):
            """place L has just been opened; returns the places that joined"""
            if self.closed:
                if L != self.place:
                    return []
                old = self.members
                self.reset()
                return sorted(self.members - old)
            newf = []
            newb = []
            if any(p in self.fwd for p in pred[L]):
                newf = grow(L, self.fwd, succ, self.o)
            if self.relaxed:
                joined = [p for p in newf if p not in self.members]
                self.members.update(joined)
                return joined
            if any(q in self.bwd for q in succ[L]):
                newb = grow(L, self.bwd, pred, self.o)
            joined = []
            for p in newf:
                if p in self.bwd and p not in self.members:
                    self.members.add(p)
                    joined.append(p)
            for p in newb:
                if p in self.fwd and p not in self.members:
                    self.members.add(p)
                    joined.append(p)
            return joined

    def doneable(o, members, av, where):
        for k, x in at_goals:
            if where.get(k) != x and not (k in av and x in members):
                return False
        for x in robot_goals:
            if x not in members:
                return False
        for k in hold_goals:
            if k not in av:
                return False
        for x in open_goals:
            if not o[x]:
                return False
        for x in locked_goals:
            if x not in locked0:
                return False
        return can_take or not want_empty

    # ---------- the real state ----------
    lying = defaultdict(set)
    if can_take:
        for k in keys:
            if pos.get(k) is not None:
                lying[pos[k]].add(k)

    region = None
    avail = set()
    frontier = set()

    def absorb(places):
        for p in places:
            avail.update(lying.get(p, ()))
            for L in locksucc[p]:
                if not opn[L]:
                    frontier.add(L)

    def new_region():
        nonlocal region
        region = Region(here, opn)
        avail.clear()
        frontier.clear()
        if held is not None:
            avail.add(held)
        absorb(region.members)

    def step(b):
        nonlocal here
        plan.append("(move %s %s)" % (names[here], names[b]))
        here = b

    def walk(x):
        if here == x:
            return
        members = region.members
        par = {here: None}
        queue = deque([here])
        while queue and x not in par:
            p = queue.popleft()
            for q in succ[p]:
                if q in members and q not in par:
                    par[q] = p
                    queue.append(q)
        if x not in par:
            return
        path = []
        p = x
        while p != here:
            path.append(p)
            p = par[p]
        for q in reversed(path):
            step(q)

    def putdown():
        nonlocal held
        plan.append("(putdown %s %s)" % (names[here], held))
        pos[held] = here
        lying[here].add(held)
        held = None

    def fetch(k):
        nonlocal held
        if held == k:
            return
        walk(pos[k])
        if held is not None:
            plan.append("(pickup-and-loose %s %s %s)" % (names[here], k, held))
            pos[held] = here
            lying[here].add(held)
        else:
            plan.append("(pickup %s %s)" % (names[here], k))
        lying[here].discard(k)
        pos[k] = None
        held = k

    def tidy(c):
        todo = [k for k in sorted(avail)
                if k != c and goal_place.get(k) in region.members
                and pos.get(k) != goal_place[k]]
        if held in todo:
            todo.remove(held)
            todo.insert(0, held)
        for k in todo:
            fetch(k)
            walk(goal_place[k])
            putdown()

    def choose():
        """cheapest (key, place to stand, lock, shape), or None"""
        for L in [L for L in frontier if opn[L]]:
            frontier.discard(L)
        need = {s for L in frontier for s in lshapes[L]}
        have = {s for k in avail for s in kshapes[k] if s in need}
        if not have:
            return None
        members = region.members
        level = []
        if held is not None:
            for s in kshapes[held]:
                if s in have:
                    level.append((here, s, held))
        level.append((here, None, None))
        seen = {(p, s) for p, s, _ in level}
        while level:
            found = []
            nxt = []
            for p, s, k in level:          # the list may grow meanwhile
                if s is None:
                    for k2 in sorted(lying.get(p, ())):
                        for s2 in kshapes[k2]:
                            if s2 in have and (p, s2) not in seen:
                                seen.add((p, s2))
                                level.append((p, s2, k2))
                else:
                    for L in locksucc[p]:
                        if not opn[L] and s in lshapes[L]:
                            found.append((k != held, k, p, L, s))
                for q in succ[p]:
                    if q in members and (q, s) not in seen:
                        seen.add((q, s))
                        nxt.append((q, s, k))
            if found:
                return min(found)[1:]
            level = nxt
        return None

    def is_done():
        return doneable(opn, region.members, avail, pos)

    def settle():
        while not is_done():
            best = choose()
            if best is None:
                return
            k, a, L, s = best
            fetch(k)
            walk(a)
            plan.append("(unlock %s %s %s %s)" % (names[here], names[L], k, s))
            opn[L] = 1
            frontier.discard(L)
            absorb(region.opened(L))

    def cross(c, a, b):
        tidy(c)
        if c is not None:
            fetch(c)
        elif held is not None:
            putdown()
        walk(a)
        step(b)
        new_region()

    def finish():
        tidy(None)
        if hold_goals:
            fetch(hold_goals[0])
        elif want_empty and held is not None:
            putdown()
        if robot_goals:
            walk(robot_goals[0])

    # ---------- planning the crossings on paper ----------
    def settle_paper(o, place, carried, where, relaxed=False):
        """opens in o all that can be opened; returns (members, available keys)"""
        reg = Region(place, o, relaxed)
        lies = defaultdict(list)
        if can_take:
            for k in keys:
                if where.get(k) is not None:
                    lies[where[k]].append(k)
        av = set()
        have = set()
        waiting = defaultdict(list)
        ready = []
        seen = set()

        def take(k):
            av.add(k)
            for s in kshapes[k]:
                if s not in have:
                    have.add(s)
                    ready.extend(waiting.pop(s, ()))

        for k in carried:
            take(k)
        todo = list(reg.members)
        while True:
            for p in todo:
                for k in lies.get(p, ()):
                    take(k)
                for L in locksucc[p]:
                    if not o[L] and L not in seen:
                        seen.add(L)
                        if any(s in have for s in lshapes[L]):
                            ready.append(L)
                        else:
                            for s in lshapes[L]:
                                waiting[s].append(L)
            todo = []
            while ready and not todo:
                L = ready.pop()
                if not o[L]:
                    o[L] = 1
                    todo = reg.opened(L)
            if not todo:
                return reg.members, av

    comp_cache = {}

    def components(o):
        """strongly connected components of the open places (root of each place)"""
        code = bytes(o)
        if code in comp_cache:
            return comp_cache[code]
        seen = bytearray(n)
        order = []
        for r in range(n):
            if o[r] and not seen[r]:
                seen[r] = 1
                stack = [(r, iter(succ[r]))]
                while stack:
                    p, it = stack[-1]
                    for q in it:
                        if o[q] and not seen[q]:
                            seen[q] = 1
                            stack.append((q, iter(succ[q])))
                            break
                    else:
                        stack.pop()
                        order.append(p)
        comp = list(range(n))
        done = bytearray(n)
        for r in reversed(order):
            if not done[r]:
                done[r] = 1
                todo = [r]
                for p in todo:
                    comp[p] = r
                    for q in pred[p]:
                        if o[q] and not done[q]:
                            done[q] = 1
                            todo.append(q)
        comp_cache[code] = comp
        return comp

    class_ids = {}

    def classes(o):
        """keys that can still matter -> number of their class;
        keys without goals that open the same locks are alike"""
        rest = set()
        for x in range(n):
            if lockable[x] and not o[x]:
                rest.update(lshapes[x])
        res = {}
        for k in keys:
            useful = frozenset(s for s in kshapes[k] if s in rest)
            if k in goal_keys:
                c = (1, k)
            elif useful:
                c = (0, useful)
            else:
                continue
            res[k] = class_ids.setdefault(c, len(class_ids))
        return res

    def signature(o, place, av, where):
        comp = components(o)
        items = []
        for k, c in classes(o).items():
            if k in av:
                items.append((c, -1, 0))
            elif where.get(k) is None:
                items.append((c, -2, 0))
            else:
                p = where[k]
                items.append((c, comp[p], int(goal_place.get(k) == p)))
        items.sort()
        return (bytes(o), comp[place], tuple(items))

    def hopeless(o, place, av, where):
        o2 = bytearray(o)
        members, av2 = settle_paper(o2, place, av, where, True)
        return not doneable(o2, members, av2, where)

    def crossings():
        o = bytearray(opn)
        where = dict(pos)
        members, av = settle_paper(o, here, [] if held is None else [held], where)
        if doneable(o, members, av, where):
            return []
        if hopeless(o, here, av, where):
            return None
        met = {signature(o, here, av, where)}
        queue = deque([(o, here, members, av, where, None)])
        while queue:
            o, place, members, av, where, trail = queue.popleft()
            comp = components(o)
            kept = []
            groups = set()
            for a in sorted(members):
                for b in succ[a]:
                    if o[b] and b not in members and comp[b] not in groups:
                        groups.add(comp[b])
                        kept.append((a, b))
            if not kept:
                continue
            cands = [None]
            kinds = set()
            cl = classes(o)
            for k in keys:
                if k in av and k in cl and cl[k] not in kinds:
                    kinds.add(cl[k])
                    cands.append(k)
            left = dict(where)
            for k in av:
                g = goal_place.get(k)
                left[k] = g if g in members else place
            for a, b in kept:
                for c in cands:
                    where2 = dict(left)
                    if c is not None:
                        where2[c] = None
                    o2 = bytearray(o)
                    members2, av2 = settle_paper(
                        o2, b, [] if c is None else [c], where2)
                    trail2 = (trail, (c, a, b))
                    if doneable(o2, members2, av2, where2):
                        res = []
                        while trail2 is not None:
                            res.append(trail2[1])
                            trail2 = trail2[0]
                        res.reverse()
                        return res
                    sig = signature(o2, b, av2, where2)
                    if sig in met:
                        continue
                    met.add(sig)
                    if hopeless(o2, b, av2, where2):
                        continue
                    queue.append((o2, b, members2, av2, where2, trail2))
        return None

    # ---------- main procedure ----------
    new_region()
    settle()
    if not is_done():
        answer = crossings()
        if answer is None:
            return plan          # the task has no solution
        for c, a, b in answer:
            cross(c, a, b)
            settle()
    if is_done():
        finish()
    return plan
