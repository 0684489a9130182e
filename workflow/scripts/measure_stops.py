"""Length stops of solvers and judges beside the gap, and the budget ladder."""

from reasonaudit.analysis.length_stops import measure_stops
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_stops(
    answers=snakemake.input.answers,
    judged_samples=snakemake.input.judged_samples,
    cot_pass=snakemake.input.cot_pass,
    stops=snakemake.output.stops,
    budget_ladder=snakemake.output.budget_ladder,
    judges=snakemake.params.judges,
    solvers=snakemake.params.solvers,
)
