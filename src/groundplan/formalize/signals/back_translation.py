"""Back-translation: the PDDL put into plain words by a model that does not see the text, and held against the text by
one that does not see the PDDL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.formalize.signals import questions
from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.replies import Item, is_quoted, items_in, texts_in
from groundplan.formalize.signals.words import listed
from groundplan.formalize.specification import Signal
from groundplan.pddl.write import write_domain, write_problem

NAME = "back-translation"
MOST_FACTS = 400
MOST_PDDL = 60_000
PARTS = {"O": "object", "I": "initial", "G": "goal", "A": "action"}
"""The parts of a task, and the letter of their facts."""
_VERDICTS = ("stated", "implied", "contradicted", "absent")
_LOUD = ("initial", "goal")
_SHOWN = {"object": "objects", "initial": "initial facts", "goal": "goal facts", "action": "facts about actions"}


@dataclass(frozen=True, slots=True)
class Told:
    """A fact of the PDDL in plain words; `label` is its letter and number."""

    label: str
    sentence: str

    @property
    def part(self) -> str:
        return PARTS[self.label[0]]


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact that text and PDDL do not share: "contradicted" by the text, "absent" from it, or "missing" in the PDDL.

    `words` are those of the text that say so.
    """

    kind: str
    part: str
    sentence: str
    words: str = ""


def find_lost_in_translation(reading: Reading) -> Iterator[Signal]:
    """Facts of the goal and the start that the text contradicts, or that only the text has. The rest is info."""
    pddl = len(write_domain(reading.task.domain)) + len(write_problem(reading.task.problem))
    if not reading.readable or pddl > MOST_PDDL:
        yield Signal(NAME, "info", "not asked: there is no text, or text or task are too long")
        return
    told = facts_told(reading.ask(questions.facts_of(reading.task)))
    if not told:
        yield Signal(NAME, "info", "not decided: the model's reply holds no list of facts")
        return
    if len(told) > MOST_FACTS:
        yield Signal(NAME, "info", f"not decided: {len(told)} facts are too many to compare")
        return
    reply = reading.ask(questions.comparison(reading.text, [(fact.label, fact.sentence) for fact in told]))
    verdicts = _verdicts(reply, told)
    missing = _missing(reply)
    if not verdicts and not missing:
        yield Signal(NAME, "info", "not decided: the model's reply holds no verdicts on the facts")
        return
    judged = [(fact, *verdicts[fact.label]) for fact in told if fact.label in verdicts]
    found = [Finding(kind, fact.part, fact.sentence, words) for fact, kind, words in judged]
    found = [finding for finding in found if finding.kind in ("contradicted", "absent")] + missing
    yield from _signals(reading, found)
    counts = Counter(kind for _, kind, _ in judged)
    summary = ", ".join(f"{counts[kind]} {kind}" for kind in _VERDICTS)
    message = f"{len(told)} facts told from the PDDL: {summary}, {len(told) - len(judged)} without a verdict"
    yield Signal(NAME, "info", f"{message}; {len(missing)} of the text are missing")


def facts_told(reply: str) -> list[Told]:
    """The facts of the first reply; of several versions the last one. Empty where there is none."""
    versions = items_in(reply, "initial", "goal")
    if not versions:
        return []
    last = versions[-1]
    objects = [
        f"{item['name']} is an object of kind {item.get('kind', 'object')}" for item in _items(last, "objects", "name")
    ]
    actions = [
        f"{action['name']} {verb}: {sentence}"
        for action in _items(last, "actions", "name")
        for key, verb in (("needs", "needs"), ("changes", "changes"))
        for sentence in texts_in(action.get(key, []))
    ]
    sentences = {"O": objects, "I": texts_in(last["initial"]), "G": texts_in(last["goal"]), "A": actions}
    return [
        Told(f"{letter}{number}", sentence)
        for letter, found in sentences.items()
        for number, sentence in enumerate(dict.fromkeys(found), start=1)
    ]


def _items(version: Item, key: str, name: str) -> list[Item]:
    values = version.get(key)
    return [item for item in values if isinstance(item, dict) and name in item] if isinstance(values, list) else []


def _verdicts(reply: str, told: Sequence[Told]) -> dict[str, tuple[str, str]]:
    """Verdict and words of the text by label; verdicts on facts that nobody told, and unknown ones, are left out."""
    labels = {fact.label for fact in told}
    found = {}
    for item in items_in(reply, "fact", "verdict"):
        label, kind = str(item["fact"]).strip().upper().split(":")[0], str(item["verdict"]).strip().lower()
        if label in labels and kind in _VERDICTS:
            found[label] = kind, " ".join(texts_in(item.get("words", "")))
    return found


def _missing(reply: str) -> list[Finding]:
    return [
        Finding("missing", part, sentence, " ".join(texts_in(item.get("words", ""))))
        for item in items_in(reply, "part", "sentence")
        if (part := str(item["part"]).strip().lower()) in _SHOWN and (sentence := " ".join(texts_in(item["sentence"])))
    ]


def _signals(reading: Reading, found: Sequence[Finding]) -> Iterator[Signal]:
    """One signal for the findings of each kind and part. Without words of the text behind it, none is a warning."""
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in found:
        is_loud = finding.kind != "absent" and finding.part in _LOUD and is_quoted(finding.words, reading.text)
        groups.setdefault(("warning" if is_loud else "info", finding.kind, finding.part), []).append(finding)
    for (severity, kind, part), findings in groups.items():
        shown = listed([f'"{finding.sentence[:120]}"' for finding in findings], 4)
        facts = _SHOWN[part]
        message = {
            "contradicted": f"by the words of a model, the text contradicts {facts} of the PDDL: {shown}",
            "missing": f"by the words of a model, {facts} of the text are missing in the PDDL: {shown}",
            "absent": f"by the words of a model, the text does not have these {facts} of the PDDL: {shown}",
        }[kind]
        words = [finding.words for finding in findings if finding.words]
        yield Signal(NAME, severity, message, evidence([*words, *(finding.sentence for finding in findings)]))
