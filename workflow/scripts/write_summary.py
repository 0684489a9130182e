"""The findings in plain sentences."""

from reasonaudit.analysis.summary import write_summary
from reasonaudit.logs import start_log

start_log(snakemake.log)
write_summary(
    comparisons=snakemake.input.comparisons,
    curves=snakemake.input.curves,
    engagement=snakemake.input.engagement,
    robustness=snakemake.input.robustness,
    unreadable=snakemake.input.unreadable,
    pick_vs_count=snakemake.input.pick_vs_count,
    transitions=snakemake.input.transitions,
    group_effects=snakemake.input.group_effects,
    gates=snakemake.input.gates,
    rederivation=snakemake.input.rederivation,
    dropped=snakemake.input.dropped,
    summary=snakemake.output.summary,
    study=snakemake.params.study,
    methods=snakemake.params.methods,
    models=snakemake.params.models,
    datasets=snakemake.params.datasets,
    statistics=snakemake.params.statistics,
)
