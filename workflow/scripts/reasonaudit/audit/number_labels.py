r"""Numbers that name something instead of counting it: ordinals, step and case labels, subscripts.

Changing "Step 3" to "Step 5" or "2nd quadrant" to "7nd quadrant" makes a slip of the pen, not an error of
reasoning, so the edit that plants an intermediate error passes these over. When in doubt a number counts
as a label: one candidate is lost, nothing else.
"""

import re

from reasonaudit.audit.number_tokens import NumberToken

_LABEL_WORDS = (
    "step|case|part|equation|eq|eqn|figure|fig|example|problem|question|method|lemma|theorem|section|row"
    "|column|option|scenario|approach|way|solution|claim|rule|stage|phase"
    "|schritt|fall|teil|gleichung|aufgabe|beispiel|methode"
    "|étape|cas|partie|équation|exemple|problème|méthode"
    "|paso|caso|parte|ecuación|ejemplo|problema|método|passo|etapa|equação|exemplo|questão"
    "|шаг|случай|часть|уравнение|пример|задача|способ"
    "|adım|durum|denklem|örnek|soru|hatua|kesi|sehemu|mfano"
    "|ধাপ|উদাহরণ|దశ|ఉదాహరణ|ขั้นตอน|ขั้นตอนที่|ข้อ|단계|경우|방법"
)
# Written without spaces around them.
_LABEL_SIGNS = "步骤|步|情况|方法|方程|例|图|第|式|ステップ|ケース|場合|図|제"
_WORD_BEFORE = re.compile(
    rf"(?:(?<!\w)(?:{_LABEL_WORDS})|{_LABEL_SIGNS})[.\s#:~*(\\]*(?:no\.|nº|№|number)?[\s(*]*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:"
    r"[^\W\d_]"  # a letter: part of a name such as A1
    r"|_\{?\s*"  # a subscript
    r"|\\(?:tag|label|ref|eqref|cite|hspace|vspace|color)\*?\{[^{}]*"
    r"|\\\\\[\s*"  # a distance between lines
    r"|[#№]\s*"
    r")$"
)
_AFTER = re.compile(
    r"(?:st|nd|rd|th|er|re|e|ère|ème|eme|te|ter|tes|ten|ste|os|as|º|ª|\.º|\.ª"
    r"|[’']?(?:inci|ıncı|uncu|üncü|nci|ncı|ncu|ncü)|-?(?:й|я|е|го|ой|ая|ое|ый|ого|му))(?!\w)"
    r"|\s*\^?\s*\{?\s*\\?(?:text|mathrm|textsuperscript)?\s*\{?\s*(?:st|nd|rd|th)\}"
    r"|\^(?:st|nd|rd|th)(?!\w)"
    r"|番目|つ目|回目|번째"
)
_LINE_START = re.compile(r"(?:^|\n)[\s#>*\-–•(\[]*$")
_LIST_END = re.compile(r"[.):\]、．：]+\**(?=\s|$)|\**[.:)](?=\s|$)")
_TAG_BEFORE = re.compile(r"(?:^|\s)\($")
_TAG_AFTER = re.compile(r"\)(?=[\s.,:;]|$)")


def is_label(text: str, token: NumberToken) -> bool:
    """Whether the number at ``token`` is an ordinal, a label or a subscript rather than a quantity."""
    # Windows of fixed size keep this linear on long chains.
    before = text[max(0, token.start - 40) : token.start]
    after = text[token.end : token.end + 24]
    if _BEFORE.search(before) or _WORD_BEFORE.search(before) or _AFTER.match(after):
        return True
    if _LINE_START.search(before if token.start > 40 else "\n" + before) and _LIST_END.match(after):
        return True
    return bool(_TAG_BEFORE.search(before) and _TAG_AFTER.match(after))
