from collections import defaultdict, deque


class Stuck(Exception):
    pass


def okey(s):
    return (len(s), s)


class World:
    def __init__(self, objects, init):
        types = defaultdict(set)
        for name, typ in objects:
            types[typ].add(name)
        by = defaultdict(list)
        for f in init:
            by[f[0]].append(tuple(f[1:]))
        for v in by.values():
            v.sort(key=lambda a: tuple(okey(x) for x in a))
        self.plan = []
        self.bel = sorted(types["beluga-truck"], key=okey)
        self.fab = sorted(types["fab-truck"], key=okey)
        self.fabset = set(self.fab)
        self.belset = set(self.bel)
        self.size = {p: n for p, n in by["size"]}
        self.level = {r: n for r, n in by["level"]}
        self.racks = sorted(self.level, key=okey)
        self.zero = self.find_zero(types, by)
        self.make_numbers(by["fit-n-sum"])
        # where the parts are
        self.place = {}
        self.open = {a[0] for a in by["no-rack-succ"]}
        self.make_rows(by)
        self.load = {t: None for t in self.bel + self.fab}
        for p, t in by["on-truck"]:
            if t in self.load:
                self.load[t] = p
                self.place[p] = t
        # aircraft
        self.nextu = {}
        for p, n in by["next-to-unload"]:
            self.nextu.setdefault(p, n)
        self.ready = None
        for (p,) in by["ready-to-unload"]:
            if self.ready is None or (p in self.nextu and self.ready not in self.nextu):
                self.ready = p
        # production
        self.processed = {a[0] for a in by["processed"]}
        self.needed = None
        for (q,) in by["needed-next"]:
            if q in self.size:
                self.needed = q
        self.lines = set(by["p-line-next"])
        self.plsucc = defaultdict(list)
        for a, b in by["p-line-succ"]:
            self.plsucc[a].append(b)
        self.given = set()
        self.idle = 0
        self.goals = set()

    # ---------- set-up ----------

    def find_zero(self, types, by):
        seen = set(types["num"])
        for f in by["fit-n-sum"]:
            seen.update(f)
        for _, n in by["level"]:
            seen.add(n)
        if "n00" in seen or not seen:
            return "n00"
        used = {a[0] for a in by["on-rack"]}
        for r, n in by["level"]:
            if r not in used:
                return n
        for a, b, c in by["fit-n-sum"]:
            if b == c:
                return a
        return "n00"

    def make_numbers(self, fit):
        self.add = {}
        self.sub = {}
        succ = defaultdict(set)
        for a, b, c in fit:
            if b != self.zero and a != c:
                succ[a].add(c)
        reach = {self.zero}
        stack = [self.zero]
        while stack:
            a = stack.pop()
            for c in succ[a]:
                if c not in reach:
                    reach.add(c)
                    stack.append(c)
        indeg = {n: 0 for n in reach}
        for a in reach:
            for c in succ[a]:
                indeg[c] += 1
        self.rank = {n: 0 for n in reach}
        queue = deque(n for n in reach if indeg[n] == 0)
        while queue:
            a = queue.popleft()
            for c in succ[a]:
                if self.rank[c] < self.rank[a] + 1:
                    self.rank[c] = self.rank[a] + 1
                indeg[c] -= 1
                if indeg[c] == 0:
                    queue.append(c)
        for a, b, c in sorted(fit, key=lambda f: (self.rk(f[0]), self.rk(f[2]))):
            self.add.setdefault((a, b), c)
            self.sub.setdefault((b, c), a)

    def make_rows(self, by):
        on = defaultdict(list)
        for r, p in by["on-rack"]:
            if r in self.level and p in self.size:
                on[r].append(p)
        rs = defaultdict(list)
        for a, b in by["rack-succ"]:
            rs[a].append(b)
        pre = {a[0] for a in by["no-rack-pre"]}
        self.row = {}
        for r in self.racks:
            row = []
            members = set(on[r])
            if members:
                follows = {b for a in members for b in rs[a] if b in members}
                cur = min(on[r], key=lambda p: (p not in pre, p in follows, okey(p)))
                seen = set()
                while cur is not None:
                    row.append(cur)
                    seen.add(cur)
                    nxt = None
                    for b in rs[cur]:
                        if b in members and b not in seen:
                            nxt = b
                            break
                    cur = nxt
                self.open.add(row[-1])
            for p in row:
                self.place[p] = r
            self.row[r] = row

    # ---------- numbers ----------

    def rk(self, n):
        return self.rank.get(n, 0)

    def srank(self, p):
        return self.rk(self.size.get(p))

    def plus(self, lev, p):
        return self.add.get((lev, self.size.get(p)))

    def minus(self, lev, p):
        return self.sub.get((self.size.get(p), lev))

    def fits(self, p, r):
        return self.plus(self.level[r], p) is not None

    def without(self, r, c):
        if len(self.row[r]) == 1:
            return self.zero
        return self.minus(self.level[r], c)

    def fits_without(self, x, r, c):
        lev = self.without(r, c)
        return lev is not None and self.plus(lev, x) is not None

    def loose(self, r):
        row = self.row[r]
        return list(row) if len(row) == 1 else row[1:]

    def fronts_needed(self, c, q):
        """How many fronts must leave q until c fits on q (None: never)."""
        lev = self.level[q]
        if self.plus(lev, c) is not None:
            return 0
        row = self.row[q]
        for k in range(1, len(row) + 1):
            lev = self.zero if k == len(row) else self.minus(lev, row[k - 1])
            if lev is None:
                return None
            if self.plus(lev, c) is not None:
                return k
        return None

    # ---------- look-ups ----------

    def empty_fabs(self):
        return [t for t in self.fab if self.load[t] is None]

    def empty_fab(self):
        for t in self.fab:
            if self.load[t] is None:
                return t
        return None

    def empty_bels(self):
        return [b for b in self.bel if self.load[b] is None]

    def best_rack(self, x, exclude=()):
        best = None
        for r in self.racks:
            if r in exclude or not self.fits(x, r):
                continue
            key = (not self.row[r], -self.rk(self.level[r]))
            if best is None or key < best[0]:
                best = (key, r)
        return None if best is None else best[1]

    def empty_rack(self, p):
        for r in self.racks:
            if not self.row[r] and self.fits(p, r):
                return r
        return None

    # ---------- actions ----------
    #
    # Order of the last two (level) arguments:
    #   put-on-rack-beluga, put-on-truck-beluga: smaller level, larger level
    #   put-on-truck-fab, put-on-rack-fab:       larger level, smaller level

    def emit(self, *a):
        self.plan.append("(" + " ".join(a) + ")")

    def push(self, b, x, r):
        row = self.row[r]
        old = self.level[r]
        new = self.plus(old, x)
        if new is None:
            raise Stuck()
        if not row:
            self.emit("put-on-rack-first-beluga", b, x, r, self.size[x])
            self.level[r] = self.size[x]
            self.open.add(x)
        else:
            # level before, level after
            self.emit("put-on-rack-beluga", b, x, r, row[0], self.size[x], old, new)
            self.level[r] = new
            self.open.discard(x)
        row.insert(0, x)
        self.load[b] = None
        self.place[x] = r

    def pop(self, b, r):
        row = self.row[r]
        w = row[0]
        if len(row) == 1:
            self.emit("put-on-truck-first-beluga", b, w, r, self.size[w])
            self.level[r] = self.zero
        else:
            old = self.level[r]
            new = self.minus(old, w)
            if new is None:
                raise Stuck()
            # level after, level before
            self.emit("put-on-truck-beluga", b, w, r, row[1], self.size[w], new, old)
            self.level[r] = new
        row.pop(0)
        self.load[b] = w
        self.place[w] = b

    def grab(self, t, r, right, before):
        old = self.level[r]
        new = self.minus(old, right)
        if new is None:
            raise Stuck()
        # level before, level after
        self.emit("put-on-truck-fab", t, r, right, before, self.size[right], old, new)
        self.level[r] = new
        self.open.add(before)

    def drop(self, t, r, right, before):
        old = self.level[r]
        new = self.plus(old, right)
        if new is None:
            raise Stuck()
        # level after, level before
        self.emit("put-on-rack-fab", t, r, right, before, self.size[right], new, old)
        self.level[r] = new

    def lay(self, t, c, r):
        row = self.row[r]
        if not row:
            new = self.plus(self.zero, c)
            if new is None:
                raise Stuck()
            # level after, level before (as put-on-rack-fab)
            self.emit("put-on-rack-fab-last", t, r, c, self.size[c], new, self.zero)
            self.level[r] = self.size[c]
        else:
            self.drop(t, r, c, row[-1])
        row.append(c)
        self.open.add(c)
        self.load[t] = None
        self.place[c] = r

    def open_up(self, y, r, t):
        if y in self.open:
            return
        row = self.row[r]
        i = row.index(y)
        k = i + 1
        while k < len(row) - 1 and row[k] not in self.open:
            k += 1
        if k >= len(row):
            self.open.add(y)
            return
        for j in range(k, i, -1):
            self.grab(t, r, row[j], row[j - 1])
            self.drop(t, r, row[j], row[j - 1])

    def take(self, p, t):
        r = self.place[p]
        row = self.row[r]
        if len(row) == 1:
            self.emit("put-on-truck-fab-last", t, r, p, self.size[p], self.zero, self.zero)
            self.level[r] = self.zero
        else:
            i = row.index(p)
            if i == 0:
                raise Stuck()
            u = row[i - 1]
            if i == len(row) - 1:
                self.grab(t, r, p, u)
            else:
                s = row[i + 1]
                self.open_up(s, r, t)
                self.open_up(p, r, t)
                if u not in self.open:
                    self.grab(t, r, p, u)
                    self.drop(t, r, p, u)
                self.grab(t, r, s, p)
                self.drop(t, r, s, u)
                self.grab(t, r, p, u)
        row.remove(p)
        self.load[t] = p
        self.place[p] = t

    def can_unload(self):
        q = self.ready
        return q in self.nextu and q not in self.place and q not in self.processed

    def unload(self, b):
        q = self.ready
        n = self.nextu[q]
        self.emit("unload-from-beluga", q, n, b)
        self.load[b] = q
        self.place[q] = b
        self.ready = n
        self.given.clear()
        self.idle = 0

    # ---------- wide procedures (tried on the state, undone if they fail) ----------

    def attempt(self, fn, *args):
        """Carry out fn(*args); if it fails, take back all it did."""
        length = len(self.plan)
        level = dict(self.level)
        load = dict(self.load)
        place = dict(self.place)
        opened = set(self.open)
        rows = {r: list(row) for r, row in self.row.items()}
        try:
            ok = fn(*args)
        except Stuck:
            ok = False
        if ok:
            return True
        del self.plan[length:]
        self.level = level
        self.load = load
        self.place = place
        self.open = opened
        for r, row in rows.items():
            self.row[r][:] = row
        return False

    def clear_and_lay(self, c, t, q, r, free):
        """c is on fab-truck t. Fronts leave q until c fits there; each goes to r
        if it can, else to another rack, else it stays on a beluga-truck.
        free: a beluga-truck must be empty afterwards."""
        while not self.fits(c, q):
            bels = self.empty_bels()
            if not bels or not self.row[q]:
                return False
            b = bels[0]
            w = self.row[q][0]
            last = self.fits_without(c, q, w)
            self.pop(b, q)
            if last and not free:
                break
            if r is not None and self.fits(w, r):
                d = r
            else:
                d = self.best_rack(w, (q,))
            if d is not None:
                self.push(b, w, d)
        self.lay(t, c, q)
        if free:
            for b in self.bel:
                x = self.load[b]
                if x is not None:
                    d = self.best_rack(x)
                    if d is not None:
                        self.push(b, x, d)
            return bool(self.empty_bels())
        return True

    def dispose_wide(self, c, t, r, free):
        """c is on fab-truck t and must not go back to r."""
        d = self.best_rack(c, (r,))
        if d is not None:
            self.lay(t, c, d)
            return True
        if self.empty_fab() is not None:
            return True
        opts = []
        for i, q in enumerate(self.racks):
            if q != r:
                k = self.fronts_needed(c, q)
                if k is not None:
                    opts.append((k, i, q))
        for _, _, q in sorted(opts):
            if self.attempt(self.clear_and_lay, c, t, q, r, free):
                return True
        return False

    def exchange(self, c, t, r, b, x, free):
        """c leaves r, the load x of b takes its room, c is disposed of."""
        self.take(c, t)
        self.push(b, x, r)
        return self.dispose_wide(c, t, r, free)

    def squeeze(self, x, b, r, p=None, free=False):
        """b holds x; x comes onto r. If p (the front of r) is given, it stays on
        r, and p being the only part of r is a success too."""
        while True:
            if self.fits(x, r):
                self.push(b, x, r)
                return True
            row = self.row[r]
            if p is not None and len(row) == 1:
                return True
            fabs = self.empty_fabs()
            if not fabs:
                return False
            t = fabs[0]
            idx = {c: i for i, c in enumerate(row)}
            parts = [c for c in self.loose(r) if c != p]
            order = sorted(parts, key=lambda c: (self.size[c] != self.size.get(x), -idx[c]))
            for c in order:
                if (self.fits_without(x, r, c)
                        and self.attempt(self.exchange, c, t, r, b, x, free)):
                    return True
            movable = [c for c in parts if self.best_rack(c, (r,)) is not None]
            if movable:
                c = max(movable, key=lambda o: (self.srank(o), idx[o]))
                d = self.best_rack(c, (r,))
                self.take(c, t)
                self.lay(t, c, d)
            elif parts and len(fabs) >= 2:
                c = max(parts, key=lambda o: (self.srank(o), idx[o]))
                self.take(c, t)
            else:
                return False

    def draw(self, b, q, r, p):
        """The front of q comes before p on r, with as much clearing as needed."""
        w = self.row[q][0]
        self.pop(b, q)
        return self.squeeze(w, b, r, p)

    def shift(self, c, r, q):
        """Small loose parts of q go to r, then c goes from r to q."""
        t = self.empty_fab()
        if t is None:
            return False
        before = self.rk(self.level[r])
        while not self.fits(c, q):
            opts = [d for d in self.loose(q) if self.fits(d, r)]
            if not opts:
                return False
            good = [d for d in opts if self.fits_without(c, q, d)]
            if good:
                d = min(good, key=self.srank)
            else:
                d = max(opts, key=self.srank)
            self.take(d, t)
            self.lay(t, d, r)
        self.take(c, t)
        self.lay(t, c, q)
        return self.rk(self.level[r]) < before

    def rebalance(self, r):
        for c in sorted(self.row[r][1:], key=lambda o: -self.srank(o)):
            for q in self.racks:
                if q != r and self.row[q] and self.attempt(self.shift, c, r, q):
                    return True
        return False

    # ---------- TIDY ----------

    def lay_loads(self, wanted):
        for t in self.fab:
            c = self.load[t]
            if c is not None and c not in wanted:
                r = self.best_rack(c)
                if r is not None:
                    self.lay(t, c, r)

    def free_fab(self, wanted):
        for t in self.fab:
            if self.load[t] is None or self.load[t] in wanted:
                return
        bels = self.empty_bels()
        if not bels:
            return
        best = None
        for t in self.fab:
            c = self.load[t]
            for r in self.racks:
                if not self.row[r]:
                    continue
                w = self.row[r][0]
                if self.fits_without(c, r, w):
                    key = (self.srank(w), w in wanted)
                    if best is None or key < best[0]:
                        best = (key, t, c, r)
        if best is not None:
            _, t, c, r = best
            self.pop(bels[0], r)
            self.lay(t, c, r)
            return
        # several fronts of one rack
        opts = []
        for j, t in enumerate(self.fab):
            c = self.load[t]
            for i, q in enumerate(self.racks):
                k = self.fronts_needed(c, q)
                if k is not None:
                    opts.append((k, j, i, t, c, q))
        for _, _, _, t, c, q in sorted(opts, key=lambda o: o[:3]):
            if self.attempt(self.clear_and_lay, c, t, q, None, False):
                return

    def tidy(self, wanted):
        self.lay_loads(wanted)
        for b in self.bel:
            x = self.load[b]
            if x is not None and x not in wanted:
                r = self.best_rack(x)
                if r is not None:
                    self.push(b, x, r)
        self.free_fab(wanted)

    # ---------- MAKE-TRUCK-FREE ----------

    def paper(self, x, r):
        if self.fits(x, r):
            return []
        lev = dict(self.level)
        cur = lev[r]
        n = len(self.row[r])
        moves = []
        parts = self.loose(r)[::-1]
        parts.sort(key=lambda c: -self.srank(c))
        for c in parts:
            dest = None
            for d in self.racks:
                if d == r or self.plus(lev[d], c) is None:
                    continue
                if dest is None or self.rk(lev[d]) > self.rk(lev[dest]):
                    dest = d
            if dest is None:
                continue
            new = self.zero if n == 1 else self.minus(cur, c)
            if new is None:
                continue
            lev[dest] = self.plus(lev[dest], c)
            cur = new
            n -= 1
            moves.append((c, dest))
            if self.plus(cur, x) is not None:
                return moves
        return None

    def make_truck_free(self):
        if self.empty_bels():
            return
        order = sorted(self.bel, key=lambda b: self.srank(self.load[b]))
        for b in order:
            x = self.load[b]
            t = self.empty_fab()
            for r in sorted(self.racks, key=lambda q: len(self.row[q])):
                moves = self.paper(x, r)
                if moves is None or (moves and t is None):
                    continue
                for c, d in moves:
                    self.take(c, t)
                    self.lay(t, c, d)
                self.push(b, x, r)
                return
            if len(self.empty_fabs()) >= 2:
                best = None
                for r in self.racks:
                    row = self.row[r]
                    for c in self.loose(r):
                        if self.fits_without(x, r, c):
                            key = (self.srank(c), len(row) - 1 - row.index(c))
                            if best is None or key < best[0]:
                                best = (key, c, r)
                if best is not None:
                    _, c, r = best
                    self.take(c, t)
                    self.push(b, x, r)
                    return
        # exchanges after which a beluga-truck is empty
        for b in order:
            for r in sorted(self.racks, key=lambda q: len(self.row[q])):
                if self.attempt(self.squeeze, self.load[b], b, r, None, True):
                    return

    # ---------- DISPOSE ----------

    def can_dispose(self, c, r, t):
        for q in self.racks:
            if q != r and self.fits(c, q):
                return True
        for f in self.fab:
            if f != t and self.load[f] is None:
                return True
        for q in self.racks:
            if q != r and self.row[q] and self.fits_without(c, q, self.row[q][0]):
                return True
        return False

    def dispose(self, c, t, r, b):
        d = self.best_rack(c, (r,))
        if d is not None:
            self.lay(t, c, d)
            return
        if self.empty_fab() is not None:
            return
        best = None
        for q in self.racks:
            if q != r and self.row[q]:
                w = self.row[q][0]
                if self.fits_without(c, q, w):
                    key = self.srank(w)
                    if best is None or key < best[0]:
                        best = (key, q)
        if best is not None and b is not None and self.load[b] is None:
            self.pop(b, best[1])
            self.lay(t, c, best[1])

    # ---------- FETCH ----------

    def fetch(self, p, wanted):
        for _ in range(len(self.size) + 50):
            where = self.place[p]
            if where in self.fabset:
                return True
            t = self.empty_fab()
            if t is None:
                self.lay_loads(wanted)
                self.free_fab(wanted)
                t = self.empty_fab()
                where = self.place[p]
            if where in self.belset:
                if not self.step_truck(p, where, t):
                    return False
                continue
            if t is None:
                return False
            row = self.row[where]
            if len(row) == 1 or row[0] != p:
                self.take(p, t)
                return True
            if not self.step_front(p, where, t, wanted):
                return False
        return self.place[p] in self.fabset

    def step_truck(self, p, b, t):
        # C1
        e = self.empty_rack(p)
        if e is not None:
            self.push(b, p, e)
            return True
        # C2
        best = None
        for r in self.racks:
            m = self.plus(self.level[r], p)
            if m is None:
                continue
            good = False
            for o in self.bel:
                if o != b and self.load[o] is not None and self.plus(m, self.load[o]) is not None:
                    good = True
                    break
            if not good:
                for q in self.racks:
                    if q != r and self.row[q] and self.plus(m, self.row[q][0]) is not None:
                        good = True
                        break
            key = (not good, len(self.row[r]))
            if best is None or key < best[0]:
                best = (key, r)
        if best is not None:
            self.push(b, p, best[1])
            return True
        # C3
        if t is None:
            return False
        best = None
        for r in self.racks:
            row = self.row[r]
            n = len(row)
            for c in self.loose(r):
                if not self.fits_without(p, r, c) or not self.can_dispose(c, r, t):
                    continue
                key = (n != 1, self.size[c] != self.size.get(p), n - 1 - row.index(c))
                if best is None or key < best[0]:
                    best = (key, c, r)
        if best is not None:
            _, c, r = best
            self.take(c, t)
            self.push(b, p, r)
            self.dispose(c, t, r, b)
            return True
        # C3, wide: several parts of r, several fronts of another rack
        for r in sorted(self.racks, key=lambda q: len(self.row[q])):
            if self.attempt(self.squeeze, p, b, r):
                return True
        return False

    def step_front(self, p, r, t, wanted):
        row = self.row[r]
        bels = self.empty_bels()
        loaded = [b for b in self.bel if self.load[b] is not None]
        others = [q for q in self.racks if q != r and self.row[q]]
        # D1
        if bels:
            e = self.empty_rack(p)
            if e is not None:
                b = bels[0]
                self.pop(b, r)
                self.push(b, p, e)
                return True
        # D2
        if len(bels) >= 2:
            b1, b2 = bels[0], bels[1]
            a = row[1]
            self.pop(b1, r)
            self.pop(b2, r)
            self.push(b1, p, r)
            self.push(b2, a, r)
            return True
        # D3
        opts = [b for b in loaded if self.fits(self.load[b], r)]
        if opts:
            b = min(opts, key=lambda o: (self.load[o] in wanted, self.srank(self.load[o])))
            self.push(b, self.load[b], r)
            return True
        # D4
        if bels:
            opts = [q for q in others if self.fits(self.row[q][0], r)]
            if opts:
                q = min(opts, key=lambda o: (self.srank(self.row[o][0]),
                                             self.row[o][0] in wanted))
                w = self.row[q][0]
                self.pop(bels[0], q)
                self.push(bels[0], w, r)
                return True
        # D5
        fabs = self.empty_fabs()
        behind = row[1:]
        if len(fabs) > len(behind):
            for f, c in zip(fabs, reversed(behind)):
                self.take(c, f)
            return True
        # D6
        for e in self.racks:
            if self.row[e] or e == r:
                continue
            lev = self.level[e]
            for c in reversed(behind):
                lev = self.plus(lev, c)
                if lev is None:
                    break
            if lev is None:
                continue
            for c in reversed(behind):
                self.take(c, t)
                self.lay(t, c, e)
            return True
        # D7
        n = len(row)
        best = None
        for i in range(1, n):
            c = row[i]
            if self.best_rack(c, (r,)) is None:
                continue
            lev = self.without(r, c)
            if lev is None:
                continue
            after = False
            for b in loaded:
                if self.plus(lev, self.load[b]) is not None:
                    after = True
                    break
            if not after and bels:
                for q in others:
                    if self.plus(lev, self.row[q][0]) is not None:
                        after = True
                        break
            if after:
                key = (0, 0, n - 1 - i)
            else:
                key = (1, -self.srank(c), n - 1 - i)
            if best is None or key < best[0]:
                best = (key, c)
        if best is not None:
            c = best[1]
            d = self.best_rack(c, (r,))
            self.take(c, t)
            self.lay(t, c, d)
            return True
        # D8
        best = None
        for b in loaded:
            w = self.load[b]
            for i in range(1, n):
                c = row[i]
                if not self.fits_without(w, r, c) or not self.can_dispose(c, r, t):
                    continue
                key = (self.size[c] != self.size.get(w), n - 1 - i, w in wanted)
                if best is None or key < best[0]:
                    best = (key, b, w, c)
        if best is not None:
            _, b, w, c = best
            self.take(c, t)
            self.push(b, w, r)
            self.dispose(c, t, r, b)
            return True
        # D9
        if bels:
            b = bels[0]
            best = None
            for q in others:
                w = self.row[q][0]
                for i in range(1, n):
                    c = row[i]
                    if not self.fits_without(w, r, c):
                        continue
                    ok = (self.fits_without(c, q, w) or len(fabs) >= 2
                          or self.best_rack(c, (r, q)) is not None)
                    if not ok:
                        continue
                    key = (self.size[c] != self.size[w], n - 1 - i, w in wanted)
                    if best is None or key < best[0]:
                        best = (key, q, w, c)
            if best is not None:
                _, q, w, c = best
                self.take(c, t)
                self.pop(b, q)
                self.push(b, w, r)
                if self.fits(c, q):
                    self.lay(t, c, q)
                else:
                    d = self.best_rack(c, (r, q))
                    if d is not None:
                        self.lay(t, c, d)
                return True
        # D8, wide
        for b in sorted(loaded, key=lambda o: self.srank(self.load[o])):
            if self.attempt(self.squeeze, self.load[b], b, r, p):
                return True
        # D9, wide
        if bels:
            for q in sorted(others, key=lambda o: self.srank(self.row[o][0])):
                if self.attempt(self.draw, bels[0], q, r, p):
                    return True
        # a larger part behind p against smaller parts of another rack
        if self.rebalance(r):
            return True
        # D10
        if bels and self.can_unload():
            self.unload(bels[0])
            return True
        # D11
        return False

    # ---------- MAIN ----------

    def wanted_parts(self):
        if self.needed is not None:
            return {self.needed: None}
        res = {}
        for pl, p in sorted(self.lines, key=lambda a: (okey(a[0]), okey(a[1]))):
            if p in self.size and p not in self.processed and self.plsucc.get(p):
                res.setdefault(p, pl)
        return res

    def deliver(self, p, pl):
        t = self.place[p]
        if self.needed != p:
            pn = min(self.plsucc[p],
                     key=lambda n: (0 if n in self.size and n not in self.processed and n != p
                                    else 1 if n not in self.size else 2,
                                    n not in self.goals, okey(n)))
            self.emit("set-next", pl, p, pn)
            self.lines.discard((pl, p))
            self.lines.add((pl, pn))
        self.emit("to-fab", t, p)
        self.needed = None
        self.load[t] = None
        del self.place[p]
        self.processed.add(p)
        self.given.clear()
        self.idle = 0

    def preference(self, p):
        where = self.place[p]
        if where in self.fabset:
            return (0, 0, okey(p))
        if where in self.belset:
            return (4, 0, okey(p))
        row = self.row[where]
        i = row.index(p)
        behind = len(row) - 1 - i
        if behind == 0:
            return (1, 0, okey(p))
        if i > 0:
            return (2, behind, okey(p))
        return (3, behind, okey(p))

    def main(self, goals):
        self.goals = goals
        while not goals <= self.processed:
            wanted = self.wanted_parts()
            if not wanted:
                return
            self.tidy(wanted)
            out = [p for p in wanted if p in self.place]
            cands = [p for p in out if p not in self.given]
            if cands:
                p = min(cands, key=self.preference)
                if self.fetch(p, wanted):
                    self.deliver(p, wanted[p])
                else:
                    self.given.add(p)
                continue
            if self.can_unload():
                self.make_truck_free()
                bels = self.empty_bels()
                if bels:
                    self.unload(bels[0])
                    continue
            # nothing else is left to do: try again a few times, then stop
            self.idle += 1
            if self.idle > 6:
                return
            self.given.clear()


def get_plan(objects, init, goal):
    init = set(init)
    if all(g in init for g in goal):
        return []
    world = World(objects, init)
    goals = {g[1] for g in goal if g[0] == "processed"}
    try:
        world.main(goals)
    except Stuck:
        pass
    return world.plan
