from bisect import bisect_left, bisect_right, insort

NOPART = "nonep"
NORACK = "noner"
ZERO = "n00"
NEVER = 10 ** 9
MAX_WASTE = 50000


def name_key(x):
    return (len(x), x)


def one_of(options):
    # a real object is preferred to nonep; otherwise a fixed order
    return min(options, key=lambda x: (x == NOPART, len(x), x))


class Solver:
    def __init__(self, objects, init, goal):
        self.plan = []
        self.last = None        # (r, e) of the last FETCH
        self.moved = None
        self.wasted = 0         # actions of trials that were taken back
        facts = {}
        for f in init:
            facts.setdefault(f[0], []).append(f[1:])
        for k in facts:
            facts[k].sort(key=lambda a: tuple(name_key(x) for x in a))

        self.racks = sorted({o for o, ty in objects if ty == "rack" and o != NORACK}, key=name_key)
        beltrucks = sorted({o for o, ty in objects if ty == "beluga-truck"}, key=name_key)
        fabtrucks = sorted({o for o, ty in objects if ty == "fab-truck"}, key=name_key)

        # sizes, levels and the table of sums
        self.size = {}
        for p, n in facts.get("size", []):
            self.size.setdefault(p, n)
        self.level = {}
        for r, n in facts.get("level", []):
            self.level.setdefault(r, n)
        for r in self.racks:
            self.level.setdefault(r, None)
        self.add = {}
        self.sub = {}
        self.first_ok = set()
        entries = {}
        used_sizes = set(self.size.values())
        succ = {}
        for a, b, c in facts.get("fit-n-sum", []):
            self.add.setdefault((a, b), c)
            self.sub.setdefault((b, c), []).append(a)
            if a == ZERO and b == c:
                self.first_ok.add(b)
                self.add[(a, b)] = c
            entries[a] = entries.get(a, 0) + 1
            if b in used_sizes and a != c:
                succ.setdefault(a, set()).add(c)
                succ.setdefault(c, set())
        self.room = self.measure_room(succ, entries)

        # rows of the racks
        self.rows = {r: [] for r in self.racks}
        self.rack_of = {}
        for r, p in facts.get("on-rack", []):
            if r in self.rows and p != NOPART and p not in self.rack_of:
                self.rack_of[p] = r
                self.rows[r].append(p)
        behind = {}
        for a, b in facts.get("rack-succ", []):
            ra = self.rack_of.get(a)
            if ra is not None and a != b and self.rack_of.get(b) == ra:
                behind.setdefault(a, b)
        for r in self.racks:
            members = self.rows[r]
            if len(members) < 2:
                continue
            has_pre = {behind[p] for p in members if p in behind}
            row, seen = [], set()
            for start in [p for p in members if p not in has_pre] + members:
                cur = start
                while cur is not None and cur not in seen:
                    seen.add(cur)
                    row.append(cur)
                    cur = behind.get(cur)
            self.rows[r] = row

        # trucks: dicts keep the order of loading
        self.fab_of = {}
        self.bel_of = {}
        loaded = set()
        belset, fabset = set(beltrucks), set(fabtrucks)
        for p, t in facts.get("on-truck", []):
            if p == NOPART or t in loaded or p in self.rack_of or p in self.fab_of or p in self.bel_of:
                continue
            if t in belset:
                self.bel_of[p] = t
                loaded.add(t)
            elif t in fabset:
                self.fab_of[p] = t
                loaded.add(t)
        empty = {a[0] for a in facts.get("empty", [])}
        self.bfree = [t for t in reversed(beltrucks) if t in empty and t not in loaded]
        self.ffree = [t for t in reversed(fabtrucks) if t in empty and t not in loaded]

        # aircraft
        tmp = {}
        for a, b in facts.get("next-to-unload", []):
            tmp.setdefault(a, []).append(b)
        self.unload_next = {a: one_of(bs) for a, bs in tmp.items()}
        ready = [a[0] for a in facts.get("ready-to-unload", []) if a[0] != NOPART]
        self.ready = one_of(ready) if ready else None
        self.unloaded = set()

        # goal
        done = {a[0] for a in facts.get("processed", [])}
        goal_parts = {g[1] for g in goal if g[0] == "processed"}
        self.todo = goal_parts - done

        # order of need
        index = {}
        for d in (self.rack_of, self.fab_of, self.bel_of):
            for p in d:
                index[p] = 0
        cur, pos, seen = self.ready, 0, set()
        while (cur is not None and cur != NOPART and cur in self.unload_next
               and cur not in seen and cur not in index):
            seen.add(cur)
            pos += 1
            index[cur] = pos
            cur = self.unload_next[cur]

        self.requests = [a[0] for a in facts.get("needed-next", []) if a[0] != NOPART]
        open_set = set(self.requests)

        tmp = {}
        for a, b in facts.get("p-line-succ", []):
            tmp.setdefault(a, []).append(b)
        after_none = [x for x in tmp.get(NOPART, []) if x != NOPART]
        self.follow = {a: one_of(bs) for a, bs in tmp.items()}
        tmp = {}
        for pl, p in facts.get("p-line-next", []):
            tmp.setdefault(pl, []).append(p)
        self.at = {pl: one_of(ps) for pl, ps in tmp.items()}
        self.lines = sorted(self.at, key=name_key)

        def usable(p, inside):
            return (p in self.follow and p not in done and p in index
                    and p not in inside and p not in open_set)

        self.lists = {}
        for pl in self.lines:
            lst, inside = [], set()
            cur = self.at[pl]
            while True:
                if cur == NOPART:
                    cur = None
                    for x in after_none:
                        if usable(x, inside):
                            cur = x
                            break
                    if cur is None:
                        break
                if not usable(cur, inside):
                    break
                lst.append(cur)
                inside.add(cur)
                cur = self.follow[cur]
            self.lists[pl] = lst

        changed = True
        while changed:
            changed = False
            owner = {}
            for pl in self.lines:
                lst = self.lists[pl]
                for i, p in enumerate(lst):
                    if p in owner:
                        ol, oi = owner[p]
                        here = sum(1 for q in lst[i:] if q in goal_parts)
                        there = sum(1 for q in self.lists[ol][oi:] if q in goal_parts)
                        if here > there:
                            del self.lists[ol][oi:]
                        else:
                            del lst[i:]
                        changed = True
                        break
                    owner[p] = (pl, i)
                if changed:
                    break

        base = 0
        for p in self.requests:
            base = max(base, index.get(p, 0))
        order = []
        self.line_of = {}
        for li, pl in enumerate(self.lines):
            rel = base
            for i, p in enumerate(self.lists[pl]):
                rel = max(rel, index[p])
                order.append((rel, li, i, p))
                self.line_of[p] = pl
        order.sort()
        self.rank = {}
        for p in self.requests:
            self.rank.setdefault(p, len(self.rank))
        for item in order:
            self.rank.setdefault(item[3], len(self.rank))
        self.ptr = {pl: 0 for pl in self.lines}

        self.sr = {r: sorted(self.rk(p) for p in self.rows[r]) for r in self.racks}

    # ---------------------------------------------------------------- helpers

    @staticmethod
    def measure_room(succ, entries):
        pred = {}
        out = {}
        for a, cs in succ.items():
            out[a] = len(cs)
            for c in cs:
                pred.setdefault(c, []).append(a)
        depth = {a: 0 for a in succ}
        stack = [a for a in succ if out[a] == 0]
        while stack:
            v = stack.pop()
            for u in pred.get(v, []):
                if depth[v] + 1 > depth[u]:
                    depth[u] = depth[v] + 1
                out[u] -= 1
                if out[u] == 0:
                    stack.append(u)
        room = {}
        for a in set(depth) | set(entries):
            room[a] = depth.get(a, 0) * 1000000 + entries.get(a, 0)
        return room

    def rk(self, p):
        return self.rank.get(p, NEVER)

    def act(self, *words):
        self.plan.append("(" + " ".join(words) + ")")

    def empties(self, but=None):
        return [r for r in self.racks
                if r != but and not self.rows[r] and self.level[r] == ZERO]

    def by_length(self):
        return sorted(self.racks, key=lambda r: len(self.rows[r]))

    def sum_of(self, parts):
        v = self.size.get(parts[0])
        for p in parts[1:]:
            v = self.add.get((v, self.size.get(p)))
            if v is None:
                return None
        return v

    def minus(self, p, lev, row, i, j):
        # level after p is taken off, row[i:j] being what remains; None if impossible
        s = self.size.get(p)
        if s is None:
            return None
        if i >= j:
            return ZERO if lev == s else None
        o = self.sub.get((s, lev))
        if not o:
            return None
        if len(o) > 1:
            v = self.sum_of(row[i:j])
            if v in o:
                return v
        return o[0]

    def fits(self, p, r):
        # can p be put on r from the Beluga side
        s = self.size.get(p)
        if self.rows[r]:
            return (self.level[r], s) in self.add
        return self.level[r] == ZERO and s in self.first_ok

    def view(self, r, ov):
        if ov is not None and r in ov:
            return ov[r]
        return self.level[r], self.sr[r]

    def note(self, ov, r, p):
        # p put on r at the factory end, on paper
        s = self.size[p]
        lev, sr = self.view(r, ov)
        new = self.add[(lev, s)] if sr else s
        if r not in ov:
            sr = list(sr)
        insort(sr, self.rk(p))
        ov[r] = (new, sr)

    def comes_off(self, r, x):
        row = self.rows[r]
        lev = self.level[r]
        if x is not None:
            lev = self.add.get((lev, self.size.get(x)))
            if lev is None:
                return False
            row = [x] + row
        for n in range(len(row) - 1, -1, -1):
            lev = self.minus(row[n], lev, row, 0, n)
            if lev is None:
                return False
        return True

    def pick(self, opts, x=None):
        if not opts:
            return None
        best = min(k for k, _ in opts)
        ties = [r for k, r in opts if k == best]
        if len(ties) > 1:
            for r in ties:
                if self.comes_off(r, x):
                    return r
        return ties[0]

    # ---------------------------------------------------------- basic actions

    def off_rack(self, p, r, new):
        sr = self.sr[r]
        del sr[bisect_left(sr, self.rk(p))]
        self.level[r] = new
        del self.rack_of[p]

    def fab_take(self, p):
        r = self.rack_of[p]
        row = self.rows[r]
        s, lev = self.size[p], self.level[r]
        n = self.minus(p, lev, row, 0, len(row) - 1)
        t = self.ffree.pop()
        if len(row) == 1:
            self.act("put-on-truck-fab-last", t, r, p, s, s, s)
        else:
            self.act("put-on-truck-fab", t, r, p, row[-2], s, lev, n)
        row.pop()
        self.off_rack(p, r, n)
        self.fab_of[p] = t

    def fab_put(self, p, r):
        t = self.fab_of.pop(p)
        row = self.rows[r]
        s, lev = self.size[p], self.level[r]
        if not row:
            self.act("put-on-rack-fab-last", t, r, p, s, s, s)
            new = s
        else:
            new = self.add[(lev, s)]
            self.act("put-on-rack-fab", t, r, p, row[-1], s, new, lev)
        row.append(p)
        insort(self.sr[r], self.rk(p))
        self.level[r] = new
        self.rack_of[p] = r
        self.ffree.append(t)

    def bel_put(self, p, r):
        t = self.bel_of.pop(p)
        row = self.rows[r]
        s, lev = self.size[p], self.level[r]
        if not row:
            self.act("put-on-rack-first-beluga", t, p, r, s)
            new = s
        else:
            new = self.add[(lev, s)]
            self.act("put-on-rack-beluga", t, p, r, row[0], s, lev, new)
        row.insert(0, p)
        insort(self.sr[r], self.rk(p))
        self.level[r] = new
        self.rack_of[p] = r
        self.bfree.append(t)

    def bel_take(self, p):
        r = self.rack_of[p]
        row = self.rows[r]
        s, lev = self.size[p], self.level[r]
        n = self.minus(p, lev, row, 1, len(row))
        t = self.bfree.pop()
        if len(row) == 1:
            self.act("put-on-truck-first-beluga", t, p, r, s)
        else:
            self.act("put-on-truck-beluga", t, p, r, row[1], s, n, lev)
        row.pop(0)
        self.off_rack(p, r, n)
        self.bel_of[p] = t

    def deliver(self, p):
        t = self.fab_of.pop(p)
        if p in self.requests:
            self.requests.remove(p)
        else:
            pl = self.line_of[p]
            if self.at[pl] == NOPART:
                self.act("set-next", pl, NOPART, p)
            self.act("set-next", pl, p, self.follow[p])
            self.at[pl] = self.follow[p]
            self.ptr[pl] += 1
        self.act("to-fab", t, p)
        self.ffree.append(t)
        self.todo.discard(p)

    # ------------------------------------------------------------ choice rules

    def candidates(self):
        if self.requests:
            res = list(self.requests)
        else:
            res = [self.lists[pl][self.ptr[pl]] for pl in self.lines
                   if self.ptr[pl] < len(self.lists[pl])]
        res.sort(key=self.rk)
        return res

    def choose_fab(self, b, forbidden, ov=None):
        s, rk = self.size.get(b), self.rk(b)
        if s is None:
            return None
        good, rest = [], []
        for r in self.racks:
            if r == forbidden:
                continue
            lev, sr = self.view(r, ov)
            if not sr or (lev, s) not in self.add:
                continue
            if sr[0] > rk:
                good.append((sr[0], r))
            elif not good:
                rest.append(((bisect_left(sr, rk), -sr[0]), r))
        return self.pick(good) if good else self.pick(rest)

    def plan_away(self, k, r, then=None):
        # the k last parts of r, last first; afterwards 'then' is to be taken
        if not self.ffree:
            return None
        row, lev = self.rows[r], self.level[r]
        n = len(row)
        for i in range(n - 1, n - 1 - k, -1):
            lev = self.minus(row[i], lev, row, 0, i)
            if lev is None:
                return None
        if then is not None and self.minus(then, lev, row, 0, n - k - 1) is None:
            return None
        parts = row[n - k:][::-1]
        res = self.try_plan(parts, r, True)
        if res is None:
            res = self.try_plan(parts, r, False)
        return res

    def try_plan(self, parts, r, careful):
        ov = {}
        free = len(self.ffree)
        used = None
        out = []
        for b in parts:
            s, rk = self.size.get(b), self.rk(b)
            if s is None:
                return None
            place = None
            on_truck = False
            if careful:
                opts = []
                for x in self.racks:
                    if x != r:
                        lev, sr = self.view(x, ov)
                        if sr and sr[0] > rk and (lev, s) in self.add:
                            opts.append((sr[0], x))
                place = self.pick(opts)
                if place is None:
                    if used is not None:
                        if (self.view(used, ov)[0], s) in self.add:
                            place = used
                    else:
                        emp = self.empties(r)
                        if emp:
                            place = used = emp[0]
                if place is None:
                    if free >= 2:
                        free -= 1
                        on_truck = True
                    else:
                        place = self.choose_fab(b, r, ov)
            else:
                opts = []
                for x in self.racks:
                    if x != r:
                        lev, sr = self.view(x, ov)
                        if ((lev, s) in self.add) if sr else (lev == ZERO):
                            opts.append((self.room.get(lev, 0), x))
                place = self.pick(opts)
                if place is None and free >= 2:
                    free -= 1
                    on_truck = True
            if place is None and not on_truck:
                return None
            if place is not None:
                self.note(ov, place, b)
            out.append((b, place))
        return out

    def carry_out(self, plan, r):
        for b, place in plan:
            self.fab_take(b)
            if place is not None:
                if not self.rows[place] and self.moved is None:
                    self.moved = (r, place)
                self.fab_put(b, place)

    # ------------------------------------------------------------------- FETCH

    def fetch(self, w):
        if w in self.fab_of:
            self.deliver(w)
            self.last = None
            return True
        undo = None
        if not self.ffree:
            undo = self.free_a_truck(w)
            if undo is None:
                return False
        self.moved = None
        if self.do_fetch(w):
            self.last = self.moved
            return True
        if undo is not None:
            p, t, r, lev = undo
            self.plan.pop()
            self.rows[r].pop()
            self.off_rack(p, r, lev)
            self.ffree.remove(t)
            self.fab_of[p] = t
        return False

    def free_a_truck(self, w):
        if w not in self.bel_of and w not in self.rack_of:
            return None
        loaded = sorted(self.fab_of, key=lambda p: -self.rk(p))
        own = self.rack_of.get(w)
        for forbidden in ([None] if own is None else [own, None]):
            for p in loaded:
                if self.size.get(p) is None:
                    continue
                r = self.choose_fab(p, forbidden)
                if r is None:
                    emp = self.empties()
                    if emp:
                        r = emp[0]
                if r is not None:
                    undo = (p, self.fab_of[p], r, self.level[r])
                    self.fab_put(p, r)
                    return undo
        return None

    def do_fetch(self, w):
        if self.size.get(w) is None:
            return False
        if w in self.bel_of:
            return self.fetch_from_beluga(w)
        r = self.rack_of.get(w)
        if r is None:
            return False
        row = self.rows[r]
        j = row.index(w)
        k = len(row) - 1 - j
        if k == 0:
            if self.minus(w, self.level[r], row, 0, j) is None:
                return False
            self.fab_take(w)
            self.deliver(w)
            return True
        plan = self.plan_away(k, r, w)
        # a: over the Beluga side
        if ((j < k or plan is None) and len(self.bfree) >= j + 1
                and self.size[w] in self.first_ok):
            emp = self.empties(r)
            if emp and self.front_way_ok(r, j):
                front = row[:j]
                for p in front:
                    self.bel_take(p)
                self.bel_take(w)
                self.bel_put(w, emp[0])
                self.fab_take(w)
                self.deliver(w)
                for p in reversed(front):
                    self.bel_put(p, r)
                return True
        # b: move away what stands behind
        if plan is not None:
            self.carry_out(plan, r)
            self.fab_take(w)
            self.deliver(w)
            return True
        # c: empty the rack on both sides
        m = min(k, len(self.ffree) - 1)
        if m >= 0 and j + 1 + k - m <= len(self.bfree) and self.both_sides_ok(r, w, m):
            n = len(row) - m
            rest = row[:n]
            tail = row[n:][::-1]
            for p in tail:
                self.fab_take(p)
            for p in rest:
                self.bel_take(p)
            self.bel_put(w, r)
            self.fab_take(w)
            self.deliver(w)
            for p in reversed(rest):
                if p != w:
                    self.bel_put(p, r)
            for p in reversed(tail):
                self.fab_put(p, r)
            return True
        return False

    def front_way_ok(self, r, j):
        row, lev = self.rows[r], self.level[r]
        n = len(row)
        for i in range(j + 1):
            lev = self.minus(row[i], lev, row, i + 1, n)
            if lev is None:
                return False
        for i in range(j - 1, -1, -1):
            lev = self.add.get((lev, self.size[row[i]]))
            if lev is None:
                return False
        return True

    def both_sides_ok(self, r, w, m):
        row, lev = self.rows[r], self.level[r]
        total = len(row)
        n = total - m
        for i in range(total - 1, n - 1, -1):
            lev = self.minus(row[i], lev, row, 0, i)
            if lev is None:
                return False
        for i in range(n):
            lev = self.minus(row[i], lev, row, i + 1, n)
            if lev is None:
                return False
        if self.size[w] not in self.first_ok:
            return False
        lev = None
        for i in range(n - 1, -1, -1):
            if row[i] == w:
                continue
            s = self.size[row[i]]
            if lev is None:
                if s not in self.first_ok:
                    return False
                lev = s
            else:
                lev = self.add.get((lev, s))
                if lev is None:
                    return False
        for i in range(n, total):
            s = self.size[row[i]]
            if lev is None:
                lev = s
            else:
                lev = self.add.get((lev, s))
                if lev is None:
                    return False
        return True

    def fetch_from_beluga(self, w):
        if self.size[w] not in self.first_ok:
            return False
        emp = self.empties()
        if emp:
            self.bel_put(w, emp[0])
            self.fab_take(w)
            self.deliver(w)
            return True
        by_len = [r for r in self.by_length() if self.rows[r]]
        for r in by_len:
            plan = self.plan_away(len(self.rows[r]), r)
            if plan is not None:
                self.carry_out(plan, r)
                self.bel_put(w, r)
                self.fab_take(w)
                self.deliver(w)
                return True
        for r in by_len:
            if len(self.rows[r]) > len(self.bfree):
                break
            if self.both_sides_ok(r, w, 0):
                parts = list(self.rows[r])
                for p in parts:
                    self.bel_take(p)
                self.bel_put(w, r)
                self.fab_take(w)
                self.deliver(w)
                for p in reversed(parts):
                    self.bel_put(p, r)
                return True
        return False

    # ------------------------------- DIG: both sides of several racks together

    def save(self):
        return (len(self.plan), self.level, self.rows, self.sr, self.rack_of,
                self.fab_of, self.bel_of, self.bfree, self.ffree)

    def load(self, saved):
        # work on fresh copies of the saved state; what came after it is forgotten
        self.wasted += 1 + len(self.plan) - saved[0]
        del self.plan[saved[0]:]
        self.level = dict(saved[1])
        self.rows = {r: list(x) for r, x in saved[2].items()}
        self.sr = {r: list(x) for r, x in saved[3].items()}
        self.rack_of = dict(saved[4])
        self.fab_of = dict(saved[5])
        self.bel_of = dict(saved[6])
        self.bfree = list(saved[7])
        self.ffree = list(saved[8])

    def free_bel(self, r, w, avoid):
        # put one waiting part (not w) on a rack; r itself only if w stands there
        for x in sorted((p for p in self.bel_of if p != w), key=lambda p: -self.rk(p)):
            opts = [((q != r, self.room.get(self.level[q], 0)), q) for q in self.racks
                    if q != avoid and (q != r or self.rack_of.get(w) == r)
                    and self.fits(x, q)]
            if opts:
                self.bel_put(x, self.pick(opts))
                return True
        return False

    def swap(self, b, r, w):
        # front parts of another rack go on beluga-trucks, b goes on at its other end
        s, rk = self.size[b], self.rk(b)
        opts = []
        for q in self.racks:
            row = self.rows[q]
            if q == r or not row:
                continue
            n = len(row)
            lev, back = self.level[q], self.level[r]
            for m in range(n):
                lev = self.minus(row[m], lev, row, m + 1, n)
                if lev is None:
                    break
                if back is not None:
                    back = self.add.get((back, self.size[row[m]]))
                if m + 1 == n or (lev, s) in self.add:
                    blocked = sum(1 for p in row[m + 1:] if self.rk(p) < rk)
                    opts.append(((m, back is None, blocked), q))
                    break
        opts.sort(key=lambda o: o[0])
        for key, q in opts:
            m = key[0]
            while len(self.bfree) <= m and self.free_bel(r, w, q):
                pass
            if len(self.bfree) > m:
                for x in self.rows[q][:m + 1]:
                    self.bel_take(x)
                self.fab_put(b, q)
                return True
        return False

    def settle(self, r, w):
        # get one fab-truck free without using r
        loaded = sorted((p for p in self.fab_of if self.size.get(p) is not None),
                        key=lambda p: -self.rk(p))
        for b in loaded:
            q = self.choose_fab(b, r)
            if q is None:
                emp = self.empties(r)
                if emp:
                    q = emp[0]
            if q is not None:
                self.fab_put(b, q)
                return True
        for b in loaded:
            if self.swap(b, r, w):
                return True
        return False

    def pull(self, r, w, eager):
        # the last part of r goes on a fab-truck
        if not self.rows[r]:
            return False
        if not self.ffree and not self.settle(r, w):
            return False
        row = self.rows[r]
        if self.minus(row[-1], self.level[r], row, 0, len(row) - 1) is None:
            return False
        self.fab_take(row[-1])
        if eager:
            self.settle(r, w)
        return True

    def put_front(self, w, r, eager):
        # w from its beluga-truck on r, parts of r going away at the factory end
        while not self.fits(w, r):
            if not self.pull(r, w, eager):
                return False
        self.bel_put(w, r)
        return True

    def lift(self, w, r):
        # w from its rack on a beluga-truck, with all parts in front of it
        home = self.rack_of[w]
        row = self.rows[home]
        for p in row[:row.index(w) + 1]:
            if not self.bfree and not self.free_bel(r, w, home):
                return False
            if self.minus(p, self.level[home], row, 1, len(row)) is None:
                return False
            self.bel_take(p)
        return True

    def dig_at(self, w, r, eager):
        home = self.rack_of.get(w)
        if home is not None and home != r and not self.lift(w, r):
            return False
        if w in self.bel_of and not self.put_front(w, r, eager):
            return False
        while self.rows[r][-1] != w:
            if not self.pull(r, w, eager):
                return False
        if not self.ffree and not self.settle(r, w):
            return False
        row = self.rows[r]
        if self.minus(w, self.level[r], row, 0, len(row) - 1) is None:
            return False
        self.fab_take(w)
        return True

    def dig(self, w):
        home = self.rack_of.get(w)
        if self.size.get(w) is None or (home is None and w not in self.bel_of):
            return False
        targets = self.by_length()
        if home is not None:
            targets.remove(home)
            targets.insert(0, home)
        saved = self.save()
        self.load(saved)
        for eager in (False, True):
            for r in targets:
                if self.wasted > MAX_WASTE:
                    return False
                if self.dig_at(w, r, eager):
                    self.deliver(w)
                    self.last = None
                    return True
                self.load(saved)
        return False

    def make_room(self, x):
        # a waiting part gets a place; one more beluga-truck must be free afterwards
        if self.size.get(x) is None:
            return False
        n = len(self.bfree)
        targets = self.by_length()
        saved = self.save()
        self.load(saved)
        for eager in (False, True):
            for r in targets:
                if self.wasted > MAX_WASTE:
                    return False
                if self.put_front(x, r, eager) and (self.ffree or self.settle(r, x)):
                    while len(self.bfree) <= n and self.free_bel(r, x, None):
                        pass
                    if len(self.bfree) > n:
                        self.last = None
                        return True
                self.load(saved)
        return False

    # ------------------------------------------------------------------- STORE

    def store(self, x, forced):
        s, rk = self.size.get(x), self.rk(x)
        if s is None:
            return False
        no_later, all_later, any_room = [], [], []
        for r in self.racks:
            sr, lev = self.sr[r], self.level[r]
            if not sr or (lev, s) not in self.add:
                continue
            if sr[-1] <= rk:
                no_later.append((-sr[-1], r))
            if sr[0] > rk:
                all_later.append((sr[0], r))
            later = len(sr) - bisect_right(sr, rk)
            any_room.append(((later, -self.room.get(lev, 0)), r))
        if no_later:
            self.bel_put(x, self.pick(no_later, x))
            return True
        emp = self.empties() if s in self.first_ok else []
        if len(emp) >= 2:
            self.bel_put(x, emp[0])
            return True
        if emp and self.ffree and all_later:
            r = self.pick(all_later)
            self.bel_put(x, emp[0])
            self.fab_take(x)
            self.fab_put(x, r)
            return True
        if any_room:
            self.bel_put(x, self.pick(any_room, x))
            return True
        if not forced and self.bfree:
            return False
        if len(self.ffree) >= 2:
            opts = []
            for r in self.racks:
                row = self.rows[r]
                if not row:
                    continue
                n = self.minus(row[-1], self.level[r], row, 0, len(row) - 1)
                if n is None:
                    continue
                if (s in self.first_ok) if len(row) == 1 else ((n, s) in self.add):
                    opts.append((self.rk(row[-1]), r))
            if opts:
                best = min(k for k, _ in opts)
                r = [q for k, q in opts if k == best][0]
                self.fab_take(self.rows[r][-1])
                self.bel_put(x, r)
                return True
        if emp:
            self.bel_put(x, emp[0])
            return True
        return False

    # -------------------------------------------------------------------- TIDY

    def clear_plan(self, e):
        ov = {}
        out = []
        for b in reversed(self.rows[e]):
            x = self.choose_fab(b, e, ov)
            if x is None:
                return None
            self.note(ov, x, b)
            out.append((b, x))
        if not self.comes_off(e, None):
            return None
        return out

    def back_plan(self, e, r):
        lev = self.level[r]
        out = []
        for b in reversed(self.rows[e]):
            lev = self.add.get((lev, self.size.get(b)))
            if lev is None:
                return None
            out.append((b, r))
        if not self.comes_off(e, None):
            return None
        return out

    def tidy(self):
        cands = set(self.candidates())
        for p in reversed(list(self.fab_of)):
            if p not in cands:
                r = self.choose_fab(p, None)
                if r is not None:
                    self.fab_put(p, r)
        if len(self.racks) < 2 or not self.ffree or self.empties():
            return
        moves = None
        if self.last is not None:
            r, e = self.last
            if self.rows[r] and self.rows[e]:
                moves = self.clear_plan(e)
                if moves is None:
                    moves = self.back_plan(e, r)
                if moves is not None:
                    self.last = None
        if moves is None:
            for e in self.by_length():
                if not self.rows[e]:
                    continue
                moves = self.clear_plan(e)
                if moves is not None:
                    break
        if moves is not None:
            for b, x in moves:
                self.fab_take(b)
                self.fab_put(b, x)

    # -------------------------------------------------------------------- MAIN

    def fetch_at_hand(self, cands):
        if self.ffree:
            for w in cands:
                r = self.rack_of.get(w)
                if r is not None and self.rows[r][-1] == w and self.fetch(w):
                    return True
        return False

    def can_unload(self):
        p = self.ready
        return (p is not None and p != NOPART and p in self.unload_next
                and p not in self.unloaded and p not in self.rack_of
                and p not in self.fab_of and p not in self.bel_of)

    def latest_waiting(self):
        return sorted(self.bel_of, key=lambda q: -self.rk(q))

    def one_pass(self):
        cands = self.candidates()
        # 1
        for w in cands:
            if w in self.fab_of and self.fetch(w):
                return True
        if self.fetch_at_hand(cands):
            return True
        # 2
        self.tidy()
        if self.fetch_at_hand(cands):
            return True
        # 3
        waiting = [w for w in cands if w in self.bel_of]
        stored = []
        for w in cands:
            r = self.rack_of.get(w)
            if r is not None:
                row = self.rows[r]
                stored.append((len(row) - 1 - row.index(w), self.rk(w), w))
        stored.sort()
        arrived = waiting + [a[2] for a in stored]
        for w in arrived:
            if self.fetch(w):
                return True
        for w in arrived:
            if self.dig(w):
                return True
        # 4
        placed = False
        for x in list(self.bel_of):
            if self.store(x, False):
                placed = True
        # 5
        if self.can_unload():
            if not self.bfree:
                for x in self.latest_waiting():
                    if self.store(x, True):
                        placed = True
                    if self.bfree:
                        break
            if not self.bfree:
                for x in self.latest_waiting():
                    if self.make_room(x):
                        placed = True
                        break
            if self.bfree:
                p = self.ready
                np = self.unload_next[p]
                t = self.bfree.pop()
                self.act("unload-from-beluga", p, np, t)
                self.bel_of[p] = t
                self.unloaded.add(p)
                self.ready = np
                if p in cands and (self.fetch(p) or self.dig(p)):
                    return True
                self.store(p, False)
                return True
        elif self.bel_of:
            for x in self.latest_waiting():
                if self.store(x, True):
                    placed = True
            if not placed:
                for x in self.latest_waiting():
                    if self.make_room(x):
                        placed = True
                        break
        # 6
        return placed

    def run(self):
        while self.todo:
            if not self.one_pass():
                break
        return self.plan


def get_plan(objects, init, goal):
    return Solver(objects, init, goal).run()
