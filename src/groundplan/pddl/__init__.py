"""What a task is: read, check, write, ground, simulate, validate. No third-party import."""

from groundplan.pddl.ast import Domain, Plan, Problem, Step, Task
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.read import CheckResult, check_sources, domain_from_text, read_task, task_from_text
from groundplan.pddl.source import Source, read_source
from groundplan.pddl.write import write_domain, write_problem

__all__ = [
    "Category",
    "CheckResult",
    "Diagnostic",
    "Domain",
    "Plan",
    "Problem",
    "Severity",
    "Source",
    "Step",
    "Task",
    "check_sources",
    "domain_from_text",
    "read_source",
    "read_task",
    "task_from_text",
    "write_domain",
    "write_problem",
]
