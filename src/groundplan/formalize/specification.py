"""What a formalization run works on: a specification, what the solver said of it, and the result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.pddl.ast import Task
from groundplan.pddl.diagnostics import Diagnostic
from groundplan.solve.outcome import Outcome, Status

MAX_REPAIRS = 5
"""H_max of the multi-role paper (Table 7): Editor repairs for one task, so that K = 6 solver calls are made at most."""


@dataclass(frozen=True, slots=True)
class Specification:
    """A domain and a problem as texts, y = (y_dom, y_prob) of the multi-role paper (section 3.1).

    An empty text is a part that no reply has given yet.
    """

    domain: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """A sign that a specification may not say what the text says; needs no reference.

    `severity` is "error" for a hard reject (the specification cannot be what was asked for), else "warning" or
    "info". `evidence` names the words, objects or atoms that the finding rests on.
    """

    name: str
    severity: str
    message: str
    evidence: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "severity": self.severity,
            "message": self.message,
            "evidence": list(self.evidence),
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """(b, d) = E(y), Eq. 1: whether a specification is executable, and if not, why.

    `task` is None where the texts do not make a task; `outcome` is None where no engine was asked. `explained` is the
    explanation that an earlier session of the run gave, where it must be the same again to the letter.
    """

    solved: bool
    diagnostics: tuple[Diagnostic, ...]
    task: Task | None = None
    outcome: Outcome | None = None
    reason: str = ""
    explained: str = ""

    @property
    def accepted(self) -> bool:
        return self.solved

    @property
    def explanation(self) -> str:
        """The diagnostics in the compact form that goes to the Editor, errors first."""
        if self.explained:
            return self.explained
        ordered = sorted(self.diagnostics, key=lambda found: not found.is_error)
        return "\n".join(found.as_compact() for found in ordered) or self.reason


@dataclass(frozen=True, slots=True)
class Judgement:
    """The Judge's score in [0, 1] and its reasons; `score` is None when the reply held no score."""

    score: float | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One specification of a run: who wrote it ("actor" or "editor"), and what the solver said."""

    role: str
    specification: Specification
    verification: Verification
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """Which of a run's samples are the same task; samples are numbered from 0.

    `clusters` holds the executable samples, the largest cluster first; `difference` says in words how the second
    cluster differs from the first; `undecided` are pairs that were neither proved the same nor refuted, and so stay
    apart.
    """

    samples: int
    clusters: tuple[tuple[int, ...], ...] = ()
    difference: str = ""
    undecided: tuple[tuple[int, int], ...] = ()

    @property
    def executable(self) -> int:
        return sum(map(len, self.clusters))

    @property
    def share(self) -> float:
        """Size of the largest cluster over all samples that were asked for, in [0, 1]."""
        return len(self.clusters[0]) / self.samples if self.clusters else 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "samples": self.samples,
            "executable": self.executable,
            "share": self.share,
            "clusters": [list(cluster) for cluster in self.clusters],
            "difference": self.difference,
            "undecided": [list(pair) for pair in self.undecided],
        }


class Blame(StrEnum):
    """What made a run fail, where its status is FAILED."""

    SERVER = "server"
    """The model's server cannot be reached, or refuses more requests: for the user to mend."""
    NO_PDDL = "no PDDL"
    """The last reply held no PDDL: the model, or the text, is not fit for this."""
    SPECIFICATION = "specification"
    """The PDDL is still not valid after all repairs."""
    MODEL = "model"
    """The model failed in another way (a fault of its server, no answer in time)."""
    ENGINE = "engine"
    """The planner broke."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a formalization run returns: the first executable specification, else the last one (section 3.3).

    Of several samples, `rounds` are those of the sample that is returned; `agreement` is None for one sample.
    """

    text: str
    status: Status
    reason: str
    rounds: tuple[Round, ...]
    signals: tuple[Signal, ...] = ()
    judgement: Judgement | None = None
    model: str = ""
    given_domain: bool = False
    model_calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    blame: Blame | None = None
    agreement: Agreement | None = None

    @property
    def final(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def solver_calls(self) -> int:
        """How many specifications were verified; a reply without PDDL costs none."""
        return sum(all(found.code != "no-pddl-in-reply" for found in r.verification.diagnostics) for r in self.rounds)

    @property
    def repairs(self) -> int:
        return max(0, len(self.rounds) - 1)

    def as_json(self) -> dict[str, Any]:
        """The keys that `groundplan formalize --json` prints."""
        final = self.final
        outcome = final.verification.outcome if final else None
        plan = outcome.plan if outcome else None
        return {
            "status": self.status.value,
            "domain": final.specification.domain if final else None,
            "problem": final.specification.problem if final else None,
            "plan": None
            if plan is None or not final or not final.verification.solved
            else [str(step) for step in plan],
            "cost": outcome.cost if outcome else None,
            "measure": outcome.measure if outcome else None,
            "solver_calls": self.solver_calls,
            "repairs": self.repairs,
            "signals": [signal.as_json() for signal in self.signals],
            "agreement": self.agreement.as_json() if self.agreement else None,
            "judge": None if self.judgement is None else self.judgement.score,
            "judge_reasons": [] if self.judgement is None else list(self.judgement.reasons),
            "diagnostics": [found.as_json() for found in final.verification.diagnostics] if final else [],
            "reason": self.reason,
            "blame": self.blame.value if self.blame else None,
            "model": self.model,
            "model_calls": self.model_calls,
            "tokens": self.tokens,
            "cost_usd": self.cost_usd,
        }
