"""One row per model, data set, method, cost basis and matching: the method against repeated sampling."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

COMPARISONS = TableSchema(
    name="comparisons",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "cost_basis": pa.string(),  # generated, total
        "matching": pa.string(),  # fixed, rematched, grid
        "family": pa.string(),  # whose tests are corrected together
        "n_questions": pa.int64(),
        "runs": pa.int64(),
        "accuracy": pa.float64(),
        "accuracy_low": pa.float64(),  # Wilson interval; over several runs, bootstrap of the questions
        "accuracy_high": pa.float64(),
        "tokens": pa.float64(),  # mean cost of a question on this basis
        "tokens_low": pa.float64(),
        "tokens_high": pa.float64(),
        "input_output_ratio": pa.float64(),  # prompt tokens per generated token
        "baseline_accuracy": pa.float64(),
        "difference": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "p": pa.float64(),
        "p_holm_setting": pa.float64(),
        "p_holm_all": pa.float64(),
        "p_t": pa.float64(),
        "p_t_holm_setting": pa.float64(),
        "standard_error": pa.float64(),
        "detectable_50": pa.float64(),
        "detectable_80": pa.float64(),
        "detectable_holm": pa.float64(),
        "matched_n": pa.float64(),
        "clamped_share": pa.float64(),  # resamples whose matched N had to be moved to 1 or K
        "verdict": pa.string(),  # better, worse, indistinguishable, not_compared
        "flag": pa.string(),
    },
    key=("model", "dataset", "method", "cost_basis", "matching"),
    required=("family", "n_questions", "runs", "accuracy", "verdict"),
)
