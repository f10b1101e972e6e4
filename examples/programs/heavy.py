"""Heavy: pack items into a box, one upon the other, each on a heavier one.

The box is a single pile, so a plan is a path through the relation `heavier` that meets every item of the goal. Where
the items are in a total order that is the order itself. In general (some pairs not compared, items that need not be
packed) the items are gone through from heavy to light, and for each the best path that ends with it is kept: the one
with the most items of the goal, then the shortest. The time is linear in the facts.

A relation with rings is searched depth first, with a bound on the effort, as there is no fast way in general.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise

Fact = tuple[str, ...]
MOST_TRIES = 200_000  # of the search through a relation with rings


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    items = sorted(name for name, _ in objects)
    required, stay_out, stay_on_top = read_goal(init, goal)
    may_be_first, is_packed = possible_bottoms(items, init, goal)
    may_follow = {fact[1] for fact in init if fact[0] == "unpacked"} - stay_out
    lighter: dict[str, list[str]] = {item: [] for item in items}
    for fact in init:
        if fact[0] == "heavier" and fact[1] != fact[2] and fact[2] in may_follow and fact[1] not in stay_on_top:
            lighter[fact[1]].append(fact[2])
    firsts = [item for item in may_be_first if item not in stay_out]
    order = heavy_to_light(items, lighter)
    if len(order) == len(items):
        pile = best_pile(order, lighter, firsts, required)
    else:
        pile = search_pile(lighter, firsts, required)
    plan = [] if is_packed else [f"(pack-first {pile[0]})"]
    return plan + [f"(stack {bottom} {top})" for bottom, top in pairwise(pile)]


def read_goal(init: set[Fact], goal: set[Fact]) -> tuple[set[str], set[str], set[str]]:
    """The items that must be packed now, those that must stay unpacked, and those that nothing may be put on."""
    required, stay_out, stay_on_top = set(), set(), set()
    for fact in sorted(goal):
        if fact[0] == "packed" and fact not in init:
            required.add(fact[1])
        elif fact[0] == "nothing-above":
            stay_on_top.add(fact[1])
            if fact not in init:
                required.add(fact[1])
        elif fact[0] == "unpacked" and fact in init:
            stay_out.add(fact[1])
        elif fact not in init:
            raise ValueError(f"No action brings about ({' '.join(fact)}).")
    if required & stay_out:
        raise ValueError("The goal wants an item both packed and unpacked.")
    return required, stay_out, stay_on_top


def possible_bottoms(items: list[str], init: set[Fact], goal: set[Fact]) -> tuple[list[str], bool]:
    """The items that the pile can begin with, and whether they are in the box already."""
    if ("box-empty",) in init and ("box-empty",) not in goal:
        return items, False
    return [item for item in items if ("packed", item) in init and ("nothing-above", item) in init], True


def heavy_to_light(items: list[str], lighter: dict[str, list[str]]) -> list[str]:
    """The items in an order in which each comes after all that are heavier; items on or below a ring are left out."""
    heavier_ones = dict.fromkeys(items, 0)
    for tops in lighter.values():
        for top in tops:
            heavier_ones[top] += 1
    queue = deque(item for item in items if not heavier_ones[item])
    order = []
    while queue:
        bottom = queue.popleft()
        order.append(bottom)
        free = []
        for top in lighter[bottom]:
            heavier_ones[top] -= 1
            if not heavier_ones[top]:
                free.append(top)
        queue.extend(sorted(free))
    return order


def best_pile(order: list[str], lighter: dict[str, list[str]], firsts: list[str], required: set[str]) -> list[str]:
    """The shortest pile, bottom first, with all required items."""
    each = len(order) + 1  # a required item is worth more than all items that are not
    worth = {item: each - 1 if item in required else -1 for item in order}
    best: dict[str, int] = {item: worth[item] for item in firsts}
    below: dict[str, str] = {}
    for bottom in order:
        if bottom not in best:
            continue
        value = best[bottom]
        for top in lighter[bottom]:
            if top not in best or value + worth[top] > best[top]:
                best[top] = value + worth[top]
                below[top] = bottom
    ends = [item for item in order if item in best]
    end = max(ends, key=best.__getitem__, default=None)
    if end is None or -(-best[end] // each) < len(required):
        raise ValueError("No pile of items, each on a heavier one, has all items of the goal.")
    pile = [end]
    while pile[-1] in below:
        pile.append(below[pile[-1]])
    return pile[::-1]


def search_pile(lighter: dict[str, list[str]], firsts: list[str], required: set[str]) -> list[str]:
    """A pile with all required items, by a bounded search; items with few lighter ones left are tried first."""
    rest = {item: sorted(tops, key=lambda top: (top not in required, len(lighter[top]), top))
            for item, tops in lighter.items()}  # fmt: skip
    for first in sorted(firsts, key=lambda item: (item not in required, -len(lighter[item]), item)):
        pile, missing, choices, tries = [first], len(required - {first}), [iter(rest[first])], 0
        in_pile = {first}
        while pile and missing and tries < MOST_TRIES // len(firsts) + 1:
            tries += 1
            top = next(choices[-1], None)
            if top is None:
                choices.pop()
                in_pile.remove(pile[-1])
                missing += pile.pop() in required
            elif top not in in_pile:
                pile.append(top)
                in_pile.add(top)
                missing -= top in required
                choices.append(iter(rest[top]))
        if pile and not missing:
            return pile
    raise ValueError("No pile of items, each on a heavier one, was found that has all items of the goal.")
