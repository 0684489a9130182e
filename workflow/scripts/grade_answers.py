"""Regrades stored replies: answers and verdicts of one method."""

from reasonaudit.logs import start_log
from reasonaudit.verifiers.grading import grade_answers

start_log(snakemake.log)
grade_answers(
    questions=snakemake.input.questions,
    calls=snakemake.input.calls,
    answers=snakemake.output.answers,
    verdicts=snakemake.output.verdicts,
    answer_rule=snakemake.params.answer_rule,
    policy=snakemake.params.policy,
    **snakemake.params.grading,
)
