"""Statistics of solver success, faithfulness and the Judge, with their uncertainty (see docs/statistics.md)."""

from groundplan.bench.agreement import disagreement, disagreement_by_task
from groundplan.bench.bounds import (
    binomial_cdf,
    checkpoint_bounds,
    clopper_pearson_upper,
    hoeffding_upper,
    uniform_bound,
    upper_bound,
)
from groundplan.bench.candidate import Candidate, Failure, LeftOut
from groundplan.bench.episode import episodes, final, finals
from groundplan.bench.groups import Group, Groups, GroupScores, group_of, score_groups
from groundplan.bench.overview import as_table, summary
from groundplan.bench.plots import reliability_plot, repair_plot, slope_plot, violin_plot
from groundplan.bench.ranking import MarginRanking, margin_ranking
from groundplan.bench.rate import Mean, Rate
from groundplan.bench.records import candidate_as_json, candidate_from_json, read_candidates, write_candidates
from groundplan.bench.reliability import Bin, Calibration, Scored, brier, calibration, judge_error, scored
from groundplan.bench.repair import (
    Remaining,
    cumulative_success,
    marginal_gains,
    mean_solver_calls,
    remaining_diagnostics,
)
from groundplan.bench.separation import Auc, auc, auc_bootstrap_error, hanley_mcneil, judge_auc
from groundplan.bench.success import drift, faithful_success, gap, solvability

__all__ = [
    "Auc",
    "Bin",
    "Calibration",
    "Candidate",
    "Failure",
    "Group",
    "GroupScores",
    "Groups",
    "LeftOut",
    "MarginRanking",
    "Mean",
    "Rate",
    "Remaining",
    "Scored",
    "as_table",
    "auc",
    "auc_bootstrap_error",
    "binomial_cdf",
    "brier",
    "calibration",
    "candidate_as_json",
    "candidate_from_json",
    "checkpoint_bounds",
    "clopper_pearson_upper",
    "cumulative_success",
    "disagreement",
    "disagreement_by_task",
    "drift",
    "episodes",
    "faithful_success",
    "final",
    "finals",
    "gap",
    "group_of",
    "hanley_mcneil",
    "hoeffding_upper",
    "judge_auc",
    "judge_error",
    "margin_ranking",
    "marginal_gains",
    "mean_solver_calls",
    "read_candidates",
    "reliability_plot",
    "remaining_diagnostics",
    "repair_plot",
    "score_groups",
    "scored",
    "slope_plot",
    "solvability",
    "summary",
    "uniform_bound",
    "upper_bound",
    "violin_plot",
    "write_candidates",
]
