"""provenance.json: what a study's results depend on, enough to run it again elsewhere."""

import importlib.metadata
import json
import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from reasonaudit.provenance import sha256_file


def record_provenance(
    *,
    study: Mapping,
    code: Mapping[str, str],
    sources: Mapping[str, Mapping],
    prompts: str | Path,
    probes: Iterable[str | Path],
    data: Iterable[str | Path],
    output: str | Path,
) -> None:
    """Write the record.

    Args:
        study: the configuration with all defaults filled in.
        code: script -> digest of it and all that it imports.
        sources: file in resources/ -> source and sha256 as configured.
        prompts: folder of the prompt texts.
        probes: what was found out about each model when it was loaded, its row class among it.
        data: files of the data sets.
        output: the JSON file.
    """
    folder = Path(prompts)
    models = {Path(probe).stem: json.loads(Path(probe).read_text(encoding="utf-8")) for probe in probes}
    record = {
        "study": dict(study),
        "code": dict(code),
        "sources": {name: dict(source) for name, source in sources.items()},
        "models": models,
        "data": {Path(path).name: sha256_file(path) for path in data},
        "prompts": {
            path.relative_to(folder).as_posix(): sha256_file(path)
            for path in sorted(folder.rglob("*"))
            if path.suffix in (".txt", ".jsonl")
        },
        "packages": installed_packages(),
        "machine": {
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "cpu": cpu_name(),
            "cores": os.cpu_count(),
        },
        "commit": git_commit(Path(__file__).parent),
    }
    path = Path(output)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(
        json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    temporary.replace(path)


def installed_packages() -> dict[str, str]:
    """Distribution -> version, of everything that is installed."""
    found = {item.metadata["Name"].lower(): item.version for item in importlib.metadata.distributions()}
    return dict(sorted(found.items()))


def cpu_name() -> str:
    """The processor as the system names it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    match = re.search(r"^model name\s*:\s*(.+)$", text, flags=re.M)
    return match[1] if match else platform.processor()


def git_commit(folder: Path) -> str | None:
    """The commit that is checked out, with ``+changes`` where files differ from it; None outside git."""

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
        except OSError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    commit = git("rev-parse", "HEAD")
    if commit is None:
        return None
    return commit + ("+changes" if git("status", "--porcelain", "--untracked-files=no") else "")
