"""Reward errors of every verifier by language."""

from reasonaudit.analysis.reward_errors import measure_reward_errors
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_reward_errors(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    errors=snakemake.output.errors,
    contrasts_to=snakemake.output.contrasts,
    displayed=snakemake.output.displayed,
    **snakemake.params.audit,
    **snakemake.params.settings,
)
