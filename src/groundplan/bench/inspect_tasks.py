"""The same sets, methods and scorers as tasks for Inspect (`inspect-ai`), for those who run their evaluations there.

    inspect eval src/groundplan/bench/inspect_tasks.py -T set_name=prontoqa -T method=cot --model openai/gpt-4o

Inspect asks the model, with its own cache, limits and log; groundplan brings the prompts, the planner and the score.
What is resumed or replayed there is Inspect's business: for the same bytes twice take `groundplan bench`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio.from_thread
import anyio.to_thread
from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from groundplan.bench.methods.registry import methods_named
from groundplan.bench.running.records import Record, record_from_json
from groundplan.bench.running.unit import Conditions, Unit, Work
from groundplan.bench.sets.registry import task_set
from groundplan.bench.sets.task import Task, TaskSet
from groundplan.models.errors import BadReply
from groundplan.models.protocol import Message, Reply, Sampling, Usage
from groundplan.solve.engines import make_engine

_CHATS = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
_RECORD = "groundplan"


@task
def groundplan_task(
    set_name: str = "planbench",
    method: str = "llm+p",
    n: int | None = None,
    seed: int = 0,
    data: str | None = None,
    given_domain: bool = False,
    k: int = 6,
    engine: str = "fast-downward",
) -> InspectTask:
    """A set of groundplan's with one of its methods; see `groundplan bench --help` for both. Raises InputError."""
    chosen = task_set(set_name, data)
    tasks = chosen.tasks(n, seed)
    conditions = Conditions(solver_calls=k, about_pddl=set_name.startswith("planbench"), given_domain=given_domain)
    samples = [Sample(input=item.text, id=f"{item.group}/{item.id}", metadata={"group": item.group}) for item in tasks]
    return InspectTask(
        dataset=MemoryDataset(samples, name=set_name),
        solver=answers(chosen, tasks, method, conditions, engine),
        scorer=scores(),
        name=f"groundplan-{set_name}-{method}",
    )


@solver
def answers(chosen: TaskSet, tasks: Sequence[Task], method: str, conditions: Conditions, engine: str) -> Solver:
    """One of groundplan's methods, in a thread of its own, with Inspect's model."""
    by_id = {f"{item.group}/{item.id}": item for item in tasks}
    methods = methods_named([method])

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = by_id[str(state.sample_id)]

        def work() -> Record:
            planner = make_engine(engine)
            try:
                todo = Work(chosen, methods, _InspectModel(), planner, conditions)
                todo.refuse()
                return todo.do(Unit("sample", (item,)), _Forgetful())[0]
            finally:
                planner.close()

        record = await anyio.to_thread.run_sync(work)
        state.metadata[_RECORD] = record.as_json()
        state.output.completion = record.answer.text
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def scores() -> Scorer:
    """groundplan's score. A broken tool is no answer, which is not a wrong one: its column is in the metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        found = record_from_json(state.metadata[_RECORD])
        value = NOANSWER if found.score.correct is None else CORRECT if found.score.correct else INCORRECT
        told = {
            "column": found.score.column,
            "marks": dict(found.score.marks),
            "solver_calls": found.answer.solver_calls,
        }
        return Score(value=value, answer=found.answer.text, explanation=found.score.why, metadata=told)

    return score


class _InspectModel:
    """The model of the running evaluation, asked from a thread of its event loop."""

    @property
    def name(self) -> str:
        return str(get_model())

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        asked = [_CHATS[item.role](content=item.content) for item in messages]
        config = GenerateConfig(
            temperature=sampling.temperature, top_p=sampling.top_p, max_tokens=sampling.max_tokens, seed=sampling.seed
        )

        async def ask() -> Any:
            return await get_model().generate(asked, config=config)

        output = anyio.from_thread.run(ask)
        used = output.usage
        usage = Usage(used.input_tokens, used.output_tokens) if used else Usage()
        if not output.completion.strip():
            raise BadReply(f"{self.name}: the reply is empty", usage)
        finish = "length" if output.stop_reason == "max_tokens" else "stop"
        return Reply(output.completion, output.model, finish, usage, output.time or 0.0)


class _Forgetful:
    """A Memory for one sample: Inspect keeps the log."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Any] = {}

    def recall(self, kind: str, step: str) -> Any:
        return self._known.get((kind, step))

    def keep(self, kind: str, step: str, payload: Any) -> None:
        self._known[kind, step] = payload

    def check_budget(self) -> None:
        pass
