"""Words for tasks of logistics."""

from __future__ import annotations

from groundplan.train.texts.scene import Fact
from groundplan.train.texts.telling import Manner, Voice

PHRASES: dict[str, tuple[str, ...]] = {
    "airport": (
        "{0} has an airport",
        "{0} serves as an airport",
        "planes can land at {0}",
        "there is an airport at {0}",
        "{0} is one of the airports",
        "{0} works as airport",
        "airplanes may use {0}",
        "{0} has a runway",
        "{0} is an airfield",
    ),
    "airport/all": (
        "{0} are airports",
        "planes can land at {0}",
        "there are airports at {0}",
        "airplanes may use {0}",
        "{0} serve as airports",
        "the airports are {0}",
    ),
    "in-city": (
        "{0} belongs to {1}",
        "{0} is part of {1}",
        "{0} lies in {1}",
        "{0} is a place in {1}",
        "{0} lies within the city {1}",
        "{1} includes {0}",
        "{0} is located in the city of {1}",
        "{0} is found in {1}",
        "{0} is one of the places of {1}",
        "{1} is the city of {0}",
        "{0} is inside {1}",
        "the city {1} has {0}",
    ),
    "in-city/all": (
        "{0} belong to {1}",
        "{0} are part of {1}",
        "{0} lie in {1}",
        "{1} includes {0}",
        "the city {1} has the places {0}",
        "{0} are in the city {1}",
        "the locations of {1} are {0}",
    ),
    "at/package": (
        "{0} waits at {1}",
        "{0} is stored at {1}",
        "{0} is currently at {1}",
        "{0} can be picked up at {1}",
        "{0} lies at {1}",
        "{0} was left at {1}",
        "{1} is where {0} is",
        "{0} is located at {1}",
        "{1} holds {0}",
        "{0} starts at {1}",
        "at {1} there is {0}",
        "{0} sits in {1}",
    ),
    "at/truck": (
        "{0} is parked at {1}",
        "{0} stands at {1}",
        "{0} waits at {1}",
        "{0} is currently at {1}",
        "{0} is located at {1}",
        "{0} starts at {1}",
        "the truck {0} is at {1}",
        "at {1} there is {0}",
        "{1} is where {0} stands",
        "{0} can be found at {1}",
    ),
    "at/airplane": (
        "{0} is parked at {1}",
        "{0} has landed at {1}",
        "{0} waits at {1}",
        "{0} is currently at {1}",
        "{0} is located at {1}",
        "{0} starts at {1}",
        "the airplane {0} is at {1}",
        "at {1} there is {0}",
        "{0} stands at {1}",
        "{0} can be found at {1}",
    ),
    "in": (
        "{0} is loaded in {1}",
        "{0} is already inside {1}",
        "{1} carries {0}",
        "{0} has been put into {1}",
        "{1} has {0} on board",
        "{0} is aboard {1}",
    ),
    "airport/terse": ("airport {0}", "{0} airport", "{0}: airport", "{0} (airport)",
        "runway at {0}", "planes land: {0}"),
    "in-city/terse": ("{0} in {1}", "{0} of {1}", "{0} belongs {1}", "{1} has {0}", "{0} within {1}", "{1}: {0}"),
    "at/terse": ("{0} at {1}", "{0} @ {1}", "{0} in {1}", "{0} there: {1}", "{0} waiting {1}", "{0} now {1}"),
    "in/terse": ("{0} in {1}", "{0} inside {1}", "{0} loaded in {1}", "{1} carrying {0}",
        "{0} aboard {1}", "{1} with {0}"),
    "that": (
        "{0} has reached {1}",
        "{0} is stored at {1}",
        "{0} waits at {1}",
        "{0} has been delivered to {1}",
        "{0} lies at {1}",
        "{0} is located at {1}",
        "{0} has arrived at {1}",
        "{0} can be picked up at {1}",
        "{1} has received {0}",
        "{0} is finally at {1}",
    ),
    "do": (
        "deliver {0} to {1}",
        "bring {0} to {1}",
        "take {0} to {1}",
        "ship {0} to {1}",
        "transport {0} to {1}",
        "get {0} to {1}",
        "send {0} to {1}",
        "move {0} to {1}",
        "carry {0} to {1}",
    ),
    "small": ("{0} at {1}", "{0} delivered to {1}", "{0} in {1}", "{0} brought to {1}", "{0} stored at {1}",
        "{0} waiting at {1}"),
    "should": (
        "{0} should be at {1}",
        "{0} must be at {1}",
        "{0} should end up at {1}",
        "{0} has to reach {1}",
        "{0} needs to get to {1}",
        "{0} must arrive at {1}",
        "{1} should have {0}",
        "{0} is to be delivered to {1}",
        "{0} is bound for {1}",
        "{0} belongs at {1}",
    ),
}  # fmt: skip

MANNERS = (
    Manner("plain prose", "random", "running", ("Trucks and airplanes carry packages", "Here is a transport task", "",
        "Some goods have to travel"), ("", "Right now", "At first", "Currently", "To begin with,")),
    Manner("one sentence", "predicates", "one", leads=("Suppose", "Imagine that", "At the start", "Initially,",
        "Given:", "We begin with this:")),
    Manner("short sentences", "predicates", "short", ("This is how things are", "", "A delivery job"),
        ("", "First of all,")),
    Manner("city by city", "cities", "running", ("Let us go through the cities", "Here is the map", ""),
        ("", "Today", "Now")),
    Manner("city by city, short", "cities", "short", ("The network is as follows", "", "Our delivery area"),
        ("", "Here")),
    Manner("map lines", "headings", "lines", leads=("", "Now:", "Setup:", "Network:"), moods=("small", "do", "that"),
        goal_layout="lines"),
    Manner("city list", "city headings", "bullets", leads=("Cities:", "Map:", "What is where:", "The network:"),
        goal_layout="bullets"),
    Manner("bullets", "random", "bullets", leads=("Start:", "START:", "How it is now:", "Facts:", "The situation:",
        "Before:"), goal_layout="bullets"),
    Manner("numbered", "predicates", "numbered", ("", "Task for a dispatcher"), ("Known:", "What holds now:", "State:",
        "These things are true:")),
    Manner("telegraph", "terse", "commas", leads=("", "Now:", "Start:", "Have:", "init:"), moods=("small",),
        goal_layout="commas"),
    Manner("telegraph lower", "terse", "semicolons", leads=("", "at start:", "today:", "report:"),
        moods=("small", "do"), lower=True),
    Manner("goal first", "random", "running", leads=("", "At the moment", "For now,", "As things stand,"),
        goal_first=True),
    Manner("goal first cities", "cities", "semicolons", leads=("", "What we have is this:", "We start from here:"),
        goal_first=True),
    Manner("first person", "predicates", "running", ("I run a small delivery firm", "I send parcels by road and by air",
        "We deliver things, by truck in a city and by plane between cities"), ("", "I know that", "I see that")),
    Manner("second person", "cities", "running", ("You are the dispatcher", "You direct trucks and planes",
        "You plan deliveries"), ("You are told that", "You know this:", "You learn that"),
        moods=("do", "that", "should")),
    Manner("third person", "random", "short", ("A carrier has trucks in every city and planes between them",
        "The postal service has work to do", "Omar manages a fleet"), ("", "When the shift begins,")),
    Manner("lines", "predicates", "lines", leads=("", "The state of the fleet:", "Inventory:"), goal_layout="lines"),
)  # fmt: skip


def clauses(voice: Voice, order: str) -> list[str]:
    """All facts of the start as clauses, in one of the orders."""
    if order == "random":
        return voice.mixed([_said(voice, fact) for fact in _told(voice)])
    if order == "terse":
        said = [voice.say(f"{fact[0]}/terse", *fact[1:]) for fact in _told(voice)]
        return voice.mixed(said) if voice.rng.random() < 0.5 else said
    return {"predicates": _predicates, "cities": _cities, "headings": _headings, "city headings": _city_headings}[
        order
    ](voice)


def goal(voice: Voice, mood: str) -> list[str]:
    """The goal as clauses of one mood; packages for the same place may be told together."""
    facts = list(voice.scene.goal)
    if mood not in ("do", "small") or voice.rng.random() < 0.5:
        return [voice.say(mood, *fact[1:]) for fact in facts]
    targets = dict.fromkeys(fact[2] for fact in facts)
    return [voice.all(mood, [fact[1] for fact in facts if fact[2] == place], place) for place in targets]


def _told(voice: Voice) -> list[Fact]:
    """The facts that are not about what things are."""
    return [fact for fact in voice.scene.init if fact[0] in ("airport", "in-city", "at", "in")]


def _kind(voice: Voice, name: str) -> str:
    if name in voice.scene.names("truck"):
        return "truck"
    return "airplane" if name in voice.scene.names("airplane") else "package"


def _said(voice: Voice, fact: Fact) -> str:
    key = f"at/{_kind(voice, fact[1])}" if fact[0] == "at" else fact[0]
    return voice.say(key, *fact[1:])


def _of_city(voice: Voice) -> dict[str, list[str]]:
    """The places of each city, the cities in a random order."""
    cities = voice.scene.names("city")
    return {
        city: [fact[1] for fact in voice.scene.of("in-city") if fact[2] == city]
        for city in voice.rng.sample(cities, len(cities))
    }


def _things(voice: Voice) -> list[str]:
    """Where packages and vehicles are, kind by kind."""
    facts = [fact for fact in voice.scene.init if fact[0] in ("at", "in")]
    kinds = voice.rng.sample(("truck", "airplane", "package"), 3)
    return [_said(voice, fact) for kind in kinds for fact in facts if _kind(voice, fact[1]) == kind]


def _predicates(voice: Voice) -> list[str]:
    """Facts of one predicate together; the places of a city, and the airports, often as one clause."""
    together = voice.rng.random() < 0.6
    places: list[str] = []
    for city, names in _of_city(voice).items():
        if together and len(names) > 1:
            places.append(voice.all("in-city/all", names, city))
        else:
            places += [voice.say("in-city", name, city) for name in names]
    ports = voice.scene.names("airport")
    many = together and len(ports) > 1
    airports = [voice.all("airport/all", ports)] if many else [voice.say("airport", port) for port in ports]
    groups = voice.rng.sample([places, airports, _things(voice)], 3)
    return [clause for group in groups for clause in group]


def _cities(voice: Voice) -> list[str]:
    """City by city: its places and its airport; then what is where."""
    some = voice.rng.choice((
        "{0} has the places {1}", "{0} includes {1}", "the city {0} consists of {1}", "in {0} there are {1}",
        "{0} is made up of {1}",
    ))  # fmt: skip
    only = voice.rng.choice(("{0} has just {1}", "the only place in {0} is {1}", "{0} has one place, {1}"))
    port = voice.rng.choice(("its airport is {0}", "the airport there is {0}", "planes use {0}", "{0} has the airport"))
    single = voice.rng.choice(("which has an airport", "an airport", "which is its airport", "where planes land"))
    airports = voice.scene.names("airport")
    told = []
    for city, names in _of_city(voice).items():
        listed = voice.both([voice.call(name) for name in names])
        if len(names) == 1:
            told.append(f"{only.format(voice.call(city), listed)}, {single}")
            continue
        told.append(some.format(voice.call(city), listed))
        told += [port.format(voice.call(name)) for name in names if name in airports]
    return [*told, *_things(voice)]


def _headings(voice: Voice) -> list[str]:
    """A heading for each kind of thing, with a list."""
    pick, scene, rng = voice.rng.choice, voice.scene, voice.rng
    apart = pick((" at ", " @ ", ": ", " -> "))
    lines = [f"{voice.call(city)}: {voice.plain(names)}" for city, names in _of_city(voice).items()]
    lines.append(f"{pick(('Airports', 'Planes land at', 'Runways'))}: {voice.plain(scene.names('airport'))}")
    heads = {"truck": "Trucks", "airplane": pick(("Airplanes", "Planes", "Aircraft")), "package": pick(("Packages",
        "Cargo", "Goods"))}  # fmt: skip
    for kind in rng.sample(list(heads), 3):
        here = [fact for fact in scene.of("at") if _kind(voice, fact[1]) == kind]
        said = [f"{voice.call(name)}{apart}{voice.call(place)}" for _, name, place in here]
        if kind == "package":
            said += [f"{voice.call(name)} inside {voice.call(vehicle)}" for _, name, vehicle in scene.of("in")]
        lines.append(f"{heads[kind]}: {', '.join(said)}")
    return lines


def _city_headings(voice: Voice) -> list[str]:
    """A line for each city with its places, and all that is at each place; loaded packages at the end."""
    scene = voice.scene
    mark = voice.rng.choice((" (airport)", " [airport]", " with airport", ", the airport,"))
    has = voice.rng.choice((" with ", " holding ", " where we find "))
    told = []
    for city, names in _of_city(voice).items():
        places = []
        for name in names:
            here = [voice.call(fact[1]) for fact in scene.of("at") if fact[2] == name]
            port = mark if name in scene.names("airport") else ""
            places.append(f"{voice.call(name)}{port}" + (f"{has}{voice.both(here)}" if here else ""))
        told.append(f"{voice.call(city)}: {'; '.join(places)}")
    return [*told, *(voice.say("in", *fact[1:]) for fact in scene.of("in"))]
