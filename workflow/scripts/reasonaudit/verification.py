"""Making all results anew from the stored calls, in an empty folder, and comparing bytes."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from reasonaudit.errors import GateError

# What models and people wrote: taken as it is. Everything else is derived from it.
GIVEN = ("questions", "calls", "judge_calls", "step_labels", "models")
# Timings and logs differ between runs; the rest must not.
NOT_COMPARED = (*GIVEN, "benchmarks", "logs")
SHOWN = 10


def verify_study(
    *,
    results: str | Path,
    repository: str | Path,
    config_files: Iterable[str | Path],
    allowed_rules: Iterable[str],
    targets: Iterable[str],
    cores: int,
) -> int:
    """Derive the study's results a second time and compare them with those that are there.

    Args:
        results: the study's folder, ``results/<study>``.
        repository: the folder of the Snakefile.
        config_files: of the study.
        allowed_rules: the rules that may run: none that runs a model or fetches a file.
        targets: files that the study makes from its calls; those that are there are derived again, with
            all between them and the calls.
        cores: of the second run.

    Returns:
        The number of files that were compared, all equal.

    Raises:
        GateError: files that differ or are missing; nothing to verify; or the second run failed.
    """
    results, repository = Path(results), Path(repository)
    present = [target for target in dict.fromkeys(targets) if Path(target).is_file()]
    if not present:
        raise GateError("there are no results yet", where=str(results), hint="run the study first")
    with tempfile.TemporaryDirectory(prefix="verify-") as name:
        clean = Path(name)
        again = clean / "results" / results.name
        again.mkdir(parents=True)
        (clean / "resources").symlink_to((repository / "resources").resolve())
        for part in GIVEN:
            if (results / part).is_dir():
                shutil.copytree(results / part, again / part)
        command = [sys.executable, "-m", "snakemake", *present]
        command += ["--snakefile", str(repository.resolve() / "Snakefile"), "--directory", str(clean)]
        command += ["--configfile", *(str(Path(file).resolve()) for file in config_files)]
        command += ["--allowed-rules", *allowed_rules]
        command += ["--cores", str(cores), "--quiet", "rules", "progress", "host"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise GateError(
                "the results could not be derived a second time",
                where=(done.stdout + done.stderr)[-2000:],
                hint="the stored calls do not fit this version of the workflow",
            )
        return compare_folders(results, again)


def compare_folders(first: Path, second: Path) -> int:
    """The number of files in ``second``, each of which ``first`` has with the same bytes.

    Raises:
        GateError: names the files that differ or that ``first`` lacks.
    """
    derived = _files(second)
    wrong = []
    for place, path in derived.items():
        ours = first / place
        if not ours.is_file():
            wrong.append(f"{place}: missing")
        elif ours.read_bytes() != path.read_bytes():
            wrong.append(f"{place}: other bytes")
    if wrong:
        more = f"\n  and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        raise GateError(
            f"{len(wrong)} of {len(derived)} results are not what the stored calls give",
            where="\n  ".join(wrong[:SHOWN]) + more,
            hint="they were edited, or made by another version: run snakemake again, then verify",
        )
    return len(derived)


def _files(folder: Path) -> dict[str, Path]:
    """Compared files by their place in the folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if not path.is_file() or place.parts[0] in NOT_COMPARED or path.name.startswith("."):
            continue
        found[place.as_posix()] = path
    return found
