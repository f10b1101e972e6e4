"""Visitall: walk over a graph until every wanted place was visited.

Policy: go to the nearest place still to visit; of the places equally near, take the one with the fewest unvisited
neighbours, so that no lonely place is left behind for later. Where some arcs are one-way, the places are served in
the order of the graph's strongly connected components: a place that cannot be reached again is never left too early.
A wanted final position comes last.
"""

from collections import deque
from itertools import pairwise


def get_plan(objects, init, goal):
    arcs, visited, robots = {}, set(), []
    for fact in sorted(init):
        if fact[0] == "connected":
            arcs.setdefault(fact[1], []).append(fact[2])
        elif fact[0] == "visited":
            visited.add(fact[1])
        elif fact[0] == "at-robot":
            robots.append(fact[1])
    wanted = {fact[1] for fact in goal if fact[0] == "visited"} - visited
    ends = sorted(fact[1] for fact in goal if fact[0] == "at-robot")
    if any(fact[0] == "connected" and fact not in init for fact in goal):
        raise ValueError("A wanted connection is missing, and no action makes one.")
    if not wanted and all(end in robots for end in ends):
        return []
    if len(robots) != 1 or len(ends) > 1:
        raise ValueError("This program moves exactly one robot.")

    walk = visit_all(robots[0], wanted, arcs)
    if ends and walk[-1] != ends[0]:
        walk += path_to_nearest(walk[-1], {ends[0]}, arcs)[1:]
    return [f"(move {here} {there})" for here, there in pairwise(walk)]


def visit_all(robot, wanted, arcs):
    """A walk from the robot's place through all wanted places, as the list of places."""
    walk = [robot]
    for stage in stages(robot, wanted, arcs):
        left = set(stage)
        while left:
            path = path_to_nearest(walk[-1], left, arcs)
            walk += path[1:]
            left.difference_update(path[1:])
    return walk


def stages(robot, wanted, arcs):
    """The wanted places in groups, in the order in which they must be visited."""
    places = set(arcs) | {there for heads in arcs.values() for there in heads}
    if all(here in arcs.get(there, ()) for here, heads in arcs.items() for there in heads):
        return [wanted]  # Every arc leads back: no order is needed.
    component = components(sorted(places | {robot} | wanted), arcs)
    groups = {}
    for place in wanted:
        groups.setdefault(component[place], set()).add(place)
    return [groups[number] for number in sorted(groups, reverse=True)]


def components(places, arcs):
    """The strongly connected component of each place (Tarjan); arcs lead to components of no greater number."""
    index, low, number = {}, {}, {}
    stack, count = [], 0
    for root in places:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        work = [(root, iter(arcs.get(root, ())))]
        while work:
            here, heads = work[-1]
            for there in heads:
                if there not in index:
                    index[there] = low[there] = len(index)
                    stack.append(there)
                    work.append((there, iter(arcs.get(there, ()))))
                    break
                if there not in number:
                    low[here] = min(low[here], index[there])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == index[here]:
                    while number.get(here) is None:
                        number[stack.pop()] = count
                    count += 1
    return number


def path_to_nearest(start, targets, arcs):
    """A shortest path to the nearest target; the target with the fewest targets around it wins a tie.

    The start is no target as such: where it is the only one left, the path leaves it and comes back.
    """
    came_from = {start: None}
    distance = {start: 0}
    found = []
    last = None  # The nearest place from which an arc leads back to the start.
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if found and distance[here] > distance[found[0]]:
            break
        if here in targets and here != start:
            found.append(here)
        for there in arcs.get(here, ()):
            if there not in came_from:
                came_from[there] = here
                distance[there] = distance[here] + 1
                queue.append(there)
            elif there == start and last is None:
                last = here
    if found:
        best = min(found, key=lambda place: (sum(there in targets for there in arcs.get(place, ())), place))
        return path_to(best, came_from)
    if start in targets and last is not None:
        return [*path_to(last, came_from), start]
    raise ValueError(f"No way leads from {start} to {', '.join(sorted(targets)[:3])}.")


def path_to(place, came_from):
    path = [place]
    while came_from[path[-1]] is not None:
        path.append(came_from[path[-1]])
    return path[::-1]
