"""What is compiled away for Fast Downward changes neither what can be solved nor what a plan is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from solve_tasks import shortest_plan

from groundplan.pddl import Domain, Problem, Step, Task, task_from_text
from groundplan.pddl.ast import (
    FALSE,
    TRUE,
    Action,
    And,
    Atom,
    Derived,
    Effect,
    Exists,
    Forall,
    Formula,
    FunctionTerm,
    FunctionValue,
    Imply,
    Metric,
    Not,
    Number,
    NumericEffect,
    Or,
    Signature,
    TypedName,
)
from groundplan.solve.compile import LARGEST_COST, CannotCompile, compile_task
from groundplan.solve.engines import make_engine
from groundplan.solve.fast_downward import FastDownwardEngine
from groundplan.solve.fd_home import find_fast_downward
from groundplan.solve.outcome import Engine, Fault, Limits, Status
from groundplan.solve.spelling import original, spelt, spelt_predicate, spelt_type

needs_fast_downward = pytest.mark.skipif(find_fast_downward(None) is None, reason="Fast Downward is not installed")
LIMITS = Limits(wall_s=20)


@pytest.fixture(scope="module")
def engine() -> Iterator[FastDownwardEngine]:
    engine = FastDownwardEngine()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def builtin() -> Iterator[Engine]:
    pytest.importorskip("groundplan.solve.builtin")
    engine = make_engine("builtin")
    yield engine
    engine.close()


# --- names ----------------------------------------------------------------------------------------------------------

names = st.text(st.characters(blacklist_categories=("Z", "C"), blacklist_characters="()? ;@"), min_size=1, max_size=8)
awkward = st.sampled_from(["and", "not", "number", "_0x61_nd", "a_0x3f_", "_", "-x", "straße", "p$0", "new-axiom"])


@given(st.lists(names | awkward, min_size=2, max_size=6, unique=True))
def test_spelling_keeps_names_apart_and_can_be_undone(words: list[str]) -> None:
    for spell in (spelt, spelt_predicate, spelt_type):
        written = [spell(word) for word in words]
        assert len(set(written)) == len(words)
        assert [original(word) for word in written] == words
        assert all(word.isascii() and not set(word) & set("()?;@$ ") for word in written)
        assert [spell("?" + word)[0] for word in words] == ["?"] * len(words)


@pytest.mark.parametrize("word", ["a", "pick-up", "block_1", "x2", "=", "on-table"])
def test_ordinary_names_stay(word: str) -> None:
    assert spelt_predicate(word) == word


# --- random tasks ---------------------------------------------------------------------------------------------------

TYPES = ("t0", "t1", "t2", "t3")
OBJECTS = ("a", "b", "c")
PREDICATES = {"p": 1, "q": 1, "r": 2}

some_types = st.one_of(
    st.just(("object",)),
    st.sampled_from(TYPES).map(lambda name: (name,)),
    st.lists(st.sampled_from(TYPES), min_size=2, max_size=3, unique=True).map(tuple),
)


@st.composite
def hierarchies(draw: st.DrawFn) -> tuple[TypedName, ...]:
    """Types with up to two parents, which stand before them: no cycles."""
    found = []
    for index, name in enumerate(TYPES):
        above = draw(st.lists(st.sampled_from(("object", *TYPES[:index])), min_size=1, max_size=2, unique=True))
        found.append(TypedName(name, tuple(above)))
    return tuple(found)


def atoms(terms: tuple[str, ...]) -> st.SearchStrategy[Atom]:
    return st.sampled_from(
        [Atom(name, args) for name, arity in PREDICATES.items() for args in itertools.product(terms, repeat=arity)]
    )


@st.composite
def formulas(draw: st.DrawFn, terms: tuple[str, ...], depth: int = 2) -> Formula:
    kind = draw(st.sampled_from(["atom", "atom", "not", "and", "or", "imply", "forall", "exists", "equal"]))
    if depth == 0 or kind == "atom":
        return draw(atoms(terms))
    if kind == "equal":
        return Atom("=", (draw(st.sampled_from(terms)), draw(st.sampled_from(terms))))
    if kind == "not":
        return Not(draw(formulas(terms, depth - 1)))
    if kind == "imply":
        return Imply(draw(formulas(terms, depth - 1)), draw(formulas(terms, depth - 1)))
    if kind in ("and", "or"):
        parts = tuple(draw(formulas(terms, depth - 1)) for _ in range(draw(st.integers(0, 2))))
        return And(parts) if kind == "and" else Or(parts)
    variable = TypedName(f"?v{depth}", draw(some_types))
    variables = (variable,) if draw(st.integers(0, 9)) else ()
    part = draw(formulas((*terms, variable.name) if variables else terms, depth - 1))
    return (Forall if kind == "forall" else Exists)(variables, part)


@st.composite
def actions(draw: st.DrawFn, name: str) -> Action:
    parameters = tuple(TypedName(f"?x{index}", draw(some_types)) for index in range(draw(st.integers(0, 2))))
    terms = (*(item.name for item in parameters), "a")
    effects = []
    for _ in range(draw(st.integers(0, 3))):
        variables = (TypedName("?e", draw(some_types)),) if draw(st.booleans()) else ()
        inner = (*terms, "?e") if variables else terms
        condition = draw(formulas(inner, 1)) if draw(st.booleans()) else TRUE
        effects.append(Effect(draw(atoms(inner)), draw(st.booleans()), condition, variables))
    return Action(name, parameters, draw(formulas(terms)), tuple(effects))


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    types = draw(hierarchies())
    objects = tuple(TypedName(name, draw(some_types)) for name in OBJECTS)
    derived = ()
    if draw(st.booleans()):
        head = Signature("d", (TypedName("?y", draw(some_types)),))
        derived = (Derived(head, draw(formulas(("?y", "a"), 1))),)
    signatures = [
        Signature(name, tuple(TypedName(f"?s{index}") for index in range(arity))) for name, arity in PREDICATES.items()
    ]
    goal = draw(formulas(OBJECTS))
    if derived and draw(st.booleans()):
        goal = And((goal, Atom("d", (draw(st.sampled_from(OBJECTS)),))))
    constants = draw(st.integers(0, 2))
    domain = Domain(
        "random",
        types=types,
        constants=objects[: max(1, constants)],
        predicates=(*signatures, *(rule.head for rule in derived)),
        actions=tuple(draw(actions(f"act{index}")) for index in range(draw(st.integers(1, 2)))),
        derived=derived,
    )
    init = tuple(draw(st.lists(atoms(OBJECTS), max_size=5, unique=True)))
    return Task(domain, Problem("random", "random", objects=objects[constants:], init=init, goal=goal))


@needs_fast_downward
@settings(max_examples=100)
@given(task=tasks())
def test_random_tasks_keep_their_solvability_and_plans(engine: FastDownwardEngine, task: Task) -> None:
    expected = shortest_plan(task)
    outcome = engine.solve(task, LIMITS)
    assert outcome.status is (Status.UNSOLVABLE if expected is None else Status.SOLVED), outcome


@needs_fast_downward
@settings(max_examples=40)
@given(task=tasks())
def test_both_engines_agree(engine: FastDownwardEngine, builtin: Engine, task: Task) -> None:
    ours = builtin.solve(task, LIMITS)
    assume(ours.fault is not Fault.UNSUPPORTED)
    assert engine.solve(task, LIMITS).status is ours.status


# --- one thing at a time --------------------------------------------------------------------------------------------


@needs_fast_downward
def test_types_with_several_parents(engine: FastDownwardEngine) -> None:
    domain = """(define (domain pets) (:requirements :typing)
      (:types animal toy - object fish - animal duck - animal duck - toy)
      (:predicates (fed ?a - animal) (used ?t) (happy ?d - duck))
      (:action feed :parameters (?a - animal) :precondition () :effect (fed ?a))
      (:action use :parameters (?t - toy) :precondition () :effect (used ?t))
      (:action cheer :parameters (?d - duck) :precondition (and (fed ?d) (used ?d)) :effect (happy ?d)))"""
    for kind, status in (("duck", Status.SOLVED), ("fish", Status.UNSOLVABLE)):
        task = task_from_text(
            domain,
            f"(define (problem p) (:domain pets) (:objects x - {kind}) (:init) (:goal (and (fed x) (used x))))",
        )
        assert engine.solve(task, LIMITS).status is status
        assert (shortest_plan(task) is None) == (status is Status.UNSOLVABLE)


@needs_fast_downward
def test_names_that_fast_downward_would_misread(engine: FastDownwardEngine) -> None:
    domain = Domain(
        "odd",
        types=(TypedName("number"), TypedName("größe", ("number",))),
        predicates=tuple(Signature(name, (TypedName("?ü"),)) for name in ("and", "forall", "ist-größer", "p$0")),
        actions=(
            Action(
                "wächst",
                (TypedName("?größe", ("größe",)),),
                And((Atom("and", ("?größe",)), Not(Atom("forall", ("?größe",))))),
                (Effect(Atom("ist-größer", ("?größe",))), Effect(Atom("forall", ("?größe",)))),
            ),
        ),
    )
    problem = Problem(
        "odd",
        "odd",
        objects=(TypedName("fuß", ("größe",)), TypedName("fu_0xdf_", ("number",)), TypedName("and", ("größe",))),
        init=tuple(Atom("and", (name,)) for name in ("fuß", "fu_0xdf_", "and")),
        goal=And((Atom("ist-größer", ("fuß",)), Atom("ist-größer", ("and",)))),
    )
    outcome = engine.solve(Task(domain, problem), LIMITS)
    assert outcome.status is Status.SOLVED, outcome
    assert outcome.plan is not None
    assert set(outcome.plan) == {Step("wächst", ("fuß",)), Step("wächst", ("and",))}


@needs_fast_downward
def test_a_type_a_predicate_and_an_object_may_share_a_name(engine: FastDownwardEngine) -> None:
    task = task_from_text(
        """(define (domain box) (:requirements :typing) (:types box) (:predicates (box ?box - box) (object ?b - box))
        (:action box :parameters (?box - box) :precondition (box ?box) :effect (object ?box)))""",
        "(define (problem box) (:domain box) (:objects box - box) (:init (box box)) (:goal (object box)))",
    )
    assert engine.solve(task, LIMITS).plan == (Step("box", ("box",)),)


@needs_fast_downward
def test_constants_declared_again_and_types_named_only_as_parents(engine: FastDownwardEngine) -> None:
    rooms = tuple(TypedName(name, ("room",)) for name in ("hall", "attic"))
    domain = Domain(
        "house",
        types=(TypedName("room", ("place",)),),
        constants=rooms[:1],
        predicates=(Signature("seen", (TypedName("?p", ("place",)),)),),
        actions=(Action("look", (TypedName("?p", ("place",)),), TRUE, (Effect(Atom("seen", ("?p",))),)),),
    )
    goal = And((Atom("seen", ("hall",)), Atom("seen", ("attic",))))
    outcome = engine.solve(Task(domain, Problem("p", "house", objects=rooms, goal=goal)), LIMITS)
    assert outcome.cost == 2, outcome


@needs_fast_downward
def test_a_task_without_predicates_or_with_a_constant_goal(engine: FastDownwardEngine) -> None:
    idle = Domain("idle", constants=(TypedName("a"),), actions=(Action("rest"),))
    for goal, status in ((TRUE, Status.SOLVED), (FALSE, Status.UNSOLVABLE), (Atom("=", ("a", "a")), Status.SOLVED)):
        outcome = engine.solve(Task(idle, Problem("p", "idle", goal=goal)), LIMITS)
        assert outcome.status is status, outcome


def test_a_plain_task_is_written_plainly() -> None:
    task = task_from_text(
        """(define (domain d) (:requirements :typing) (:types a - object b - a) (:predicates (p ?x - a))
        (:action go :parameters (?x - b) :precondition () :effect (p ?x)))""",
        "(define (problem x) (:domain d) (:objects o - b) (:init) (:goal (p o)))",
    )
    compiled = compile_task(task).task
    assert compiled.domain.types == task.domain.types
    assert compiled.domain.actions == task.domain.actions
    assert compiled.problem.init == ()
    assert [item.name for item in compiled.domain.predicates] == ["p"]


# --- costs ----------------------------------------------------------------------------------------------------------

COST = FunctionTerm("total-cost")


def shopping(costs: dict[str, list[float | str]], values: dict[str, float], *, minimized: bool = True) -> Task:
    """Two ways to get bread; a text in `costs` is a function with that value."""
    done = (Effect(Atom("bread")),)
    acts = []
    for name, parts in costs.items():
        increases = [
            NumericEffect("increase", COST, Number(part) if isinstance(part, float) else FunctionTerm(part))
            for part in parts
        ]
        acts.append(Action(name, effects=done, numeric_effects=tuple(increases)))
    domain = Domain(
        "shop",
        predicates=(Signature("bread"),),
        functions=(Signature("total-cost"), *(Signature(name) for name in values if name != "total-cost")),
        actions=tuple(acts),
    )
    problem = Problem(
        "shop",
        "shop",
        values=tuple(FunctionValue(FunctionTerm(name), value) for name, value in values.items()),
        goal=Atom("bread"),
        metric=Metric("minimize", COST) if minimized else None,
    )
    return Task(domain, problem)


@needs_fast_downward
@pytest.mark.parametrize(
    ("costs", "values", "best", "cost"),
    [
        ({"bake": [3.0], "buy": [2.0]}, {}, "buy", 2),
        ({"bake": [0.25], "buy": [0.1, 0.1]}, {}, "buy", 0.2),
        ({"bake": [2.0, 2.0], "buy": [3.0]}, {}, "buy", 3),
        ({"bake": ["far"], "buy": ["near"]}, {"far": 1.5, "near": 0.125}, "buy", 0.125),
        ({"bake": ["unknown"], "buy": [9.0]}, {}, "buy", 9),
        ({"bake": [2.0], "buy": [1.0]}, {"total-cost": 100.0}, "buy", 101),
        ({"bake": [1e-9], "buy": []}, {}, "buy", 0),
    ],
)
def test_costs_that_fast_downward_does_not_know(
    costs: dict[str, list[float | str]], values: dict[str, float], best: str, cost: float
) -> None:
    engine = FastDownwardEngine(optimal=True)
    outcome = engine.solve(shopping(costs, values), LIMITS)
    engine.close()
    assert outcome.plan == (Step(best),), outcome
    assert outcome.cost == pytest.approx(cost)
    assert outcome.optimal


@pytest.mark.parametrize(
    ("costs", "values", "complaint"),
    [
        ({"bake": [-1.0]}, {}, r"negative cost: -1 in action `bake`"),
        ({"bake": ["far"]}, {"far": -2.0}, r"negative cost: -2 in \(far\)"),
        ({"bake": [float(LARGEST_COST + 1)]}, {}, "32 bits"),
        ({"bake": [1e9, 1e-9]}, {}, "32 bits"),
        ({"bake": [1e300]}, {}, "32 bits"),
        ({"bake": ["far", "near"]}, {"far": 1.0, "near": 1.0}, "sum of functions"),
        ({"bake": ["total-cost"]}, {}, "total-cost"),
    ],
)
def test_costs_that_cannot_be_compiled_are_refused_unless_they_do_not_count(
    costs: dict[str, list[float | str]], values: dict[str, float], complaint: str
) -> None:
    with pytest.raises(CannotCompile, match=complaint):
        compile_task(shopping(costs, values))
    outcome = FastDownwardEngine().solve(shopping(costs, values), LIMITS)
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.UNSUPPORTED)
    assert not compile_task(shopping(costs, values, minimized=False)).task.domain.actions[0].numeric_effects
