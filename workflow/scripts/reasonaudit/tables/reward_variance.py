"""What group-relative training would see of a verifier's rewards."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

REWARD_VARIANCE = TableSchema(
    name="reward_variance",
    columns={
        "problem_set": pa.string(),
        "model": pa.string(),
        "method": pa.string(),
        "verifier": pa.string(),
        "grouping": pa.string(),  # single_language, mixed_languages, mixed_problems
        "language": pa.string(),  # "all" for mixed groups
        "groups": pa.int64(),  # prompts or problems whose samples are drawn from
        "group_size": pa.int64(),
        "mean_reward": pa.float64(),
        "zero_variance_share": pa.float64(),
        "all_accepted_share": pa.float64(),
        "all_rejected_share": pa.float64(),
        "mean_reward_std": pa.float64(),
        "trusted_zero_variance_share": pa.float64(),
        "signal_lost_share": pa.float64(),  # trusted rewards vary, the verifier's do not
        "advantage_of_correct": pa.float64(),  # mean group-relative advantage of trusted-correct samples
        "advantage_of_rejected_correct": pa.float64(),
        "too_small": pa.int64(),  # groups left out: fewer samples with verdicts than the group size
    },
    key=("problem_set", "model", "method", "verifier", "grouping", "language"),
    required=("groups", "too_small"),
)
