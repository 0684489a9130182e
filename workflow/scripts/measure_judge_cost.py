"""Tokens of judges for each token of the solvers."""

from reasonaudit.analysis.judge_cost import measure_judge_cost
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_judge_cost(
    answers=snakemake.input.answers,
    judged_samples=snakemake.input.judged_samples,
    judge_cost=snakemake.output.judge_cost,
    judges=snakemake.params.judges,
)
