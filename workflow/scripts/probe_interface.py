"""The same problems under an ordinary and a plain-numeric answer prompt."""

from reasonaudit.analysis.interface_probe import probe_interface

probe_interface(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    probe=snakemake.output.probe,
    **snakemake.params.settings,
)
