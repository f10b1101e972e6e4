from collections import deque, defaultdict


def _key(f):
    return tuple((len(x), x) for x in f)


def _pop(x):
    return bin(x).count("1")


def _match(opts):
    """Bipartite matching by breadth-first alternating paths."""
    owner = {}
    got = [None] * len(opts)
    for i in range(len(opts)):
        prev = {}
        queue = deque([i])
        end = None
        while queue and end is None:
            u = queue.popleft()
            for v in opts[u]:
                if v in prev:
                    continue
                prev[v] = u
                if v not in owner:
                    end = v
                    break
                queue.append(owner[v])
        if end is None:
            continue
        v = end
        while True:
            u = prev[v]
            old = got[u]
            got[u] = v
            owner[v] = u
            if u == i:
                break
            v = old
    return got


def _slots_cover(a, b):
    """Every slot of b has a different slot in a that serves at least as much."""
    if not b:
        return True
    if len(a) < len(b):
        return False
    opts = []
    for s in b:
        o = [i for i, t in enumerate(a) if not (s & ~t)]
        if not o:
            return False
        opts.append(o)
    return all(g is not None for g in _match(opts))


def _sccs(root, adj):
    """Strongly connected components reachable from root, sinks first."""
    index = {root: 0}
    low = {root: 0}
    stack = [root]
    on = {root}
    comp = {}
    comps = []
    work = [(root, iter(adj.get(root, ())))]
    while work:
        v, it = work[-1]
        pushed = False
        for u in it:
            if u not in index:
                n = len(index)
                index[u] = n
                low[u] = n
                stack.append(u)
                on.add(u)
                work.append((u, iter(adj.get(u, ()))))
                pushed = True
                break
            elif u in on and index[u] < low[v]:
                low[v] = index[u]
        if pushed:
            continue
        work.pop()
        if work:
            p = work[-1][0]
            if low[v] < low[p]:
                low[p] = low[v]
        if low[v] == index[v]:
            members = []
            while True:
                u = stack.pop()
                on.discard(u)
                comp[u] = len(comps)
                members.append(u)
                if u == v:
                    break
            comps.append(members)
    return comp, comps


def get_plan(objects, init, goal):
    init = set(init)
    goals = sorted(goal, key=_key)
    if all(g in init for g in goals):
        return []

    P = defaultdict(list)
    for f in sorted(init, key=_key):
        P[f[0]].append(tuple(f[1:]))

    # ---------------------------------------------------------- PART 1: maps
    pos = {}
    for r, w in P["at"]:
        pos.setdefault(r, w)
    rovers = list(pos)
    vis = set(P["visible"])
    visto = defaultdict(list)
    for x, y in P["visible"]:
        visto[y].append(x)
    channel = {f[0] for f in P["channel_free"]}
    send_at = {}
    for l, y in P["at_lander"]:
        if l in channel:
            for x in visto.get(y, ()):
                send_at.setdefault(x, (l, y))
    avail = {f[0] for f in P["available"]}
    adj = defaultdict(dict)
    for r, a, b in P["can_traverse"]:
        if r in avail and a != b and (a, b) in vis:
            adj[r].setdefault(a, []).append(b)

    vf = defaultdict(list)
    for o, w in P["visible_from"]:
        vf[o].append(w)
    calspot = defaultdict(dict)
    for c, o in P["calibration_target"]:
        for w in vf.get(o, ()):
            calspot[c].setdefault(w, o)
    supports = defaultdict(set)
    for c, m in P["supports"]:
        supports[c].add(m)
    imaging = {f[0] for f in P["equipped_for_imaging"]}
    cams = {r: [] for r in rovers}
    for c, r in P["on_board"]:
        if r in cams and r in imaging:
            cams[r].append(c)
    equip = {
        "soil": {f[0] for f in P["equipped_for_soil_analysis"]},
        "rock": {f[0] for f in P["equipped_for_rock_analysis"]},
    }
    samples = {
        "soil": {f[0] for f in P["at_soil_sample"]},
        "rock": {f[0] for f in P["at_rock_sample"]},
    }
    stay = {
        "soil": {g[1] for g in goals if g[0] == "at_soil_sample"},
        "rock": {g[1] for g in goals if g[0] == "at_rock_sample"},
    }
    empty = {f[0] for f in P["empty"]}
    full = {f[0] for f in P["full"]}
    stores = defaultdict(list)
    owners = defaultdict(list)
    for s, r in P["store_of"]:
        owners[s].append(r)
        if s in empty or s in full:
            stores[r].append(s)
    calib0 = set(P["calibrated"])

    at_goal = {}
    calw = {r: set() for r in rovers}
    want_empty = []
    want_full = []
    for g in goals:
        if g[0] == "at":
            at_goal[g[1]] = g[2]
        elif g[0] == "calibrated":
            if g[2] in calw and g[1] in cams[g[2]]:
                calw[g[2]].add(g[1])
        elif g[0] == "empty":
            want_empty.append(g[1])
        elif g[0] == "full":
            if g[1] in empty and g[1] not in full:
                want_full.append(g[1])
    full_owner = {r for s in want_full for r in owners.get(s, ())}
    wanted_empty = set(want_empty)

    dist = {}
    comp_of = {}
    comps = {}
    sendc = {}
    nexts = {}
    nroutes = {}
    calc = {}
    can_reach_send = {}
    for r in rovers:
        ad = adj[r]
        d = {pos[r]: 0}
        queue = deque([pos[r]])
        while queue:
            v = queue.popleft()
            for u in ad.get(v, ()):
                if u not in d:
                    d[u] = d[v] + 1
                    queue.append(u)
        dist[r] = d
        co, cs = _sccs(pos[r], ad)
        comp_of[r] = co
        comps[r] = cs
        if r in avail:
            sendc[r] = [any(w in send_at for w in c) for c in cs]
        else:
            sendc[r] = [False] * len(cs)
        can_reach_send[r] = any(sendc[r])
        succ = []
        for k, c in enumerate(cs):
            seen = set()
            for a in c:
                for b in ad.get(a, ()):
                    if co[b] != k:
                        seen.add(co[b])
            succ.append(sorted(seen, reverse=True))
        tc = None
        if r in at_goal and at_goal[r] in co:
            tc = co[at_goal[r]]
        nx = []
        cnt = []
        valid = []
        for k in range(len(cs)):
            if tc is None:
                valid.append(True)
                nx.append(succ[k])
            elif k == tc:
                valid.append(True)
                nx.append([])
            else:
                n = [x for x in succ[k] if valid[x]]
                valid.append(bool(n))
                nx.append(n)
            if nx[k]:
                cnt.append(min(1000, sum(cnt[x] for x in nx[k])))
            else:
                cnt.append(1 if valid[k] else 0)
        # regions that cannot lead to the wanted end are never entered
        nexts[r] = nx
        nroutes[r] = cnt[co[pos[r]]]
        calc[r] = [
            {co[w] for w in calspot.get(c, ()) if w in co} for c in cams[r]
        ]

    obj_cache = {}

    def objcomp(r, o):
        k = (r, o)
        if k not in obj_cache:
            res = {}
            co = comp_of[r]
            d = dist[r]
            for w in vf.get(o, ()):
                if w in co:
                    c = co[w]
                    if c not in res or d[w] < res[c]:
                        res[c] = d[w]
            obj_cache[k] = res
        return obj_cache[k]

    def can_sample(r, sort, w):
        return (r in equip[sort] and bool(stores.get(r)) and w in samples[sort]
                and w not in stay[sort] and w in comp_of[r])

    # job: (kind, a, b, send, only, heldonly)
    def have_fact(r, j):
        if j[0] == "pic":
            return ("have_image", r, j[1], j[2])
        return ("have_%s_analysis" % j[0], r, j[1])

    def sent_fact(j):
        if j[0] == "pic":
            return ("communicated_image_data", j[1], j[2])
        return ("communicated_%s_data" % j[0], j[1])

    # ---------------------------------------------------------- PART 2: jobs
    def make_jobs(merge_img, merge_smp):
        comm = []
        have = []
        for g in goals:
            if g in init:
                continue
            p = g[0]
            if p == "communicated_soil_data":
                comm.append(("soil", g[1], ""))
            elif p == "communicated_rock_data":
                comm.append(("rock", g[1], ""))
            elif p == "communicated_image_data":
                comm.append(("pic", g[1], g[2]))
            elif p == "have_soil_analysis":
                have.append((g[1], ("soil", g[2], "")))
            elif p == "have_rock_analysis":
                have.append((g[1], ("rock", g[2], "")))
            elif p == "have_image":
                have.append((g[1], ("pic", g[2], g[3])))
        commset = set(comm)
        merged = set()
        heldonly = set()
        jobs = []
        for r, t in have:
            send = False
            if t in commset and t not in merged:
                if t[0] == "pic":
                    if merge_img and can_reach_send.get(r, False):
                        send = True
                else:
                    holder = any(can_reach_send[q] and have_fact(q, t) in init
                                 for q in rovers)
                    if not holder or merge_smp:
                        send = True
                    else:
                        heldonly.add(t)
            if send:
                merged.add(t)
            jobs.append(t + (send, r, False))
        for t in comm:
            if t not in merged:
                jobs.append(t + (True, None, t in heldonly))
        return jobs

    # ------------------------------------------------- PART 3: choosing routes
    counter = [0]

    def prune(es, key, dom):
        es = sorted(es, key=key, reverse=True)
        kept = []
        for e in es:
            lim = 300 if counter[0] < 1500000 else 12
            if len(kept) >= lim:
                break
            bad = False
            for f in kept:
                counter[0] += 1
                if dom(f, e):
                    bad = True
                    break
            if not bad:
                kept.append(e)
        return kept

    def coverage(r, jobs, xbits):
        n = len(comps[r])
        A = [0] * n
        B = [0] * n
        nc = len(cams[r])
        PN = [[0] * n for _ in range(nc)]
        PS = [[0] * n for _ in range(nc)]
        held = 0

        def xb(k):
            if k not in xbits:
                xbits[k] = len(jobs) + len(xbits)
            return 1 << xbits[k]

        for i, j in enumerate(jobs):
            kind, a, b, send, only, heldonly = j
            if only is not None and only != r:
                continue
            bit = 1 << i
            if send and have_fact(r, j) in init:
                held |= bit
            if heldonly:
                continue
            if kind == "pic":
                oc = None
                for ci, c in enumerate(cams[r]):
                    if b in supports[c]:
                        if oc is None:
                            oc = objcomp(r, a)
                        arr = PS[ci] if send else PN[ci]
                        for k in oc:
                            arr[k] |= bit
            elif can_sample(r, kind, a):
                k = comp_of[r][a]
                arr = B if send else A
                arr[k] |= bit
                if r in full_owner:
                    arr[k] |= xb((r, "D", i))
        if r in full_owner:
            for sort in ("soil", "rock"):
                for w in sorted(samples[sort]):
                    if can_sample(r, sort, w):
                        A[comp_of[r][w]] |= xb((r, "T", sort, w))
        return A, B, PN, PS, held

    def base(r):
        nc = len(cams[r])
        return (0, False, (), (0,) * nc,
                tuple(c in calw[r] for c in cams[r]), None)

    def extend(r, D, k, e, need):
        cov, send, slots, lead, res, path = e
        A, B, PN, PS, _ = D
        send = send or sendc[r][k]
        cov |= A[k]
        if send:
            cov |= B[k]
        slots = list(slots)
        nl = []
        nr = []
        for ci in range(len(lead)):
            a = PN[ci][k]
            if send:
                a |= PS[ci][k]
            if k in calc[r][ci]:
                cov |= a
                if lead[ci] and not res[ci]:
                    slots.append(lead[ci])
                nl.append(0)
                nr.append(False)
            else:
                nl.append(lead[ci] | a)
                nr.append(res[ci])
        cov &= need
        m = need & ~cov
        slots = tuple(x for x in [s & m for s in slots] if x)
        return (cov, send, slots, tuple(x & m for x in nl), tuple(nr),
                (k, path))

    def finish(r, D, e, need):
        cov, send, slots, lead, res, path = e
        slots = list(slots)
        ok = True
        root = comp_of[r][pos[r]]
        for ci, c in enumerate(cams[r]):
            if root in calc[r][ci]:
                continue
            if (c, r) in calib0:
                if lead[ci] and not res[ci]:
                    slots.append(lead[ci])
            elif res[ci]:
                ok = False
        if send:
            cov |= D[4]
        cov &= need
        m = need & ~cov
        slots = tuple(x for x in [s & m for s in slots] if x)
        route = []
        while path is not None:
            route.append(path[0])
            path = path[1]
        return ok, cov, slots, route

    def dom_suffix(f, e):
        fc = f[0]
        if e[0] & ~fc:
            return False
        if e[1] and not f[1]:
            return False
        for ci in range(len(f[3])):
            if f[4][ci]:
                if not e[4][ci]:
                    return False
            elif not e[4][ci]:
                if e[3][ci] & ~fc & ~f[3][ci]:
                    return False
        rest = [x for x in [s & ~fc for s in e[2]] if x]
        return _slots_cover(f[2], rest)

    def key_suffix(e):
        return (_pop(e[0]), sum(_pop(x) for x in e[2]) +
                sum(_pop(x) for x in e[3]), e[1], -sum(e[4]))

    def dom_entry(f, e):
        fc = f[0]
        if e[0] & ~fc:
            return False
        rest = [x for x in [s & ~fc for s in e[1]] if x]
        return _slots_cover(f[1], rest)

    def key_entry(e):
        return (_pop(e[0]), sum(_pop(x) for x in e[1]))

    def first_route(r):
        k = comp_of[r][pos[r]]
        route = [k]
        while nexts[r][k]:
            k = nexts[r][k][0]
            route.append(k)
        return route

    def all_routes(r, D, need):
        ents = []
        for k in range(len(comps[r])):
            cands = {}
            if not nexts[r][k]:
                e = extend(r, D, k, base(r), need)
                cands[e[:5]] = e
            else:
                for d in nexts[r][k]:
                    for e0 in ents[d]:
                        e = extend(r, D, k, e0, need)
                        cands.setdefault(e[:5], e)
            ents.append(prune(list(cands.values()), key_suffix, dom_suffix))
        out = []
        for e in ents[comp_of[r][pos[r]]]:
            ok, cov, slots, route = finish(r, D, e, need)
            if ok:
                out.append((cov, slots, route))
        if not out:
            out.append((0, (), first_route(r)))
        return out

    def assign(routes, jobs):
        ok = True
        idx = {}
        sf = {}
        for r in rovers:
            route = routes[r]
            idx[r] = {k: i for i, k in enumerate(route)}
            flags = [False] * len(route)
            s = False
            for i in range(len(route) - 1, -1, -1):
                s = s or sendc[r][route[i]]
                flags[i] = s
            sf[r] = flags
        asg = {}
        waiting = []
        for i, j in enumerate(jobs):
            kind, a, b, send, only, heldonly = j
            cand = rovers if only is None else ([only] if only in pos else [])
            if send:
                for r in cand:
                    if sf[r][0] and have_fact(r, j) in init:
                        asg[i] = ("send", r, None, None)
                        break
                if i in asg:
                    continue
            if heldonly:
                ok = False
                continue
            best = None
            for r in cand:
                if kind == "pic":
                    oc = None
                    for ci, c in enumerate(cams[r]):
                        if b not in supports[c]:
                            continue
                        if oc is None:
                            oc = objcomp(r, a)
                        for k, d in oc.items():
                            if k in calc[r][ci] and k in idx[r]:
                                if send and not sf[r][idx[r][k]]:
                                    continue
                                if best is None or d < best[0]:
                                    best = (d, ("pic", r, k, c))
                elif can_sample(r, kind, a):
                    k = comp_of[r][a]
                    if k not in idx[r]:
                        continue
                    if send and not sf[r][idx[r][k]]:
                        continue
                    d = dist[r][a]
                    if best is None or d < best[0]:
                        best = (d, ("smp", r, k, None))
            if best is not None:
                asg[i] = best[1]
            elif kind == "pic":
                waiting.append(i)
            else:
                ok = False
        used = set()
        if waiting:
            slots = []
            for r in rovers:
                route = routes[r]
                n = len(route)
                for ci, c in enumerate(cams[r]):
                    cal = calc[r][ci]
                    i = 0
                    while i < n:
                        if route[i] in cal:
                            i += 1
                            continue
                        e = i
                        while e + 1 < n and route[e + 1] not in cal:
                            e += 1
                        if i > 0 or (c, r) in calib0:
                            if not (e == n - 1 and c in calw[r]):
                                slots.append((r, c, i, e))
                        i = e + 1
            fit = {}
            opts = []
            for i in waiting:
                kind, a, b, send, only, heldonly = jobs[i]
                o = []
                for si, (r, c, st, en) in enumerate(slots):
                    if only is not None and only != r:
                        continue
                    if b not in supports[c]:
                        continue
                    oc = objcomp(r, a)
                    for q in range(st, en + 1):
                        k = routes[r][q]
                        if k in oc and (not send or sf[r][q]):
                            fit[(i, si)] = k
                            o.append(si)
                            break
                opts.append(o)
            got = _match(opts)
            for i, si in zip(waiting, got):
                if si is None:
                    ok = False
                    continue
                r, c, st, en = slots[si]
                asg[i] = ("pic", r, fit[(i, si)], c)
                used.add((r, c, st))
        store_for = {}
        jobs2 = list(jobs)
        if want_full:
            job_of = {}
            for i in asg:
                if asg[i][0] == "smp":
                    job_of[(jobs[i][0], jobs[i][1])] = i
            choice = {}
            opts = []
            for s in want_full:
                o = []
                for r in owners.get(s, ()):
                    if r not in pos:
                        continue
                    for sort in ("soil", "rock"):
                        for w in samples[sort]:
                            if not can_sample(r, sort, w):
                                continue
                            k = comp_of[r][w]
                            if k not in idx[r]:
                                continue
                            t = (sort, w)
                            i = job_of.get(t)
                            if i is not None:
                                j = jobs[i]
                                if j[4] is not None and j[4] != r:
                                    continue
                                if j[3] and not sf[r][idx[r][k]]:
                                    continue
                            mine = i is not None and asg[i][1] == r
                            rank = (not mine, i is None, dist[r][w],
                                    _key((sort, w)))
                            if (s, t) not in choice or \
                                    rank < choice[(s, t)][0]:
                                choice[(s, t)] = (rank, r)
                            o.append(t)
                o = sorted(set(o), key=lambda t: choice[(s, t)][0])
                opts.append(o)
            got = _match(opts)
            for s, t in zip(want_full, got):
                if t is None:
                    ok = False
                    continue
                r = choice[(s, t)][1]
                i = job_of.get(t)
                if i is None:
                    i = len(jobs2)
                    jobs2.append((t[0], t[1], "", False, r, False))
                asg[i] = ("smp", r, comp_of[r][t[1]], None)
                store_for[i] = s
        return ok, jobs2, asg, store_for, used

    def solve(jobs):
        counter[0] = 0
        xbits = {}
        fixed = {}
        cov0 = 0
        slots0 = []
        multi = []
        data = {}
        for r in rovers:
            D = coverage(r, jobs, xbits)
            data[r] = D
            if nroutes[r] <= 1:
                route = first_route(r)
                fixed[r] = route
                e = base(r)
                for k in reversed(route):
                    e = extend(r, D, k, e, -1)
                okr, cov, slots, _ = finish(r, D, e, -1)
                cov0 |= cov
                slots0.extend(slots)
            else:
                multi.append(r)
        need = ~cov0
        slots0 = [x for x in [s & need for s in slots0] if x]
        entries = [(0, (), None)]
        for r in multi:
            rs = all_routes(r, data[r], need)
            new = []
            for e in entries:
                for cov, slots, route in rs:
                    c = e[0] | cov
                    sl = tuple(x for x in
                               [s & ~c for s in e[1] + slots] if x)
                    new.append((c, sl, (r, route, e[2])))
            entries = prune(new, key_entry, dom_entry)
        allmask = (1 << len(jobs)) - 1
        fallback = None
        for e in entries:
            rest = allmask & need & ~e[0]
            good = True
            if rest:
                sl = slots0 + list(e[1])
                opts = []
                for i in range(len(jobs)):
                    if rest >> i & 1:
                        opts.append([q for q, s in enumerate(sl)
                                     if s >> i & 1])
                good = all(g is not None for g in _match(opts))
            if not good and fallback is not None:
                continue
            routes = dict(fixed)
            link = e[2]
            while link is not None:
                routes[link[0]] = link[1]
                link = link[2]
            result = assign(routes, jobs)
            if result[0]:
                return True, routes, result
            if fallback is None:
                fallback = (routes, result)
        return False, fallback[0], fallback[1]

    chosen = None
    tried = []
    for mi, ms in ((True, False), (False, False), (True, True), (False, True)):
        jobs = make_jobs(mi, ms)
        if jobs in tried:
            continue
        tried.append(jobs)
        okay, routes, result = solve(jobs)
        if okay:
            chosen = (routes, result)
            break
        if chosen is None:
            chosen = (routes, result)
    routes, (_, jobs, asg, store_for, used) = chosen

    # ---------------------------------------------------------- PART 4: doing
    plan = []
    cur = dict(pos)
    calibrated = set(calib0)
    have = {f for f in init if f[0].startswith("have_")}
    sent = {f for f in init if f[0].startswith("communicated_")}

    def act(*parts):
        plan.append("(" + " ".join(parts) + ")")

    def drive(r, T):
        if cur[r] in T:
            return True
        if not T:
            return False
        ad = adj[r]
        start = cur[r]
        prev = {start: None}
        queue = deque([start])
        end = None
        while queue and end is None:
            v = queue.popleft()
            for u in ad.get(v, ()):
                if u not in prev:
                    prev[u] = v
                    if u in T:
                        end = u
                        break
                    queue.append(u)
        if end is None:
            return False
        path = [end]
        while prev[path[-1]] is not None:
            path.append(prev[path[-1]])
        path.reverse()
        for a, b in zip(path, path[1:]):
            act("navigate", r, a, b)
        cur[r] = end
        return True

    def calibrate(r, c, k):
        co = comp_of[r]
        spots = {w for w in calspot.get(c, ()) if co.get(w) == k}
        if not drive(r, spots):
            return False
        w = cur[r]
        act("calibrate", r, c, calspot[c][w], w)
        calibrated.add((c, r))
        return True

    by_rover = defaultdict(list)
    for i in sorted(asg):
        by_rover[asg[i][1]].append(i)

    for r in rovers:
        mine = by_rover.get(r, [])
        if not mine and r not in at_goal and not calw[r]:
            continue
        route = routes[r]
        co = comp_of[r]
        smp = defaultdict(list)
        pics = defaultdict(list)
        undone = 0
        for i in mine:
            kind, _, k, c = asg[i]
            if kind == "smp":
                smp[k].append(i)
                undone += 1
            elif kind == "pic":
                pics[k].append(i)
                undone += 1
        unsent = [i for i in mine if jobs[i][3]]
        reserved_stores = {}
        for i in mine:
            if i in store_for:
                reserved_stores[store_for[i]] = i
        last = len(route) - 1
        for p, k in enumerate(route):
            # samples
            pend = list(smp.get(k, ()))
            while pend:
                if not drive(r, {jobs[i][1] for i in pend}):
                    break
                w = cur[r]
                i = next(x for x in pend if jobs[x][1] == w)
                pend.remove(i)
                undone -= 1
                s = store_for.get(i)
                if s is None:
                    s = min(stores[r], key=lambda x: (
                        x not in empty,
                        x in reserved_stores or x in wanted_empty,
                        _key((x,))))
                if s not in empty:
                    act("drop", r, s)
                    full.discard(s)
                    empty.add(s)
                act("sample_" + jobs[i][0], r, s, w)
                empty.discard(s)
                full.add(s)
                have.add(have_fact(r, jobs[i]))
                reserved_stores.pop(s, None)
                for x in pend:
                    if x in store_for:
                        reserved_stores[store_for[x]] = x

            # pictures
            for i in pics.get(k, ()):
                undone -= 1
                c = asg[i][3]
                o, m = jobs[i][1], jobs[i][2]
                if have_fact(r, jobs[i]) in have:
                    continue
                if (c, r) not in calibrated:
                    if not calibrate(r, c, k):
                        continue
                if not drive(r, {w for w in vf.get(o, ()) if co.get(w) == k}):
                    continue
                act("take_image", r, cur[r], o, c, m)
                calibrated.discard((c, r))
                have.add(have_fact(r, jobs[i]))

            # sending
            if sendc[r][k] and unsent:
                now = [i for i in unsent if have_fact(r, jobs[i]) in have]
                todo = [i for i in now if sent_fact(jobs[i]) not in sent]
                if todo and drive(r, {w for w in comps[r][k] if w in send_at}):
                    x = cur[r]
                    l, y = send_at[x]
                    for i in todo:
                        f = sent_fact(jobs[i])
                        if f in sent:
                            continue
                        if jobs[i][0] == "pic":
                            act("communicate_image_data", r, l, jobs[i][1],
                                jobs[i][2], x, y)
                        else:
                            act("communicate_%s_data" % jobs[i][0], r, l,
                                jobs[i][1], x, y)
                        sent.add(f)
                gone = set(now)
                unsent = [i for i in unsent if i not in gone]

            # carrying a calibration along
            for ci, c in enumerate(cams[r]):
                cal = calc[r][ci]
                if k not in cal or (c, r) in calibrated:
                    continue
                want = False
                if p == last:
                    want = c in calw[r]
                elif route[p + 1] not in cal:
                    if (r, c, p + 1) in used:
                        want = True
                    elif c in calw[r]:
                        want = all(q not in cal for q in route[p + 1:])
                if want:
                    calibrate(r, c, k)

            # leaving
            if undone == 0 and not unsent:
                at_ok = r not in at_goal or cur[r] == at_goal[r]
                if at_ok and all((c, r) in calibrated for c in calw[r]):
                    break
            if p < last:
                d = route[p + 1]
                exits = {}
                for a in comps[r][k]:
                    for b in adj[r].get(a, ()):
                        if co[b] == d:
                            exits[a] = b
                            break
                if not drive(r, set(exits)):
                    break
                a = cur[r]
                b = exits[a]
                act("navigate", r, a, b)
                cur[r] = b

    # ---------------------------------------------------------- PART 5: last
    for r in rovers:
        if r in at_goal:
            drive(r, {at_goal[r]})
    for s in want_empty:
        if s in full and owners.get(s):
            act("drop", owners[s][0], s)
            full.discard(s)
            empty.add(s)
    return plan
