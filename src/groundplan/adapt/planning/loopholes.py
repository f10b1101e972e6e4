"""What is wrong, or too good to be true, with an operator as it is written: findings from its text and the domain.

Errors: it cannot help. Warnings: it looks like a way round the task, so that only execution can confirm it. Notes:
worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.adapt.facts import Facts
from groundplan.adapt.planning.duplicates import duplicate_of
from groundplan.adapt.planning.states import text_of
from groundplan.adapt.planning.truth import satisfiable
from groundplan.formalize.signals.formulas import plain_literals
from groundplan.pddl.ast import TRUE, Action, And, Atom, Domain, Effect, Formula, Not, Problem, atoms_in, conjuncts
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, listing
from groundplan.pddl.ground_normal import negation_normal

CANNOT_HELP = frozenset(
    (
        "operator-contradicts-itself",
        "operator-changes-nothing",
        "operator-duplicate",
        "operator-adds-nothing",
        "operator-out-of-reach",
        "operator-changes-fixed",
    )
)
"""The codes of what makes an operator useless, however it is used."""


def text_findings(
    action: Action, domain: Domain, problem: Problem, novelty: Facts = frozenset(), fixed: frozenset[str] = frozenset()
) -> list[Diagnostic]:
    """The findings about an operator that need no search. `novelty` are facts that are new and unwanted: taking one
    away is what a new operator is for. `fixed` names predicates that nothing can change."""
    found = [*_contradiction(action), *_nothing(action), *_duplicate(action, domain)]
    found += [*_fixed(action, fixed), *_static(action, domain, problem, novelty)]
    return [*found, *_only_adds(action), *_needs_nothing(action), *_idle_parameters(action)]


def needs(action: Action) -> list[tuple[Atom, bool]]:
    """The literals that an operator needs whatever else it needs: the plain parts of its precondition."""
    parts = [part for part in conjuncts(negation_normal(action.precondition, True)) if not _is_deep(part)]
    return plain_literals(And(tuple(parts))) or []


def _is_deep(part: Formula) -> bool:
    atom = part.part if isinstance(part, Not) else part
    return not isinstance(atom, Atom) or atom.predicate == "="


def plain_effects(action: Action) -> list[Effect]:
    return [effect for effect in action.effects if effect.condition == TRUE and not effect.variables]


def _contradiction(action: Action) -> Iterator[Diagnostic]:
    if satisfiable(action.precondition, lambda _: None) is False:
        both = [atom for atom, positive in needs(action) if (atom, not positive) in needs(action)]
        what = f": `{both[0]}` is to be true and false at once" if both else ""
        message = f"the precondition of `{action.name}` can never hold{what}"
        yield _error("operator-contradicts-itself", Category.CONDITION, message, "keep the one that is meant")


def _nothing(action: Action) -> Iterator[Diagnostic]:
    """Every effect is there before: what is needed true is made true, what is needed false is made false."""
    needed = set(needs(action))
    if action.numeric_effects and not action.effects:
        return
    idle = all(
        ((effect.atom, effect.positive) in needed and not effect.variables)
        # An atom that is added wins over its deletion.
        or (not effect.positive and any(e.positive and e.atom == effect.atom for e in plain_effects(action)))
        for effect in action.effects
    )
    if idle:
        why = "all its effects hold already where it can be taken" if action.effects else "it has no effect"
        message = f"`{action.name}` changes nothing: {why}"
        yield _error("operator-changes-nothing", Category.CONDITION, message, "give an effect that makes a difference")


def _duplicate(action: Action, domain: Domain) -> Iterator[Diagnostic]:
    known = duplicate_of(action, domain)
    if known is None:
        return
    name, same = known
    if same:
        message = f"`{action.name}` is the same as the known operator `{name}`, up to names"
        yield _error("operator-duplicate", Category.PREDICATE, message, f"use `{name}`")
    else:
        message = f"whatever `{action.name}` does, the known operator `{name}` does too, and needs less for it"
        yield _error("operator-adds-nothing", Category.PREDICATE, message, f"use `{name}`")


def _fixed(action: Action, fixed: frozenset[str]) -> Iterator[Diagnostic]:
    names = sorted({effect.atom.predicate for effect in action.effects} & fixed)
    if names:
        message = f"`{action.name}` changes {listing(names)}, which nothing can change (said to be fixed)"
        yield _error("operator-changes-fixed", Category.CONDITION, message, "reach the goal in another way")


def _static(action: Action, domain: Domain, problem: Problem, novelty: Facts) -> Iterator[Diagnostic]:
    """Effects on facts that no known operator changes.

    That is what a missing operator is for where the fact is a state of one thing (locked, covered) and some condition
    waits for the change, or where the fact is new. It is odd where the fact ties things together (joined, fits).
    """
    known = domain.fluents
    if not domain.actions:
        return  # nothing is known to change or to stay
    new = {fact[0] for fact in novelty}
    for effect in action.effects:
        name = effect.atom.predicate
        if name in known or name in domain.derived_names:
            continue
        shown = str(effect.atom) if effect.positive else f"(not {effect.atom})"
        what = "brings about" if effect.positive else "takes away"
        message = f"`{action.name}` {what} `{effect.atom}`, which no known operator changes"
        if name in new and not effect.positive:
            yield _note("operator-undoes-novelty", message + "; the fact is new in this task")
        elif len(effect.atom.terms) <= 1 and _is_waited_for(name, effect.positive, domain, problem):
            yield _note("operator-changes-static", message + f"; something waits for `{shown}`")
        elif len(effect.atom.terms) <= 1:
            yield _note("operator-changes-static", message + "; nothing waits for it")
        else:
            hint = f"if `{name}` can change in the world, it is no loophole"
            yield _warn("operator-changes-static-relation", Category.CONDITION, message, hint)


def _is_waited_for(name: str, positive: bool, domain: Domain, problem: Problem) -> bool:
    conditions = [action.precondition for action in domain.actions]
    conditions += [effect.condition for action in domain.actions for effect in action.effects]
    conditions += [rule.condition for rule in domain.derived]
    return any(_wants(formula, name, positive) for formula in (*conditions, problem.goal))


def _wants(formula: Formula, name: str, positive: bool) -> bool:
    """Whether a condition holds a predicate with this sign, once `not` stands at atoms only."""
    waiting = [negation_normal(formula, True)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Atom):
            if positive and part.predicate == name:
                return True
        elif isinstance(part, Not):
            if not positive and isinstance(part.part, Atom) and part.part.predicate == name:
                return True
        elif hasattr(part, "parts"):
            waiting += part.parts
        elif hasattr(part, "part"):
            waiting.append(part.part)
    return False


def _only_adds(action: Action) -> Iterator[Diagnostic]:
    if action.effects and all(effect.positive for effect in action.effects):
        shown = listing([str(effect.atom) for effect in action.effects], 3)
        message = f"`{action.name}` adds {shown} and takes nothing away"
        yield _note("operator-only-adds", message, "does nothing stop holding when it is carried out?")


def _needs_nothing(action: Action) -> Iterator[Diagnostic]:
    positive = [atom for atom, wanted in needs(action) if wanted]
    if action.precondition == TRUE or not list(conjuncts(action.precondition)):
        message = f"`{action.name}` has no precondition: it can be taken anywhere, at any time"
        yield _warn("operator-without-precondition", Category.CONDITION, message, "what must hold before it?")
    elif not positive and all(not _is_deep(part) for part in conjuncts(negation_normal(action.precondition, True))):
        needed = listing([text_of((atom.predicate, *atom.terms), False) for atom, _ in needs(action)], 3)
        message = f"`{action.name}` needs nothing to be true, only {needed}"
        yield _note("operator-needs-nothing-true", message, "what must be there for it?")


def _idle_parameters(action: Action) -> Iterator[Diagnostic]:
    used = {term for atom in atoms_in(action.precondition) for term in atom.terms}
    for effect in action.effects:
        used |= {*effect.atom.terms, *(term for atom in atoms_in(effect.condition) for term in atom.terms)}
    idle = [parameter.name for parameter in action.parameters if parameter.name not in used]
    if idle:
        message = f"{listing(idle)} of `{action.name}` occurs in no condition and no effect"
        yield _note("operator-idle-parameter", message, "leave it out, or say what it is for")


def _error(code: str, category: Category, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(code, category, Severity.ERROR, message, hint=hint)


def _warn(code: str, category: Category, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(code, category, Severity.WARNING, message, hint=hint)


def _note(code: str, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(code, Category.CONDITION, Severity.INFO, message, hint=hint)
