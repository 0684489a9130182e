"""The largest gap that each judge could have shown."""

from reasonaudit.analysis.judge_sensitivity import measure_sensitivity
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_sensitivity(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    judged_samples=snakemake.input.judged_samples,
    acceptance=snakemake.input.acceptance,
    cot_pass=snakemake.input.cot_pass,
    judge_sensitivity=snakemake.output.judge_sensitivity,
    judges=snakemake.params.judges,
    datasets=snakemake.params.datasets,
)
