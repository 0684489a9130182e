"""What goes wrong in long runs, done for real: afterwards the same command gives the same bytes, and no
finished shard is generated again."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from workflow.working_copy import WorkingCopy, contents

pytestmark = pytest.mark.workflow
TARGET = "results/mini/tables/comparisons.csv"
CALLS = "calls/**/*.parquet"


@pytest.fixture
def fresh(finished, tmp_path) -> WorkingCopy:
    """A copy with models, questions and probes, and no calls."""
    return without_calls(WorkingCopy(tmp_path / "repository", results_from=finished))


def without_calls(copy: WorkingCopy) -> WorkingCopy:
    for part in ("calls", "answers", "verdicts", "steps", "tables", "figures", "judge_calls", "judgements"):
        shutil.rmtree(copy.results / part, ignore_errors=True)
    for table in copy.results.glob("*.parquet"):
        table.unlink()
    return copy


def shards(copy: WorkingCopy) -> dict[Path, int]:
    """Finished shards of calls, and when they were written."""
    return {path: path.stat().st_mtime_ns for path in copy.results.glob(CALLS)}


def wait_for_generation(copy: WorkingCopy, run: subprocess.Popen, seconds: float = 200) -> int:
    """The process id of a generation job in the middle of its work, when another shard is finished."""
    end = time.monotonic() + seconds
    earlier = set()  # jobs that may just have written their shard and are about to end
    while time.monotonic() < end and run.poll() is None:
        running = copy.scripts_running("generate_calls")
        if not shards(copy):
            earlier |= set(running)
        elif later := set(running) - earlier:
            return later.pop()
        time.sleep(0.05)
    raise AssertionError(f"no generation job was seen\n{run.communicate()[0][-3000:]}")


def check_recovered(copy: WorkingCopy, finished: WorkingCopy, kept: dict[Path, int]) -> None:
    now = shards(copy)
    assert kept, "nothing was finished before the fault"
    assert {path: now[path] for path in kept} == kept, "a finished shard was generated again"
    assert contents(copy.results, CALLS) == contents(finished.results, CALLS)
    for name in ("tables/comparisons.csv", "comparisons.parquet", "curves.parquet"):
        if (copy.results / name).exists() or name.startswith("tables"):
            assert (copy.results / name).read_bytes() == (finished.results / name).read_bytes(), name
    assert not list(copy.results.rglob("*.tmp")), "something half-written was left behind"


def test_a_generation_job_is_killed(fresh, finished):
    run = fresh.start(TARGET)
    os.kill(wait_for_generation(fresh, run), signal.SIGKILL)
    output = run.communicate()[0]
    assert run.returncode != 0, output[-2000:]
    kept = shards(fresh)
    fresh.run(TARGET)
    check_recovered(fresh, finished, kept)


def test_snakemake_is_killed(fresh, finished):
    run = fresh.start(TARGET, start_new_session=True)
    wait_for_generation(fresh, run)
    kept = shards(fresh)
    run.kill()
    run.wait()
    # Its job may live on as an orphan and finish its own file; the new run must not mind.
    locked = fresh.run(TARGET, check=False)
    assert "cannot be locked" in locked
    fresh.snakemake("--unlock")
    fresh.run(TARGET)
    check_recovered(fresh, finished, kept)
    fresh.stop_processes()


def test_the_disk_is_full(finished, tmp_path):
    """Everything on a small file system of its own, that fills up after the first shard."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mount.returncode:
        assert os.environ.get("REASONAUDIT_CI") is None, mount.stderr
        pytest.skip(f"a small file system cannot be mounted here: {mount.stderr.strip()}")
    try:
        copy = without_calls(WorkingCopy(disk / "repository", results_from=finished))
        run = copy.start(TARGET)
        wait_for_generation(copy, run)
        kept = shards(copy)
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        output = run.communicate()[0]
        assert run.returncode != 0
        assert "No space left" in output or "could not be written" in output, output[-3000:]
        filler.unlink()
        # A run that could not clean up after itself leaves its lock, like a killed one.
        copy.snakemake("--unlock")
        copy.run(TARGET)
        check_recovered(copy, finished, kept)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
