"""Numbers as people write them, in every language."""

import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.characters import fold, plain
from reasonaudit.answers.cjk import parse_cjk
from reasonaudit.answers.languages import DECIMAL_COMMA, INDIAN_GROUPS, lower
from reasonaudit.answers.number_scan import find_numbers
from reasonaudit.answers.number_words import parse_number_words
from reasonaudit.answers.numerals import parse_number, read_digits

LANGUAGES = ("en", "ja", "zh", "tr", "pt", "de", "es", "fr", "ru", "sw", "te", "th", "bn")
DIGIT_SETS = [
    "".join(chr(code + i) for i in range(10))
    for code in range(0x30, 0x1FBFA)
    if unicodedata.category(chr(code)) == "Nd" and unicodedata.decimal(chr(code)) == 0
]


def written(value: Fraction, language: str, grouped: bool) -> str:
    """A decimal in the conventions of a language, by the definition, without the project's code."""
    sign = "-" if value < 0 else ""
    digits = abs(value) * 10**6
    assert digits.denominator == 1
    text = str(digits.numerator).rjust(7, "0")
    whole, decimals = text[:-6], text[-6:].rstrip("0")
    comma = language in DECIMAL_COMMA
    if grouped and len(whole) > 3:
        size = 2 if language in INDIAN_GROUPS else 3
        head, parts = whole[:-3], [whole[-3:]]
        while head:
            parts.insert(0, head[-size:])
            head = head[:-size]
        whole = ("." if comma else ",").join(parts)
    return sign + whole + (("," if comma else ".") + decimals if decimals else "")


decimals = st.builds(lambda n, d: Fraction(n, 10**d), st.integers(-(10**9), 10**9), st.integers(0, 6))


@given(value=decimals, language=st.sampled_from(LANGUAGES), grouped=st.booleans())
def test_reads_what_a_language_writes(value, language, grouped):
    text = written(value, language, grouped)
    # Three decimals after a short whole part look like a group; the language's own mark says what they are.
    assert parse_number(text, language).value == value
    assert canonicalize(text, language=language).value == value


@given(value=decimals, digits=st.sampled_from(DIGIT_SETS), language=st.sampled_from(LANGUAGES))
def test_reads_the_digits_of_every_script(value, digits, language):
    text = written(value, language, True).translate(str.maketrans("0123456789", digits))
    assert canonicalize(text, language=language).value == value


@given(st.text())
def test_folding_keeps_every_position(text):
    folded = fold(text)
    assert len(folded) == len(text)
    assert fold(folded) == folded


@pytest.mark.parametrize("minus", "-−－﹣–")
def test_every_minus_is_a_minus(minus):
    assert canonicalize(f"{minus}7").key == "-7"


def test_superscripts_are_no_digits():
    assert plain("2⁵") == "2^{5}"
    assert canonicalize("2⁵").key == "32"
    assert canonicalize("x²").key == canonicalize("x^2").key != canonicalize("x2").key
    assert canonicalize("2½").value == Fraction(5, 2)


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("3.350", "en", Fraction(67, 20)),
        ("3.350", "pt", 3350),
        ("3,350", "en", 3350),
        ("3,350", "tr", Fraction(67, 20)),
        ("1.234.567", "en", 1234567),
        ("1,234,567", "de", 1234567),
        ("1.234,5", "en", Fraction(2469, 2)),
        ("1,234.5", "de", Fraction(2469, 2)),
        ("1 000", "en", 1000),
        ("1 000,5", "fr", Fraction(2001, 2)),
        ("1'000", "de", 1000),
        ("12,34,567", "bn", 1234567),
        ("0.350", "tr", Fraction(7, 20)),
        ("18.", "en", 18),
        (".5", "en", Fraction(1, 2)),
    ],
)
def test_marks(text, language, value):
    assert parse_number(text, language).value == value


@pytest.mark.parametrize(
    ("text", "language"),
    [("3,5,7", "en"), ("1,2", "en"), ("12,34,567", "en"), ("1.2.3", "en"), ("1,234,56", "de"), ("..", "en")],
)
def test_no_single_number(text, language):
    assert read_digits(text, language) is None


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("$31.00", "en", 31),
        (r"\$485", "en", 485),
        ("-$3", "en", -3),
        ("$-3", "en", -3),
        ("R$ 1.500,50", "pt", Fraction(3001, 2)),
        ("250 TL", "tr", 250),
        ("15 €", "de", 15),
        ("35 cm", "en", 35),
        ("35cm", "en", 35),
        ("12 dollars per day", "en", 12),
        ("60 km/h", "en", 60),
        ("18個です", "ja", 18),
        ("7টি আপেল", "bn", 7),
        ("5 яблок", "ru", 5),
        ("2 million", "en", 2_000_000),
        ("70 bin", "tr", 70_000),
        ("2,5 milhões de reais", "pt", 2_500_000),
        ("3 ล้านบาท", "th", 3_000_000),
        ("5 লাখ", "bn", 500_000),
        ("elfu 35", "sw", 35_000),
        ("2 dozen", "en", 24),
        ("1 4/5", "en", Fraction(9, 5)),
        ("31 and 1/3", "en", Fraction(94, 3)),
        ("1e3", "en", 1000),
        ("1.5E-3", "en", Fraction(3, 2000)),
        ("minus 7", "en", -7),
        ("eksi 7", "tr", -7),
        ("负7", "zh", -7),
    ],
)
def test_amounts(text, language, value):
    assert parse_number(plain(text), language).value == value


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("%35", "tr"),
        ("yüzde 35", "tr"),
        ("Yüzde 35", "tr"),
        ("35%", "en"),
        (r"35\%", "en"),
        ("35 percent", "en"),
        ("百分之35", "zh"),
        ("百分之三十五", "zh"),
        ("35パーセント", "ja"),
        ("３５％", "ja"),
        ("35 por cento", "pt"),
    ],
)
def test_percent(text, language):
    number = parse_number(plain(text), language)
    assert (number.value, number.percent) == (35, True)


@pytest.mark.parametrize(
    "text",
    ["x", "5x", "3 or 4", "5 squared", "abc 5", "5 pi", "room", "", "12 of 35", "5!", "2 x 3", "10:30"],
)
def test_not_a_number_with_a_unit(text):
    assert parse_number(text, "en") is None


def chinese(number: int) -> str:
    """Standard Chinese numeral of 1 .. 99,999,999, written after the school rules."""

    def section(n: int) -> str:
        text, zero = "", False
        for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            digit, n = divmod(n, unit)
            if digit:
                text += ("零" if zero and text else "") + "零一二三四五六七八九"[digit] + name
                zero = False
            else:
                zero = True
        return text

    high, low = divmod(number, 10_000)
    if not high:
        return section(low)
    return section(high) + "万" + ("零" if low and low < 1000 else "") + section(low)


@given(st.integers(1, 99_999_999))
def test_reads_chinese_numerals(number):
    assert parse_cjk(chinese(number), "zh") == number


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("一万五千亿", "zh", 15_000 * 10**8),
        ("二十万亿", "zh", 20 * 10**12),
        ("十", "zh", 10),
        ("二〇二四", "zh", 2024),
        ("一万五", "zh", 15_000),
        ("一百零五", "zh", 105),
        ("一百五", "zh", 150),
        ("三点一四", "zh", Fraction(157, 50)),
        ("三分之一", "zh", Fraction(1, 3)),
        ("四分の三", "ja", Fraction(3, 4)),
        ("1万5千", "ja", 15_000),
        ("12万3,000", "ja", 123_000),
        ("1.5万", "zh", 15_000),
        ("負五", "zh", -5),
        ("壹佰贰拾", "zh", 120),
    ],
)
def test_cjk_forms(text, language, value):
    assert parse_cjk(text, language) == value


@pytest.mark.parametrize("text", ["三角形", "八月", "一般", "千葉", "万", "", "分之一"])
def test_words_that_begin_like_numerals(text):
    form = canonicalize(text, language="zh")
    assert form is None or form.kind == "text"


ENGLISH = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
]
ENGLISH += ["sixteen", "seventeen", "eighteen", "nineteen"]
ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
TURKISH = ["", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"]
TURKISH_TENS = ["", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan"]


def english(number: int) -> str:
    if number < 20:
        return ENGLISH[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return ENGLISH_TENS[tens - 2] + (f"-{ENGLISH[rest]}" if rest else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    high, rest = divmod(number, size)
    return f"{english(high)} {name}" + (f" and {english(rest)}" if rest else "")


def turkish(number: int) -> str:
    if number >= 1000:
        high, rest = divmod(number, 1000)
        head = "bin" if high == 1 else f"{turkish(high)} bin"
        return f"{head} {turkish(rest)}".strip() if rest else head
    hundreds, rest = divmod(number, 100)
    words = [] if not hundreds else ["yüz"] if hundreds == 1 else [TURKISH[hundreds], "yüz"]
    words += [TURKISH_TENS[rest // 10], TURKISH[rest % 10]]
    return " ".join(word for word in words if word)


@given(st.integers(0, 999_999))
def test_reads_english_words(number):
    assert parse_number_words(english(number), "en") == number


@given(st.integers(1, 999_999), st.booleans())
def test_reads_turkish_words(number, capitals):
    text = turkish(number)
    if capitals:
        text = text.replace("i", "İ").replace("ı", "I").upper()
    assert parse_number_words(text, "tr") == number


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("einhundertzweiundvierzig", "de", 142),
        ("dreiundzwanzig", "de", 23),
        ("zweitausend", "de", 2000),
        ("quarante-deux", "fr", 42),
        ("quatre-vingt-dix-sept", "fr", 97),
        ("soixante-douze", "fr", 72),
        ("deux cents", "fr", 200),
        ("quarenta e dois", "pt", 42),
        ("cento e vinte", "pt", 120),
        ("treinta y cinco", "es", 35),
        ("mil doscientos", "es", 1200),
        ("сорок два", "ru", 42),
        ("двести пять", "ru", 205),
        ("kumi na mbili", "sw", 12),
        ("สิบสอง", "th", 12),
        ("ยี่สิบเอ็ด", "th", 21),
        ("বারো", "bn", 12),
        ("పన్నెండు", "te", 12),
        ("Twelve", "ja", 12),
    ],
)
def test_number_words(text, language, value):
    assert parse_number_words(text, language) == value


@pytest.mark.parametrize("text", ["apple", "and", "minus", "one two", "twenty ten", "a lot", "one of them"])
def test_not_number_words(text):
    assert parse_number_words(text, "en") is None


def test_turkish_case():
    assert lower("ALTI İKİ", "tr") == "altı iki"
    assert lower("ALTI", "en") == "alti"


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("So the farm collects 84, altogether, in one week.", "en", ["84"]),
        ("2*118 = 236, then **58**", "en", ["2", "118", "236", "58"]),
        ("10 - 3 = 7 and -4 or (-5) x=-6", "en", ["10", "3", "7", "-4", "-5", "-6"]),
        ("costs $1,200.50.", "en", ["1,200.50"]),
        ("kostet 1.200,50 €.", "de", ["1.200,50"]),
        ("3/4 of 12", "en", ["3/4", "12"]),
        (r"is \frac{7}{12}", "en", [r"\frac{7}{12}"]),
        ("合計で1万5千円と35%", "ja", ["1万5千", "35%"]),
        ("yani %35 olur", "tr", ["%35"]),
        ("on 2024.05.01", "en", ["2024.05", "01"]),
        ("il y a 23 786 hommes", "fr", ["23 786"]),
        ("1e3 and 5-3", "en", ["1e3", "5", "3"]),
    ],
)
def test_numbers_in_text(text, language, found):
    assert [text[start:end] for start, end in find_numbers(text, language)] == found


@given(st.text(alphabet="0123456789.,-+/ %$eE万千一二分\\frac{}x\n", max_size=40), st.sampled_from(LANGUAGES))
def test_what_is_found_in_text_can_be_read(text, language):
    for start, end in find_numbers(fold(text), language):
        assert any(character.isdigit() for character in text[start:end])
        assert canonicalize(text[start:end], language=language) is not None
