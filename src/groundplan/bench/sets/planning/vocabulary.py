"""How the actions and objects of a task may be written in a reply: PDDL's names, near spellings, English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from groundplan.pddl.ast import Action, Atom, Step, Task, conjuncts
from groundplan.pddl.compare.objects import words_of

_ARTICLES = frozenset({"the", "a", "an"})


def letters(name: str) -> str:
    """A name without its separators and cases: `pick-up`, `Pick_Up` and `pickup` are one."""
    return "".join(words_of(name))


@dataclass(frozen=True)
class Vocabulary:
    """The words for a task's steps.

    `actions` has English patterns by action ("stack the {} on top of the {}"), one {} for each parameter in order;
    `phrases` what objects are called ("red block"), `others` further names of objects (PlanBench's letters).
    """

    task: Task
    actions: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)

    def in_words(self, step: Step) -> str:
        """The step in English; where its action has no words, in PDDL's notation."""
        pattern = self.actions.get(step.action)
        if pattern is None or pattern.count("{}") != len(step.args):
            return str(step)
        return pattern.format(*(self.phrases.get(name, name) for name in step.args))

    def step(self, action: str, args: Sequence[str]) -> Step:
        """The step that PDDL-like words mean; names that are not known stay as they are."""
        name = self._action_names.get(letters(action), action.lower())
        return Step(name, tuple(self.object_of(word) or word.lower() for word in args))

    def is_action(self, word: str) -> bool:
        return letters(word) in self._action_names

    def object_of(self, word: str) -> str | None:
        """The object of which `word` is the whole name."""
        low = word.lower()
        if low in self._names:
            return low
        return self.others.get(low) or self._near.get(letters(low))

    def mentioned(self, text: str) -> list[str]:
        """The objects that a piece of English names, in order, one for each mention."""
        return [self._objects_at[found.lastgroup or ""] for found in self._mention.finditer(text)]

    def lead(self, text: str) -> tuple[list[Action], str] | None:
        """The actions with whose words the text starts, and what follows; None where it starts with none."""
        for start, actions in self._leads:
            found = start.match(text)
            if found:
                return actions, text[found.end() :]
        return None

    def fitting(self, actions: Sequence[Action], args: Sequence[str]) -> Step:
        """Of actions with the same words, the one whose static preconditions hold of the objects."""
        able = [action for action in actions if len(action.parameters) == len(args)]
        found = next((action for action in able if self._statics_hold(action, args)), (*able, *actions)[0])
        return Step(found.name, tuple(args))

    def _statics_hold(self, action: Action, args: Sequence[str]) -> bool:
        names = {item.name: arg for item, arg in zip(action.parameters, args, strict=True)}
        return all(
            (part.predicate, *(names.get(term, term) for term in part.terms)) in self._init
            for part in conjuncts(action.precondition)
            if isinstance(part, Atom) and part.predicate not in self.task.domain.fluents and part.predicate != "="
        )

    @cached_property
    def _init(self) -> frozenset[tuple[str, ...]]:
        return frozenset((atom.predicate, *atom.terms) for atom in self.task.problem.init)

    @cached_property
    def _action_names(self) -> dict[str, str]:
        return {letters(action.name): action.name for action in self.task.domain.actions}

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(item.name for item in self.task.objects)

    @cached_property
    def _near(self) -> dict[str, str]:
        near: dict[str, str] = {}
        for name in (*self._names, *self.phrases):
            for spelled in (name, self.phrases.get(name, name)):
                near.setdefault(letters(spelled), name)
        return near

    @cached_property
    def _leads(self) -> list[tuple[re.Pattern[str], list[Action]]]:
        """The first words of each action's English, and its name's words; the longest first."""
        found: dict[tuple[str, ...], list[Action]] = {}
        for action in self.task.domain.actions:
            for start in (self.actions.get(action.name, "").split("{")[0], action.name):
                words = tuple(word for word in re.split(r"[\s_-]+", start.lower()) if word and word not in _ARTICLES)
                if words and action not in found.setdefault(words, []):
                    found[words].append(action)
        ordered = sorted(found.items(), key=lambda item: -sum(map(len, item[0])))
        return [(_lead_pattern(words), actions) for words, actions in ordered]

    @cached_property
    def _patterns(self) -> list[tuple[str, str]]:
        """Regular expressions for mentions, exact ones before near ones, longer before shorter."""
        exact, near = [], []
        for name in self._names:
            exact.append((re.escape(name), name))
            phrase = self.phrases.get(name, name)
            exact.append((r"[\s_-]+".join(map(re.escape, phrase.lower().split())), name))
            near.append((_near_pattern(name), name))
        exact.sort(key=lambda item: (-len(item[0]), item))
        return exact + sorted(near, key=lambda item: (-len(item[0]), item))

    @cached_property
    def _objects_at(self) -> dict[str, str]:
        return {f"n{number}": name for number, (_, name) in enumerate(self._patterns)}

    @cached_property
    def _mention(self) -> re.Pattern[str]:
        parts = (f"(?P<n{number}>{pattern})" for number, (pattern, _) in enumerate(self._patterns))
        return re.compile(rf"(?<![\w-])(?:{'|'.join(parts) or '(?!)'})(?![\w-])", re.IGNORECASE)


def _lead_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """The words, joined or apart ("pick up", `pick-up`, "pickup"), with articles between them."""
    return re.compile(r"(?:[\s_-]+(?:the|an?)\s+|[\s_-]*)".join(map(re.escape, words)) + r"(?![\w-])", re.IGNORECASE)


def _near_pattern(name: str) -> str:
    """`ball3` also as "ball 3", `b3` as "block 3": the words of a name apart, the first one perhaps cut short."""
    words = list(_spelled(name))
    joined = r"[\s_-]*".join(map(re.escape, words))
    if len(words) > 1 and words[0].isalpha() and any(word.isdecimal() for word in words[1:]):
        return re.escape(words[0]) + r"[a-z]*[\s_-]*" + r"[\s_-]*".join(map(re.escape, words[1:]))
    return joined


def _spelled(name: str) -> Iterator[str]:
    yield from re.findall(r"[^\W\d_]+|\d+", name)
