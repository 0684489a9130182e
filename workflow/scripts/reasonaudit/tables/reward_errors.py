"""Reward errors of a verifier by language: profiles, verifier language bias, pairwise contrasts."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

RATES = ("trusted_accuracy", "fnr", "fpr", "err", "j", "pressure")
_AUDIT = {
    "problem_set": pa.string(),
    "model": pa.string(),
    "method": pa.string(),
    "verifier": pa.string(),
}
AUDIT_KEY = tuple(_AUDIT)

# Rows with metric "profile" hold one language each. Rows with language "VLB" hold one metric each: its value
# stands in the column of that metric, with its interval, the null mean and p from permuted language labels.
REWARD_ERRORS = TableSchema(
    name="reward_errors",
    columns={
        **_AUDIT,
        "language": pa.string(),
        "metric": pa.string(),
        "n": pa.int64(),  # samples with a verdict of both verifiers
        "problems": pa.int64(),
        "timed_out": pa.int64(),
        "trusted_correct": pa.int64(),
        "false_negatives": pa.int64(),
        "false_positives": pa.int64(),
        **{f"{rate}{part}": pa.float64() for rate in RATES for part in ("", "_low", "_high")},
        "fn_mass": pa.float64(),
        "fp_mass": pa.float64(),
        "dominant_mode": pa.string(),
        "flagged": pa.bool_(),
        "undefined": pa.string(),  # rates of this row that no sample defines
        "null_mean": pa.float64(),
        "p_permutation": pa.float64(),
        "permutations": pa.int64(),  # with a defined value
        "highest_language": pa.string(),
        "lowest_language": pa.string(),
        "dropped_resamples": pa.int64(),
        "many_dropped": pa.bool_(),  # more than 1%
    },
    key=(*AUDIT_KEY, "language", "metric"),
    required=("n", "problems", "timed_out", "trusted_correct", "false_negatives", "false_positives"),
)

# All pairs of languages, with simultaneous intervals and p by the maximum statistic.
REWARD_ERROR_CONTRASTS = TableSchema(
    name="reward_error_contrasts",
    columns={
        **_AUDIT,
        "metric": pa.string(),
        "language": pa.string(),
        "other_language": pa.string(),
        "difference": pa.float64(),  # language minus other_language
        "standard_error": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "p_max_t": pa.float64(),
        "dropped_resamples": pa.int64(),
    },
    key=(*AUDIT_KEY, "metric", "language", "other_language"),
)

# Rates rounded half-up to three decimals; VLB rows are differences of the rounded rates.
REWARD_ERRORS_DISPLAYED = TableSchema(
    name="reward_errors_displayed",
    columns={
        **_AUDIT,
        "language": pa.string(),
        "trusted_accuracy": pa.float64(),
        "fnr": pa.float64(),
        "fpr": pa.float64(),
        "err": pa.float64(),
    },
    key=(*AUDIT_KEY, "language"),
)
