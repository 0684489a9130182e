"""Choosing among samples with and without the sibling languages."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

# Language "all" sums the counts; its accuracies are means over languages.
SELECTION = TableSchema(
    name="selection",
    columns={
        "problem_set": pa.string(),
        "model": pa.string(),
        "method": pa.string(),
        "language": pa.string(),
        "rule": pa.string(),
        "reported": pa.bool_(),
        "alpha": pa.float64(),
        "support": pa.string(),  # sum or mean over the siblings; null for the local rule
        "min_siblings": pa.int64(),  # siblings that must support a change
        "n_questions": pa.int64(),
        "k": pa.float64(),  # samples a question, on average
        "accuracy": pa.float64(),
        "accuracy_low": pa.float64(),
        "accuracy_high": pa.float64(),
        "ceiling": pa.float64(),  # some sample is right (Pass@k of all k)
        "difference": pa.float64(),  # from the local majority
        "difference_low": pa.float64(),
        "difference_high": pa.float64(),
        "p_bootstrap": pa.float64(),
        "opportunities": pa.int64(),  # local majority wrong, a right class present
        "fixed": pa.int64(),
        "regressions": pa.int64(),
        "changed": pa.int64(),
        "p_sign": pa.float64(),
        "gap_closed": pa.float64(),  # (fixed - regressions) / opportunities
        "changed_corrected": pa.float64(),  # fixed / (fixed + regressions)
        "fixed_cross_lingual": pa.int64(),  # target votes no greater than the sibling support
        "fixed_all_siblings": pa.int64(),
        "fixes_preserved": pa.float64(),  # of the reported rule's fixes
        "borrowed": pa.int64(),  # chosen classes absent from the target's samples: always 0
        "reference_gap": pa.float64(),  # reference language minus the weakest ("all" rows)
        "weakest_language": pa.string(),
        "mixed_classes": pa.int64(),  # classes whose members differ in the verdict
    },
    key=("problem_set", "model", "method", "language", "rule"),
    required=("reported", "n_questions", "opportunities", "fixed", "regressions", "changed", "borrowed"),
)

# One row per decision that a rule changed.
SELECTION_AUTOPSY = TableSchema(
    name="selection_autopsy",
    columns={
        "problem_set": pa.string(),
        "model": pa.string(),
        "method": pa.string(),
        "rule": pa.string(),
        "language": pa.string(),
        "question_id": pa.string(),
        "parallel_id": pa.string(),
        "outcome": pa.string(),  # fixed, regressed, wrong_to_wrong, right_to_right
        "local_choice": pa.string(),
        "choice": pa.string(),
        "gold": pa.string(),
        "local_votes": pa.int64(),  # target-language votes of the local choice
        "target_votes": pa.int64(),  # target-language votes of the new choice
        "sibling_votes": pa.int64(),  # votes of all siblings for the new choice
        "siblings_supporting": pa.int64(),
        "siblings": pa.int64(),
        "needs_siblings": pa.bool_(),  # target votes no greater than sibling votes
        "all_siblings_support": pa.bool_(),
    },
    key=("problem_set", "model", "method", "rule", "language", "question_id"),
    required=("outcome", "target_votes", "sibling_votes", "siblings_supporting", "siblings"),
)
