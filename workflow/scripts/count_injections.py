"""Counts applied and skipped edits."""

from reasonaudit.analysis.injection_counts import count_injections
from reasonaudit.logs import start_log

start_log(snakemake.log)
count_injections(
    injections=snakemake.input.injections,
    panels=snakemake.input.panels,
    injection_counts=snakemake.output.injection_counts,
)
