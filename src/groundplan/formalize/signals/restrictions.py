"""Restriction probes: for each sentence that forbids something, steps that break it and that the PDDL must refuse.

A model reads the text and writes the traces; what they come to is found out by simulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.errors import InputError
from groundplan.formalize.signals import questions
from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.replies import is_quoted, items_in, texts_in
from groundplan.formalize.signals.traces import Ending, Trial, steps_of, try_trace
from groundplan.formalize.specification import Signal
from groundplan.pddl.ast import Plan
from groundplan.pddl.simulate import Simulator

NAME = "restriction-probes"
MOST_PROBES = 50


def find_broken_restrictions(reading: Reading) -> Iterator[Signal]:
    """Restrictions of the text that the PDDL lets a plan break, each with the steps that do it.

    Only the last step of a trace has to fail. Where an earlier one does, where a trace names what the task does not
    have, or where the sentence does not stand in the text, nothing is decided, which is no alarm.
    """
    if not reading.readable:
        yield Signal(NAME, "info", "not asked: there is no text, or text or task are too long")
        return
    try:
        simulator = Simulator(reading.task)
    except InputError as error:
        yield Signal(NAME, "info", f"not asked: {error}")
        return
    reply = reading.ask(questions.restrictions(reading.text, reading.task))
    probes = items_in(reply, "sentence", "trace")
    if not probes and not any(isinstance(item["restrictions"], list) for item in items_in(reply, "restrictions")):
        yield Signal(NAME, "info", "not decided: the model's reply holds no list of restrictions")
        return
    counts = dict.fromkeys(Ending, 0)
    for probe in probes[:MOST_PROBES]:
        sentence = " ".join(texts_in(probe["sentence"]))
        steps = steps_of(probe["trace"])
        trial = try_trace(simulator, steps)
        if trial.ending is Ending.TAKEN and not is_quoted(sentence, reading.text):
            trial = Trial(Ending.UNDECIDED, "the task allows the trace, but the sentence does not stand in the text")
        counts[trial.ending] += 1
        yield from _signals(sentence, steps, trial)
    tried = ", ".join(f"{count} {ending.value}" for ending, count in counts.items())
    cut = f"; {len(probes) - MOST_PROBES} more were left out" if len(probes) > MOST_PROBES else ""
    yield Signal(NAME, "info", f"{sum(counts.values())} traces that should be refused at the last step: {tried}{cut}")


def _signals(sentence: str, steps: Plan, trial: Trial) -> Iterator[Signal]:
    trace = ", ".join(map(str, steps[-10:]))
    shown = f"..., {trace}" if len(steps) > 10 else trace
    found = evidence([sentence, *map(str, steps)])
    if trial.ending is Ending.TAKEN:
        message = f'the text says "{sentence[:200]}", but the PDDL allows {shown}'
        yield Signal(NAME, "warning", message, found)
    elif trial.ending is Ending.UNDECIDED:
        yield Signal(NAME, "info", f'not decided for "{sentence[:200]}": {trial.why}', found)
