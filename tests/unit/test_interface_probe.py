"""Interface probe: published arithmetic, the exact split of the reward gap, and joint resampling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multilingual import judged_samples

from reasonaudit.analysis.displayed_rates import half_up
from reasonaudit.analysis.interface_probe import probe_rows
from reasonaudit.errors import DataError


def flat(n, problems, correct, missed=0, granted=0):
    """``problems`` prompts of ``n`` samples with the stated totals."""
    samples = [(True, False)] * missed + [(True, True)] * (correct - missed)
    samples += [(False, True)] * granted + [(False, False)] * (n * problems - correct - granted)
    return [samples[i * n : (i + 1) * n] for i in range(problems)]


def rows_of(ordinary, plain, resamples=100):
    found = probe_rows(judged_samples(ordinary), judged_samples(plain), seed=1, resamples=resamples)
    return {row["condition"]: row for row in found}


def test_published_interface_model():
    """Table 3 of "Multilingual Verifier Bias in RLVR", interface SFT: 20 problems, k = 4."""
    plain = {"en": flat(4, 20, 70), "ja": flat(4, 20, 58), "zh": flat(4, 20, 66)}
    ordinary = {"en": flat(4, 20, 70, 7), "ja": flat(4, 20, 58, 40), "zh": flat(4, 20, 66, 3)}
    rows = rows_of(ordinary, plain)
    row = rows["plain_numeric"]
    assert (row["records"], row["problems"], row["failures"]) == (240, 20, 0)
    assert half_up(70 + 58 + 66, 240) == 0.808 == round(row["average_accuracy"], 3)
    assert row["accuracy_gap"] == pytest.approx(0.150)
    assert row["displayed_accuracy_gap"] == 0.150
    assert (row["vlb_err"], row["vlb_fnr"]) == (0, 0)
    assert (row["vlb_err_low"], row["vlb_err_high"]) == (0, 0)
    assert (row["best_language"], row["worst_language"]) == ("en", "ja")
    # The format part of the ordinary prompt's gap is what the plain prompt removes; capability stays.
    assert rows["ordinary"]["format_part"] == pytest.approx((40 - 7) / 80)
    assert rows["ordinary"]["capability_part"] == pytest.approx((70 - 58) / 80)
    assert rows["change"]["accuracy_gap"] == 0
    assert rows["change"]["vlb_err"] == pytest.approx((40 - 3) / 80)


def test_published_training_table_is_weighted_by_records():
    """Table 5: 24, 20 and 24 records in Chinese, English and Japanese."""
    for correct, weighted in (((10, 16, 18), 0.647), ((11, 18, 21), 0.735)):
        cells = {
            code: flat(4, n // 4, c)
            for code, n, c in zip(("zh", "en", "ja"), (24, 20, 24), correct, strict=True)
        }
        row = rows_of(cells, cells, resamples=20)["ordinary"]
        assert row["records"] == 68
        assert half_up(sum(correct), 68) == weighted
        assert row["record_weighted_accuracy"] == pytest.approx(sum(correct) / 68)
        assert row["average_accuracy"] == pytest.approx(
            np.mean([c / n for c, n in zip(correct, (24, 20, 24), strict=True)])
        )
    assert half_up(10 * 5 + 16 * 6 + 18 * 5, 3 * 120) == 0.656  # unweighted, which the paper does not print


CELL = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=3, max_size=3)


@given(st.lists(CELL, min_size=2, max_size=2), st.lists(CELL, min_size=2, max_size=2))
def test_the_reward_gap_splits_exactly(english, japanese):
    row = rows_of({"en": english, "ja": japanese}, {"en": english, "ja": japanese}, resamples=5)["ordinary"]
    reward = {
        code: np.mean([a for problem in cells for _, a in problem])
        for code, cells in (("en", english), ("ja", japanese))
    }
    assert row["reward_gap"] == pytest.approx(max(reward.values()) - min(reward.values()))
    assert row["reward_gap"] == pytest.approx(row["capability_part"] + row["format_part"])


def test_identical_conditions_change_nothing_in_any_resample():
    cells = {"en": flat(4, 6, 13, 5), "ja": flat(4, 6, 9, 2, 1)}
    change = rows_of(cells, cells)["change"]
    for name in ("average_accuracy", "accuracy_gap", "vlb_err", "vlb_fnr"):
        assert (change[name], change[f"{name}_low"], change[f"{name}_high"]) == (0, 0, 0)


def test_only_shared_problems_are_compared():
    ordinary = judged_samples({"en": flat(2, 4, 4), "ja": flat(2, 4, 4)})
    plain = judged_samples({"en": flat(2, 3, 2), "ja": flat(2, 3, 2), "zh": flat(2, 3, 2)})
    found = {row["condition"]: row for row in probe_rows(ordinary, plain, seed=1, resamples=10)}
    assert found["ordinary"]["problems"] == found["plain_numeric"]["problems"] == 3
    assert found["plain_numeric"]["records"] == 12
    other = plain.assign(parallel_id="x" + plain["parallel_id"])
    with pytest.raises(DataError, match="share no problem"):
        probe_rows(ordinary, other, seed=1, resamples=10)
