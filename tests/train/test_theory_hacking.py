"""Theorem 3.1: the simulation against exact values, and the measurement on a small policy's gradients."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

from groundplan.train.backbone import tiny_backbone  # noqa: E402
from groundplan.train.logprobs import reply_log_probs  # noqa: E402
from groundplan.train.losses import judge_loss  # noqa: E402
from groundplan.train.policy import PolicySettings, Role, RolePolicy  # noqa: E402
from groundplan.train.theory.gradients import (  # noqa: E402
    NeutralSubspace,
    coordinates,
    effective_rank,
    flat_gradient,
    gradient_rows,
    hacking_gain,
    neutral_subspace,
)
from groundplan.train.theory.hacking import Arm, Simulation, expected_norm, simulate  # noqa: E402

SIZES = [128, 512, 2048, 8192, 32768]
HEAD = 32

# --- simulation -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def simulated() -> Simulation:
    return simulate(SIZES, HEAD, rank=0.9, sigma=0.5, draws=200, seed=3)


def test_hacking_grows_with_the_root_of_the_parameters_only_where_they_are_the_actors_own(simulated) -> None:
    assert simulated.exponents[Arm.SEPARATE] == pytest.approx(0.5, abs=0.05)
    assert simulated.exponents[Arm.SHARED] == pytest.approx(0, abs=0.05)


def test_unseen_directions_of_a_fixed_share_let_hacking_grow_again(simulated) -> None:
    assert 0.3 < simulated.exponents[Arm.NEUTRAL] < 0.55
    assert simulate([2**14, 2**17], HEAD, rank=0.9, draws=10).exponents[Arm.NEUTRAL] == pytest.approx(0.5, abs=0.05)


def test_measured_gains_are_the_exact_ones(simulated) -> None:
    assert len(simulated.rows) == len(SIZES) * len(Arm)
    for row in simulated.rows:
        assert row.gain == pytest.approx(row.predicted, abs=3 * row.error)
        assert 0 < row.error < 0.02 * row.gain


def test_dimensions_are_those_of_the_admissible_steps(simulated) -> None:
    at = {(row.arm, row.parameters): row.dimension for row in simulated.rows}
    for size in SIZES:
        assert at[Arm.SEPARATE, size] == size
        assert at[Arm.SHARED, size] == HEAD
        assert at[Arm.NEUTRAL, size] == size - round(0.9 * (size - HEAD))
    some = {(row.arm, row.parameters): row.dimension for row in simulate([40, 400], HEAD, rank=100, draws=2).rows}
    assert some[Arm.NEUTRAL, 40] == HEAD
    assert some[Arm.NEUTRAL, 400] == 300


@given(st.integers(1, 30_000), st.floats(0.1, 10))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_the_exact_mean_lies_between_the_papers_bounds(dimension, sigma) -> None:
    found = expected_norm(dimension, sigma)
    assert sigma * math.sqrt(dimension - 1) <= found <= sigma * math.sqrt(dimension) * (1 + 1e-12)
    assert found < expected_norm(dimension + 1, sigma)


def test_exact_means_are_known_and_the_series_meets_them() -> None:
    assert expected_norm(0) == 0
    assert expected_norm(1) == pytest.approx(math.sqrt(2 / math.pi))
    assert expected_norm(2) == pytest.approx(math.sqrt(math.pi / 2))
    assert expected_norm(3, 2.0) == pytest.approx(4 * math.sqrt(2 / math.pi))
    # E||g||_d E||g||_{d+1} = d for every d, on both sides of the change to the series
    for dimension in (5, 9_999, 10_000, 10_001, 10**9):
        assert expected_norm(dimension) * expected_norm(dimension + 1) == pytest.approx(dimension, rel=1e-10)


def test_a_random_frame_gives_what_the_coordinates_give() -> None:
    """The seen directions of the simulation are coordinates; here they are the span of random Judge gradients."""
    generator = np.random.default_rng(5)
    size, seen, draws = 60, 40, 3000
    frame = np.linalg.qr(generator.standard_normal((size, seen)))[0]
    drawn = generator.standard_normal((draws, size))
    kept = np.linalg.norm(drawn - drawn @ frame @ frame.T, axis=1)
    assert kept.mean() == pytest.approx(expected_norm(size - seen), abs=3 * kept.std() / math.sqrt(draws))


@pytest.mark.parametrize(
    "wrong",
    [
        {"parameters": [100]},
        {"parameters": [100, 100]},
        {"head": 0},
        {"head": 100},
        {"rank": 1.5},
        {"rank": -1},
        {"sigma": 0.0},
        {"draws": 1},
    ],
)
def test_a_simulation_that_cannot_be_is_refused(wrong) -> None:
    with pytest.raises(ValueError, match="not"):
        simulate(**{"parameters": [100, 200], "head": 10, **wrong})


def test_a_seed_fixes_the_simulation() -> None:
    assert simulate([50, 100], 5, draws=4, seed=1) == simulate([100, 50], 5, draws=4, seed=1)
    assert simulate([50, 100], 5, draws=4, seed=1) != simulate([50, 100], 5, draws=4, seed=2)


# --- real gradients ---------------------------------------------------------------------------------------------------

CONTEXTS = [[5, 6, 7], [8], [9, 10, 11, 12], [20, 3]]
REPLIES = [[30, 31], [32, 33, 34], [35], [36, 37]]
SOLVED = [1.0, 0.0, 1.0, 0.0]
CORRECT = [1.0, 0.0, 0.0, 0.0]


def small(**settings_) -> RolePolicy:
    """Moved a little away from its start, where adapters and heads are 0 and half of the gradients vanish."""
    policy = RolePolicy(tiny_backbone(1, layers=1, width=16), PolicySettings(role_rank=2, **settings_)).double()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for name, item in policy.named_parameters():
            if "lora_B" in name or "judge_head" in name:
                item.copy_(0.1 * torch.randn(item.shape, generator=generator, dtype=item.dtype))
    return policy


def rows_of(policy: RolePolicy) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """A Judge's and an Editor's gradient for each sample; the Actor's for all, and that of correctness."""
    parameters = [item for _, item in policy.trainable()]
    logits = policy.judge_logits(CONTEXTS)
    judge = gradient_rows(
        (judge_loss(logits[i : i + 1], torch.tensor([SOLVED[i]], dtype=torch.double), 0.5, 0.5) for i in range(4)),
        parameters,
    )
    repairs, _ = reply_log_probs(policy, Role.EDITOR, CONTEXTS, REPLIES, [None] * 4)
    editor = gradient_rows((log.sum() * (label - 0.4) for log, label in zip(repairs, SOLVED, strict=True)), parameters)
    first, _ = reply_log_probs(policy, Role.ACTOR, CONTEXTS, REPLIES, [None] * 4)
    sums = torch.stack([log.sum() for log in first])
    actor = flat_gradient((sums * torch.tensor(SOLVED)).mean(), parameters, keep_graph=True)
    correct = flat_gradient((sums * torch.tensor(CORRECT)).mean(), parameters)
    return judge, editor, actor, correct


@pytest.fixture(scope="module", params=["full", "lora", "frozen"])
def shared(request) -> tuple[RolePolicy, tuple[torch.Tensor, ...], NeutralSubspace]:
    policy = small(backbone=request.param, shared_rank=2)
    rows = rows_of(policy)
    return policy, rows, neutral_subspace(policy, *rows[:2])


def test_a_neutral_step_is_orthogonal_to_every_gradient_of_judge_and_editor(shared) -> None:
    _, (judge, editor, actor, correct), found = shared
    step = found.project(actor - 1.1 * correct)
    assert step.norm() > 0
    for row in torch.cat([judge, editor]):
        assert row.norm() > 0
        assert abs(float(row @ step)) <= 1e-9 * float(row.norm() * step.norm())
    assert torch.allclose(found.project(step), step, atol=1e-12)


def test_a_neutral_step_leaves_the_other_roles_parameters_alone(shared) -> None:
    policy, (_, _, actor, correct), found = shared
    step = found.project(actor - correct)
    assert not step[coordinates(policy, Role.JUDGE, Role.EDITOR)].any()
    count = sum(item.numel() for _, item in policy.trainable())
    parts = [int(coordinates(policy, part).sum()) for part in ("shared", *Role)]
    assert sum(parts) == count
    assert found.dimension == parts[0] + parts[1] - found.rank


def test_gains_are_ordered_and_reached(shared) -> None:
    _, (_, _, actor, correct), found = shared
    gain = hacking_gain(actor, correct, 1.1, found)
    assert 0 < gain.head <= gain.neutral <= gain.whole
    assert 0 < gain.share <= 1
    gradient = actor - 1.1 * correct
    assert gain.whole == pytest.approx(float(gradient.norm()))
    best = found.project(gradient)
    assert float(gradient @ best / best.norm()) == pytest.approx(gain.neutral)
    other = found.project(torch.randn(len(gradient), generator=torch.Generator().manual_seed(0), dtype=torch.double))
    assert float(gradient @ other / other.norm()) <= gain.neutral


def test_the_rank_is_that_of_the_sampled_rows(shared) -> None:
    policy, (judge, editor, _, _), found = shared
    seen = torch.cat([judge, editor])[:, coordinates(policy, "shared")]
    assert found.rank == (int(torch.linalg.matrix_rank(seen, rtol=1e-6)) if seen.shape[1] else 0)
    assert found.rows == 8
    assert found.effective_rank <= found.rank + 1e-9
    assert (found.effective_rank >= 1) == (found.rank > 0)
    twice = neutral_subspace(policy, judge.repeat(2, 1), editor.repeat(3, 1))
    assert twice.rank == found.rank
    assert twice.effective_rank == pytest.approx(found.effective_rank)


def test_the_effective_rank_is_that_of_sigma_formed_in_full() -> None:
    policy = small(backbone="lora", shared_rank=1)
    judge, editor, _, _ = rows_of(policy)
    judge, shared = judge[:3], coordinates(policy, "shared")
    sigma = judge[:, shared].T @ judge[:, shared] / 3 + editor[:, shared].T @ editor[:, shared] / 4
    values = torch.linalg.eigvalsh(sigma).clamp(min=0)
    found = neutral_subspace(policy, judge, editor)
    assert found.effective_rank == pytest.approx(effective_rank(values), rel=1e-6)
    assert float((sigma @ found.project(torch.ones(len(shared), dtype=torch.double))[shared]).norm()) < 1e-9


def test_a_frozen_backbone_leaves_the_actors_head_alone() -> None:
    policy = small(backbone="frozen")
    judge, editor, actor, correct = rows_of(policy)
    found = neutral_subspace(policy, judge, editor)
    gain = hacking_gain(actor, correct, 1.0, found)
    assert found.rank == 0
    assert gain.neutral == gain.head == pytest.approx(gain.whole)


def test_separate_models_leave_the_whole_gain() -> None:
    policy = small(separate=True)
    judge, editor, actor, correct = rows_of(policy)
    assert judge.any()
    assert editor.any()
    found = neutral_subspace(policy, judge, editor)
    gain = hacking_gain(actor, correct, 1.1, found)
    assert found.rank == 0
    assert gain.whole > 0
    assert gain.neutral == pytest.approx(gain.whole, rel=1e-12)
    assert gain.share == pytest.approx(gain.isotropic) == pytest.approx(1)


def test_the_judges_own_direction_cannot_be_used() -> None:
    policy = small(backbone="full")
    judge, editor, actor, _ = rows_of(policy)
    found = neutral_subspace(policy, judge, editor)
    gain = hacking_gain(judge.sum(0) + editor[1], torch.zeros_like(actor), 1.0, found)
    assert gain.whole > 0
    assert gain.share < 1e-9 < gain.isotropic


def test_the_effective_rank_counts_equal_eigenvalues() -> None:
    assert effective_rank(torch.tensor([3.0, 3.0, 3.0, 0.0])) == pytest.approx(3)
    assert effective_rank(torch.tensor([1.0, 1e-9])) == pytest.approx(1, abs=1e-6)
    assert effective_rank(torch.zeros(4)) == 0


def test_a_flat_gradient_keeps_the_order_and_fills_what_is_not_reached() -> None:
    one, two, three = (torch.ones(shape, requires_grad=True) for shape in ((2, 2), (3,), (1,)))
    found = flat_gradient((2 * one).sum() + (three**3).sum(), [one, two, three])
    assert found.tolist() == [2, 2, 2, 2, 0, 0, 0, 3]
    assert not found.requires_grad


def test_rows_that_do_not_fit_and_a_factor_of_no_use_are_refused() -> None:
    policy = small(backbone="frozen")
    judge, editor, actor, correct = rows_of(policy)
    for wrong in (judge[:, 1:], judge[0], judge[:0]):
        with pytest.raises(ValueError, match="judge_grads has shape"):
            neutral_subspace(policy, wrong, editor)
    with pytest.raises(ValueError, match="editor_grads"):
        neutral_subspace(policy, judge, editor[:, 1:])
    with pytest.raises(ValueError, match="above 0"):
        hacking_gain(actor, correct, 0.0, neutral_subspace(policy, judge, editor))
