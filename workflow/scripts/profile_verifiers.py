"""One profile per model and verifier."""

from reasonaudit.analysis.verifier_profiles import profile_verifiers
from reasonaudit.logs import start_log

start_log(snakemake.log)
profile_verifiers(
    errors=snakemake.input.errors,
    causes=snakemake.input.causes,
    selection=snakemake.input.get("selection") or None,
    profiles=snakemake.output.profiles,
)
