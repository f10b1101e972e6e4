"""Satellite: take images with instruments that must be powered and calibrated, then point where wanted.

Policy: choose few instruments for all images (again and again the one with the least steps per image that is still
uncovered), because each costs switching on, turning to its calibration target and calibrating. A satellite works
through its instruments one after another, those that are on and calibrated at the start first, since switching off
and on again undoes the calibration; with each it takes all images of one direction before it turns to the next. At
last, wanted states of instruments are made true, and wanted directions are pointed at.
"""


def get_plan(objects, init, goal):
    if goal <= init:
        return []
    turned = [fact[1] for fact in goal if fact[0] == "pointing"]
    if len(turned) > len(set(turned)) or any(
        fact[0] in ("supports", "on_board", "calibration_target") for fact in goal - init
    ):
        raise ValueError("The goal wants a satellite to point in two directions, or another instrument than it has.")
    fleet = Fleet(init)
    images = sorted(fact[1:] for fact in goal - init if fact[0] == "have_image")
    pointing = {fact[1]: fact[2] for fact in sorted(goal) if fact[0] == "pointing"}
    for satellite, work in fleet.assign(images):
        fleet.work(satellite, work, pointing.get(satellite))
    fleet.leave_instruments(sorted(goal))
    for satellite, direction in sorted(pointing.items()):
        fleet.turn(satellite, direction)
    return fleet.plan


class Fleet:
    def __init__(self, init):
        self.plan = []
        self.pointing, self.power = {}, set()
        self.on, self.calibrated = set(), set()
        self.boards, self.supports, self.targets = {}, {}, {}
        for fact in sorted(init):
            name, rest = fact[0], fact[1:]
            if name == "pointing":
                self.pointing[rest[0]] = rest[1]
            elif name == "power_avail":
                self.power.add(rest[0])
            elif name == "power_on":
                self.on.add(rest[0])
            elif name == "calibrated":
                self.calibrated.add(rest[0])
            elif name == "on_board":
                self.boards.setdefault(rest[1], []).append(rest[0])
            elif name == "supports":
                self.supports.setdefault(rest[0], set()).add(rest[1])
            elif name == "calibration_target":
                self.targets.setdefault(rest[0], []).append(rest[1])

    # --- who takes which image ---

    def assign(self, images):
        """Pairs of a satellite and its work, a list of (instrument, images by direction)."""
        by_mode = {}
        for direction, mode in images:
            by_mode.setdefault(mode, set()).add(direction)
        candidates = [pair for pair in self.usable_instruments() if self.supports.get(pair[1], set()) & by_mode.keys()]
        work, left = {}, len(images)
        while left:
            best = self.best_instrument(candidates, by_mode, work)
            if best is None:
                lacking = sorted((direction, mode) for mode, rest in by_mode.items() for direction in rest)
                raise ValueError(f"No instrument can be made ready to take the image {lacking[0]}.")
            satellite, instrument = best
            shots = {}
            for mode in sorted(self.supports[instrument] & by_mode.keys()):
                for direction in sorted(by_mode[mode]):
                    shots.setdefault(direction, []).append(mode)
                    left -= 1
                by_mode[mode] = set()
            work.setdefault(satellite, []).append((instrument, shots))
            candidates.remove(best)
        for satellite in sorted(work):
            yield satellite, sorted(work[satellite], key=lambda item: (not self.is_ready(item[0]), item[0]))

    def best_instrument(self, candidates, by_mode, work):
        """The instrument with the least steps per image, among those that can take any of the images left."""
        best, least = None, None
        for satellite, instrument in candidates:
            modes = [mode for mode in self.supports[instrument] if by_mode.get(mode)]
            if modes:
                count = sum(len(by_mode[mode]) for mode in modes)
                turns = len(set().union(*(by_mode[mode] for mode in modes)))
                steps = (turns + self.setup_steps(satellite, instrument, satellite in work)) / count
                if least is None or (steps, -count) < least:
                    best, least = (satellite, instrument), (steps, -count)
        return best

    def usable_instruments(self):
        """All (satellite, instrument) that can be made to take images."""
        for satellite in sorted(self.boards):
            board = self.boards[satellite]
            powered = satellite in self.power or any(instrument in self.on for instrument in board)
            for instrument in board:
                can_calibrate = bool(self.targets.get(instrument)) and satellite in self.pointing
                if self.is_ready(instrument) or (can_calibrate and (powered or instrument in self.on)):
                    yield satellite, instrument

    def is_ready(self, instrument):
        return instrument in self.on and instrument in self.calibrated

    def setup_steps(self, satellite, instrument, busy):
        """Steps until the first image, besides turning to it; a busy satellite has used other instruments before."""
        if self.is_ready(instrument):
            return 0
        steps = 1 if not busy and self.pointing.get(satellite) in self.targets[instrument] else 2
        if busy or instrument not in self.on:
            steps += 1 if satellite in self.power and not busy else 2
        return steps

    # --- doing it ---

    def work(self, satellite, work, last):
        """Take all images of this satellite; `last` is the direction it has to point to in the end."""
        for position, (instrument, shots) in enumerate(work):
            self.make_ready(satellite, instrument, set(shots))
            following = work[position + 1][0] if position + 1 < len(work) else None
            final = self.targets.get(following, ()) if following else (last,)
            here = self.pointing.get(satellite)
            for direction in sorted(shots, key=lambda d: (d != here, d in final, d)):
                self.turn(satellite, direction)
                for mode in shots[direction]:
                    self.plan.append(f"(take_image {satellite} {direction} {instrument} {mode})")

    def make_ready(self, satellite, instrument, directions):
        if self.is_ready(instrument):
            return
        self.switch_on(satellite, instrument)
        targets = self.targets[instrument]
        here = self.pointing.get(satellite)
        self.turn(satellite, min(targets, key=lambda d: (d != here, d not in directions, d)))
        self.plan.append(f"(calibrate {satellite} {instrument} {self.pointing[satellite]})")
        self.calibrated.add(instrument)

    def switch_on(self, satellite, instrument):
        if instrument in self.on:
            return
        if satellite not in self.power:
            running = [other for other in self.boards[satellite] if other in self.on]
            if not running:
                raise ValueError(f"{satellite} has no power for {instrument}.")
            self.switch_off(satellite, running[0])
        self.plan.append(f"(switch_on {instrument} {satellite})")
        self.power.discard(satellite)
        self.on.add(instrument)
        self.calibrated.discard(instrument)

    def switch_off(self, satellite, instrument):
        self.plan.append(f"(switch_off {instrument} {satellite})")
        self.on.discard(instrument)
        self.power.add(satellite)

    def turn(self, satellite, direction):
        here = self.pointing.get(satellite)
        if here == direction:
            return
        if here is None:
            raise ValueError(f"{satellite} points nowhere, so it cannot turn to {direction}.")
        self.plan.append(f"(turn_to {satellite} {direction} {here})")
        self.pointing[satellite] = direction

    def leave_instruments(self, goal):
        """Make the wanted `calibrated`, `power_on` and `power_avail` facts true, in this order."""
        satellite_of = {instrument: satellite for satellite, board in self.boards.items() for instrument in board}
        want_on = {fact[1] for fact in goal if fact[0] == "power_on"}
        wanted = sorted((fact[1] in want_on, fact[1]) for fact in goal if fact[0] == "calibrated")
        for stays_on, instrument in wanted:
            if instrument not in self.calibrated or (stays_on and instrument not in self.on):
                if not self.targets.get(instrument):
                    raise ValueError(f"{instrument} has no calibration target.")
                self.make_ready(satellite_of[instrument], instrument, set())
        for instrument in sorted(want_on):
            self.switch_on(satellite_of[instrument], instrument)
        for fact in goal:
            if fact[0] == "power_avail" and fact[1] not in self.power:
                running = [other for other in self.boards.get(fact[1], ()) if other in self.on - want_on]
                if not running:
                    raise ValueError(f"{fact[1]} cannot get its power back.")
                self.switch_off(fact[1], running[0])
