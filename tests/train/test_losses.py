"""Every equation against a slow reading of it in float64, one number at a time."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from groundplan.train.advantages import discounted, leave_one_out  # noqa: E402
from groundplan.train.losses import (  # noqa: E402
    band,
    divergence,
    judge_loss,
    judge_reward,
    judge_reward_loss,
    ppo_loss,
    total_loss,
)
from groundplan.train.rewards import RewardSettings, actor_reward, editor_reward  # noqa: E402

quick = settings(max_examples=60, deadline=None, derandomize=True)
number = st.floats(-3, 3, allow_nan=False)
unit = st.floats(0.01, 0.99)
label = st.sampled_from([0.0, 1.0])
replies = st.lists(
    st.tuples(st.lists(st.tuples(number, number), min_size=1, max_size=5), number), min_size=1, max_size=5
)


def t(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


@quick
@given(replies, st.floats(0.05, 0.4))
def test_eq_11_by_reply(samples, clip) -> None:
    expected = 0.0
    for pairs, advantage in samples:
        q = math.exp(sum(new for new, _ in pairs) - sum(old for _, old in pairs))
        clipped = max(1 - clip, min(1 + clip, q))
        expected -= min(q * advantage, clipped * advantage) / len(samples)
    new = [t([n for n, _ in pairs]) for pairs, _ in samples]
    old = [t([o for _, o in pairs]) for pairs, _ in samples]
    found = ppo_loss(new, old, t([a for _, a in samples]), clip, "sequence")
    assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@quick
@given(replies, st.floats(0.05, 0.4))
def test_eq_11_by_token(samples, clip) -> None:
    terms = []
    for pairs, advantage in samples:
        for new, old in pairs:
            q = math.exp(new - old)
            terms.append(min(q * advantage, max(1 - clip, min(1 + clip, q)) * advantage))
    new = [t([n for n, _ in pairs]) for pairs, _ in samples]
    old = [t([o for _, o in pairs]) for pairs, _ in samples]
    found = ppo_loss(new, old, t([a for _, a in samples]), clip, "token")
    assert float(found) == pytest.approx(-sum(terms) / len(terms), rel=1e-9, abs=1e-9)


@quick
@given(st.lists(st.tuples(st.floats(-5, 5), label), min_size=1, max_size=6), st.floats(0, 2), st.floats(0.1, 0.9))
def test_eqs_5_and_12_of_the_judge(samples, lambda_band, tau) -> None:
    expected = 0.0
    for logit, b in samples:
        s = 1 / (1 + math.exp(-logit))
        cross = -b * math.log(s) - (1 - b) * math.log(1 - s)
        penalty = (1 - b) * max(0.0, s - tau) ** 2 + 0.5 * b * max(0.0, tau - s) ** 2
        assert float(band(t([s]), t([b]), tau)[0]) == pytest.approx(penalty, abs=1e-12)
        expected += (cross + lambda_band * penalty) / len(samples)
    found = judge_loss(t([x for x, _ in samples]), t([b for _, b in samples]), lambda_band, tau)
    assert float(found) == pytest.approx(expected, rel=1e-9)


@quick
@given(st.floats(-5, 5), label, st.floats(0.1, 0.9))
def test_a4_reward_of_the_judge(logit, b, tau) -> None:
    s = 1 / (1 + math.exp(-logit))
    if s > tau:
        expected = 1.0 if b == 1 else -1.0
    else:
        expected = 0.5 if b == 0 else -0.5
    assert float(judge_reward(t([s]), t([b]), tau)[0]) == expected
    passed, held = (1.0, -0.5) if b == 1 else (-1.0, 0.5)
    loss = judge_reward_loss(t([logit]), t([b]))
    assert float(loss) == pytest.approx(-(s * passed + (1 - s) * held), rel=1e-9)


def test_a4_gradient_drives_the_score_to_the_label() -> None:
    logits = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    judge_reward_loss(logits, t([1.0, 0.0])).backward()
    assert logits.grad[0] < 0 < logits.grad[1]


@quick
@given(number, number, number, st.floats(0, 1), st.floats(0, 1))
def test_eq_6(actor, editor, judge, lambda_e, lambda_j) -> None:
    found = total_loss(t(actor), t(editor), t(judge), lambda_e, lambda_j)
    assert float(found) == pytest.approx(actor + lambda_e * editor + lambda_j * judge)


@quick
@given(st.booleans(), unit, st.integers(0, 5))
def test_eq_5_rewards_with_the_papers_constants(solved, score, steps) -> None:
    settings_ = RewardSettings()
    assert actor_reward(settings_, solved, score) == pytest.approx(solved + 0.3 * score)
    assert actor_reward(settings_, solved, None) == solved
    assert editor_reward(settings_, solved, steps) == pytest.approx(solved - 0.1 * steps)
    blind = RewardSettings(reward="solver-only")
    assert actor_reward(blind, solved, score) == editor_reward(blind, solved, steps) == float(solved)


@quick
@given(st.lists(st.tuples(st.integers(0, 2), number), min_size=1, max_size=9))
def test_leave_one_out_is_the_mean_of_the_others(samples) -> None:
    groups, rewards = [g for g, _ in samples], [r for _, r in samples]
    found = leave_one_out(t(rewards), groups).tolist()
    for place, group in enumerate(groups):
        others = [r for i, r in enumerate(rewards) if i != place and groups[i] == group]
        others = others or [r for i, r in enumerate(rewards) if i != place]
        expected = rewards[place] - sum(others) / len(others) if others else 0.0
        assert found[place] == pytest.approx(expected, abs=1e-9)


@quick
@given(number, st.integers(0, 6), st.floats(0.1, 1))
def test_returns_are_discounted_from_the_end(last, steps, gamma) -> None:
    found = discounted(last, steps, gamma)
    value = last
    for seen in reversed(found):
        assert seen == pytest.approx(value)
        value *= gamma


@quick
@given(st.lists(st.tuples(number, number), min_size=1, max_size=6))
def test_divergence_is_never_negative_and_zero_for_the_same(pairs) -> None:
    new, old = t([n for n, _ in pairs]), t([o for _, o in pairs])
    assert float(divergence([new], [old])) >= -1e-12
    assert float(divergence([new], [new])) == pytest.approx(0.0, abs=1e-12)
