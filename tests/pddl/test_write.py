"""The canonical writer: what it writes reads back as the same tree, and writing again changes nothing."""

from __future__ import annotations

from hypothesis import given
from strategies import tasks

from groundplan.pddl import Source, Task, check_sources, write_domain, write_problem


def read_back(domain: str, problem: str) -> Task:
    result = check_sources(Source(domain, "domain"), Source(problem, "problem"))
    assert result.ok, result.diagnostics[0].as_text()
    return result.task()


@given(tasks())
def test_a_written_task_reads_as_the_same_tree(task: Task) -> None:
    domain, problem = write_domain(task.domain), write_problem(task.problem)
    again = read_back(domain, problem)
    assert again.domain == task.domain
    assert again.problem == task.problem
    assert (write_domain(again.domain), write_problem(again.problem)) == (domain, problem)
