"""What a result depends on: digests of code and files, versions of libraries.

Snakemake does not look into imported modules. A rule that puts ``code_digest(script)`` into its
params re-runs exactly when the meaning of its script, or of any module of this project that the
script imports, changes; comments, docstrings and formatting change nothing.
"""

import ast
import functools
import hashlib
import importlib.metadata
from collections.abc import Iterable
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
PACKAGE = __package__


def sha256_file(path: str | Path) -> str:
    """Hex SHA-256 of a file's bytes."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_text(text: str) -> str:
    """Hex SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def library_versions(names: Iterable[str]) -> dict[str, str]:
    """Distribution name -> installed version; names that are not installed are left out."""
    versions = {name: _version(name) for name in names}
    return {name: version for name, version in versions.items() if version is not None}


@functools.cache
def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def code_digest(script: str, modules: Iterable[str] = ()) -> str:
    """Digest of a script in workflow/scripts and of all project modules it imports, transitively.

    Args:
        script: file name of the script, such as ``grade_answers.py``.
        modules: further modules that the script loads by name (``reasonaudit.methods.debate``).

    Raises:
        FileNotFoundError: no such script or module.
    """
    return _digest(script, tuple(modules))


# Rules ask once a job, and a study may have ten thousand jobs.
@functools.cache
def _digest(script: str, modules: tuple[str, ...]) -> str:
    pending = [SCRIPTS / script, *(_module_path(name, required=True) for name in modules)]
    seen: set[Path] = set()
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        pending.extend(_parsed(path)[1])
    lines = sorted(f"{path.relative_to(SCRIPTS)} {_parsed(path)[0]}" for path in seen)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def module_names(package: str) -> list[str]:
    """Names of the modules in a folder of this package: ``module_names("methods")``."""
    return sorted(path.stem for path in (SCRIPTS / PACKAGE / package).glob("[a-z]*.py"))


@functools.cache
def _parsed(path: Path) -> tuple[str, tuple[Path, ...]]:
    """Digest of one file's meaning, and the project files that it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    imports = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            imports.append(node.module)
            # ``from package import module`` names a file in its last part.
            imports.extend(f"{node.module}.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _drop_docstring(node)
    digest = hashlib.sha256(ast.unparse(tree).encode("utf-8")).hexdigest()
    found = {file for name in imports for file in _package_files(name)}
    return digest, tuple(sorted(found))


def _drop_docstring(node) -> None:
    first = node.body[0] if node.body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        node.body = node.body[1:] or [ast.Pass()]


def _package_files(name: str) -> list[Path]:
    """Files that importing ``name`` runs: the module and the ``__init__`` of each package above."""
    parts = name.split(".")
    if parts[0] != PACKAGE:
        path = _module_path(name)
        return [path] if path else []
    prefixes = (".".join(parts[: i + 1]) for i in range(len(parts)))
    return [path for path in map(_module_path, prefixes) if path]


def _module_path(name: str, *, required: bool = False) -> Path | None:
    base = SCRIPTS.joinpath(*name.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    if required:
        raise FileNotFoundError(f"no module {name} in {SCRIPTS.name}")
    return None
