"""One row per model and verifier: what is wrong, where, and what to do first."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

VERIFIER_PROFILES = TableSchema(
    name="verifier_profiles",
    columns={
        "problem_set": pa.string(),
        "model": pa.string(),
        "method": pa.string(),
        "verifier": pa.string(),
        "languages": pa.string(),
        "n": pa.int64(),
        "dominant_mode": pa.string(),
        "worst_language": pa.string(),  # by FNR; null where no right answer was rejected
        "worst_fnr": pa.float64(),
        "vlb_fnr": pa.float64(),
        "vlb_fnr_low": pa.float64(),
        "vlb_fnr_high": pa.float64(),
        "p_vlb_fnr": pa.float64(),
        "vlb_fpr": pa.float64(),
        "vlb_err": pa.float64(),
        "vlb_err_low": pa.float64(),
        "vlb_err_high": pa.float64(),
        "p_vlb_err": pa.float64(),
        "flagged_languages": pa.string(),
        "main_cause": pa.string(),  # of the false negatives in the worst language
        "main_cause_share": pa.float64(),
        "readmitting_verifier": pa.string(),
        "readmitted_share": pa.float64(),
        "selection_opportunities": pa.int64(),
        "selection_gap_closed": pa.float64(),
        "next_step": pa.string(),  # interface, selection, stricter_verifier, none, no_data
        "sentence": pa.string(),
    },
    key=("problem_set", "model", "method", "verifier"),
    required=("n", "next_step", "sentence"),
)
