import sys
from collections import defaultdict


def get_plan(objects, init, goal):
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10000))
    init = set(tuple(f) for f in init)
    goal = set(tuple(f) for f in goal)
    label = defaultdict(set)
    at, inn, cont = defaultdict(set), defaultdict(set), defaultdict(set)
    for f in init:
        if f[0] == "at":
            at[f[1]].add(f[2])
        elif f[0] == "in":
            inn[f[1]].add(f[2])
            cont[f[2]].add(f[1])
        elif len(f) == 2:
            label[f[0]].add(f[1])
    objs, trucks, planes = label["obj"], label["truck"], label["airplane"]
    locations, airports, cities = label["location"], label["airport"], label["city"]
    ports = locations & airports
    kind = {}
    for v in trucks | planes:
        kind[v] = "T" if v not in planes else "A" if v not in trucks else "B"
    vlist = sorted(kind)
    plan = []

    wants = defaultdict(list)
    for f in sorted(goal):
        if f[0] in ("at", "in"):
            wants[f[1]].append(f)

    def holds(f):
        if f[0] == "at":
            return f[2] in at[f[1]]
        if f[0] == "in":
            return f[2] in inn[f[1]]
        return f in init

    def unmet(x):
        return any(not holds(f) for f in wants[x])

    if all(holds(f) for f in goal):
        return []

    # ---- static map: areas (a city, or the air = None) and regions of own steps
    area = defaultdict(set)
    cities_of = defaultdict(list)
    for f in sorted(f for f in init if f[0] == "in-city"):
        if f[1] in locations and f[2] in cities:
            area[f[2]].add(f[1])
            cities_of[f[1]].append(f[2])
    area[None] = set(airports)
    area_list = {z: sorted(s) for z, s in area.items()}

    def zones(kd, place):
        zs = list(cities_of.get(place, ())) if kd != "A" else []
        if kd != "T" and place in airports:
            zs.append(None)
        return zs

    places = locations | airports
    places |= set(f[2] for f in init | goal if f[0] == "at")
    rep, members, locs, ordered, ordered_locs = {}, {}, {}, {}, {}
    for kd in "TAB":
        done = set()
        for s in sorted(places):
            if (kd, s) in rep:
                continue
            seen, stack = {s}, [s]
            while stack:
                for z in zones(kd, stack.pop()):
                    if z not in done:
                        done.add(z)
                        new = area[z] - seen
                        seen |= new
                        stack.extend(new)
            for p in seen:
                rep[kd, p] = (kd, s)
            k = (kd, s)
            members[k] = seen
            locs[k] = seen & locations
            ordered[k] = sorted(seen)
            ordered_locs[k] = sorted(locs[k])

    def district(place):
        return members[rep["T", place]]

    def reach(v):
        result = set()
        for p in at[v]:
            result |= members[rep[kind[v], p]]
        return result

    # ---- free vehicles by region
    active = defaultdict(set)

    def register(v):
        for p in at[v]:
            active[rep[kind[v], p]].add(v)

    def unregister(v):
        for p in at[v]:
            active[rep[kind[v], p]].discard(v)

    for v in vlist:
        register(v)

    def usable(k, x):
        return any(w != x for w in active.get(k, ()))

    # ---- moves
    def load(x, w, l):
        plan.append("(load-%s %s %s %s)" % ("truck" if w in trucks else "airplane", x, w, l))
        if x in kind:
            unregister(x)
        at[x].discard(l)
        inn[x].add(w)
        cont[w].add(x)
        if x in kind:
            register(x)

    def unload(x, w, l):
        plan.append("(unload-%s %s %s %s)" % ("truck" if w in trucks else "airplane", x, w, l))
        inn[x].discard(w)
        cont[w].discard(x)
        at[x].add(l)
        if x in kind:
            register(x)

    def travel(v, dests):
        """Move v to the nearest place of dests by own steps; that place or None."""
        if not dests:
            return None
        hit = at[v] & dests
        if hit:
            return min(hit)
        queue = sorted(at[v])
        par = {p: None for p in queue}
        done = set()
        for f in queue:                      # grows while it is iterated
            for z in zones(kind[v], f):
                if z in done:
                    continue
                done.add(z)
                hit = dests & area[z]
                if hit:
                    d = min(hit)
                    path = [(f, d, z)]
                    while par[f] is not None:
                        g, y = par[f]
                        path.append((g, f, y))
                        f = g
                    for a, b, c in reversed(path):
                        if c is None:
                            plan.append("(fly-airplane %s %s %s)" % (v, a, b))
                        else:
                            plan.append("(drive-truck %s %s %s %s)" % (v, a, b, c))
                        at[v].discard(a)
                        at[v].add(b)
                    return d
                for g in area_list[z]:
                    if g not in par:
                        par[g] = (f, z)
                        queue.append(g)
        return None

    # ---- chains of carriers
    def find_chain(x, targets):
        if not targets or not at[x]:
            return None
        if at[x] & targets:
            return []
        front = sorted(at[x])
        par = {p: None for p in front}
        used = set()
        while front:
            legs = []
            for b in front:
                options = []
                if x in kind:
                    options.append((True, rep[kind[x], b]))
                if x in objs and b in locations:
                    for kd in "TAB":
                        k = rep[kd, b]
                        if (False, k) not in used and usable(k, x):
                            options.append((False, k))
                for leg in options:
                    if leg in used:
                        continue
                    used.add(leg)
                    own, k = leg
                    hit = targets & (members[k] if own else locs[k])
                    if hit:
                        chain = [(b, min(hit), own, k)]
                        while par[b] is not None:
                            a, o, j = par[b]
                            chain.append((a, b, o, j))
                            b = a
                        chain.reverse()
                        return chain
                    legs.append((b, own, k))
            front = []
            for b, own, k in legs:
                for d in (ordered[k] if own else ordered_locs[k]):
                    if d not in par:
                        par[d] = (b, own, k)
                        front.append(d)
        return None

    def follow(x, chain):
        for b, d, own, k in chain:
            if own:
                travel(x, {d})
            else:
                w = min((w for w in active[k] if w != x),
                        key=lambda w: (b not in at[w], w))
                travel(w, {b})
                load(x, w, b)
                travel(w, {d})
                unload(x, w, d)

    def attempt(x, targets):
        chain = find_chain(x, targets)
        if chain is None:
            return False
        follow(x, chain)
        return True

    def get_out(x, targets=frozenset(), seen=frozenset()):
        if x not in objs or x in seen:
            return False
        for v in sorted(inn[x]):
            if v in kind and (at[v] or get_out(v, frozenset(), seen | {x})):
                d = travel(v, targets & locations)
                if d is None:
                    d = travel(v, locations)
                if d is not None:
                    unload(x, v, d)
                    return True
        return False

    def free_vehicles(x=None):
        for v in vlist:
            if v != x and not at[v]:
                get_out(v)

    def mobile_planes():
        return [a for a in vlist if a in planes and
                any(not members[rep[kind[a], p]].isdisjoint(airports) for p in at[a])]

    def ensure_plane():
        if mobile_planes():
            return
        free_vehicles()
        if mobile_planes():
            return
        for a in vlist:
            if a in planes and a in objs and at[a] and attempt(a, ports):
                return

    def has_truck(K, x):
        return any(usable(rep[kd, p], x) for p in K for kd in "TB")

    def ensure_truck(K, x):
        if has_truck(K, x):
            return
        free_vehicles(x)
        if has_truck(K, x):
            return
        doors = K & ports
        if not doors:
            return

        def rank(q):
            if any(f[0] == "at" and f[2] in K for f in wants[q]):
                return 0
            if not wants[q]:
                return 1
            return 2 if unmet(q) else 3

        cands = [q for q in vlist if q in trucks and q in objs and at[q] and q != x]
        for q in sorted(cands, key=rank):
            if attempt(q, doors):
                return

    def carry(x, targets):
        if at[x] & targets:
            return True
        if not at[x]:
            get_out(x, targets)
        if attempt(x, targets):
            return True
        ensure_plane()
        if attempt(x, targets):
            return True
        if not at[x]:
            return False
        place = min(at[x])
        K = district(place)
        if place not in ports or targets & K:
            ensure_truck(K, x)
            if attempt(x, targets):
                return True
        for l in sorted(targets & locations):
            K2 = district(l)
            doors = K2 & ports
            if doors and attempt(x, doors):
                ensure_truck(K2, x)
                if attempt(x, {l}):
                    return True
        return False

    def put_in(x, v):
        if v not in kind or x not in objs:
            return
        for _ in range(3):
            if v in inn[x]:
                return
            if not at[v]:
                get_out(v)
            carry(x, reach(v) & locations)
            spots = at[x] & reach(v) & locations
            if spots:
                m = min(spots)
                travel(v, {m})
                load(x, v, m)
                return

    # ---- phase 1: vehicles out of vehicles
    def open_inside(x):
        seen, stack = {x}, [x]
        while stack:
            for y in cont[stack.pop()]:
                if y not in seen:
                    if unmet(y):
                        return True
                    seen.add(y)
                    stack.append(y)
        return False

    changed = True
    while changed:
        changed = False
        for x in vlist:
            if at[x] or x not in objs:
                continue
            for w in sorted(inn[x]):
                if (w != x and w in kind and at[w] and reach(w) & locations
                        and (("in", x, w) not in goal or open_inside(x))):
                    if get_out(x):
                        changed = True
                    break

    # ---- phase 2: objects that are not vehicles
    for x in sorted(objs):
        if x in kind:
            continue
        for f in wants[x]:
            if not holds(f):
                if f[0] == "at":
                    carry(x, {f[2]})
                else:
                    put_in(x, f[2])

    # ---- phase 3: vehicles
    vehicle_facts = [f for v in vlist for f in wants[v]
                     if not (f[0] == "in" and f[1] == f[2])]

    def send_home(v):
        for f in wants[v]:
            if f[0] == "at" and not holds(f) and at[v] and f[2] in reach(v):
                travel(v, {f[2]})

    def nest(main):
        todo = [f for f in vehicle_facts if f[0] == "in" and not holds(f)]
        while todo:
            blocked = set(f[2] for f in todo)
            ready = [f for f in todo if f[1] not in blocked] or todo
            f = min(ready, key=lambda g: (g[1] == main, g))
            todo.remove(f)
            put_in(f[1], f[2])
            if f[2] in kind:
                send_home(f[2])

    truck_homes = defaultdict(set)
    for t in trucks:
        for f in wants[t]:
            if f[0] == "at":
                truck_homes[f[2]].add(t)

    def plane_rank(a):
        homes = set(f[2] for f in wants[a] if f[0] == "at")
        if not wants[a] or homes & reach(a):
            return 0
        if not homes:
            return 1
        for l in homes:
            K = district(l)
            if has_truck(K, a) or any(truck_homes.get(p, set()) - {a} for p in K):
                return 2
        return 3

    for _ in range(3):
        if all(holds(f) for f in vehicle_facts):
            break
        candidates = mobile_planes()
        main = min(candidates, key=lambda a: (plane_rank(a), a)) if candidates else None
        for group in ([v for v in vlist if v in planes],
                      [v for v in vlist if v not in planes]):
            for v in group:
                if v == main:
                    continue
                for f in wants[v]:
                    if f[0] == "at" and not holds(f):
                        carry(v, {f[2]})
        nest(main)
        if main is not None:
            for f in wants[main]:
                if f[0] == "at" and not holds(f):
                    if f[2] not in reach(main):
                        ensure_truck(district(f[2]), main)
                    carry(main, {f[2]})
        for v in vlist:
            send_home(v)
        nest(main)

    # ---- phase 4: vehicles into themselves, at the very end
    for v in vlist:
        if ("in", v, v) in goal and v not in inn[v] and v in objs:
            if not at[v]:
                get_out(v)
            l = travel(v, locations)
            if l is not None:
                load(v, v, l)

    return plan
