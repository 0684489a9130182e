"""Selection across languages: published counts, literal scores, and laws of the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.analysis.displayed_rates import displayed_difference, half_up
from reasonaudit.analysis.paired_tests import sign_test
from reasonaudit.analysis.selection import Pool, autopsy_rows, decide, selection_rows
from reasonaudit.analysis.selection_rules import (
    LOCAL_MAJORITY,
    Rule,
    choose,
    count_votes,
    local_majority,
    rules_of,
)
from reasonaudit.errors import GateError

SUM = Rule("sum", "sum", 1.0, reported=True)
MEAN = Rule("mean", "mean", 1.0)
VOTES = st.lists(st.sampled_from(["1", "2", "3", "4", None]), min_size=1, max_size=8)


def pool(classes: str, gold: str = "r") -> Pool:
    """A pool of one-letter classes; ``.`` is unreadable and r is right."""
    names = tuple(None if c == "." else c for c in classes)
    return Pool(f"q-{classes}", names, tuple(name == gold for name in names), gold)


def pools(**languages: list[str]):
    return {
        code: {f"p{i:03d}": pool(classes) for i, classes in enumerate(of)} for code, of in languages.items()
    }


def published(fixed, unfixed, regressed, all_wrong, one_wrong, problems=250):
    """Pools with the stated cases in Japanese; every other pool is unanimous and right."""
    cases = (
        [("rrrrrrrr", "wwwwwrrr", "rrrrrrrr")] * fixed
        + [("wwwwwwww", "wwwwwrrr", "wwwwwwww")] * unfixed
        + [("wwwwwwww", "rrrrrwww", "wwwwwwww")] * regressed
        + [("wwwwwwww", "wwwwwwww", "wwwwwwww")] * all_wrong
        + [("wwwwwwww", "rrrrrrrr", "rrrrrrrr")] * one_wrong
    )
    cases += [("rrrrrrrr",) * 3] * (problems - len(cases))
    en, ja, zh = zip(*cases, strict=True)
    return pools(en=list(en), ja=list(ja), zh=list(zh))


# Table 4 and its text in "Multilingual Verifier Bias in RLVR" (MGSM, 250 problems in 3 languages, k = 8).
@pytest.mark.parametrize(
    ("cases", "local", "aggregated", "opportunities", "closed", "corrected", "shown"),
    [
        ((24, 14, 3, 9, 1), 650, 671, 38, 0.553, 0.889, (0.867, 0.895)),
        ((71, 16, 3, 14, 1), 582, 650, 87, 0.782, 0.959, (0.776, 0.867)),
    ],
    ids=["Qwen3-8B", "Llama-3.1-8B-Instruct"],
)
def test_published_selection(cases, local, aggregated, opportunities, closed, corrected, shown):
    rows = selection_rows(published(*cases), [LOCAL_MAJORITY, SUM], seed=1, resamples=200)
    whole = {row["rule"]: row for row in rows if row["language"] == "all"}
    assert round(whole["local_majority"]["accuracy"] * 750) == local
    assert round(whole["sum"]["accuracy"] * 750) == aggregated
    assert (half_up(local, 750), half_up(aggregated, 750)) == shown
    best = whole["sum"]
    assert (best["opportunities"], best["fixed"], best["regressions"]) == (opportunities, cases[0], 3)
    assert half_up(best["fixed"] - best["regressions"], best["opportunities"]) == closed
    assert best["gap_closed"] == pytest.approx((cases[0] - 3) / opportunities)
    assert half_up(best["fixed"], best["fixed"] + best["regressions"]) == corrected
    assert best["gap_closed"] == pytest.approx(
        (best["accuracy"] - whole["local_majority"]["accuracy"])
        / (best["ceiling"] - whole["local_majority"]["accuracy"])
    )
    assert best["borrowed"] == 0
    assert best["p_sign"] == sign_test(cases[0], 3)
    assert best["difference_low"] < best["difference"] < best["difference_high"]


def test_published_sign_tests():
    assert sign_test(24, 3) == pytest.approx(4.9e-5, rel=0.01)
    assert sign_test(71, 3) < 1e-12
    assert sign_test(123, 14) < 1e-20


@pytest.mark.parametrize(("net", "opportunities", "share"), [(12, 19, 0.632), (38, 43, 0.884)])
def test_published_japanese_gap_closed(net, opportunities, share):
    rows = selection_rows(
        published(net, opportunities - net, 0, 0, 0), [LOCAL_MAJORITY, SUM], seed=1, resamples=50
    )
    japanese = next(row for row in rows if row["language"] == "ja" and row["rule"] == "sum")
    assert (japanese["opportunities"], japanese["fixed"]) == (opportunities, net)
    assert half_up(japanese["fixed"] - japanese["regressions"], japanese["opportunities"]) == share


def test_published_math500_gaps_are_differences_of_displayed_values():
    # The audited 483 problems: local and aggregated right answers in English, Japanese, Chinese.
    local, aggregated = (364, 231, 364), (375, 320, 373)
    assert sum(aggregated) - sum(local) == 123 - 14
    shown_local = [half_up(count, 483) for count in local]
    shown = [half_up(count, 483) for count in aggregated]
    assert shown_local == [0.754, 0.478, 0.754] and shown == [0.776, 0.663, 0.772]
    assert displayed_difference(shown_local[0], shown_local[1]) == 0.276  # unrounded 0.2754
    assert displayed_difference(shown[0], shown[1]) == 0.113  # unrounded 0.1139
    assert displayed_difference(shown[1], shown_local[1]) == 0.185  # unrounded 0.1843
    assert [half_up(sum(v), 3 * 483) for v in (local, aggregated)] == [0.662, 0.737]


def test_autopsy_shows_target_votes_against_sibling_support():
    cases = autopsy_rows(published(2, 1, 1, 0, 0, problems=5), SUM)
    fixed = [row for row in cases if row["outcome"] == "fixed"]
    assert len(fixed) == 2 and len(cases) == 3
    assert {row["language"] for row in cases} == {"ja"}
    assert (fixed[0]["local_votes"], fixed[0]["target_votes"], fixed[0]["sibling_votes"]) == (5, 3, 16)
    assert fixed[0]["needs_siblings"] and fixed[0]["all_siblings_support"]
    assert (fixed[0]["siblings_supporting"], fixed[0]["siblings"]) == (2, 2)
    regressed = next(row for row in cases if row["outcome"] == "regressed")
    assert (regressed["local_choice"], regressed["choice"], regressed["gold"]) == ("r", "w", "r")


def test_a_fix_within_the_language_is_not_called_cross_lingual():
    # Nine of the target's own votes, one sibling vote: the tie at nine is broken by that vote.
    rows = autopsy_rows(pools(en=["wrwrwrwrwrwrwrwrwr"], ja=["rx"]), SUM)
    fixed = next(row for row in rows if row["language"] == "en")
    assert (fixed["outcome"], fixed["target_votes"], fixed["sibling_votes"]) == ("fixed", 9, 1)
    assert fixed["needs_siblings"] is False


def test_conservative_rule_needs_its_siblings():
    data = pools(en=["rrrrrrrr"], ja=["wwwrrzzz"], zh=["zzzzzzzz"])
    japanese = {
        n: next(d for d in decide(data, Rule("c", "sum", 1.0, n)) if d.language == "ja") for n in (0, 1, 2)
    }
    assert japanese[0].chosen == "z"  # 3 + 8 against r: 2 + 8
    assert japanese[1].chosen == "z"
    assert japanese[2].chosen == "w"  # only Chinese supports z, so the local majority stays


def test_rules_of_names_all_variants():
    rules = rules_of(alphas=(0.5, 1, 2), reported_alpha=1, support="sum", languages=3)
    assert [rule.name for rule in rules] == [
        "local_majority",
        "aggregated_sum_alpha_0.5",
        "aggregated_sum_alpha_1",
        "aggregated_sum_alpha_2",
        "aggregated_mean_alpha_0.5",
        "aggregated_mean_alpha_1",
        "aggregated_mean_alpha_2",
        "conservative_sum_alpha_1",
    ]
    assert [rule.name for rule in rules if rule.reported] == ["aggregated_sum_alpha_1"]
    assert rules[-1].min_siblings == 2


@given(VOTES, st.lists(VOTES, max_size=4), st.sampled_from([0.5, 1.0, 2.0]), st.sampled_from(["sum", "mean"]))
def test_choice_against_a_literal_score(own, others, alpha, kind):
    rule = Rule("r", kind, alpha)
    chosen = choose(count_votes(own), [count_votes(other) for other in others], rule)
    classes = [name for name in dict.fromkeys(own) if name is not None]
    if not classes:
        assert chosen is None
        return
    scores = {}
    for name in classes:
        support = [other.count(name) ** alpha for other in others]
        total = sum(support) / (len(others) if kind == "mean" and others else 1)
        scores[name] = own.count(name) + total
    assert chosen in classes  # nothing is borrowed
    assert scores[chosen] == pytest.approx(max(scores.values()), abs=1e-9)
    assert chosen == next(n for n in classes if scores[n] >= max(scores.values()) - 1e-9)


@given(VOTES)
def test_without_siblings_aggregation_is_the_local_majority(own):
    votes = count_votes(own)
    assert choose(votes, [], SUM) == choose(votes, [], MEAN) == local_majority(votes)


@given(VOTES, VOTES)
def test_with_one_sibling_sum_and_mean_agree(own, other):
    votes, sibling = count_votes(own), [count_votes(other)]
    assert choose(votes, sibling, SUM) == choose(votes, sibling, MEAN)


@given(VOTES, st.lists(VOTES, min_size=1, max_size=3))
def test_conservative_changes_are_changes_of_the_rule_itself(own, others):
    votes, siblings = count_votes(own), [count_votes(other) for other in others]
    careful = choose(votes, siblings, Rule("c", "sum", 1.0, len(siblings)))
    assert careful in (local_majority(votes), choose(votes, siblings, SUM))


def test_ties_go_to_the_first_in_stored_order():
    assert local_majority(count_votes(["9", "2", "2", "9"])) == "9"
    # sqrt(2) + sqrt(8) equals sqrt(18), though not in floating point: b must not win by rounding.
    own = {"a": 1, "b": 1}
    rule = Rule("half", "sum", 0.5)
    assert choose(own, [{"a": 18}, {"b": 2}, {"b": 8}], rule) == "a"
    assert choose({"b": 1, "a": 1}, [{"a": 18}, {"b": 2}, {"b": 8}], rule) == "b"


def test_a_borrowed_answer_stops_the_run(monkeypatch):
    data = pools(en=["rr"], ja=["ww"])
    monkeypatch.setattr("reasonaudit.analysis.selection.choose", lambda own, siblings, rule: "r")
    # The verdict of a class that the pool lacks cannot even be asked for.
    with pytest.raises((GateError, ValueError)):
        selection_rows(data, [LOCAL_MAJORITY, SUM], seed=1, resamples=10)


def test_unreadable_pools_choose_nothing_and_are_wrong():
    rows = selection_rows(
        pools(en=["...."], ja=["rrrr"]), [LOCAL_MAJORITY, SUM], seed=1, resamples=20, reference_language="ja"
    )
    english = next(row for row in rows if row["language"] == "en" and row["rule"] == "sum")
    assert (english["accuracy"], english["ceiling"], english["changed"]) == (0.0, 0.0, 0)
    assert english["gap_closed"] is None and english["changed_corrected"] is None
    whole = next(row for row in rows if row["language"] == "all" and row["rule"] == "sum")
    assert (whole["reference_gap"], whole["weakest_language"]) == (1.0, "en")


def test_contradicting_verdicts_within_a_class_are_counted():
    odd = Pool("q", ("1", "1", "2"), (True, False, False))
    assert odd.mixed_classes == 1
    assert odd.verdict_of("1") is True
