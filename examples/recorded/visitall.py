def match(masks):
    """masks[c]: bit p is set if p may precede c. Returns {c: p}, no p used twice, or None."""
    pred, succ, used = {}, {}, 0
    for i in range(len(masks)):
        parent, queue, seen, p = {}, [i], 0, None
        for c in queue:                          # the queue grows while it is read
            new = masks[c] & ~seen
            free = new & ~used
            if free:
                p = (free & -free).bit_length() - 1
                parent[p] = c
                break
            seen |= new
            while new:
                low = new & -new
                new ^= low
                q = low.bit_length() - 1
                parent[q] = c
                queue.append(succ[q])
        if p is None:
            return None
        used |= 1 << p
        while True:                              # switch along the alternating path
            c = parent[p]
            old = pred.get(c)
            pred[c] = p
            succ[p] = c
            if c == i:
                break
            p = old
    return pred


def get_components(n, succ, pre):
    """Component number of every place; links lead from smaller to larger numbers."""
    order, seen = [], [False] * n
    for r in range(n):
        if seen[r]:
            continue
        seen[r] = True
        stack = [(r, iter(succ[r]))]
        while stack:
            v, it = stack[-1]
            for w in it:
                if not seen[w]:
                    seen[w] = True
                    stack.append((w, iter(succ[w])))
                    break
            else:
                stack.pop()
                order.append(v)
    comp, count = [-1] * n, 0
    for r in reversed(order):
        if comp[r] >= 0:
            continue
        comp[r] = count
        todo = [r]
        while todo:
            v = todo.pop()
            for w in pre[v]:
                if comp[w] < 0:
                    comp[w] = count
                    todo.append(w)
        count += 1
    return comp, count


def get_plan(objects, init, goal):
    init, goal = set(init), set(goal)
    missing_facts = goal - init
    if not missing_facts:
        return []
    if any(f[0] not in ("visited", "at-robot") for f in missing_facts):
        return []                                # unsolvable: links never change

    # places as numbers in a fixed order
    known = {o[0] for o in objects}
    for f in init | goal:
        if f[0] in ("connected", "at-robot", "visited"):
            known.update(f[1:])
    names = sorted(known)
    number = {name: i for i, name in enumerate(names)}
    n = len(names)
    succ = [[] for _ in range(n)]
    pre = [[] for _ in range(n)]
    occupied = set()
    for f in init:
        if f[0] == "connected":
            a, b = number[f[1]], number[f[2]]
            succ[a].append(b)
            pre[b].append(a)
        elif f[0] == "at-robot":
            occupied.add(number[f[1]])
    for links in succ:
        links.sort()
    for links in pre:
        links.sort()
    if not occupied:
        return []                                # unsolvable

    comp, count = get_components(n, succ, pre)
    comp_pre = [set() for _ in range(count)]
    cyclic = [False] * count
    for a in range(n):
        for b in succ[a]:
            if comp[a] == comp[b]:
                cyclic[comp[a]] = True
            else:
                comp_pre[comp[b]].add(comp[a])

    open_in = [set() for _ in range(count)]      # demanded, not yet visited places
    for f in missing_facts:
        if f[0] == "visited":
            p = number[f[1]]
            open_in[comp[p]].add(p)
    finals = {number[f[1]] for f in goal if f[0] == "at-robot"}
    plan = []

    def move(a, b):
        plan.append("(move %s %s)" % (names[a], names[b]))
        occupied.discard(a)
        occupied.add(b)
        open_in[comp[b]].discard(b)

    def way(start, targets, limit):
        """Shortest way of length >= 1 from start to the nearest target, without start.
        Components above limit cannot lead back to the targets and are left out."""
        parent, layer = {}, [start]
        while layer:
            following = []
            for v in layer:
                for w in succ[v]:
                    if w not in parent and comp[w] <= limit:
                        parent[w] = v
                        following.append(w)
            found = [w for w in following if w in targets]
            if found:
                w = min(found)
                path = [w]
                v = parent[w]
                while v != start:
                    path.append(v)
                    v = parent[v]
                path.reverse()
                return path
            layer = following
        return None

    def bits_before(own):
        """For each component: the bits of all other components that reach it."""
        result = [0] * count
        for c in range(count):
            bits = 0
            for d in comp_pre[c]:
                bits |= result[d] | own[d]
            result[c] = bits
        return result

    # chains of components for the robots
    needed = [c for c in range(count) if open_in[c]]
    robots = sorted(occupied)
    waiting = {}                                 # place of robot -> chain not carried out
    if needed and len(robots) == 1:
        waiting[robots[0]] = needed
    elif needed:
        k = len(needed)
        robot_bits = [0] * count
        for i, r in enumerate(robots):
            robot_bits[comp[r]] |= 1 << (k + i)
        own = list(robot_bits)
        for i, c in enumerate(needed):
            own[c] |= 1 << i
        before = bits_before(own)
        pred = match([before[c] | (robot_bits[c] if cyclic[c] else 0) for c in needed])
        if pred is None:
            return []                            # unsolvable
        next_of = {p: c for c, p in pred.items()}
        for i, r in enumerate(robots):
            chain, p = [], k + i
            while p in next_of:
                p = next_of[p]
                chain.append(needed[p])
            if chain:
                waiting[r] = chain

    # carry out the chains, last components first
    for K in sorted({comp[r] for r in waiting}, reverse=True):
        while True:
            here = sorted(r for r in waiting if comp[r] == K)
            if not here:
                break
            pos = next((r for r in here if waiting[r][0] != K), here[0])
            chain = waiting.pop(pos)
            for c in chain:
                while open_in[c]:
                    path = way(pos, open_in[c], c)
                    if path is None:
                        return []                # unsolvable
                    for nxt in path:
                        if nxt in waiting:       # exchange the chains
                            waiting[pos] = waiting.pop(nxt)
                        else:
                            move(pos, nxt)
                        pos = nxt

    # bring robots to the places demanded with at-robot
    missing = sorted(finals - occupied)
    if missing:
        free = sorted(occupied - finals)
        own = [0] * count
        for i, r in enumerate(free):
            own[comp[r]] |= 1 << i
        before = bits_before(own)
        pred = match([before[comp[f]] | own[comp[f]] for f in missing])
        if pred is None:
            return []                            # unsolvable
        for j, f in enumerate(missing):
            r = free[pred[j]]
            rest = way(r, {f}, comp[f])
            if rest is None:
                return []
            path = [r] + rest
            end = len(path) - 1
            for i in range(end - 1, -1, -1):     # robots on the way move up, none merge
                if path[i] in occupied:
                    for t in range(i, end):
                        move(path[t], path[t + 1])
                    end = i
    return plan
