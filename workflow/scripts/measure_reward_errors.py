"""Reward errors of every verifier by language."""

from reasonaudit.analysis.reward_errors import measure_reward_errors

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
