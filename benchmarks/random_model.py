"""A GGUF file of the shape of a 1.5B model, with random weights and the vocabulary of another file."""

from pathlib import Path

import numpy as np

LAYERS, WIDTH, HIDDEN, HEADS, GROUPS = 28, 1536, 8960, 12, 2
CONTEXT = 4096
SEED = 0


def random_model_file(vocabulary_of: str | Path, path: Path) -> Path:
    """Write the file (1.5 GB, Q8_0) unless it is there."""
    import gguf

    if path.is_file():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    writer = gguf.GGUFWriter(str(temporary), "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10_000.0)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    vocabulary = _copy_tokenizer(gguf.GGUFReader(str(vocabulary_of)), writer)
    random = np.random.Generator(np.random.PCG64(SEED))
    key_width = WIDTH // HEADS * GROUPS

    def matrix(name: str, rows: int, columns: int) -> None:
        writer.add_tensor(name, _blocks(random, rows, columns), raw_dtype=gguf.GGMLQuantizationType.Q8_0)

    def ones(name: str) -> None:
        writer.add_tensor(name, np.ones(WIDTH, np.float32))

    matrix("token_embd.weight", vocabulary, WIDTH)
    ones("output_norm.weight")
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        ones(f"{block}.attn_norm.weight")
        ones(f"{block}.ffn_norm.weight")
        matrix(f"{block}.attn_q.weight", WIDTH, WIDTH)
        matrix(f"{block}.attn_k.weight", key_width, WIDTH)
        matrix(f"{block}.attn_v.weight", key_width, WIDTH)
        matrix(f"{block}.attn_output.weight", WIDTH, WIDTH)
        matrix(f"{block}.ffn_gate.weight", HIDDEN, WIDTH)
        matrix(f"{block}.ffn_up.weight", HIDDEN, WIDTH)
        matrix(f"{block}.ffn_down.weight", WIDTH, HIDDEN)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return temporary.replace(path)


def _blocks(random: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Q8_0 blocks as bytes: a 16-bit scale and 32 numbers each, weights of standard deviation 0.02."""
    blocks = rows * columns // 32
    data = np.empty((blocks, 34), np.uint8)
    data[:, :2] = np.full(blocks, 0.02 / 73.3, np.float16).view(np.uint8).reshape(-1, 2)
    data[:, 2:] = random.integers(-127, 128, (blocks, 32), np.int8).view(np.uint8)
    return data.reshape(rows, columns // 32 * 34)


def _copy_tokenizer(reader, writer) -> int:
    """Copy all tokenizer values; size of the vocabulary."""
    size = 0
    for name, field in reader.fields.items():
        if not name.startswith("tokenizer."):
            continue
        if name == "tokenizer.ggml.tokens":
            size = len(field.data)
        kind = field.types[0]
        inner = field.types[-1] if len(field.types) > 1 else None
        writer.add_key_value(name, field.contents(), kind, inner)
    return size
