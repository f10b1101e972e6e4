import heapq
from collections import deque


def _components(nodes, adj):
    """Strongly connected components, in topological order (links lead forward)."""
    index = {}
    low = {}
    on_stack = set()
    stack = []
    comps = []
    count = 0
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(adj[root]))]
        while work:
            v, it = work[-1]
            advanced = False
            for w in it:
                if w not in index:
                    index[w] = low[w] = count
                    count += 1
                    stack.append(w)
                    on_stack.add(w)
                    work.append((w, iter(adj[w])))
                    advanced = True
                    break
                elif w in on_stack:
                    if index[w] < low[v]:
                        low[v] = index[w]
            if advanced:
                continue
            work.pop()
            if work:
                u = work[-1][0]
                if low[v] < low[u]:
                    low[u] = low[v]
            if low[v] == index[v]:
                comp = []
                while True:
                    w = stack.pop()
                    on_stack.discard(w)
                    comp.append(w)
                    if w == v:
                        break
                comps.append(comp)
    comps.reverse()
    return comps


def _stock_vectors(st, caps, s, total):
    """All candidate (capped) stock vectors after a group; contains all maximal ones."""
    act = [j for j in range(len(st)) if caps[j] > 0]
    k = len(act)
    R = [0] * (k + 1)
    Q = [0] * (k + 1)
    for p in range(k - 1, -1, -1):
        j = act[p]
        R[p] = R[p + 1] + caps[j]
        Q[p] = Q[p + 1] + max(0, caps[j] - st[j])
    out = []
    cur = [0] * len(st)

    def rec(p, srem, trem):
        if p == k:
            out.append(tuple(cur))
            return
        j = act[p]
        a = st[j]
        ub = min(caps[j], a + srem, trem)
        lb = max(0, min(ub, trem - R[p + 1], a + max(0, srem - Q[p + 1])))
        for v in range(ub, lb - 1, -1):
            cur[j] = v
            rec(p + 1, srem - max(0, v - a), trem - v)
        cur[j] = 0

    rec(0, s, total)
    return out


def get_plan(objects, init, goal):
    objects = set(objects)
    init = set(tuple(f) for f in init)
    goal = set(tuple(f) for f in goal)

    # ---------- reading the task ----------
    all_men = set(n for n, t in objects if t == "man")
    all_spanners = set(n for n, t in objects if t == "spanner")
    locations = set(n for n, t in objects if t == "location")
    pos = {}
    useable = set()
    loose = set()
    tightened = set()
    carrying = {}
    links = set()
    for f in init:
        p = f[0]
        if p == "at":
            pos[f[1]] = f[2]
            locations.add(f[2])
        elif p == "carrying":
            carrying.setdefault(f[1], set()).add(f[2])
            all_men.add(f[1])
            all_spanners.add(f[2])
        elif p == "useable":
            useable.add(f[1])
            all_spanners.add(f[1])
        elif p == "loose":
            loose.add(f[1])
        elif p == "tightened":
            tightened.add(f[1])
        elif p == "link":
            links.add((f[1], f[2]))
            locations.add(f[1])
            locations.add(f[2])

    unmet = goal - init
    if not unmet:
        return []

    # ---------- 1.1 needed nuts ----------
    needed = []
    for f in sorted(goal):
        if f[0] == "tightened":
            n = f[1]
            if n in tightened:
                continue
            if n not in loose or n not in pos:
                return []
            needed.append(n)
    total_needed = len(needed)

    # ---------- 1.2 good spanners ----------
    keep = set()
    carry_goal = {}
    goal_loc = {}
    concerned = set()
    for f in sorted(goal):
        if f[0] == "useable":
            keep.add(f[1])
        elif f[0] == "carrying":
            carry_goal[f[2]] = f[1]
            concerned.add(f[1])
        elif f[0] == "at" and f[1] in all_men:
            goal_loc[f[1]] = f[2]
            concerned.add(f[1])
    good = set(s for s in useable if s not in keep)
    free = []
    bound = []
    for s in sorted(all_spanners):
        if s not in pos:
            continue
        if s in carry_goal:
            bound.append(s)
        elif s in good and ("at", s, pos[s]) not in goal:
            free.append(s)
    men = [m for m in sorted(all_men) if m in pos]
    start = {}
    for m in men:
        start[m] = sum(1 for s in carrying.get(m, ()) if s in good)

    # ---------- 1.3 groups ----------
    loc_list = sorted(locations)
    adj = {l: [] for l in loc_list}
    for a, b in sorted(links):
        if a != b:
            adj[a].append(b)
    comps = _components(loc_list, adj)
    k = len(comps)
    grp = {}
    for i, comp in enumerate(comps):
        for l in comp:
            grp[l] = i
    succ = [dict() for _ in range(k)]
    for a in loc_list:
        ga = grp[a]
        for b in adj[a]:
            gb = grp[b]
            if ga != gb and gb not in succ[ga]:
                succ[ga][gb] = (a, b)
    reach = [0] * k
    for g in range(k - 1, -1, -1):
        r = 1 << g
        for h in succ[g]:
            r |= reach[h]
        reach[g] = r
    free_in = [[] for _ in range(k)]
    for s in free:
        free_in[grp[pos[s]]].append(s)
    nuts_in = [[] for _ in range(k)]
    for n in needed:
        nuts_in[grp[pos[n]]].append(n)
    bound_in = [dict() for _ in range(k)]
    for s in bound:
        bound_in[grp[pos[s]]].setdefault(carry_goal[s], []).append(s)
    S = [len(x) for x in free_in]
    N = [len(x) for x in nuts_in]

    # visits[g]: list of (man, spanners, nuts, link or None)
    visits = [[] for _ in range(k)]

    nut_groups = [g for g in range(k) if N[g] > 0]
    use_a = (total_needed > 0 and len(nut_groups) == 1
             and all(f[0] == "tightened" for f in unmet)
             and not goal_loc)

    if use_a:
        # ---------- PART 2A ----------
        G = nut_groups[0]
        team = [m for m in men if (reach[grp[pos[m]]] >> G) & 1]
        if not team:
            return []
        chains = {}
        if len(team) == 1:
            m = team[0]
            own = grp[pos[m]]
            best = {own: S[own]}
            back = {}
            for g in range(own, G + 1):
                if g not in best:
                    continue
                bg = best[g]
                for h in succ[g]:
                    if h > G:
                        continue
                    v = bg + S[h]
                    if h not in best or v > best[h]:
                        best[h] = v
                        back[h] = g
            seq = [G]
            while seq[-1] != own:
                seq.append(back[seq[-1]])
            seq.reverse()
            chain = []
            for i, g in enumerate(seq):
                if i + 1 < len(seq):
                    chain.append((g, succ[g][seq[i + 1]]))
                else:
                    chain.append((g, None))
            chains[m] = chain
        else:
            from_men = 0
            for m in team:
                from_men |= reach[grp[pos[m]]]
            rel = [g for g in range(k)
                   if (from_men >> g) & 1 and (reach[g] >> G) & 1]
            num = {g: i for i, g in enumerate(rel)}
            src = 2 * len(rel)
            sink = 2 * num[G] + 1
            size = src + 1
            to = []
            cap = []
            cost = []
            out = [[] for _ in range(size)]

            def add(u, v, c, w):
                e = len(to)
                to.append(v)
                cap.append(c)
                cost.append(w)
                out[u].append(e)
                to.append(u)
                cap.append(0)
                cost.append(-w)
                out[v].append(e + 1)
                return e

            big = len(team) + 1
            INF = float("inf")
            starters = {}
            for m in team:
                g = grp[pos[m]]
                starters[g] = starters.get(g, 0) + 1
            pot = [INF] * size
            pot[src] = 0
            for g in sorted(starters):
                add(src, 2 * num[g], starters[g], 0)
                pot[2 * num[g]] = 0
            arcs = {}
            for g in rel:
                i = num[g]
                if S[g] > 0:
                    add(2 * i, 2 * i + 1, 1, -S[g])
                add(2 * i, 2 * i + 1, big, 0)
                d = pot[2 * i] - S[g]
                pot[2 * i + 1] = d
                lst = []
                for h in succ[g]:
                    if h in num:
                        j = num[h]
                        lst.append((h, add(2 * i + 1, 2 * j, big, 0)))
                        if d < pot[2 * j]:
                            pot[2 * j] = d
                arcs[g] = lst
            for _ in range(len(team)):
                dist = [INF] * size
                via = [-1] * size
                done = [False] * size
                dist[src] = 0
                heap = [(0, src)]
                while heap:
                    d, u = heapq.heappop(heap)
                    if done[u]:
                        continue
                    done[u] = True
                    if u == sink:
                        break
                    pu = pot[u]
                    for e in out[u]:
                        if cap[e] > 0:
                            v = to[e]
                            if done[v]:
                                continue
                            nd = d + cost[e] + pu - pot[v]
                            if nd < dist[v]:
                                dist[v] = nd
                                via[v] = e
                                heapq.heappush(heap, (nd, v))
                D = dist[sink]
                if D == INF:
                    break
                for v in range(size):
                    pot[v] += dist[v] if dist[v] < D else D
                v = sink
                while v != src:
                    e = via[v]
                    cap[e] -= 1
                    cap[e ^ 1] += 1
                    v = to[e ^ 1]
            here = {g: [] for g in rel}
            for m in team:
                here[grp[pos[m]]].append(m)
                chains[m] = []
            for g in rel:
                if g == G:
                    for m in here[g]:
                        chains[m].append((g, None))
                    continue
                ptr = 0
                lst = here[g]
                for h, e in arcs[g]:
                    f = cap[e ^ 1]
                    for _ in range(f):
                        m = lst[ptr]
                        ptr += 1
                        chains[m].append((g, succ[g][h]))
                        here[h].append(m)

        K = sum(start[m] for m in team)
        in_group = {}
        for m in team:
            for g, link in chains[m]:
                in_group.setdefault(g, []).append(m)
        got = {}
        have = {m: start[m] for m in team}
        for g in sorted(in_group):
            m = in_group[g][0]
            for s in free_in[g]:
                if K >= total_needed:
                    break
                got.setdefault((m, g), []).append(s)
                have[m] += 1
                K += 1
        if K < total_needed:
            return []
        rest = list(nuts_in[G])
        ptr = 0
        nuts_of = {}
        for m in team:
            take = min(have[m], len(rest) - ptr)
            nuts_of[m] = rest[ptr:ptr + take]
            ptr += take
        for m in team:
            for g, link in chains[m]:
                visits[g].append((m, got.get((m, g), []),
                                  nuts_of[m] if g == G else [], link))
    else:
        # ---------- PART 2B ----------
        nutmask = 0
        for g in nut_groups:
            nutmask |= 1 << g
        rn = [reach[g] & nutmask for g in range(k)]
        rn.append(0)
        STOP = k
        cap_memo = {0: 0}

        def cap_of(h):
            mask = rn[h]
            v = cap_memo.get(mask)
            if v is None:
                v = 0
                for q in nut_groups:
                    if (mask >> q) & 1:
                        v += N[q]
                cap_memo[mask] = v
            return v

        bound_mask = {}
        for g in range(k):
            for m in bound_in[g]:
                bound_mask[m] = bound_mask.get(m, 0) | (1 << g)
        goal_grp = {}
        for m in goal_loc:
            goal_grp[m] = grp.get(goal_loc[m], -1)
        allowed_memo = {}

        def allowed(m, g):
            key = (m if m in concerned else None, g)
            res = allowed_memo.get(key)
            if res is not None:
                return res
            res = []
            has_goal = m in goal_grp
            gg = goal_grp.get(m, -1)
            if not has_goal or gg == g:
                res.append(STOP)
            bm = bound_mask.get(m, 0)
            for h in sorted(succ[g]):
                if has_goal:
                    if gg < 0 or not (reach[h] >> gg) & 1:
                        continue
                    res.append(h)
                elif rn[h] or (bm & reach[h]):
                    res.append(h)
            allowed_memo[key] = res
            return res

        def table(M):
            cnt = len(M)
            swap = [i for i in range(cnt) if M[i] not in concerned]
            fixed = [i for i in range(cnt) if M[i] in concerned]
            swap_set = set(swap)
            index_of = {m: i for i, m in enumerate(M)}

            def insert(buckets, entry):
                nexts = entry[0]
                stocks = entry[1]
                pairs = sorted((nexts[i], stocks[i]) for i in swap)
                key = tuple([nexts[i] for i in fixed] + [x[0] for x in pairs])
                vec = tuple([stocks[i] for i in fixed] + [x[1] for x in pairs])
                d = buckets.setdefault(min(nexts), {})
                lst = d.get(key)
                if lst is None:
                    d[key] = [(vec, entry)]
                    return
                for v, _ in lst:
                    if all(a >= b for a, b in zip(v, vec)):
                        return
                new = [x for x in lst
                       if not all(a >= b for a, b in zip(vec, x[0]))]
                new.append((vec, entry))
                d[key] = new

            nx = tuple(grp[pos[m]] for m in M)
            first = (nx,
                     tuple(min(start[m], cap_of(grp[pos[m]])) for m in M),
                     None, -1)
            buckets = {}
            insert(buckets, first)
            for g in range(k):
                cur = buckets.pop(g, None)
                if N[g] > 0 or bound_in[g]:
                    buckets = {}
                    if cur is None:
                        return None
                if cur is None:
                    continue
                later = (nutmask >> (g + 1)) << (g + 1)
                bnd = {}
                bad = False
                need_here = set()
                for m in bound_in[g]:
                    if m not in index_of:
                        bad = True
                        break
                    i = index_of[m]
                    need_here.add(i)
                    bnd[i] = sum(1 for s in bound_in[g][m] if s in good)
                if bad:
                    return None
                for lst in list(cur.values()):
                    for _, e in lst:
                        nexts, stocks = e[0], e[1]
                        P = [i for i in range(cnt) if nexts[i] == g]
                        if need_here and not need_here.issubset(P):
                            continue
                        st = [stocks[i] + bnd.get(i, 0) for i in P]
                        total = sum(st) + S[g] - N[g]
                        if total < 0:
                            continue
                        opts = [allowed(M[i], g) for i in P]
                        if any(not o for o in opts):
                            continue
                        np_ = len(P)
                        prev = [-1] * np_
                        seen = {}
                        for j in range(np_):
                            if P[j] in swap_set:
                                if st[j] in seen:
                                    prev[j] = seen[st[j]]
                                seen[st[j]] = j
                        base = 0
                        for i in range(cnt):
                            if nexts[i] != g:
                                base |= rn[nexts[i]]
                        pick = [0] * np_

                        def rec(j, union):
                            if j == np_:
                                if later & ~union:
                                    return
                                choice = [opts[q][pick[q]] for q in range(np_)]
                                caps = [cap_of(h) for h in choice]
                                nn = list(nexts)
                                for q in range(np_):
                                    nn[P[q]] = choice[q]
                                nn = tuple(nn)
                                for vec in _stock_vectors(st, caps, S[g], total):
                                    ns = list(stocks)
                                    for q in range(np_):
                                        ns[P[q]] = vec[q]
                                    insert(buckets, (nn, tuple(ns), e, g))
                                return
                            lo = pick[prev[j]] if prev[j] >= 0 else 0
                            o = opts[j]
                            for c in range(lo, len(o)):
                                pick[j] = c
                                rec(j + 1, union | rn[o[c]])

                        rec(0, base)
                if not buckets:
                    return None
            final = buckets.get(STOP)
            if not final:
                return None
            for lst in final.values():
                for _, e in lst:
                    return e
            return None

        unmet_men = set()
        for f in unmet:
            if f[0] == "carrying":
                unmet_men.add(f[1])
            elif f[0] == "at" and f[1] in all_men:
                unmet_men.add(f[1])
        result = None
        M = None
        for m in men:
            if unmet_men - {m}:
                continue
            result = table([m])
            if result is not None:
                M = [m]
                break
        if result is None and len(men) > 0:
            if len(men) > 1 or (unmet_men - set(men)):
                result = table(list(men))
                M = list(men)
        if result is None:
            return []
        steps = []
        e = result
        while e[2] is not None:
            steps.append(e)
            e = e[2]
        steps.reverse()
        for e in steps:
            parent = e[2]
            g = e[3]
            P = [i for i in range(len(M)) if parent[0][i] == g]
            xs = []
            ys = []
            left = N[g]
            for i in P:
                b = sum(1 for s in bound_in[g].get(M[i], ()) if s in good)
                have_i = parent[1][i] + b
                t = e[1][i]
                xs.append(max(0, t - have_i))
                y = min(left, max(0, have_i - t))
                ys.append(y)
                left -= y
            if left > 0:
                xs[0] += left
                ys[0] += left
            sp = 0
            npnt = 0
            for q, i in enumerate(P):
                m = M[i]
                mine = list(bound_in[g].get(m, ()))
                mine += free_in[g][sp:sp + xs[q]]
                sp += xs[q]
                mynuts = nuts_in[g][npnt:npnt + ys[q]]
                npnt += ys[q]
                h = e[0][i]
                link = None if h == STOP else succ[g][h]
                visits[g].append((m, mine, mynuts, link))

    # ---------- PART 3: the moves ----------
    plan = []
    stock = {m: [s for s in sorted(carrying.get(m, ())) if s in good]
             for m in men}

    def go_nearest(m, targets):
        """Walk m within his group to the nearest location in targets."""
        a = pos[m]
        if a in targets:
            return True
        g = grp[a]
        back = {a: None}
        queue = deque([a])
        found = None
        while queue and found is None:
            u = queue.popleft()
            for v in adj[u]:
                if v not in back and grp[v] == g:
                    back[v] = u
                    if v in targets:
                        found = v
                        break
                    queue.append(v)
        if found is None:
            return False
        path = [found]
        while back[path[-1]] is not None:
            path.append(back[path[-1]])
        path.reverse()
        for i in range(len(path) - 1):
            plan.append("(walk %s %s %s)" % (path[i], path[i + 1], m))
            pos[m] = path[i + 1]
        return True

    for g in range(k):
        for m, my_spanners, my_nuts, link in visits[g]:
            targets = {}
            for s in my_spanners:
                targets.setdefault(pos[s], []).append(s)
            while targets:
                if not go_nearest(m, targets):
                    break
                l = pos[m]
                for s in targets.pop(l):
                    plan.append("(pickup_spanner %s %s %s)" % (l, s, m))
                    del pos[s]
                    carrying.setdefault(m, set()).add(s)
                    if s in good and s in useable:
                        stock[m].append(s)
            targets = {}
            for n in my_nuts:
                targets.setdefault(pos[n], []).append(n)
            while targets:
                if not go_nearest(m, targets):
                    break
                l = pos[m]
                for n in targets.pop(l):
                    if not stock[m]:
                        return []
                    s = stock[m].pop()
                    plan.append("(tighten_nut %s %s %s %s)" % (l, s, m, n))
                    useable.discard(s)
                    loose.discard(n)
                    tightened.add(n)
            if link is not None:
                a, b = link
                go_nearest(m, {a: True})
                plan.append("(walk %s %s %s)" % (a, b, m))
                pos[m] = b
            elif m in goal_loc:
                go_nearest(m, {goal_loc[m]: True})
    return plan
