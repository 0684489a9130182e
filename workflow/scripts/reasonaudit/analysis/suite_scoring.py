"""This project's verifiers on the robustness battery, as tables."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from reasonaudit.analysis.suite_battery import Item, load_battery, read_items
from reasonaudit.analysis.verifier_suite import ANSWER, REPLY, SuiteReport, judgement_of
from reasonaudit.answers.extraction import Extraction, extract
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.verifier_suite import VERIFIER_SUITE, VERIFIER_SUITE_VARIANTS
from reasonaudit.verifiers.catalog import INPUT, verifier
from reasonaudit.verifiers.verdict import Verdict

# The slow one; the test of the suite compares its verdicts in two languages.
KNOWS_NO_LANGUAGE = frozenset(("math_verify",))


def score_suite(
    *,
    suite: str | Path,
    variants: str | Path,
    verifiers: Sequence[str],
    battery: Iterable[str | Path] | None = None,
) -> None:
    """Score verifiers on bare answers and on replies; write verifier_suite and verifier_suite_variants.

    Args:
        verifiers: names of the catalog.
        battery: files of a battery; None takes the committed one.
    """
    items = load_battery() if battery is None else read_items(battery)
    reports = score_by_name(verifiers, items)
    write_table(suite, [row for report in reports for row in report.rows()], VERIFIER_SUITE)
    write_table(variants, [row for report in reports for row in report.variants()], VERIFIER_SUITE_VARIANTS)


def score_by_name(verifiers: Sequence[str], items: Sequence[Item]) -> list[SuiteReport]:
    """Verifiers of the catalog on the bare answers, then on the replies, each as grading reads them.

    A bare answer is given as it stands. Of a reply, a verifier gets what grading gives it: the extracted
    answer, the answer as written, or the reply.
    """
    read = {item.item_id: extract(item.text, language=item.language) for item in items}
    reports = []
    for name in verifiers:
        verify = verifier(name)
        known: dict[tuple, Verdict] = {}
        bare = []
        for item in items:
            # Universal items are the same text in every language: no need to parse each thirteen times.
            spoken = None if name in KNOWS_NO_LANGUAGE else item.language
            key = (item.prediction, item.gold, spoken)
            if key not in known:
                known[key] = verify(item.prediction, item.gold, language=item.language)
            bare.append(judgement_of(item, known[key]))
        replies = [judgement_of(item, _on_reply(name, item, read[item.item_id])) for item in items]
        reports += [SuiteReport(name, tuple(bare), ANSWER), SuiteReport(name, tuple(replies), REPLY)]
    return reports


def _on_reply(name: str, item: Item, found: Extraction | None) -> Verdict:
    verify = verifier(name)
    language = found.language if found else item.language
    if INPUT[name] == "reply":
        return verify(None, item.gold, language=language, text=item.text)
    seen = None if found is None else found.raw if INPUT[name] == "raw" else found.text
    return verify(seen, item.gold, language=language)
