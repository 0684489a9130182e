"""Reward variance of groups under every verifier."""

from reasonaudit.analysis.reward_variance import measure_reward_variance

measure_reward_variance(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    variance=snakemake.output.variance,
    **snakemake.params.audit,
    **snakemake.params.settings,
)
