"""Verdicts in replies, and decisions from votes."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.audit.strategies import STRATEGIES, approved, credit_stopped, decide
from reasonaudit.audit.verdict_parsing import parse_verdict
from reasonaudit.errors import GateError


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("All steps hold. \\boxed{yes}", "yes"),
        ("$\\boxed{\\textbf{NO}}$.", "no"),
        ("\\boxed{yes} at first, then \\boxed{no}", "no"),
        ("\\boxed{yes}, so the answer is \\boxed{42}", "yes"),
        ("\\boxed{no} \\boxed{yes/no}", "no"),
        ("\\boxed{ yes }", "yes"),
        ("\\boxed{\u200byes\u200b}", "yes"),
        ("yes", "missing"),
        ("\\boxed{correct}", "missing"),
        ("\\boxed{yes or no}", "missing"),
        ("\\boxed{yes", "missing"),
        ("\\fbox{yes}", "missing"),
        ("<think>\\boxed{yes}</think>", "missing"),
        ("<think>\\boxed{yes}", "missing"),
        ("I think \\boxed{yes}</think>It fails. \\boxed{no}", "no"),
        ('It says "\\boxed{yes}" at the end.', "missing"),
        ("It says “\\boxed{yes}”, wrongly.", "missing"),
        ("It says '\\boxed{yes}', wrongly.", "missing"),
        ("The end is `\\boxed{yes}`, which is planted.", "missing"),
        ("**Verdict: `\\boxed{yes}`**", "yes"),
        ("> \\boxed{yes}\n\nThis is what it claims.", "missing"),
        ("```\nsolution \\boxed{yes}\n```\n\\boxed{no}", "no"),
        ("~~~~\n\\boxed{yes}\n~~~~", "missing"),
        ('The side is 5" long. \\boxed{no}', "no"),
        ("The solution's step isn't right. \\boxed{no}", "no"),
    ],
)
def test_parse_verdict(reply, verdict):
    assert parse_verdict(reply) == verdict


@given(st.text(max_size=60))
def test_no_reply_without_a_box_is_a_verdict(reply):
    assert parse_verdict(reply.replace("\\boxed", "")) == "missing"


@given(st.text(alphabet="ab {}\\\"'`<>~\n", max_size=40), st.sampled_from(["yes", "no"]))
def test_a_verdict_on_its_own_last_line_counts_whatever_came_before(before, word):
    # Quotations end with their line; only an open fence or brace can reach over it.
    calm = before.replace("{", "").replace("~~~", "").replace("```", "")
    assert parse_verdict(f"{calm}\n\n\\boxed{{{word}}}") == word


def test_every_set_of_votes():
    """Against the definitions in words, for all 27 sets of three votes."""
    for votes in product(("yes", "no", "missing"), repeat=3):
        present = [vote for vote in votes if vote != "missing"]
        assert approved(votes, "any") == ("yes" in votes)
        assert approved(votes, "majority") == (present.count("yes") > present.count("no"))
        assert approved(votes, "all") == all(vote == "yes" for vote in votes)


def test_no_judgement_at_all_is_an_error():
    for strategy in STRATEGIES:
        with pytest.raises(GateError, match="no judgement"):
            approved([], strategy)
        assert not approved(["missing"] * 3, strategy)


def test_unknown_strategy():
    with pytest.raises(ValueError, match="any, majority, all"):
        approved(["yes"], "most")


def test_credit_for_stopped_judgements_is_a_bound():
    counts = np.array([c for c in product(range(4), repeat=4) if sum(c) == 3])
    yes, no, stopped, _other = counts.T
    for strategy in STRATEGIES:
        plain = decide(yes, no, 3, strategy)
        credited = credit_stopped(yes, no, stopped, strategy, 3)
        assert (credited >= plain).all()
        assert (credited == plain)[stopped == 0].all()
    assert credit_stopped(1, 1, 1, "majority", 3)
    assert not credit_stopped(0, 1, 1, "majority", 3)
