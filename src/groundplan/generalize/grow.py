"""Counter-examples: tasks that the program fails join the debugging tasks, and it is fixed on them too.

Beyond the paper, whose debugging tasks are fixed: a program that solves six small tasks may still lean on their habits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundplan.generalize.kinds import NamedTask
from groundplan.generalize.programs import Program, ProgramCheck, ProgramSteps, RunProgram, Tried
from groundplan.generalize.settings import Settings
from groundplan.runs.refine import refine
from groundplan.runs.run import Run

Pool = Callable[[int], Sequence[NamedTask]]
"""Tasks to try a program on, by round from 0: generated, or the user's own that are not debugging tasks."""


@dataclass
class _Again:
    """The variant's steps, with a program that is already there as the first proposal."""

    steps: ProgramSteps
    program: Program

    def propose(self) -> Program:
        return self.program

    def check(self, proposal: Program) -> ProgramCheck:
        return self.steps.check(proposal)

    def revise(self, proposal: Program, check: ProgramCheck) -> Program:
        return self.steps.revise(proposal, check)


def grow(
    steps: ProgramSteps,
    best: Tried,
    pool: Pool,
    settings: Settings,
    run_program: RunProgram,
    run: Run,
    progress: Callable[[str], None],
) -> tuple[str, ...]:
    """Up to `settings.growth` rounds; the names of the tasks that were added. The programs tried are in `steps.tried`.

    A round without a counter-example is followed by the next all the same, since later rounds try larger tasks; a
    program that could not be mended for one ends it. Raises what the model raises, and BudgetExhausted.
    """
    added: list[str] = []
    program = best.program
    for number in range(settings.growth):
        progress(f"looking for counter-examples, round {number + 1} of {settings.growth}")
        example = counter_example(program, pool(number), run_program, {task.name for task in steps.tasks})
        if example is None:
            continue
        steps.tasks.append(example)
        added.append(example.name)
        run.once("counter_example", f"growth-{number}", task=example.name)
        refined = refine(_Again(steps, program), run, rounds=settings.fixes + 1, name=f"growth-{number}")
        if refined.error is not None:
            raise refined.error
        last = refined.rounds[-1] if refined.rounds else None
        if last is None or not last.check.accepted:
            break
        program = last.proposal
    return tuple(added)


def counter_example(
    program: Program, tasks: Sequence[NamedTask], run_program: RunProgram, known: set[str]
) -> NamedTask | None:
    """The smallest of the tasks that the program fails."""
    for task in sorted(tasks, key=lambda item: len(item.task.objects)):
        if task.name not in known and not run_program(program.source, task).solved:
            return task
    return None
