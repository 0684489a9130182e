"""The mini study on a real Slurm cluster, and what goes wrong there. Run by ``make test-slurm``.

Not collected by a plain pytest run: it starts daemons and needs root.
"""

import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from slurm.cluster import PARTITION, Node, one_node_cluster
from workflow.working_copy import TARGETS as ALL_TARGETS
from workflow.working_copy import WorkingCopy, contents

# The comparison, a figure, and the judge: every kind of job, few of each.
TARGETS = (ALL_TARGETS[0], ALL_TARGETS[3], ALL_TARGETS[4])
CALLS = ("calls",)
EVERYTHING = ("**/*.parquet", "tables/*", "figures/*", "models/*.json")


@pytest.fixture(scope="module")
def node(tmp_path_factory) -> Iterator[Node]:
    with one_node_cluster(tmp_path_factory.mktemp("cluster")) as one:
        yield one


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> WorkingCopy:
    """The same study on this machine."""
    copy = WorkingCopy(tmp_path_factory.mktemp("local") / "repository")
    copy.run(*TARGETS)
    return copy


@pytest.fixture
def submitted(tmp_path, local) -> Iterator[WorkingCopy]:
    """A copy without results, with the two lines of the profile filled in as its head says."""
    copy = WorkingCopy(tmp_path / "repository", models_from=local)
    profile = copy.folder / "profiles" / "slurm" / "config.yaml"
    text = profile.read_text(encoding="utf-8")
    assert text.count("my_account") == text.count("my_partition") == 1
    profile.write_text(
        text.replace("my_account", "root").replace("my_partition", PARTITION), encoding="utf-8"
    )
    yield copy
    copy.stop_processes()


def options() -> list[str]:
    """The profile; and shorter waits, since this file system is not shared."""
    return [
        *("--profile", "profiles/slurm", "--latency-wait", "10"),
        *("--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "2"),
        # This cluster keeps no accounts, so that sacct has nothing to say.
        *("--slurm-no-account", "--slurm-status-command", "squeue"),
    ]


def test_the_same_bytes_as_on_one_machine(node, submitted, local):
    output = submitted.snakemake(*TARGETS, *options()).stdout
    # Downloads, exports and figures run where Snakemake runs, the rest is submitted.
    sent = set(re.findall(r"Job \d+ has been submitted with SLURM jobid", output))
    assert sent, output[-3000:]
    assert contents(submitted.results, *EVERYTHING) == contents(local.results, *EVERYTHING)
    # A study inherits nothing from the demo, inside cluster jobs either.
    assert not (submitted.folder / "results" / "demo").exists()
    assert submitted.planned(*TARGETS) == {}


def test_cancelled_jobs_and_a_node_that_goes_down(node, submitted, local):
    run = subprocess.Popen(
        submitted.command(*CALLS, *options()),
        cwd=submitted.folder,
        env=submitted.environment(),
        stdout=(submitted.folder / "run.txt").open("w"),
        stderr=subprocess.STDOUT,
    )
    # scancel in the middle of a generation job: the profile's retry runs it again.
    job = running_generation(submitted, run)
    command("scancel", job)
    # Then the node of another one fails.
    other = running_generation(submitted, run, besides={job})
    kept = finished_shards(submitted)
    node.lose_power()
    time.sleep(3)
    node.come_back()
    start_requeued(other, run)
    run.wait(300)
    output = (submitted.folder / "run.txt").read_text()
    assert job != other
    # The second attempt asked for twice the memory and the time.
    asked = re.findall(r"^rule generate_calls:\n(?: {4}.*\n)*? {4}resources: (.*)$", output, re.M)
    for name in ("mem_mb", "runtime"):
        values = [int(re.search(rf"\b{name}=(\d+)", resources)[1]) for resources in asked]
        assert {2 * value for value in values[:4]} & set(values[4:]), (name, values)
    # What the profile's retry did not mend, the same command does.
    submitted.snakemake(*CALLS, *options())
    after = finished_shards(submitted)
    assert {path: after[path] for path in kept} == kept, output[-3000:]
    calls = contents(submitted.results, "calls/**/*.parquet")
    assert calls == contents(local.results, "calls/**/*.parquet")


def running_generation(copy: WorkingCopy, run: subprocess.Popen, besides=frozenset(), seconds=240) -> str:
    """The Slurm id of a generation job whose script runs."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and run.poll() is None:
        listed = command("squeue", "-h", "-t", "R", "-o", "%i %k").splitlines()
        for line in listed:
            job, _, comment = line.partition(" ")
            if "generate_calls" in comment and job not in besides and copy.scripts_running("generate_calls"):
                return job
        time.sleep(0.2)
    raise AssertionError(
        f"no generation job was seen running\n{(copy.folder / 'run.txt').read_text()[-3000:]}"
    )


def start_requeued(job: str, run: subprocess.Popen, seconds: float = 60) -> None:
    """Slurm puts jobs of a failed node back into the queue, and lets them wait for two minutes: not here."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and run.poll() is None:
        if "BeginTime" in command("squeue", "-h", "-t", "PD", "-j", job, "-o", "%r"):
            command("scontrol", "update", f"jobid={job}", "starttime=now")
            return
        time.sleep(0.5)


def finished_shards(copy: WorkingCopy) -> dict[Path, int]:
    """Calls files that are there, and when they were written."""
    return {path: path.stat().st_mtime_ns for path in copy.results.glob("calls/**/*.parquet")}


def command(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout
