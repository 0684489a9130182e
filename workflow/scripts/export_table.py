"""A stored table as CSV, Markdown and LaTeX."""

from reasonaudit.logs import start_log
from reasonaudit.tables.export import export_table

start_log(snakemake.log)
export_table(
    table=snakemake.input.table,
    csv=snakemake.output.csv,
    md=snakemake.output.md,
    tex=snakemake.output.tex,
    where=snakemake.params.where,
)
