"""Any verifier on the robustness battery, in a few lines and with no model installed.

    from reasonaudit.analysis.verifier_suite import score_verifier

    report = score_verifier(my_verify)          # my_verify(prediction, gold) -> True or False
    print(report.summary())

A verifier takes ``(prediction, gold)`` and, if it names them, the keywords ``language`` and ``text`` (a whole
reply, for verifiers that extract the answer themselves). It returns a truth value, or anything with the
attributes ``accepted``, ``rule`` and ``timed_out``, as the verifiers of this project do.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from reasonaudit.analysis.language_bias import dominant_mode
from reasonaudit.analysis.suite_battery import Item, load_battery
from reasonaudit.analysis.suite_variants import UNIVERSAL

ALL, VLB = "all", "VLB"
ANSWER, REPLY = "answer", "reply"
Verify = Callable[..., object]


@dataclass(frozen=True)
class Judgement:
    """What a verifier said of one item."""

    item: Item
    accepted: bool
    rule: str | None = None
    timed_out: bool = False

    @property
    def wrong(self) -> bool:
        """The verifier decided, against the label."""
        return not self.timed_out and self.accepted != self.item.correct


@dataclass(frozen=True)
class SuiteReport:
    """One verifier's judgements of a battery.

    Attributes:
        name: of the verifier.
        judgements: one an item, in the order of the battery.
        given: what it was given, as the tables say it: answer or reply.
    """

    name: str
    judgements: tuple[Judgement, ...]
    given: str = ANSWER

    def rows(self) -> list[dict]:
        """Rows of the table verifier_suite: per scope every language, then their VLB."""
        return [{"verifier": self.name, "given": self.given, **row} for row in suite_rows(self.judgements)]

    def variants(self) -> list[dict]:
        """Rows of the table verifier_suite_variants."""
        return [{"verifier": self.name, "given": self.given, **row} for row in variant_rows(self.judgements)]

    def errors(self) -> pd.DataFrame:
        """Every item that was judged wrongly: language, family, variant, prediction, gold, accepted, rule."""
        return pd.DataFrame(
            [
                {
                    **{name: getattr(j.item, name) for name in _SHOWN},
                    "accepted": j.accepted,
                    "rule": j.rule,
                }
                for j in self.judgements
                if j.wrong
            ],
            columns=[*_SHOWN, "accepted", "rule"],
        )

    def summary(self) -> str:
        """Err, FNR and FPR by language, VLB, and the variants that cost most, as text."""
        rows = [row for row in self.rows() if row["scope"] == ALL]
        lines = [f"{self.name}: {len(self.judgements)} items", "language    err    FNR    FPR  timed out"]
        for row in rows:
            rates = "  ".join(_three(row[rate]) for rate in ("err", "fnr", "fpr"))
            lines.append(f"{row['language']:<8}  {rates}  {row['timed_out']:>9}")
        worst = sorted(
            (row for row in _by_variant(self.judgements) if row[1]), key=lambda row: (-row[1], row[0])
        )
        if worst:
            lines.append("most errors: " + ", ".join(f"{name} {errors}/{n}" for name, errors, n in worst[:8]))
        return "\n".join(lines)


_SHOWN = ("item_id", "language", "family", "variant", "prediction", "gold")


def score_verifier(
    verify: Verify,
    items: Iterable[Item] | None = None,
    *,
    name: str | None = None,
    languages: Iterable[str] | None = None,
) -> SuiteReport:
    """Run a verifier on the battery.

    Args:
        verify: see the module's text. An exception is its own affair and is not caught.
        items: a battery; None takes the committed one.
        name: in tables; None takes the function's name.
        languages: of the committed battery; None takes all.
    """
    battery = load_battery(languages=languages) if items is None else list(items)
    ask = _adapted(verify)
    return SuiteReport(
        name or getattr(verify, "__name__", type(verify).__name__),
        tuple(judgement_of(item, ask(item)) for item in battery),
    )


def suite_rows(judgements: Sequence[Judgement]) -> list[dict]:
    """Rows of verifier_suite without their keys: scope x (language, then VLB)."""
    rows = []
    for scope in (ALL, UNIVERSAL):
        chosen = [j for j in judgements if scope in (ALL, j.item.scope)]
        languages = sorted({j.item.language for j in chosen})
        found = [{"scope": scope, "language": code, **_rates(chosen, code)} for code in languages]
        rows += [*found, {"scope": scope, "language": VLB, **_spread(found)}]
    return rows


def variant_rows(judgements: Sequence[Judgement]) -> list[dict]:
    """Rows of verifier_suite_variants without their keys, each with its first error as example."""
    groups: dict[tuple[str, str, str], list[Judgement]] = {}
    for judgement in judgements:
        item = judgement.item
        groups.setdefault((item.family, item.variant, item.language), []).append(judgement)
    rows = []
    for (family, variant, language), members in groups.items():
        decided = [j for j in members if not j.timed_out]
        wrong = [j for j in decided if j.wrong]
        row = {
            "family": family,
            "variant": variant,
            "language": language,
            "n": len(members),
            "timed_out": len(members) - len(decided),
            "errors": len(wrong),
            "err": len(wrong) / len(decided) if decided else None,
        }
        if wrong:
            row |= {
                "example_prediction": wrong[0].item.prediction,
                "example_gold": wrong[0].item.gold,
                "example_rule": wrong[0].rule,
            }
        rows.append(row)
    return rows


def _adapted(verify: Verify) -> Callable[[Item], object]:
    """Call with the keywords that the verifier can take."""
    try:
        parameters = inspect.signature(verify).parameters
    except (TypeError, ValueError):  # builtins without a signature
        parameters = {}
    takes_all = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    wanted = [name for name in ("language", "text") if takes_all or name in parameters]

    def ask(item: Item) -> object:
        return verify(item.prediction, item.gold, **{name: getattr(item, name) for name in wanted})

    return ask


def judgement_of(item: Item, answer: object) -> Judgement:
    """A verifier's answer about an item: a verdict, or a truth value."""
    if hasattr(answer, "accepted"):
        return Judgement(
            item,
            bool(answer.accepted),
            getattr(answer, "rule", None),
            bool(getattr(answer, "timed_out", False)),
        )
    return Judgement(item, bool(answer))


def _rates(judgements: Sequence[Judgement], language: str) -> dict:
    members = [j for j in judgements if j.item.language == language]
    decided = [j for j in members if not j.timed_out]
    correct = sum(j.item.correct for j in decided)
    missed = sum(j.wrong and j.item.correct for j in decided)
    granted = sum(j.wrong and not j.item.correct for j in decided)
    return {
        "n": len(members),
        "n_correct": sum(j.item.correct for j in members),
        "timed_out": len(members) - len(decided),
        "false_negatives": missed,
        "false_positives": granted,
        "err": (missed + granted) / len(decided) if decided else None,
        "fnr": missed / correct if correct else None,
        "fpr": granted / (len(decided) - correct) if len(decided) > correct else None,
        "dominant_mode": dominant_mode(missed, granted),
    }


def _spread(rows: Sequence[dict]) -> dict:
    sums = {
        name: sum(row[name] for row in rows)
        for name in ("n", "n_correct", "timed_out", "false_negatives", "false_positives")
    }
    spread = {}
    for rate in ("err", "fnr", "fpr"):
        values = [row[rate] for row in rows if row[rate] is not None]
        spread[rate] = max(values) - min(values) if len(values) > 1 else None
    ranked = sorted((row for row in rows if row["err"] is not None), key=lambda row: row["err"])
    differ = bool(spread["err"])  # nobody is highest among equals
    return {
        **sums,
        **spread,
        "dominant_mode": dominant_mode(sums["false_negatives"], sums["false_positives"]),
        "highest_err_language": ranked[-1]["language"] if differ else None,
        "lowest_err_language": ranked[0]["language"] if differ else None,
    }


def _by_variant(judgements: Sequence[Judgement]) -> list[tuple[str, int, int]]:
    """(variant, errors, items) over all languages."""
    counts: dict[str, list[int]] = {}
    for judgement in judgements:
        pair = counts.setdefault(judgement.item.variant, [0, 0])
        pair[0] += judgement.wrong
        pair[1] += 1
    return [(name, errors, n) for name, (errors, n) in counts.items()]


def _three(rate: float | None) -> str:
    return "    -" if rate is None else f"{rate:.3f}"
