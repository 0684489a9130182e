"""The trusted verifier: what is equivalent, what is not, and the laws that its verdicts obey."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.answers.canonical import canonicalize, canonicalize_gold
from reasonaudit.answers.policies import Policy, policy_from
from reasonaudit.errors import ConfigError
from reasonaudit.verifiers.synthetic_replies import localised
from reasonaudit.verifiers.trusted import verify

LANGUAGES = ("en", "ja", "zh", "tr", "pt", "de", "es", "fr", "ru", "sw", "te", "th", "bn")
EQUIVALENT = [
    ("18 (eighteen eggs)", "18", "en"),
    ("5 (if there are 7 of them)", "5", "en"),
    (r"4:30 \text{ p.m.}", r"\text{4:30 p.m.}", "en"),
    ("4:30 PM", r"4\!:\!30 \text{ p.m.}", "en"),
    ("7 pm", "7:00 p.m.", "en"),
    (r"(3, \frac{\pi}{2})", r"\left( 3, \frac{\pi}{2} \right)", "en"),
    ("(3, 1.5707963)", r"\left( 3, \frac{\pi}{2} \right)", "en"),
    ("5,3,7", "3, 5, 7", "en"),
    ("3 and 5 and 7", "3,5,7", "en"),
    ("3, 5, and 7", "3,5,7", "en"),
    (r"\{3,5,7\}", "3,5,7", "en"),
    ("1, -2", "1,-2", "en"),
    ("x=1,-2", "1,-2", "en"),
    (r"x = 1 \text{ or } x = -2", "1,-2", "en"),
    ("x=1, x=-2", "1,-2", "en"),
    (r"x=1 \quad \text{and} \quad x=-2", "1,-2", "en"),
    (r"1\text{ and }-2", "1,-2", "en"),
    ("52_8", "52_8", "en"),
    ("52_{8}", "52_8", "en"),
    (r"52_{\text{eight}}", "52_8", "en"),
    ("52_{(8)}", "52_8", "en"),
    (r"52 \text{ (base 8)}", "52_8", "en"),
    ("90", r"90^\circ", "en"),
    ("90°", r"90^\circ", "en"),
    (r"90^{\circ}", r"90^\circ", "en"),
    (r"90\text{ degrees}", r"90^\circ", "en"),
    ("90 degrees", r"90^\circ", "en"),
    (r"\frac{14}{3}", "14/3", "en"),
    (r"4\frac{2}{3}", r"\frac{14}{3}", "en"),
    ("4 2/3", r"\frac{14}{3}", "en"),
    ("4.666667", r"\frac{14}{3}", "en"),
    ("Evelyn", r"\text{Evelyn}", "en"),
    ("evelyn", r"\text{Evelyn}", "en"),
    (r"\text{Evelyn}.", r"\text{Evelyn}", "en"),
    (r"\textbf{Evelyn}", r"\text{Evelyn}", "en"),
    (r"\mathrm{Evelyn}", r"\text{Evelyn}", "en"),
    ("C", r"\text{(C)}", "en"),
    ("(C)", r"\text{(C)}", "en"),
    (r"\text{C}", r"\text{(C)}", "en"),
    ("(C) 12", r"\text{(C)}", "en"),
    (r"\textbf{(C)}", r"\text{(C)}", "en"),
    ("C.", r"\text{(C)}", "en"),
    (r"\mathrm{(C)}\ 5", r"\text{(C)}", "en"),
    ("x=5", "5", "en"),
    ("5", "x=5", "en"),
    ("x = 5.0", "x=5", "en"),
    ("y=5", "x=5", "en"),
    ("2x+3", "y = 2x + 3", "en"),
    ("y=3+2x", "y = 2x + 3", "en"),
    ("y-2x-3=0", "y = 2x + 3", "en"),
    ("2x-y+3=0", "y=2x+3", "en"),
    ("10x - 14y + 22z + 8 = 0", "5x - 7y + 11z + 4 = 0", "en"),
    ("5x - 7y + 11z = -4", "5x - 7y + 11z + 4 = 0", "en"),
    ("[-2,7]", r"x \in [-2,7]", "en"),
    (r"-2 \le x \le 7", r"x \in [-2,7]", "en"),
    (r"(2,\infty)", "x>2", "en"),
    ("x > 2", r"(2,\infty)", "en"),
    ("2<x", r"(2,\infty)", "en"),
    (r"(-\infty,2)\cup(3,\infty)", r"x<2 \text{ or } x>3", "en"),
    ("x<2 or x>3", r"(-\infty, 2) \cup (3, \infty)", "en"),
    (r"(3,\infty)\cup(-\infty,2)", r"(-\infty, 2) \cup (3, \infty)", "en"),
    ("]3,8[", "(3,8)", "fr"),
    ("[3;8]", "[3,8]", "fr"),
    ("(3; 8,5)", "(3,8.5)", "de"),
    (r"\begin{bmatrix}-2\\-14\\-7\end{bmatrix}", r"\begin{pmatrix} -2 \\ -14 \\ -7 \end{pmatrix}", "en"),
    (
        r"\left[\begin{array}{c}-2\\-14\\-7\end{array}\right]",
        r"\begin{pmatrix} -2 \\ -14 \\ -7 \end{pmatrix}",
        "en",
    ),
    (
        r"\left(\begin{array}{cc}-1&0\\0&-1\end{array}\right)",
        r"\begin{pmatrix} -1 & 0 \\ 0 & -1 \end{pmatrix}",
        "en",
    ),
    ("10080", r"10,\!080", "en"),
    ("10,080", r"10,\!080", "en"),
    ("10{,}080", r"10,\!080", "en"),
    ("10 080", "10080", "en"),
    (r"\text{10,080}", "10080", "en"),
    ("32348", r"\$32,\!348", "en"),
    (r"\$32348", r"\$32,\!348", "en"),
    ("32,348 dollars", r"\$32,\!348", "en"),
    (r"\$18.9", r"\$18.90", "en"),
    ("864", r"864 \mbox{ inches}^2", "en"),
    (r"864\text{ in}^2", r"864 \mbox{ inches}^2", "en"),
    ("864 square inches", r"864 \mbox{ inches}^2", "en"),
    (r"864\,\text{in}^2", r"864 \mbox{ inches}^2", "en"),
    ("5.4", r"5.4 \text{ cents}", "en"),
    ("5.4¢", r"5.4 \text{ cents}", "en"),
    (r"3 + 2\sqrt{2}, 3 - 2\sqrt{2}", r"3 \pm 2 \sqrt{2}", "en"),
    (r"x = 3 \pm 2\sqrt{2}", r"3 \pm 2 \sqrt{2}", "en"),
    (r"1+\sqrt{5}, 1-\sqrt{5}, -2", r"\{1\pm\sqrt{5},-2\}", "en"),
    ("6 - 5i", "6-5i", "en"),
    ("-5i+6", "6-5i", "en"),
    (r"\pi", "3.14159265", "en"),
    (r"18\%", "18", "en"),
    (r"\frac{1}{2}\%", r"0.5\%", "en"),
    ("1:2", "1:2", "en"),
    ("1 : 2", "1:2", "en"),
    (r"$\boxed{5}$", "5", "en"),
    (r"\boxed{5}", "5", "en"),
    (r"\text{yes}", "Yes", "en"),
    ("True", "true", "en"),
    ("Infinity", r"\infty", "en"),
    ("no solution", r"\text{No solution}", "en"),
    (r"\emptyset", r"\varnothing", "en"),
    ("2^{10}", "1024", "en"),
    ("10!", "3628800", "en"),
    (r"\binom{10}{3}", "120", "en"),
    ("f(x) = x+1", "x+1", "en"),
    ("P(x)=x+1", "f(x) = x + 1", "en"),
    ("(a,b,c) = (9,8,7)", "(9,8,7)", "en"),
    ("x=1, y=2", "x=1,y=2", "en"),
    ("y=2, x=1", "x=1, y=2", "en"),
    ("3.0", "3", "en"),
    ("3.00", "3", "en"),
    ("03", "3", "en"),
    ("+3", "3", "en"),
    ("3.", "3", "en"),
    ("1,234,567", "1234567", "en"),
    ("1.234.567", "1234567", "de"),
    ("1 234 567", "1234567", "fr"),
    ("1234567", "1234567", "tr"),
    ("1.234.567,00 TL", "1234567", "tr"),
    ("18．５", "18.5", "ja"),
    ("１，２３４．５", "1234.5", "ja"),
    ("千八百", "1800", "ja"),
    ("１８００", "1800", "ja"),
    ("18 яблок", "18", "ru"),
    ("18,5 кг", "18.5", "ru"),
    ("18 quilômetros por hora", "18", "pt"),
    ("18 km/saat", "18", "tr"),
    ("18 Euro", "18", "de"),
    ("2/3 cup", "2/3", "en"),
    (r"\frac{2}{3} \text{ cup}", "2/3", "en"),
    ("x^2+2x+1", "(x+1)^2", "en"),
    ("(x+1)^{2}", "(x+1)^2", "en"),
    (r"\sqrt{51}", "51^{1/2}", "en"),
    ("7.14142842854285", r"\sqrt{51}", "en"),
    ("2k", "2k", "en"),
    ("2 k", "2k", "en"),
    (r"\frac{3\sqrt{3}}{4}", r"\frac{3}{4}\sqrt{3}", "en"),
    (r"3\sqrt{3}/4", r"\frac{3\sqrt{3}}{4}", "en"),
    (r"0.75\sqrt{3}", r"\frac{3\sqrt{3}}{4}", "en"),
    (r"\cot(x)", r"\cot x", "en"),
    (r"\frac{\cos x}{\sin x}", r"\cot x", "en"),
    ("p-q", "p - q", "en"),
    ("11,111,111,100", r"11,\! 111,\! 111,\! 100", "en"),
    (r"6.72 \times 10^{-5}", ".0000672", "en"),
    ("6.72e-5", ".0000672", "en"),
    ("0.0000672", ".0000672", "en"),
    ("17/50", r"\dfrac{17}{50}", "en"),
    ("0.34", r"\dfrac{17}{50}", "en"),
    ("east", r"\text{east}", "en"),
    ("East", r"\text{east}", "en"),
    (r"\text{ East }", r"\text{east}", "en"),
    ("ellipse", r"\text{ellipse}", "en"),
    ("8n^2+4n+1", "8n^2 + 4n + 1", "en"),
    ("4n(2n+1)+1", "8n^2 + 4n + 1", "en"),
    (r"15\text{ cm}^2", r"15\mbox{ cm}^2", "en"),
    ("15", r"15\mbox{ cm}^2", "en"),
    ("15cm^2", r"15\mbox{ cm}^2", "en"),
    ("15 cm²", r"15\mbox{ cm}^2", "en"),
    (r"\text{Navin}", "Navin", "en"),
    ("Navin", r"\text{Navin}", "en"),
    ("$18$ dollars", "18", "en"),
    (r"18 \text{ dollars}", "18", "en"),
    (r"\$18 \text{ per hour}", "18", "en"),
    (r"\frac{11+9a}{20}", r"\frac{9a+11}{20}", "en"),
    ("0.55+0.45a", r"\frac{11+9a}{20}", "en"),
    (r"(0, 9) \cup (9, 36)", r"(0,9) \cup (9,36)", "en"),
    (r"-\frac{35}{9}", r"\frac{-35}{9}", "en"),
    (r"\frac{35}{-9}", r"-\frac{35}{9}", "en"),
    (r"- \frac{35}{9}", r"-\frac{35}{9}", "en"),
    ("3R^2", "3R^2", "en"),
    (r"\frac{243}{625}", "0.3888", "en"),
    (".3888", r"\frac{243}{625}", "en"),
    ("9:30", "9:30", "en"),
    (r"100\sqrt{2}\ \text{m}", r"100\sqrt2", "en"),
    (r"\sqrt{10} \approx 3.16", r"\sqrt{10}", "en"),
    (r"\dfrac{1}{3} \approx 0.333", "1/3", "en"),
    (r"2\text{ hours }30\text{ minutes}", "150", "en"),
    ("k = 5, -5", r"\pm 5", "en"),
    (r"\pm5", "-5,5", "en"),
    (r"n \equiv 3 \pmod{7}", r"n\equiv 3\pmod 7", "en"),
    (r"2 \cdot 3^2", "18", "en"),
    (r"\sqrt{-4}", "2i", "en"),
    ("5 : 3 : 2", "5:3:2", "en"),
    (r"\mathbb{R}", r"(-\infty,\infty)", "en"),
    ("all real numbers", r"\mathbb{R}", "en"),
    (r"\text{(B) } 5", r"\text{(B)}", "en"),
    (r"\left\{ 1, 2 \right\}", r"\{2,1\}", "en"),
    (r"2\%", "2", "en"),
    (r"\frac{1}{2} x", "x/2", "en"),
    ("1,5", "1.5", "tr"),
    ("1.5", "1.5", "tr"),
    ("0,5", r"\frac12", "pt"),
]
DIFFERENT = [
    ("5 (if small) or 6 (if not)", "5", "en"),
    ("6 at most", "6", "en"),
    ("150n (n is their number)", "150", "en"),
    ("4:30 a.m.", r"\text{4:30 p.m.}", "en"),
    ("4:30", r"\text{4:30 p.m.}", "en"),
    ("4:35 p.m.", r"\text{4:30 p.m.}", "en"),
    ("(3, 1.57)", r"\left( 3, \frac{\pi}{2} \right)", "en"),
    (r"(\frac{\pi}{2},3)", r"\left( 3, \frac{\pi}{2} \right)", "en"),
    ("3,5", "3, 5, 7", "en"),
    ("(3,5,7)", "3,5,7", "en"),
    ("52", "52_8", "en"),
    ("42", "52_8", "en"),
    ("52_9", "52_8", "en"),
    ("4.6667", r"\frac{14}{3}", "en"),
    ("Angela", r"\text{Evelyn}", "en"),
    ("B", r"\text{(C)}", "en"),
    ("x=6", "x=5", "en"),
    ("y=2x", "y=2x+3", "en"),
    ("5x - 7y + 11z + 5 = 0", "5x - 7y + 11z + 4 = 0", "en"),
    (r"-2 \leq x < 7", r"x \in [-2,7]", "en"),
    (r"x \geq 2", r"(2,\infty)", "en"),
    (r"\begin{pmatrix}-2&-14&-7\end{pmatrix}", r"\begin{pmatrix} -2 \\ -14 \\ -7 \end{pmatrix}", "en"),
    (r"3+2\sqrt2", r"3 \pm 2 \sqrt{2}", "en"),
    (r"-2,1+\sqrt5", r"\{1\pm\sqrt{5},-2\}", "en"),
    ("6+5i", "6-5i", "en"),
    ("3.14", r"\pi", "en"),
    (r"\frac{22}{7}", r"\pi", "en"),
    ("0.18", r"18\%", "en"),
    (r"\frac12", "1:2", "en"),
    (r"-\infty", r"\infty", "en"),
    ("a=9, b=8, c=7", "(9,8,7)", "en"),
    ("x=2,y=1", "x=1,y=2", "en"),
    ("about 18", "18", "en"),
    ("18 or 19", "18", "en"),
    ("18-19", "18", "en"),
    ("-18", "18", "en"),
    ("180", "18", "en"),
    ("8", "18", "en"),
    ("18.5", "18", "en"),
    ("x^2+2x", "(x+1)^2", "en"),
    ("7.14", r"\sqrt{51}", "en"),
    ("2K", "2k", "en"),
    (r"\tan x", r"\cot x", "en"),
    ("q-p", "p-q", "en"),
    (r"34\%", r"\dfrac{17}{50}", "en"),
    (r"(\sqrt{3},-\sqrt{3})", r"(-\sqrt{3}, \sqrt{3})", "en"),
    ("an ellipse", r"\text{ellipse}", "en"),
    ("(0,36)", r"(0,9) \cup (9,36)", "en"),
    ("(0,9),(9,36)", r"(0,9) \cup (9,36)", "en"),
    ("3r^2", "3R^2", "en"),
    ("10", "1010_2", "en"),
    (r"x\approx 3.16", r"\sqrt{10}", "en"),
    ("3", r"n\equiv 3\pmod 7", "en"),
    ("0,5", "0.5", "en"),
]


@pytest.mark.parametrize(("prediction", "gold", "language"), EQUIVALENT)
def test_accepts(prediction, gold, language):
    verdict = verify(prediction, gold, language=language)
    assert verdict.accepted, verdict


@pytest.mark.parametrize(("prediction", "gold", "language"), DIFFERENT)
def test_rejects(prediction, gold, language):
    verdict = verify(prediction, gold, language=language)
    assert not verdict.accepted, verdict


@pytest.mark.parametrize(
    ("prediction", "gold"), [case[:2] for case in (*EQUIVALENT, *DIFFERENT) if case[2] == "en"]
)
def test_english_verdicts_are_symmetric(prediction, gold):
    """In other languages not: golds follow English conventions, answers those of their language."""
    there, back = verify(prediction, gold), verify(gold, prediction)
    assert there.accepted == back.accepted


def test_empty_answers_and_golds():
    assert verify("", "5").rule == verify(None, "5").rule == "no_answer"
    assert verify("7", "").rule == verify("", "").rule == verify("7", " ").rule == "no_gold"
    assert not verify("$$", "5").accepted
    assert verify("5", "$$").rule == "unreadable_gold"


def test_the_rule_is_told():
    assert verify("1/2", r"\frac12").rule == "equal_number"
    assert verify("x", "x").rule == "identical"
    assert verify("0.33333333", r"\frac13").rule == "rounded"
    assert verify("y=2x", "2x").rule == "right_hand_side"
    assert verify("48g", "48").rule == "named_value"
    assert verify("m + n = 169", "169").rule == "named_value"
    assert verify("x + 2y = 5", "5").rule == "different"


def test_a_sentence_in_place_of_an_answer():
    assert verify("The answer is 7.", "7").accepted
    assert not verify("There are 7 of 9", "9").accepted


numbers = st.one_of(
    st.integers(-(10**7), 10**7).map(Fraction),
    st.builds(lambda n, d: Fraction(n, 10**d), st.integers(-(10**6), 10**6), st.integers(1, 2)),
)
WRAPPERS = (
    "{}",
    "**{}**",
    "<{}>",
    "「{}」",
    "${}$",
    r"\({}\)",
    "`{}`",
    "{}.",
    " {} ",
    "{{{}}}",
    r"\boxed{{{}}}",
)


def decimal(value: Fraction) -> str:
    scaled = value * 100
    whole, part = divmod(abs(scaled.numerator), 100)
    return ("-" if value < 0 else "") + f"{whole}.{part:02d}"


@given(numbers, st.sampled_from(LANGUAGES), st.sampled_from(WRAPPERS))
def test_a_number_in_its_language_is_accepted_and_its_neighbours_are_not(value, language, wrapper):
    text = wrapper.format(localised(decimal(value), language))
    assert verify(text, str(value), language=language).accepted
    for other in (value + 1, value - 1, value + Fraction(1, 100), value * 10, -value):
        if other != value:
            assert not verify(text, str(other), language=language).accepted


@given(st.integers(-50, 50), st.integers(1, 50), st.integers(-50, 50), st.integers(1, 50))
def test_fractions_are_exact(a, b, c, d):
    verdict = verify(rf"\frac{{{a}}}{{{b}}}", f"{c}/{d}")
    assert verdict.accepted == (a * d == b * c)


@given(st.integers(1, 999), st.integers(2, 999))
def test_rounding_stands_for_what_decimals_cannot_write(above, below):
    value = Fraction(above, below)
    rest = value.denominator
    while rest % 2 == 0:
        rest //= 2
    while rest % 5 == 0:
        rest //= 5
    places = 12
    rounded = str(round(value * 10**places)).rjust(places + 1, "0")
    rounded = f"{rounded[:-places]}.{rounded[-places:]}"
    coarse = rounded[: rounded.index(".") + 3]
    assert verify(rounded, f"{above}/{below}").accepted
    if rest != 1:
        assert not verify(coarse, f"{above}/{below}").accepted


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(LANGUAGES))
def test_every_text_gets_a_verdict(prediction, gold, language):
    verdict = verify(prediction, gold, language=language)
    assert not verdict.timed_out
    if gold.strip() and prediction.strip() == gold.strip():
        assert verdict.accepted


@given(st.text(alphabet=r"0123xy+-*/^_(){}[]\\frac12sqrt,.=<> ", max_size=30))
def test_a_canonical_form_is_a_function_of_the_text(text):
    form = canonicalize(text)
    assert form == canonicalize(f" {text} ")
    if form is not None:
        assert form.key


def test_golds_are_read_by_english_conventions():
    assert canonicalize_gold("3.350", language="tr").key == "67/20"
    assert canonicalize_gold("altı", language="tr").key == "6"


def test_the_marks_of_the_reply_decide():
    reply = "23,786 - 8,417 - 9,092 = 6,277. Respuesta: 6,277"
    assert verify("6,277", "6277", language="es", text=reply).accepted
    assert not verify("6,277", "6277", language="es").accepted


@pytest.mark.parametrize(
    ("prediction", "gold", "settings", "accepted"),
    [
        ("35%", "35", {}, True),
        ("35%", "35", {"percent": "value"}, False),
        ("35%", "0.35", {"percent": "value"}, True),
        (r"35\%", r"\frac{7}{20}", {"percent": "value"}, True),
        ("%35", "35%", {"percent": "value"}, True),
        ("3<x<8", "(3,8)", {"inequality": "distinct"}, False),
        ("3<x<8", "3 < x < 8", {"inequality": "distinct"}, True),
        ("52", "52_8", {"base_suffix": "optional"}, True),
        ("52_8", "52", {"base_suffix": "optional"}, False),
        ("0.333", r"\frac13", {"tolerance": 0.01}, True),
    ],
)
def test_policies(prediction, gold, settings, accepted):
    assert verify(prediction, gold, policy=policy_from(settings)).accepted is accepted


def test_unknown_policies_are_refused():
    with pytest.raises(ConfigError, match="no policy"):
        policy_from({"percents": "sign"})
    with pytest.raises(ConfigError, match="no value"):
        policy_from({"percent": "maybe"})
    assert policy_from(None) == Policy()
