"""Draws stops and gap."""

from reasonaudit.figures.stops_and_gap import draw_stops_and_gap
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_stops_and_gap(
    stops=snakemake.input.stops, paths=list(snakemake.output), strategy=snakemake.params.strategy
)
