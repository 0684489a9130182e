"""Draws a figure: calls the function of the module in reasonaudit.figures that is named like it."""

import importlib

from reasonaudit.logs import start_log

start_log(snakemake.log)
figure = snakemake.params.figure
draw = getattr(importlib.import_module(f"reasonaudit.figures.{figure}"), f"draw_{figure}")
tables = {name: path for name, path in snakemake.input.items() if name != "checked"}
draw(**tables, **snakemake.params.given, paths=list(snakemake.output))
