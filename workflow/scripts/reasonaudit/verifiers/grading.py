"""Answers and verdicts from stored replies: the one path on which every method is graded.

No model is needed; the same files in give the same files out. Floors: reads answers and verifiers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from reasonaudit.answers.answer_rules import Answered, answer_rule
from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.extraction import Extraction, extract
from reasonaudit.answers.policies import Policy, policy_from
from reasonaudit.errors import DataError
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.verdicts import VERDICTS
from reasonaudit.verifiers.catalog import INPUT, verifier
from reasonaudit.verifiers.verdict import Verdict

_GROUP = ("model", "dataset", "method", "run", "question_id")
_NEEDED = [
    *_GROUP,
    "sample_index",
    "call_index",
    "role",
    "round",
    "max_tokens",
    "prompt_tokens",
    "completion_tokens",
    "stop_reason",
    "text",
]


def grade_answers(
    *,
    questions: str | Path | Iterable[str | Path],
    calls: str | Path | Iterable[str | Path],
    answers: str | Path,
    verdicts: str | Path,
    answer_rule: str,
    verifier: str = "trusted",
    verifiers: Sequence[str] = ("trusted",),
    policy: Mapping[str, object] | None = None,
) -> None:
    """Reads the questions and calls of one method and writes its answers and verdicts.

    Args:
        questions, calls: Parquet files.
        answers, verdicts: Parquet files to write.
        answer_rule: name of the rule of ``answers.answer_rules`` that the method declares.
        verifier: the one that decides ``correct``.
        verifiers: all whose verdicts are stored; ``verifier`` is added if it is not among them.
        policy: plain values of ``answers.policies.Policy``.

    Raises:
        ConfigError: an unknown rule, verifier or policy.
        DataError: calls for a question that is not in the questions.
    """
    asked = {
        (row["dataset"], row["question_id"]): row
        for row in read_table(questions, QUESTIONS).select(_QUESTION_COLUMNS).to_pylist()
    }
    rows = read_table(calls, CALLS).select(_NEEDED).to_pylist()
    grader = Grader(answer_rule, verifier, verifiers, policy_from(dict(policy or {})))
    answer_rows, verdict_rows = [], []
    for answer, judged in grader.grade(rows, asked):
        answer_rows.append(answer)
        verdict_rows.extend(judged)
    write_table(answers, answer_rows, ANSWERS)
    write_table(verdicts, verdict_rows, VERDICTS)


_QUESTION_COLUMNS = ["dataset", "question_id", "language", "gold"]


class Grader:
    """Grades calls; remembers every comparison, since the same answers return again and again."""

    def __init__(self, rule: str, main: str, names: Sequence[str], policy: Policy):
        self.rule, self.main, self.policy = answer_rule(rule), main, policy
        self.names = list(dict.fromkeys((*names, main)))
        self.verify = {name: verifier(name) for name in self.names}
        self.known: dict[tuple, Verdict] = {}

    def judge(self, text: str, gold: str, language: str) -> dict[str, tuple[Extraction | None, Verdict]]:
        """What is read in a reply, and every verifier's verdict."""
        found = extract(text, language=language, policy=self.policy)
        reading = found.language if found else language
        return {name: (found, self.verdict(name, found, text, gold, reading)) for name in self.names}

    def grade(
        self, calls: Iterable[Mapping], questions: Mapping[tuple[str, str], Mapping]
    ) -> Iterator[tuple[dict, list[dict]]]:
        """(answer row, verdict rows) of every answer. ``calls`` are in key order."""
        for key, group in groupby(calls, key=lambda call: tuple(call[name] for name in _GROUP)):
            names = dict(zip(_GROUP, key, strict=True))
            question = questions.get((names["dataset"], names["question_id"]))
            if question is None:
                raise DataError(
                    "calls for a question that is not among the sampled ones",
                    where=", ".join(f"{name} {value}" for name, value in names.items()),
                    hint="the questions changed after generation; run again so that the calls follow",
                )
            for answered in self.rule(list(group), question["language"], self.policy):
                yield self.one(names, answered, question["gold"], question["language"])

    def one(self, names: dict, answered: Answered, gold: str, language: str) -> tuple[dict, list[dict]]:
        """The answer row and its verdict rows."""
        text = answered.call["text"]
        found = None
        if not answered.context_error:
            found = extract(text, language=language, policy=self.policy, truncated=answered.stopped_by_length)
        if found:
            language = found.language  # the reply's own decimal marks
        form = canonicalize(found.text, language=language, policy=self.policy) if found else None
        if answered.context_error:
            text = None
        key = {**names, "sample_index": answered.sample_index}
        verdicts = {name: self.verdict(name, found, text, gold, language) for name in self.names}
        row = {
            **key,
            "text_from": answered.call["call_index"],
            "extracted": found.text if found else None,
            "written": found.raw if found else None,
            "answer_start": found.start if found else None,
            "answer_end": found.end if found else None,
            "extraction_rule": "context_error" if answered.context_error else found.rule if found else None,
            "canonical": form.key if form else None,
            "readable": form is not None,
            "correct": verdicts[self.main].accepted,
            "generated_tokens": answered.generated_tokens,
            "total_tokens": answered.total_tokens,
            "calls": len(answered.calls),
            "stopped_by_length": answered.stopped_by_length,
            "note": "context_error" if answered.context_error else answered.note,
        }
        judged = [
            {
                **key,
                "verifier": name,
                "accepted": verdict.accepted,
                "rule": verdict.rule,
                "timed_out": verdict.timed_out,
            }
            for name, verdict in verdicts.items()
        ]
        return row, judged

    def verdict(
        self, name: str, found: Extraction | None, text: str | None, gold: str, language: str
    ) -> Verdict:
        """One verifier's verdict; each sees what it is made for: the answer, its raw form, the reply."""
        sees = INPUT[name]
        if sees == "reply":
            seen = text
            arguments = {"prediction": None, "text": text}
        else:
            seen = None if found is None else found.raw if sees == "raw" else found.text
            arguments = {"prediction": seen}
        if name == "trusted":
            arguments["policy"] = self.policy
        known = (name, seen, gold, language)
        if known not in self.known:
            self.known[known] = self.verify[name](gold=gold, language=language, **arguments)
        return self.known[known]
