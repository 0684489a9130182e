"""Joining split GGUF models: the result is the file that was never split."""

import struct

import pytest

from reasonaudit.errors import ModelError
from reasonaudit.gguf_parts import is_split, join_parts
from reasonaudit.sources import fetch

# Tensors by name: (dimensions, type, bytes); sizes that are no multiple of any alignment are padded.
TENSORS = [
    ("token_embd.weight", (4, 3), 0, bytes(range(48))),
    ("blk.0.norm", (5,), 0, b"\x07" * 20),
    ("output.weight", (2, 2), 8, b"\x2a" * 34),
]


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def value(key: str, kind: int, content: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + content


def metadata(alignment: int) -> list[bytes]:
    """One key of every kind that a model file may have."""
    return [
        value("general.architecture", 8, text("llama")),
        value("general.alignment", 4, struct.pack("<I", alignment)),
        value("llama.rope.freq_base", 6, struct.pack("<f", 10000)),
        value("tokenizer.ggml.add_bos_token", 7, b"\1"),
        value("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + text("▁a") + text("b")),
        value("tokenizer.ggml.scores", 9, struct.pack("<IQ", 6, 2) + struct.pack("<2f", 0, -1)),
        value("nested", 9, struct.pack("<IQ", 9, 1) + struct.pack("<IQ", 5, 2) + struct.pack("<2i", 1, 2)),
        value("big", 10, struct.pack("<Q", 1 << 40)),
        value("precise", 12, struct.pack("<d", 0.5)),
    ]


def write(path, values, tensors, alignment):
    """A GGUF file, written from the format's description alone."""
    data, infos = b"", b""
    for name, dimensions, kind, content in tensors:
        count = len(dimensions)
        infos += text(name) + struct.pack(f"<I{count}Q", count, *dimensions)
        infos += struct.pack("<IQ", kind, len(data))
        data += content + b"\0" * (-len(content) % alignment)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values)) + b"".join(values) + infos
    path.write_bytes(head + b"\0" * (-len(head) % alignment) + data)
    return path


def split(folder, groups, alignment):
    """The parts as gguf-split writes them: metadata in the first, split keys in each."""
    paths = []
    for number, tensors in enumerate(groups):
        keys = [
            value("split.no", 2, struct.pack("<H", number)),
            value("split.count", 2, struct.pack("<H", len(groups))),
            value("split.tensors.count", 5, struct.pack("<i", len(TENSORS))),
        ]
        own = metadata(alignment) if number == 0 else metadata(alignment)[1:2]
        paths.append(write(folder / f"m-{number + 1:05d}.gguf", own + keys, tensors, alignment))
    return paths


@pytest.mark.parametrize("alignment", [32, 64])
@pytest.mark.parametrize(
    "groups",
    [
        [TENSORS[:1], TENSORS[1:]],
        [TENSORS[:2], TENSORS[2:]],
        [TENSORS[:1], TENSORS[1:2], TENSORS[2:]],
        [[], TENSORS],
    ],
)
def test_joined_parts_are_the_file_that_was_never_split(tmp_path, groups, alignment):
    whole = write(tmp_path / "whole.gguf", metadata(alignment), TENSORS, alignment)
    parts = split(tmp_path, groups, alignment)
    assert is_split(parts)
    join_parts(parts, tmp_path / "joined.gguf")
    assert (tmp_path / "joined.gguf").read_bytes() == whole.read_bytes()


def test_fetching_parts_joins_them_as_a_model(tmp_path):
    whole = write(tmp_path / "whole.gguf", metadata(32), TENSORS, 32)
    parts = split(tmp_path, [TENSORS[:1], TENSORS[1:]], 32)
    source = [f"file:{part.name}" for part in parts]
    fetch(source=source, sha256=None, path=tmp_path / "kept" / "m.gguf", repository=tmp_path)
    assert (tmp_path / "kept" / "m.gguf").read_bytes() == whole.read_bytes()


def test_parts_that_are_missing_or_out_of_order(tmp_path):
    parts = split(tmp_path, [TENSORS[:1], TENSORS[1:2], TENSORS[2:]], 32)
    with pytest.raises(ModelError, match=r"these 2 files are not all the parts(.|\n)*parts: 3"):
        join_parts(parts[:2], tmp_path / "joined.gguf")
    with pytest.raises(ModelError, match=r"m-00002.gguf: 1, m-00001.gguf: 0"):
        join_parts([parts[1], parts[0], parts[2]], tmp_path / "joined.gguf")
    with pytest.raises(ModelError, match="are not all the parts"):
        join_parts([write(tmp_path / "w", metadata(32), TENSORS, 32)] * 2, tmp_path / "joined.gguf")


def test_damaged_parts(tmp_path):
    parts = split(tmp_path, [TENSORS[:1], TENSORS[1:]], 32)
    parts[0].write_bytes(parts[0].read_bytes()[:150])
    with pytest.raises(ModelError, match="header of a GGUF part is damaged"):
        join_parts(parts, tmp_path / "joined.gguf")
    lost = split(tmp_path, [TENSORS[:1], TENSORS[2:]], 32)
    with pytest.raises(ModelError, match="the parts have 2 tensors, the model 3"):
        join_parts(lost, tmp_path / "joined.gguf")


def test_pieces_of_one_file_are_no_split_model(tmp_path):
    whole = write(tmp_path / "whole.gguf", metadata(32), TENSORS, 32).read_bytes()
    (tmp_path / "a").write_bytes(whole[:100])
    (tmp_path / "b").write_bytes(whole[100:])
    assert not is_split([tmp_path / "a", tmp_path / "b"])
