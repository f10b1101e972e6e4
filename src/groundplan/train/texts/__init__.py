"""Planning tasks in plain English with their PDDL, made from a seed: what a small model is warm-started on.

The tasks are random, and so is the wording: each domain has its own list of manners, phrases for every predicate, and
openings. `groundplan.train.texts.overlap` measures how much of another collection's wording is found in these texts.
"""

from groundplan.train.texts.making import DOMAINS, domain_text, written_task
from groundplan.train.texts.written import WrittenTask

__all__ = ["DOMAINS", "WrittenTask", "domain_text", "written_task"]
