"""What statements of a text relate, describe or speak of, and a set of atoms does not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from groundplan.formalize.signals.formulas import Spoken, spoken_of_facts
from groundplan.formalize.signals.reading import Place, Reading
from groundplan.formalize.signals.relations import Group, Statement
from groundplan.formalize.signals.words import FUNCTION_WORDS, glue, is_plural, pieces, singular

_EXCEPT = frozenset("except but besides other than others excluding apart".split())
_STANDS = frozenset("stands waits sits starts begins rests".split())
_ARTICLES = frozenset("the a an".split())
_STATES = frozenset("is are was were be should must has have ends stands returns stays".split())


@dataclass(frozen=True, slots=True)
class Missing:
    """A piece of the text that the atoms do not cover, and the objects or predicates that were looked for."""

    words: str
    names: tuple[str, ...]


def missing_objects(reading: Reading, statements: Iterable[Statement], spoken: Spoken) -> list[Missing]:
    """Objects that the statements speak of and the atoms do not."""
    found: dict[str, Missing] = {}
    for statement in statements:
        if statement.words & {"or", "either"}:
            continue
        for place in (
            *demanded(reading, statement.subject, statement),
            *demanded(reading, statement.object, statement),
        ):
            for name in place.objects:
                if name not in spoken.objects:
                    words = reading.words(place.first, place.last)
                    several = len(place.objects) > 1
                    found.setdefault(name, Missing(f"{name} ({words})" if several else words, (name,)))
    return list(found.values())


def missing_relations(
    reading: Reading, statements: Iterable[Statement], spoken: Spoken, *, loosely: bool
) -> list[Missing]:
    """Statements about two objects of which no atom speaks together.

    `loosely`: objects that the initial state relates may stand for each other ("in city 2", for a place in city 2).
    """
    static = [atom for atom in reading.task.problem.init if atom.predicate not in reading.task.domain.fluents]
    linked = spoken_of_facts(tuple(static) if loosely else ())
    found: dict[str, list[str]] = {}
    for statement in statements:
        if statement.vague:
            continue
        for one, other in _pairs(reading, statement):
            if one == other or spoken.together(one, other):
                continue
            ways = ((one, other), (other, one))
            if not any(spoken.together(a, middle) for a, b in ways for middle in linked.partners(b) if middle != a):
                found.setdefault(reading.words(statement.subject[0].first, statement.last), []).extend((one, other))
    return [Missing(words, tuple(dict.fromkeys(names))) for words, names in found.items()]


def missing_properties(reading: Reading, statements: Iterable[Statement], spoken: Spoken) -> list[Missing]:
    """Statements such as "b1 is clear" without an atom `(clear b1)`, where the domain has the predicate `clear`."""
    have: dict[str, set[str]] = {}
    for atom in spoken.atoms:
        have.setdefault(atom.predicate, set()).update(atom.terms)
    found = []
    for statement in statements:
        predicate = property_of(reading, statement)
        if predicate is None:
            continue
        terms = have.get(predicate, set())
        names = [name for place in statement.subject if place.sort == "name" for name in place.objects]
        names = [name for name in names if name not in terms and not any(term[0] == "?" for term in terms)]
        if names:
            found.append(Missing(reading.words(statement.subject[0].first, statement.last), (predicate, *names)))
    return found


def property_of(reading: Reading, statement: Statement) -> str | None:
    """The unary predicate that a statement about a thing names: `clear`, or `on-table` for "is on the table"."""
    if statement.object or statement.vague or statement.negative:
        return None
    unary = reading.unary_predicates
    tokens = reading.tokens
    before = [token.low for token in tokens[statement.first : statement.subject[0].first]]
    after = [token.low for token in tokens[statement.subject[-1].last : statement.last]]
    rest = [word for word in after if word not in _STATES and word not in _ARTICLES]
    if set(after) & _STATES and not statement.headless:
        phrase = glue(tuple(piece for word in rest for piece in pieces(word)))
        words = [phrase, *(word for word in rest if word not in FUNCTION_WORDS)]
    else:
        words = [word for word in before if word not in _STATES and word not in FUNCTION_WORDS]
        words = words[-1:] if not rest and (statement.headless or len(words) == len(before)) else []
    return next((unary[word] for word in words if word in unary), None)


def missing_subjects(reading: Reading, first: int, last: int, predicates: Collection[str]) -> Iterator[Missing]:
    """Subjects that are no objects but stand in the domain's predicates ("the robot" in `robot-at`), and in no atom."""
    inside = {i for place in reading.places for i in range(place.first, place.last) if first <= i < last}
    for i in range(first + 1, last - 1):
        word = reading.tokens[i].low
        if i in inside or len(word) < 3 or not word.isalpha() or word in FUNCTION_WORDS or is_plural(word):
            continue
        if reading.tokens[i - 1].low not in ("the", "its", "his", "her", "my", "your", "their", "our", ",", "and"):
            continue
        if reading.tokens[i + 1].low not in _STATES or _is_negative(reading, i, last):
            continue
        noun = singular(word)
        about = sorted(name for name in reading.task.domain.fluents if _is_about(name, noun))
        if about and not set(about) & set(predicates):
            yield Missing(f"{reading.tokens[i - 1].text} {word}".lstrip(", "), tuple(about))


def missing_headless(reading: Reading, statements: Iterable[Statement], spoken: Spoken) -> list[Missing]:
    """Statements whose subject stands in a predicate only: "the robot is in the kitchen", for `(robot-at kitchen)`."""
    found = []
    for statement in statements:
        if not statement.headless or statement.vague or [place.sort for place in statement.subject] != ["name"]:
            continue
        words = [token.low for token in reading.tokens[statement.first : statement.subject[0].first]]
        verb = next((k for k, word in enumerate(words) if word in _STATES or word in _STANDS), 0)
        noun = singular(words[verb - 1]) if verb else ""
        if len(noun) < 3 or noun in FUNCTION_WORDS:
            continue
        about = [name for name in reading.task.domain.fluents if _is_about(name, noun)]
        arities = [reading.task.domain.predicate_by_name[name].arity for name in about]
        names = statement.subject[0].objects
        if 1 not in arities or len(names) != 1:
            continue
        if not any(atom.predicate in about and names[0] in atom.terms for atom in spoken.atoms):
            said = reading.words(statement.first, statement.last)
            found.append(Missing(said, (*sorted(about), names[0])))
    return found


def demanded(reading: Reading, group: Group, statement: Statement) -> Iterator[Place]:
    """The places of a group that speak of certain objects, each one of them."""
    for place in group:
        if place.sort == "some" and group is not statement.subject:
            continue
        if place.sort == "all" and statement.words & _EXCEPT:
            continue
        if place.sort == "plural":
            after = reading.tokens[place.last].low if place.last < len(reading.tokens) else ""
            if after not in _STATES or group is not statement.subject or statement.words & _EXCEPT:
                continue
        yield place


def _pairs(reading: Reading, statement: Statement) -> Iterator[tuple[str, str]]:
    """All pairs of subject and object; none where both are several, as it is then open which go together."""
    subjects = [name for place in demanded(reading, statement.subject, statement) for name in place.objects]
    objects = [name for place in demanded(reading, statement.object, statement) for name in place.objects]
    if set(objects) <= set(subjects):
        return  # "the rooms are A and B" says what there is
    if len(objects) == 1 or len(subjects) == 1:
        for one in subjects:
            for other in objects:
                yield one, other


def _is_about(predicate: str, noun: str) -> bool:
    """Whether a predicate's name has a noun in it: `robot-at`, `at-robot`, `handempty` for hand."""
    parts = pieces(predicate)
    return noun in parts or (len(parts) == 1 and (parts[0].startswith(noun) or parts[0].endswith(noun)))


def _is_negative(reading: Reading, i: int, last: int) -> bool:
    ahead = {token.low for token in reading.tokens[i : min(last, i + 6)]}
    return bool(ahead & {"not", "no", "never", "nothing", "anywhere"})
