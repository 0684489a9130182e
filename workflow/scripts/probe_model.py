"""What is known of a model before it generates."""

from reasonaudit.engine.describe import probe_model
from reasonaudit.logs import start_log

start_log(snakemake.log)
probe_model(
    model_file=snakemake.input.model,
    adapter_file=snakemake.input.get("adapter") or None,
    context_length=snakemake.params.given["context_length"],
    threads=snakemake.threads,
    output=snakemake.output.probe,
)
