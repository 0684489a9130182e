"""Study 3 in words."""

from reasonaudit.analysis.verifier_summary import write_verifier_summary
from reasonaudit.logs import start_log

start_log(snakemake.log)
write_verifier_summary(
    suite=snakemake.input.suite,
    profiles=snakemake.input.get("profiles") or None,
    selection=snakemake.input.get("selection") or None,
    summary=snakemake.output.summary,
)
