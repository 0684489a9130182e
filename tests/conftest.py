"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest

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
