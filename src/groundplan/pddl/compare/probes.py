"""Small variations of the problem on which two domains may differ though they agree on the problem itself.

One instance may not show a lost restriction: where every location is an airport, nobody sees that airplanes may land
anywhere. A probe takes away, in both tasks, one static fact that a precondition of only one of the domains asks for.
Only such preconditions are probed as the other domain really lacks: what it says by types, or by another static
predicate with the same facts, it does not lack. And their parameters must stand in no other precondition about
changing facts or relations: what is asked of these may follow from the others in all problems that make sense, and a
probe that makes no sense proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from groundplan.pddl.ast import Atom, Task
from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.literal_lists import Literal, Role, SchemaMatch, literals_of, match_literals, reread_atom
from groundplan.pddl.compare.result import Comparison, Equivalence, Maps, Probe
from groundplan.pddl.write import write_problem

MOST_PROBES = 3
SECONDS = 2.0


@dataclass(frozen=True)
class Variation:
    """The two tasks without one fact."""

    change: str
    reference: Task
    candidate: Task


def probed(reference: Task, candidate: Task, found: Comparison, budget: Budget) -> Comparison:
    """The verdict after probes, for two tasks that were proved the same on their own problem."""
    from groundplan.pddl.compare.decide import compare_tasks

    literals = match_literals(reference, candidate, found.maps)
    for number, probe in enumerate(variations(reference, candidate, literals, found.maps)):
        if number >= MOST_PROBES or budget.is_over:
            break
        seconds = min(SECONDS, budget.left)
        tried = compare_tasks(probe.reference, probe.candidate, maps=found.maps, probes=False, seconds=seconds)
        if tried.verdict is Equivalence.REFUTED:
            return replace(
                tried,
                method=f"probe, {tried.method}",
                reason=f"the same on this problem, but {probe.change} {tried.reason}",
                probe=Probe(
                    probe.change, write_problem(probe.reference.problem), write_problem(probe.candidate.problem)
                ),
                instance=found.verdict,
            )
    return found


def variations(reference: Task, candidate: Task, match: SchemaMatch, maps: Maps) -> Iterator[Variation]:
    """The probes, each fact once."""
    seen = set()
    for task, items in ((reference, match.missing), (candidate, match.extra)):
        for action, literal in items:
            if not _may_be_probed(reference, candidate, task, action, literal):
                continue
            for fact in _facts(reference, literal):
                if fact not in seen:
                    seen.add(fact)
                    yield from _without(fact, reference, candidate, match, maps)


def _may_be_probed(reference: Task, candidate: Task, task: Task, action: str, literal: Literal) -> bool:
    """Whether a literal (in the reference's words) is about static facts only, and nothing else may imply it."""
    if literal.role is not Role.PRECONDITION or not literal.positive or literal.depth or literal.predicate == "=":
        return False
    if (
        reference.domain.predicate_by_name.get(literal.predicate) is None
        or literal.predicate in reference.domain.fluents
    ):
        return False
    schema = reference.domain.action_by_name.get(action)
    if schema is None or "?" in literal.args:
        return False
    own = {parameter.name: f"?{index}" for index, parameter in enumerate(schema.parameters)}
    asked = [item.renamed(own) for item in literals_of(schema) if item.role is Role.PRECONDITION]
    # facts that change, and relations between objects, may imply what the literal asks for
    implying = {
        arg
        for item in asked
        if item != literal and (item.predicate in reference.domain.fluents or len(item.args) > 1)
        for arg in item.args
    }
    return any(arg.startswith("?") for arg in literal.args) and not implying.intersection(literal.args)


def _facts(reference: Task, literal: Literal) -> list[Atom]:
    """The initial facts of the literal's predicate, those first whose objects the fewest changing facts are about."""
    fluents = reference.domain.fluents
    about: dict[str, int] = {}
    for atom in reference.problem.init:
        if atom.predicate in fluents:
            for term in atom.terms:
                about[term] = about.get(term, 0) + 1
    facts = [atom for atom in dict.fromkeys(reference.problem.init) if atom.predicate == literal.predicate]
    return sorted(facts, key=lambda atom: sum(about.get(term, 0) for term in atom.terms))[:2]


def _without(fact: Atom, reference: Task, candidate: Task, match: SchemaMatch, maps: Maps) -> Iterator[Variation]:
    """Both tasks without the fact; nothing where the candidate says it in another way, by a type for example."""
    ours = tuple(atom for atom in reference.problem.init if atom != fact)
    theirs = tuple(atom for atom in candidate.problem.init if not _means(atom, fact, match, maps))
    if len(theirs) < len(candidate.problem.init):
        yield Variation(
            f"without {fact}",
            replace(reference, problem=replace(reference.problem, init=ours)),
            replace(candidate, problem=replace(candidate.problem, init=theirs)),
        )


def _means(atom: Atom, fact: Atom, match: SchemaMatch, maps: Maps) -> bool:
    """Whether a fact of the candidate is the given one; a predicate that no action asks for goes by its name."""
    if atom.predicate in match.predicates:
        return reread_atom(atom, match, maps) == fact
    return atom.predicate == fact.predicate and tuple(maps.objects.get(term) for term in atom.terms) == fact.terms
