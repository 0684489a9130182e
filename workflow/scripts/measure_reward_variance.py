"""Reward variance of groups under every verifier."""

from reasonaudit.analysis.reward_variance import measure_reward_variance
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_reward_variance(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    variance=snakemake.output.variance,
    **snakemake.params.audit,
    **snakemake.params.settings,
)
