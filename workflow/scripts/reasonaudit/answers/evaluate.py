"""The value of an expression: an exact rational where there is one, else 60 digits.

Two expressions are the same if they agree to 30 digits, for closed ones, or agree at two fixed points
in every free symbol (polynomial identity testing after Schwartz and Zippel). The work is bounded by
the size of the numbers that appear, never by a clock.
"""

import hashlib
import math
from fractions import Fraction

from reasonaudit.answers.expressions import Tree, symbols

WORKING_DIGITS = 60
KEY_DIGITS = 30
MAX_BITS = 200_000  # of an exact number
MAX_EXPONENT = 100_000  # decimal exponent of any number
MAX_FACTORIAL = 3_000
_INTEGER_LETTERS = frozenset("klmn")


class TooLargeError(Exception):
    """A number that is too large to be worked out."""


class UndefinedError(Exception):
    """A value that does not exist, such as 1/0."""


def value_key(tree: Tree) -> str:
    """A text that is the same for equal expressions.

    ``7/12`` for rationals, ``~3.60555...`` for other reals, ``a+bi`` for complex numbers, and for
    expressions with symbols the symbols and the values at two points.

    Raises:
        TooLargeError, UndefinedError: no value can be given.
    """
    names = sorted(symbols(tree))
    if not names:
        return number_key(evaluate(tree, {}))
    positive = _positive_only(tree)
    points = sample_points(names, positive, 3)
    values = [number_key(evaluate(tree, point)) for point in points[:2]]
    if values[0] == values[1] and _stays(tree, points[2], values[0]):
        return values[0]  # the symbols cancel out
    return f"{','.join(names)}: {' ; '.join(_short(value) for value in values)}"


def _stays(tree: Tree, point: dict, key: str) -> bool:
    try:
        return number_key(evaluate(tree, point)) == key
    except (TooLargeError, UndefinedError):
        return False


def sample_points(names: list[str], positive: frozenset[str] = frozenset(), count: int = 2) -> list[dict]:
    """Fixed values for symbols: large coprime-looking rationals, whole numbers for k, l, m and n."""
    points = []
    for index in range(count):
        point = {}
        for name in names:
            digest = hashlib.sha256(f"{name} {index}".encode()).digest()
            if name in _INTEGER_LETTERS:
                # Odd and even, small and large, so that parity and logarithms show.
                point[name] = Fraction((12, 101, 402)[index] + 2 * (digest[0] % 16))
                continue
            value = Fraction(1000 + int.from_bytes(digest[:2], "big"), 7919 + 2 * digest[2])
            point[name] = -value if index % 2 and name not in positive else value
        points.append(point)
    return points


def number_key(value) -> str:
    """The key of a number from ``evaluate``."""
    if isinstance(value, Fraction):
        return fraction_key(value)
    import mpmath

    real, imaginary = mpmath.re(value), mpmath.im(value)
    scale = max(abs(real), abs(imaginary), 1)
    parts = [_real_key(part, scale) for part in (real, imaginary)]
    return parts[0] if parts[1] == "0" else f"({parts[0]})+({parts[1]})i"


def fraction_key(value: Fraction) -> str:
    """``n`` or ``n/d``; in hexadecimal if there are very many digits (those convert slowly)."""
    if value.numerator.bit_length() + value.denominator.bit_length() > 10_000:
        return f"0x{value.numerator:x}/{value.denominator:x}"
    return str(value)


def _real_key(part, scale) -> str:
    import mpmath

    if abs(part) < scale * mpmath.mpf(10) ** (-WORKING_DIGITS + 15):
        return "0"
    if part in (mpmath.inf, -mpmath.inf):
        return "infinity" if part > 0 else "-infinity"
    rational = _rational(part)
    if rational is not None:
        return fraction_key(rational)
    return "~" + mpmath.nstr(part, KEY_DIGITS, strip_zeros=False, min_fixed=-5, max_fixed=KEY_DIGITS)


def _rational(value, largest: int = 10**7) -> Fraction | None:
    """The fraction that a value is to all working digits, by continued fractions."""
    import mpmath

    if abs(value) > mpmath.mpf(10) ** 20:
        whole = int(mpmath.nint(value)) if abs(value) < mpmath.mpf(10) ** 40 else None
        return Fraction(whole) if whole is not None and abs(value - whole) < mpmath.mpf(10) ** -10 else None
    approximation = Fraction(int(mpmath.nint(value * mpmath.mpf(2) ** 180)), 2**180).limit_denominator(
        largest
    )
    error = abs(value - mpmath.mpf(approximation.numerator) / approximation.denominator)
    return approximation if error < mpmath.mpf(10) ** -40 * max(1, abs(value)) else None


def _short(key: str) -> str:
    return key if len(key) <= 48 else hashlib.sha256(key.encode()).hexdigest()[:24]


def _positive_only(tree: Tree) -> frozenset[str]:
    """Symbols that stand under a root, a logarithm or a broken power: taken to be positive there."""
    if tree[0] == "pow" and not (tree[2][0] == "num" and tree[2][1].denominator == 1):
        exponent = tree[2]
        inner = _positive_only(tree[1]) | _positive_only(exponent)
        return inner | symbols(tree[1]) if _may_break(exponent) else inner
    if tree[0] == "fn" and tree[1] in ("ln", "log", "log10", "arcsin", "arccos", "factorial", "binom"):
        return symbols(tree)
    return frozenset().union(*(_positive_only(part) for part in tree[1:] if isinstance(part, tuple)))


def _may_break(exponent: Tree) -> bool:
    """Whether an exponent may be no whole number."""
    if exponent[0] == "num":
        return exponent[1].denominator != 1
    if exponent[0] == "neg":
        return _may_break(exponent[1])
    return not (exponent[0] == "sym" and exponent[1] in _INTEGER_LETTERS)


def evaluate(tree: Tree, point: dict[str, Fraction]):
    """A Fraction, or an mpmath number of 60 digits.

    Raises:
        TooLargeError, UndefinedError
    """
    kind = tree[0]
    if kind == "num":
        return tree[1]
    if kind == "sym":
        return point[tree[1]]
    if kind == "neg":
        return -evaluate(tree[1], point)
    if kind == "add":
        total = evaluate(tree[1], point)
        for part in tree[2:]:
            total = _bounded(_with(total, evaluate(part, point), "add"))
        return total
    if kind == "mul":
        total = evaluate(tree[1], point)
        for part in tree[2:]:
            total = _bounded(_with(total, evaluate(part, point), "mul"))
        return total
    if kind == "div":
        above, below = evaluate(tree[1], point), evaluate(tree[2], point)
        if below == 0:
            raise UndefinedError("division by zero")
        return _bounded(_with(above, below, "div"))
    if kind == "pow":
        return _power(evaluate(tree[1], point), evaluate(tree[2], point))
    if kind == "const":
        return _constant(tree[1])
    return _function(tree[1], [evaluate(part, point) for part in tree[2:]])


def _with(left, right, operation: str):
    if not (isinstance(left, Fraction) and isinstance(right, Fraction)):
        left, right = to_mp(left), to_mp(right)
    if operation == "add":
        return left + right
    return left * right if operation == "mul" else left / right


def _bounded(value):
    if isinstance(value, Fraction):
        if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
            raise TooLargeError
        return value
    import mpmath

    if mpmath.isnan(value):
        raise UndefinedError("not a number")
    if mpmath.isinf(value):
        return value
    for part in (mpmath.re(value), mpmath.im(value)):
        if part and abs(mpmath.mag(part)) > MAX_EXPONENT * 3.33:
            raise TooLargeError
    return value


def to_mp(value):
    """A number as an mpmath number of 60 digits."""
    import mpmath

    if mpmath.mp.dps != WORKING_DIGITS:
        mpmath.mp.dps = WORKING_DIGITS
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return value


def _power(base, exponent):
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        exact = _exact_power(base, exponent)
        if exact is not None:
            return exact
    base, exponent = to_mp(base), to_mp(exponent)
    import mpmath

    if base == 0:
        if mpmath.re(exponent) <= 0:
            raise UndefinedError("zero to no positive power")
        return Fraction(0)
    size = abs(exponent) * (abs(mpmath.mag(base)) + 1)
    if size > MAX_EXPONENT * 3.33:
        raise TooLargeError
    return _bounded(mpmath.power(base, exponent))


def _exact_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator == 1:
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base in (0, 1, -1):
            bits = 0
        if abs(exponent.numerator) > 10**9 or bits * abs(exponent.numerator) > MAX_BITS:
            raise TooLargeError
        if base == 0 and exponent <= 0:
            if exponent == 0:
                return Fraction(1)
            raise UndefinedError("division by zero")
        return base**exponent.numerator
    if base < 0:
        # A real odd root, as school mathematics has it, not the principal complex one.
        if exponent.denominator % 2 == 0:
            return None
        root = _exact_power(-base, Fraction(1, exponent.denominator))
        return None if root is None else _exact_power(-root, Fraction(exponent.numerator))
    above = _root(base.numerator, exponent.denominator)
    below = _root(base.denominator, exponent.denominator)
    if above is None or below is None:
        return None
    return _exact_power(Fraction(above, below), Fraction(exponent.numerator))


def _root(number: int, degree: int) -> int | None:
    """The whole root of a whole number, None if there is none."""
    if number in (0, 1):
        return number
    if degree > 64 or number.bit_length() > 4000:
        return None
    if degree == 2:
        root = math.isqrt(number)
        return root if root * root == number else None
    low, high = 1, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < number:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == number else None


def _constant(name: str):
    import mpmath

    to_mp(0)
    if name == "inf":
        return mpmath.inf
    return {"pi": lambda: +mpmath.pi, "e": lambda: +mpmath.e, "i": lambda: mpmath.mpc(0, 1)}[name]()


def _function(name: str, arguments: list):
    if name == "abs":
        value = arguments[0]
        return abs(value)
    if name in ("factorial", "binom", "gcd", "lcm", "floor", "ceil", "min", "max"):
        return _whole_function(name, arguments)
    import mpmath

    argument = to_mp(arguments[0])
    if abs(mpmath.mag(argument) if argument else 0) > 2000:
        raise TooLargeError
    if name in ("ln", "log"):
        if argument == 0:
            raise UndefinedError("logarithm of zero")
        return _bounded(mpmath.log(argument))
    if name == "log10":
        if argument == 0:
            raise UndefinedError("logarithm of zero")
        return _bounded(mpmath.log10(argument))
    if name == "exp":
        return _power(+mpmath.e, argument)
    table = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arccot": "acot"}
    try:
        return _bounded(getattr(mpmath, table.get(name, name))(argument))
    except (ZeroDivisionError, ValueError) as error:
        raise UndefinedError(name) from error
    except AttributeError as error:
        raise UndefinedError(name) from error


def _whole_function(name: str, arguments: list):
    if name in ("floor", "ceil"):
        value = arguments[0]
        if isinstance(value, Fraction):
            return Fraction(math.floor(value) if name == "floor" else math.ceil(value))
        import mpmath

        if mpmath.im(value) or mpmath.isinf(value):
            raise UndefinedError(name)
        return Fraction(int(mpmath.floor(value) if name == "floor" else mpmath.ceil(value)))
    if name in ("min", "max"):
        if all(isinstance(value, Fraction) for value in arguments):
            return min(arguments) if name == "min" else max(arguments)
        raise UndefinedError(name)
    whole = [value for value in arguments if isinstance(value, Fraction) and value.denominator == 1]
    if len(whole) != len(arguments):
        return _gamma(name, arguments)
    numbers = [value.numerator for value in whole]
    if name in ("gcd", "lcm"):
        return Fraction(math.gcd(*numbers) if name == "gcd" else math.lcm(*numbers))
    if any(number < 0 for number in numbers):
        raise UndefinedError(name)
    if max(numbers) > MAX_FACTORIAL:
        raise TooLargeError
    return Fraction(math.factorial(numbers[0]) if name == "factorial" else math.comb(*numbers))


def _gamma(name: str, arguments: list):
    import mpmath

    values = [to_mp(value) for value in arguments]
    if any(abs(value) > MAX_FACTORIAL for value in values) or name in ("gcd", "lcm"):
        raise UndefinedError(name)
    try:
        return _bounded(mpmath.factorial(*values) if name == "factorial" else mpmath.binomial(*values))
    except ValueError as error:
        raise UndefinedError(name) from error
