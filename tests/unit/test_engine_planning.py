"""Memory and rows of a job, from metadata and plain numbers; row classes."""

from types import SimpleNamespace

import pytest

from reasonaudit.engine.memory import cache_bytes, kv_bytes_per_position, memory_needed_mb
from reasonaudit.engine.planning import plan_rows
from reasonaudit.engine.probe import smallest_class
from reasonaudit.engine.rows import EVERY_WIDTH, RowClass
from reasonaudit.errors import ContextError, ModelError

SMOLLM2 = {
    "general.architecture": "llama",
    "llama.block_count": "30",
    "llama.embedding_length": "576",
    "llama.attention.head_count": "9",
    "llama.attention.head_count_kv": "3",
}
MEGABYTE = 1 << 20


def model(metadata=SMOLLM2, trained=8192):
    return SimpleNamespace(name="m.gguf", metadata=metadata, trained_context=trained, vocabulary_size=49152)


def planned(**changes):
    given = {"n_parallel": None, "context_length": 2048, "positions": 1024, "file_bytes": 100 * MEGABYTE}
    return plan_rows(model(), **{**given, "granted_mb": None, **changes})


def test_cells_of_a_model_with_grouped_heads():
    # 30 layers x 3 heads x (64 + 64) numbers of 2 bytes
    assert kv_bytes_per_position(SMOLLM2) == 30 * 3 * 128 * 2


def test_cells_with_lengths_and_heads_of_their_own():
    gemma = {
        "general.architecture": "gemma3",
        "gemma3.block_count": "18",
        "gemma3.embedding_length": "640",
        "gemma3.attention.head_count": "4",
        "gemma3.attention.head_count_kv": "1",
        "gemma3.attention.key_length": "256",
        "gemma3.attention.value_length": "256",
    }
    assert kv_bytes_per_position(gemma) == 18 * 512 * 2
    by_layer = {**gemma, "gemma3.attention.head_count_kv": "[1, 0, 2]"}
    assert kv_bytes_per_position(by_layer) == 3 * 512 * 2
    no_groups = {key: value for key, value in SMOLLM2.items() if not key.endswith("kv")}
    assert kv_bytes_per_position(no_groups) == 30 * 9 * 128 * 2


def test_recurrent_models_need_no_cells():
    mamba = {"general.architecture": "mamba", "mamba.block_count": "24", "mamba.attention.head_count": "0"}
    assert kv_bytes_per_position(mamba) == 0


def test_memory_is_the_sum_of_its_parts():
    kv, rows, positions = 23_040, 32, 1024
    needed = memory_needed_mb(
        kv_bytes=kv, rows=rows, positions=positions, file_bytes=100 * MEGABYTE, vocabulary=49_152
    )
    cells = kv * rows * positions
    rest = cache_bytes(kv, rows, positions) + 100 * MEGABYTE + 4 * 49_152 * rows
    assert needed == 700 + -(-(cells + rest) // MEGABYTE)


def test_rows_follow_from_the_memory_granted():
    assert planned() == 32
    assert planned(granted_mb=100_000) == 32
    rows = [planned(granted_mb=mb) for mb in range(840, 2100, 100)]
    assert rows == sorted(rows)
    assert 1 <= rows[0] < rows[-1] == 32
    # The plan is the largest that fits: one row more would not.
    for mb in range(840, 1900, 100):
        found = planned(granted_mb=mb)
        assert planned(granted_mb=mb, n_parallel=found) == found
        with pytest.raises(ContextError):
            planned(granted_mb=mb, n_parallel=found + 1)


def test_the_config_decides_where_it_says_a_number():
    assert planned(n_parallel=64) == 64
    assert planned(n_parallel=3, granted_mb=5000) == 3


def test_too_many_rows_are_refused_with_what_would_fit():
    with pytest.raises(ContextError) as error:
        planned(n_parallel=32, granted_mb=1200)
    fitting = planned(granted_mb=1200)
    assert "but the job was granted 1200 MB" in str(error.value)
    assert f"set n_parallel {fitting} for this model" in str(error.value)


def test_memory_for_no_row_at_all_suggests_a_shorter_context():
    with pytest.raises(ContextError, match="a smaller context_length"):
        planned(granted_mb=701)


def test_a_context_longer_than_the_models_is_refused():
    with pytest.raises(ContextError, match="longer than the 8192 positions") as error:
        planned(context_length=9000)
    assert "at most 8192" in str(error.value)


def test_expected_positions_count_not_the_whole_context():
    assert planned(granted_mb=1200, positions=300) > planned(granted_mb=1200, positions=2000)
    assert planned(granted_mb=1200, positions=9_999) == planned(granted_mb=1200, positions=2048)


def test_rows_that_only_pad_need_memory_too():
    assert planned(granted_mb=1000) < 8
    with pytest.raises(ContextError):
        planned(granted_mb=1000, n_parallel=1, row_class=RowClass(32, 4))


def test_widths_of_a_class():
    assert [EVERY_WIDTH.width(n) for n in (1, 2, 3, 4, 7)] == [1, 2, 4, 4, 8]
    assert RowClass(5, 1).width(1) == 6
    fours = RowClass(8, 4)
    assert [fours.width(n) for n in (1, 8, 9, 12, 13, 32)] == [8, 8, 12, 12, 16, 32]


def test_the_smallest_class_whose_widths_are_all_equal():
    widths = (1, 2, 3, 4, 5, 7, 8, 9, 12, 14, 16, 17, 18, 32)

    def of(equal):
        return smallest_class({width: width in equal for width in widths})

    assert of(widths) == RowClass(1, 1)
    assert of(widths[1:]) == RowClass(2, 1)
    assert of((8, 12, 16, 32)) == RowClass(8, 4)
    assert of((8, 9, 12, 14, 16, 17, 18, 32)) == RowClass(8, 1)
    assert of((2, 4, 8, 12, 14, 16, 18, 32)) == RowClass(2, 2)
    with pytest.raises(ModelError, match="between batches of different width"):
        of((32,))
