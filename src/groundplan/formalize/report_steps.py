"""All steps of a plan as a list that needs no script: what each changes, and the states where there is room."""

from __future__ import annotations

from groundplan.formalize.report_text import escape, many
from groundplan.formalize.report_trace import Trace, TraceStep, natural
from groundplan.pddl.validate import Verdict

FEW_FACTS = 60
"""So many facts that no step changes are still shown among the others; more are folded."""
MOST_STATES = 150_000
"""Characters of all states written out below their steps; where it takes more, the list shows the changes alone."""
MOST_CHANGES = 40
"""Changes of one step in the list; the viewer has all of them."""
OPEN_STEPS = 30


def steps_list(trace: Trace, verdict: Verdict) -> str:
    """The list of all steps: readable without a script, with the states where there is room for them."""
    states = _States(trace)
    rows = [f'<li id="step-0"><a class="no" href="#step-0">0</a> <span class="act">Start</span>{states.at(None)}</li>']
    for number, step in enumerate(trace.steps, start=1):
        rows.append(
            f'<li id="step-{number}"><a class="no" href="#step-{number}">{number}</a> '
            f'<code class="act">{escape(step.text)}</code> {_met(trace, step, verdict)}'
            f"{_chips(step)}{states.at(step)}</li>"
        )
    is_open = " open" if len(trace.steps) <= OPEN_STEPS else ""
    note = (
        "" if states.written else '<p class="cut">The states are left out of this list: they would fill the page.</p>'
    )
    return (
        f'<details class="all"{is_open}><summary>Step by step: {many(len(trace.steps), "step")} and what each changes'
        f'</summary>{note}<ol class="steps" start="0">{"".join(rows)}</ol>{stop_note(trace, "The list")}</details>'
    )


def _met(trace: Trace, step: TraceStep, verdict: Verdict) -> str:
    cost = "" if verdict.measure == "steps" else f", cost {step.cost:.15g}"
    return f'<span class="met">goal {step.goals}/{len(trace.goals)}{cost}</span> '


def _chips(step: TraceStep) -> str:
    if not step.added and not step.deleted:
        return '<span class="cut">changes nothing</span>'
    chips = [f"<ins>{escape(fact)}</ins>" for fact in step.added[:MOST_CHANGES]]
    chips += [f"<del>{escape(fact)}</del>" for fact in step.deleted[:MOST_CHANGES]]
    more = len(step.added) + len(step.deleted) - len(chips)
    return " ".join(chips) + (f' <span class="cut">and {many(more, "more change")}</span>' if more else "")


class _States:
    """Writes one state after another, as long as all of them together find room."""

    def __init__(self, trace: Trace) -> None:
        self._now = set(trace.start)
        self._lasting = trace.lasting if len(trace.lasting) <= FEW_FACTS else ()
        size = sum(map(len, (*self._lasting, *trace.changing)))
        self.written = size * (len(trace.steps) + 1) <= MOST_STATES

    def at(self, step: TraceStep | None) -> str:
        """The state after the next step; None stands for the start, which is always written."""
        if not self.written and step:
            return ""
        added = set(step.added) if step else set()
        self._now |= added
        self._now -= set(step.deleted) if step else set()
        facts = sorted((*self._now, *self._lasting), key=natural)
        shown = " ".join(f"<ins>{escape(fact)}</ins>" if fact in added else escape(fact) for fact in facts)
        name = "State after this step" if step else "Initial state"
        return f'<details class="state"><summary>{name}</summary><p><code>{shown or "no fact"}</code></p></details>'


def stop_note(trace: Trace, what: str) -> str:
    """Why the plan is not shown to its end: a step that is not applicable, or want of room."""
    if trace.refused:
        number = f"Step {len(trace.steps) + 1}"
        return f'<p class="stop">{number}, <code>{escape(trace.refused)}</code>, is not applicable: see above.</p>'
    if not trace.left_out:
        return ""
    left = many(trace.left_out, "more step")
    return f'<p class="cut">{what} stops here: {left} left out to keep this page small.</p>'
