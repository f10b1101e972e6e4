from heapq import heapify, heappop, heappush
from collections import deque

INF = float("inf")


# ---------------------------------------------------------------- graph tools

def bfs(adj, ok, starts):
    """Steps from the starts; a location v is entered only if ok[v]."""
    dist = [-1] * len(adj)
    par = [-1] * len(adj)
    queue = list(starts)
    for v in queue:
        dist[v] = 0
    for u in queue:                      # the list grows while it is read
        d = dist[u] + 1
        for v in adj[u]:
            if dist[v] < 0 and ok[v]:
                dist[v] = d
                par[v] = u
                queue.append(v)
    return dist, par


def back(pred, ok, ends):
    """Steps from each v to the nearest end, everything entered after v is ok.
    par[v] is the next location on the way to the end."""
    dist = [-1] * len(pred)
    par = [-1] * len(pred)
    queue = list(ends)
    for v in queue:
        dist[v] = 0
    for u in queue:
        if ok[u]:
            d = dist[u] + 1
            for v in pred[u]:
                if dist[v] < 0:
                    dist[v] = d
                    par[v] = u
                    queue.append(v)
    return dist, par


def spread(succ, w, starts):
    """Cheapest ways from several starts (node, cost); w[v] = cost of entering
    v, 0 = forbidden."""
    n = len(succ)
    dist = [INF] * n
    par = [-1] * n
    for v, c in starts:
        if c < dist[v]:
            dist[v] = c
    heap = [dist[v] * n + v for v in {v for v, _ in starts}]
    heapify(heap)
    while heap:
        c, u = divmod(heappop(heap), n)
        if c > dist[u]:
            continue
        for v in succ[u]:
            if w[v]:
                d = c + w[v]
                if d < dist[v]:
                    dist[v] = d
                    par[v] = u
                    heappush(heap, d * n + v)
    return dist, par


def chain(par, v):
    out = [v]
    while par[v] >= 0:
        v = par[v]
        out.append(v)
    return out


def path(par, v):
    out = chain(par, v)
    out.reverse()
    return out


# ---------------------------------------------------------------------- state

class World:
    pass


class State:
    def __init__(self, world):
        n = world.n
        self.world = world
        self.pos = -1
        self.hold = ""
        self.clear = bytearray(n)
        self.soft = bytearray(n)
        self.gold = bytearray(n)
        self.laser = bytearray(n)
        self.plan = []

    def copy(self):
        s = State.__new__(State)
        s.world = self.world
        s.pos = self.pos
        s.hold = self.hold
        s.clear = bytearray(self.clear)
        s.soft = bytearray(self.soft)
        s.gold = bytearray(self.gold)
        s.laser = bytearray(self.laser)
        s.plan = list(self.plan)
        return s

    def act(self, name, *args):
        words = [name] + [self.world.names[a] for a in args]
        self.plan.append("(" + " ".join(words) + ")")

    def move(self, v):
        self.act("move", self.pos, v)
        self.pos = v

    def go(self, way):
        for v in way[1:]:
            self.move(v)

    def fire(self, v):
        self.act("fire-laser", self.pos, v)
        self.clear[v] = 1
        self.soft[v] = 0
        self.gold[v] = 0

    def go_laser(self, way):
        for v in way[1:]:
            if not self.clear[v]:
                self.fire(v)
            self.move(v)

    def take_laser(self, way):
        if self.hold == "l":
            return
        self.go(way)
        self.act("pickup-laser", self.pos)
        self.laser[self.pos] = 0
        self.hold = "l"

    def put_laser(self):
        if self.hold == "l":
            self.act("putdown-laser", self.pos)
            self.laser[self.pos] = 1
            self.hold = "e"

    def get_bomb(self, way):
        self.go(way)
        self.put_laser()
        self.act("pickup-bomb", self.pos)
        self.hold = "b"

    def detonate(self, e):
        self.act("detonate-bomb", self.pos, e)
        self.clear[e] = 1
        self.soft[e] = 0
        self.hold = "e"

    def pick(self):
        self.put_laser()
        self.act("pick-gold", self.pos)
        self.hold = "g"


# ------------------------------------------------------------ laser and bombs

def weights(st, ok=None):
    big = st.world.big + 1
    if ok is None:
        return [1 if c else big for c in st.clear]
    return [(1 if c else big) if o else 0 for c, o in zip(st.clear, ok)]


def bomb_golds(st):
    return [v for v in range(st.world.n)
            if st.gold[v] and st.soft[v] and not st.clear[v]]


def last_ways(st, g):
    """All bomb locations P from which, with the laser's help, a last way to g
    exists: list of (P, M, steps to g, next pointers to g)."""
    wd = st.world
    n = wd.n
    ok = bytearray(b"\x01") * n
    ok[g] = 0
    done = set()
    out = []
    for p in wd.bombs:
        if p == g or p in done:
            continue
        fd, _ = bfs(wd.succ, ok, [p])
        bd, _ = back(wd.pred, ok, [p])
        m = bytearray(n)
        allowed = bytearray(st.clear)
        for u in range(n):
            if u != g and fd[u] >= 0 and bd[u] >= 0:
                m[u] = 1
                for v in wd.succ[u]:
                    allowed[v] = 1
        allowed[g] = 1
        ld, lp = back(wd.pred, allowed, [g])
        for q in wd.bombs:
            if m[q]:
                done.add(q)
                if ld[q] > 0:
                    out.append((q, m, ld, lp))
    return out


def laser_good(st, wanted, some):
    """Those L of wanted for which LASER-TO-CLEAR-GOLD or LASER-AND-BOMB is
    possible (with some: at least one of them, if there is one)."""
    found = set()
    if not wanted:
        return found
    wd = st.world
    n = wd.n
    ok = bytearray(b"\x01") * n
    ends = [v for v in range(n) if st.gold[v] and st.clear[v]]
    if ends:
        rd, _ = back(wd.pred, ok, ends)
        found.update(l for l in wanted if rd[l] >= 0)
    if not wd.bombs:
        return found
    for g in bomb_golds(st):
        if len(found) == len(wanted) or (some and found):
            break
        rows = last_ways(st, g)
        if rows:
            ok[g] = 0
            rd, _ = back(wd.pred, ok, [row[0] for row in rows])
            ok[g] = 1
            found.update(l for l in wanted if l != g and rd[l] >= 0)
    return found


def laser_and_bomb(st, starts, dist):
    """Best (G, P, way L..P, M, last way P..X), or None."""
    wd = st.world
    best = None
    tried = 0
    if not wd.bombs:
        return None
    golds = [g for g in bomb_golds(st) if dist[g] < INF]
    golds.sort(key=lambda g: (dist[g], g))
    for g in golds:
        if best is not None and tried >= 20:
            break
        tried += 1
        rows = last_ways(st, g)
        if not rows:
            continue
        begin = [s for s in starts if s[0] != g]
        if not begin:
            continue
        w = weights(st)
        w[g] = 0
        d, par = spread(wd.succ, w, begin)
        for p, m, ld, lp in rows:
            if d[p] < INF:
                cost = d[p] % wd.big + 3 * (ld[p] - 1)
                if best is None or cost < best[0]:
                    best = (cost, g, p, path(par, p), m, chain(lp, p)[:-1])
    return None if best is None else best[1:]


def run_laser_and_bomb(st, wp, found):
    g, p, way, m, last = found
    wd = st.world
    st.take_laser(path(wp, way[0]))
    st.go_laser(way)
    for i in range(1, len(last)):
        a = last[i]
        if st.clear[a]:
            continue
        dist, par = spread(wd.succ, weights(st, m), [(st.pos, 0)])
        b = last[i - 1]
        if not m[b]:
            b = min((u for u in wd.pred[a] if m[u]),
                    key=lambda u: (dist[u], u))
        st.go_laser(path(par, b))
        if not st.clear[a]:
            st.fire(a)
    dist, par = spread(wd.succ, weights(st, m), [(st.pos, 0)])
    st.go_laser(path(par, p))
    st.get_bomb([p])
    st.go(last)
    st.detonate(g)
    st.move(g)
    st.pick()


def outlook(st):
    """OUTLOOK of the set walk(position of the robot)."""
    wd = st.world
    n = wd.n
    dist, _ = bfs(wd.succ, st.clear, [st.pos])
    s = [v for v in range(n) if dist[v] >= 0]
    if any(st.gold[v] for v in s):
        return True
    if any(dist[p] >= 0 for p in wd.bombs):
        ok = bytearray(c | r for c, r in zip(st.clear, st.soft))
        dist, _ = bfs(wd.succ, ok, s)
        s = [v for v in range(n) if dist[v] >= 0]
        if any(st.gold[v] for v in s):
            return True
    lasers = [v for v in s
              if st.laser[v] or (st.hold == "l" and v == st.pos)]
    return bool(laser_good(st, lasers, True))


# ---------------------------------------------------------------------- rules

def laser_starts(st, dist):
    if st.hold == "l":
        return [(st.pos, 0)]
    if st.hold == "e":
        return [(v, dist[v] + 1) for v in range(st.world.n)
                if st.laser[v] and dist[v] >= 0]
    return []


def rule2(st, dist, wp):
    wd = st.world
    n = wd.n
    pairs = sorted((dist[d], d, e) for d in range(n) if dist[d] >= 0
                   for e in wd.succ[d] if st.soft[e])
    if not pairs:
        return None

    def done(d, e):
        s = st.copy()
        s.go(path(wp, d))
        s.detonate(e)
        return s

    gd, _ = back(wd.pred, st.clear, [v for v in range(n) if st.gold[v]])
    for _, d, e in pairs:
        if gd[d] >= 0 or gd[e] >= 0:
            return done(d, e)
    for _, d, e in pairs:
        s = done(d, e)
        if outlook(s):
            return s

    best = None
    size = -1
    ok = bytearray(st.clear)
    for _, d, e in pairs:
        old = ok[e]
        ok[e] = 1
        reach, _ = bfs(wd.succ, ok, [d])
        ok[e] = old
        k = sum(1 for x in reach if x >= 0)
        if k > size:
            size = k
            best = (d, e)
    return done(*best)


def rule3(st, dist, wp):
    wd = st.world
    n = wd.n
    starts = [(p, dist[p]) for p in wd.bombs if dist[p] >= 0]
    if not starts:
        return False
    gd, gp = back(wd.pred, st.clear, [v for v in range(n) if st.gold[v]])
    cand = [e for e in range(n)
            if gd[e] >= 0 and st.soft[e] and not st.clear[e]]
    if not cand:
        return False
    pd, pp = spread(wd.succ, st.clear, starts)
    best = None
    for e in cand:
        for d in wd.pred[e]:
            if pd[d] < INF:
                key = (pd[d] + 1 + gd[e], d, e)
                if best is None or key < best:
                    best = key
    if best is None:
        return False
    _, d, e = best
    way = path(pp, d)
    st.get_bomb(path(wp, way[0]))
    st.go(way)
    st.detonate(e)
    st.move(e)
    st.go(chain(gp, e))
    st.pick()
    return True


def find_digs(st, dist):
    """home (as a bytearray), digs {E: (cost, D)}, pointers from P to D."""
    wd = st.world
    n = wd.n
    bd, _ = back(wd.pred, st.clear, [st.pos])
    home = bytearray(n)
    for v in range(n):
        if dist[v] >= 0 and bd[v] >= 0:
            home[v] = 1
    digs = {}
    starts = [(p, dist[p]) for p in wd.bombs if home[p]]
    if not starts:
        return home, digs, None
    pd, pp = spread(wd.succ, st.clear, starts)
    for d in range(n):
        if pd[d] < INF:
            for e in wd.succ[d]:
                if st.soft[e] and not st.clear[e] and \
                        (bd[d] >= 0 or bd[e] >= 0):
                    key = (pd[d], d)
                    if e not in digs or key < digs[e]:
                        digs[e] = key
    return home, digs, pp


def rule6(st, dist, wp):
    wd = st.world
    n = wd.n
    home, digs, pp = find_digs(st, dist)
    if not digs:
        return False
    ok = bytearray(c | r for c, r in zip(st.clear, st.soft))
    wdist, wpar = spread(wd.succ, weights(st, ok),
                         [(v, 0) for v in range(n) if home[v]])
    near = [v for v in range(n) if wdist[v] < INF]
    targets = [v for v in near if st.gold[v]]
    if not targets:
        lasers = [v for v in near if st.laser[v]]
        targets = list(laser_good(st, lasers, False))
    if not targets:
        targets = [v for v in near
                   if not home[v] and (st.laser[v] or wd.bomb[v])]
    e = None
    if targets:
        t = min(targets, key=lambda v: (wdist[v], v))
        for v in path(wpar, t)[1:]:
            if not st.clear[v]:
                if v in digs:
                    e = v
                break
    if e is None:
        e = min(digs, key=lambda x: (digs[x], x))
    d = digs[e][1]
    way = path(pp, d)
    st.get_bomb(path(wp, way[0]))
    st.go(way)
    st.detonate(e)
    return True


def departures(st):
    """Pairs (state after the departure, tool locations reached), by steps."""
    wd = st.world
    n = wd.n
    if st.hold not in ("e", "l"):
        return
    dist, wp = bfs(wd.succ, st.clear, [st.pos])
    bd, _ = back(wd.pred, st.clear, [st.pos])
    todo = []
    for t in range(n):
        if dist[t] >= 0 and bd[t] < 0 and (st.laser[t] or wd.bomb[t]):
            todo.append((dist[t], 0, t, -1))
    pp = ap = None
    starts = [(p, dist[p]) for p in wd.bombs if dist[p] >= 0]
    if starts:
        pd, pp = spread(wd.succ, st.clear, starts)
        for d in range(n):
            if pd[d] < INF:
                for e in wd.succ[d]:
                    if st.soft[e] and not st.clear[e]:
                        todo.append((pd[d] + 2, 1, d, e))
    starts = laser_starts(st, dist)
    if starts:
        ad, ap = spread(wd.succ, weights(st), starts)
        for p in wd.bombs:
            if ad[p] < INF and not (dist[p] >= 0 and bd[p] >= 0):
                todo.append((ad[p] // wd.big + ad[p] % wd.big, 2, p, -1))
    todo.sort()
    for _, kind, a, b in todo:
        s = st.copy()
        if kind == 0:
            s.go(path(wp, a))
        elif kind == 1:
            way = path(pp, a)
            s.get_bomb(path(wp, way[0]))
            s.go(way)
            s.detonate(b)
        else:
            way = path(ap, a)
            s.take_laser(path(wp, way[0]))
            s.go_laser(way)
        reach, _ = bfs(wd.succ, s.clear, [s.pos])
        tools = [v for v in range(n)
                 if reach[v] >= 0 and (s.laser[v] or wd.bomb[v])]
        if tools:
            yield s, tools


def rule7(st):
    wd = st.world
    queue = deque()
    seen = set()
    for s, tools in departures(st):
        if outlook(s):
            return s
        if not seen.issuperset(tools):
            seen.update(tools)
            queue.append((s, s))
    while queue:
        first, s = queue.popleft()
        s = s.copy()
        while True:                       # everything rule 6 could dig there
            dist, _ = bfs(wd.succ, s.clear, [s.pos])
            digs = find_digs(s, dist)[1]
            if not digs:
                break
            for e in digs:
                s.clear[e] = 1
                s.soft[e] = 0
        if outlook(s):
            return first
        for t, tools in departures(s):
            if outlook(t):
                return first
            if not seen.issuperset(tools):
                seen.update(tools)
                queue.append((first, t))
    return None


def step(st):
    """Carries out the first rule that applies; the new state, or None."""
    wd = st.world
    n = wd.n
    if st.hold not in ("e", "l", "b"):
        return None
    dist, wp = bfs(wd.succ, st.clear, [st.pos])

    if st.hold == "b":
        return rule2(st, dist, wp)

    # rule 1
    golds = [v for v in range(n) if st.gold[v] and dist[v] >= 0]
    if golds:
        g = min(golds, key=lambda v: (dist[v], v))
        st.go(path(wp, g))
        st.pick()
        return st

    if rule3(st, dist, wp):
        return st

    # rules 4 and 5
    starts = laser_starts(st, dist)
    if starts:
        ad, ap = spread(wd.succ, weights(st), starts)
        golds = [v for v in range(n)
                 if st.gold[v] and st.clear[v] and ad[v] < INF]
        if golds:
            g = min(golds, key=lambda v: (ad[v], v))
            way = path(ap, g)
            st.take_laser(path(wp, way[0]))
            st.go_laser(way)
            st.pick()
            return st
        found = laser_and_bomb(st, starts, ad)
        if found is not None:
            run_laser_and_bomb(st, wp, found)
            return st

    if rule6(st, dist, wp):
        return st

    return rule7(st)


# ----------------------------------------------------------------------- main

def get_plan(objects, init, goal):
    init = set(init)
    if set(goal) <= init:
        return []
    names = {name for name, kind in objects if kind == "loc"}
    for fact in init:
        names.update(fact[1:])
    names = sorted(names)
    index = {name: i for i, name in enumerate(names)}
    n = len(names)

    world = World()
    world.names = names
    world.n = n
    world.big = 4 * n + 10
    world.bomb = bytearray(n)
    succ = [set() for _ in range(n)]
    pred = [set() for _ in range(n)]

    st = State(world)
    flags = set()
    for fact in init:
        p = fact[0]
        if len(fact) == 1:
            flags.add(p)
        elif p == "connected":
            a, b = index[fact[1]], index[fact[2]]
            succ[a].add(b)
            pred[b].add(a)
        elif p == "robot-at":
            st.pos = index[fact[1]]
        elif p == "bomb-at":
            world.bomb[index[fact[1]]] = 1
        elif p == "laser-at":
            st.laser[index[fact[1]]] = 1
        elif p == "soft-rock-at":
            st.soft[index[fact[1]]] = 1
        elif p == "gold-at":
            st.gold[index[fact[1]]] = 1
        elif p == "clear":
            st.clear[index[fact[1]]] = 1
    world.succ = [sorted(s) for s in succ]
    world.pred = [sorted(s) for s in pred]
    world.bombs = [v for v in range(n) if world.bomb[v]]

    for flag, hold in (("holds-gold", "g"), ("holds-bomb", "b"),
                       ("holds-laser", "l"), ("arm-empty", "e")):
        if flag in flags:
            st.hold = hold
            break
    if st.pos < 0:
        return []

    while st.hold != "g":
        nxt = step(st)
        if nxt is None:
            break
        st = nxt
    return st.plan
