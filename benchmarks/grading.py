"""How many answers a second one core grades with the trusted verifier, from the reply to the verdict.

Run from the repository: ``python benchmarks/grading.py``. Every reply is different, so that no cache
helps. Prints a line a mix with the rate and the rate required: 3,000 a second for plain numbers in
several languages, 300 a second for answers like those of MATH-500. Ends with an error below them.
"""

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))

from reasonaudit.answers.policies import Policy  # noqa: E402
from reasonaudit.verifiers.grading import Grader  # noqa: E402
from reasonaudit.verifiers.synthetic_replies import LABEL_SENTENCES, localised  # noqa: E402

STEPS = "First there are {a} of them. Then we add {b}, which gives {a} + {b} = {c}.\n\n" * 6
# (answer, gold) with {n} in both; the answer is right and written otherwise than the gold.
MATH = (
    (r"\dfrac{{{n}}}{{7}}", r"\frac{{{n}}}{{7}}"),
    (r"{n}\sqrt2", r"{n} \sqrt{{2}}"),
    (r"\frac{{{n}}}{{\sqrt3}}", r"\frac{{{n}\sqrt{{3}}}}{{3}}"),
    (r"({n},\tfrac{{\pi}}{{2}})", r"\left( {n}, \frac{{\pi}}{{2}} \right)"),
    (r"(-\infty,{n})\cup(2000,\infty)", r"(-\infty, {n}) \cup (2000, \infty)"),
    (r"{n}x^2+2x+1", r"{n}x^2 + 2x + 1"),
    (r"(x+{n})(x+1)", r"x(x+1) + {n}(x+1)"),
    (r"\begin{{bmatrix}}{n}\\2\end{{bmatrix}}", r"\begin{{pmatrix}} {n} \\ 2 \end{{pmatrix}}"),
    (r"x = {n}", "{n}"),
    (r"{n} \pm \sqrt{{5}}", r"{n}+\sqrt5, {n}-\sqrt5"),
    (r"y = 2x + {n}", r"y - 2x - {n} = 0"),
    (r"{n}^\circ", "{n}"),
    (r"\text{{{n} cm}}^2", r"{n}\mbox{{ cm}}^2"),
    (r"{n}_8", r"{n}_{{8}}"),
    (r"{n}-5i", r"-5i+{n}"),
    (r"1\frac{{1}}{{{n}}}", r"\frac{{1}}{{{n}}}+1"),
    (r"\{{{n},-1\}}", "-1, {n}"),
    (r"3 < x \le {n}", "(3, {n}]"),
    ("{n}", "{n}"),
    (r"\$ {n}.50", "{n}.5"),
)


def main() -> None:
    """Both mixes."""
    plain, math = list(plain_mix(6000)), list(math_mix(4000))
    slow = [
        name
        for name, mix, required in (("plain", plain, 3000), ("math", math, 300))
        if rate(name, mix) < required
    ]
    if slow:
        raise SystemExit(f"too slow: {', '.join(slow)}")


def plain_mix(count: int):
    """(reply, gold, language): a chain of thought and a labelled number in the language's own marks."""
    languages = sorted(LABEL_SENTENCES)
    for i in range(count):
        language = languages[i % len(languages)]
        gold = str(1000 + 7 * i)
        yield steps(i) + LABEL_SENTENCES[language].format(x=localised(gold, language)), gold, language


def math_mix(count: int):
    """(reply, gold, language): a chain of thought and a box with one of twenty kinds of answers."""
    for i in range(count):
        answer, gold = MATH[i % len(MATH)]
        yield (
            steps(i) + rf"So the answer is $\boxed{{{answer.format(n=11 + i)}}}$.",
            gold.format(n=11 + i),
            "en",
        )


def steps(number: int) -> str:
    """Text before the answer."""
    return STEPS.format(a=number, b=number + 3, c=2 * number + 3)


def rate(name: str, mix: list) -> float:
    """Replies a second, all of which must be accepted."""
    grader = Grader("last_call", "trusted", ["trusted"], Policy())
    grader.judge(r"\boxed{\pi}", "3.14", "en")  # loads what is loaded at first use
    start = time.process_time()
    wrong = [case for case in mix if not grader.judge(*case)["trusted"][1].accepted]
    seconds = time.process_time() - start
    if wrong:
        raise SystemExit(f"{len(wrong)} right answers were not accepted, such as {wrong[0]}")
    print(f"{name:6} {len(mix) / seconds:8.0f} replies a second")
    return len(mix) / seconds


if __name__ == "__main__":
    main()
