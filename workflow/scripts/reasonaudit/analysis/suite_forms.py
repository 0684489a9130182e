"""Ways of writing a number, and the conditions under which the battery's variants use them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

FULL_WIDTH = str.maketrans("0123456789-.,+/%", "０１２３４５６７８９－．，＋／％")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
VULGAR = {"1/2": "½", "1/4": "¼", "3/4": "¾", "5/6": "⅚", "1/3": "⅓", "2/3": "⅔"}
Language = Mapping  # one entry of resources/verifier_suite/languages.json


@dataclass(frozen=True)
class Seed:
    """A right answer to write in many ways.

    Args:
        seed_id: unique name.
        kind: count, money, large, negative, decimal, fraction or percent.
        gold: ASCII digits, point for decimals, slash for fractions.
    """

    seed_id: str
    kind: str
    gold: str

    @property
    def value(self) -> Fraction:
        """The gold as an exact number."""
        return Fraction(self.gold)

    @property
    def whole(self) -> bool:
        """A whole number."""
        return self.value.denominator == 1

    def shifted(self, by: int) -> str:
        """The gold plus a whole number, written like the gold."""
        if "/" in self.gold:
            above, below = self.gold.split("/")
            return f"{int(above) + by}/{below}"
        return str(Decimal(self.gold) + by)


def localise(number: str, language: Language) -> str:
    """An ASCII number with the language's decimal and grouping marks: 1800.5 -> 1.800,5 in German."""
    sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
    whole, point, decimals = digits.partition(".")
    if len(whole) > 3:
        groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)]
        whole = language["group"].join(reversed(groups))
    return sign + whole + (language["decimal"] + decimals if point else "")


def counted(seed: Seed, _: Language) -> bool:
    """A whole number of things."""
    return seed.kind == "count"


def more_than_one(seed: Seed, _: Language) -> bool:
    """A whole number of things, at least two."""
    return seed.kind == "count" and seed.value > 1


def money(seed: Seed, _: Language) -> bool:
    """A sum of money."""
    return seed.kind == "money"


def percent(seed: Seed, _: Language) -> bool:
    """A percentage."""
    return seed.kind == "percent"


def negative(seed: Seed, _: Language) -> bool:
    """Below zero."""
    return seed.value < 0


def large(seed: Seed, _: Language) -> bool:
    """A whole number of at least 10,000."""
    return seed.whole and seed.value >= 10_000


def long(seed: Seed, _: Language) -> bool:
    """A whole number that has grouping marks."""
    return seed.whole and seed.value >= 1000


def two_digits(seed: Seed, _: Language) -> bool:
    """A whole number of at least two digits."""
    return seed.whole and seed.value >= 10


def fill(pattern: str, *, a: str, b: str) -> str:
    """A phrase with two numbers."""
    return pattern.replace("{a}", a).replace("{b}", b)


def equation(seed: Seed, _: Language) -> str:
    """A sum whose value is the gold."""
    return f"{seed.shifted(-3)} + 3 = {seed.gold}"


def in_sentence(form: str) -> Callable[[Seed, Language], str | None]:
    """Renderer: a form of the gold inside the language's answer sentence."""

    def render(seed: Seed, language: Language) -> str | None:
        if seed.kind != "count":
            return None
        return language["answer"].replace("{x}", form.replace("{x}", seed.gold))

    return render


def mixed(seed: Seed, _: Language) -> str:
    """Only the last digit is full width."""
    return seed.gold[:-1] + seed.gold[-1].translate(FULL_WIDTH)


def grouped(gold: str, mark: str) -> str:
    """Groups of three digits with any mark."""
    return localise(gold, {"group": mark, "decimal": "."})


def scientific(seed: Seed, pattern: str) -> str:
    """Mantissa and exponent put into a pattern with {m} and {e}."""
    digits = seed.gold.rstrip("0")
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return pattern.replace("{m}", mantissa).replace("{e}", str(len(seed.gold) - 1), 1)


def slash(seed: Seed, mark: str) -> str | None:
    """A fraction with another mark between its parts."""
    return seed.gold.replace("/", mark) if "/" in seed.gold else None


def latex_fraction(seed: Seed, command: str) -> str | None:
    """A fraction as a LaTeX command."""
    if "/" not in seed.gold:
        return None
    above, below = seed.gold.split("/")
    return f"{command}{{{above}}}{{{below}}}"


def decimal_of_fraction(seed: Seed, _: Language) -> str | None:
    """A fraction that ends as a decimal, as that decimal."""
    if "/" not in seed.gold or 10**6 % seed.value.denominator:
        return None
    return str((Decimal(seed.value.numerator) / Decimal(seed.value.denominator)).normalize())


def fraction_of_decimal(seed: Seed, _: Language) -> str | None:
    """A decimal as a fraction in lowest terms."""
    if seed.kind != "decimal":
        return None
    return f"{seed.value.numerator}/{seed.value.denominator}"


def indian_groups(seed: Seed, language: Language) -> str | None:
    """12,34,567, in the languages that write so."""
    if not language.get("indian_groups") or len(seed.gold) < 6:
        return None
    head, tail = seed.gold[:-3], seed.gold[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(pairs), tail])


def native_digits(seed: Seed, language: Language) -> str | None:
    """The language's own digits."""
    if "digits" not in language:
        return None
    return seed.gold.translate(str.maketrans("0123456789", language["digits"]))


def nth(language: Language, key: str, seed: Seed, place: int) -> str | None:
    """The place-th of the forms that the language lists for exactly this gold."""
    forms = language.get(key, {}).get(seed.gold, [])
    return forms[place] if place < len(forms) else None


def form(seed: Seed, language: Language, key: str, place: int) -> str | None:
    """The place-th of the language's patterns, around the localised gold."""
    forms = language[key]
    return forms[place].replace("{x}", localise(seed.gold, language)) if place < len(forms) else None


def money_form(seed: Seed, language: Language, place: int) -> str | None:
    """The place-th way to write a sum of money."""
    return form(seed, language, "money", place)


def mantissa(seed: Seed, language: Language, place: int) -> tuple[str, str] | None:
    """Pattern of the place-th scale word and the number before it (4.5 for 4500000 and million)."""
    scales = list(language["scales"].items())
    if place >= len(scales) or not seed.whole:
        return None
    pattern, factor = scales[place]
    share = seed.value / factor
    if not 1 < share < 1000 or (share * 10).denominator != 1:
        return None
    number = str(share.numerator) if share.denominator == 1 else f"{float(share):.1f}"
    return pattern, number


def scale_word(seed: Seed, language: Language, place: int) -> str | None:
    """The gold with the place-th scale word (4.5 million)."""
    found = mantissa(seed, language, place)
    return found[0].replace("{x}", localise(found[1], language)) if found else None


def lost_scale(seed: Seed, language: Language) -> str | None:
    """The number before the scale word, alone."""
    places = range(len(language["scales"]))
    found = next((m for m in (mantissa(seed, language, place) for place in reversed(places)) if m), None)
    return localise(found[1], language) if found else None


def flipped(seed: Seed, minus: str) -> str | None:
    """The gold with the other sign, by this minus."""
    if "/" in seed.gold or seed.value == 0 or (minus != "-" and seed.value < 0):
        return None
    return seed.gold[1:] if seed.value < 0 else minus + seed.gold


def swapped(seed: Seed, _: Language) -> str | None:
    """The last two digits exchanged."""
    digits = seed.gold
    if not two_digits(seed, _) or digits[-1] == digits[-2] or digits[-1] == "0":
        return None
    return digits[:-2] + digits[-1] + digits[-2]


def without_point(seed: Seed) -> str | None:
    """A decimal whose point was lost."""
    return seed.gold.replace(".", "") if "." in seed.gold else None


def superscript(seed: Seed, _: Language) -> str | None:
    """A power that reads like the gold when superscripts are taken for digits: 12⁵ for 125."""
    if not two_digits(seed, _) or len(seed.gold) > 3:
        return None
    return seed.gold[:-1] + seed.gold[-1].translate(_SUPERSCRIPTS)


def inverted(seed: Seed, _: Language) -> str | None:
    """A fraction upside down."""
    if "/" not in seed.gold or seed.value**2 == 1 or seed.value == 0:
        return None
    above, below = seed.gold.split("/")
    return f"{below}/{above}"
