import re


class _Budget(Exception):
    pass


def _nat(name):
    return tuple((0, int(c), "") if c.isdigit() and c.isascii() else (1, 0, c)
                 for c in re.split(r"([0-9]+)", name) if c) + ((2, 0, name),)


INF = float("inf")
BP, BT, FT, FP, TB, UN, HO = range(7)
N0, NP, NR = "n00", "nonep", "noner"


class _Solver:
    # ------------------------------------------------------------ set-up
    def __init__(self, objects, init, goal):
        self.init = init
        self.goal = goal
        objs = sorted(set(objects), key=lambda o: _nat(o[0]))
        self.racks = [n for n, t in objs if t == "rack" and n != NR]
        self.parts = [n for n, t in objs if t == "part" and n != NP]
        self.lines = [n for n, t in objs if t == "production-line"]
        bt = [n for n, t in objs if t == "beluga-truck"]
        ft = [n for n, t in objs if t == "fab-truck"]
        self.partset = set(self.parts)
        self.rows = {r: [] for r in self.racks}
        self.level = {r: N0 for r in self.racks}
        self.where = {p: None for p in self.parts}
        self.size = {p: None for p in self.parts}
        self.processed = set()
        self.linenext = {}
        self.lsucc = {}
        self.nxt = {}
        self.ready = None
        self.needed = None
        self.ops = []
        self.work = 0
        self.limit = INF
        load, empty, members = {}, set(), {}
        rsucc, table = {}, []
        for f in sorted(init, key=lambda g: tuple(_nat(a) for a in g)):
            k = f[0]
            if k == "on-truck":
                load.setdefault(f[2], f[1])
            elif k == "empty":
                empty.add(f[1])
            elif k == "on-rack":
                if f[1] in self.rows and f[2] in self.partset:
                    members.setdefault(f[1], []).append(f[2])
            elif k == "rack-succ":
                rsucc.setdefault(f[1], []).append(f[2])
            elif k == "p-line-next":
                self.linenext.setdefault(f[1], f[2])
            elif k == "p-line-succ":
                if f[1] in self.partset:
                    self.lsucc.setdefault(f[1], f[2])
            elif k == "needed-next":
                if f[1] in self.partset:
                    self.needed = f[1]
            elif k == "processed":
                self.processed.add(f[1])
            elif k == "size":
                self.size[f[1]] = f[2]
            elif k == "level":
                if f[1] in self.level:
                    self.level[f[1]] = f[2]
            elif k == "fit-n-sum":
                table.append((f[1], f[2], f[3]))
            elif k == "ready-to-unload":
                if self.ready is None or f[1] in self.partset:
                    self.ready = f[1]
            elif k == "next-to-unload":
                self.nxt.setdefault(f[1], f[2])
        self.bt = [t for t in bt if t in empty or t in load]
        self.ft = [t for t in ft if t in empty or t in load]
        self.bset, self.fset = set(self.bt), set(self.ft)
        self.load = {t: load.get(t) for t in self.bt + self.ft}
        for t, p in self.load.items():
            if p is not None:
                self.where[p] = t
        for r, ms in members.items():
            inside = set(ms)
            nx, has = {}, set()
            for a in ms:
                for b in rsucc.get(a, ()):
                    if b in inside and a not in nx:
                        nx[a] = b
                        has.add(b)
            row, done = [], set()
            for s in [a for a in ms if a not in has] + ms:
                while s is not None and s not in done:
                    done.add(s)
                    row.append(s)
                    s = nx.get(s)
            self.rows[r] = row
            for a in row:
                self.where[a] = r
        self.add, self.sub = {}, {}
        for l, s, n in table:
            self.add.setdefault((l, s), n)
        for (l, s), n in self.add.items():
            self.sub.setdefault((n, s), l)
        self.room = self._rooms(table)

    def _rooms(self, table):
        succ = {}
        nums = []
        for l, s, n in table:
            nums.append(l)
            nums.append(n)
            if s != N0 and n != l:
                succ.setdefault(l, set()).add(n)
        room, opened = {}, set()
        for start in nums:
            stack = [start]
            while stack:
                l = stack[-1]
                if l in room:
                    stack.pop()
                    continue
                ns = succ.get(l, ())
                if l not in opened:
                    opened.add(l)
                    pend = [n for n in ns if n not in room and n not in opened]
                    if pend:
                        stack.extend(pend)
                        continue
                room[l] = max((1 + room.get(n, 0) for n in ns), default=0)
                stack.pop()
        return room

    # ------------------------------------------------------------ questions
    def tick(self):
        self.work += 1
        if self.work > self.limit:
            raise _Budget()

    def eb(self):
        for t in self.bt:
            if self.load[t] is None:
                return t
        return None

    def ef(self):
        for t in self.ft:
            if self.load[t] is None:
                return t
        return None

    def nb(self):
        return sum(1 for t in self.bt if self.load[t] is None)

    def nf(self):
        return sum(1 for t in self.ft if self.load[t] is None)

    def bfits(self, p, r):
        return (self.level[r], self.size[p]) in self.add

    def ffits(self, p, r):
        return not self.rows[r] or (self.level[r], self.size[p]) in self.add

    def free(self, x):
        row = self.rows.get(self.where.get(x))
        return row is not None and (len(row) == 1 or row[0] != x)

    def alone_on(self, x, r):
        row = self.rows[r]
        return x is not None and len(row) == 1 and row[0] == x

    def free_parts(self, r):
        row = self.rows[r]
        if len(row) <= 1:
            return list(row)
        return row[:0:-1]

    def after(self, y, r):
        if len(self.rows[r]) == 1:
            return N0
        return self.sub.get((self.level[r], self.size[y]))

    def best(self, p, cands, fab):
        self.tick()
        s = self.size[p]
        bk = br = None
        for r in cands:
            row = self.rows[r]
            n = self.add.get((self.level[r], s))
            if row:
                if n is None:
                    continue
            else:
                if n is None and not fab:
                    continue
                n = s
            k = (self.room.get(n, 0), -len(row))
            if bk is None or k < bk:
                bk, br = k, r
        return br

    def fewest(self):
        return sorted((r for r in self.racks if self.rows[r]), key=lambda r: len(self.rows[r]))

    def most(self):
        return sorted((r for r in self.racks if self.rows[r]), key=lambda r: -len(self.rows[r]))

    def can_unload(self):
        return self.ready in self.partset and self.ready in self.nxt

    # ------------------------------------------------------------ primitive steps
    def rollback(self, m):
        ops = self.ops
        while len(ops) > m:
            o = ops.pop()
            k = o[0]
            if k == TB:
                row = self.rows[o[2]]
                row.pop()
                row.insert(o[3], o[4])
            elif k == UN:
                self.load[o[3]] = None
                self.where[o[1]] = None
                self.ready = o[1]
            elif k == HO:
                _, t, x, line, pn, old = o
                self.load[t] = x
                self.where[x] = t
                self.processed.discard(x)
                self.needed = old
                if line is not None:
                    self.linenext[line] = x
            else:
                t, p, r = o[1], o[2], o[3]
                row = self.rows[r]
                self.level[r] = o[6]
                if k == BP or k == FP:
                    if k == BP:
                        row.pop(0)
                    else:
                        row.pop()
                    self.load[t] = p
                    self.where[p] = t
                else:
                    if k == BT:
                        row.insert(0, p)
                    else:
                        row.append(p)
                    self.load[t] = None
                    self.where[p] = r

    def bput(self, tb, p, r):
        self.tick()
        if tb is None or p is None or self.load[tb] != p:
            return False
        row, l, s = self.rows[r], self.level[r], self.size[p]
        n = self.add.get((l, s))
        if n is None:
            return False
        if row:
            other = row[0]
        else:
            other, n = None, s
        self.ops.append((BP, tb, p, r, other, s, l, n))
        row.insert(0, p)
        self.level[r] = n
        self.load[tb] = None
        self.where[p] = r
        return True

    def btake(self, tb, r):
        self.tick()
        row = self.rows[r]
        if tb is None or self.load[tb] is not None or not row:
            return False
        p, l = row[0], self.level[r]
        s = self.size[p]
        if len(row) == 1:
            other, n = None, N0
        else:
            other, n = row[1], self.sub.get((l, s))
            if n is None:
                return False
        self.ops.append((BT, tb, p, r, other, s, l, n))
        row.pop(0)
        self.level[r] = n
        self.load[tb] = p
        self.where[p] = tb
        return True

    def ftake(self, t, r, p):
        self.tick()
        row = self.rows[r]
        if t is None or self.load[t] is not None or not row or row[-1] != p:
            return False
        l, s = self.level[r], self.size[p]
        if len(row) == 1:
            other, n = None, N0
        else:
            other, n = row[-2], self.sub.get((l, s))
            if n is None:
                return False
        self.ops.append((FT, t, p, r, other, s, l, n))
        row.pop()
        self.level[r] = n
        self.load[t] = p
        self.where[p] = t
        return True

    def fput(self, t, p, r):
        self.tick()
        if t is None or p is None or self.load[t] != p:
            return False
        row, l, s = self.rows[r], self.level[r], self.size[p]
        if row:
            other, n = row[-1], self.add.get((l, s))
            if n is None:
                return False
        else:
            other, n = None, s
        self.ops.append((FP, t, p, r, other, s, l, n))
        row.append(p)
        self.level[r] = n
        self.load[t] = None
        self.where[p] = r
        return True

    def toback(self, y, r, t):
        self.tick()
        row = self.rows[r]
        i = row.index(y)
        if i == len(row) - 1:
            return True
        if i == 0 or t is None or self.load[t] is not None:
            return False
        l = self.level[r]
        for z in row[i:]:
            if (l, self.size[z]) not in self.sub:
                return False
        self.ops.append((TB, t, r, i, y, tuple(row[i - 1:]), l))
        row.pop(i)
        row.append(y)
        return True

    def unload(self, tb):
        self.tick()
        if tb is None or self.load[tb] is not None or not self.can_unload():
            return False
        p = self.ready
        n = self.nxt[p]
        self.ops.append((UN, p, n, tb))
        self.load[tb] = p
        self.where[p] = tb
        self.ready = n
        return True

    def hand_over(self, t, x):
        self.tick()
        line = pn = None
        if self.needed is None:
            for pl in self.lines:
                if self.linenext.get(pl) == x:
                    line = pl
                    break
            if line is None or x not in self.lsucc:
                return False
            pn = self.lsucc[x]
        elif self.needed != x:
            return False
        self.ops.append((HO, t, x, line, pn, self.needed))
        if line is not None:
            self.linenext[line] = pn
        self.load[t] = None
        self.where[x] = None
        self.processed.add(x)
        self.needed = None
        return True

    # ------------------------------------------------------------ composed steps
    def hold(self, y, r, t):
        if t is None or self.where.get(y) != r or not self.free(y):
            return False
        if len(self.rows[r]) > 1 and not self.toback(y, r, t):
            return False
        return self.ftake(t, r, y)

    def shift(self, y, r, r2):
        t = self.ef()
        if t is None or r == r2 or not self.ffits(y, r2):
            return False
        return self.hold(y, r, t) and self.fput(t, y, r2)

    def hop(self, r, r2):
        tb = self.eb()
        if tb is None or r == r2 or not self.rows[r]:
            return False
        g = self.rows[r][0]
        if not self.bfits(g, r2):
            return False
        return self.btake(tb, r) and self.bput(tb, g, r2)

    def bring_second(self, z, r):
        t = self.ef()
        row = self.rows[r]
        if t is None or z not in row or row[0] == z:
            return False
        while row[1] != z:
            if not self.toback(row[1], r, t):
                return False
        return True

    # ------------------------------------------------------------ delivering
    def deliver(self, x):
        m = len(self.ops)
        if self.approach(x) and self.fetch_out(x):
            return True
        self.rollback(m)
        if self.nf() == 0:
            for t in self.ft:
                if self.put_away(t, x, None, None) and self.approach(x) and self.fetch_out(x):
                    return True
                self.rollback(m)
        return False

    def fetch_out(self, x):
        w = self.where[x]
        if w in self.fset:
            return self.hand_over(w, x)
        t = self.ef()
        if t is None or not self.free(x):
            return False
        return self.hold(x, w, t) and self.hand_over(t, x)

    def approach(self, x):
        w = self.where[x]
        if w in self.fset:
            return True
        if w in self.rows:
            if self.free(x):
                return self.finish(x)
            m = len(self.ops)
            if self.cover(x, w):
                return True
            self.rollback(m)
            tb = self.eb()
            if tb is not None and self.btake(tb, w) and self.place(x, w):
                return True
            self.rollback(m)
            return False
        if w in self.bset:
            return self.place(x, None)
        return False

    def finish(self, x):
        return self.free_fab(x, None, None) and (self.free(x) or self.where[x] in self.fset)

    def free_fab(self, x, keep, closed):
        if self.ef() is not None:
            return True
        m = len(self.ops)
        for t in self.ft:
            if self.put_away(t, x, keep, closed):
                return True
            self.rollback(m)
        return False

    def open_racks(self, x, closed):
        xr = None
        if x is not None:
            w = self.where.get(x)
            if w in self.rows and self.rows[w][0] == x:
                xr = w
        return [r for r in self.racks if r != closed and r != xr]

    def put_away(self, t, x, keep, closed):
        y = self.load[t]
        if y is None or y == x:
            return False
        op = self.open_racks(x, closed)
        r = self.best(y, op, True)
        if r is not None:
            return self.fput(t, y, r)
        m = len(self.ops)
        if self.eb() is None:
            cand = [r for r in self.racks if r != closed]
            for tb in self.bt:
                q = self.load[tb]
                if tb == keep or q is None or q == x:
                    continue
                rq = self.best(q, cand, False)
                if rq is not None:
                    self.bput(tb, q, rq)
                    op = self.open_racks(x, closed)
                    r = self.best(y, op, True)
                    if r is not None:
                        return self.fput(t, y, r)
                    break
        m2 = len(self.ops)
        bk = br = None
        for r2 in op:
            res = self._dig(y, r2, x, closed)
            self.rollback(m2)
            if res is not None and (bk is None or res < bk):
                bk, br = res, r2
        if br is not None:
            self._dig(y, br, x, closed)
            return self.fput(t, y, br)
        self.rollback(m)
        if x is not None:
            w = self.where.get(x)
            if w in self.rows and w != closed:
                row = self.rows[w]
                if len(row) > 1 and row[0] == x and self.ffits(y, w):
                    return self.fput(t, y, w)
        return False

    def _dig(self, y, r2, x, closed):
        moved = staying = 0
        row = self.rows[r2]
        cand = None
        while not self.ffits(y, r2):
            g = row[0]
            if x is not None and (g == x or (len(row) > 1 and row[1] == x)):
                return None
            tb = self.eb()
            if tb is None:
                return None
            if cand is None:
                cand = [r for r in self.racks if r != r2 and r != closed]
            b = self.best(g, cand, False)
            if b is not None:
                if not self.hop(r2, b):
                    return None
            else:
                if not self.btake(tb, r2):
                    return None
                staying += 1
            moved += 1
        return (staying, moved)

    def remove(self, y, r, x, keep):
        if not self.free_fab(x, keep, r):
            return False
        b = self.best(y, [r2 for r2 in self.racks if r2 != r and not self.alone_on(x, r2)], True)
        if b is not None:
            return self.shift(y, r, b)
        return self.hold(y, r, self.ef())

    def make_room(self, q, r, x, y0, keep):
        if y0 is not None and not self.remove(y0, r, x, keep):
            return False
        sq = self.size[q]
        while not self.bfits(q, r):
            if self.alone_on(x, r):
                return True
            good = gk = bad = bk = None
            for y in self.free_parts(r):
                if y == x:
                    continue
                l = self.after(y, r)
                if l is None:
                    continue
                k = self.room.get(l, 0)
                if (l, sq) in self.add:
                    if gk is None or k < gk:
                        gk, good = k, y
                elif bk is None or k > bk:
                    bk, bad = k, y
            y = good if good is not None else bad
            if y is None or not self.remove(y, r, x, keep):
                return False
        return True

    def secure(self, x, r):
        if self.free(x):
            return self.finish(x)
        return self.cover(x, r)

    def place(self, x, skip):
        tb = self.where[x]
        m = len(self.ops)
        # (A)
        for r in self.racks:
            if r != skip and not self.rows[r] and self.bfits(x, r):
                if self.bput(tb, x, r) and self.finish(x):
                    return True
                self.rollback(m)
        order = self.fewest()
        # (B)
        for r in order:
            if r == skip:
                continue
            ok = True
            for y in list(reversed(self.rows[r])):
                if not self.remove(y, r, x, None):
                    ok = False
                    break
            if ok and self.bput(tb, x, r) and self.finish(x):
                return True
            self.rollback(m)
        # (C)
        nofab = self.nf() == 0
        for r in order:
            if r == skip or not self.bfits(x, r):
                continue
            if self.bput(tb, x, r) and self.cover(x, r):
                return True
            self.rollback(m)
            if nofab:
                if self.bput(tb, x, r) and self.free_fab(x, None, None) and self.secure(x, r):
                    return True
                self.rollback(m)
        # (D)
        for r in order:
            ys = [] if self.bfits(x, r) else [None]
            ys += self.free_parts(r)
            for y0 in ys:
                if self.make_room(x, r, x, y0, None) and self.bput(tb, x, r):
                    m2 = len(self.ops)
                    if self.secure(x, r):
                        return True
                    self.rollback(m2)
                    if self.nf() == 0 and self.free_fab(x, None, None) and self.secure(x, r):
                        return True
                self.rollback(m)
        # (E)
        if self.eb() is not None:
            for r in order:
                ok = self.btake(self.eb(), r)
                while ok and not self.bfits(x, r):
                    ok = self.btake(self.eb(), r)
                if ok and self.bput(tb, x, r):
                    m2 = len(self.ops)
                    if self.secure(x, r):
                        return True
                    self.rollback(m2)
                    if self.free_fab(x, None, None) and self.secure(x, r):
                        return True
                self.rollback(m)
        return False

    def covers(self, x, r):
        out = [self.load[t] for t in self.bt if self.load[t] is not None and self.load[t] != x]
        if self.eb() is not None:
            out += [self.rows[r2][0] for r2 in self.most() if r2 != r]
            if self.can_unload():
                out.append(self.ready)
        return out

    def fetch(self, q):
        w = self.where.get(q)
        if w in self.bset:
            return w
        tb = self.eb()
        if tb is None:
            return None
        if w in self.rows:
            if self.rows[w][0] == q and self.btake(tb, w):
                return tb
            return None
        if q == self.ready and self.unload(tb):
            return tb
        return None

    def cover(self, x, r):
        m = len(self.ops)
        row = self.rows[r]
        if not row or row[0] != x or len(row) < 2:
            return False
        b = self.nb()
        # (a)
        if b >= 1:
            for r0 in self.racks:
                if not self.rows[r0] and self.bfits(x, r0):
                    if self.hop(r, r0) and self.finish(x):
                        return True
                    self.rollback(m)
                    break
        # (b)
        if b >= 2:
            tb1, tb2 = [t for t in self.bt if self.load[t] is None][:2]
            q = row[1]
            if (self.btake(tb1, r) and self.btake(tb2, r) and self.bput(tb1, x, r)
                    and self.bput(tb2, q, r) and self.finish(x)):
                return True
            self.rollback(m)
        # (c)
        for tb in self.bt:
            q = self.load[tb]
            if q is not None and q != x and self.bfits(q, r):
                if self.bput(tb, q, r) and self.finish(x):
                    return True
                self.rollback(m)
        # (d)
        if b >= 1:
            for r2 in self.most():
                if r2 != r and self.bfits(self.rows[r2][0], r):
                    if self.hop(r2, r) and self.finish(x):
                        return True
                    self.rollback(m)
        # (e)
        ok = True
        for y in row[:0:-1]:
            if not self.remove(y, r, x, None):
                ok = False
                break
        if ok and self.finish(x):
            return True
        self.rollback(m)
        # (f)
        if b >= 1 and self.can_unload() and self.bfits(self.ready, r):
            tb, q = self.eb(), self.ready
            if self.unload(tb) and self.bput(tb, q, r) and self.finish(x):
                return True
            self.rollback(m)
        cov = self.covers(x, r)
        behind = row[:0:-1]
        # (g)
        if self.nf() >= 1:
            for q in cov:
                for y in behind:
                    l = self.after(y, r)
                    if l is None or (l, self.size[q]) not in self.add:
                        continue
                    if self.hold(y, r, self.ef()):
                        tb = self.fetch(q)
                        if tb is not None and self.bput(tb, q, r) and self.finish(x):
                            return True
                    self.rollback(m)
        # (h)
        for q in cov:
            tb = self.fetch(q)
            if tb is not None and self.free_fab(x, tb, r):
                m2 = len(self.ops)
                for y0 in [None] + behind:
                    if self.make_room(q, r, x, y0, tb):
                        ok = True
                        if self.bfits(q, r):
                            ok = self.bput(tb, q, r)
                        if ok and self.free(x) and self.finish(x):
                            return True
                    self.rollback(m2)
            self.rollback(m)
        # (i)
        if b >= 1:
            for r2 in self.most():
                if r2 == r:
                    continue
                others = [k for k in self.racks if k != r and k != r2]
                row2 = self.rows[r2]
                ok = True
                while row2 and not self.bfits(row2[0], r):
                    k = self.best(row2[0], others, False)
                    if k is None or not self.hop(r2, k):
                        ok = False
                        break
                if ok and row2 and self.hop(r2, r) and self.finish(x):
                    return True
                self.rollback(m)
        return False

    # ------------------------------------------------------------ prepared delivering
    def steps(self, x):
        out = []
        racks, rows = self.racks, self.rows
        for t in self.ft:
            y = self.load[t]
            if y is not None and y != x:
                for r in racks:
                    if self.ffits(y, r) and not self.alone_on(x, r):
                        out.append((1, t, y, r))
        for tb in self.bt:
            q = self.load[tb]
            if q is not None and q != x:
                for r in racks:
                    if self.bfits(q, r):
                        out.append((2, tb, q, r))
        hasf, hasb = self.ef() is not None, self.eb() is not None
        if hasf:
            for r in racks:
                for y in self.free_parts(r):
                    if y != x:
                        for r2 in racks:
                            if r2 != r and self.ffits(y, r2) and not self.alone_on(x, r2):
                                out.append((3, y, r, r2))
        if hasb:
            for r in racks:
                if rows[r] and rows[r][0] != x:
                    for r2 in racks:
                        if r2 != r and self.bfits(rows[r][0], r2):
                            out.append((4, r, r2))
            for r in racks:
                if rows[r] and rows[r][0] != x:
                    out.append((5, r))
        if hasf:
            for r in racks:
                for y in self.free_parts(r):
                    if y != x:
                        out.append((6, y, r))
            for r in racks:
                for z in rows[r][2:]:
                    out.append((7, z, r))
        if hasb and self.can_unload():
            out.append((8,))
        return out

    def do_step(self, s):
        k = s[0]
        if k == 1:
            return self.fput(s[1], s[2], s[3])
        if k == 2:
            return self.bput(s[1], s[2], s[3])
        if k == 3:
            return self.shift(s[1], s[2], s[3])
        if k == 4:
            return self.hop(s[1], s[2])
        if k == 5:
            return self.btake(self.eb(), s[1])
        if k == 6:
            return self.hold(s[1], s[2], self.ef())
        if k == 7:
            return self.bring_second(s[1], s[2])
        return self.unload(self.eb())

    def key(self):
        return (tuple([tuple(self.rows[r]) for r in self.racks]),
                tuple(self.load.values()), self.ready)

    def prepared(self, x):
        m = len(self.ops)
        start = self.key()
        failed = {start}
        seen = {start}
        steps = self.steps(x)
        for s in steps:
            if self.do_step(s):
                k = self.key()
                if k not in failed:
                    if self.deliver(x):
                        return True
                    failed.add(k)
            self.rollback(m)
        for s in steps:
            if self.do_step(s):
                k = self.key()
                if k not in seen:
                    seen.add(k)
                    m1 = len(self.ops)
                    for s2 in self.steps(x):
                        if self.do_step(s2):
                            k2 = self.key()
                            if k2 not in failed:
                                if self.deliver(x):
                                    return True
                                failed.add(k2)
                        self.rollback(m1)
            self.rollback(m)
        return False

    def limited(self, fn, x, amount):
        """Runs fn(x) with bounded work. Returns (success, cut short, work used)."""
        m = len(self.ops)
        w0 = self.work
        self.limit = w0 + amount
        cut = False
        try:
            ok = fn(x)
        except _Budget:
            ok, cut = False, True
        self.limit = INF
        if not ok:
            self.rollback(m)
        return ok, cut, self.work - w0

    # ------------------------------------------------------------ taking in
    def reach(self, q, r, coming, spare):
        add, room, size = self.add, self.room, self.size
        racks = self.racks
        lev = [self.level[k] for k in racks]
        cnt = [len(self.rows[k]) for k in racks]

        def put(i, p):
            if cnt[i]:
                lev[i] = add[(lev[i], size[p])]
            else:
                lev[i] = size[p]
            cnt[i] += 1

        put(racks.index(r), q)
        n = 0
        for p in coming:
            s = size[p]
            bk, bi, em = None, None, None
            for i in range(len(racks)):
                v = add.get((lev[i], s))
                if v is None:
                    continue
                if cnt[i]:
                    k = (room.get(v, 0), -cnt[i])
                    if bk is None or k < bk:
                        bk, bi = k, i
                elif em is None:
                    em = i
            if bi is None:
                bi = em
            if bi is not None:
                put(bi, p)
            elif spare > 0:
                spare -= 1
            else:
                break
            n += 1
        return n

    def take_in(self, wanted):
        coming = []
        if self.needed is not None:
            targets = {self.needed}
        else:
            targets = set(self.linenext.values())
        cur, seen = self.ready, set()
        while cur in self.partset and cur in self.nxt and cur not in seen:
            seen.add(cur)
            coming.append(cur)
            if cur in targets:
                break
            cur = self.nxt[cur]
        did = False
        for tb in self.bt:
            q = self.load[tb]
            if q is None:
                continue
            s = self.size[q]
            opts = [r for r in self.racks if self.rows[r] and self.bfits(q, r)]
            opts.sort(key=lambda r: self.room.get(self.add[(self.level[r], s)], 0))
            for r in self.racks:
                if not self.rows[r] and self.bfits(q, r):
                    opts.append(r)
                    break
            if not opts:
                continue
            pick = opts[0]
            if len(opts) > 1:
                f = self.nf()
                spare = self.nb() + (f - 1 if f >= 1 else 0)
                top, kinds = -1, set()
                for r in opts:
                    kind = (self.level[r], len(self.rows[r]))
                    if kind in kinds:
                        continue
                    kinds.add(kind)
                    v = self.reach(q, r, coming, spare)
                    if v > top:
                        top, pick = v, r
                    if top == len(coming):
                        break
            if self.bput(tb, q, pick):
                did = True
        if did and wanted:
            return True
        tb = self.eb()
        if tb is not None and self.can_unload():
            return self.unload(tb)
        if did:
            return True
        return self.rearrange()

    def rearrange(self):
        tbs = [(tb, self.load[tb]) for tb in self.bt if self.load[tb] is not None]
        if not tbs:
            return False
        before = len(tbs)
        m0 = len(self.ops)
        if self.nf() == 0:
            for t in self.ft:
                y = self.load[t]
                if y is not None:
                    r = self.best(y, self.racks, True)
                    if r is not None:
                        self.fput(t, y, r)
                        break
        m = len(self.ops)
        add, size, racks = self.add, self.size, self.racks

        def fewer():
            return sum(1 for t in self.bt if self.load[t] is not None) < before

        def gives_room(y, r, q):
            l = self.after(y, r)
            return l is not None and (l, size[q]) in add

        f = self.nf()
        if f >= 1:
            # (M1)
            for tb, q in tbs:
                for r in racks:
                    for y in self.free_parts(r):
                        if not gives_room(y, r, q):
                            continue
                        for r2 in racks:
                            if r2 != r and self.ffits(y, r2):
                                if self.shift(y, r, r2) and self.bput(tb, q, r):
                                    return True
                                self.rollback(m)
            # (M2)
            for tb, q in tbs:
                for r in sorted(racks, key=lambda k: len(self.rows[k])):
                    ok = True
                    others = [k for k in racks if k != r]
                    while not self.bfits(q, r):
                        if not self.rows[r]:
                            ok = False
                            break
                        y = self.rows[r][-1]
                        k = self.best(y, others, True)
                        if k is None or not self.shift(y, r, k):
                            ok = False
                            break
                    if ok and self.bput(tb, q, r):
                        return True
                    self.rollback(m)
            # (M3)
            for tb, q in tbs:
                for r in racks:
                    for y in self.free_parts(r):
                        if not gives_room(y, r, q):
                            continue
                        t = self.ef()
                        if (self.hold(y, r, t) and self.bput(tb, q, r)
                                and self.put_away(t, None, None, None) and fewer()):
                            return True
                        self.rollback(m)
        # (M4)
        if f >= 2:
            t, t2 = [k for k in self.ft if self.load[k] is None][:2]
            fl = []
            for r in racks:
                for y in self.free_parts(r):
                    l = self.after(y, r)
                    if l is not None:
                        fl.append((r, y, size[y], l, len(self.rows[r]) == 1))
            for tb, q in tbs:
                sq = size[q]
                for r, y, sy, l, one in fl:
                    for r2, y2, s2, l2, one2 in fl:
                        if r2 == r:
                            continue
                        n2 = sy if one2 else add.get((l2, sy))
                        if n2 is None:
                            continue
                        n1 = s2 if one else add.get((l, s2))
                        if n1 is None:
                            continue
                        if (n1, sq) not in add and (n2, sq) not in add:
                            continue
                        if (self.hold(y, r, t) and self.hold(y2, r2, t2)
                                and self.fput(t, y, r2) and self.fput(t2, y2, r)):
                            k = r if self.bfits(q, r) else r2
                            if self.bput(tb, q, k):
                                return True
                        self.rollback(m)

        dist = {}
        front = [p for p in [self.needed] + [self.linenext.get(pl) for pl in self.lines]
                 if p in self.partset]
        d = 0
        while front:
            new = []
            for p in front:
                if p not in dist:
                    dist[p] = d
                    n = self.lsucc.get(p)
                    if n in self.partset:
                        new.append(n)
            front = new
            d += 1

        def m5():
            for tb, q in tbs:
                bk = by = None
                for r in racks:
                    for y in self.free_parts(r):
                        if gives_room(y, r, q):
                            k = dist.get(y, INF)
                            if bk is None or k < bk:
                                bk, by = k, (y, r)
                if by is not None:
                    if self.hold(by[0], by[1], self.ef()) and self.bput(tb, q, by[1]):
                        return True
                    self.rollback(m)
            return False

        def m6(need_fab):
            for tb, q in tbs:
                for r in self.fewest():
                    if (self.make_room(q, r, None, None, tb) and self.bput(tb, q, r)
                            and (not need_fab or self.ef() is not None) and fewer()):
                        return True
                    self.rollback(m)
            return False

        if f >= 2 and m5():
            return True
        if m6(True):
            return True
        if f >= 1 and m5():
            return True
        if m6(False):
            return True
        self.rollback(m0)
        return False

    # ------------------------------------------------------------ compacting
    def compact(self):
        m0 = len(self.ops)
        moved = set()
        if self.ef() is not None:
            for r in self.fewest():
                for y in list(reversed(self.rows[r])):
                    if y in moved or self.where[y] != r or not self.free(y):
                        continue
                    n = len(self.rows[r])
                    b = self.best(y, [k for k in self.racks if k != r and len(self.rows[k]) > n], True)
                    if b is not None:
                        m = len(self.ops)
                        if self.shift(y, r, b):
                            moved.add(y)
                        else:
                            self.rollback(m)
        if self.eb() is not None:
            for r in self.fewest():
                if not self.rows[r]:
                    continue
                g = self.rows[r][0]
                if g in moved:
                    continue
                n = len(self.rows[r])
                b = self.best(g, [k for k in self.racks if k != r and len(self.rows[k]) > n], False)
                if b is not None:
                    m = len(self.ops)
                    if self.hop(r, b):
                        moved.add(g)
                    else:
                        self.rollback(m)
        return len(self.ops) > m0

    # ------------------------------------------------------------ main
    def holds(self, f):
        k = f[0]
        if k == "processed":
            return f[1] in self.processed
        if k == "on-truck":
            return self.load.get(f[2]) == f[1]
        if k == "empty":
            return f[1] in self.load and self.load[f[1]] is None
        if k == "needed-next":
            return f[1] == (NP if self.needed is None else self.needed)
        if k == "ready-to-unload":
            return f[1] == self.ready
        if k == "on-rack" and f[1] in self.rows:
            return f[2] in self.rows[f[1]]
        if k == "p-line-next":
            return self.linenext.get(f[1]) == f[2]
        if k == "unused" and f[1] in self.rows:
            return not self.rows[f[1]]
        if k == "level" and f[1] in self.level:
            return self.level[f[1]] == f[2]
        if k == "rack-succ":
            row = self.rows.get(self.where.get(f[1]), ())
            return any(a == f[1] and b == f[2] for a, b in zip(row, row[1:]))
        return f in self.init

    def goal_reached(self):
        return all(self.holds(f) for f in self.goal)

    def rank(self, x):
        w = self.where[x]
        if w in self.fset:
            return 0
        if w in self.rows:
            row = self.rows[w]
            if len(row) == 1:
                return 1
            return 2 if row[0] != x else 3
        return 4

    def wanted(self):
        if self.needed is not None:
            x = self.needed
            if self.where.get(x) is not None and x not in self.processed:
                return [x]
            return []
        nexts = set(self.linenext.get(pl) for pl in self.lines)
        w = [x for x in self.parts if x in nexts and x in self.lsucc
             and x not in self.processed and self.where[x] is not None]
        w.sort(key=self.rank)
        return w

    def solve(self):
        pool_d, pool_p, pool_last = 1200000, 1200000, 1500000
        compacted = False
        cap = 30 * (len(self.parts) + 10) * (len(self.bt) + 2)
        while cap > 0 and not self.goal_reached():
            cap -= 1
            w = self.wanted()
            cut_any = False
            ok = False
            for x in w:
                ok, cut, used = self.limited(self.deliver, x, max(3000, pool_d // 6))
                pool_d = max(0, pool_d - used)
                cut_any = cut_any or cut
                if ok:
                    break
            if ok:
                compacted = False
                continue
            if w:
                if not compacted:
                    made = self.compact()
                    compacted = True
                    if made:
                        continue
                for x in w:
                    ok, cut, used = self.limited(self.prepared, x, max(4000, pool_p // 5))
                    pool_p = max(0, pool_p - used)
                    cut_any = cut_any or cut
                    if ok:
                        break
                if ok:
                    compacted = False
                    continue
            if self.take_in(w):
                compacted = False
                continue
            if not compacted:
                made = self.compact()
                compacted = True
                if made:
                    continue
            if cut_any and pool_last > 0:
                # a computation was cut short before: do it more thoroughly now
                for fn in (self.deliver, self.prepared):
                    for x in w:
                        if pool_last <= 0:
                            break
                        ok, cut, used = self.limited(fn, x, max(1, pool_last // 2))
                        pool_last -= max(1, used)
                        if ok:
                            break
                    if ok:
                        break
                if ok:
                    compacted = False
                    continue
            break
        return self.write()

    # ------------------------------------------------------------ writing the plan
    def write(self):
        out = []

        def act(*a):
            out.append("(" + " ".join(a) + ")")

        for o in self.ops:
            k = o[0]
            if k == BP:
                _, t, p, r, other, s, l, n = o
                if other is None:
                    act("put-on-rack-first-beluga", t, p, r, s)
                else:
                    act("put-on-rack-beluga", t, p, r, other, s, l, n)
            elif k == BT:
                _, t, p, r, other, s, l, n = o
                if other is None:
                    act("put-on-truck-first-beluga", t, p, r, s)
                else:
                    act("put-on-truck-beluga", t, p, r, other, s, n, l)
            elif k == FT:
                _, t, p, r, other, s, l, n = o
                if other is None:
                    act("put-on-truck-fab-last", t, r, p, s, N0, N0)
                else:
                    act("put-on-truck-fab", t, r, p, other, s, l, n)
            elif k == FP:
                _, t, p, r, other, s, l, n = o
                if other is None:
                    act("put-on-rack-fab-last", t, r, p, s, N0, N0)
                else:
                    act("put-on-rack-fab", t, r, p, other, s, n, l)
            elif k == TB:
                _, t, r, _i, y, seg, l = o
                a = seg[0]
                z = seg[1:]

                def move(p, b, b2):
                    s = self.size[p]
                    low = self.sub[(l, s)]
                    act("put-on-truck-fab", t, r, p, b, s, l, low)
                    act("put-on-rack-fab", t, r, p, b2, s, l, low)

                for i in range(len(z) - 1, 0, -1):
                    move(z[i], z[i - 1], z[i - 1])
                move(y, a, z[-1])
                move(z[1], y, a)
            elif k == UN:
                act("unload-from-beluga", o[1], o[2], o[3])
            else:
                _, t, x, line, pn, _old = o
                if line is not None:
                    act("set-next", line, x, pn)
                act("to-fab", t, x)
        return out


def get_plan(objects, init, goal):
    return _Solver(objects, init, goal).solve()
