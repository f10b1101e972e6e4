"""PDDL texts for tests of formalization, good and bad."""

from __future__ import annotations

TASK = "Two lamps hang in a hall, one left and one right. Both are dark. Light both lamps."

DOMAIN = """\
(define (domain lamps)
  (:requirements :strips :typing)
  (:types lamp)
  (:predicates (dark ?l - lamp) (lit ?l - lamp))
  (:action light
    :parameters (?l - lamp)
    :precondition (dark ?l)
    :effect (and (lit ?l) (not (dark ?l)))))
"""

PROBLEM = """\
(define (problem two-lamps)
  (:domain lamps)
  (:objects left right - lamp)
  (:init (dark left) (dark right))
  (:goal (and (lit left) (lit right))))
"""

BROKEN_DOMAIN = DOMAIN.replace("(dark ?l)\n    :effect", "(drak ?l)\n    :effect")
UNSOLVABLE = PROBLEM.replace("(dark left) (dark right)", "(dark left)")
TRIVIAL = PROBLEM.replace("(:init ", "(:init (lit left) (lit right) ")
EMPTY_GOAL = PROBLEM.replace("(and (lit left) (lit right))", "(and)")
CUT_OFF = PROBLEM[: PROBLEM.index("(lit right)") + 5]


def reply(*texts: str) -> str:
    """A reply with each text in a fence of its own."""
    return "Here you are.\n\n" + "\n\n".join(f"```pddl\n{text}```" for text in texts)


GOOD = reply(DOMAIN, PROBLEM)
VERDICT = '{"score": 0.9, "reasons": ["all lamps are there"]}'
