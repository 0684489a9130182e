"""Chooses among samples with and without the sibling languages."""

from reasonaudit.analysis.selection import select_across_languages
from reasonaudit.logs import start_log

start_log(snakemake.log)
select_across_languages(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    selection=snakemake.output.selection,
    autopsy=snakemake.output.autopsy,
    **snakemake.params.audit,
    **snakemake.params.settings,
)
