"""Grades synthetic replies with known answers: how many golds each verifier recovers."""

from reasonaudit.logs import start_log
from reasonaudit.verifiers.validation import validate_graders

start_log(snakemake.log)
validate_graders(
    questions=snakemake.input.questions,
    output=snakemake.output.table,
    policy=snakemake.params.policy,
    **snakemake.params.grading,
)
