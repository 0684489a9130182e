"""Random streams named by what they decide."""

import numpy as np

from reasonaudit.seeds import derive_seed


def named_stream(*parts) -> np.random.Generator:
    """PCG64 seeded from ``parts``: the same stream in every process and on every machine."""
    return np.random.Generator(np.random.PCG64(derive_seed(*parts)))
