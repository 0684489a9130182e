r"""One mathematical expression, from LaTeX or plain notation, as a tree of tuples.

Trees: ("num", Fraction) ("const", name) ("sym", name) ("add", a, b, ...) ("mul", a, b, ...)
("div", a, b) ("neg", a) ("pow", a, b) ("fn", name, argument, ...). Reading is bounded by the length
of the text and by its nesting; nothing is computed here.
"""

from fractions import Fraction

from reasonaudit.answers.expression_tokens import FUNCTIONS, SYNONYMS, UnreadableError, tokenize

MAX_LENGTH = 3000
MAX_DEPTH = 60

Tree = tuple
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
    "rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi "
    "Omega ell hbar"
)
_GREEK = frozenset(_GREEK_NAMES.split())


def parse_expression(text: str) -> Tree:
    """The tree of ``text``, which ``latex_form.simplify_latex`` has simplified.

    Raises:
        UnreadableError: anything that is no complete expression, or is too long or too deep.
    """
    if len(text) > MAX_LENGTH:
        raise UnreadableError("too long")
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str):
        self.tokens = tokenize(text)
        self.place = 0
        self.depth = 0

    def whole(self) -> Tree:
        if not self.tokens:
            raise UnreadableError("empty")
        tree = self.sum()
        if self.place != len(self.tokens):
            raise UnreadableError(self.tokens[self.place][1])
        return tree

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else ("end", "")

    def next(self) -> tuple[str, str]:
        token = self.peek()
        self.place += 1
        return token

    def accept(self, *values: str) -> bool:
        kind, value = self.peek()
        if kind in ("mark", "command") and value in values:
            self.place += 1
            return True
        return False

    def expect(self, value: str) -> None:
        if not self.accept(value):
            raise UnreadableError(f"no {value}")

    def sum(self) -> Tree:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnreadableError("too deep")
        terms = [self.product()]
        while True:
            if self.accept("+"):
                terms.append(self.product())
            elif self.accept("-"):
                terms.append(("neg", self.product()))
            else:
                break
        self.depth -= 1
        return terms[0] if len(terms) == 1 else ("add", *terms)

    def product(self) -> Tree:
        if self.accept("-"):
            return ("neg", self.product())
        if self.accept("+"):
            return self.product()
        tree = self.juxtaposed()
        while True:
            if self.accept("*", "cdot", "times"):
                tree = ("mul", tree, self.signed())
            elif self.accept("/", "div", ":"):
                tree = ("div", tree, self.signed())
            else:
                return tree

    def signed(self) -> Tree:
        if self.accept("-"):
            return ("neg", self.signed())
        self.accept("+")
        return self.juxtaposed()

    def juxtaposed(self) -> Tree:
        """Factors side by side; a whole number before a fraction of digits is a mixed number."""
        start = self.place
        first = self.power()
        factors = [first]
        while self.starts_factor():
            here = self.place
            factor = self.power()
            if (
                len(factors) == 1
                and self.tokens[start][0] == "number"
                and here == start + 1
                and self.tokens[here] == ("command", "frac")
                and "." not in self.tokens[start][1]
                and _is_plain_fraction(factor)
            ):
                factors[0] = ("add", first, factor)
                continue
            if self.tokens[here][0] == "number" and self.tokens[here - 1][0] == "number":
                raise UnreadableError("two numbers side by side")
            factors.append(factor)
        return factors[0] if len(factors) == 1 else ("mul", *factors)

    def starts_factor(self) -> bool:
        kind, value = self.peek()
        if kind in ("number", "letter"):
            return True
        if kind == "command":
            return value not in (
                "cdot",
                "times",
                "div",
                "rfloor",
                "rceil",
                "circ",
                "rangle",
                "end",
                "pm",
                "mp",
            )
        return (kind == "mark" and value in ("(", "{", "[", r"\{")) or (value == "|" and self.bars == 0)

    bars = 0

    def power(self) -> Tree:
        base = self.postfix()
        if self.accept("^", "**"):
            if self.accept("circ"):
                return base
            exponent = self.argument()
            return self.factorial(("pow", base, exponent))
        return base

    def postfix(self) -> Tree:
        return self.factorial(self.atom())

    def factorial(self, tree: Tree) -> Tree:
        while self.accept("!"):
            tree = ("fn", "factorial", tree)
        return tree

    def argument(self) -> Tree:
        """What a command or ^ takes: a group, one token, or a signed plain number."""
        if self.accept("{"):
            tree = self.sum()
            self.expect("}")
            return tree
        if self.accept("-"):
            return ("neg", self.argument())
        kind, value = self.peek()
        # In LaTeX x^12 is x^1 2; in plain notation it is x to the twelfth.
        if kind == "number":
            self.place += 1
            return ("num", Fraction(value))
        return self.atom()

    def latex_argument(self) -> Tree:
        r"""The argument of \frac and \sqrt: of digits without braces only the first belongs to it."""
        kind, value = self.peek()
        if kind == "number" and len(value) > 1 and value.isdigit():
            self.tokens[self.place : self.place + 1] = [("number", value[0]), ("number", value[1:])]
        return self.argument()

    def group(self, closing: str) -> Tree:
        tree = self.sum()
        if not self.accept(closing):
            raise UnreadableError(f"no {closing}")
        return tree

    def atom(self) -> Tree:
        kind, value = self.next()
        if kind == "number":
            return self.number(value)
        if kind == "letter":
            return self.symbol(value)
        if kind == "mark":
            if value == "(":
                return self.group(")")
            if value == "[":
                return self.group("]")
            if value == "{":
                return self.group("}")
            if value in ("|", r"\|"):
                self.bars += 1
                inner = self.sum()
                self.bars -= 1
                self.expect(value)
                return ("fn", "abs", inner)
        if kind == "command":
            return self.command(value)
        raise UnreadableError(value or "ends early")

    def number(self, value: str) -> Tree:
        if self.peek() == ("command", "overline"):
            self.place += 1
            return self.repeating(value)
        if len(value) > 2000:
            raise UnreadableError("too many digits")
        if self.peek() == ("mark", "_"):
            raise UnreadableError("a base")
        return ("num", Fraction(value))

    def repeating(self, head: str) -> Tree:
        r"""0.1\overline{6}: the overlined digits repeat for ever."""
        self.expect("{")
        kind, digits = self.next()
        if kind != "number" or not digits.isdigit() or "." not in head:
            raise UnreadableError("overline")
        self.expect("}")
        decimals = len(head.split(".")[1])
        head = head.rstrip(".")
        tail = Fraction(int(digits), 10**decimals * (10 ** len(digits) - 1))
        return ("num", Fraction(head) + tail)

    def symbol(self, name: str) -> Tree:
        if self.accept("_"):
            name += "_" + self.subscript()
        while self.accept("'"):
            name += "'"
        if name == "e":
            return ("const", "e")
        if name == "i":
            return ("const", "i")
        return ("sym", name)

    def subscript(self) -> str:
        if self.accept("{"):
            parts = []
            while not self.accept("}"):
                kind, value = self.next()
                if kind == "end":
                    raise UnreadableError("subscript")
                parts.append(value)
            return "".join(parts)
        kind, value = self.next()
        if kind not in ("number", "letter", "command"):
            raise UnreadableError("subscript")
        return value

    def command(self, name: str) -> Tree:
        name = SYNONYMS.get(name, name)
        if name == "frac":
            above = self.latex_argument()
            return ("div", above, self.latex_argument())
        if name == "binom":
            above = self.latex_argument()
            return ("fn", "binom", above, self.latex_argument())
        if name == "sqrt":
            if self.accept("["):
                index = self.group("]")
                return ("pow", self.latex_argument(), ("div", ("num", Fraction(1)), index))
            inner = self.group(")") if self.accept("(") else self.latex_argument()
            return ("pow", inner, ("num", Fraction(1, 2)))
        if name == "cbrt":
            return ("pow", self.argument(), ("num", Fraction(1, 3)))
        if name == "pi":
            return ("const", "pi")
        if name in ("infty", "infinity", "inf", "oo"):
            return ("const", "inf")
        if name in ("lfloor", "lceil"):
            closing = "rfloor" if name == "lfloor" else "rceil"
            return ("fn", "floor" if name == "lfloor" else "ceil", self.group(closing))
        if name in ("abs", "floor", "ceil"):
            return ("fn", name, self.argument())
        if name in FUNCTIONS or name == "log10":
            return self.function(name)
        if name in _GREEK:
            return self.symbol(name)
        if name in ("text", "mathbf", "vec", "mathcal", "mathbb", "hat", "bar", "overline", "overrightarrow"):
            return self.named(name)
        if name in ("pmod", "bmod", "mod"):
            raise UnreadableError("congruence")
        raise UnreadableError(name)

    def named(self, name: str) -> Tree:
        """Letters in another font are a symbol of their own; whole words are prose."""
        self.expect("{")
        parts = []
        while not self.accept("}"):
            kind, value = self.next()
            if kind not in ("letter", "number") or len(parts) > 3:
                raise UnreadableError("words")
            parts.append(value)
        if not parts:
            raise UnreadableError("empty")
        if name == "text" and len(parts) > 1:
            raise UnreadableError("words")
        if name == "text":
            kind = "number" if parts[0][0].isdigit() else "letter"
            return self.number(parts[0]) if kind == "number" else self.symbol(parts[0])
        return self.symbol(f"{name}:{''.join(parts)}")

    def function(self, name: str) -> Tree:
        base = exponent = None
        if self.accept("_"):
            base = self.argument()
        if self.accept("^"):
            exponent = self.argument()
        if base is None and self.accept("_"):
            base = self.argument()
        if name in ("gcd", "lcm", "min", "max"):
            tree = self.several(name)
        else:
            argument = self.function_argument()
            if name == "log" and base is not None:
                tree = ("div", ("fn", "ln", argument), ("fn", "ln", base))
            else:
                tree = ("fn", name, argument)
        if exponent == ("neg", ("num", Fraction(1))) and name in ("sin", "cos", "tan"):
            return ("fn", f"arc{name}", tree[2])
        return tree if exponent is None else ("pow", tree, exponent)

    def several(self, name: str) -> Tree:
        self.expect("(")
        arguments = [self.sum()]
        while self.accept(","):
            arguments.append(self.sum())
        self.expect(")")
        return ("fn", name, *arguments)

    def function_argument(self) -> Tree:
        r"""\sin(x) y is a product; \sin 2x + 1 takes 2x."""
        if self.accept("("):
            inner = self.group(")")
            return ("pow", inner, self.argument()) if self.accept("^") else inner
        if self.accept("{"):
            return self.group("}")
        if self.accept("-"):
            return ("neg", self.function_argument())
        factors = [self.power()]
        while self.starts_factor() and not self.starts_function():
            if self.peek() in (("mark", "("), ("mark", "[")):
                break
            factors.append(self.power())
        return factors[0] if len(factors) == 1 else ("mul", *factors)

    def starts_function(self) -> bool:
        kind, value = self.peek()
        return kind == "command" and (value in FUNCTIONS or value in SYNONYMS)


def _is_plain_fraction(tree: Tree) -> bool:
    return (
        tree[0] == "div"
        and tree[1][0] == tree[2][0] == "num"
        and tree[1][1].denominator == tree[2][1].denominator == 1
        and tree[1][1] < tree[2][1]
    )


def symbols(tree: Tree) -> frozenset[str]:
    """Names of the free symbols of a tree."""
    if tree[0] == "sym":
        return frozenset((tree[1],))
    return frozenset().union(*(symbols(part) for part in tree[1:] if isinstance(part, tuple)))
