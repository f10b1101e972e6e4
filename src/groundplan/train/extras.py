"""Rewards without a reference, beyond the solver's: each logged by its name, weighed by the settings (0 in the paper).

`coverage`: the share of the text's names that the problem declares, and of declared objects that some fact is about.
`agreement`: the share of a task's other samples that say the same. `cycle`: how much likelier the text becomes for the
bare backbone when the problem stands before it, in nats a token, squashed to [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from groundplan.train.environment import form_or_none
from groundplan.train.episode import Episode, Stage
from groundplan.train.grammar import names_in
from groundplan.train.problem_form import ProblemForm
from groundplan.train.rewards import RewardSettings

KINDS = ("coverage", "agreement", "cycle")


def extra_rewards(
    stage: Stage, episodes: Sequence[Episode], rewards: RewardSettings
) -> tuple[list[float], dict[str, float]]:
    """What is added to each Actor's reward, and the mean of each kind that has a weight."""
    total, logged = [0.0] * len(episodes), {}
    for kind in KINDS:
        weight = getattr(rewards, kind)
        if not weight:
            continue
        values = _SCORES[kind](stage, episodes)
        logged[kind] = sum(values) / len(values)
        total = [before + weight * value for before, value in zip(total, values, strict=True)]
    return total, logged


def _coverage(_: Stage, episodes: Sequence[Episode]) -> list[float]:
    return [coverage(item.task.text, form_or_none(item.first.reply.text)) for item in episodes]


def coverage(text: str, form: ProblemForm | None) -> float:
    """Half for names with a digit or underscore (numbers and names in a row) that are declared, half for objects in
    use; in [0, 1], and 0 for what cannot be read."""
    if form is None or not form.objects:
        return 0.0
    declared = [name for name, _ in form.objects]
    used = {term for fact in (*form.init, *form.goal) for term in fact[1:]}
    marked = {word for word in names_in(text) if any(sign.isdigit() for sign in word) and word in text.lower()}
    named = sum(word in declared for word in marked) / len(marked) if marked else 1.0
    return 0.5 * named + 0.5 * sum(name in used for name in declared) / len(declared)


def _agreement(_: Stage, episodes: Sequence[Episode]) -> list[float]:
    said = [_meaning(form_or_none(item.first.reply.text)) for item in episodes]
    found = []
    for place, item in enumerate(episodes):
        others = [
            said[other] for other, peer in enumerate(episodes) if other != place and peer.task.name == item.task.name
        ]
        same = sum(other == said[place] for other in others if said[place] is not None)
        found.append(same / len(others) if others else 0.0)
    return found


def _meaning(form: ProblemForm | None) -> object:
    return form and (frozenset(form.objects), frozenset(form.init), frozenset(form.goal))


def _cycle(stage: Stage, episodes: Sequence[Episode]) -> list[float]:
    found = []
    for item in episodes:
        text = stage.encode(item.task.text)
        alone = _log_likelihood(stage, stage.encode("Task:\n"), text)
        told = _log_likelihood(stage, stage.encode(f"{item.first.reply.text}\nTask:\n"), text)
        found.append(1 / (1 + math.exp(-(told - alone))))
    return found


@torch.no_grad()
def _log_likelihood(stage: Stage, context: Sequence[int], text: Sequence[int]) -> float:
    """Mean log-probability a token of `text` after `context` under the bare backbone."""
    model = stage.policy.activate(None)
    ids = torch.tensor([[*context, *text]], device=stage.policy.device)
    logits = model(input_ids=ids).logits[0, len(context) - 1 : -1].float()
    targets = ids[0, len(context) :]
    return float(logits.log_softmax(-1).gather(-1, targets[:, None]).mean())


_SCORES = {"coverage": _coverage, "agreement": _agreement, "cycle": _cycle}
