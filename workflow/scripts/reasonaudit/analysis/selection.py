"""How much of the gap between local majority and the Pass@k ceiling the sibling languages recover."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.paired_tests import sign_test
from reasonaudit.analysis.resampling import divide, percentile_interval, resampled_sums, two_sided_p
from reasonaudit.analysis.selection_rules import (
    LOCAL_MAJORITY,
    Rule,
    Votes,
    choose,
    count_votes,
    rules_of,
    siblings_supporting,
)
from reasonaudit.analysis.verdict_counts import pooled_samples
from reasonaudit.errors import GateError
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.selection import SELECTION, SELECTION_AUTOPSY

ALL = "all"
Paths = str | Path | Iterable[str | Path]


@dataclass(frozen=True)
class Pool:
    """The samples of one question in one language, in stored order.

    Attributes:
        classes: canonical answer of each sample, None where it is unreadable.
        right: whether each sample is right.
    """

    question_id: str
    classes: tuple[str | None, ...]
    right: tuple[bool, ...]
    gold: str | None = None

    def verdict_of(self, name: str | None) -> bool:
        """Whether a class is right: the verdict of its first sample."""
        return name is not None and self.right[self.classes.index(name)]

    @property
    def votes(self) -> Votes:
        """Votes by class."""
        return count_votes(self.classes)

    @property
    def mixed_classes(self) -> int:
        """Classes whose samples differ in the verdict; more than none means the grader contradicts itself."""
        verdicts: dict[str, set[bool]] = {}
        for name, right in zip(self.classes, self.right, strict=True):
            if name is not None:
                verdicts.setdefault(name, set()).add(right)
        return sum(len(found) > 1 for found in verdicts.values())


@dataclass(frozen=True)
class Decision:
    """What one rule made of one question in one language, beside the local majority."""

    language: str
    parallel_id: str
    local: str | None
    chosen: str | None
    local_right: bool
    right: bool
    reachable: bool  # some class of the target language is right

    @property
    def outcome(self) -> str | None:
        """fixed, regressed, wrong_to_wrong or right_to_right; None if the rule changed nothing."""
        if self.chosen == self.local:
            return None
        return {
            (False, True): "fixed",
            (True, False): "regressed",
            (False, False): "wrong_to_wrong",
            (True, True): "right_to_right",
        }[self.local_right, self.right]


Pools = dict[str, dict[str, Pool]]  # language -> parallel_id -> pool


def select_across_languages(
    *,
    questions: Paths,
    answers: Paths,
    selection: str | Path,
    autopsy: str | Path,
    problem_sets: Mapping[str, Sequence[str]],
    method: str,
    seed: int,
    alphas: Sequence[float] = (0.5, 1, 2),
    reported_alpha: float = 1,
    support: str = "sum",
    conservative_min_siblings: int | None = None,
    reference_language: str | None = "en",
    resamples: int = 4000,
    confidence: float = 0.95,
) -> None:
    """Read answers, write selection and selection_autopsy.

    Args:
        problem_sets: name -> data sets that hold the same problems, one language each.
        method: whose samples are chosen among.
        alphas, reported_alpha, support, conservative_min_siblings: see ``selection_rules.rules_of``.
        reference_language: of the gap to the weakest language; no such gap if a set does not have it.
    """
    asked, given = read_frame(questions, QUESTIONS), read_frame(answers, ANSWERS)
    rows, cases = [], []
    for problem_set, datasets in problem_sets.items():
        samples = pooled_samples(asked, given, datasets=datasets, method=method, problem_set=problem_set)
        for model in sorted(set(samples["model"])):
            keys = {"problem_set": problem_set, "model": model, "method": method}
            pools = pools_of(samples[samples["model"] == model])
            rules = rules_of(
                alphas=alphas,
                reported_alpha=reported_alpha,
                support=support,
                languages=len(pools),
                conservative_min_siblings=conservative_min_siblings,
            )
            found = selection_rows(
                pools,
                rules,
                seed=derive_seed(seed, "selection", problem_set, model),
                reference_language=reference_language,
                resamples=resamples,
                confidence=confidence,
            )
            rows += [{**keys, **row} for row in found]
            cases += [{**keys, **row} for rule in rules for row in autopsy_rows(pools, rule)]
    write_table(selection, rows, SELECTION)
    write_table(autopsy, cases, SELECTION_AUTOPSY)


def pools_of(samples: pd.DataFrame) -> Pools:
    """Pools from the samples of one model (rows of ``pooled_samples``)."""
    pools: Pools = {}
    for (language, parallel_id), rows in samples.groupby(["language", "parallel_id"], sort=True):
        readable = rows["readable"].astype(bool) & rows["canonical"].notna()
        pools.setdefault(language, {})[parallel_id] = Pool(
            question_id=rows["question_id"].iloc[0],
            classes=tuple(
                name if good else None for name, good in zip(rows["canonical"], readable, strict=True)
            ),
            right=tuple(bool(right) for right in rows["correct"]),
            gold=rows["gold"].iloc[0],
        )
    return pools


def decide(pools: Pools, rule: Rule) -> list[Decision]:
    """The rule's decision for every question of every language, in order of language and problem."""
    votes = {
        language: {problem: pool.votes for problem, pool in of.items()} for language, of in pools.items()
    }
    decisions = []
    for language in sorted(pools):
        for problem in sorted(pools[language]):
            pool, own = pools[language][problem], votes[language][problem]
            local = choose(own, [], LOCAL_MAJORITY)
            chosen = choose(own, _siblings(votes, language, problem), rule)
            decisions.append(
                Decision(
                    language,
                    problem,
                    local,
                    chosen,
                    pool.verdict_of(local),
                    pool.verdict_of(chosen),
                    any(pool.verdict_of(name) for name in own),
                )
            )
    return decisions


def selection_rows(
    pools: Pools,
    rules: Sequence[Rule],
    *,
    seed: int,
    reference_language: str | None = "en",
    resamples: int = 4000,
    confidence: float = 0.95,
) -> list[dict]:
    """Rows of selection without their keys: rule x (every language, then all of them)."""
    decided = {rule.name: decide(pools, rule) for rule in rules}
    cases = {rule.name: autopsy_rows(pools, rule) for rule in rules}
    reported = next((rule.name for rule in rules if rule.reported), None)
    rows = []
    for rule in rules:
        draws = _Draws(decided[rule.name], sorted(pools), seed, resamples)
        for language in [*sorted(pools), ALL]:
            rows.append(
                {
                    "language": language,
                    "rule": rule.name,
                    "reported": rule.reported,
                    "alpha": rule.alpha if rule.support else None,
                    "support": rule.support,
                    "min_siblings": rule.min_siblings if rule.support else None,
                    **_sizes(pools, language),
                    **_accuracies(decided[rule.name], sorted(pools), language, reference_language),
                    **draws.columns(language, confidence),
                    **_counts(decided[rule.name], cases[rule.name], language),
                    "fixes_preserved": _preserved(
                        decided[rule.name], decided.get(reported) if rule.support else None, language
                    ),
                    "borrowed": _borrowed(pools, decided[rule.name], language),
                }
            )
    return rows


def autopsy_rows(pools: Pools, rule: Rule) -> list[dict]:
    """Rows of selection_autopsy without their keys: every decision that the rule changed."""
    votes = {
        language: {problem: pool.votes for problem, pool in of.items()} for language, of in pools.items()
    }
    rows = []
    for decision in decide(pools, rule):
        if decision.outcome is None:
            continue
        pool = pools[decision.language][decision.parallel_id]
        own = votes[decision.language][decision.parallel_id]
        siblings = _siblings(votes, decision.language, decision.parallel_id)
        support = sum(of.get(decision.chosen, 0) for of in siblings)
        supporting = siblings_supporting(decision.chosen, siblings)
        rows.append(
            {
                "rule": rule.name,
                "language": decision.language,
                "question_id": pool.question_id,
                "parallel_id": decision.parallel_id,
                "outcome": decision.outcome,
                "local_choice": decision.local,
                "choice": decision.chosen,
                "gold": pool.gold,
                "local_votes": own[decision.local],
                "target_votes": own[decision.chosen],
                "sibling_votes": support,
                "siblings_supporting": supporting,
                "siblings": len(siblings),
                "needs_siblings": own[decision.chosen] <= support,
                "all_siblings_support": supporting == len(siblings),
            }
        )
    return rows


class _Draws:
    """Problem-level bootstrap of accuracy and gain, all languages moving together."""

    def __init__(self, decisions: Sequence[Decision], languages: Sequence[str], seed: int, resamples: int):
        problems = sorted({decision.parallel_id for decision in decisions})
        row = {problem: i for i, problem in enumerate(problems)}
        totals = np.zeros((len(problems), len(languages), 3))
        for decision in decisions:
            cell = totals[row[decision.parallel_id], languages.index(decision.language)]
            cell += (1, decision.right, decision.local_right)
        present = totals[:, :, 0] > 0
        labels = np.unique(present, axis=0, return_inverse=True)[1].reshape(-1)
        sums = resampled_sums(
            totals.reshape(len(problems), -1), resamples=resamples, seed=seed, strata=labels
        ).reshape(resamples, len(languages), 3)
        self.languages = list(languages)
        self.accuracy = divide(sums[..., 1], sums[..., 0])
        self.gain = self.accuracy - divide(sums[..., 2], sums[..., 0])

    def columns(self, language: str, confidence: float) -> dict:
        if language == ALL:
            accuracy, gain = self.accuracy.mean(axis=1), self.gain.mean(axis=1)
        else:
            place = self.languages.index(language)
            accuracy, gain = self.accuracy[:, place], self.gain[:, place]
        low, high = percentile_interval(accuracy, confidence)
        gain_low, gain_high = percentile_interval(gain, confidence)
        return {
            "accuracy_low": float(low),
            "accuracy_high": float(high),
            "difference_low": float(gain_low),
            "difference_high": float(gain_high),
            "p_bootstrap": float(two_sided_p(gain)),
        }


def _siblings(votes: Mapping[str, Mapping[str, Votes]], language: str, problem: str) -> list[Votes]:
    """Votes of the other languages that have the problem."""
    return [votes[other][problem] for other in sorted(votes) if other != language and problem in votes[other]]


def _of(items: Iterable[Decision], language: str) -> list[Decision]:
    return [item for item in items if language in (ALL, item.language)]


def _accuracies(
    decisions: Sequence[Decision], languages: Sequence[str], language: str, reference: str | None
) -> dict:
    shares = {
        code: [
            float(np.mean([flag(item) for item in _of(decisions, code)]))
            for flag in (lambda d: d.right, lambda d: d.local_right, lambda d: d.reachable)
        ]
        for code in languages
    }
    if language != ALL:
        accuracy, local, ceiling = shares[language]
        return {"accuracy": accuracy, "ceiling": ceiling, "difference": accuracy - local}
    accuracy, local, ceiling = (float(np.mean(column)) for column in zip(*shares.values(), strict=True))
    weakest = min(languages, key=lambda code: shares[code][0])
    return {
        "accuracy": accuracy,
        "ceiling": ceiling,
        "difference": accuracy - local,
        "reference_gap": shares[reference][0] - shares[weakest][0] if reference in shares else None,
        "weakest_language": weakest,
    }


def _counts(decisions: Sequence[Decision], cases: Sequence[Mapping], language: str) -> dict:
    decisions = _of(decisions, language)
    fixed = sum(item.right and not item.local_right for item in decisions)
    regressed = sum(item.local_right and not item.right for item in decisions)
    opportunities = sum(item.reachable and not item.local_right for item in decisions)
    repairs = [row for row in cases if row["outcome"] == "fixed" and language in (ALL, row["language"])]
    return {
        "opportunities": opportunities,
        "fixed": fixed,
        "regressions": regressed,
        "changed": sum(item.outcome is not None for item in decisions),
        "p_sign": sign_test(fixed, regressed),
        "gap_closed": (fixed - regressed) / opportunities if opportunities else None,
        "changed_corrected": fixed / (fixed + regressed) if fixed + regressed else None,
        "fixed_cross_lingual": sum(row["needs_siblings"] for row in repairs),
        "fixed_all_siblings": sum(row["all_siblings_support"] for row in repairs),
    }


def _preserved(
    decisions: Sequence[Decision], reported: Sequence[Decision] | None, language: str
) -> float | None:
    if reported is None:
        return None
    pairs = list(zip(_of(decisions, language), _of(reported, language), strict=True))
    fixes = [mine.right for mine, theirs in pairs if theirs.outcome == "fixed"]
    return float(np.mean(fixes)) if fixes else None


def _borrowed(pools: Pools, decisions: Sequence[Decision], language: str) -> int:
    borrowed = sum(
        item.chosen is not None and item.chosen not in pools[item.language][item.parallel_id].classes
        for item in _of(decisions, language)
    )
    if borrowed:
        raise GateError(f"{borrowed} chosen answers do not occur in their own language", where=language)
    return borrowed


def _sizes(pools: Pools, language: str) -> dict:
    chosen = [pool for code in pools for pool in pools[code].values() if language in (ALL, code)]
    return {
        "n_questions": len(chosen),
        "k": float(np.mean([len(pool.classes) for pool in chosen])),
        "mixed_classes": sum(pool.mixed_classes for pool in chosen),
    }
