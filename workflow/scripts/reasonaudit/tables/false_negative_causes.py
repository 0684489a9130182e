"""Which form of the answer accounts for a verifier's false negatives."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

FALSE_NEGATIVE_CAUSES = TableSchema(
    name="false_negative_causes",
    columns={
        "problem_set": pa.string(),
        "model": pa.string(),
        "method": pa.string(),
        "verifier": pa.string(),
        "language": pa.string(),
        "cause": pa.string(),  # "all" sums the causes
        "count": pa.int64(),
        "share": pa.float64(),  # of the false negatives of this language
        "readmitting_verifier": pa.string(),
        "readmitted": pa.int64(),  # accepted by it
        "readmitted_share": pa.float64(),
        "stripped": pa.int64(),  # equal to the gold once all but digits, point and minus is dropped
        "stripped_share": pa.float64(),
        "example_prediction": pa.string(),
        "example_gold": pa.string(),
        "example_question_id": pa.string(),
    },
    key=("problem_set", "model", "method", "verifier", "language", "cause"),
    required=("count", "stripped"),
)
