"""The same problems under the ordinary and under a plain-numeric answer prompt."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

# condition: ordinary, plain_numeric, or change (ordinary minus plain_numeric, paired by problem).
INTERFACE_PROBE = TableSchema(
    name="interface_probe",
    columns={
        "probe": pa.string(),
        "model": pa.string(),
        "verifier": pa.string(),
        "condition": pa.string(),
        "records": pa.int64(),
        "problems": pa.int64(),
        "failures": pa.int64(),  # samples without a readable answer, or without a verdict
        "record_weighted_accuracy": pa.float64(),  # trusted accuracy of all records
        "average_accuracy": pa.float64(),  # mean over languages
        "average_accuracy_low": pa.float64(),
        "average_accuracy_high": pa.float64(),
        "accuracy_gap": pa.float64(),  # trusted accuracy, best minus weakest language
        "accuracy_gap_low": pa.float64(),
        "accuracy_gap_high": pa.float64(),
        "vlb_err": pa.float64(),
        "vlb_err_low": pa.float64(),
        "vlb_err_high": pa.float64(),
        "vlb_fnr": pa.float64(),
        "vlb_fnr_low": pa.float64(),
        "vlb_fnr_high": pa.float64(),
        "reward_gap": pa.float64(),  # mean reward under the verifier, best minus worst language
        "capability_part": pa.float64(),  # of the reward gap: difference in trusted accuracy
        "format_part": pa.float64(),  # of the reward gap: difference in reward error
        "best_language": pa.string(),  # by mean reward
        "worst_language": pa.string(),
        "displayed_accuracy_gap": pa.float64(),  # from rates rounded half-up to three decimals
        "displayed_vlb_err": pa.float64(),
        "displayed_vlb_fnr": pa.float64(),
        "dropped_resamples": pa.int64(),
    },
    key=("probe", "model", "verifier", "condition"),
    required=("records", "problems", "failures"),
)
