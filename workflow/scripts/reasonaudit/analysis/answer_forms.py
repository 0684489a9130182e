"""What is unusual about the way an answer is written: the forms behind a verifier's false negatives."""

import re
import unicodedata
from fractions import Fraction

_NUMBER = r"[^\W\d_]{0,3}[-−－+]?[$€£¥₹₺฿৳]?\s*\\?\$?\d[\d.,\s/%٪％\\{}]*[^\W\d_]{0,20}\s*"
_WORD = r"[^\W\d_]"

# In the order of decision: an answer that shows several forms is counted under the first.
_FORMS = (
    ("angle_brackets", re.compile(rf"[<＜〈《]\s*{_NUMBER}[>＞〉》]")),
    ("corner_brackets", re.compile(rf"[「『【〔]\s*{_NUMBER}[」』】〕]")),
    ("boxed", re.compile(r"\\f?boxed")),
    ("markdown", re.compile(r"\*\*|__|`|(?<![\w*])\*[^*\s][^*]*\*(?!\w)")),
    ("math_delimiters", re.compile(r"\\\(|\\\[|\$\$|(?<!\\)\$[^$]*\d[^$]*(?<!\\)\$")),
    ("square_brackets", re.compile(rf"[\[［]\s*{_NUMBER}[\]］]")),
    ("parentheses", re.compile(rf"^\s*[(（]\s*{_NUMBER}[)）]\s*$")),
    ("quotes", re.compile(rf"[\"'“”‘’«»„]\s*{_NUMBER}[\"'“”‘’«»]")),
    ("text_command", re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*\{")),
    ("latex_fraction", re.compile(r"\\[dt]?frac")),
    ("power_of_ten", re.compile(r"10\s*\^|\d[eE][+-]?\d|10[⁰¹²³⁴⁵⁶⁷⁸⁹]")),
    ("equation", re.compile(r"=")),
    ("percent", re.compile(r"[%％٪]")),
    ("currency", re.compile(r"[$€£¥￥₹₺฿৳₽]|(?i:\b(?:usd|eur|gbp|jpy|cny|tl|r\$)\b)")),
)
_CJK_NUMERAL = re.compile(r"[〇零一二三四五六七八九十百千万億亿兆萬壱弐参壹貳贰叁肆伍陆陸柒捌玖拾佰仟]")
_GROUPED = re.compile(r"\d[,.'\s   ，](?=\d{3}(?!\d))|\{,\}|\\[,;:! ]")
_TRAILING_ZEROS = re.compile(r"\d[.,]0+(?!\d)")
_MINUS = re.compile(r"[−－﹣–—]\s*\d")


def form_of(prediction: str | None, gold: str) -> str:
    """The form that keeps a right answer from being the gold's own text.

    ``not_found_in_text`` where the answer is written exactly as the gold: then the verifier did not find it,
    because it reads the text by its own extraction rule.
    """
    if prediction is None or not prediction.strip():
        return "no_answer"
    if prediction == gold:
        return "not_found_in_text"
    text = prediction.strip()
    if text == gold:
        return "whitespace"
    for name, pattern in _FORMS:
        if pattern.search(text) and not pattern.search(gold):
            return name
    return _number_form(text, gold)


def recovered_by_stripping(prediction: str | None, gold: str) -> bool:
    """Whether dropping all but ASCII digits, point and minus leaves the gold, as a number."""
    left, right = (_stripped_value(text) for text in (prediction or "", gold))
    return left is not None and left == right


def _number_form(text: str, gold: str) -> str:
    if any(char.isdigit() and not char.isascii() for char in text):
        digits = [char for char in text if char.isdigit() and not char.isascii()]
        wide = all(unicodedata.east_asian_width(char) == "F" for char in digits)
        return "full_width_digits" if wide else "other_digits"
    if _CJK_NUMERAL.search(text):
        return "cjk_numerals"
    if re.search(_WORD, text) and not re.search(_WORD, gold):
        return "unit_or_text"
    if _GROUPED.search(text):
        return "separators"
    if _TRAILING_ZEROS.search(text):
        return "trailing_zeros"
    if _MINUS.search(text):
        return "minus_sign"
    if text.rstrip(".。．,，;；:：!！") == gold:
        return "punctuation"
    if re.fullmatch(r"[+\-]?\d+(?:[.,]\d+)?(?:\s*/\s*\d+)?", text):
        return "equal_value"
    return "other"


def _stripped_value(text: str) -> Fraction | None:
    kept = re.sub(r"[^0-9.\-]", "", text).rstrip(".")
    try:
        return Fraction(kept)
    except (ValueError, ZeroDivisionError):
        return None
