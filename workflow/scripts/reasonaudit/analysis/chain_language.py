"""Which language solvers and judges write, whether it matters for approval, and what translation does."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.judged_samples import read_judged
from reasonaudit.analysis.paired_tests import wilcoxon_exact, wilson_interval
from reasonaudit.tables.chain_language import CHAIN_LANGUAGE
from reasonaudit.tables.chain_languages import CHAIN_LANGUAGES
from reasonaudit.tables.injections import ORIGINAL_KEY
from reasonaudit.tables.language_tests import LANGUAGE_TESTS
from reasonaudit.tables.parquet import read_frame, write_table

Paths = str | Path | Iterable[str | Path]
KEY = list(ORIGINAL_KEY)
NONE = "none"


def tabulate_languages(
    *,
    chain_languages: Paths,
    judged_samples: Paths,
    chain_language: str | Path,
    language_tests: str | Path,
    solvers: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
    strategy: str,
    confidence: float,
) -> None:
    """Write the shares of language classes with acceptance, and the tests between kinds of data sets.

    Args:
        solvers: model -> {mode: label or None}.
        datasets: data set -> {language, parallel, origin: original, translated, native or None}.
        strategy: whose decisions count as acceptance.
    """
    texts = read_frame(chain_languages, CHAIN_LANGUAGES)
    judged = read_judged(judged_samples)
    judged = judged[judged["condition"] == "natural"]
    rows = language_rows(texts, judged, solvers, strategy, confidence)
    write_table(chain_language, rows, CHAIN_LANGUAGE)
    write_table(language_tests, comparison_rows(judged, datasets, strategy), LANGUAGE_TESTS)


def language_rows(
    texts: pd.DataFrame,
    judged: pd.DataFrame,
    solvers: Mapping[str, Mapping],
    strategy: str,
    confidence: float = 0.95,
) -> list[dict]:
    """Rows of the chain_language table: every class with its share, and under every judge its acceptance.

    Acceptance is compared within a solver and data set only, since the language of a chain goes with
    the solver that writes it.
    """
    decided = judged[["judge", *KEY, f"approved_{strategy}"]].rename(
        columns={f"approved_{strategy}": "approved"}
    )
    rows = []
    group = ["writer", "part", "model", "dataset"]
    for place, members in texts.groupby(group, sort=True):
        head = dict(zip(group, place, strict=True))
        head |= {
            "mode": (solvers.get(head["model"]) or {}).get("mode") or "",
            "language": members["language"].iloc[0],
            "of": len(members),
        }
        for name, chains in members.groupby("language_class", sort=True):
            shared = head | {"language_class": name, "n": len(chains), "share": len(chains) / len(members)}
            rows.append(shared | {"judge": NONE})
            if head["writer"] == "solver":
                rows += [shared | row for row in _accepted(chains, decided, confidence)]
    return rows


def _accepted(chains: pd.DataFrame, decided: pd.DataFrame, confidence: float) -> Iterator[dict]:
    both = chains[KEY].merge(decided, on=KEY, validate="1:m")
    for judge, votes in both.groupby("judge", sort=True):
        accepted = int(votes["approved"].sum())
        low, high = wilson_interval(accepted, len(votes), confidence)
        yield {
            "judge": judge,
            "n": len(votes),
            "accepted": accepted,
            "acceptance": accepted / len(votes),
            "low": low,
            "high": high,
        }


def comparison_rows(judged: pd.DataFrame, datasets: Mapping[str, Mapping], strategy: str) -> list[dict]:
    """Acceptance of correct samples, translated against original and native against translated data sets.

    The unit is a solver with correct samples on both data sets; the test is the exact Wilcoxon
    signed-rank test over solvers.
    """
    rates = judged.groupby(["judge", "model", "dataset"])[f"approved_{strategy}"].mean()
    rows = []
    for comparison, first, second in dataset_pairs(datasets):
        for judge in sorted(judged["judge"].unique()):
            differences = [
                float(rates[judge, model, first] - rates[judge, model, second])
                for model in sorted(judged["model"].unique())
                if (judge, model, first) in rates.index and (judge, model, second) in rates.index
            ]
            rows.append(
                {
                    "judge": judge,
                    "language": datasets[first]["language"],
                    "comparison": comparison,
                    "first": first,
                    "second": second,
                    "solvers": len(differences),
                    "mean_difference": float(np.mean(differences)) if differences else None,
                    "median_difference": float(np.median(differences)) if differences else None,
                    "positive": sum(difference > 0 for difference in differences),
                    "p_wilcoxon": wilcoxon_exact(differences) if differences else None,
                }
            )
    return rows


def dataset_pairs(datasets: Mapping[str, Mapping]) -> list[tuple[str, str, str]]:
    """(comparison, first, second): a translation and its original, a native data set and a translated one."""
    origin = {name: (settings or {}).get("origin") for name, settings in datasets.items()}
    pairs = []
    for first, second in product(sorted(datasets), repeat=2):
        one, other = datasets[first], datasets[second]
        same_problems = one.get("parallel") is not None and one.get("parallel") == other.get("parallel")
        if origin[first] == "translated" and origin[second] == "original" and same_problems:
            pairs.append(("translated - original", first, second))
        if (
            origin[first] == "native"
            and origin[second] == "translated"
            and one["language"] == other["language"]
        ):
            pairs.append(("native - translated", first, second))
    return pairs
