"""The robustness battery: answers in many forms, each right or wrong by construction.

The committed battery (``resources/verifier_suite/battery/<language>.jsonl``) is what ``build_battery`` makes
of the committed seeds and phrases; a test keeps them in step. A battery on other problems takes one call:
``build_battery(seeds_of_golds(golds), load_languages())``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

from reasonaudit.analysis.suite_forms import Seed
from reasonaudit.analysis.suite_variants import NEAR_MISS, Variant, variants
from reasonaudit.errors import DataError
from reasonaudit.provenance import SCRIPTS

RESOURCES = SCRIPTS.parents[1] / "resources" / "verifier_suite"
BATTERY = RESOURCES / "battery"
PER_VARIANT = 3


@dataclass(frozen=True)
class Item:
    """One answer to judge.

    Attributes:
        item_id: unique name.
        language: code.
        family: correct, format or near_miss.
        variant: how the answer is written.
        scope: universal (the same text in every language) or language.
        prediction: the extracted answer.
        gold: the right answer.
        text: a reply that states the prediction, for verifiers that extract the answer themselves.
        correct: the label, by construction.
    """

    item_id: str
    language: str
    family: str
    variant: str
    scope: str
    prediction: str
    gold: str
    text: str
    correct: bool


def load_languages(path: str | Path = RESOURCES / "languages.json") -> dict[str, dict]:
    """Language code -> its phrases, marks, digits and words."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def load_seeds(path: str | Path = RESOURCES / "seeds.json") -> list[Seed]:
    """The project's own right answers."""
    return [Seed(**entry) for entry in json.loads(Path(path).read_text(encoding="utf-8"))]


def seeds_of_golds(golds: Mapping[str, str]) -> list[Seed]:
    """Seeds from the right answers of any problems, id -> gold; golds that are no number are left out."""
    seeds = []
    for seed_id, gold in golds.items():
        text = gold.replace(",", "").strip()
        try:
            value = Fraction(text)
        except (ValueError, ZeroDivisionError):
            continue
        seeds.append(Seed(seed_id, _kind(text, value), text))
    return seeds


def build_battery(
    seeds: Sequence[Seed], languages: Mapping[str, Mapping], *, per_variant: int = PER_VARIANT
) -> list[Item]:
    """All items: language x variant x up to ``per_variant`` of the seeds that the variant applies to.

    Universal variants take the same seeds in every language.
    """
    items = []
    for code in sorted(languages):
        for variant in variants():
            written = [
                (seed, text) for seed in seeds if (text := variant.render(seed, languages[code])) is not None
            ]
            for seed, text in _spread(written, per_variant):
                items.append(_item(seed, variant, code, languages[code], text))
    return items


def load_battery(folder: str | Path = BATTERY, languages: Iterable[str] | None = None) -> list[Item]:
    """The committed battery (or another folder in its format), in whole or for some languages.

    Raises:
        DataError: a line that is no item, or a language that the battery does not have.
    """
    files = {path.stem: path for path in battery_files(folder)}
    wanted = sorted(files) if languages is None else sorted(set(languages))
    missing = [code for code in wanted if code not in files]
    if missing or not wanted:
        raise DataError(
            f"the battery has no items in {', '.join(missing) or 'any language'}",
            where=str(folder),
            hint="add the language's phrases to languages.json and write the battery again",
        )
    return read_items(files[code] for code in wanted)


def battery_files(folder: str | Path = BATTERY) -> list[Path]:
    """The files of a battery, one a language, in order."""
    return sorted(Path(folder).glob("*.jsonl"))


def read_items(paths: Iterable[str | Path]) -> list[Item]:
    """All items of some files of a battery.

    Raises:
        DataError: a line that is no item.
    """
    return [item for path in paths for item in _read_items(Path(path))]


def write_battery(items: Iterable[Item], folder: str | Path = BATTERY) -> None:
    """One file a language, one JSON object a line."""
    lines: dict[str, list[str]] = {}
    for item in items:
        lines.setdefault(item.language, []).append(json.dumps(asdict(item), ensure_ascii=False))
    Path(folder).mkdir(parents=True, exist_ok=True)
    for code, of_language in lines.items():
        (Path(folder) / f"{code}.jsonl").write_text("\n".join(of_language) + "\n", encoding="utf-8")


def _read_items(path: Path) -> list[Item]:
    items = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line:
            continue
        try:
            items.append(Item(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise DataError(f"not an item of a battery: {error}", where=f"{path}, line {number}") from error
    return items


def _item(seed: Seed, variant: Variant, code: str, language: Mapping, text: str) -> Item:
    sentence = (
        variant.name.removeprefix("wrong_") in ("sentence", "label", "not_but")
        or "in_sentence" in variant.name
    )
    said = text if sentence else language["answer"].replace("{x}", text)
    return Item(
        item_id=f"{code}-{variant.name}-{seed.seed_id}",
        language=code,
        family=variant.family,
        variant=variant.name,
        scope=variant.scope,
        prediction=text,
        gold=seed.gold,
        # A reply in the language, closed by the marker that extractors of GSM8K-like tasks look for, so that
        # they are tested on the form of the answer and not on a missing marker.
        text=f"{said}\n#### {text}",
        correct=variant.family != NEAR_MISS,
    )


def _spread(written: Sequence, count: int) -> list:
    """``count`` entries, evenly spaced."""
    if len(written) <= count:
        return list(written)
    return [written[round(i * (len(written) - 1) / max(count - 1, 1))] for i in range(count)]


def _kind(text: str, value: Fraction) -> str:
    if "/" in text:
        return "fraction"
    if value < 0:
        return "negative"
    if value.denominator != 1:
        return "decimal"
    return "large" if value >= 1000 else "count"
