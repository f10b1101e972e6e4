"""The hybrid search: breadth-first over states, a model asked at each, and a search ahead with what it proposes.

Paper, Fig. 1 and 2. A node's proposal is added to the domain for a search ahead to the goal; where that finds no plan,
the node is expanded, and the child that the new operator leads to keeps it, so that several can come together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from groundplan.adapt.planning.changes import Changes, change_findings, changes_between
from groundplan.adapt.planning.endings import candidates_json, known_operators_fail, with_faults
from groundplan.adapt.planning.frontier import Frontier, Node
from groundplan.adapt.planning.impossible import NoHelp, no_operator_can_help, what_an_operator_must_do
from groundplan.adapt.planning.in_task import task_findings
from groundplan.adapt.planning.judge import LOOPHOLES
from groundplan.adapt.planning.lifting import domain_text, free_name, lift, with_operators
from groundplan.adapt.planning.loopholes import CANNOT_HELP, text_findings
from groundplan.adapt.planning.prompts import Told
from groundplan.adapt.planning.propose import Candidate, Proposals, Proposer
from groundplan.adapt.planning.result import Adapted, Limit, NewOperator, Status
from groundplan.adapt.planning.settings import Settings
from groundplan.adapt.planning.space import Ahead, Space
from groundplan.adapt.planning.states import facts_after, initial_facts
from groundplan.errors import InputError, ModelError
from groundplan.models.protocol import Model
from groundplan.pddl.ast import Action, Domain, Plan, Problem, Step, Task
from groundplan.pddl.diagnostics import Diagnostic
from groundplan.pddl.ground import GroundingLimit
from groundplan.pddl.validate import validate_plan
from groundplan.runs.budget import BudgetExhausted
from groundplan.runs.paid import RecordedModel
from groundplan.runs.run import Run

Progress = Callable[[str], None]


def find_operators(
    task: Task,
    model: Model | None,
    run: Run,
    settings: Settings | None = None,
    *,
    before: Problem | None = None,
    progress: Progress = lambda _: None,
) -> Adapted:
    """Look for the operators that a task lacks, and for a plan with them.

    `before` is the problem as it was when it had a plan (of the same domain): what differs is told to the model and in
    the result. Without a model, all is done that needs none: a plan with the known operators, a proof that nothing
    helps, what has changed. Everything is in the run's log; calling this again on the same run goes on where it stopped
    and pays for nothing twice.

    Raises InputError for a task beyond classical planning and where the user must mend something (a key, a setting),
    StorageError when the run cannot be written. A model that fails and a budget that is used up are endings.
    """
    settings = settings or Settings()
    changes = changes_between(task, before) if before else None
    novel = tuple(dict.fromkeys((*settings.novel, *(changes.new_objects if changes else ()))))
    refuse_unknown(task, settings)
    told = Told(novel, tuple(map(str, changes.facts)) if changes else (), tuple(sorted(settings.fixed)))
    proposer = Proposer(RecordedModel(model, run), task, settings, told) if model else None
    search = _Search(task, proposer, run, settings, changes, progress)
    return search.result()


def refuse_unknown(task: Task, settings: Settings) -> None:
    """Raise InputError where the settings name an object or a predicate that is not there."""
    objects = {item.name for item in task.objects}
    for name in settings.novel:
        if name not in objects:
            raise InputError(f"`{name}` is said to be novel, and is no object of the problem")
    for name in settings.fixed:
        if name not in task.domain.predicate_by_name:
            raise InputError(f"`{name}` is said to be fixed, and is no predicate of the domain")


class _Ended(Exception):
    """The search is over; `result` is what it gave."""

    def __init__(self, result: Adapted) -> None:
        super().__init__(result.reason)
        self.result = result


@dataclass
class _Search:
    """One search. `fallback` is a plan that leans on a suspicious operator, kept for the end."""

    task: Task
    proposer: Proposer | None
    run: Run
    settings: Settings
    changes: Changes | None
    progress: Progress
    asked: int = 0
    opened: int = 0
    fallback: Adapted | None = None
    deeper: bool = False
    capped: bool = False
    readable: int = 0
    faults: list[Diagnostic] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    _spaces: dict[tuple[Action, ...], Space] = field(default_factory=dict)

    def result(self) -> Adapted:
        try:
            self._begin()
            self._search()
        except _Ended as end:
            found = end.result
        except BudgetExhausted as end:
            found = self.fallback or self._ended(Status.NOT_FOUND, str(end), Limit.BUDGET)
        except GroundingLimit as end:
            found = self.fallback or self._ended(Status.NOT_FOUND, str(end), Limit.STATES)
        except InputError:
            raise
        except ModelError as error:
            found = self.fallback or self._ended(Status.FAILED, f"the model failed: {error}")
        else:
            found = self.fallback or self._exhausted()
        found = with_faults(found, self.faults, self.readable)
        self.run.once("adapted", "result", status=found.status.value, reason=found.reason)
        return self._counted(found)

    def _begin(self) -> None:
        """What needs no model: a plan with the known operators, a proof that nothing helps, what has changed."""
        space = self._space(self.task.domain)
        ending, plan = space.ahead(space.initial, self.settings.max_states)
        if ending is Ahead.PLAN:
            raise _Ended(self._found(plan, (), "the known operators suffice"))
        self.capped = ending is Ahead.CAPPED
        self.findings.append(known_operators_fail(ending, self.settings.max_states))
        proof = no_operator_can_help(self.task, self.settings.fixed)
        if proof is not None:
            raise _Ended(self._no_help(proof))
        self.findings += what_an_operator_must_do(self.task)
        if self.changes is not None:
            self.findings += change_findings(self.changes)
        if self.proposer is None:
            reason = "the known operators do not suffice, and no model was named to ask"
            raise _Ended(self._ended(Status.NOT_FOUND, reason, Limit.CALLS))

    def _no_help(self, proof: NoHelp) -> Adapted:
        if self.changes is not None:
            self.findings += change_findings(self.changes)
        return self._ended(Status.NO_OPERATOR_CAN_HELP, f"proved: {proof.statement}")

    def _search(self) -> None:
        frontier = Frontier(self.settings.ask_at)
        frontier.add(Node(initial_facts(self.task)))
        while (waiting := frontier.pop()) is not None:
            node, has_waited = waiting
            first = not has_waited and frontier.goes_first(node)
            new = self._ask(node) if first or has_waited else None
            if not first and not has_waited:
                frontier.wait(node)
            if not has_waited:
                for child in self._known_children(node):
                    frontier.add(child)
            if new is not None and (child_of_new := self._new_child(node, new)) is not None:
                frontier.add(child_of_new)

    # --- one node -----------------------------------------------------------------------------------------------------

    def _ask(self, node: Node) -> NewOperator | None:
        """Ask the model at a node and search ahead with its proposals; the one to go on with where no plan is found."""
        proposer = self.proposer
        assert proposer is not None, "without a model the search ends before"
        if proposer.calls >= self.settings.max_calls:
            raise _Ended(self.fallback or self._out_of_calls())
        domain = self._domain(node)
        where = f"{node.depth} step(s) from the start" if node.depth else "the start"
        self.progress(f"asking for an operator at {where} ({proposer.calls} of {self.settings.max_calls} calls)")
        proposals = proposer.propose(node.facts, domain)
        self.asked += 1
        self.readable += sum(item.votes for item in proposals.candidates)
        self.faults += proposals.faults
        self._log(node, proposals)
        kept: NewOperator | None = None
        for place, candidate in enumerate(proposals.candidates):
            if candidate.operator is None:
                if place == 0:
                    break  # most say that nothing can be done here
                continue
            new = self._checked(node, domain, candidate, proposals.samples)
            if any(item.code in CANNOT_HELP for item in new.findings):
                continue
            plan = self._ahead(node, domain, new)
            if plan is not None:
                self._try(node, new, plan)
                continue  # a loophole, kept for the end: the next candidate may do without
            kept = new
            break
        if proposals.cut_short:
            raise _Ended(self.fallback or self._out_of_calls())
        return kept

    def _checked(self, node: Node, domain: Domain, candidate: Candidate, samples: int) -> NewOperator:
        """A candidate under a free name, in its general form, with the findings from its text."""
        operator = candidate.operator
        assert operator is not None
        ground = replace(operator, name=free_name(operator.name, domain.action_by_name))
        action = lift(ground)
        novelty = frozenset(c.fact for c in self.changes.facts if c.now.positive) if self.changes else frozenset()
        found = text_findings(action, domain, self.task.problem, novelty, self.settings.fixed)
        return NewOperator(ground, action, candidate.votes, samples, node.path, tuple(found))

    def _ahead(self, node: Node, domain: Domain, new: NewOperator) -> Plan | None:
        """A plan from the start by way of a node with its operators and a new one."""
        space = self._space(with_operators(domain, (new.action,)))
        ending, plan = space.ahead(space.state(node.facts), self.settings.max_states, self.settings.max_depth)
        self.capped |= ending is Ahead.CAPPED
        self.deeper |= ending is Ahead.DEEPER
        return (*node.path, *plan) if ending is Ahead.PLAN else None

    def _try(self, node: Node, new: NewOperator, plan: Plan) -> None:
        """End with a plan, or keep it for the end where an operator of it is suspicious."""
        found = self._found(plan, (*node.new, new), f"found ahead of a state {node.depth} step(s) from the start")
        if found.status is not Status.FOUND or not (found.suspicious and self.settings.defer_suspicious):
            raise _Ended(found)
        if self.fallback is None:
            names = ", ".join(item.action.name for item in found.operators)
            self.progress(f"a plan was found with {names}, which looks like a way round the task; looking on")
            self.fallback = found

    def _known_children(self, node: Node) -> Iterator[Node]:
        if node.depth >= self.settings.max_depth:
            self.deeper = True
            return
        self.opened += 1
        if self.opened > self.settings.max_states:
            raise _Ended(self.fallback or self._ended(Status.NOT_FOUND, self._too_many(), Limit.STATES))
        space = self._space(self._domain(node))
        for step, state in space.children(space.state(node.facts)):
            yield Node(space.facts(state), (*node.path, step), node.new)

    def _new_child(self, node: Node, new: NewOperator) -> Node | None:
        """The state that the new operator leads to, over the objects for which it was proposed."""
        if node.depth >= self.settings.max_depth:
            return None
        facts = facts_after(node.facts, new.ground)
        step = Step(new.action.name, new.ground.objects)
        return Node(facts, (*node.path, step), (*node.new, new)) if facts != node.facts else None

    # --- what is known ------------------------------------------------------------------------------------------------

    def _domain(self, node: Node) -> Domain:
        return with_operators(self.task.domain, [item.action for item in node.new])

    def _space(self, domain: Domain) -> Space:
        known = self._spaces.get(domain.actions)
        if known is None:
            known = self._spaces[domain.actions] = Space(self.task, domain)
        return known

    def _log(self, node: Node, proposals: Proposals) -> None:
        self.run.once(
            "proposals",
            str(self.asked),
            after=[str(step) for step in node.path],
            candidates=candidates_json(proposals),
            faults=[fault.as_compact() for fault in proposals.faults],
        )

    # --- endings ------------------------------------------------------------------------------------------------------

    def _found(self, plan: Plan, new: tuple[NewOperator, ...], how: str) -> Adapted:
        """The plan, or a shorter one of the same domain, with only the operators that it uses; validated."""
        plan = self._shorter(plan, new)
        order = {step.action: n for n, step in reversed(list(enumerate(plan)))}
        used = sorted((item for item in new if item.action.name in order), key=lambda item: order[item.action.name])
        actions = [item.action for item in used]
        verdict = validate_plan(Task(with_operators(self.task.domain, actions), self.task.problem), plan)
        if not verdict.is_valid:
            return self._ended(Status.FAILED, f"the plan found is invalid: {'; '.join(verdict.reasons)}")
        more = task_findings(self.task, actions, plan) if actions else []
        found = [*more, *(item for one in used for item in one.findings)]
        return Adapted(
            Status.FOUND,
            how,
            plan=plan,
            operators=tuple(used),
            domain_text=domain_text(self.task.domain, actions),
            findings=(*self.findings, *found),
            changes=self.changes,
            suspicious=any(item.code in LOOPHOLES for item in found),
        )

    def _shorter(self, plan: Plan, new: tuple[NewOperator, ...]) -> Plan:
        space = self._space(with_operators(self.task.domain, [item.action for item in new]))
        ending, other = space.ahead(space.initial, self.settings.max_states)
        return other if ending is Ahead.PLAN and len(other) < len(plan) else plan

    def _exhausted(self) -> Adapted:
        if self.capped:
            return self._ended(Status.NOT_FOUND, self._too_many(), Limit.STATES)
        if self.deeper:
            depth = self.settings.max_depth
            reason = f"the model was asked at all states within {depth} steps; there may be others further on"
            return self._ended(Status.NOT_FOUND, reason, Limit.DEPTH)
        reason = f"the model was asked in all {self.asked} states that can be reached; no proposal led to a plan"
        return self._ended(Status.NOT_FOUND, reason, Limit.EXHAUSTED)

    def _out_of_calls(self) -> Adapted:
        reason = f"all {self.settings.max_calls} model calls are used up, at {self.asked} state(s)"
        return self._ended(Status.NOT_FOUND, reason, Limit.CALLS)

    def _too_many(self) -> str:
        return f"a search was ended after {self.settings.max_states} states"

    def _ended(self, status: Status, reason: str, limit: Limit | None = None) -> Adapted:
        return Adapted(status, reason, limit, findings=tuple(self.findings), changes=self.changes)

    def _counted(self, found: Adapted) -> Adapted:
        if self.proposer is None:
            return found
        name, calls = self.proposer.model.name, self.proposer.calls
        return replace(found, model=name, calls=calls, asked=self.asked, opened=self.opened)
