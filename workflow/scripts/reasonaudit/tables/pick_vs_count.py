"""One row per method that picks among its own samples: the pick against the vote on the same samples."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

PICK_VS_COUNT = TableSchema(
    name="pick_vs_count",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "n_questions": pa.int64(),
        "runs": pa.int64(),
        "judge_accuracy": pa.float64(),
        "count_accuracy": pa.float64(),
        "random_accuracy": pa.float64(),  # a candidate drawn at random: chance
        "oracle_accuracy": pa.float64(),  # some candidate is right: what generation offers
        "difference": pa.float64(),  # judge minus count
        "low": pa.float64(),
        "high": pa.float64(),
        "p": pa.float64(),
        "judge_only": pa.int64(),
        "count_only": pa.int64(),
        "p_mcnemar": pa.float64(),  # exact
        "p_mid": pa.float64(),
        "agreement": pa.float64(),  # share of questions whose pick is in the winning class
        "agreement_low": pa.float64(),
        "agreement_high": pa.float64(),
        "override_accuracy": pa.float64(),  # judge right where exactly one of the two is
        "override_low": pa.float64(),
        "override_high": pa.float64(),
        "judge_minus_random": pa.float64(),
        "judge_minus_random_low": pa.float64(),
        "judge_minus_random_high": pa.float64(),
        "selection_gap": pa.float64(),  # oracle minus judge: right answers that the pick left behind
        "first_position_share": pa.float64(),
        "unreadable_picks": pa.int64(),
        "out_of_range_picks": pa.int64(),
        "tied_votes": pa.int64(),
        "difference_random_ties": pa.float64(),  # tied votes decided at random instead of by stored order
        "p_mcnemar_random_ties": pa.float64(),
        "permutes": pa.string(),  # the method whose candidates are shown here in another order
        "same_pick_share": pa.float64(),  # questions on which both orders lead to the same candidate
    },
    key=("model", "dataset", "method"),
    required=("n_questions", "runs", "judge_only", "count_only"),
)
