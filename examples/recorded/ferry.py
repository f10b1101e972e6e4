import heapq
from collections import deque


def _regions(nodes, adj):
    """Strongly connected components, numbered so that every arrow between
    two different regions leads from a lower to a higher number."""
    order = []
    seen = set()
    for root in nodes:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(adj[root]))]
        while stack:
            x, it = stack[-1]
            for y in it:
                if y not in seen:
                    seen.add(y)
                    stack.append((y, iter(adj[y])))
                    break
            else:
                stack.pop()
                order.append(x)
    radj = {x: [] for x in nodes}
    for x in nodes:
        for y in adj[x]:
            radj[y].append(x)
    region = {}
    number = 0
    for root in reversed(order):
        if root in region:
            continue
        region[root] = number
        stack = [root]
        while stack:
            x = stack.pop()
            for y in radj[x]:
                if y not in region:
                    region[y] = number
                    stack.append(y)
        number += 1
    return region


def get_plan(objects, init, goal):
    init = set(init)
    goal = set(goal)
    if goal <= init:
        return []

    # ---------- read the facts ----------
    locations = set()
    pairs = []
    at = {}            # standing car -> place
    aboard = set()     # cars on board
    ferry = None
    for fact in sorted(init):
        pred = fact[0]
        if pred == "location":
            locations.add(fact[1])
        elif pred == "not-eq":
            pairs.append((fact[1], fact[2]))
        elif pred == "at":
            at.setdefault(fact[1], fact[2])
        elif pred == "on":
            aboard.add(fact[1])
        elif pred == "at-ferry":
            if ferry is None:
                ferry = fact[1]

    goalplace = {}
    k = None
    f = None
    for fact in sorted(goal):
        pred = fact[0]
        if pred == "at":
            goalplace.setdefault(fact[1], fact[2])
        elif pred == "on":
            if k is None:
                k = fact[1]
        elif pred == "at-ferry":
            if f is None:
                f = fact[1]

    plan = []
    if ferry is None:
        return plan

    nodes = set(locations)
    nodes.update(at.values())
    nodes.update(goalplace.values())
    nodes.add(ferry)
    if f is not None:
        nodes.add(f)
    nodes = sorted(nodes)

    adjset = {x: set() for x in nodes}
    for x, y in pairs:
        if x != y and x in locations and y in locations:
            adjset[x].add(y)
    adj = {x: sorted(adjset[x]) for x in nodes}
    region = _regions(nodes, adj)

    # ---------- ways ----------
    def way(x, y):
        """Places after x on a shortest way to y; None if there is none."""
        if x == y:
            return []
        if y in adjset[x]:
            return [y]
        parent = {x: None}
        queue = deque([x])
        while queue:
            u = queue.popleft()
            for v in adj[u]:
                if v not in parent:
                    parent[v] = u
                    if v == y:
                        path = []
                        while v != x:
                            path.append(v)
                            v = parent[v]
                        path.reverse()
                        return path
                    queue.append(v)
        return None

    def nearest(x, targets, inside=None):
        """All places in targets at the least distance from x."""
        seen = {x}
        level = [x]
        while level:
            hits = [p for p in level if p in targets]
            if hits:
                return hits
            following = []
            for u in level:
                for v in adj[u]:
                    if v not in seen and (inside is None or region[v] == inside):
                        seen.add(v)
                        following.append(v)
            level = following
        return []

    # ---------- state ----------
    open_cars = set(c for c in goalplace if at.get(c) != goalplace[c])
    waiting = {}       # place -> heap of open cars there with goalplace in the same region
    pending = {}       # region -> number of such cars

    def note_standing(c):
        if c in open_cars:
            p = at[c]
            r = region[p]
            if region[goalplace[c]] == r:
                heapq.heappush(waiting.setdefault(p, []), c)
                pending[r] = pending.get(r, 0) + 1

    for c in sorted(at):
        if c not in aboard:
            note_standing(c)

    def go(y):
        nonlocal ferry
        path = way(ferry, y)
        if path is None:
            return False
        for b in path:
            plan.append("(sail %s %s)" % (ferry, b))
            ferry = b
        return True

    def board(c):
        plan.append("(board %s %s)" % (c, ferry))
        at.pop(c, None)
        aboard.add(c)
        if c in goalplace:
            open_cars.add(c)

    def debark(c):
        plan.append("(debark %s %s)" % (c, ferry))
        aboard.discard(c)
        at[c] = ferry
        if goalplace.get(c) == ferry:
            open_cars.discard(c)
        else:
            note_standing(c)

    def go_to_next_region():
        here = region[ferry]
        needed = set()
        for c in open_cars:
            needed.add(goalplace[c])
            if c in at:
                needed.add(at[c])
        if k is not None and k in at:
            needed.add(at[k])
        needed = set(p for p in needed if region[p] != here)
        if not needed:
            return False
        # A region from which all other needed ones are reachable is
        # necessarily the first of them in topological order.
        first = min(region[p] for p in needed)
        targets = set(p for p in needed if region[p] == first)
        hits = nearest(ferry, targets)
        if not hits:
            return False
        return go(min(hits))

    # ---------- main part ----------
    while open_cars:
        r = region[ferry]

        # A: several cars on board
        if len(aboard) > 1:
            for c in sorted(aboard):
                debark(c)
            continue

        # B: one car on board
        if aboard:
            c = next(iter(aboard))
            if c in open_cars and region[goalplace[c]] == r:
                if not go(goalplace[c]):
                    return plan
                debark(c)
            elif c not in goalplace and c != k:
                debark(c)
            elif pending.get(r, 0) > 0:
                debark(c)
            elif not go_to_next_region():
                return plan
            continue

        # C1: work within the region
        if pending.get(r, 0) > 0:
            hits = nearest(ferry, waiting, r)
            if not hits:
                return plan
            p = min(hits, key=lambda place: waiting[place][0])
            c = heapq.heappop(waiting[p])
            if not waiting[p]:
                del waiting[p]
            pending[r] -= 1
            if not go(p):
                return plan
            board(c)
            if not go(goalplace[c]):
                return plan
            debark(c)
            continue

        # C2: a car to be taken along out of the region
        chosen = None
        for c in open_cars:
            if c in at and region[at[c]] == r and region[goalplace[c]] != r:
                if chosen is None or c < chosen:
                    chosen = c
        if k is not None and k in at and region[at[k]] == r:
            if chosen is None or k < chosen:
                chosen = k
        if chosen is not None:
            if not go(at[chosen]):
                return plan
            board(chosen)
            continue

        # C3: nothing left to do here
        if not go_to_next_region():
            return plan

    # ---------- finish ----------
    for c in sorted(aboard):
        if c != k:
            debark(c)

    if k is not None and k not in aboard and k in at:
        if not go(at[k]):
            return plan
        board(k)

    if f is not None and ferry != f:
        go(f)

    return plan
