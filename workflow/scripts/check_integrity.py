"""Integrity gates: what must hold of the stored tables before anything is computed from them."""

from reasonaudit.analysis.gates import check_integrity
from reasonaudit.logs import start_log

start_log(snakemake.log)
check_integrity(
    questions=snakemake.input.questions,
    calls=snakemake.input.calls,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    gates=snakemake.output.gates,
    dropped=snakemake.output.dropped,
    cells=snakemake.params.cells,
    pool=snakemake.params.pool,
    methods=snakemake.params.methods,
    grading=snakemake.params.grading,
    statistics=snakemake.params.statistics,
)
