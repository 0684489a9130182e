"""Lengths of time in two or more units: 3 hours 20 minutes is 200 (minutes)."""

import re
from fractions import Fraction

from reasonaudit.answers.languages import lower
from reasonaudit.answers.numerals import read_digits

_UNITS: dict[int, str] = {
    1: "second seconds sec secs sekunde sekunden segundo segundos seconde secondes секунда секунды секунд "
    "saniye 秒間 秒 วินาที",
    60: "minute minutes min mins minuten minuto minutos минута минуты минут dakika 分間 分钟 分 นาที",
    3600: "hour hours hr hrs stunde stunden std hora horas heure heures час часа часов saat masaa 時間 小时 "
    "小時 个小时 ชั่วโมง",
    86400: "day days tag tage día días dia dias jour jours день дня дней gün siku 日間 日 天 วัน",
    604800: "week weeks woche wochen semana semanas semaine semaines неделя недели недель hafta wiki 週間 周 "
    "星期 สัปดาห์",
}
_SECONDS = {word: seconds for seconds, words in _UNITS.items() for word in words.split()}
_WORD = "|".join(sorted(map(re.escape, _SECONDS), key=len, reverse=True))
_PART = re.compile(
    rf"\s*(?:,|and|und|y|e|et|и|ve|と|和)?\s*(\d[\d.,]*)\s*({_WORD})(?![a-zа-я])\.?", re.IGNORECASE
)


def parse_duration(text: str, language: str = "en") -> tuple[Fraction, Fraction] | None:
    """(number in the smallest unit named, seconds) of a text that is nothing but a length of time."""
    text = lower(text.strip(" ."), language)
    position, total, smallest, last = 0, Fraction(0), None, None
    while position < len(text):
        part = _PART.match(text, position)
        if not part:
            return None
        amount = read_digits(part[1].rstrip(".,"), language)
        seconds = _SECONDS[part[2].lower()]
        if amount is None or (last is not None and seconds >= last):
            return None
        total += amount * seconds
        last = smallest = seconds
        position = part.end()
    return None if smallest is None else (total / smallest, total)
