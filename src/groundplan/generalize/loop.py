"""From a domain and a few tasks to a program: describe, strategy, programs, selection (Stein et al. 2025)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from groundplan.confine.protocol import Confinement
from groundplan.errors import InputError, ModelError
from groundplan.generalize import prompts_describe, prompts_strategy
from groundplan.generalize.chat import Asker, Chat
from groundplan.generalize.checks import ConfinementBroke, ProgramRuns
from groundplan.generalize.choose import Chosen, choose
from groundplan.generalize.grow import Pool, grow
from groundplan.generalize.kinds import NamedTask
from groundplan.generalize.parallel import each
from groundplan.generalize.programs import Overtaken, ProgramSteps, Tried, best_of
from groundplan.generalize.replies import descriptions_in, strategy_in, without_thinking
from groundplan.generalize.result import Ending, Result
from groundplan.generalize.settings import Settings
from groundplan.generalize.strategy import Strategy, StrategyCheck, StrategyOutcome, StrategySteps, find_strategy
from groundplan.generalize.values import values_of
from groundplan.models.errors import BadReply, PromptTooLong
from groundplan.models.protocol import Model
from groundplan.pddl.ast import Plan
from groundplan.runs.budget import BudgetExhausted
from groundplan.runs.paid import RecordedModel
from groundplan.runs.refine import Ending as LoopEnding
from groundplan.runs.refine import Round, refine
from groundplan.runs.run import Run
from groundplan.solve.outcome import Engine

Progress = Callable[[str], None]


def generalize(
    tasks: Sequence[NamedTask],
    model: Model,
    engine: Engine,
    confinement: Confinement,
    run: Run,
    settings: Settings | None = None,
    *,
    pool: Pool | None = None,
    progress: Progress = lambda _: None,
) -> Result:
    """Find a program that solves every task of the domain of `tasks`.

    `engine` gives reference plans (for choosing tasks and where the model found none), `confinement` runs the programs,
    `pool` gives tasks for counter-examples (`settings.growth`), after those of `tasks` that are too many to debug on.
    Everything is in the run's log; calling this again on
    the same run goes on where it stopped and pays for nothing twice.

    Raises InputError for tasks that are of no use (none, of several domains, goals beyond conjunctions of facts) and
    where the user must mend something (a key, a setting); StorageError when the run cannot be written. A model that
    fails, answers nonsense or nothing, and a budget that is used up, are endings of the Result.
    """
    settings = settings or Settings()
    for task in tasks:
        values_of(task.task)  # refuses what no program can be given, before anything is paid for
    chosen = choose(tasks, engine, run)
    search = _Search(
        chosen, RecordedModel(model, run), ProgramRuns(confinement, settings, run), run, settings, progress
    )
    try:
        search.describe()
        search.find_strategy()
        search.find_program()
        search.grow(pool)
    except BudgetExhausted as end:
        search.end(Ending.BUDGET, str(end))
    except ConfinementBroke as end:
        search.end(Ending.CONFINEMENT, str(end))
    except InputError:
        raise
    except ModelError as error:
        search.end(Ending.MODEL, str(error))
    return search.result()


@dataclass
class _Search:
    """The state of one search, filled stage by stage, so that whatever ends it leaves the best so far."""

    chosen: Chosen
    model: RecordedModel
    run_program: ProgramRuns
    run: Run
    settings: Settings
    progress: Progress
    description: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    base: Chat | None = None
    strategies: StrategyOutcome | None = None
    tried: list[Tried] = field(default_factory=list)
    variants: dict[int, ProgramSteps] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    ended: tuple[Ending, str] | None = None

    @property
    def asker(self) -> Asker:
        return Asker(self.model, self.settings.sampling, self.settings.trim_tokens)

    @property
    def examples(self) -> tuple[NamedTask, ...]:
        return self.chosen.pair(self.settings.pair)

    def end(self, ending: Ending, reason: str) -> None:
        if self.ended is None:
            self.ended = (ending, reason)

    def describe(self) -> None:
        """The domain, then the tasks that the prompts need, each in a conversation of its own."""
        self.progress(f"describing the domain and {len(self.chosen.debugging)} tasks")
        if not self.settings.own_descriptions:
            self.base = self.asker.open(prompts_describe.describe_together(self.examples))
            self.description = without_thinking(self.base.answer)
            return
        chat = self.asker.open(prompts_describe.describe_domain(self.examples[0]))
        self.description = without_thinking(chat.answer)
        wanted = self.chosen.debugging if self.settings.check_strategy else self.examples
        if not self.settings.describe_each and len(wanted) > 1:
            together = self.asker.open(prompts_describe.describe_tasks(self.description, wanted))
            self.texts = descriptions_in(together.answer, [task.name for task in wanted])
        left = [task for task in wanted if task.name not in self.texts]

        def text(task: NamedTask) -> str:
            answer = self.asker.open(prompts_describe.describe_task(self.description, task)).answer
            return without_thinking(answer)

        self.texts |= dict(zip((task.name for task in left), each(text, left, self.settings.jobs), strict=True))

    def find_strategy(self) -> None:
        if self.base is not None:
            self._strategy_in_words()
        else:
            tasks = self.chosen.debugging if self.settings.check_strategy else ()
            steps = StrategySteps(
                self.asker, self.settings, self.description, self.texts, self.examples, tasks, self.progress
            )
            repairs = self.settings.strategy_repairs
            self.strategies = find_strategy(steps, self.run, repairs)
            self.end_if_broken_off(self.strategies.ending, self.strategies.reason)
        best = self.strategies.best if self.strategies else None
        if best is None:
            self.end(
                Ending.NO_STRATEGY, f"no reply held a strategy: {self.strategies.fault if self.strategies else ''}"
            )

    def _strategy_in_words(self) -> None:
        """The baselines: one strategy in plain words, taken as it is; the conversation goes on to the program."""
        assert self.base is not None
        self.base = self.asker.ask(self.base, prompts_strategy.in_words())
        found = strategy_in(self.base.answer, self.base.cut_off)
        text = found.text or without_thinking(self.base.answer)  # in words, the whole answer is the strategy
        check = StrategyCheck(fault="" if text else found.fault)
        self.strategies = StrategyOutcome(
            (Round(Strategy(text, self.base, found.fault), check),), LoopEnding.ROUNDS, ""
        )

    def end_if_broken_off(self, ending: LoopEnding, reason: str) -> None:
        if ending is LoopEnding.BUDGET:
            self.end(Ending.BUDGET, reason)
        elif ending is LoopEnding.MODEL:
            self.end(Ending.MODEL, reason)

    def example(self) -> tuple[NamedTask, Plan | None]:
        """The task shown to the programs: one with a valid plan of the model's, else the engine's, the smallest."""
        assert self.strategies is not None
        for task in self.chosen.debugging:
            plan = self.strategies.plan_for(task.name)
            if plan:
                return task, plan
        for task in self.chosen.debugging:
            if self.chosen.plans.get(task.name):
                return task, self.chosen.plans[task.name]
        return self.chosen.debugging[0], self.chosen.plans.get(self.chosen.debugging[0].name)

    def find_program(self) -> None:
        """Variants until one solves everything; the earliest such one wins, however many are worked on at once."""
        best = self.strategies.best if self.strategies else None
        if self.ended is not None or best is None:
            return
        done = threading.Lock()
        winner = [self.settings.variants]

        def overtaken(variant: int) -> bool:
            with done:
                return variant > winner[0]

        def work(variant: int) -> None:
            steps = ProgramSteps(
                variant,
                self.asker,
                self.settings,
                best.proposal.text,
                self.example(),
                self.chosen.debugging,
                self.run_program,
                overtaken,
                self.base,
            )
            self.variants[variant] = steps
            try:
                if self._refine(steps, variant):
                    with done:
                        winner[0] = min(winner[0], variant)
            except Overtaken:
                return

        try:
            if self.settings.variants_at_once <= 1:
                for variant in range(self.settings.variants):
                    if not overtaken(variant):
                        work(variant)
            else:
                with ThreadPoolExecutor(
                    max_workers=min(self.settings.variants_at_once, self.settings.variants)
                ) as threads:
                    futures = [threads.submit(work, variant) for variant in range(self.settings.variants)]
                for variant, future in enumerate(futures):
                    if not overtaken(variant):  # what befell a variant that is not needed is no ending of the search
                        future.result()
        finally:
            self.tried = [
                item for number in sorted(self.variants) if number <= winner[0] for item in self.variants[number].tried
            ]

    def _refine(self, steps: ProgramSteps, variant: int) -> bool:
        """One variant through the shared loop; says whether it solves everything.

        A conversation that no longer fits the model's context ends its own variant only.
        """
        self.progress(f"program {variant + 1} of {self.settings.variants}")
        refined = refine(steps, self.run, rounds=self.settings.fixes + 1, name=f"program-{variant}")
        if refined.error is not None and not isinstance(refined.error, PromptTooLong | BadReply):
            raise refined.error
        if refined.ending is LoopEnding.BUDGET:
            raise BudgetExhausted(refined.reason)
        return refined.ending is LoopEnding.ACCEPTED

    def grow(self, pool: Pool | None) -> None:
        """Counter-examples (left-over tasks, then the pool's) join the debugging tasks; the best variant goes on."""
        rest = self.chosen.rest
        if not self.settings.growth or not (rest or pool):
            return
        best = best_of(self.tried, self.settings.shortest)
        if self.ended is not None or best is None or not best.check.accepted:
            return
        steps = self.variants[best.variant]
        before = len(steps.tried)

        def every(number: int) -> list[NamedTask]:
            return [*rest, *(pool(number) if pool else ())]

        try:
            self.added = grow(steps, best, every, self.settings, self.run_program, self.run, self.progress)
        finally:
            self.tried += steps.tried[before:]

    def result(self) -> Result:
        tasks = max((len(item.check.results) for item in self.tried), default=0)
        full = [item for item in self.tried if len(item.check.results) == tasks]  # checked on the grown set as well
        best = best_of(full, self.settings.shortest)
        ending, reason = self.ended or _ending(best, bool(self.tried))
        spent = self.run.spent
        return Result(
            domain=self.chosen.debugging[0].task.domain.name,
            ending=ending,
            reason=reason,
            debugging=tuple(task.name for task in self.chosen.debugging),
            examples=tuple(task.name for task in self.examples),
            description=self.description,
            strategies=self.strategies,
            tried=tuple(self.tried),
            best=best,
            added=self.added,
            model=self.model.name,
            model_calls=spent.calls,
            tokens=spent.tokens,
            cost_usd=None if spent.unpriced else spent.usd,
            seconds=spent.seconds,
        )


def _ending(best: Tried | None, any_tried: bool) -> tuple[Ending, str]:
    if best is None:
        return (
            Ending.NO_PROGRAM,
            "no reply held a program that could be run" if any_tried else "no program was asked for",
        )
    solved, total = best.check.solved, len(best.check.results)
    words = f"the program solves {solved} of {total} debugging tasks"
    if solved == total:
        return Ending.ALL_SOLVED, words
    return (Ending.SOME_SOLVED if solved else Ending.NONE_SOLVED), words
