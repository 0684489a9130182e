"""One real run of the mini study, from which the workflow tests start."""

import pytest

from workflow.working_copy import TARGETS, WorkingCopy


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> WorkingCopy:
    """A copy of the repository in which the mini study has been run. Tests leave it as it is."""
    copy = WorkingCopy(tmp_path_factory.mktemp("finished") / "repository")
    copy.run(*TARGETS)
    return copy
