"""The prompts of the benchmarks' methods. They are part of what a recording stands for: change one, and record again.

The roles of actor-judge-editor have their prompts in formalize/prompts.py. Nothing here depends on the machine or on
time. The example is from a domain of our own, which no benchmark holds, and every method that shows one shows this.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.formalize import prompts as roles
from groundplan.models.protocol import Message

VERSION = f"2026-12.1+roles-{roles.VERSION}"

_EXAMPLE_TEXT = """\
A robot looks after a row of garden beds. It can roll from one bed to another where a path joins them, and it can
water the bed at which it stands, if that bed is dry. The robot is at the bean bed. A path joins the bean bed and the
pea bed, both ways. Both beds are dry. Water the pea bed."""
_EXAMPLE_DOMAIN = """\
(define (domain garden)
  (:requirements :strips :typing)
  (:types bed)
  (:predicates (at ?b - bed) (path ?a ?b - bed) (dry ?b - bed) (wet ?b - bed))
  (:action roll
    :parameters (?from ?to - bed)
    :precondition (and (at ?from) (path ?from ?to))
    :effect (and (at ?to) (not (at ?from))))
  (:action water
    :parameters (?b - bed)
    :precondition (and (at ?b) (dry ?b))
    :effect (and (wet ?b) (not (dry ?b)))))"""
_EXAMPLE_PROBLEM = """\
(define (problem water-the-peas)
  (:domain garden)
  (:objects bean-bed pea-bed - bed)
  (:init (at bean-bed) (path bean-bed pea-bed) (path pea-bed bean-bed) (dry bean-bed) (dry pea-bed))
  (:goal (and (wet pea-bed))))"""
_EXAMPLE_THOUGHT = (
    "The robot stands at the bean bed, and the pea bed is to be watered. Watering wants the robot at a dry bed. The "
    "pea bed is dry, but the robot is not there; a path leads there. So it rolls to the pea bed, then waters it."
)
_EXAMPLE_PLAN = "(roll bean-bed pea-bed)\n(water pea-bed)"

_PLANNER = "You write planning tasks in PDDL for a classical planner."
_THINKER = "You solve planning tasks by thinking them through."
_FORMALIST = "You write tasks in a formal language for a solver."
_ANSWERER = "You answer questions by thinking them through."


def formalization(text: str, domain: str = "") -> tuple[Message, ...]:
    """LLM+P (section G.4): the task into PDDL, after one example; with `domain`, the problem alone."""
    parts = ["An example task:", _EXAMPLE_TEXT, "", *_given(_EXAMPLE_DOMAIN if domain else "")]
    parts += [] if domain else ["Its domain in PDDL:", _pddl(_EXAMPLE_DOMAIN), ""]
    parts += ["Its problem in PDDL:", _pddl(_EXAMPLE_PROBLEM), "", "Now a new task:", text.strip(), "", *_given(domain)]
    parts.append(
        "Give its problem in PDDL, in one block marked ```pddl. Do not solve it."
        if domain
        else "Give its domain and its problem in PDDL, each in a block marked ```pddl. Do not solve it."
    )
    return Message("system", _PLANNER), Message("user", "\n".join(parts))


def refinement(before: Sequence[Message], reply: str, said: str, domain: str = "") -> tuple[Message, ...]:
    """Self-refine (section H.3): the model's own last PDDL and what the solver said of it, in one conversation."""
    wanted = "problem" if domain else "domain and problem"
    asked = (
        f"The solver reports:\n{said.strip()}\n\nRevise your PDDL so that it is right. Give the whole {wanted} again, "
        "in blocks marked ```pddl."
    )
    return *before, Message("assistant", reply.strip() or "(no answer)"), Message("user", asked)


def reasoned_plan(text: str, domain: str = "", thoughts: Sequence[str] = ()) -> tuple[Message, ...]:
    """Chain of thought (section G.4): reasoning, then a plan with the specification that it is a plan of."""
    parts = ["An example task:", _EXAMPLE_TEXT, "", *_given(_EXAMPLE_DOMAIN if domain else ""), "An answer to it:"]
    parts += [_EXAMPLE_THOUGHT, "", *([] if domain else [_pddl(_EXAMPLE_DOMAIN)]), _pddl(_EXAMPLE_PROBLEM)]
    parts += [_block("plan", _EXAMPLE_PLAN), "", "Now a new task:", text.strip(), "", *_given(domain)]
    parts += _so_far(thoughts)
    wanted = "the problem in PDDL in a block" if domain else "its domain and its problem in PDDL, each in a block"
    parts.append(
        f"Think step by step. Then give {wanted} marked ```pddl, and last your plan, one step a line, in a block "
        "marked ```plan. The plan's actions and objects have the names of your PDDL."
    )
    return Message("system", _THINKER), Message("user", "\n".join(parts))


PLAN_LEVELS = (
    "List the objects, everything that holds at the start, and what must hold at the end. Do not plan yet.",
    "Say in a few sentences how the goal can be reached: which parts of it first, and what each of them needs.",
)
"""What a thought is at each level of the tree of thoughts, for planning tasks."""
ANSWER_LEVELS = (
    "List the facts and the conditions of the task that the answer hangs on. Do not answer yet.",
    "Work towards the answer in a few short steps, and say what you have found.",
)
"""The same for tasks whose answer is a text."""


def thought(text: str, domain: str, thoughts: Sequence[str], wanted: str) -> tuple[Message, ...]:
    """Tree of thoughts: one more thought."""
    parts = ["Task:", text.strip(), "", *_given(domain), *_so_far(thoughts), wanted]
    return Message("system", _THINKER), Message("user", "\n".join(parts))


def rating(text: str, domain: str, thoughts: Sequence[str]) -> tuple[Message, ...]:
    """Tree of thoughts: the model's own value of a partial solution."""
    parts = ["Task:", text.strip(), "", *_given(domain), *_so_far(thoughts)]
    parts.append(
        "Rate from 1 to 10 how likely it is that this work is right so far and leads to a right answer. Look for what "
        "is missing or wrong first. End with a line `Rating: N`."
    )
    return Message("system", "You rate partial solutions of tasks, strictly."), Message("user", "\n".join(parts))


def direct(text: str, thoughts: Sequence[str] = ()) -> tuple[Message, ...]:
    """Chain of thought for a task whose answer is a text."""
    parts = [text.strip(), "", *_so_far(thoughts)]
    parts.append(
        "Think step by step. Then write a line that starts with `Answer:`, and after it the final answer alone, in the "
        "form that the task asks for."
    )
    return Message("system", _ANSWERER), Message("user", "\n".join(parts))


def formal(text: str, language: str) -> tuple[Message, ...]:
    """A formal model in the language of a set's hook."""
    parts = ["Task:", text.strip(), "", language.strip()]
    return Message("system", _FORMALIST), Message("user", "\n".join(parts))


def formal_repair(text: str, language: str, present: str, said: str) -> tuple[Message, ...]:
    """The Editor for a set's hook."""
    parts = ["Task:", text.strip(), "", "Present formal model:", _block("", present) if present else "(none yet)", ""]
    parts += ["The solver reports:", said.strip(), ""]
    parts += ["Repair the formal model: mend the cause, keep what is right, and give the whole of it again.", ""]
    return Message("system", _FORMALIST), Message("user", "\n".join([*parts, language.strip()]))


def formal_judgement(text: str, language: str, present: str) -> tuple[Message, ...]:
    """The Judge for a set's hook."""
    parts = ["Task:", text.strip(), "", "The language:", language.strip(), "", "Formal model:", _block("", present), ""]
    parts.append(
        'Does the model say just what the task says? Answer with JSON alone: {"score": S, "reasons": ["..."]}, where S '
        "between 0 and 1 is the probability that the solver accepts it and that it means what the task says."
    )
    return Message("system", "You judge whether a formal model says what a text says."), Message(
        "user", "\n".join(parts)
    )


def _given(domain: str) -> list[str]:
    return ["Domain:", _pddl(domain), ""] if domain else []


def _so_far(thoughts: Sequence[str]) -> list[str]:
    return ["Work so far:", *(item.strip() for item in thoughts), ""] if thoughts else []


def _pddl(text: str) -> str:
    return _block("pddl", text)


def _block(mark: str, text: str) -> str:
    return f"```{mark}\n{text.strip()}\n```"
