"""Model files that cannot be used: each ends in a clear message."""

import struct

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import chisquare

from fake_llama import run_fake
from model_files import SMOLLM2
from real_engine import load, pool, session
from reasonaudit.conversation import Ask
from reasonaudit.engine.llama import Context, Model, system_info
from reasonaudit.engine.scheduler import Session
from reasonaudit.errors import ContextError, ModelError
from reasonaudit.sources import fetch


def gguf(**values: str) -> bytes:
    """A GGUF file of text values and no tensors."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    header = b"GGUF" + struct.pack("<IQQ", 3, 0, len(values))
    return header + b"".join(text(k) + struct.pack("<I", 8) + text(v) for k, v in values.items())


def test_a_missing_file(tmp_path):
    with pytest.raises(ModelError, match="not found") as error:
        Model(tmp_path / "none.gguf")
    assert "none.gguf" in str(error.value)


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 a zip", b"version https://git-lfs.github.com/spec/v1\n"]
)
def test_a_file_of_another_kind(tmp_path, content):
    (tmp_path / "m.gguf").write_bytes(content)
    with pytest.raises(ModelError, match="not a GGUF file"):
        Model(tmp_path / "m.gguf")


def test_a_damaged_file(tmp_path):
    (tmp_path / "m.gguf").write_bytes(b"GGUF" + b"\x07" * 100)
    with pytest.raises(ModelError, match="cannot load the model"):
        Model(tmp_path / "m.gguf")


def test_an_architecture_that_llama_cpp_lacks(tmp_path):
    (tmp_path / "m.gguf").write_bytes(gguf(**{"general.architecture": "thinkformer9"}))
    with pytest.raises(ModelError, match="unknown model architecture: 'thinkformer9'") as error:
        Model(tmp_path / "m.gguf")
    assert "newer than the pinned llama-cpp-python" in str(error.value)


@pytest.mark.model
def test_a_file_cut_short(smollm2, tmp_path):
    with open(smollm2, "rb") as whole:
        (tmp_path / "m.gguf").write_bytes(whole.read(5_000_000))
    with pytest.raises(ModelError, match=r"cannot load the model: .+"):
        Model(tmp_path / "m.gguf")


@pytest.mark.model
def test_a_file_with_another_hash(smollm2, tmp_path):
    with pytest.raises(ModelError, match="another SHA-256"):
        fetch(source=f"file:{smollm2}", sha256="0" * 64, path=tmp_path / "m.gguf")
    assert not list(tmp_path.iterdir())
    fetch(source=f"file:{smollm2}", sha256=SMOLLM2["sha256"], path=tmp_path / "m.gguf")
    assert (tmp_path / "m.gguf").is_file()


@pytest.mark.model
def test_an_adapter_that_is_none(smollm2, tmp_path):
    (tmp_path / "lora.gguf").write_bytes(gguf(**{"general.architecture": "llama"}))
    with pytest.raises(ModelError, match="cannot load the adapter"):
        Model(smollm2, lora=tmp_path / "lora.gguf")


@pytest.mark.model
def test_a_batch_that_llama_cpp_refuses(smollm2):
    model = Model(smollm2)
    context = Context(model, rows=2, cells=256, threads=1, chunk=64)
    with pytest.raises(ContextError, match="could not decode a batch of 1"):
        context.decode(np.array([10**6], np.int32), np.array([0], np.int32))  # no such token


def test_system_info_tells_the_kernels():
    assert set(system_info().values()) <= set(range(1024))
    assert system_info()


@pytest.mark.model
def test_real_samples_follow_the_models_distribution(smollm2):
    """Frequencies of first tokens over many seeds against the softmax of the real logits."""
    loaded = load(smollm2)
    temperature, size = 0.7, 600
    prompt = loaded.template.encode([{"role": "user", "content": "Say a number."}])
    context = Context(loaded.model, rows=2, cells=256, threads=2, chunk=64)
    body = np.array(prompt[:-1], np.int32)
    context.prefill(0, body, 0)
    logits = context.decode(np.array(prompt[-1:], np.int32), np.array([len(body)], np.int32))[0]
    expected = softmax(logits.astype(np.float64) / temperature) * size
    (calls,) = loaded.run(
        [session("s", pool("Say a number.", size, max_tokens=1, temperature=temperature))], n_parallel=32
    )[0].values()
    seen = np.bincount([call.generated[0] for call in calls], minlength=len(logits))
    common = expected >= 5
    assert common.sum() >= 5
    seen = np.append(seen[common], seen[~common].sum())
    expected = np.append(expected[common], expected[~common].sum())
    assert chisquare(seen, expected).pvalue > 0.001
    greedy = loaded.run([session("g", pool("Say a number.", 1, max_tokens=1, temperature=0))])[0]["g",]
    assert greedy[0].generated == [int(logits.argmax())]


def test_a_run_that_breaks_off_can_be_followed_by_another():
    def broken():
        yield Ask(({"role": "user", "content": "x"},), 0.7, 5, 0, "sample")
        raise RuntimeError("the method has a fault")

    with pytest.raises(RuntimeError, match="has a fault"):
        run_fake([Session(("s",), broken(), 1)])
    assert run_fake([Session(("s",), pool("x", 2), 1)])
