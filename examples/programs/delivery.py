"""Delivery: bring papers to places, some of which are traps.

Papers are picked up at a home base, and one is left at each place of the goal. Every place can be reached from every
other, but an unsafe one cannot be left again: at most one of them can be served, as the last stop. So:

1. If the papers in hand do not suffice, go to a home base (one that can be left again, if possible the present place
   or one that itself is to be served) and take just as many as are missing.
2. Serve the safe places, each on its one visit.
3. End at the unsafe place of the goal, or where the goal wants the carrier.

A home base that is a trap can only be the last stop. The time is linear in the facts but for sorting.
"""

from __future__ import annotations

Fact = tuple[str, ...]


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    round_ = Round(init, goal)
    round_.serve()
    if not round_.enough_in_hand():
        round_.go_home()
    for place in round_.stops_in_order():
        round_.move(place)
        round_.serve()
    if round_.last_place:
        round_.move(round_.last_place)
    if round_.unserved or not round_.has_what_it_keeps():
        raise ValueError("There are too few papers that can be brought to all places of the goal.")
    return round_.plan


class Round:
    """The carrier's round: where it is, what it has in hand, whom it still must serve, and the plan so far."""

    def __init__(self, init: set[Fact], goal: set[Fact]) -> None:
        self.plan: list[str] = []
        here = sorted(arguments(init, "at"))
        if not here:
            raise ValueError("The carrier is nowhere: the start has no fact `at`.")
        self.here = here[0]
        self.safe = arguments(init, "safe")
        self.homes = arguments(init, "ishomebase")
        self.in_hand = arguments(init, "carrying")
        self.unpacked = arguments(init, "unpacked")
        self.unserved = arguments(goal, "satisfied") - arguments(init, "satisfied")
        self.to_keep = arguments(goal, "carrying")
        last = sorted(arguments(goal, "at"))
        self.last_place = last[0] if last else ""
        self._refuse_what_cannot_be(init, goal, len(last))
        # Papers that may be left somewhere: those in hand first, the last of a list is the next to go.
        self.to_give = sorted(self.in_hand - self.to_keep, reverse=True)
        may_be_taken = self.unpacked - arguments(goal, "unpacked")
        self.stock = sorted(may_be_taken - self.to_keep, reverse=True)

    def _refuse_what_cannot_be(self, init: set[Fact], goal: set[Fact], last_places: int) -> None:
        for fact in sorted(goal):
            if fact[0] not in ("at", "satisfied", "carrying") and fact not in init:
                raise ValueError(f"No action brings about ({' '.join(fact)}).")
        if last_places > 1:
            raise ValueError("The goal wants the carrier in two places.")
        if self.unserved & arguments(goal, "wantspaper"):
            raise ValueError("The goal wants a place served that still wants a paper.")
        if self.to_keep & arguments(goal, "unpacked"):
            raise ValueError("The goal wants a paper both carried and unpacked.")

    def missing_papers(self) -> int:
        return len(self.unserved) - len(self.to_give)

    def has_what_it_keeps(self) -> bool:
        return self.to_keep <= self.in_hand

    def enough_in_hand(self) -> bool:
        return self.missing_papers() <= 0 and self.has_what_it_keeps()

    def go_home(self) -> None:
        """Fetch papers at a home base that can be left again, or that is the only place left to go to."""
        if self.here in self.homes:
            return  # all that is missing was taken already
        left = self.homes & self.safe
        if left:
            self.move(min(left, key=lambda home: (home == self.last_place, home not in self.unserved, home)))
            self.serve()

    def stops_in_order(self) -> list[str]:
        """The places still to go to: the last place is the goal's, or a trap."""
        stops = set(self.unserved)
        if not self.enough_in_hand() and self.here not in self.homes:
            traps = self.homes - self.safe
            if not traps:
                raise ValueError("Papers are missing, and there is no home base.")
            stops.add(min(traps, key=lambda home: (home != self.last_place, home not in self.unserved, home)))
        return sorted(stops, key=lambda place: (place == self.last_place, place not in self.safe, place))

    def move(self, place: str) -> None:
        if place == self.here:
            return
        if self.here not in self.safe:
            raise ValueError(f"{self.here} is a trap: there is no way on to {place}.")
        self.plan.append(f"(move {self.here} {place})")
        self.here = place

    def serve(self) -> None:
        """At a home base, take what is missing; leave a paper here if one is wanted here."""
        if self.here in self.homes:
            for paper in sorted(self.to_keep & self.unpacked):
                self.take(paper)
            while self.stock and self.missing_papers() > 0:
                self.to_give.append(self.stock[-1])
                self.take(self.stock.pop())
        if self.here in self.unserved and self.to_give:
            self.plan.append(f"(deliver {self.to_give.pop()} {self.here})")
            self.unserved.remove(self.here)

    def take(self, paper: str) -> None:
        self.plan.append(f"(pick-up {paper} {self.here})")
        self.unpacked.discard(paper)
        self.in_hand.add(paper)


def arguments(facts: set[Fact], predicate: str) -> set[str]:
    """The objects that a predicate of one argument holds of."""
    return {fact[1] for fact in facts if fact[0] == predicate}
