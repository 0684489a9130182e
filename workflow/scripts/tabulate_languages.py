"""Shares of languages with acceptance, and tests between kinds of data sets."""

from reasonaudit.analysis.chain_language import tabulate_languages
from reasonaudit.logs import start_log

start_log(snakemake.log)
tabulate_languages(
    chain_languages=snakemake.input.chain_languages,
    judged_samples=snakemake.input.judged_samples,
    chain_language=snakemake.output.chain_language,
    language_tests=snakemake.output.language_tests,
    solvers=snakemake.params.solvers,
    datasets=snakemake.params.datasets,
    strategy=snakemake.params.strategy,
    confidence=snakemake.params.confidence,
)
