"""What group-relative training (GRPO) would learn from stored samples under each verifier.

A group of g samples gives a training signal only if its rewards differ. Groups are drawn without
replacement from the stored samples, and every share here is exact over all such draws (hypergeometric), so
nothing is simulated:

- ``single_language``: g samples of one prompt;
- ``mixed_languages``: g samples of one problem, from all its languages;
- ``mixed_problems``: g samples from all problems and languages.

The standard deviation of a group divides by g - 1, as the common trainers (TRL, verl) do.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pandas as pd

from reasonaudit.analysis.verdict_counts import judged_by_audit
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.reward_variance import REWARD_VARIANCE
from reasonaudit.tables.verdicts import VERDICTS

ALL = "all"
Paths = str | Path | Iterable[str | Path]


def measure_reward_variance(
    *,
    questions: Paths,
    answers: Paths,
    verdicts: Paths,
    variance: str | Path,
    problem_sets: Mapping[str, Sequence[str]],
    method: str,
    verifiers: Sequence[str],
    trusted: str,
    group_size: int | None = None,
) -> None:
    """Read graded samples, write reward_variance; ``group_size`` None is the number of samples a prompt."""
    rows = []
    for problem_set, model, verifier, judged in judged_by_audit(
        questions=read_frame(questions, QUESTIONS),
        answers=read_frame(answers, ANSWERS),
        verdicts=read_frame(verdicts, VERDICTS),
        problem_sets=problem_sets,
        method=method,
        verifiers=list(dict.fromkeys([*verifiers, trusted])),
        trusted=trusted,
    ):
        keys = {"problem_set": problem_set, "model": model, "method": method, "verifier": verifier}
        rows += [{**keys, **row} for row in variance_rows(judged, group_size)]
    write_table(variance, rows, REWARD_VARIANCE)


def variance_rows(judged: pd.DataFrame, group_size: int | None = None) -> list[dict]:
    """Rows of reward_variance without their keys, for one model and verifier (``with_verdicts`` rows)."""
    per_prompt = judged.groupby(["language", "parallel_id"]).size()
    size = int(group_size or per_prompt.max())
    decided = judged[judged["decided"]]
    rows = []
    for language in sorted(set(judged["language"])):
        prompts = _contents(decided[decided["language"] == language], ["parallel_id"])
        asked = judged.loc[judged["language"] == language, "parallel_id"].nunique()
        rows.append(_row("single_language", language, prompts, asked, size))
    problems = _contents(decided, ["parallel_id"])
    rows.append(_row("mixed_languages", ALL, problems, judged["parallel_id"].nunique(), size))
    rows.append(_row("mixed_problems", ALL, _contents(decided, []), 1, size))
    return rows


@cache
def zero_variance(samples: int, accepted: int, size: int) -> tuple[float, float]:
    """P(a group is all accepted), P(all rejected), for groups drawn without replacement."""
    groups = math.comb(samples, size)
    return math.comb(accepted, size) / groups, math.comb(samples - accepted, size) / groups


@cache
def expected_std(samples: int, accepted: int, size: int) -> float:
    """Mean standard deviation (g - 1) of the 0/1 rewards of a group drawn without replacement."""
    groups = math.comb(samples, size)
    return math.fsum(
        math.comb(accepted, hits)
        * math.comb(samples - accepted, size - hits)
        / groups
        * math.sqrt(hits * (size - hits) / size / (size - 1))
        for hits in range(1, size)
    )


@cache
def expected_advantages(samples: int, accepted: int, size: int) -> tuple[float, float]:
    """Mean advantage (r - mean) / std of an accepted and of a rejected sample over the groups it is in.

    A group without variance gives advantage 0 to all. NaN where no sample is accepted, or none rejected.
    """
    sums = [0.0, 0.0]
    for hits in range(1, size):
        weight = math.comb(accepted, hits) * math.comb(samples - accepted, size - hits)
        if not weight:
            continue
        mean, std = hits / size, math.sqrt(hits * (size - hits) / size / (size - 1))
        sums[0] += weight * hits * (1 - mean) / std
        sums[1] += weight * (size - hits) * -mean / std
    # Every sample is in comb(samples - 1, size - 1) groups.
    each = math.comb(samples - 1, size - 1)
    rejected = samples - accepted
    return (
        sums[0] / each / accepted if accepted else math.nan,
        sums[1] / each / rejected if rejected else math.nan,
    )


def signal_lost(samples: int, joint: tuple[int, int, int, int], size: int) -> float:
    """P(trusted rewards of a group vary while the verifier's do not).

    Args:
        joint: samples by (trusted, verifier): both accept, only trusted, only verifier, neither.
    """
    both, only_trusted, only_verifier, neither = joint
    groups = math.comb(samples, size)
    lost = 0
    for trusted_in, trusted_out in ((both, only_verifier), (only_trusted, neither)):
        # All from the accepted side, or all from the rejected side of the verifier, of both trusted kinds.
        lost += math.comb(trusted_in + trusted_out, size)
        lost -= math.comb(trusted_in, size) + math.comb(trusted_out, size)
    return lost / groups


def _contents(decided: pd.DataFrame, by: list[str]) -> list[tuple[int, int, int, int]]:
    """Joint counts (both, only trusted, only verifier, neither) of every pool that groups are drawn from."""
    trusted, accepted = decided["trusted_accepted"], decided["accepted"]
    marks = pd.DataFrame(
        {
            "both": trusted & accepted,
            "only_trusted": trusted & ~accepted,
            "only_verifier": ~trusted & accepted,
            "neither": ~trusted & ~accepted,
        }
    ).astype(int)
    if not by:
        return [tuple(int(count) for count in marks.sum())] if len(marks) else []
    sums = marks.groupby([decided[name] for name in by], sort=True).sum()
    return [tuple(int(count) for count in row) for row in sums.itertuples(index=False)]


def _row(grouping: str, language: str, pools: list[tuple[int, int, int, int]], asked: int, size: int) -> dict:
    usable = [pool for pool in pools if sum(pool) >= size]
    row = {
        "grouping": grouping,
        "language": language,
        "groups": len(usable),
        "group_size": size,
        "too_small": asked - len(usable),
    }
    if not usable or size < 2:
        return row
    shares, trusted_shares, stds, lost, rewards = [], [], [], [], []
    right, missed = [], []  # (advantage, how many samples have it)
    for both, only_trusted, only_verifier, neither in usable:
        samples, accepted = both + only_trusted + only_verifier + neither, both + only_verifier
        shares.append(zero_variance(samples, accepted, size))
        trusted_shares.append(math.fsum(zero_variance(samples, both + only_trusted, size)))
        stds.append(expected_std(samples, accepted, size))
        lost.append(signal_lost(samples, (both, only_trusted, only_verifier, neither), size))
        rewards.append(accepted / samples)
        up, down = expected_advantages(samples, accepted, size)
        right += [(up, both)] * (both > 0) + [(down, only_trusted)] * (only_trusted > 0)
        missed += [(down, only_trusted)] * (only_trusted > 0)
    accepted_share, rejected_share = (_mean(column) for column in zip(*shares, strict=True))
    return {
        **row,
        "mean_reward": _mean(rewards),
        "zero_variance_share": accepted_share + rejected_share,
        "all_accepted_share": accepted_share,
        "all_rejected_share": rejected_share,
        "mean_reward_std": _mean(stds),
        "trusted_zero_variance_share": _mean(trusted_shares),
        "signal_lost_share": _mean(lost),
        "advantage_of_correct": _weighted(right),
        "advantage_of_rejected_correct": _weighted(missed),
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _weighted(pairs: Sequence[tuple[float, int]]) -> float | None:
    weight = sum(count for _, count in pairs)
    return math.fsum(value * count for value, count in pairs) / weight if weight else None
