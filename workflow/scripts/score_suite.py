"""Scores every verifier on the robustness battery."""

from reasonaudit.analysis.suite_scoring import score_suite
from reasonaudit.logs import start_log

start_log(snakemake.log)
score_suite(
    suite=snakemake.output.suite,
    variants=snakemake.output.variants,
    battery=snakemake.input.battery,
    verifiers=snakemake.params.verifiers,
)
