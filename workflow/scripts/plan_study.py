"""How many questions and runs a difference needs."""

from reasonaudit.analysis.plan_study import plan_study
from reasonaudit.logs import start_log

start_log(snakemake.log)
plan_study(
    comparisons=snakemake.input.comparisons,
    run_variance=snakemake.input.run_variance,
    plan=snakemake.output.plan,
    statistics=snakemake.params.statistics,
    goals=snakemake.params.goals,
)
