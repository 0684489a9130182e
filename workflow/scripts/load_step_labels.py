"""Reads chains with human labels of the first wrong step."""

from reasonaudit.audit.step_labels import load_step_labels
from reasonaudit.logs import start_log

start_log(snakemake.log)
load_step_labels(
    source=snakemake.input.source,
    step_labels=snakemake.output.step_labels,
    dataset=snakemake.wildcards.labelled,
    **snakemake.params.given,
)
