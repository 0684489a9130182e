"""What is recorded of a model before it generates: its metadata, row class, build and CPU."""

import json
from dataclasses import asdict
from pathlib import Path

from reasonaudit.engine.llama import Model, system_info
from reasonaudit.engine.planning import kv_bytes_per_position
from reasonaudit.engine.probe import probe_rows
from reasonaudit.provenance import library_versions, sha256_file


def probe_model(
    *,
    model_file: str | Path,
    adapter_file: str | Path | None,
    context_length: int,
    threads: int,
    output: str | Path,
) -> None:
    """Load a model, probe which batch widths give equal bits, and write it all as JSON."""
    model = Model(model_file, lora=adapter_file)
    probe = probe_rows(model, threads=threads, context_length=context_length)
    keys = ("general.architecture", "general.name", "general.file_type", "general.size_label")
    record = {
        "file": model.name,
        "sha256": sha256_file(model_file),
        "adapter_sha256": sha256_file(adapter_file) if adapter_file else None,
        "metadata": {key: model.metadata[key] for key in keys if key in model.metadata},
        "trained_context": model.trained_context,
        "vocabulary_size": model.vocabulary_size,
        "kv_bytes_per_position": kv_bytes_per_position(model.metadata),
        "row_class": asdict(probe.row_class),
        "probe": {
            "positions": list(probe.positions),
            "threads": list(probe.threads),
            "equal_to_widest": {str(width): equal for width, equal in probe.equal.items()},
        },
        "llama_cpp_python": library_versions(["llama-cpp-python"]),
        "system_info": system_info(),
    }
    path = Path(output)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(
        json.dumps(record, indent=1, sort_keys=True, allow_nan=False) + "\n", encoding="utf-8"
    )
    temporary.replace(path)
