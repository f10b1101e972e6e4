"""The plan on the page: a viewer for scripts, and the same as a list that needs none."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.errors import InputError
from groundplan.formalize.report_goal import GoalPart
from groundplan.formalize.report_steps import FEW_FACTS, steps_list, stop_note
from groundplan.formalize.report_text import escape, many, prose, script_json
from groundplan.formalize.report_trace import Trace, natural, trace_plan
from groundplan.formalize.specification import Verification
from groundplan.pddl.ast import Plan
from groundplan.pddl.validate import Verdict, validate_plan


def plan_section(verification: Verification) -> str:
    """The section "Plan" of the last round: the verdict of our own simulator and the run of the plan."""
    outcome, task = verification.outcome, verification.task
    if outcome is None or outcome.plan is None or task is None:
        why = outcome.reason if outcome else verification.reason
        return f"<p>There is no plan to show{': ' + prose(why) if why else '.'}</p>"
    try:
        verdict = validate_plan(task, outcome.plan)
        applicable = len(outcome.plan) if verdict.step is None else verdict.step - 1
        trace = trace_plan(task, outcome.plan, applicable)
    except InputError as error:
        steps = "".join(f"<li><code>{escape(str(step))}</code></li>" for step in outcome.plan[:1000])
        left = len(outcome.plan) - 1000
        more = f'<p class="cut">{many(left, "more step")} left out.</p>' if left > 0 else ""
        return f"<p>The plan cannot be simulated: {prose(str(error))}</p><ol>{steps}</ol>{more}"
    parts = [_verdict(verdict, outcome.plan, outcome.optimal)]
    if trace.steps:
        parts += [_viewer(trace), _goal(trace)]
        parts += [steps_list(trace, verdict), *_rest(trace)]
        parts.append(f'<script type="application/json" id="plan-data">{_data(trace, verdict)}</script>')
    else:
        parts += [_goal(trace), stop_note(trace, "The list")]
    return "".join(parts)


def _verdict(verdict: Verdict, plan: Plan, optimal: bool) -> str:
    steps = many(len(plan), "step")
    if not verdict.is_valid:
        where = f" at step {verdict.step}" if verdict.step else ""
        reasons = "".join(f"<li>{prose(reason)}</li>" for reason in verdict.reasons[:20])
        return (
            f'<p class="verdict bad"><b>Not valid by our own simulator{where}</b> ({steps}).</p>'
            f'<ul class="reasons">{reasons}</ul>'
        )
    if not plan:
        return (
            '<p class="verdict ok"><b>Valid by our own simulator:</b> the goal holds at the start, without a step.</p>'
        )
    cost = "" if verdict.measure == "steps" else f" It costs {verdict.cost:.15g} ({escape(verdict.measure)})."
    best = " The engine proved that no plan is cheaper." if optimal else ""
    return (
        f'<p class="verdict ok"><b>Valid by our own simulator:</b> {steps}, each applicable in turn, and the goal '
        f"holds at the end.{cost}{best} The run was simulated again for this page.</p>"
    )


def _viewer(trace: Trace) -> str:
    """The part that a script brings to life; it stays hidden where there is none."""
    return (
        '<div class="viewer" id="viewer" hidden><div class="controls" role="group" aria-label="Step through the plan">'
        '<button type="button" data-go="first"><span aria-hidden="true">«</span> Start</button>'
        '<button type="button" data-go="previous"><span aria-hidden="true">‹</span> Previous</button>'
        '<button type="button" data-go="next">Next <span aria-hidden="true">›</span></button>'
        '<button type="button" data-go="last">End <span aria-hidden="true">»</span></button>'
        f'<input type="range" id="slider" min="0" max="{len(trace.steps)}" value="0" aria-label="Step of the plan">'
        '</div><p class="now" id="now" aria-live="polite"></p>'
        '<h3>State <span class="legend"><ins>added</ins> <del>deleted</del> by this step</span></h3>'
        f'<ul class="facts" id="facts" tabindex="0" aria-label="Facts of this state"></ul>'
        f"{stop_note(trace, 'The viewer')}</div>"
    )


def _goal(trace: Trace) -> str:
    rows = "".join(
        f'<li><span class="tick"></span><code>{escape(part.text)}</code> '
        f'<span class="when">{_when(part, len(trace.steps))}</span></li>'
        for part in trace.goals
    )
    more = ""
    if trace.untracked:
        left = f"{many(trace.untracked, 'more condition')} of the goal left out here; the verdict above covers all"
        more = f'<p class="cut">{left}.</p>'
    empty = "" if trace.goals or trace.untracked else "<p>The goal is empty: it holds in every state.</p>"
    return f'<h3>Goal</h3><ul class="goals" id="goals">{rows}</ul>{empty}{more}'


def _when(part: GoalPart, last: int) -> str:
    ranges = part.ranges(last)
    if not ranges:
        return "holds at no time"
    if ranges == [(0, last)]:
        return "holds throughout"
    words = []
    for start, end in ranges[:12]:
        if start == 0:
            words.append("at the start" if end == 0 else f"from the start to step {end}")
        elif end == last:
            words.append(f"from step {start} to the end")
        else:
            words.append(f"after step {start}" if start == end else f"after steps {start} to {end}")
    more = f", and {len(ranges) - 12} more times" if len(ranges) > 12 else ""
    return f"holds {', '.join(words)}{more}"


def _rest(trace: Trace) -> list[str]:
    """What the states above do not hold, folded."""
    parts = [_folded("that no action can change", trace.static, trace.hidden_static)]
    if len(trace.lasting) > FEW_FACTS:
        which = "that no step of this plan changes, although actions could"
        parts.append(_folded(which, trace.lasting, trace.hidden_lasting))
    if not trace.shows_derived:
        parts.append('<p class="cut">Derived facts are left out of the states: they are too many.</p>')
    return parts


def _folded(which: str, facts: Sequence[str], hidden: int) -> str:
    if not facts and not hidden:
        return ""
    items = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    more = f'<p class="cut">{many(hidden, "more fact")} left out.</p>' if hidden else ""
    title = f"{many(len(facts) + hidden, 'fact')} {which}"
    return f'<details class="rest"><summary>{title}</summary><ul class="facts">{items}</ul>{more}</details>'


def _data(trace: Trace, verdict: Verdict) -> str:
    """What the viewer needs, as JSON: facts by number, changes as lists of numbers."""
    lasting = trace.lasting if len(trace.lasting) <= FEW_FACTS else ()
    facts = sorted((*trace.changing, *lasting), key=natural)
    index = {fact: number for number, fact in enumerate(facts)}
    start = sorted(index[fact] for fact in (*trace.start, *lasting))
    costs = verdict.measure != "steps"
    steps = [
        [
            step.text,
            [index[fact] for fact in step.added],
            [index[fact] for fact in step.deleted],
            *([step.cost] if costs else []),
        ]
        for step in trace.steps
    ]
    return script_json({"facts": facts, "start": start, "steps": steps, "goals": [part.flips for part in trace.goals]})
