"""The robustness battery and how verifiers fare on it."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

# One row per verifier and language, and one row per verifier with language VLB (largest minus smallest).
VERIFIER_SUITE = TableSchema(
    name="verifier_suite",
    columns={
        "verifier": pa.string(),
        "given": pa.string(),  # answer: the bare answer; reply: a reply, read by this project's extraction
        "scope": pa.string(),  # all items, or universal: the forms that every language has
        "language": pa.string(),  # a language code, or VLB
        "n": pa.int64(),
        "n_correct": pa.int64(),  # items whose label is correct
        "timed_out": pa.int64(),  # left out of the rates
        "false_negatives": pa.int64(),
        "false_positives": pa.int64(),
        "err": pa.float64(),
        "fnr": pa.float64(),
        "fpr": pa.float64(),
        "dominant_mode": pa.string(),
        "highest_err_language": pa.string(),  # VLB rows
        "lowest_err_language": pa.string(),
    },
    key=("verifier", "given", "scope", "language"),
    required=("n", "n_correct", "timed_out", "false_negatives", "false_positives"),
)

# The same, by form of the answer, with the first item that was judged wrongly.
VERIFIER_SUITE_VARIANTS = TableSchema(
    name="verifier_suite_variants",
    columns={
        "verifier": pa.string(),
        "given": pa.string(),
        "family": pa.string(),
        "variant": pa.string(),
        "language": pa.string(),
        "n": pa.int64(),
        "timed_out": pa.int64(),
        "errors": pa.int64(),
        "err": pa.float64(),
        "example_prediction": pa.string(),
        "example_gold": pa.string(),
        "example_rule": pa.string(),  # the rule by which the verifier decided
    },
    key=("verifier", "given", "family", "variant", "language"),
    required=("n", "timed_out", "errors"),
)
