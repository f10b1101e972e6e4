"""Where an answer that is none belongs, and what becomes of a checker that breaks: the same for every set."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from groundplan.bench.sets.task import Answer, Ending, Score

CORRECT, WRONG, EXTRACTION, TOOL, BUDGET = "correct", "wrong", "extraction", "tool", "budget"


def scored(answer: Answer, marks: Iterable[str], judge: Callable[[], Score]) -> Score:
    """The judge's score of an answer; one that never came is put into the column of its ending.

    Of a tool failure nothing is known; a failed extraction and a spent budget are wrong answers, counted apart. A
    judge that raises is a broken tool, whatever the answer was.
    """
    names = tuple(marks)
    if answer.ending is Ending.TOOL:
        return Score(None, TOOL, dict.fromkeys(names), answer.reason or "a tool broke before there was an answer")
    if answer.ending is not Ending.ANSWERED:
        column = EXTRACTION if answer.ending is Ending.EXTRACTION else BUDGET
        return Score(False, column, dict.fromkeys(names, False), answer.reason or f"no answer: {answer.ending.value}")
    try:
        return judge()
    except Exception as error:  # noqa: BLE001 - whatever breaks in a checker says nothing about the answer
        return Score(None, TOOL, dict.fromkeys(names), f"the checker broke: {type(error).__name__}: {error}")


def unread(marks: Iterable[str], wanted: str) -> Score:
    """The score of a reply that holds nothing of the wanted kind."""
    return Score(False, EXTRACTION, dict.fromkeys(marks, False), f"the reply holds no {wanted}")
