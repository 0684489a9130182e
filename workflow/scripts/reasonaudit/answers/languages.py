"""What differs between languages when a number is written: separators, scale words, percent words.

The separator decides what one mark followed by three digits means: 3.350 is 3.35 in English and
3350 in Turkish. Sources: Unicode CLDR number formats; the texts of MGSM for its eleven languages.
"""

_DECIMAL_COMMA_CODES = (
    "az bg bs ca cs da de el es et fi fr gl hr hu id is it kk lt lv mk nb nl no pl pt ro ru sk sl "
    "sr sv tr uk uz vi"
)
DECIMAL_COMMA = frozenset(_DECIMAL_COMMA_CODES.split())
# 12,34,567: the last group has three digits, the others two.
INDIAN_GROUPS = frozenset(["bn", "gu", "hi", "kn", "ml", "mr", "pa", "ta", "te", "ur"])

# Words that multiply the number before them. Lower case; matched after case folding.
SCALE_WORDS: dict[str, dict[str, int]] = {
    "en": {
        "dozen": 12,
        "hundred": 10**2,
        "thousand": 10**3,
        "million": 10**6,
        "billion": 10**9,
        "trillion": 10**12,
    },
    "de": {
        "hundert": 10**2,
        "tausend": 10**3,
        "million": 10**6,
        "millionen": 10**6,
        "milliarde": 10**9,
        "milliarden": 10**9,
        "billion": 10**12,
        "billionen": 10**12,
    },
    "es": {"mil": 10**3, "millón": 10**6, "millon": 10**6, "millones": 10**6, "billones": 10**12},
    "fr": {
        "cent": 10**2,
        "cents": 10**2,
        "mille": 10**3,
        "million": 10**6,
        "millions": 10**6,
        "milliard": 10**9,
    }
    | {"milliards": 10**9},
    "pt": {"mil": 10**3, "milhão": 10**6, "milhao": 10**6, "milhões": 10**6, "milhoes": 10**6}
    | {"bilhão": 10**9, "bilhões": 10**9, "bilhoes": 10**9, "trilhão": 10**12, "trilhões": 10**12},
    "ru": {"тысяча": 10**3, "тысячи": 10**3, "тысяч": 10**3, "тыс": 10**3, "миллион": 10**6}
    | {"миллиона": 10**6, "миллионов": 10**6, "млн": 10**6, "миллиард": 10**9, "миллиарда": 10**9}
    | {"миллиардов": 10**9, "млрд": 10**9},
    "tr": {"yüz": 10**2, "bin": 10**3, "milyon": 10**6, "milyar": 10**9, "trilyon": 10**12},
    "sw": {"elfu": 10**3, "milioni": 10**6, "bilioni": 10**9},
    "th": {"ร้อย": 10**2, "พัน": 10**3, "หมื่น": 10**4, "แสน": 10**5, "ล้าน": 10**6},
    "bn": {"হাজার": 10**3, "লাখ": 10**5, "লক্ষ": 10**5, "কোটি": 10**7, "মিলিয়ন": 10**6},
    "te": {"వేల": 10**3, "వేలు": 10**3, "లక్ష": 10**5, "లక్షలు": 10**5, "లక్షల": 10**5, "కోటి": 10**7}
    | {"కోట్లు": 10**7, "కోట్ల": 10**7},
}

PERCENT_WORDS = (
    "percent",
    "per cent",
    "percentage points",
    "prozent",
    "por ciento",
    "pour cent",
    "por cento",
    "процент",
    "процента",
    "процентов",
    "パーセント",
    "เปอร์เซ็นต์",
    "শতাংশ",
    "శాతం",
)

PERCENT_PREFIXES = ("yüzde", "asilimia", "ร้อยละ")  # the word stands before the number

CURRENCY_SIGNS = "$€£¥₺₹৳฿₽₩¢元円"
CURRENCY_PREFIXES = (
    "us$",
    "r$",
    "a$",
    "c$",
    "hk$",
    "nt$",
    "usd",
    "eur",
    "gbp",
    "jpy",
    "try",
    "brl",
    "rs.",
    "rs",
)


def base(language: str) -> str:
    """A language without the tag that ``with_marks`` adds."""
    return language.partition("@")[0]


def with_marks(language: str, marks: str) -> str:
    """``es@point``: Spanish whose numbers have decimal points. ``marks`` is point, comma or mixed.

    ``mixed``: a comma before three digits groups (104,000), any other is a decimal mark (0,05).
    """
    return f"{base(language)}@{marks}"


def decimal_comma(language: str) -> bool:
    """Whether a comma is the decimal mark: by the tag, else by the language."""
    name, _, marks = language.partition("@")
    return marks != "point" if marks else name in DECIMAL_COMMA


def comma_groups(language: str) -> bool:
    """Whether one comma before three digits groups them."""
    return language.endswith("@mixed") or not decimal_comma(language)


def lower(text: str, language: str) -> str:
    """Lower case; in Turkish I is the capital of \u0131, \u0130 of i, which ``str.lower`` does not know."""
    if base(language) in ("tr", "az"):
        text = text.replace("I", "\u0131").replace("\u0130", "i")
    return text.lower().replace("i\u0307", "i")
