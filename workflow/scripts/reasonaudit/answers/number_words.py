"""Numbers written as words, for answers that are nothing else: forty-two, kırk iki, quarenta e dois."""

import re
from fractions import Fraction

from reasonaudit.answers.languages import SCALE_WORDS, base, lower

_UNITS: dict[str, str] = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro "
    "veinticinco veintiséis veintisiete veintiocho veintinueve",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "pt": "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze "
    "dezesseis dezessete dezoito dezenove",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать "
    "тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
    "tr": "sıfır bir iki üç dört beş altı yedi sekiz dokuz on",
    "sw": "sifuri moja mbili tatu nne tano sita saba nane tisa kumi",
    "th": "ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ",
    "bn": "শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয় দশ এগারো বারো তেরো চৌদ্দ পনেরো ষোলো সতেরো আঠারো ঊনিশ কুড়ি",
    "te": "సున్నా ఒకటి రెండు మూడు నాలుగు ఐదు ఆరు ఏడు ఎనిమిది తొమ్మిది పది పదకొండు పన్నెండు "
    "పదమూడు పద్నాలుగు పదిహేను పదహారు పదిహేడు పద్దెనిమిది పంతొమ్మిది ఇరవై",
}
_TENS: dict[str, str] = {  # from twenty on
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "es": "- treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "fr": "vingt trente quarante cinquante soixante",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "ru": "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
    "tr": "yirmi otuz kırk elli altmış yetmiş seksen doksan",
    "sw": "ishirini thelathini arobaini hamsini sitini sabini themanini tisini",
}
_HUNDREDS: dict[str, str] = {
    "es": "cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos "
    "novecientos",
    "pt": "cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    "ru": "сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот",
}
_MORE: dict[str, dict[str, int]] = {
    "en": {"a": 1, "half": 0},
    "de": {"ein": 1, "eine": 1, "zwo": 2, "dreissig": 30, "sechszehn": 16},
    "es": {
        "un": 1,
        "una": 1,
        "ciento": 100,
        "veintiun": 21,
        "veintiún": 21,
        "dieciseis": 16,
        "veintidos": 22,
    },
    "fr": {"une": 1, "vingts": 20, "septante": 70, "huitante": 80, "nonante": 90},
    "pt": {
        "uma": 1,
        "duas": 2,
        "cento": 100,
        "catorze": 14,
        "dezasseis": 16,
        "dezassete": 17,
        "dezanove": 19,
    },
    "ru": {"одна": 1, "одно": 1, "две": 2, "нуль": 0},
    "sw": {"mia": 100, "mbili": 2},
    "bn": {"একশ": 100},
}
_JOINERS = frozenset(["and", "und", "y", "et", "e", "ve", "na", "и"])
_MINUS_WORDS = {
    "en": ("minus", "negative"),
    "de": ("minus",),
    "es": ("menos",),
    "fr": ("moins",),
    "pt": ("menos",),
    "ru": ("минус",),
    "tr": ("eksi",),
    "sw": ("hasi",),
}


def _tables() -> dict[str, dict[str, int]]:
    tables = {}
    for language, words in _UNITS.items():
        table = {word: value for value, word in enumerate(words.split())}
        for place, word in enumerate(_TENS.get(language, "").split()):
            if word != "-":
                table[word] = 20 + 10 * place
        for place, word in enumerate(_HUNDREDS.get(language, "").split(), start=1):
            table[word] = 100 * place
        tables[language] = table | _MORE.get(language, {})
    tables["en"].pop("half")
    return tables


_WORDS = _tables()
_SPLIT = re.compile(r"[\s\-\u2010-\u2015]+")


def parse_number_words(text: str, language: str) -> Fraction | None:
    """The value of a text of number words only, in ``language`` or in English; None for all else."""
    for tongue in dict.fromkeys((base(language), "en")):
        if tongue in _WORDS:
            value = _parse(lower(text.strip(), tongue), tongue)
            if value is not None:
                return value
    return None


def minus_words(language: str) -> tuple[str, ...]:
    """Words that make the number after them negative."""
    return tuple(dict.fromkeys(_MINUS_WORDS.get(base(language), ()) + _MINUS_WORDS["en"]))


def _parse(text: str, language: str) -> Fraction | None:
    words = [word for word in _SPLIT.split(text) if word]
    if not words or len(words) > 20:
        return None
    sign = 1
    if words[0] in minus_words(language) and len(words) > 1:
        sign, words = -1, words[1:]
    table, scales = _WORDS[language], SCALE_WORDS.get(language, {})
    if language == "th":
        value = _thai([part for word in words for part in _split_thai(word, table)])
        return None if value is None else Fraction(sign * value)
    if language == "de":
        words = [part for word in words for part in _split_german(word, table, scales)]
    total = section = 0
    last, seen = None, False
    for place, word in enumerate(words):
        if word in _JOINERS and 0 < place < len(words) - 1:
            continue
        if word in table:
            value = table[word]
            # 4 x 20 in French; elsewhere a value must fit below the one before it.
            if language == "fr" and value == 20 and last == 4:
                section += 76
            elif (
                last is not None
                and (value >= last or (value >= 10 and last < 100))
                and not _teens(language, last, value)
            ):
                return None
            else:
                section += value
            last = 20 if language == "fr" and value == 20 else value
            seen = True
        elif word in scales or word == "hundred":
            scale = scales.get(word, 100)
            if scale == 12:
                section = (section or 1) * 12
            elif scale == 100:
                section = (section or 1) * 100
                last = 100
                seen = True
                continue
            else:
                total += (section or 1) * scale
                section = 0
            last, seen = None, True
        else:
            return None
    return Fraction(sign * (total + section)) if seen else None


def _teens(language: str, last: int, value: int) -> bool:
    """French counts on from sixty and from eighty: soixante-douze; dix-sept."""
    if language == "fr":
        return (last in (20, 60, 80) and value < 20) or (last == 10 and value < 10)
    return language in ("tr", "sw", "th", "bn", "te") and last >= 10 > value


def _split_thai(word: str, table: dict[str, int]) -> list[str]:
    """Thai writes a number without spaces: two-ten-three; a last one has a name of its own."""
    parts = re.findall("|".join([*table, "ยี่", "เอ็ด", "ร้อย", "พัน", "หมื่น", "แสน", "ล้าน"]), word)
    return parts if "".join(parts) == word else [word]


def _thai(words: list[str]) -> int | None:
    """The value of separated Thai number words."""
    units = {"สิบ": 10, "ร้อย": 100, "พัน": 1000, "หมื่น": 10**4, "แสน": 10**5}
    digits = {word: value for word, value in _WORDS["th"].items() if value < 10} | {"ยี่": 2, "เอ็ด": 1}
    total = section = 0
    digit = None
    for word in words:
        if word in digits and digit is None:
            digit = digits[word]
        elif word in units:
            section += (1 if digit is None else digit) * units[word]
            digit = None
        elif word == "ล้าน":
            total += (section + (digit or 0)) * 10**6
            section, digit = 0, None
        else:
            return None
    return total + section + (digit or 0)


def _split_german(word: str, table: dict[str, int], scales: dict[str, int]) -> list[str]:
    """einhundertzweiundvierzig -> ein hundert vierzig zwei: German says the unit before the ten."""
    if word in table or word in scales:
        return [word]
    for scale in ("tausend", "hundert"):
        before, found, after = word.partition(scale)
        if found:
            parts = _split_german(before, table, scales) if before else ["ein"]
            return (
                parts + [scale] + (_split_german(after.removeprefix("und"), table, scales) if after else [])
            )
    unit, joined, ten = word.partition("und")
    if joined and table.get(unit, 99) < 10 and 20 <= table.get(ten, 0) < 100:
        return [ten, unit]
    return [word]
