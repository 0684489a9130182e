r"""LaTeX with the choices of typesetting taken out: \dfrac is \frac, \left( is (, spaces go."""

import re

from reasonaudit.answers.boxes import matching_brace

_DROP = re.compile(
    r"\\\\|\\(?:left|right|middle|[bB]igg?[lrm]?|displaystyle|textstyle|limits|nolimits|hfill|noindent|quad|qquad|strut"
    r"|mathstrut)(?![a-zA-Z])|\\[,;:!]|\\ |~|(?<!\\)&(?=\s*=)"
)
_SYNONYMS = (
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\[dt]binom(?![a-zA-Z])"), r"\\binom"),
    (re.compile(r"\\leq(?:slant)?(?![a-zA-Z])"), r"\\le"),
    (re.compile(r"\\geq(?:slant)?(?![a-zA-Z])"), r"\\ge"),
    (re.compile(r"\\(?:neq|not\s*=)"), r"\\ne"),
    (re.compile(r"\\lt(?![a-zA-Z])"), "<"),
    (re.compile(r"\\gt(?![a-zA-Z])"), ">"),
    (re.compile(r"\\(?:lbrace)(?![a-zA-Z])"), r"\\{"),
    (re.compile(r"\\(?:rbrace)(?![a-zA-Z])"), r"\\}"),
    (re.compile(r"\\(?:lbrack)(?![a-zA-Z])"), "["),
    (re.compile(r"\\(?:rbrack)(?![a-zA-Z])"), "]"),
    (re.compile(r"\\(?:lvert|rvert|vert|mid)(?![a-zA-Z])"), "|"),
    (re.compile(r"\\(?:varnothing)(?![a-zA-Z])"), r"\\emptyset"),
    (re.compile(r"\\(?:isin)(?![a-zA-Z])"), r"\\in"),
    (re.compile(r"\\(?:ast)(?![a-zA-Z])"), "*"),
    (re.compile(r"\\(?:degree|textdegree)(?![a-zA-Z])"), r"^\\circ"),
    (re.compile(r"\^\s*\{\s*\\circ\s*\}"), r"^\\circ"),
    (re.compile(r"\\(?:mbox|textrm|textbf|textit|textnormal|textsf|hbox|text\w*|mathrm|mathbf|mathit|mathsf"
                r"|boldsymbol|bf|rm|bm)\s*(?=\{)"), r"\\text"),
    (re.compile(r"\\(?:operatorname)\*?\s*\{\s*([a-zA-Z]+)\s*\}"), r"\\\1 "),
    (re.compile(r"\\begin\{(?:array)\}\s*\{[^{}]*\}"), r"\\begin{pmatrix}"),
    (re.compile(r"\\end\{array\}"), r"\\end{pmatrix}"),
    (re.compile(r"\\(begin|end)\{(?:b|small|B|)matrix\}"), r"\\\1{pmatrix}"),
)  # fmt: skip
_SPACE = re.compile(r"\s+")
_FRAC_SHORT = re.compile(r"\\(frac|binom)\s*(?:(?=\{)|(\d)|([a-zA-Z])|(\\[a-zA-Z]+))")


def simplify_latex(text: str) -> str:
    """The same mathematics in one spelling; spaces between commands and letters stay single."""
    if "\\" not in text and "~" not in text:
        return _SPACE.sub(" ", text).strip()
    text = text.replace(r"\left.", "").replace(r"\right.", "")
    text = _DROP.sub(_dropped, text)
    for pattern, replacement in _SYNONYMS:
        text = pattern.sub(replacement, text)
    return _SPACE.sub(" ", text).strip()


def _dropped(found: re.Match) -> str:
    if found[0] == r"\\":
        return found[0]  # the end of a row
    return " " if found[0] in (r"\ ", "~", r"\;", r"\:", r"\,") else ""


def brace_arguments(text: str) -> str:
    r"""Every one-token argument in braces: \frac12 -> \frac{1}{2}, \sqrt2 -> \sqrt{2}, x^2 -> x^{2}."""
    if not any(mark in text for mark in ("\\", "^", "_")):
        return text
    out, position = [], 0
    for found in re.finditer(r"\\(?:frac|binom|sqrt|overline|text|pmod|bmod)(?![a-zA-Z])|[\^_]", text):
        if found.start() < position:
            continue
        out.append(text[position : found.end()])
        position = found.end()
        if found[0] == r"\sqrt" and (root := re.match(r"\s*\[[^\]]*\]", text[position:])):
            out.append(root[0].strip())
            position += root.end()
        for _ in range(2 if found[0] in (r"\frac", r"\binom") else 1):
            argument, position = take_argument(text, position)
            if argument is None:
                break
            out.append("{" + brace_arguments(argument) + "}")
    out.append(text[position:])
    return "".join(out)


_ARGUMENT = re.compile(r"\s*(?:(\\[a-zA-Z]+|\\.)|(\S))")


def take_argument(text: str, position: int) -> tuple[str | None, int]:
    """The argument that starts at ``position`` (a group or one token) and where it ends."""
    while position < len(text) and text[position].isspace():
        position += 1
    if position >= len(text) or text[position] == "}":
        return None, position
    if text[position] == "{":
        end = matching_brace(text, position)
        if end is None:
            return text[position + 1 :], len(text)
        return text[position + 1 : end], end + 1
    found = _ARGUMENT.match(text, position)
    return found[0].strip(), found.end()


def normal_form(text: str) -> str:
    """A string that is equal for answers typeset differently; for what cannot be read as mathematics."""
    text = brace_arguments(simplify_latex(text))
    text = re.sub(r"\\text\{([^{}]*)\}", lambda found: found[1], text)
    text = re.sub(r"\{([a-zA-Z0-9])\}", r"{\1}", text)
    return _SPACE.sub("", text).rstrip(".").casefold() if not _has_commands(text) else _SPACE.sub("", text)


def _has_commands(text: str) -> bool:
    return "\\" in text or "^" in text or "_" in text
