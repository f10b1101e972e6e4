"""The methods by name."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.bench.methods.formalizing import Repairer, Sampler
from groundplan.bench.methods.protocol import Method
from groundplan.bench.methods.reasoning import ChainOfThought, SelfConsistency
from groundplan.bench.methods.thoughts import TreeOfThoughts
from groundplan.errors import InputError
from groundplan.pddl.diagnostics import did_you_mean, listing

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        ChainOfThought(),
        SelfConsistency(),
        TreeOfThoughts(),
        Sampler("llm+p", roles=False),
        Repairer("self-refine", roles=False),
        Repairer("actor-judge-editor", roles=True, judge=True),
        Repairer("trained", roles=True, judge=True),
        Sampler("actor", roles=True, most=1),
        Sampler("actor-judge", roles=True, judge=True),
        Repairer("actor-editor", roles=True),
        Repairer("editor-judge", roles=True, judge=True, first="editor"),
        Sampler("solver-only", roles=True),
    )
}
"""`trained` is actor-judge-editor with a policy as the model. The last five leave roles out: `actor` one greedy draft,
`actor-judge` K drafts solved in the order of the Judge's scores, `actor-editor` no scores, `editor-judge` a first draft
by the Editor, `solver-only` the Actor drawn again until the solver says yes."""


def methods_named(names: Sequence[str]) -> tuple[Method, ...]:
    """The methods with these names, each once, in this order. Raises InputError for none and for an unknown name."""
    wanted = list(dict.fromkeys(name.strip().lower() for name in names if name.strip()))
    if not wanted:
        raise InputError(f"no method is named; there are {listing(list(METHODS), most=len(METHODS))}")
    for name in wanted:
        if name not in METHODS:
            hint = did_you_mean(name, METHODS) or f"there are {listing(list(METHODS), most=len(METHODS))}"
            raise InputError(f"no method is called `{name}`: {hint}")
    return tuple(METHODS[name] for name in wanted)
