"""What a model answered: an operator over objects, "no operator", effects in order; or a fault that it can be told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.adapt.operator import Literal
from groundplan.adapt.planning.lifting import ground_operator
from groundplan.adapt.planning.pddl_text import effects_in, operators_in
from groundplan.adapt.planning.states import fact_of, text_of
from groundplan.errors import InputError
from groundplan.models.reply_text import Block, fenced_blocks, json_strings, json_values, thinking_blanked
from groundplan.pddl.ast import TRUE, Action, Task
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, did_you_mean, listing
from groundplan.pddl.plan import read_plan
from groundplan.pddl.source import Source, Span
from groundplan.pddl.tokens import Tokens

NO_OPERATOR = "no-operator"
_NONE = re.compile(r"\bno[\s_-]+(?:new[\s_-]+)?operator\b", re.IGNORECASE)
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_MARK = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.):])[ \t]+", re.MULTILINE)
_KEYWORD = re.compile(r"\A\s*(?::effects?|effects?\s*:)(?=[\s(])", re.IGNORECASE)
_MOST_OBJECTS = 12


@dataclass(frozen=True, slots=True)
class ReadStep:
    """The answer to the first question: a name with objects, nothing (`is_none`), or a fault."""

    name: str = ""
    objects: tuple[str, ...] = ()
    is_none: bool = False
    fault: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class ReadEffects:
    """The answer to the second question: effects in order, or faults."""

    effects: tuple[Literal, ...] = ()
    faults: tuple[Diagnostic, ...] = ()


def step_in(reply: str, task: Task, cut_off: bool = False) -> ReadStep:
    """The operator that a reply names over objects of the task: `(open-drawer drawer1 gripper1)`, in a fenced block or
    anywhere; a JSON object with `operator` and `objects` will do. The last one counts."""
    text = thinking_blanked(reply)
    if not text.strip():
        return ReadStep(fault=_fault("reply-empty", "the reply is empty", "answer with one line in a fenced block"))
    found = _from_json(text, task) or _from_blocks(text, task) or _from_prose(text, task)
    if found is not None:
        return found
    why = "it was cut off at the length limit" if cut_off else "it names none"
    return ReadStep(
        fault=_fault(
            "reply-without-operator",
            f"no operator was found in the reply: {why}",
            f"write one line `(name object ...)`, or `({NO_OPERATOR})`, in a fenced block at the end",
        )
    )


def _from_blocks(text: str, task: Task) -> ReadStep | None:
    for block in reversed(fenced_blocks(text)):
        if _NONE.search(block.text) and ":action" not in block.text.lower():
            return ReadStep(is_none=True)
        found = _from_action(block.text, task)
        if found is not None:
            return found
        read = read_plan(Source(block.text, "reply"))
        if read.is_readable and len(read.words) == 1:
            return _checked(read.words[0], task)
        if read.is_readable and len(read.words) > 1:
            message = f"{len(read.words)} steps stand in the block, one is wanted"
            return ReadStep(fault=_fault("reply-several-operators", message, "name the one operator that is missing"))
    return None


def _from_action(text: str, task: Task) -> ReadStep | None:
    """An operator with variables where one over objects is wanted; one without parameters names its objects nowhere."""
    if not operators_in(Source(text, "reply"), task.domain):
        return None
    return ReadStep(
        fault=_fault(
            "reply-not-grounded",
            "the reply gives an operator with variables",
            "name objects of the problem: `(name object ...)`; the general form is worked out from that",
        )
    )


def _from_json(text: str, task: Task) -> ReadStep | None:
    for value in reversed(list(json_values(text))):
        if not isinstance(value, dict):
            continue
        name = next((value[key] for key in ("operator", "name", "action") if key in value), "")
        keys = ("objects", "parameters", "args", "arguments")
        objects: object = next((value[key] for key in keys if key in value), [])
        if name is None or (isinstance(name, str) and _NONE.search(name)):
            return ReadStep(is_none=True)
        if not isinstance(name, str) or not name.strip():
            continue
        if name.strip().startswith("("):
            return _from_prose(name, task)
        words = (
            list(json_strings(objects)) if not isinstance(objects, dict) else [str(item) for item in objects.values()]
        )
        return _checked([name.lower().strip(), *(word.lower().strip() for word in words)], task)
    return None


def _from_prose(text: str, task: Task) -> ReadStep | None:
    """The last `(name object ...)` whose words but the first are objects; predicates and known operators are no names.

    Where there is none, the words "no operator" count.
    """
    objects = {item.name for item in task.objects}
    taken = {*task.domain.predicate_by_name, *objects, "and", "not", "or"}
    tokens = Tokens(text)
    found: list[list[str]] = []
    for index in range(tokens.count):
        if tokens.texts[index] != "(":
            continue
        words: list[str] = []
        place = index + 1
        while place < tokens.count and tokens.texts[place] not in ("(", ")") and len(words) <= _MOST_OBJECTS:
            words.append(tokens.texts[place].strip("`'\",."))
            place += 1
        if tokens.text(place) == ")" and words and words[0] not in taken:
            found.append(words)
    for words in reversed(found):
        if words[0] == NO_OPERATOR:
            return ReadStep(is_none=True)
        if len(words) > 1 and objects.issuperset(words[1:]) and _NAME.fullmatch(words[0]):
            return _checked(words, task)
    return ReadStep(is_none=True) if _NONE.search(text) else None


def _checked(words: Sequence[str], task: Task) -> ReadStep:
    name, *objects = words
    if _NONE.search(name) or name in ("none", "nothing"):
        return ReadStep(is_none=True)
    fault = _name_fault(name, task) or _object_fault(name, objects, task)
    return ReadStep(fault=fault) if fault else ReadStep(name, tuple(objects))


def _name_fault(name: str, task: Task) -> Diagnostic | None:
    if not _NAME.fullmatch(name):
        return _fault("operator-bad-name", f"`{name}` cannot name an operator", "use letters, digits and hyphens")
    if name in task.domain.action_by_name:
        message = f"`{name}` is an operator that is known already; a new one is wanted"
        return _fault("operator-known", message, f"name what is missing, or answer `({NO_OPERATOR})`")
    return None


def _object_fault(name: str, objects: Sequence[str], task: Task) -> Diagnostic | None:
    known = [item.name for item in task.objects]
    for word in objects:
        if word not in known:
            hint = did_you_mean(word, known) or f"the objects are {listing(known)}"
            return _fault("operator-unknown-object", f"`{word}` in `({name} ...)` is no object of the problem", hint)
    if len(set(objects)) != len(objects):
        return _fault("operator-object-twice", f"`({name} ...)` names an object twice", "name each object once")
    return None


def effects_of(reply: str, name: str, objects: Sequence[str], task: Task, cut_off: bool = False) -> ReadEffects:
    """The effects that a reply gives for `(name objects...)`, in order; each must be one literal over these objects."""
    text = thinking_blanked(reply)
    if not text.strip():
        return ReadEffects(faults=(_fault("reply-empty", "the reply is empty", "answer with the effects"),))
    first: ReadEffects | None = None
    for block in _stretches(text, task):
        action, found = _effects_action(block.text, name, objects, task)
        errors = tuple(item for item in found if item.is_error)
        read = ReadEffects(faults=errors) if errors or action is None else _literals(action, name, objects, task)
        if not read.faults:
            return read
        first = first or read
    if first is not None:
        return first
    why = "the reply was cut off at the length limit" if cut_off else "no effects were found in the reply"
    hint = "write `(and (fact ...) (not (fact ...)))` in a fenced block, in the order in which they come about"
    return ReadEffects(faults=(_fault("reply-without-effects", why, hint),))


def _stretches(text: str, task: Task) -> Iterator[Block]:
    """Where effects may stand, the likeliest first; numbers and dashes before the lines of a list are blanked out."""
    blocks = fenced_blocks(text)
    for block in reversed(blocks):
        strings = [item for value in json_values(block.text) for item in json_strings(value) if "(" in item]
        yield Block("\n".join(strings), -1) if strings else _without_marks(block)
    if blocks:
        return
    strings = [item for value in json_values(text) for item in json_strings(value) if "(" in item]
    if strings:
        yield Block("\n".join(strings), -1)
    forms = _fact_forms(text, task)
    if forms:
        yield Block("\n".join(forms), -1)


def _without_marks(block: Block) -> Block:
    text = _KEYWORD.sub(lambda found: " " * len(found[0]), block.text)
    return Block(_MARK.sub(lambda found: " " * len(found[0]), text), block.start)


def _fact_forms(text: str, task: Task) -> list[str]:
    """The outermost forms of a text that start with `and`, `not`, a predicate or `:action`, as they stand there."""
    heads = {*task.domain.predicate_by_name, "and", "not", ":action"}
    tokens = Tokens(text)
    found: list[str] = []
    start, depth = -1, 0
    for index in range(tokens.count):
        token = tokens.texts[index]
        if start < 0 and token == "(" and tokens.text(index + 1) in heads:
            start, depth = tokens.starts[index], 0
        if start >= 0 and token in ("(", ")"):
            depth += 1 if token == "(" else -1
            if depth == 0:
                found.append(text[start : tokens.starts[index] + 1])
                start = -1
    return found


def _effects_action(
    text: str, name: str, objects: Sequence[str], task: Task
) -> tuple[Action | None, tuple[Diagnostic, ...]]:
    """The text as an action over objects; a whole `(:action ...)` is taken with its parameters in order."""
    whole = operators_in(Source(text, "reply"), task.domain, task.objects)
    if not whole:
        read = effects_in(text, name, task.domain, task.objects)
        return read.action, read.diagnostics
    action, found = whole[-1].action, whole[-1].diagnostics
    if action is None or not whole[-1].ok or not action.parameters:
        constants = frozenset(("unknown-constant",))
        if action is not None and all(item.code in constants for item in found if item.is_error):
            return action, ()  # written over objects, which is what was asked for
        return action, found
    try:
        operator = ground_operator(Action(action.name, action.parameters, TRUE, action.effects), list(objects))
    except InputError as error:
        return None, (_fault("reply-not-grounded", str(error), "give effects over the objects named"),)
    lines = "\n".join(text_of(item.fact, item.positive) for item in operator.effects)
    read = effects_in(lines, name, task.domain, task.objects)
    return read.action, read.diagnostics


def _literals(action: Action, name: str, objects: Sequence[str], task: Task) -> ReadEffects:
    """The effects of an action as literals in order, each once, or what is wrong with them."""
    known = set(objects)
    literals: dict[Literal, None] = {}
    for effect in action.effects:
        if effect.condition != TRUE or effect.variables:
            return ReadEffects(faults=(_fault("effect-not-plain", _PLAIN, "leave out `when` and `forall`"),))
        foreign = [term for term in effect.atom.terms if term not in known]
        if foreign:
            message = f"the effect `{effect.atom}` speaks of `{foreign[0]}`, which is no parameter of `{name}`"
            return ReadEffects(faults=(_fault("effect-foreign-object", message, f"use only {listing(list(objects))}"),))
        if effect.atom.predicate in task.domain.derived_names:
            message = f"`{effect.atom}` follows from other facts; no operator can bring it about directly"
            return ReadEffects(faults=(_fault("effect-derived", message, "give the facts that it follows from"),))
        literals[Literal(fact_of(effect.atom), effect.positive)] = None
    for literal in literals:
        if Literal(literal.fact, not literal.positive) in literals:
            message = f"`{text_of(literal.fact)}` is to become true and false at once"
            return ReadEffects(faults=(_fault("effect-contradiction", message, "keep the one that holds in the end"),))
    if not literals or action.numeric_effects:
        message = "no effect is given" if not literals else "numbers are no effects here"
        return ReadEffects(faults=(_fault("effect-missing", message, "give at least one fact that changes"),))
    return ReadEffects(tuple(literals))


_PLAIN = "effects must be plain facts, or facts under `not`"


def _fault(code: str, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(code, Category.SYNTAX, Severity.ERROR, message, Span(0, 0), Source("", "reply"), hint)
