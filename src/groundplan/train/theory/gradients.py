"""The hacking gain of Theorem 3.1 on a policy's real gradients: how much of g_hack the Judge and the Editor see.

Nothing here forms a P x P matrix: the seen directions are the span of the few gradient rows that were sampled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from groundplan.train.policy import Role, RolePolicy, part_of


@dataclass(frozen=True, slots=True)
class NeutralSubspace:
    """The admissible steps of Eq. 21, told by what they must avoid.

    A step may move the parameters in `free` (P,), theta_sh and theta_A, along nothing in `basis` (P, rank), whose
    orthonormal columns span the Judge's and Editor's gradients there. `actor` (P,) marks theta_A. `rank` is that of
    Sigma_JE (Eq. 22) as far as sampled: `rows` gradients cannot show more than `rows` directions, so that it bounds the
    true rank from below. `effective_rank` is exp of the entropy of Sigma_JE's eigenvalues as shares of their sum.
    """

    free: Tensor
    actor: Tensor
    basis: Tensor
    rank: int
    effective_rank: float
    rows: int

    @property
    def dimension(self) -> int:
        """p - r + h: the directions in which a step is neutral."""
        return int(self.free.sum()) - self.rank

    def project(self, gradient: Tensor) -> Tensor:
        """The part of `gradient` (P,) that lies in the neutral subspace."""
        kept = torch.where(self.free, gradient, 0).to(self.basis.dtype)
        for _ in range(2):  # the second pass takes away what rounding left of the first
            kept = kept - self.basis @ (self.basis.T @ kept)
        return kept


@dataclass(frozen=True, slots=True)
class HackingGain:
    """Norms of g_hack (Eq. 8): the largest first-order gains of a step of length one.

    `whole`: any step. `neutral`: a step of Eq. 21, as far as the Judge's and Editor's directions were sampled. `head`:
    a step of the Actor's own parameters alone, which is all that Assumption E.1 leaves. `isotropic` is the part of
    `whole` that would be neutral if g_hack pointed nowhere in particular: sqrt((p - r + h) / (p + h)).
    """

    whole: float
    neutral: float
    head: float
    isotropic: float

    @property
    def share(self) -> float:
        """neutral / whole; below `isotropic` where the Judge and the Editor see hacking better than by chance."""
        return self.neutral / self.whole if self.whole else 0.0


def flat_gradient(loss: Tensor, parameters: Iterable[Tensor], keep_graph: bool = False) -> Tensor:
    """The gradient of `loss` in `parameters`, in their order, as one vector (P,); 0 where the loss does not reach.

    `keep_graph` allows for another gradient of the same loss, or of one that shares its computation.
    """
    items = list(parameters)
    found = torch.autograd.grad(loss, items, retain_graph=keep_graph, allow_unused=True)
    pieces = [torch.zeros_like(item) if part is None else part for item, part in zip(items, found, strict=True)]
    return torch.cat([piece.detach().reshape(-1) for piece in pieces])


def gradient_rows(losses: Iterable[Tensor], parameters: Iterable[Tensor]) -> Tensor:
    """The gradients of k losses (one a sample or trajectory) as rows (k, P)."""
    items = list(parameters)
    return torch.stack([flat_gradient(loss, items, keep_graph=True) for loss in losses])


def coordinates(policy: RolePolicy, *parts: str) -> Tensor:
    """Which coordinates of the policy's trainable parameters, in the order of `trainable()`, lie in one of `parts`."""
    separate = policy.settings.separate
    pieces = [
        torch.full((item.numel(),), part_of(name, separate) in parts, device=item.device)
        for name, item in policy.trainable()
    ]
    return torch.cat(pieces)


def neutral_subspace(
    policy: RolePolicy, judge_grads: Tensor, editor_grads: Tensor, tolerance: float = 1e-6
) -> NeutralSubspace:
    """The steps that change neither the Judge's nor the Editor's objective to first order (Eqs. 21, 22).

    The rows (k, P) are stochastic gradients over all of `policy.trainable()`, in its order; only their part on theta_sh
    and theta_A counts, since a step leaves theta_J and theta_E alone. With separate models no row reaches theta_A and
    the Actor is free. Singular values below `tolerance` times the largest count as 0; give float64 rows for a sharp
    rank. Memory is that of the rows. Raises ValueError where the rows do not fit the policy.
    """
    free, actor = coordinates(policy, "shared", Role.ACTOR), coordinates(policy, Role.ACTOR)
    for name, rows in (("judge_grads", judge_grads), ("editor_grads", editor_grads)):
        if rows.ndim != 2 or not len(rows) or rows.shape[1] != len(free):
            raise ValueError(
                f"{name} has shape {tuple(rows.shape)}; wanted are one or more rows of {len(free)} numbers, "
                "one for each trainable parameter of the policy"
            )
    # Sigma_JE = M^T M for these rows M, so that its eigenvectors are M's right singular vectors
    scaled = torch.cat([rows / math.sqrt(len(rows)) for rows in (judge_grads, editor_grads)])
    tall = torch.where(free, scaled, 0).to(torch.promote_types(scaled.dtype, torch.float32)).T
    frame, small = torch.linalg.qr(tall)
    turned, values, _ = torch.linalg.svd(small)
    rank = int((values > tolerance * values[0]).sum()) if values[0] > 0 else 0
    basis = frame @ turned[:, :rank]
    return NeutralSubspace(free, actor, basis, rank, effective_rank(values**2), len(scaled))


def effective_rank(eigenvalues: Tensor) -> float:
    """exp of the entropy of the eigenvalues as shares of their sum: d for d equal ones and else zeros; 0 for none."""
    total = eigenvalues.sum()
    if not total > 0:
        return 0.0
    shares = eigenvalues[eigenvalues > 0] / total
    return float(torch.exp(-(shares * shares.log()).sum()))


def hacking_gain(actor_grad: Tensor, correctness_grad: Tensor, a: float, basis: NeutralSubspace) -> HackingGain:
    """g_hack = grad J_A - a grad C (Eq. 8), whole and in the neutral subspace `basis`.

    Both gradients (P,) are over the policy's trainable parameters. The paper leaves a > 0 open; 1 + lambda_J is the
    factor by which J_A follows correctness where the solver and the Judge do (Theorem F.8). Raises ValueError for
    another a.
    """
    if not a > 0:
        raise ValueError(f"a is above 0 in Eq. 8, not {a}")
    gradient = (actor_grad - a * correctness_grad).to(basis.basis.dtype)
    return HackingGain(
        whole=float(gradient.norm()),
        neutral=float(basis.project(gradient).norm()),
        head=float(gradient[basis.actor].norm()),
        isotropic=math.sqrt(basis.dimension / int(basis.free.sum())),
    )
