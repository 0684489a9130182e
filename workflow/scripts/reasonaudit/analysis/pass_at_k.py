"""Pass@k: the probability that at least one of k samples is right (Chen et al., "Evaluating large language
models trained on code")."""

import math
from collections.abc import Sequence
from functools import cache


@cache
def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Unbiased estimate from n samples of which c are right: 1 - C(n - c, k) / C(n, k).

    Whole-number arithmetic with one division, so it is exact to the last bit for any n.

    Returns:
        None for k > n: the estimate does not exist (in particular it is not 1).
    """
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"needs 0 <= c <= n and k >= 1, got n={n}, c={c}, k={k}")
    if k > n:
        return None
    subsets = math.comb(n, k)
    return (subsets - math.comb(n - c, k)) / subsets


def pass_at_k_of(results: Sequence[bool | None], k: int) -> float | None:
    """Pass@k of one problem from its samples' results; a sample without result (None) is not right.

    The planned number of samples stays the denominator: leaving failures out would lift the score.
    """
    return pass_at_k(len(results), sum(result is not None and bool(result) for result in results), k)


def mean_pass_at_k(counts: Sequence[tuple[int, int]], k: int) -> float | None:
    """Mean over problems of Pass@k from (n, c) pairs; None if one problem has fewer than k samples."""
    values = [pass_at_k(n, c, k) for n, c in counts]
    if not values or any(value is None for value in values):
        return None
    return math.fsum(values) / len(values)
