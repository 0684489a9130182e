"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest

from model_files import GEMMA3, SMOLLM2, model_file

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the working tree."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public data beside the repository (or REASONAUDIT_SHARED)."""
    folder = Path(os.environ.get("REASONAUDIT_SHARED", REPOSITORY.parent / "shared"))
    if not (folder / "datasets").is_dir():
        pytest.skip("needs the public data sets in ../shared")
    return folder


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """SmolLM2-135M-Instruct Q4_1, the demo's model."""
    return model_file(SMOLLM2)


@pytest.fixture(scope="session")
def gemma3() -> Path:
    """Gemma 3 270M Q4_K_M, a base model whose kernels take rows in groups."""
    return model_file(GEMMA3)
