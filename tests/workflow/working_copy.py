"""A working copy of the repository, in which tests run Snakemake, edit files, and break things."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
MINI = Path(__file__).with_name("mini.yaml")
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".snakemake", ".hypothesis", "*_cache", "__pycache__", "results", "models", "data"
)
# Every kind of job, without the many tables that are exported in the same way.
TARGETS = (
    "results/mini/tables/comparisons.csv",
    "results/mini/tables/summary.md",
    "results/mini/figures/cost_accuracy.png",
    "results/mini/figures/comparisons.png",
    "results/mini/judgements/smollm2-judge/smollm2-135m/arithmetic-en/self_consistency.parquet",
)
LONGEST_RUN = 900  # seconds, on a busy machine; a run that hangs ends the test
_RULE = re.compile(r"^(?:local)?rule (\w+):$")
_WILDCARDS = re.compile(r"^    wildcards: (.*)$")


class WorkingCopy:
    """A copy of the repository with the mini study in it.

    Args:
        folder: where the copy goes; must not exist.
        results_from: another copy whose results and job records are taken over.
        models_from: another copy whose fetched models are linked.
    """

    def __init__(
        self,
        folder: Path,
        *,
        results_from: "WorkingCopy | None" = None,
        models_from: "WorkingCopy | None" = None,
    ):
        self.folder = folder
        shutil.copytree(REPOSITORY, folder, ignore=LEFT_OUT)
        self.config = folder / "mini.yaml"
        shutil.copyfile(MINI, self.config)
        source = results_from or models_from
        models = (source.folder if source else REPOSITORY) / "resources" / "models"
        if results_from:
            shutil.copytree(results_from.folder / "results", folder / "results")
            shutil.copytree(results_from.folder / ".snakemake", folder / ".snakemake")
        # A model that is at hand is linked; where there is none, the workflow fetches it.
        for file in models.glob("*.gguf"):
            place = folder / "resources" / "models" / file.name
            place.parent.mkdir(exist_ok=True)
            try:
                os.link(file, place)
            except OSError:
                place.symlink_to(file)

    @property
    def results(self) -> Path:
        return self.folder / "results" / "mini"

    def command(self, *arguments: str, config: Path | None = None) -> list[str]:
        """The command line of a run: targets and options, on the mini study."""
        given = ["--configfile", str(config or self.config)]
        return [sys.executable, "-m", "snakemake", *arguments, *given]

    def environment(self) -> dict[str, str]:
        """The environment of a run: nothing of the test's own."""
        return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}

    def start(self, *arguments: str, **keywords) -> subprocess.Popen:
        """A run that goes on while the test does something to it."""
        return subprocess.Popen(
            self.command("--cores", "64", *arguments),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **keywords,
        )

    def snakemake(
        self, *arguments: str, config: Path | None = None, check: bool = True
    ) -> subprocess.CompletedProcess:
        """A run to its end; its output is in ``stdout``."""
        done = subprocess.run(
            self.command(*arguments, config=config),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LONGEST_RUN,
        )
        assert not check or done.returncode == 0, done.stdout[-6000:]
        return done

    def run(self, *arguments: str, check: bool = True) -> str:
        """Everything (or the targets given), as a user types it; returns the output."""
        return self.snakemake(*arguments, "--cores", "64", check=check).stdout

    def planned(self, *targets: str, config: Path | None = None) -> Counter:
        """Jobs that a run would do now, as ``rule wildcard,wildcard`` -> how often."""
        done = self.snakemake(*targets, "-n", config=config)
        return Counter(planned_jobs(done.stdout))

    def processes(self) -> dict[int, list[str]]:
        """Process id -> command line of everything that runs in this copy's folder."""
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            try:
                words = (place / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
                if (place / "cwd").resolve() == self.folder.resolve():
                    found[int(place.name)] = words
            except OSError:
                continue
        return found

    def scripts_running(self, name: str) -> list[int]:
        """Process ids of jobs of this copy that run the script ``name``."""
        found = self.processes().items()
        return [number for number, words in found if any(word.endswith(f".{name}.py") for word in words)]

    def stop_processes(self) -> None:
        """Kill what still runs in this copy's folder: orphans of runs that were killed."""
        for number in self.processes():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    @contextmanager
    def edited(self, name: str, old: str, new: str) -> Iterator[None]:
        """The file ``name`` with ``old`` replaced, put back afterwards with its time."""
        path = self.folder / name
        text, status = path.read_text(encoding="utf-8"), path.stat()
        assert text.count(old) == 1, f"{name} has {text.count(old)} places that say {old!r}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def planned_jobs(output: str) -> Iterator[str]:
    """Jobs in the output of a dry run: the rule's name, and its wildcards' values in order."""
    rule, wildcards = None, ""
    for line in [*output.splitlines(), "rule end:"]:
        if match := _RULE.match(line):
            if rule:
                yield f"{rule} {wildcards}".strip()
            rule, wildcards = match[1], ""
        elif match := _WILDCARDS.match(line):
            wildcards = ",".join(part.split("=", 1)[1] for part in match[1].split(", "))


def contents(folder: Path, *patterns: str) -> dict[str, bytes]:
    """Bytes of the files under a folder, by their path in it."""
    found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(found)}
