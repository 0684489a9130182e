"""Thin, safe cover over llama-cpp-python's low-level bindings: a model, and a context of rows.

A context holds ``rows`` sequences, each with a KV stream of its own, so that what a row computes
does not depend on what the other rows hold. Sequences are saved to and restored from plain bytes
(exact copies of their KV cells): that is how prompts are shared, rows moved and conversations parked.
"""

import ctypes
import os
import re
from collections import deque
from pathlib import Path

# Threads that wait at a barrier spin for about a microsecond, then sleep. Tokens/s of 1 and 32 rows on
# two cores, idle | beside two busy processes: always spinning 154, 398 | 5, 99; sleeping at once 50, 340 |
# 101, 133; so 160, 402 | 36, 206. Read once, when the OpenMP library is loaded, hence before the import.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("GOMP_SPINCOUNT", "1000")

import llama_cpp
import numpy as np

from reasonaudit.errors import ContextError, ModelError

_log_lines: deque[str] = deque(maxlen=200)


@llama_cpp.llama_log_callback
def _collect_log(level, text, _user_data):
    """Keep llama.cpp's last lines for error messages instead of filling stderr."""
    if text:
        _log_lines.append(text.decode("utf-8", "replace").rstrip())


def _start_backend() -> None:
    llama_cpp.llama_log_set(_collect_log, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()


_start_backend()


def system_info() -> dict[str, int]:
    """CPU features and build options that llama.cpp uses, as it prints them: ``{"AVX2": 1, ...}``."""
    text = llama_cpp.llama_print_system_info().decode()
    return {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", text)}


def _last_errors() -> str:
    telling = [line for line in _log_lines if re.search(r"error|fail|unknown|unsupported", line, re.I)]
    return "; ".join(telling[-3:]) or "llama.cpp gave no reason"


class Model:
    """A GGUF file in memory (mapped), with its vocabulary and metadata.

    Raises:
        ModelError: the file is missing, damaged, or of an architecture that llama.cpp lacks.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        gpu_layers: int = 0,
        lora: str | Path | None = None,
        lora_scale: float = 1.0,
    ):
        path = Path(path)
        self.lora_scale = lora_scale
        self.name = path.name
        self._model = None
        if not path.is_file():
            raise ModelError(
                "model file not found", where=str(path), hint="run the target fetch_models again"
            )
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise ModelError(
                    "not a GGUF file",
                    where=str(path),
                    hint="llama.cpp reads GGUF; convert the weights or name another file",
                )
        parameters = llama_cpp.llama_model_default_params()
        parameters.n_gpu_layers = gpu_layers
        _log_lines.clear()
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), parameters)
        if not self._model:
            raise ModelError(
                f"llama.cpp cannot load the model: {_last_errors()}",
                where=str(path),
                hint="a damaged download, or an architecture newer than the pinned llama-cpp-python",
            )
        self.adapter = self._load_adapter(lora) if lora else None
        self.vocab = llama_cpp.llama_model_get_vocab(self._model)
        self.vocabulary_size = llama_cpp.llama_vocab_n_tokens(self.vocab)
        self.metadata = self._read_metadata()

    def _load_adapter(self, path: str | Path):
        adapter = llama_cpp.llama_adapter_lora_init(self._model, str(path).encode())
        if not adapter:
            raise ModelError(
                f"llama.cpp cannot load the adapter: {_last_errors()}",
                where=str(path),
                hint="a LoRA adapter must be a GGUF file made for this model",
            )
        return adapter

    def _read_metadata(self) -> dict[str, str]:
        def text(read, *arguments) -> str | None:
            size = read(self._model, *arguments, None, 0)
            if size < 0:
                return None
            buffer = ctypes.create_string_buffer(size + 1)
            read(self._model, *arguments, buffer, size + 1)
            return buffer.value.decode("utf-8", "replace")

        found = {}
        for index in range(llama_cpp.llama_model_meta_count(self._model)):
            key = text(llama_cpp.llama_model_meta_key_by_index, index)
            value = text(llama_cpp.llama_model_meta_val_str_by_index, index)
            if key is not None and value is not None:
                found[key] = value
        return found

    @property
    def trained_context(self) -> int:
        """Positions that the model was trained for."""
        return llama_cpp.llama_model_n_ctx_train(self._model)

    @property
    def rope_depends_on_context(self) -> bool:
        """True where position scaling is chosen by the size of the context (LongRoPE)."""
        architecture = self.metadata.get("general.architecture", "")
        return self.metadata.get(f"{architecture}.rope.scaling.type") == "longrope" or architecture == "phi3"

    def chat_template(self) -> str | None:
        """The file's own Jinja chat template, or None (base models)."""
        return self.metadata.get("tokenizer.chat_template")

    def close(self) -> None:
        """Free the weights; the object cannot be used afterwards."""
        if self._model:
            llama_cpp.llama_model_free(self._model)
            self._model = None

    def __del__(self):
        self.close()


class Context:
    """``rows`` sequences of at most ``cells`` positions each, decoded together.

    Raises:
        ContextError: not enough memory for the KV cache.
    """

    def __init__(self, model: Model, *, rows: int, cells: int, threads: int, chunk: int):
        self.model, self.rows, self.cells, self.threads = model, rows, -(-cells // 256) * 256, threads
        self._context = None
        capacity = max(rows, chunk + 1)  # the last chunk of a prompt may hold one token more
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = self.cells * rows
        parameters.n_batch = parameters.n_ubatch = capacity
        parameters.n_seq_max = rows
        parameters.n_threads = parameters.n_threads_batch = threads
        parameters.kv_unified = False  # one KV stream a row: a row's result is its own
        parameters.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED
        parameters.swa_full = True  # otherwise a prefix cannot be trimmed in sliding-window models
        parameters.no_perf = True
        _log_lines.clear()
        self._context = llama_cpp.llama_init_from_model(model._model, parameters)
        if not self._context:
            raise ContextError(
                f"llama.cpp cannot create a context of {rows} rows x {self.cells} positions: "
                f"{_last_errors()}",
                where=model.name,
                hint="lower n_parallel or context_length of this model, or grant more memory",
            )
        if model.adapter:
            adapters = (llama_cpp.llama_adapter_lora_p_ctypes * 1)(model.adapter)
            scales = (ctypes.c_float * 1)(model.lora_scale)
            llama_cpp.llama_set_adapters_lora(self._context, adapters, 1, scales)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._tokens = np.zeros(capacity, np.int32)
        self._positions = np.zeros(capacity, np.int32)
        self._rows_of = np.zeros(capacity, np.int32)
        self._wanted = np.zeros(capacity, np.int8)
        self._one_row_each = np.ones(capacity, np.int32)
        self._numbers = np.arange(max(capacity, self.cells), dtype=np.int32)
        self._batch = self._make_batch(capacity)

    def _make_batch(self, capacity: int) -> llama_cpp.llama_batch:
        """A batch whose fields are this object's arrays; llama_batch_init would allocate its own."""
        number, pointer = ctypes.sizeof(ctypes.c_int32), ctypes.POINTER(ctypes.c_int32)
        start = self._rows_of.ctypes.data
        self._pointers = (pointer * capacity)(
            *(ctypes.cast(start + number * i, pointer) for i in range(capacity))
        )
        return llama_cpp.llama_batch(
            n_tokens=0,
            token=self._tokens.ctypes.data_as(pointer),
            embd=None,
            pos=self._positions.ctypes.data_as(pointer),
            n_seq_id=self._one_row_each.ctypes.data_as(pointer),
            seq_id=self._pointers,
            logits=self._wanted.ctypes.data_as(ctypes.POINTER(ctypes.c_int8)),
        )

    def prefill(self, row: int, tokens: np.ndarray, start: int) -> None:
        """Add ``tokens`` to a row at positions ``start`` and up, in one batch, without logits."""
        count = len(tokens)
        self._tokens[:count] = tokens
        self._positions[:count] = self._numbers[start : start + count]
        self._rows_of[:count] = row
        self._wanted[:count] = 0
        self._decode(count)

    def decode(
        self,
        tokens: np.ndarray,
        positions: np.ndarray,
        *,
        threads: int | None = None,
        padding: int = 0,
        padding_logits: bool = True,
    ) -> np.ndarray:
        """One token for each of the rows 0 .. n-1; float32 logits (n, vocabulary), valid until the next call.

        Args:
            tokens, positions: of the rows, (n,) each.
            threads: fewer than the context has, for this call.
            padding: further rows that only make the batch wider; empty before and afterwards.
            padding_logits: whether the last layer and the logits are computed for them as well.
        """
        count = len(tokens)
        width = count + padding
        self._tokens[:count], self._tokens[count:width] = tokens, tokens[0]
        self._positions[:count], self._positions[count:width] = positions, 0
        self._rows_of[:width] = self._numbers[:width]
        self._wanted[:count], self._wanted[count:width] = 1, padding_logits
        llama_cpp.llama_set_n_threads(self._context, threads or self.threads, self.threads)
        self._decode(width)
        for row in range(count, width):
            self.clear(row)
        logits = llama_cpp.llama_get_logits(self._context)
        return np.ctypeslib.as_array(logits, (count, self.model.vocabulary_size))

    def _decode(self, count: int) -> None:
        self._batch.n_tokens = count
        status = llama_cpp.llama_decode(self._context, self._batch)
        if status:
            raise ContextError(
                f"llama.cpp could not decode a batch of {count} (status {status}): {_last_errors()}",
                where=self.model.name,
            )

    def save(self, row: int) -> np.ndarray:
        """The KV cells of a row as bytes."""
        size = llama_cpp.llama_state_seq_get_size(self._context, row)
        state = np.empty(size, np.uint8)
        written = llama_cpp.llama_state_seq_get_data(self._context, _bytes_of(state), size, row)
        if written != size:
            raise ContextError(f"llama.cpp saved {written} of {size} bytes of a row")
        return state

    def restore(self, row: int, state: np.ndarray) -> None:
        """Replace what a row holds by saved cells."""
        self.clear(row)
        if not llama_cpp.llama_state_seq_set_data(self._context, _bytes_of(state), state.size, row):
            raise ContextError(f"llama.cpp could not restore a row: {_last_errors()}")

    def clear(self, row: int) -> None:
        """Forget all that a row holds."""
        llama_cpp.llama_memory_seq_rm(self._memory, row, -1, -1)

    def trim(self, row: int, length: int) -> bool:
        """Keep the first ``length`` positions of a row; False where the model cannot (recurrent state)."""
        return bool(llama_cpp.llama_memory_seq_rm(self._memory, row, length, -1))

    def close(self) -> None:
        """Free the KV cache."""
        if self._context:
            llama_cpp.llama_free(self._context)
            self._context = None

    def __del__(self):
        self.close()


def _bytes_of(array: np.ndarray):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
