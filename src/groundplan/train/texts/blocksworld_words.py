"""Words for tasks of blocksworld."""

from __future__ import annotations

from itertools import pairwise

from groundplan.train.texts.scene import Fact
from groundplan.train.texts.telling import Manner, Voice

PHRASES: dict[str, tuple[str, ...]] = {
    "on": (
        "{0} sits on {1}",
        "{0} rests on {1}",
        "{0} is stacked on {1}",
        "{0} stands on {1}",
        "{0} lies directly on {1}",
        "{0} is placed on {1}",
        "{0} is on {1}",
        "{0} has been put on {1}",
        "{0} sits on top of {1}",
        "{0} rests on top of {1}",
        "{0} stands on top of {1}",
        "{0} has been put on top of {1}",
        "{0} is right above {1}",
        "{1} carries {0}",
        "{1} has {0} on it",
        "{1} is directly under {0}",
        "{1} supports {0}",
        "{0} is atop {1}",
    ),
    "ontable": (
        "{0} sits on the table",
        "{0} rests on the table",
        "{0} stands on the table",
        "{0} lies on the table",
        "{0} is placed directly on the table",
        "{0} touches the table",
        "the table carries {0}",
        "{0} is standing on the tabletop",
        "{0} is down on the table",
        "{0} is at table level",
        "under {0} there is only the table",
    ),
    "clear": (
        "nothing is on {0}",
        "{0} has nothing on it",
        "there is nothing on top of {0}",
        "no block is on {0}",
        "{0} is free on top",
        "{0} has a clear top",
        "the top of {0} is free",
        "{0} is uncovered",
        "nothing sits on {0}",
        "{0} is not covered by anything",
        "{0} has no block above it",
        "{0} has its top clear",
    ),
    "handempty": (
        "the arm holds nothing",
        "the robot arm is empty",
        "the gripper is not holding anything",
        "no block is being held",
        "the hand holds no block",
        "the robot's hand has nothing in it",
        "the arm is free",
        "the claw is empty",
        "nothing is in the hand",
        "the arm is not carrying any block",
        "the hand is free",
    ),
    "holding": (
        "the arm holds {0}",
        "{0} is in the hand",
        "the gripper has {0} in its grip",
        "the robot arm is carrying {0}",
        "{0} is being held",
        "{0} hangs in the claw",
        "the hand has picked up {0}",
    ),
    "on/terse": ("{0} on {1}", "{0} on {1}", "{0} > {1}", "{0} over {1}", "{0} atop {1}", "{1} under {0}"),
    "ontable/terse": ("{0} on table", "{0} on the table", "{0} at the bottom", "{0} down", "table under {0}"),
    "clear/terse": ("{0} clear", "{0} free", "nothing on {0}", "{0} uncovered", "{0} top free", "top of {0} open"),
    "handempty/terse": ("hand empty", "arm free", "nothing held", "arm empty", "holding nothing", "gripper free"),
    "holding/terse": ("holding {0}", "{0} in hand", "arm holds {0}", "{0} held", "{0} in gripper", "arm: {0}"),
    "ontable/all": (
        "{0} all stand on the table",
        "{0} are all on the table",
        "on the table there are {0}",
        "the table holds {0}",
        "{0} rest on the table",
        "the blocks that touch the table are {0}",
    ),
    "clear/all": (
        "nothing is on any of {0}",
        "{0} have nothing on them",
        "{0} are all free on top",
        "the tops of {0} are free",
        "the uncovered blocks are {0}",
        "{0} are clear",
    ),
    "tower/down": ("{0} sits on {1}", "{0} is on {1}", "{0} rests on {1}", "{0} stands on {1}"),
    "tower/which": ("which sits on", "which is on", "which rests on", "which stands on", "itself on"),
    "that": (
        "{0} sits on {1}",
        "{0} rests on {1}",
        "{0} is stacked on {1}",
        "{0} is on {1}",
        "{0} stands on {1}",
        "{0} sits on top of {1}",
        "{0} lies on top of {1}",
        "{0} is directly above {1}",
        "{1} has {0} on it",
        "{0} lies on {1}",
        "{1} is right under {0}",
        "{0} has been placed on {1}",
    ),
    "do": (
        "put {0} on {1}",
        "place {0} on top of {1}",
        "stack {0} onto {1}",
        "set {0} on {1}",
        "get {0} onto {1}",
        "move {0} onto {1}",
        "bring {0} on top of {1}",
        "lay {0} on {1}",
    ),
    "small": (
        "{0} on {1}",
        "{0} on top of {1}",
        "{0} directly on {1}",
        "{0} standing on {1}",
        "{0} stacked on {1}",
        "{1} under {0}",
        "{0} atop {1}",
        "{1} with {0} on it",
    ),
    "should": (
        "{0} should be on {1}",
        "{0} must sit on {1}",
        "{0} should end up on {1}",
        "{0} has to stand on {1}",
        "{1} should carry {0}",
        "{0} must be on top of {1}",
        "{0} needs to be on {1}",
        "{0} belongs on {1}",
        "{0} is to rest on {1}",
    ),
}

MANNERS = (
    Manner("plain prose", "random", "running", ("There are some blocks on a table", "Here is a small world of blocks",
        "A few blocks and one arm", ""), ("", "Right now", "At first", "To begin with,", "Currently")),
    Manner("one sentence", "predicates", "one", leads=("Suppose", "At the start", "Imagine that", "We begin with this:",
        "Initially,", "Given:")),
    Manner("short sentences", "blocks", "short", ("Look at these blocks", "This is how the blocks are", "", ""),
        ("", "First of all,")),
    Manner("towers from the top", "down", "short", ("Some towers of blocks have been built", "This is what I see",
        ""),
        ("", "Now", "At present")),
    Manner("towers from the bottom", "up", "running", ("A child has built with blocks", "Blocks stand in piles", "",
        ""),
        ("", "So far,")),
    Manner("bullets", "random", "bullets", leads=("Start:", "START:", "How it is now:", "The situation:", "Facts:",
        "Before:"), goal_layout="bullets"),
    Manner("numbered", "predicates", "numbered", ("", "Task for a robot arm"), ("Known:", "What holds now:", "State:",
        "These things are true:")),
    Manner("headings", "lists", "lines", leads=("", "Now:", "Scene:", "Setup:"), moods=("small", "that"),
        goal_layout="commas"),
    Manner("telegraph", "terse", "commas", leads=("", "Now:", "Start:", "Have:", "init:"), moods=("small",),
        goal_layout="commas"),
    Manner("telegraph lower", "terse", "semicolons", leads=("", "blocks:", "at start:", "today:"),
        moods=("small", "do"),
        lower=True),
    Manner("goal first", "random", "running", leads=("", "At the moment", "For now,", "As things stand,"),
        goal_first=True),
    Manner("goal first towers", "down", "one", leads=("", "What we have is this:", "This is where we start:"),
        goal_first=True),
    Manner("first person", "blocks", "running", ("I have some blocks in front of me", "I'm tidying my toy blocks",
        "I found my blocks like this", "I am building with blocks"), ("", "I see that", "As far as I can tell,")),
    Manner("second person", "random", "semicolons", ("You control an arm over a table", "You stand before some blocks",
        "You are a robot that moves blocks"), ("You notice that", "You see this:", "In front of you,"),
        moods=("do", "that", "should")),
    Manner("third person", "predicates", "running", ("A robot works at a table", "Mia plays with blocks",
        "An arm has to rearrange blocks", "The crane has blocks to sort"), ("", "When it begins,", "At this hour")),
    Manner("facts in a row", "random", "one", leads=("", "Here is what holds now:", "The facts at first are these:",
        "We know that", "The world looks like this:", "It is known that")),
    Manner("facts with commas", "random", "commas", leads=("", "Known facts:", "It holds that", "We start from this:",
        "The first state:")),
    Manner("facts in sentences", "random", "short", leads=("", "To start with,", "We are told that",
        "In the beginning")),
    Manner("lines", "blocks", "lines", leads=("", "The state of the table:", "Inventory:"), goal_layout="lines"),
    Manner("tower lists", "stacks", "running", ("Each stack is given from top to bottom",), ("", "Today")),
)  # fmt: skip


def clauses(voice: Voice, order: str) -> list[str]:
    """All facts of the start as clauses, in one of the orders."""
    if order == "random":
        return voice.mixed([voice.say(fact[0], *fact[1:]) for fact in voice.scene.init])
    if order == "terse":
        said = [voice.say(f"{fact[0]}/terse", *fact[1:]) for fact in voice.scene.init]
        return voice.mixed(said) if voice.rng.random() < 0.5 else said
    return {"predicates": _predicates, "blocks": _blocks, "lists": _lists, "down": _down, "up": _up, "stacks": _stacks}[
        order
    ](voice)


def goal(voice: Voice, mood: str) -> list[str]:
    """The goal as clauses of one mood; blocks in a row may be told as one."""
    facts = list(voice.scene.goal)
    rows = _rows(facts)
    if mood in ("small", "that") and len(rows) < len(facts) and voice.rng.random() < 0.5:
        link = " on " if mood == "small" else " sits on "
        then = " on " if mood == "small" else ", which sits on "
        called = [[voice.call(name) for name in row] for row in rows]
        voice.aimed += [("on", *pair) for row in rows for pair in pairwise(row)]
        return [row[0] + link + then.join(row[1:]) for row in called]
    return [voice.say(mood, *fact[1:]) for fact in facts]


def _rows(facts: list[Fact]) -> list[list[str]]:
    """The blocks of `on` facts as rows from the top down."""
    under = {fact[1]: fact[2] for fact in facts}
    rows = []
    for top in (name for name in under if name not in under.values()):
        row = [top]
        while row[-1] in under:
            row.append(under[row[-1]])
        rows.append(row)
    return rows


def _towers(voice: Voice) -> list[list[str]]:
    """The towers of the start, each from the top down, in a random order."""
    rows = {row[-1]: row for row in _rows(voice.scene.of("on"))}
    towers = [rows.get(name, [name]) for name in voice.scene.names("ontable")]
    return voice.rng.sample(towers, len(towers))


def _arm(voice: Voice) -> str:
    held = voice.scene.names("holding")
    return voice.say("holding", *held) if held else voice.say("handempty")


def _with_arm(voice: Voice, told: list[str]) -> list[str]:
    arm = _arm(voice)
    return [arm, *told] if voice.rng.random() < 0.3 else [*told, arm]


def _predicates(voice: Voice) -> list[str]:
    """Facts of one predicate together, the one-place ones often as one clause."""
    groups = [[_arm(voice)], [voice.say("on", *fact[1:]) for fact in voice.mixed_facts("on")]]
    for predicate in ("ontable", "clear"):
        names = [fact[1] for fact in voice.mixed_facts(predicate)]
        if len(names) > 1 and voice.rng.random() < 0.6:
            groups.append([voice.all(f"{predicate}/all", names)])
        else:
            groups.append([voice.say(predicate, name) for name in names])
    return [clause for group in voice.rng.sample(groups, len(groups)) for clause in group]


def _blocks(voice: Voice) -> list[str]:
    """Block by block: what it stands on, and whether its top is free."""
    told = []
    bare = voice.rng.choice((" with nothing on it", ", its top free", " with a free top", " uncovered"))
    under = {fact[1]: fact[2] for fact in voice.scene.of("on")}
    clear, held = voice.scene.names("clear"), voice.scene.names("holding")
    upward = ("{0} sits on {1}", "{0} is on {1}", "{0} stands on {1}", "{0} lies on {1}", "{0} rests on {1}")
    pattern = voice.rng.choice(upward)
    foot = voice.rng.choice(("{0} stands on the table", "{0} sits on the table", "{0} rests on the table"))
    names = [name for name in voice.scene.objects if name not in held]
    for name in voice.rng.sample(names, len(names)):
        if name in under:
            where = pattern.format(voice.call(name), voice.call(under[name]))
        else:
            where = foot.format(voice.call(name))
        below = ("on", name, under[name]) if name in under else ("ontable", name)
        told.append(voice.tell(where + (bare if name in clear else ""), below, ("clear", name)))
    return _with_arm(voice, told)


def _lists(voice: Voice) -> list[str]:
    """A heading for each predicate, with a list."""
    pick, scene = voice.rng.choice, voice.scene
    table = pick(("On the table", "Table", "Bottom blocks", "Standing on the table", "Directly on the table"))
    free = pick(("Free on top", "Uncovered", "Clear", "Nothing on top", "Blocks with a clear top"))
    hand = pick(("Arm", "Hand", "In the hand", "Held", "Gripper"))
    stacked = pick(("Stacked", "On each other", "Piles", "On top of others"))
    held = scene.names("holding")
    lines = [
        voice.tell(f"{heading}: {voice.plain(scene.names(predicate))}", *scene.of(predicate))
        for heading, predicate in ((table, "ontable"), (free, "clear"))
    ]
    nothing = "empty" if hand in ("Arm", "Hand", "Gripper") else "nothing"
    lines.append(
        voice.tell(
            f"{hand}: {voice.plain(held) if held else nothing}", *(scene.of("holding") if held else [("handempty",)])
        )
    )
    if scene.of("on"):
        lines.append(f"{stacked}: " + ", ".join(voice.say("on/terse", *fact[1:]) for fact in scene.of("on")))
    return [*voice.mixed([f"Blocks: {voice.plain(scene.objects)}"][: voice.rng.choice((0, 1))]), *voice.mixed(lines)]


def _down(voice: Voice) -> list[str]:
    """Each tower from its top to the table."""
    which = voice.phrase("tower/which")
    told = []
    for tower in _towers(voice):
        called = [*map(voice.call, tower), "the table"]
        if len(tower) == 1:
            clause = f"{called[0]} stands alone on the table"
            told.append(f"{voice.tell(clause, ('ontable', tower[0]))}, and {voice.say('clear', tower[0])}")
            continue
        first = voice.phrase("tower/down").format(*called[:2])
        rest = "".join(f", {which} {name}" for name in called[2:])
        voice.tell(first + rest, *(("on", *pair) for pair in pairwise(tower)), ("ontable", tower[-1]))
        told.append(f"{first}{rest}, and {voice.say('clear', tower[0])}")
    return _with_arm(voice, told)


def _up(voice: Voice) -> list[str]:
    """Each tower from the table to its top."""
    manner = voice.rng.choice(("there", "verbs"))
    told = []
    for tower in _towers(voice):
        called = [voice.call(name) for name in reversed(tower)]
        if manner == "there":
            lower = ["the table", *called]
            steps = [f"on {below} there is {above}" for below, above in zip(lower, called, strict=False)]
            facts = [("ontable", tower[-1]), *(("on", *pair) for pair in reversed(list(pairwise(tower))))]
            told.append(voice.tell(f"{', '.join(steps)} with nothing on it", *facts, ("clear", tower[0])))
        else:
            steps = [f"{above} stands on {below}" for below, above in pairwise(called)]
            for step, pair in zip(steps, reversed(list(pairwise(tower))), strict=True):
                voice.tell(step, ("on", *pair))
            told.append(", ".join([voice.say("ontable", tower[-1]), *steps, voice.say("clear", tower[0])]))
    return _with_arm(voice, told)


def _stacks(voice: Voice) -> list[str]:
    """Each tower as a list from its top to its foot."""
    noun = voice.rng.choice(("stack", "tower", "pile", "column"))
    towers = _towers(voice)
    told = []
    for number, tower in enumerate(towers, 1):
        listed = f"consists of {voice.plain(tower)}" if len(tower) > 1 else f"is just {voice.call(tower[0])}"
        told.append(voice.tell(f"{noun} {number} {listed}", *(("on", *pair) for pair in pairwise(tower))))
    if len(towers) > 1:
        told.append(f"every {noun} stands on the table and nothing is on its top block")
    else:
        told.append(f"the {noun} stands on the table and nothing is on its top block")
    return [*told, _arm(voice)]
