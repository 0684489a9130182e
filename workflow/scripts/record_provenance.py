"""What the study's results depend on, as one JSON file."""

from reasonaudit.logs import start_log
from reasonaudit.provenance_record import record_provenance

start_log(snakemake.log)
record_provenance(
    **snakemake.params.given,
    probes=snakemake.input.probes,
    data=snakemake.input.data,
    output=snakemake.output.record,
)
