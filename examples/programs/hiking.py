"""Hiking: walk from where the hiker is to the goal.

Policy: breadth-first search over the `adjacent` arcs, never stepping out of water (no action does that). A hill is
entered with `climb`, every other place with `walk`. The trail only shows one dry way and is not needed: the search
follows it, or leaves it, or a better trail, or swims the last step, whichever is shortest. The plan is optimal.
"""

from collections import deque
from itertools import pairwise


def get_plan(objects, init, goal):
    adjacent = {}
    water, hills, starts = set(), set(), set()
    for fact in sorted(init):
        if fact[0] == "adjacent":
            adjacent.setdefault(fact[1], []).append(fact[2])
        elif fact[0] == "iswater":
            water.add(fact[1])
        elif fact[0] == "ishill":
            hills.add(fact[1])
        elif fact[0] == "at":
            starts.add(fact[1])

    missing = sorted(goal - init)
    if not missing:
        return []
    if len(starts) != 1 or len(goal) != 1 or missing[0][0] != "at":
        raise ValueError("This program leads exactly one hiker to exactly one place.")
    path = shortest_path(starts.pop(), missing[0][1], adjacent, water)
    return [f"({'climb' if there in hills else 'walk'} {here} {there})" for here, there in pairwise(path)]


def shortest_path(start, target, adjacent, water):
    """The places on a shortest way from the start to the target, both included."""
    came_from = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == target:
            path = []
            while here is not None:
                path.append(here)
                here = came_from[here]
            return path[::-1]
        if here not in water:
            for there in adjacent.get(here, ()):
                if there not in came_from:
                    came_from[there] = here
                    queue.append(there)
    raise ValueError(f"No dry way leads to {target}.")
