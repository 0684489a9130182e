"""Pass@k and CoT-Pass@k, by cell, solver and generation of solvers."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

COT_PASS = TableSchema(
    name="cot_pass",
    columns={
        # cell: one model on one data set; solver: its questions over all data sets; generation: mean over
        # its solvers; generation_difference: the first generation minus the second
        "level": pa.string(),
        "model": pa.string(),  # or the generation
        "dataset": pa.string(),  # or all
        "method": pa.string(),
        "judge": pa.string(),
        "strategy": pa.string(),
        "k": pa.int64(),
        "n": pa.int64(),  # samples a question (the smallest, where questions differ)
        "questions": pa.int64(),
        "problems": pa.int64(),  # distinct ones: translations share a problem
        "pass_at_k": pa.float64(),
        "cot_pass_at_k": pa.float64(),
        "gap": pa.float64(),
        "low": pa.float64(),  # of the gap
        "high": pa.float64(),
        "structural_zero": pa.bool_(),  # every question's gap is zero, so resampling cannot show uncertainty
        "zero_upper": pa.float64(),  # what an all-zero gap still allows: 1 - 0.025^(1/problems)
        "credited_cot_pass_at_k": pa.float64(),  # had every stopped judgement been an approval
        "credited_gap": pa.float64(),
    },
    key=("level", "model", "dataset", "method", "judge", "strategy", "k"),
    required=("n", "questions", "problems", "structural_zero"),
)
