"""Number coverage: how many things a text counts or names, and how many objects the task has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.counts import Count, counts_in, parts_in
from groundplan.formalize.signals.naming import Family
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.words import is_plural, listed, pieces, singular
from groundplan.formalize.specification import Signal

_NAME = "number-coverage"


def find_wrong_numbers(reading: Reading) -> Iterator[Signal]:
    """Too few objects of a kind that the text counts, or clearly too many; silent about nouns the task lacks."""
    if not reading.readable:
        return
    labels = frozenset(i for mention in reading.mentions for i in range(mention.first, mention.last))
    counts = list(counts_in(reading.tokens, reading.kinds, labels))
    yield from _too_few_by_prefix(reading, [count for count in counts if not count.noun])
    short = {count.noun for count in counts if count.noun and count.value > len(reading.kinds.members[count.noun])}
    for noun in sorted(short):
        yield _too_few(reading, [count for count in counts if count.noun == noun])
    for noun in sorted({count.noun for count in counts if count.whole} - short - {""}):
        yield from _too_many(reading, noun, [count for count in counts if count.noun == noun])
    yield from _more_than_all(reading, [count for count in counts if not count.noun])
    yield from _too_few_for_names(reading)
    for count, parts in parts_in(reading.tokens, counts, labels):
        if count.noun and count.noun not in short:
            yield from _wrong_spread(reading, count, parts)


def _too_few_by_prefix(reading: Reading, counts: list[Count]) -> Iterator[Signal]:
    """Counts of a noun that only the text has: packages, where "package 1" is known to be p1."""
    families = {f.head: f for f in reading.naming.families.values() if f.sort == "number" and f.objects}
    for count in counts:
        family = families.get(singular(reading.tokens[count.last - 1].low))
        if family is None:
            continue
        prefixes = {pieces(name)[0] for name in family.objects.values()}
        have = sum(pieces(name)[:1] == (prefix,) for name in reading.kinds.objects for prefix in prefixes)
        if count.value > have:
            said = reading.words(count.first, count.last)
            yield Signal(_NAME, "warning", f'the text counts "{said}", but the task has only {have}', (said,))
            return


def _too_few(reading: Reading, counts: list[Count]) -> Signal:
    most = max(counts, key=lambda count: count.value)
    have = len(reading.kinds.members[most.noun])
    said = reading.words(most.first, most.last)
    only = "only " if have else ""
    return Signal(_NAME, "warning", f'the text counts "{said}", but the task has {only}{have or "none"}', (said,))


def _too_many(reading: Reading, noun: str, counts: list[Count]) -> Iterator[Signal]:
    members = reading.kinds.members[noun]
    whole = {count.value for count in counts if count.whole}
    counted = sum(whole) + sum(count.value for count in counts if count.value not in whole)
    named = {
        (name.sort, name.label)
        for place in reading.mentions
        for name in place.names
        if name.head == noun and name.sort != "ordinal"
    }
    if len(members) > max(counted, len(named)) and not _has_more(reading, noun):
        said = [reading.words(count.first, count.last) for count in counts]
        yield Signal(
            _NAME,
            "warning",
            f'the text counts "{said[0]}", but the task has {len(members)}: {listed(sorted(members))}',
            evidence([*said, *sorted(members)]),
        )


def _has_more(reading: Reading, noun: str) -> bool:
    """Whether the text adds single things to what it counts: "another ball", "one more ball", "a third ball"."""
    tokens = reading.tokens
    more = {"another", "more", "additional", "extra", "spare"}
    return any(
        token.is_word
        and not is_plural(token.low)
        and reading.kinds.key(token.low) == noun
        and bool(more & {other.low for other in tokens[max(0, i - 3) : i]})
        for i, token in enumerate(tokens)
    )


def _more_than_all(reading: Reading, counts: list[Count]) -> Iterator[Signal]:
    """More things of one noun than the task has objects, where the task knows no kinds at all."""
    have = len(reading.kinds.objects)
    if not reading.kinds.single_sorted or not have:
        return
    for count in counts:
        if count.value > have and (count.whole or count.value <= 4 * have):
            said = reading.words(count.first, count.last)
            yield Signal(_NAME, "warning", f'the text counts "{said}", but the task has only {have} objects', (said,))
            return


def _too_few_for_names(reading: Reading) -> Iterator[Signal]:
    """More distinct names of one kind than objects, where the objects' own names are abstract."""
    for family in reading.naming.families.values():
        if family.aligned or family.sort in ("ordinal", "direction", "identifier"):
            continue
        heads = {name.head for name in family.names.values()}
        kind = next(iter(heads)) if len(heads) == 1 else ""
        pool = reading.kinds.members.get(kind, reading.kinds.objects)
        names = _repeated(reading, family) if family.sort == "colour" else [n.text for n in family.names.values()]
        if len(names) > max(1, len(pool)):
            have = f"{len(pool)} objects" if pool else "no object"
            message = f"the text names {len(names)} things ({listed(names)}), but the task has only {have} for them"
            yield Signal(_NAME, "warning", message, evidence(names))


def _repeated(reading: Reading, family: Family) -> list[str]:
    """The coloured things with the most frequent noun: blocks, of red block, blue block and green light."""
    heads: dict[str, dict[str, str]] = {}
    for mention in reading.mentions:
        for name in mention.names:
            if name.sort == family.sort and name.head:
                heads.setdefault(name.head, {}).setdefault(name.label, name.text)
    return max((list(texts.values()) for texts in heads.values()), key=len, default=[])


def _wrong_spread(reading: Reading, count: Count, parts: tuple[int, ...]) -> Iterator[Signal]:
    """Whether the initial state spreads the things as the text does, over whatever they are related to."""
    members = reading.kinds.members[count.noun]
    groups: dict[tuple[str, int], Counter[str]] = {}
    for atom in reading.task.problem.init:
        if len(atom.terms) == 2:
            for place in (0, 1):
                if atom.terms[place] in members:
                    groups.setdefault((atom.predicate, place), Counter())[atom.terms[1 - place]] += 1
    spreads = [Counter(sizes.values()) for sizes in groups.values() if 2 * sum(sizes.values()) >= count.value]
    wanted = Counter(parts)
    if spreads and not any(wanted <= spread for spread in spreads):
        said = reading.words(count.first, count.last)
        message = f'the text spreads "{said}" as {listed([str(part) for part in parts])}, the initial state does not'
        yield Signal(_NAME, "warning", message, (said,))
