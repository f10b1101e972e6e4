"""Words for tasks of gripper."""

from __future__ import annotations

from groundplan.train.texts.telling import Manner, Voice

PHRASES: dict[str, tuple[str, ...]] = {
    "rooms": (
        "there are {0}",
        "the house has the rooms {0}",
        "the building consists of {0}",
        "the place has {0}",
        "the rooms here: {0}",
        "one can walk between {0}",
        "the floor is divided into {0}",
        "the robot can go to {0}",
        "the map shows {0}",
    ),
    "at-robby": (
        "the robot stands in {0}",
        "the robot starts in {0}",
        "the robot waits in {0}",
        "the robot is currently in {0}",
        "{0} is where the robot is",
        "the robot can be found in {0}",
        "the machine is in {0}",
        "robby is in {0}",
        "the robot's place is {0}",
        "the robot is inside {0}",
        "in {0} there is the robot",
    ),
    "at": (
        "{0} lies in {1}",
        "{0} sits in {1}",
        "{0} can be found in {1}",
        "{0} is lying in {1}",
        "{0} is inside {1}",
        "{1} contains {0}",
        "{0} was left in {1}",
        "{0} is located in {1}",
        "in {1} there is {0}",
        "{0} rests in {1}",
        "{0} starts in {1}",
        "{0} is currently in {1}",
        "{0} is on the floor of {1}",
    ),
    "at/all": (
        "{0} lie in {1}",
        "{0} are in {1}",
        "{1} contains {0}",
        "{0} can be found in {1}",
        "{1} holds {0}",
        "{0} are all inside {1}",
        "in {1} there are {0}",
        "{0} are located in {1}",
        "you can find {0} in {1}",
    ),
    "free": (
        "{0} holds nothing",
        "{0} is empty",
        "{0} is not holding anything",
        "{0} carries no ball",
        "nothing is in {0}",
        "{0} has nothing in it",
        "{0} is unused",
        "{0} is available",
        "{0} has no ball in its grip",
        "there is no ball in {0}",
    ),
    "free/all": (
        "{0} are both empty",
        "{0} hold nothing",
        "both {0} are free",
        "{0} are free",
        "no ball is in {0}",
        "{0} carry nothing",
        "neither of {0} holds a ball",
        "nothing is held by {0}",
    ),
    "carry": (
        "{1} holds {0}",
        "{0} is held by {1}",
        "{1} has {0} in its grip",
        "{1} is carrying {0}",
        "{0} is gripped by {1}",
        "{1} has already picked up {0}",
    ),
    "rooms/terse": ("rooms: {0}", "rooms {0}", "map: {0}", "places: {0}", "floor plan: {0}", "there: {0}"),
    "at-robby/terse": ("robot in {0}", "robot at {0}", "robot: {0}", "me in {0}", "robby {0}", "start room {0}"),
    "at/terse": ("{0} in {1}", "{0} at {1}", "{0}: {1}", "{0} -> {1}", "{1} has {0}", "{0} inside {1}"),
    "free/terse": ("{0} empty", "{0} free", "{0}: nothing", "{0} unused", "nothing in {0}", "{0} open"),
    "carry/terse": ("{1} holds {0}", "{0} in {1}", "{1}: {0}", "{0} held by {1}", "{1} with {0}", "{0} gripped by {1}"),
    "that": (
        "{0} lies in {1}",
        "{0} has been brought to {1}",
        "{0} sits in {1}",
        "{0} is inside {1}",
        "{1} contains {0}",
        "{0} can be found in {1}",
        "{0} has arrived in {1}",
        "{0} is located in {1}",
        "{0} is on the floor of {1}",
    ),
    "that/all": (
        "{0} are in {1}",
        "{0} lie in {1}",
        "{1} contains {0}",
        "{0} have been brought to {1}",
        "{0} can be found in {1}",
        "{0} are all inside {1}",
    ),
    "do": (
        "move {0} to {1}",
        "bring {0} to {1}",
        "carry {0} into {1}",
        "take {0} to {1}",
        "deliver {0} to {1}",
        "put {0} in {1}",
        "get {0} into {1}",
        "drop {0} in {1}",
        "transport {0} to {1}",
    ),
    "small": ("{0} in {1}", "{0} inside {1}", "{0} lying in {1}", "{0} brought to {1}", "{0} at {1}", "{0} put in {1}"),
    "should": (
        "{0} should be in {1}",
        "{0} must lie in {1}",
        "{0} should end up in {1}",
        "{0} has to be in {1}",
        "{0} belongs in {1}",
        "{1} should contain {0}",
        "{0} is to be found in {1}",
        "{0} needs to be in {1}",
        "{0} must get to {1}",
    ),
    "should/all": (
        "{0} should be in {1}",
        "{0} must lie in {1}",
        "{0} should end up in {1}",
        "{0} have to be in {1}",
        "{0} belong in {1}",
        "{1} should contain {0}",
        "{0} need to be in {1}",
    ),
}

MANNERS = (
    Manner("plain prose", "random", "running", ("A robot with two grippers moves balls",
        "Here is a robot with two arms",
        "", "There are balls to be moved"), ("", "Right now", "At first", "Currently", "To begin with,")),
    Manner("one sentence", "rooms together", "one", leads=("Suppose", "Imagine that", "At the start", "Initially,",
        "We begin with this:", "Given:")),
    Manner("short sentences", "in turn", "short", ("This is how things are", "", "A tidy-up task"),
        ("", "First of all,")),
    Manner("room by room", "by room", "running", ("Let us walk through the rooms", "Here is what each room holds", ""),
        ("", "Today", "Now")),
    Manner("room list", "room headings", "lines", leads=("", "Rooms:", "Floor plan:", "What is where:"),
        moods=("small", "that", "do"), goal_layout="commas"),
    Manner("bullets", "random", "bullets", leads=("Start:", "START:", "How it is now:", "Facts:", "The situation:",
        "Before:"), goal_layout="bullets"),
    Manner("numbered", "in turn", "numbered", ("", "Task for a ball-carrying robot"), ("Known:", "What holds now:",
        "State:", "These things are true:")),
    Manner("headings", "headings", "lines", leads=("", "Now:", "Scene:", "Setup:"), moods=("small", "that"),
        goal_layout="lines"),
    Manner("telegraph", "terse", "commas", leads=("", "Now:", "Start:", "Have:", "init:"), moods=("small",),
        goal_layout="commas"),
    Manner("telegraph lower", "terse", "semicolons", leads=("", "at start:", "today:", "report:"),
        moods=("small", "do"), lower=True),
    Manner("goal first", "random", "running", leads=("", "At the moment", "For now,", "As things stand,"),
        goal_first=True),
    Manner("goal first rooms", "by room", "semicolons", leads=("", "What we have is this:", "We start from here:"),
        goal_first=True),
    Manner("first person", "rooms together", "running", ("I have a robot that carries balls with two grippers",
        "My robot helps me tidy up", "I run a robot at home", "I lost track of my balls"),
        ("", "I see that", "I know that")),
    Manner("second person", "in turn", "running", ("You are a robot with two grippers", "You steer a robot",
        "You have a robot that picks up balls"), ("You notice that", "You know this:", "You are told that"),
        moods=("do", "that", "should")),
    Manner("third person", "rooms together", "short", ("Robby is a robot that moves balls around",
        "A household robot starts its day", "The caretaker's robot collects balls"), ("", "When it begins,")),
    Manner("facts in a row", "random", "one", leads=("", "Here is what holds now:", "The facts at first are these:",
        "We know that", "The world looks like this:", "It is known that")),
    Manner("facts in turn", "in turn", "one", leads=("", "It holds that", "We start from this:", "To start with,")),
    Manner("lines", "random", "lines", leads=("", "The state of the house:", "Inventory:"), goal_layout="lines"),
)  # fmt: skip


def clauses(voice: Voice, order: str) -> list[str]:
    """All facts of the start as clauses, in one of the orders; every room is named."""
    scene = voice.scene
    if order in ("random", "terse"):
        end = "/terse" if order == "terse" else ""
        told = [voice.say(fact[0] + end, *fact[1:]) for fact in _moving(voice)]
        rooms = _rooms(voice, end)
        return [rooms, *voice.mixed(told)] if voice.rng.random() < 0.7 else voice.mixed([rooms, *told])
    if order == "in turn":
        robot = [voice.say("at-robby", *scene.names("at-robby"))]
        groups = [robot, [voice.say("at", *fact[1:]) for fact in scene.of("at")], _hands(voice)]
        told = [clause for group in voice.rng.sample(groups, 3) for clause in group]
        return [_rooms(voice), *told] if voice.rng.random() < 0.6 else [*told, _rooms(voice)]
    if order == "rooms together":
        robot = [voice.say("at-robby", *scene.names("at-robby"))]
        groups = [robot, _balls_by_room(voice), _hands(voice)]
        return [_rooms(voice), *(clause for group in voice.rng.sample(groups, 3) for clause in group)]
    if order == "by room":
        return _by_room(voice)
    return _room_headings(voice) if order == "room headings" else _headings(voice)


def goal(voice: Voice, mood: str) -> list[str]:
    """The goal as clauses of one mood; balls for the same room are often told together."""
    facts = list(voice.scene.goal)
    if voice.rng.random() < 0.4:
        return [voice.say(mood, *fact[1:]) for fact in facts]
    told = []
    for room in dict.fromkeys(fact[2] for fact in facts):
        balls = [fact[1] for fact in facts if fact[2] == room]
        key = f"{mood}/all" if len(balls) > 1 and mood in ("that", "should") else mood
        told.append(voice.all(key, balls, room))
        voice.aimed += [("at", ball, room) for ball in balls]
    return told


def _moving(voice: Voice) -> list[tuple[str, ...]]:
    """The facts that are not about what things are."""
    return [fact for fact in voice.scene.init if fact[0] not in ("room", "ball", "gripper")]


def _rooms(voice: Voice, end: str = "") -> str:
    return voice.all(f"rooms{end}", voice.scene.names("room"))


def _hands(voice: Voice) -> list[str]:
    """What the grippers hold."""
    free = voice.scene.names("free")
    told = [voice.say("carry", *fact[1:]) for fact in voice.scene.of("carry")]
    if len(free) > 1 and voice.rng.random() < 0.6:
        return [*told, voice.all("free/all", free)]
    return [*told, *(voice.say("free", name) for name in free)]


def _in_rooms(voice: Voice) -> dict[str, list[str]]:
    """The balls of each room, the rooms in a random order."""
    rooms = voice.scene.names("room")
    return {
        room: [fact[1] for fact in voice.scene.of("at") if fact[2] == room]
        for room in voice.rng.sample(rooms, len(rooms))
    }


def _balls_by_room(voice: Voice) -> list[str]:
    return [
        voice.all("at/all", balls, room) if len(balls) > 1 else voice.say("at", balls[0], room)
        for room, balls in _in_rooms(voice).items()
        if balls
    ]


def _by_room(voice: Voice) -> list[str]:
    """Room by room: its balls, or that it has none; the robot where it stands."""
    pick = voice.rng.choice
    nothing = pick(("{0} is empty", "{0} has no balls", "there is no ball in {0}", "{0} contains no ball"))
    some = pick(("{0} contains {1}", "{0} has {1} in it", "in {0} you find {1}", "{0} holds {1}", "in {0} you see {1}"))
    told = []
    for room, balls in _in_rooms(voice).items():
        called = voice.call(room)
        listed = voice.both([voice.call(ball) for ball in balls])
        clause = some.format(called, listed) if balls else nothing.format(called)
        told.append(voice.tell(clause, *(("at", ball, room) for ball in balls)))
        if room in voice.scene.names("at-robby"):
            told.append(voice.say("at-robby", room))
    return [*told, *_hands(voice)]


def _room_headings(voice: Voice) -> list[str]:
    """A line for each room with what is in it, then a line for each gripper."""
    robot = voice.rng.choice(("the robot", "robot", "the robot itself"))
    none = voice.rng.choice(("nothing", "no balls", "-", "empty"))
    told = []
    for room, balls in _in_rooms(voice).items():
        here = room in voice.scene.names("at-robby")
        inside = [*map(voice.call, balls), *([robot] if here else [])]
        facts = [("at", ball, room) for ball in balls]
        clause = f"{voice.call(room)}: {', '.join(inside) or none}"
        told.append(voice.tell(clause, *facts, *([("at-robby", room)] if here else [])))
    return [*told, *_hand_lines(voice)]


def _hand_lines(voice: Voice) -> list[str]:
    none = voice.rng.choice(("nothing", "empty", "free", "holds no ball"))
    held = {fact[2]: fact[1] for fact in voice.scene.of("carry")}
    return [
        voice.tell(
            f"{voice.call(name)}: {voice.call(held[name]) if name in held else none}",
            ("carry", held[name], name) if name in held else ("free", name),
        )
        for name in voice.scene.names("gripper")
    ]


def _headings(voice: Voice) -> list[str]:
    """A heading for each kind of thing, with a list."""
    pick, scene = voice.rng.choice, voice.scene
    apart = pick((" in ", " in ", ": ", " = ", " @ "))
    balls = ", ".join(f"{voice.call(ball)}{apart}{voice.call(room)}" for _, ball, room in scene.of("at"))
    lines = [
        f"{pick(('Rooms', 'All rooms', 'Places'))}: {voice.plain(scene.names('room'))}",
        voice.tell(
            f"{pick(('Robot', 'Robot in', 'Position of the robot', 'Where the robot is'))}: "
            f"{voice.plain(scene.names('at-robby'))}",
            *scene.of("at-robby"),
        ),
    ]
    if balls:
        lines.append(voice.tell(f"{pick(('Balls', 'Where the balls are', 'Things'))}: {balls}", *scene.of("at")))
    free = pick(("Grippers that hold nothing", "Empty", "Free grippers", "Unused"))
    lines.append(voice.tell(f"{free}: {voice.plain(scene.names('free'))}", *scene.of("free")))
    if scene.of("carry"):
        lines.append("Carried: " + ", ".join(voice.say("carry/terse", *fact[1:]) for fact in scene.of("carry")))
    return lines if voice.rng.random() < 0.5 else voice.mixed(lines)
