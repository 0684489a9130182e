"""A Slurm cluster of one node on this machine, for tests: munged, slurmctld and slurmd.

Needs the packages slurm-wlm and munge, and root. Nothing is installed here, and a machine that has a
Slurm configuration of its own is left alone. Jobs do not inherit SLURM_CONF, so the configuration
stands at the standard place while the cluster runs, and is removed afterwards.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CONFIGURATION = Path("/etc/slurm/slurm.conf")
MARK = "# Written by the tests of reasonaudit; removed when they end."
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
PARTITION = "debug"


class ClusterError(Exception):
    """The test cluster cannot be started; says why and what to do."""


def check_machine() -> None:
    """Refuse where the programs are missing, or Slurm is configured already.

    Raises:
        ClusterError: says which of both.
    """
    missing = [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]
    if missing:
        raise ClusterError(f"not installed: {', '.join(missing)}; on Debian: apt-get install slurm-wlm munge")
    if CONFIGURATION.exists() and MARK not in CONFIGURATION.read_text(encoding="utf-8"):
        raise ClusterError(f"{CONFIGURATION} is there and is not ours: this machine belongs to a cluster")
    if "SLURM_CONF" in os.environ:
        raise ClusterError("SLURM_CONF is set: this machine belongs to a cluster")
    if os.geteuid() != 0:
        raise ClusterError("only root can start the daemons")


class Node:
    """The node of the cluster: it can lose its power, and come back."""

    def __init__(self, name: str, folder: Path):
        self.name, self.folder = name, folder
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start the node's daemon, and wait until jobs can run."""
        self.process = _start(["slurmd", "-D", "-N", self.name], self.folder)
        _wait_for(["sh", "-c", "sinfo -h -o %t | grep -qE '^(idle|down|mix|alloc)$'"], self.folder)

    def lose_power(self) -> None:
        """The daemon, its jobs and all their processes are gone at once; the cluster learns of it."""
        self.process.kill()
        self.process.wait()
        for number in _processes_of_jobs():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        _scontrol("update", f"nodename={self.name}", "state=down", "reason=power")

    def come_back(self) -> None:
        """The machine starts again, and the administrator puts it back into service."""
        self.start()
        _scontrol("update", f"nodename={self.name}", "state=resume")
        _wait_for(["sh", "-c", "sinfo -h -o %t | grep -qE '^(idle|mix|alloc)$'"], self.folder)


def _processes_of_jobs() -> list[int]:
    """What Slurm started on this machine: step daemons, and processes with a job's environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            step = (place / "cmdline").read_bytes().startswith(b"slurmstepd: [")
            job = any(
                name.startswith(b"SLURM_JOB_ID=") for name in (place / "environ").read_bytes().split(b"\0")
            )
        except OSError:
            continue
        if step or job:
            found.append(int(place.name))
    return found


def _scontrol(*words: str) -> None:
    subprocess.run(["scontrol", *words], check=True, capture_output=True)


@contextmanager
def one_node_cluster(folder: Path) -> Iterator[Node]:
    """Run a cluster with its state in ``folder``."""
    check_machine()
    node = Node(socket.gethostname().split(".")[0], folder)
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    started: list[subprocess.Popen] = []
    CONFIGURATION.parent.mkdir(exist_ok=True)
    CONFIGURATION.write_text(_configuration(folder, node.name), encoding="utf-8")
    try:
        if subprocess.run(["munge", "-n"], capture_output=True, check=False).returncode:
            started.append(_start_munge(folder))
            _wait_for(["munge", "-n"], folder)
        started.append(_start(["slurmctld", "-D"], folder))
        _wait_for(["scontrol", "ping"], folder)
        node.start()
        _wait_for(["sh", "-c", "sinfo -h -o %t | grep -q idle"], folder)
        yield node
    finally:
        subprocess.run(["scancel", "--user", "root"], capture_output=True, check=False)
        for process in [*filter(None, [node.process]), *reversed(started)]:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
        CONFIGURATION.unlink(missing_ok=True)


def _configuration(folder: Path, node: str) -> str:
    """One node with this machine's cores; its memory is declared large enough for any test."""
    settings = {
        "ClusterName": "reasonaudit",
        "SlurmctldHost": f"{node}(127.0.0.1)",
        "SlurmUser": "root",
        "StateSaveLocation": folder / "state",
        "SlurmdSpoolDir": folder / "spool",
        "SlurmctldPidFile": folder / "slurmctld.pid",
        "SlurmdPidFile": folder / "slurmd.pid",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "JobAcctGatherType": "jobacct_gather/none",
        "AccountingStorageType": "accounting_storage/none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_CPU_Memory",
        "SlurmdParameters": "config_overrides",
        "SchedulerParameters": "sched_interval=2,batch_sched_delay=0",
        "ReturnToService": 1,  # a node that was set down stays down
        "MinJobAge": 900,  # finished jobs stay visible to squeue
        "KillWait": 2,
        "MailProg": "/bin/true",
    }
    lines = [MARK, *(f"{name}={value}" for name, value in settings.items())]
    cores = max(2, os.cpu_count() or 2)
    lines.append(f"NodeName={node} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=64000 State=UNKNOWN")
    lines.append(f"PartitionName={PARTITION} Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
    return "\n".join(lines) + "\n"


def _start_munge(folder: Path) -> subprocess.Popen:
    user = pwd.getpwnam("munge")
    run = Path("/run/munge")
    run.mkdir(exist_ok=True)
    os.chown(run, user.pw_uid, user.pw_gid)
    run.chmod(0o755)
    return _start(["munged", "--foreground", "--force"], folder, user=user.pw_uid, group=user.pw_gid)


def _start(command: list[str], folder: Path, **keywords) -> subprocess.Popen:
    log = open(folder / f"{command[0]}.log", "ab")  # noqa: SIM115 (the daemon keeps it)
    path = shutil.which(command[0], path=_path())
    return subprocess.Popen([path, *command[1:]], stdout=log, stderr=log, start_new_session=True, **keywords)


def _wait_for(command: list[str], folder: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while subprocess.run(command, capture_output=True, check=False).returncode:
        if time.monotonic() > end:
            logs = "\n".join(f"{path.name}: {path.read_text()[-500:]}" for path in folder.glob("*.log"))
            raise ClusterError(f"{command[0]} did not answer within {seconds:g} s\n{logs}")
        time.sleep(0.3)


def _path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
