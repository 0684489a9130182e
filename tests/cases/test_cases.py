"""Every case and variant through the project's own functions."""

import importlib

import pytest

from cases.case import Case, load_cases

CASES = load_cases()
AREAS = sorted({case.area for case in CASES})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case):
    importlib.import_module(f"cases.runners.{case.area}").run(case)


def test_the_file_is_complete():
    assert len({case.name for case in CASES}) == len(CASES)
    assert {"extract", "grade", "multilingual", "vote"} <= set(AREAS)
    assert sum(not case.replaced for case in CASES) == 86
