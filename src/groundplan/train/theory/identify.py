"""Proposition D.1 by construction: a reward for the end alone does not tell good first specifications from bad ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Monolith:
    """A policy that writes and repairs, in exact numbers.

    `initial` is C_init, the chance that its first specification is correct; `final_return` the mean of b_T - beta T;
    `first_label` the mean of b_0, an Actor's own signal; `disagreement` the chance of b_0 != c_0.
    """

    initial: Fraction
    final_return: Fraction
    first_label: Fraction
    disagreement: Fraction


@dataclass(frozen=True, slots=True)
class _Specification:
    """A point on the way of repair: whether it means what the task says, and how many repairs it still needs."""

    correct: bool
    missing: int

    @property
    def solved(self) -> bool:
        return self.missing == 0


def monolith(alpha: float | Fraction, beta: float | Fraction, steps: int) -> Monolith:
    """The proof's initializer for one task: y+ (correct) with probability `alpha`, y- (incorrect) otherwise, both
    solved after exactly `steps` (T+) repairs that cost `beta` each. Floats are taken at their exact value.

    The final return is 1 - beta T+ whatever alpha is. So is the first label: 0 for T+ > 0 and 1 for T+ = 0. The Actor's
    signal is a guide to C_init only as far as solver and reference agree at first, |E b_0 - C_init| <= Pr(b_0 != c_0)
    (Appendix D), and `disagreement` is alpha or 1 - alpha here. Where correct means solved and faithful (Eq. 74), y+
    is solved at once, and the construction needs T+ = 0.

    Raises ValueError for an alpha outside [0, 1], a negative beta or a negative number of steps.
    """
    share, price = Fraction(alpha), Fraction(beta)
    if not 0 <= share <= 1 or price < 0 or steps < 0:
        raise ValueError(
            f"alpha lies in [0, 1], beta and steps are 0 or more; not alpha {alpha}, beta {beta}, steps {steps}"
        )
    starts = ((share, _Specification(True, steps)), (1 - share, _Specification(False, steps)))
    return Monolith(
        initial=sum((chance for chance, start in starts if start.correct), Fraction(0)),
        final_return=sum((chance * _final_return(start, price) for chance, start in starts), Fraction(0)),
        first_label=sum((chance for chance, start in starts if start.solved), Fraction(0)),
        disagreement=sum((chance for chance, start in starts if start.solved != start.correct), Fraction(0)),
    )


def _final_return(specification: _Specification, price: Fraction) -> Fraction:
    """Play Algorithm 1's repairs: each brings the specification one step nearer, until the solver succeeds."""
    taken = 0
    while not specification.solved:
        specification = _Specification(specification.correct, specification.missing - 1)
        taken += 1
    return int(specification.solved) - price * taken
