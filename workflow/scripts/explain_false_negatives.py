"""Which forms of answers account for the false negatives."""

from reasonaudit.analysis.false_negative_causes import explain_false_negatives
from reasonaudit.logs import start_log

start_log(snakemake.log)
explain_false_negatives(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    causes=snakemake.output.causes,
    **snakemake.params.audit,
    **snakemake.params.settings,
)
