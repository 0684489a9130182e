"""The same problems under an ordinary and a plain-numeric answer prompt."""

from reasonaudit.analysis.interface_probe import probe_interface
from reasonaudit.logs import start_log

start_log(snakemake.log)
probe_interface(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    probe=snakemake.output.probe,
    **snakemake.params.settings,
)
