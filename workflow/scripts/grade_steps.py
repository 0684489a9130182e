"""The answer that every answering call states."""

from reasonaudit.analysis.grade_steps import grade_steps
from reasonaudit.logs import start_log

start_log(snakemake.log)
grade_steps(
    questions=snakemake.input.questions,
    calls=snakemake.input.calls,
    steps=snakemake.output.steps,
    verifier=snakemake.params.verifier,
    policy=snakemake.params.policy,
)
