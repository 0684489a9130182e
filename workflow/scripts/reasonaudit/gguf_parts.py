"""Joining the parts of a split GGUF model into one file.

``gguf-split`` of llama.cpp does not cut a file: each part is a GGUF file of its own, with its share of the
tensors, and the first has the model's metadata. Put together byte by byte they are no model. The joined
file has the metadata of the first part without the keys about splitting, and all tensors in order.
"""

import os
import shutil
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from reasonaudit.errors import ModelError

MAGIC = b"GGUF"
SPLIT_KEYS = ("split.no", "split.count", "split.tensors.count")
ALIGNMENT_KEY = "general.alignment"
DEFAULT_ALIGNMENT = 32
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_FORMATS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_STRING, _ARRAY = 8, 9
_CHUNK = 1 << 20


@dataclass(frozen=True)
class _Part:
    path: Path
    version: int
    values: dict[str, bytes]  # key -> its bytes in the file, key and type included
    numbers: dict[str, int]  # whole-number values
    tensors: list[tuple[bytes, int]]  # (info without its offset, offset in the data)
    data_start: int


def is_split(paths: Sequence[Path]) -> bool:
    """Whether the files are parts of a split GGUF model (and not pieces of one file)."""
    for path in paths:
        with open(path, "rb") as file:
            if file.read(4) != MAGIC:
                return False
    return True


def join_parts(paths: Sequence[Path], target: Path) -> None:
    """Write the model whose parts are ``paths``, in their order, to ``target``.

    Raises:
        ModelError: not all the parts, another order, or a damaged part.
    """
    parts = [_read(path) for path in paths]
    _check(parts)
    alignment = parts[0].numbers.get(ALIGNMENT_KEY, DEFAULT_ALIGNMENT)
    values = [raw for key, raw in parts[0].values.items() if key not in SPLIT_KEYS]
    tensors, start = [], 0
    for part in parts:
        tensors += [info + struct.pack("<Q", offset + start) for info, offset in part.tensors]
        start += _padded(part.path.stat().st_size - part.data_start, alignment)
    with open(target, "wb") as file:
        file.write(MAGIC + struct.pack("<IQQ", parts[0].version, len(tensors), len(values)))
        file.write(b"".join(values) + b"".join(tensors))
        for part in parts:
            file.write(b"\0" * (_padded(file.tell(), alignment) - file.tell()))
            with open(part.path, "rb") as source:
                source.seek(part.data_start)
                shutil.copyfileobj(source, file, _CHUNK)
        file.write(b"\0" * (_padded(file.tell(), alignment) - file.tell()))


def _check(parts: list[_Part]) -> None:
    numbers = [part.numbers.get("split.no") for part in parts]
    counts = {part.numbers.get("split.count") for part in parts}
    if counts != {len(parts)} or numbers != list(range(len(parts))):
        found = ", ".join(f"{part.path.name}: {part.numbers.get('split.no', '?')}" for part in parts)
        raise ModelError(
            f"these {len(parts)} files are not all the parts of a model in their order",
            where=f"number of each part, from 0: {found}; parts: {', '.join(map(str, counts))}",
            hint="list every part, -00001-of-0000N first",
        )
    total = parts[0].numbers.get("split.tensors.count")
    found = sum(len(part.tensors) for part in parts)
    if total is not None and total != found:
        raise ModelError(f"the parts have {found} tensors, the model {total}", where=str(parts[0].path))


def _read(path: Path) -> _Part:
    try:
        with open(path, "rb") as file:
            return _read_header(file, path)
    except (struct.error, KeyError, UnicodeDecodeError, OverflowError) as error:
        raise ModelError(
            "the header of a GGUF part is damaged", where=str(path), hint="fetch the part again"
        ) from error


def _read_header(file: BinaryIO, path: Path) -> _Part:
    magic, version, tensor_count, value_count = struct.unpack("<4sIQQ", file.read(24))
    if magic != MAGIC or version not in (2, 3):
        raise KeyError(version)
    values, numbers = {}, {}
    for _ in range(value_count):
        start = file.tell()
        key = _string(file).decode()
        (kind,) = struct.unpack("<I", file.read(4))
        if kind in _FORMATS:
            (numbers[key],) = struct.unpack(_FORMATS[kind], file.read(_SIZES[kind]))
        else:
            _skip(file, kind)
        values[key] = _between(file, start)
    tensors = []
    for _ in range(tensor_count):
        start = file.tell()
        _string(file)
        (dimensions,) = struct.unpack("<I", file.read(4))
        file.seek(8 * dimensions + 4, os.SEEK_CUR)
        info = _between(file, start)
        tensors.append((info, struct.unpack("<Q", file.read(8))[0]))
    alignment = numbers.get(ALIGNMENT_KEY, DEFAULT_ALIGNMENT)
    return _Part(path, version, values, numbers, tensors, _padded(file.tell(), alignment))


def _string(file: BinaryIO) -> bytes:
    (length,) = struct.unpack("<Q", file.read(8))
    content = file.read(length)
    if len(content) != length:
        raise struct.error("the file ends within a text")
    return content


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        _string(file)
    elif kind == _ARRAY:
        inner, count = struct.unpack("<IQ", file.read(12))
        if inner in _SIZES:
            file.seek(_SIZES[inner] * count, os.SEEK_CUR)
        else:
            for _ in range(count):
                _skip(file, inner)
    else:
        file.seek(_SIZES[kind], os.SEEK_CUR)


def _between(file: BinaryIO, start: int) -> bytes:
    end = file.tell()
    file.seek(start)
    content = file.read(end - start)
    if len(content) != end - start:
        raise struct.error("the file ends within its header")
    return content


def _padded(length: int, alignment: int) -> int:
    return -(-length // alignment) * alignment
