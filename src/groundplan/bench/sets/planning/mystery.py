"""Blocksworld in disguise: a seed renames every predicate, action and object, in the text, the rules and the PDDL.

What is left is the structure alone, as in PlanBench's Mystery Blocksworld; but the words are drawn anew for every task,
so that none can be learnt by heart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from random import Random

from groundplan.pddl.ast import Action, Atom, conjuncts
from groundplan.pddl.read import domain_from_text
from groundplan.train.texts import WrittenTask, blocksworld, domain_text, telling
from groundplan.train.texts.goal_openings import OPENINGS
from groundplan.train.texts.scene import Scene
from groundplan.train.texts.telling import Manner, Voice

QUALITIES = tuple(
    "amber velvet hollow quiet northern woven brittle mellow tidal gilded sober lunar crisp rustic vagrant dormant "
    "plural nimble opaque solemn".split()
)
RELATIONS = tuple(
    "mirrors owes outranks answers predates follows echoes shadows cites rivals envies trusts resembles excuses".split()
)
SEASONS = tuple("recess curfew ebb truce overture interlude dusk drought encore solstice sabbath amnesty".split())
VERBS = tuple(
    "glim tarn vesk orble plim drace quell murn sorb twine fettle brall knurl loft parse gleek hurst wend".split()
)
_KINDS = ("object", "item", "thing", "unit", "token")
_NONSENSE = tuple(
    "zim rok tal vup kesh dwo fip yarl nub gat hesk ilp joth mez olt prue sab wick xan ulm brin cors".split()
)
_PREDICATES = {"on": RELATIONS, "ontable": QUALITIES, "clear": QUALITIES, "holding": QUALITIES, "handempty": SEASONS}
_ACTIONS = ("pick-up", "put-down", "stack", "unstack")
_STATE = ("", "At first", "To begin with,", "Currently", "For now,", "As things stand,")
_HEADS = ("", "Given:", "Known:", "Facts:", "Start:", "What holds now:", "The situation:")
_MANNERS = tuple(
    Manner(name, "random", layout, leads=leads, moods=("that",), goal_first=first, goal_layout=goal)
    for name, layout, leads, first, goal in (
        ("prose", "running", _STATE, False, "sentence"),
        ("one sentence", "one", _STATE, False, "sentence"),
        ("short sentences", "short", _STATE, False, "sentence"),
        ("semicolons", "semicolons", _STATE, False, "sentence"),
        ("commas", "commas", _HEADS, False, "commas"),
        ("bullets", "bullets", _HEADS, False, "bullets"),
        ("numbered", "numbered", _HEADS, False, "sentence"),
        ("lines", "lines", _HEADS, False, "lines"),
        ("goal first", "running", _STATE, True, "sentence"),
    )
)


def mystery_task(seed: int, size: tuple[int, int] | None = None) -> tuple[WrittenTask, str, dict[str, str]]:
    """The task of a seed, its rules in words, and English patterns for its actions.

    `size` is the least and the most number of objects. Raises ValueError where it is out of bounds.
    """
    low, high = size or blocksworld.SIZE
    least, most = blocksworld.BOUNDS
    if not least <= low <= high <= most:
        raise ValueError(f"size ({low}, {high}) of a mystery task: give two numbers from {least} to {most}, in order")
    rng = Random(f"mystery {seed} {low} {high}")
    words = _words(rng)
    plain = blocksworld.scene(rng, (low, high))
    scene = _disguised(rng, plain, words)
    manner = rng.choice(_MANNERS)
    voice = Voice(rng, scene, {**_phrases(words), **OPENINGS})
    start = telling.start_text(voice, manner, "", voice.mixed([voice.say(*fact) for fact in scene.init]))
    goal = telling.goal_text(voice, manner, OPENINGS, partial(_goal, voice))
    pddl = _renamed(domain_text("blocksworld"), words)
    name = f"mystery-{seed}"
    written = WrittenTask(
        name=name,
        domain="mystery",
        domain_pddl=pddl,
        text=telling.whole(manner, start, goal),
        problem=scene.pddl(name),
        wording=manner.name,
    )
    return written, _rules(pddl, words), {words[name]: _pattern(words[name], name) for name in _ACTIONS}


def _words(rng: Random) -> dict[str, str]:
    """A new word for each predicate and action, none twice."""
    words: dict[str, str] = {"blocksworld": "mystery"}
    for name, pool in _PREDICATES.items():
        words[name] = rng.choice([word for word in pool if word not in words.values()])
    words.update(zip(_ACTIONS, rng.sample(VERBS, len(_ACTIONS)), strict=True))
    return words


def _disguised(rng: Random, plain: Scene, words: Mapping[str, str]) -> Scene:
    count = len(plain.objects)
    kind = rng.choice((*_KINDS, ""))
    if kind:
        ends = rng.choice((list("abcdefghijklmnopqr"), [str(number) for number in range(1, 19)]))[:count]
        calls = {f"{kind}_{end}": f"{kind} {end}" for end in ends}
    else:
        calls = {name: name for name in rng.sample(_NONSENSE, count)}
    names = dict(zip(plain.objects, rng.sample(list(calls), count), strict=True))
    init, goal = (
        tuple((words[fact[0]], *(names[arg] for arg in fact[1:])) for fact in facts)
        for facts in (plain.init, plain.goal)
    )
    return Scene("mystery", calls, tuple(rng.sample(init, len(init))), goal)


def _phrases(words: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {
        words[name]: (f"{{0}} is {words[name]}",) for name in ("ontable", "clear", "holding")
    }
    found[words["on"]] = (f"{{0}} {words['on']} {{1}}",)
    found[words["handempty"]] = (f"there is {_article(words['handempty'])}",)
    return found


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _goal(voice: Voice, _mood: str) -> list[str]:
    return [voice.say(*fact) for fact in voice.scene.goal]


def _renamed(pddl: str, words: Mapping[str, str]) -> str:
    plain = re.sub(r";[^\n]*\n", "", pddl)
    return re.sub(r"(?<![\w?:-])[a-z][\w-]*", lambda found: words.get(found[0], found[0]), plain)


def _pattern(word: str, name: str) -> str:
    return f"{word} {{}}" if name in ("pick-up", "put-down") else f"{word} {{}} with {{}}"


def _rules(pddl: str, words: Mapping[str, str]) -> str:
    """The action schemas, sentence by sentence, in the words of the text."""
    phrases = {name: told[0] for name, told in _phrases(words).items()}
    lines = ["There are objects, and four actions that change what is true of them."]
    lines += [_rule(action, phrases) for action in domain_from_text(pddl).actions]
    return "\n".join(lines)


def _rule(action: Action, phrases: Mapping[str, str]) -> str:
    names = {item.name: called for item, called in zip(action.parameters, ("X", "Y"), strict=False)}

    def told(atom: Atom) -> str:
        return phrases[atom.predicate].format(*(names[term] for term in atom.terms))

    before = [told(part) for part in conjuncts(action.precondition) if isinstance(part, Atom)]
    gained = [told(effect.atom) for effect in action.effects if effect.positive]
    lost = [told(effect.atom) for effect in action.effects if not effect.positive]
    return (
        f"{action.name.capitalize()} {' with '.join(names.values())}: possible only when it is true that "
        f"{_joined(before)}. Afterwards it is true that {_joined(gained)}, and no longer true that {_joined(lost)}."
    )


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
