"""Injects errors into the correct solutions of one cell."""

from reasonaudit.audit.inject_errors import inject_errors
from reasonaudit.logs import start_log

start_log(snakemake.log)
inject_errors(
    questions=snakemake.input.questions,
    calls=snakemake.input.calls,
    answers=snakemake.input.answers,
    injections=snakemake.output.injections,
    seed=snakemake.params.seed,
    settings=snakemake.params.injection,
    policy=snakemake.params.policy,
    answer_range=snakemake.params.answer_range,
)
