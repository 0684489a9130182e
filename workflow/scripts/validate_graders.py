"""Grades synthetic replies with known answers: how many golds each verifier recovers."""

from reasonaudit.verifiers.validation import validate_graders

validate_graders(
    questions=snakemake.input.questions,
    output=snakemake.output.table,
    verifier=snakemake.params.verifier,
    verifiers=snakemake.params.verifiers,
    policy=snakemake.params.policy,
)
