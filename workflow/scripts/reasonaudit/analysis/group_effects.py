"""The mean difference of a group of methods, by one joint bootstrap over questions.

Comparisons within a data set share questions, and within a setting the baseline's pool, so counting signs
treats dependent comparisons as independent. Resampling the questions of all methods and models together
keeps the dependence. Sign tests stand beside it for comparison with published ones, and say so.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from reasonaudit.analysis.paired_tests import sign_test, sign_test_one_sided
from reasonaudit.analysis.resampling import ZERO, percentile_interval, two_sided_p
from reasonaudit.tables.group_effects import ALL_DATASETS

NOTE = "p is the joint bootstrap; the sign tests treat dependent comparisons as independent"


def effects_by_group(
    differences: Mapping[tuple[str, str, str], tuple[float, np.ndarray]],
    groups: Mapping[str, Sequence[str]],
    *,
    confidence: float,
) -> list[dict]:
    """Rows of the group_effects table.

    Args:
        differences: (model, dataset, method) -> the difference and its resamples (B,); resamples of one
            data set are joint, those of different data sets independent.
        groups: name -> methods; a method may be in several groups.
    """
    datasets = sorted({dataset for _, dataset, _ in differences})
    rows = []
    for dataset in [*datasets, *([ALL_DATASETS] if len(datasets) > 1 else [])]:
        for group, methods in groups.items():
            keys = sorted(
                key for key in differences if key[2] in methods and dataset in (ALL_DATASETS, key[1])
            )
            if keys:
                rows.append({"dataset": dataset, "group": group} | _row(keys, differences, confidence))
    return rows


def groups_of(methods: Mapping[str, Mapping]) -> dict[str, list[str]]:
    """Groups from the methods' declared kinds, and self-inspection from its own mark."""
    groups: dict[str, list[str]] = {}
    for name, entry in methods.items():
        if entry["kind"] != "pool":
            groups.setdefault(entry["kind"], []).append(name)
        if entry.get("self_inspection"):
            groups.setdefault("self_inspection", []).append(name)
    return {group: sorted(names) for group, names in sorted(groups.items())}


def _row(keys, differences, confidence: float) -> dict:
    values = np.array([differences[key][0] for key in keys])
    drawn = np.mean([differences[key][1] for key in keys], axis=0)
    low, high = percentile_interval(drawn, confidence)
    negative, positive = int((values < -ZERO).sum()), int((values > ZERO).sum())
    settings = sorted({key[:2] for key in keys})
    below = [
        all(value < -ZERO for key, value in zip(keys, values, strict=True) if key[:2] == setting)
        for setting in settings
    ]
    return {
        "comparisons": len(keys),
        "effect": float(values.mean()),
        "low": float(low),
        "high": float(high),
        "p": float(two_sided_p(drawn)),
        "negative": negative,
        "positive": positive,
        "p_sign": sign_test(negative, positive),
        "settings": len(settings),
        "settings_all_negative": sum(below),
        "p_sign_settings": sign_test_one_sided(sum(below), len(settings)),
        "note": NOTE,
    }
