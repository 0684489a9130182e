"""The probe of row classes on two real models, and a model whose batches must be padded."""

import json

import numpy as np
import pytest

from real_engine import load, pool, session, turns
from reasonaudit.engine.describe import probe_model
from reasonaudit.engine.llama import Context, Model
from reasonaudit.engine.prompt_cache import CHUNK
from reasonaudit.engine.rows import EVERY_WIDTH, RowClass
from reasonaudit.generation import read_row_class

pytestmark = pytest.mark.model

FOURS = RowClass(8, 4)


@pytest.fixture(scope="module")
def gemma(gemma3):
    return load(gemma3, plain_format="Question: {prompt}\nAnswer:", row_class=FOURS)


def probed(file, folder, context_length):
    output = folder / "probe.json"
    probe_model(model_file=file, adapter_file=None, context_length=context_length, threads=2, output=output)
    return read_row_class(output), json.loads(output.read_text())


def test_a_model_whose_kernels_take_rows_in_groups(gemma3, tmp_path):
    row_class, record = probed(gemma3, tmp_path, 200)
    assert row_class == FOURS
    equal = record["probe"]["equal_to_widest"]
    assert {width for width in equal if equal[width]} == {"8", "12", "16", "32"}
    assert record["metadata"]["general.architecture"] == "gemma3"
    assert record["sha256"] == "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"


def test_a_model_whose_rows_do_not_depend_on_the_batch(smollm2, tmp_path):
    row_class, record = probed(smollm2, tmp_path, 320)
    assert row_class == EVERY_WIDTH
    assert record["probe"]["positions"] == [40, 300]
    assert record["probe"]["threads"] == [2, 1]
    assert record["kv_bytes_per_position"] == 23_040
    assert record["llama_cpp_python"]["llama-cpp-python"]
    assert record["system_info"]["AVX2"] in (0, 1)


def work():
    sessions = [session(f"p{i}", pool(f"What is {i} plus {i}?", 3, max_tokens=5)) for i in range(3)]
    return [*sessions, session("turns", turns("Name a colour.", 2, max_tokens=4))]


@pytest.fixture(scope="module")
def reference(gemma):
    return gemma.ids(work(), n_parallel=8)


@pytest.mark.parametrize(("n_parallel", "threads"), [(1, 2), (3, 2), (9, 2), (13, 1)])
def test_padded_batches_give_the_same_text(gemma, reference, n_parallel, threads):
    assert gemma.ids(work(), n_parallel=n_parallel, threads=threads) == reference


def test_without_padding_the_logits_would_differ(gemma3):
    """Narrow batches of this model round now and then in another way: what the class is for."""
    model = Model(gemma3)
    context = Context(model, rows=16, cells=64, threads=2, chunk=CHUNK)
    tokens = np.random.Generator(np.random.PCG64(1)).integers(5, 200_000, 16).astype(np.int32)

    def logits(width):
        found = []
        for start in range(0, 16, width):
            chosen = tokens[start : start + width]
            found.append(context.decode(chosen, np.zeros(len(chosen), np.int32)).copy())
            for row in range(len(chosen)):
                context.clear(row)
        return np.concatenate(found)

    assert np.array_equal(logits(8), logits(16))
    assert not np.array_equal(logits(2), logits(16))


@pytest.mark.parametrize("position", [256, 600, 1100])
def test_a_lone_row_on_one_thread_equals_a_padded_one_on_two(smollm2, position):
    model = Model(smollm2)
    context = Context(model, rows=2, cells=1280, threads=2, chunk=CHUNK)
    tokens = np.random.Generator(np.random.PCG64(3)).integers(5, 40_000, position + 8).astype(np.int32)
    for start in range(0, position, CHUNK):
        context.prefill(0, tokens[start : min(start + CHUNK, position)], start)

    def logits(at, **how):
        found = context.decode(tokens[at : at + 1], np.array([at], np.int32), **how).copy()
        context.trim(0, at)
        return found

    different = False
    for at in range(position, position + 8):
        padded = logits(at, padding=1, padding_logits=False)
        assert np.array_equal(logits(at, threads=1), padded)
        different |= not np.array_equal(logits(at), padded)
        context.decode(tokens[at : at + 1], np.array([at], np.int32), threads=1)
    assert different, "a single row on two threads has the same bits here, so nothing of this is needed"


def test_padding_leaves_nothing_in_its_rows(smollm2):
    model = Model(smollm2)
    context = Context(model, rows=4, cells=64, threads=2, chunk=CHUNK)
    one, two = np.array([100], np.int32), np.array([100, 200], np.int32)
    alone = context.decode(one, np.array([0], np.int32)).copy()
    context.clear(0)
    padded = context.decode(one, np.array([0], np.int32), padding=3, padding_logits=False).copy()
    assert padded.shape == (1, model.vocabulary_size)
    assert np.array_equal(alone, padded)
    # Row 1 is empty again, so a new sequence may start there.
    again = context.decode(two, np.array([1, 0], np.int32), padding=1, padding_logits=True)
    assert again.shape == (2, model.vocabulary_size)


def test_saved_cells_are_restored_to_the_bit(smollm2):
    model = Model(smollm2)
    context = Context(model, rows=3, cells=512, threads=2, chunk=CHUNK)
    tokens = np.random.Generator(np.random.PCG64(2)).integers(5, 40_000, 64).astype(np.int32)
    context.prefill(0, tokens, 0)
    state = context.save(0)
    context.restore(2, state)
    context.restore(1, state)
    context.restore(0, context.save(2))  # the bytes name the row, so compare the same row
    assert np.array_equal(context.save(0), state)
    context.clear(0)
    context.restore(0, state)
    same = np.full(3, 77, np.int32)
    logits = context.decode(same, np.full(3, 64, np.int32))
    assert np.array_equal(logits[0], logits[1])
    assert np.array_equal(logits[0], logits[2])
    assert context.trim(0, 64)
    assert np.array_equal(context.save(0), state)
