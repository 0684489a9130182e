"""Chooses the originals that are judged under every condition, balanced over cells."""

from reasonaudit.audit.inject_errors import choose_panels
from reasonaudit.logs import start_log

start_log(snakemake.log)
choose_panels(
    injections=snakemake.input.injections,
    panels=snakemake.output.panels,
    per_cell=snakemake.params.per_cell,
)
