"""One profile per model and verifier."""

from reasonaudit.analysis.verifier_profiles import profile_verifiers

profile_verifiers(
    errors=snakemake.input.errors,
    causes=snakemake.input.causes,
    selection=snakemake.input.get("selection"),
    profiles=snakemake.output.profiles,
)
