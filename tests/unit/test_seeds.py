"""Seeds: the same everywhere, distinct, never the value that llama.cpp takes for random."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.seeds import RANDOM_SENTINEL, add_offset, derive_seed


def test_a_seed_is_the_first_32_bits_of_the_sha256_of_its_parts():
    import hashlib

    text = '[1234,"gsm8k","q-17",{"samples":4}]'
    expected = int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)
    assert derive_seed(1234, "gsm8k", "q-17", {"samples": 4}) == expected


def test_a_seed_is_the_same_in_every_process(repository):
    code = "from reasonaudit.seeds import derive_seed; print(derive_seed(1, '質問', 'gsm8k-17'))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(repository / "workflow/scripts"), "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "2")
    }
    assert len(runs) == 1


@given(st.integers(0, RANDOM_SENTINEL - 1), st.integers(0, 4096))
def test_offsets_never_reach_the_sentinel_and_stay_distinct(seed, count):
    seeds = {add_offset(seed, offset) for offset in (0, 1, 2, count)}
    assert all(0 <= value < RANDOM_SENTINEL for value in seeds)
    assert len(seeds) == len({0, 1, 2, count})


@given(st.lists(st.text(), min_size=2, max_size=2, unique=True))
def test_other_parts_give_other_seeds(parts):
    assert derive_seed(parts[0]) != derive_seed(parts[1])
