"""The canonical writer: one text for one meaning, the same for equal trees.

Requirements are those the text needs, never more than that; names, order and structure stay as they were read.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundplan.pddl.ast import (
    OBJECT,
    TRUE,
    Action,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Derived,
    Domain,
    Effect,
    Exists,
    Expression,
    Forall,
    Formula,
    FunctionTerm,
    Imply,
    Not,
    Number,
    NumericEffect,
    Or,
    Problem,
    Signature,
    TypedName,
)
from groundplan.pddl.features import requirements_used


def write_domain(domain: Domain) -> str:
    """A domain as PDDL text, ending in a line end. Features beyond classical planning are not written."""
    lines = [f"(define (domain {domain.name or 'unnamed'})"]
    needed = [":strips", *requirements_used(domain)]
    lines.append(f"  (:requirements {' '.join(needed)})")
    if domain.types:
        lines.append(f"  (:types {typed(domain.types, keep_object=True)})")
    if domain.constants:
        lines.append(f"  (:constants {typed(domain.constants)})")
    if domain.predicates:
        lines.append("  (:predicates")
        lines += [f"    {_signature(predicate)}" for predicate in domain.predicates]
        lines[-1] += ")"
    if domain.functions:
        lines.append(f"  (:functions {' '.join(_signature(item) + ' - number' for item in domain.functions)})")
    lines += [_derived(rule) for rule in domain.derived]
    lines += [write_action(action) for action in domain.actions]
    return "\n".join(lines) + ")\n"


def write_problem(problem: Problem) -> str:
    """A problem as PDDL text, ending in a line end."""
    lines = [f"(define (problem {problem.name or 'unnamed'})", f"  (:domain {problem.domain_name or 'unnamed'})"]
    if problem.objects:
        lines.append(f"  (:objects {typed(problem.objects)})")
    facts = [str(atom) for atom in problem.init]
    facts += [f"(not {atom})" for atom in problem.init_false]
    facts += [f"(= {value.function} {number(value.value)})" for value in problem.values]
    lines.append("  (:init" + "".join(f"\n    {fact}" for fact in facts) + ")")
    lines.append(f"  (:goal {write_formula(problem.goal)})")
    if problem.metric is not None:
        lines.append(f"  (:metric {problem.metric.direction} {expression(problem.metric.expression)})")
    return "\n".join(lines) + ")\n"


def write_action(action: Action) -> str:
    """An action schema as PDDL text, indented as inside a domain."""
    costs = [_numeric(effect) for effect in action.numeric_effects]
    effects = [*_grouped(action.effects), *costs]
    return (
        f"  (:action {action.name}\n"
        f"    :parameters ({typed(action.parameters)})\n"
        f"    :precondition {write_formula(action.precondition)}\n"
        f"    :effect {_listed_effects(effects) if costs else _joined(effects)})"
    )


def write_formula(formula: Formula) -> str:
    match formula:
        case Atom():
            return str(formula)
        case Not(part=part):
            return f"(not {write_formula(part)})"
        case And(parts=parts):
            return _listed("and", parts)
        case Or(parts=parts):
            return _listed("or", parts)
        case Imply(left=left, right=right):
            return f"(imply {write_formula(left)} {write_formula(right)})"
        case Forall(variables=variables, part=part):
            return f"(forall ({typed(variables)}) {write_formula(part)})"
        case Exists(variables=variables, part=part):
            return f"(exists ({typed(variables)}) {write_formula(part)})"
        case Comparison(op=op, left=first, right=second):
            return f"({op} {expression(first)} {expression(second)})"


def typed(items: Iterable[TypedName], *, keep_object: bool = False) -> str:
    """A typed list; neighbours of one type share it. Untyped names come last where they would take a wrong type."""
    groups: list[tuple[tuple[str, ...], list[str]]] = []
    for item in items:
        if groups and groups[-1][0] == item.types:
            groups[-1][1].append(item.name)
        else:
            groups.append((item.types, [item.name]))
    plain = not keep_object and all(types == (OBJECT,) for types, _ in groups)
    if plain:
        return " ".join(name for _, names in groups for name in names)
    return " ".join(f"{' '.join(names)} - {_kind(types)}" for types, names in groups)


def _kind(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def _signature(signature: Signature) -> str:
    parameters = typed(signature.parameters)
    return f"({signature.name} {parameters})" if parameters else f"({signature.name})"


def _derived(rule: Derived) -> str:
    return f"  (:derived {_signature(rule.head)} {write_formula(rule.condition)})"


def _listed(word: str, parts: tuple[Formula, ...]) -> str:
    return f"({' '.join((word, *(write_formula(part) for part in parts)))})"


def _grouped(effects: tuple[Effect, ...]) -> list[str]:
    """Effects under the same variables and condition share one `forall` and one `when`."""
    groups: dict[tuple[tuple[TypedName, ...], Formula], list[str]] = {}
    for effect in effects:
        literal = str(effect.atom) if effect.positive else f"(not {effect.atom})"
        groups.setdefault((effect.variables, effect.condition), []).append(literal)
    texts = []
    for (variables, condition), literals in groups.items():
        if not variables and condition == TRUE:
            texts += literals
        else:
            texts.append(_wrapped(variables, condition, _joined(literals)))
    return texts


def _wrapped(variables: tuple[TypedName, ...], condition: Formula, text: str) -> str:
    if condition != TRUE:
        text = f"(when {write_formula(condition)} {text})"
    return f"(forall ({typed(variables)}) {text})" if variables else text


def _joined(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else _listed_effects(texts)


def _listed_effects(texts: list[str]) -> str:
    """An `and` even around one effect: Fast Downward takes a lone cost in no other way."""
    return f"({' '.join(('and', *texts))})"


def _numeric(effect: NumericEffect) -> str:
    text = f"({effect.op} {effect.function} {expression(effect.expression)})"
    return _wrapped(effect.variables, effect.condition, text)


def expression(item: Expression) -> str:
    match item:
        case Number(value=value):
            return number(value)
        case FunctionTerm():
            return str(item)
        case Arithmetic(op=op, parts=parts):
            return f"({' '.join((op, *(expression(part) for part in parts)))})"


def number(value: float) -> str:
    """Whole numbers without a decimal point, as every planner reads them."""
    return str(int(value)) if value == int(value) else repr(value)
