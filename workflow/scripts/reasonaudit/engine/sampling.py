"""From logits to a token: greedy, or a draw from softmax(logits / temperature), nucleus optional.

All in float64 from a call's own stream of uniforms, so that a draw depends on nothing but the
logits of its row, the seed and the position in the reply.
"""

import math

import numpy as np

from reasonaudit.errors import ModelError

# Tokens less than exp(-25) = 1.4e-11 times as likely as the best one are never drawn; summing only
# the rest makes a draw several times faster in large vocabularies.
NEGLIGIBLE = 25.0


def uniforms(seed: int, count: int) -> np.ndarray:
    """``count`` numbers in [0, 1) for a seed; a longer stream begins with a shorter one.

    Philox's raw output is stable over numpy versions, unlike Generator.random.
    """
    return (np.random.Philox(key=seed).random_raw(count) >> np.uint64(11)) * 2.0**-53


def draw(logits: np.ndarray, temperature: float, top_p: float, uniform: float) -> int:
    """One token id from a row of logits (vocabulary,).

    Temperature 0 takes the largest logit, ties to the lowest id. ``top_p`` < 1 keeps the smallest
    set of most likely tokens whose probability reaches it (ties to the lowest id).

    Raises:
        ModelError: the largest logit is no finite number (a damaged model file).
    """
    if temperature == 0:
        token = int(logits.argmax())
        _refuse_unless_finite(logits[token])
        return token
    best = logits.max()
    _refuse_unless_finite(best)
    tokens = np.flatnonzero(logits > best - np.float32(NEGLIGIBLE * temperature))
    weights = np.exp((logits[tokens].astype(np.float64) - float(best)) / temperature)
    if top_p < 1:
        order = np.argsort(-weights, kind="stable")
        cumulative = np.cumsum(weights[order])
        keep = int(np.searchsorted(cumulative, top_p * cumulative[-1])) + 1
        tokens, weights = tokens[order[:keep]], weights[order[:keep]]
    cumulative = np.cumsum(weights)
    place = int(np.searchsorted(cumulative, uniform * cumulative[-1], side="right"))
    return int(tokens[min(place, len(tokens) - 1)])


def _refuse_unless_finite(best: np.float32) -> None:
    if not math.isfinite(best):
        raise ModelError(
            f"the model gave {best} as its largest logit",
            hint="the model file is damaged, or this quantisation overflows; try another file",
        )
