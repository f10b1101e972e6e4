from collections import deque


def get_plan(objects, init, goal):
    at = set()
    water = set()
    hill = set()
    adjacent = {}
    for fact in sorted(init):
        pred = fact[0]
        if pred == "at":
            at.add(fact[1])
        elif pred == "iswater":
            water.add(fact[1])
        elif pred == "ishill":
            hill.add(fact[1])
        elif pred == "adjacent":
            adjacent.setdefault(fact[1], []).append(fact[2])

    # 1. What is to be done
    goals = {fact[1] for fact in goal if fact[0] == "at"}
    open_goals = sorted(g for g in goals if g not in at)
    free = sorted(s for s in at if s not in goals)
    plan = []
    if not open_goals:
        return plan

    # 2. Ways: one breadth-first search per start covers all open goals
    def search(start):
        before = {start: None}
        missing = set(open_goals)
        missing.discard(start)
        queue = deque([start])
        while queue and missing:
            x = queue.popleft()
            if x in water:
                continue  # water can be entered but never left
            for y in adjacent.get(x, ()):
                if y not in before:
                    before[y] = x
                    missing.discard(y)
                    queue.append(y)
        return before

    def build(before, g):
        path = []
        x = g
        while x is not None:
            path.append(x)
            x = before[x]
        path.reverse()
        return path

    ways = {}
    for s in free:
        before = search(s)
        for g in open_goals:
            if g in before:
                ways[s, g] = build(before, g)

    # 3. Which hiker's place serves which open goal
    source = {}
    if len(open_goals) == 1:
        g = open_goals[0]
        candidates = [s for s in free if (s, g) in ways]
        if not candidates:
            return []  # no solution
        source[g] = min(candidates, key=lambda s: len(ways[s, g]))
    else:
        options = {g: [s for s in free if (s, g) in ways] for g in open_goals}
        owner = {}  # place -> goal it serves

        def assign(root):
            # augmenting path, breadth first (no recursion)
            reached_from = {}
            queue = deque([root])
            while queue:
                g = queue.popleft()
                for s in options[g]:
                    if s in reached_from:
                        continue
                    reached_from[s] = g
                    if s in owner:
                        queue.append(owner[s])
                        continue
                    while s is not None:
                        g2 = reached_from[s]
                        previous = source.get(g2)
                        source[g2] = s
                        owner[s] = g2
                        s = previous
                    return True
            return False

        for g in open_goals:
            if not assign(g):
                return []  # no solution

    # 4. Make the moves
    def step(x, y):
        name = "climb" if y in hill else "walk"
        plan.append("(%s %s %s)" % (name, x, y))
        at.discard(x)
        at.add(y)

    for g in open_goals:
        path = ways[source[g], g]
        hole = len(path) - 1
        for i in range(len(path) - 2, -1, -1):
            if path[i] not in at:
                continue
            for k in range(i, hole):
                step(path[k], path[k + 1])
            hole = i
    return plan
