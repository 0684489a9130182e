"""Expressions: reading, exact values, identity; against sympy as a second implementation."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonaudit.answers.evaluate import TooLargeError, UndefinedError, value_key
from reasonaudit.answers.expression_tokens import UnreadableError
from reasonaudit.answers.expressions import MAX_LENGTH, parse_expression
from reasonaudit.answers.latex_form import brace_arguments, normal_form, simplify_latex


def key(text: str) -> str:
    return value_key(parse_expression(simplify_latex(text)))


SAME = [
    (r"\frac12", r"\frac{1}{2}", "0.5", "1/2", r"\dfrac{2}{4}", r"2^{-1}"),
    (r"\frac{\sqrt{3}}{3}", r"\frac{1}{\sqrt3}", r"1/\sqrt{3}", "3^{-1/2}", "sqrt(3)/3"),
    (r"11\sqrt2", r"11 \cdot \sqrt{2}", r"\sqrt{242}"),
    (r"\frac{270}7", r"270/7", r"38\frac{4}{7}"),
    ("(a+5)(b+2)", "ab+2a+5b+10", "(b+2)(5+a)"),
    (r"\cot x", r"\frac{\cos x}{\sin x}", r"1/\tan(x)"),
    (r"\sin^2 x + \cos^2 x", "1"),
    (r"\log_2 8", "3", r"\frac{\ln 8}{\ln 2}"),
    (r"0.\overline{3}", r"\frac13"),
    (r"0.1\overline{6}", r"\frac16"),
    (r"\sqrt[3]{-8}", "-2"),
    (r"(1+\sqrt2)(1-\sqrt2)", "-1"),
    ("6-5i", "-5i+6", r"6 - 5 \cdot i"),
    (r"\frac{1}{1+i}", r"\frac{1-i}{2}"),
    (r"e^{i\pi}", "-1"),
    (r"\binom{5}{2}", "10", r"\frac{5!}{2!3!}"),
    (r"\left\lfloor \frac{7}{2} \right\rfloor", "3"),
    (r"|-3|", "3"),
    (r"5\times10^{6}", "5 * 10^6", "5000000"),
    ("x^8+x^7", "x^7(x+1)", r"x^{7}\cdot(x+1)"),
    (r"\frac{n(n+1)}{2}", r"\frac{n^2+n}{2}", r"\binom{n+1}{2}"),
    (r"\sqrt{ab}", r"\sqrt{a}\sqrt{b}"),
    (r"2\ln x", r"\ln(x^2)"),
    (r"\sin 2x", r"2\sin x\cos x"),
    (r"(-1)^{2n}", "1"),
    (r"2^{n+1}", r"2\cdot2^n"),
    (r"\tfrac{1}{2}\pi", r"\frac{\pi}{2}", "pi/2", r"\pi \div 2"),
    (r"\gcd(12, 18)", "6"),
    (r"\mathrm{cot}\,x".replace(r"\mathrm", r"\operatorname"), r"\cot x"),
]


@pytest.mark.parametrize("forms", SAME, ids=lambda forms: forms[0])
def test_equal_expressions_have_one_key(forms):
    assert {key(form) for form in forms} == {key(forms[0])}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (r"\frac{1}{2^{98}}", r"\frac{1}{2^{99}}"),
        (r"\sqrt{2}", "1.41421356237309504880168872420969807856967"),
        (r"e^{\pi\sqrt{163}}", "262537412640768744"),
        ("x", "|x|"),
        ("x", "-x"),
        ("x^2", "x^3"),
        ("a+b", "a+c"),
        ("n-k", "6"),
        (r"\lfloor \log_2 n \rfloor", "3"),
        ("2^n", "n^2"),
        ("x_1", "x_2"),
        ("1-1/e", "1+1/e"),
        (r"\ln 2", r"\log_{10} 2"),
        ("6+5i", "6-5i"),
        ("12", "1^2"),
    ],
)
def test_different_expressions_have_different_keys(left, right):
    assert key(left) != key(right)


def test_keys_of_rationals_are_readable():
    assert [key(text) for text in ("18", "14/3", "-0.5", r"\sqrt{16}")] == ["18", "14/3", "-1/2", "4"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1+",
        "(1",
        "the answer",
        r"\frac{1}",
        "1 2",
        "a b c &",
        r"\int x dx",
        "52_8",
        "x=5",
        "1,2",
        r"\text{ab cd}",
    ],
)
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(UnreadableError):
        parse_expression(simplify_latex(text))


@pytest.mark.parametrize(
    "text",
    [
        r"7^{7^{7^{7}}}",
        "10^{10^{10}}",
        "100000!",
        r"2^{1000000000}",
        r"e^{e^{e^{e^{10}}}}",
        r"\sin(10^{100000})",
        "((99999999^{9999})^{9999})",
    ],
)
def test_numbers_without_bound_are_refused_at_once(text):
    with pytest.raises(TooLargeError):
        key(text)


@pytest.mark.parametrize("text", ["1/0", r"\frac{1}{x-x}", "0^{-1}", r"\ln 0", r"\tan(x)/0"])
def test_undefined_values(text):
    with pytest.raises(UndefinedError):
        key(text)


def test_length_and_depth_are_bounded():
    with pytest.raises(UnreadableError):
        parse_expression("1+" * MAX_LENGTH + "1")
    with pytest.raises(UnreadableError):
        parse_expression("(" * 500 + "1" + ")" * 500)


atoms = st.one_of(
    st.integers(-9, 9).map(sympy.Integer),
    st.builds(sympy.Rational, st.integers(-9, 9), st.integers(1, 9)),
    st.sampled_from(sympy.symbols("x y a n")),
    st.sampled_from([sympy.sqrt(2), sympy.sqrt(5), sympy.pi, sympy.E]),
)


def _grow(children):
    return st.one_of(
        st.builds(sympy.Add, children, children),
        st.builds(sympy.Mul, children, children),
        st.builds(sympy.Pow, children, st.integers(1, 3).map(sympy.Integer)),
    )


@settings(max_examples=60, deadline=None)
@given(st.recursive(atoms, _grow, max_leaves=6))
def test_agrees_with_sympy_about_identities(expression):
    """A sympy expression, printed in two shapes that sympy makes equal, has one key."""
    shape = sympy.latex(expression)
    expanded = sympy.latex(sympy.expand(expression))
    assert key(shape) == key(expanded)


@settings(max_examples=60, deadline=None)
@given(st.recursive(atoms, _grow, max_leaves=6), st.integers(-3, 3).filter(bool))
def test_agrees_with_sympy_about_differences(expression, shift):
    assert key(sympy.latex(expression)) != key(sympy.latex(expression + shift))


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.integers(-20, 20).map(sympy.Integer), _grow, max_leaves=5))
def test_rationals_are_exact(expression):
    assert key(sympy.latex(expression, order="none")) == str(Fraction(int(expression)))


def test_typesetting_makes_no_difference():
    for text in (
        r"\left( 3, \dfrac{\pi}{2} \right)",
        r"(3,\frac{\pi}{2})",
        r"\bigl(3,\;\tfrac{\pi}{2}\bigr)",
    ):
        assert normal_form(text) == normal_form(r"( 3 , \frac \pi 2 )")
    assert brace_arguments(r"\frac12+\sqrt2+x^2") == r"\frac{1}{2}+\sqrt{2}+x^{2}"
    assert brace_arguments(r"\sqrt[3]2") == r"\sqrt[3]{2}"
