"""Seeds derived from names, the same in every process and on every machine."""

import hashlib
import json

RANDOM_SENTINEL = 0xFFFFFFFF  # llama.cpp reads this seed as "pick one at random"


def derive_seed(*parts) -> int:
    """First 32 bits of SHA-256 over the JSON of ``parts``; never the random sentinel."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return add_offset(int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:4], "big"), 0)


def add_offset(seed: int, offset: int) -> int:
    """``seed + offset`` within 0 .. 2**32 - 2, so that distinct offsets stay distinct."""
    return (seed + offset) % RANDOM_SENTINEL
