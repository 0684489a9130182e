"""A made-up study whose tables are consistent with each other: questions, calls, answers, steps, verdicts.

Not a model of any model: it only has the right shapes, rare events (unreadable and truncated replies, tied
votes, unreadable picks) and known parameters. Everything follows from the seed.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.step_answers import STEP_ANSWERS
from reasonaudit.tables.verdicts import VERDICTS

KINDS = {
    "self_consistency": "pool",
    "chain_of_thought": "single_pass",
    "plan_and_solve": "single_pass",
    "self_refine": "rewriting",
    "reflexion": "rewriting",
    "reflexion_forced": "rewriting",
    "best_of_n": "choosing",
    "debate": "debating",
}
SELF_INSPECTION = ("self_refine", "reflexion_forced", "best_of_n")
TABLES = ("questions", "calls", "answers", "steps", "verdicts")
VERIFIERS = ("trusted", "strict")


@dataclass
class Study:
    """Rows of a study by table, and its parameters in the form that the analysis takes."""

    questions: list[dict] = field(default_factory=list)
    calls: list[dict] = field(default_factory=list)
    answers: list[dict] = field(default_factory=list)
    steps: list[dict] = field(default_factory=list)
    verdicts: list[dict] = field(default_factory=list)
    pool: dict = field(default_factory=dict)
    methods: dict = field(default_factory=dict)
    statistics: dict = field(default_factory=dict)
    cells: list[dict] = field(default_factory=list)
    models: dict = field(default_factory=dict)
    datasets: dict = field(default_factory=dict)
    grading: dict = field(default_factory=lambda: {"verifier": "trusted", "verifiers": list(VERIFIERS)})

    def write(self, folder: Path, only: tuple[str, ...] = TABLES) -> dict[str, list[str]]:
        """Write one file per table and cell, as the workflow does; name of table -> paths."""
        paths: dict[str, list[str]] = {}
        for name, schema in (
            ("questions", QUESTIONS),
            ("calls", CALLS),
            ("answers", ANSWERS),
            ("steps", STEP_ANSWERS),
            ("verdicts", VERDICTS),
        ):
            if name not in only:
                continue
            parts: dict[tuple, list[dict]] = {}
            for row in getattr(self, name):
                key = tuple(row[k] for k in ("model", "dataset", "method") if k in row)
                parts.setdefault(key, []).append(row)
            for key, rows in parts.items():
                path = folder / name / "/".join(key[:-1]) / f"{key[-1]}.parquet"
                write_table(path, rows, schema)
                paths.setdefault(name, []).append(str(path))
        return paths


def make_study(
    *,
    models: dict[str, float] | None = None,
    datasets: tuple[str, ...] = ("sums",),
    n_questions: int = 12,
    pool_size: int = 8,
    methods: tuple[str, ...] = tuple(KINDS),
    runs: int = 1,
    seed: int = 1,
    unreadable: float = 0.05,
    resamples: int = 6000,
    verifiers: tuple[str, ...] = VERIFIERS,
) -> Study:
    """A study of ``models`` (name -> ability in logits) on ``datasets``."""
    models = models or {"tiny": 0.0}
    rng = np.random.default_rng(seed)
    study = Study(
        grading={"verifier": "trusted", "verifiers": list(verifiers)},
        pool={
            "method": "self_consistency",
            "size": pool_size,
            "curve": [n for n in (1, 2, 3, 4, 6, 8, 12, 16) if n <= pool_size],
        },
        methods={
            name: {
                "kind": KINDS[name],
                "self_inspection": name in SELF_INSPECTION,
                "label": name.replace("_", " ").capitalize(),
            }
            for name in methods
        },
        statistics={
            "resamples": resamples,
            "confidence": 0.95,
            "ties": "split",
            "unreadable": "abstain",
            "allow_context_errors": False,
            "runs": runs,
            "draws": 200,
            "cost_basis": ["generated", "total"],
            "matching": ["fixed", "rematched"],
            "families": {"paper": [name for name in KINDS if name != "self_consistency"]},
        },
        models={
            name: {"size_b": 1.5 * (place + 1), "family": "made-up", "label": name}
            for place, name in enumerate(models)
        },
        datasets={name: {"language": "en", "label": name} for name in datasets},
        cells=[{"model": m, "dataset": d, "methods": list(methods)} for m in models for d in datasets],
    )
    for dataset in datasets:
        difficulty = rng.normal(0, 1.5, n_questions)
        for i in range(n_questions):
            study.questions.append(
                {
                    "dataset": dataset,
                    "question_id": f"q{(i * 7) % 1000:03d}",
                    "language": "en",
                    "parallel_id": f"{i:03d}",
                    "question": f"What is {i}?",
                    "gold": str(i),
                    "level": int(np.clip(np.searchsorted([-1.5, -0.5, 0.5, 1.5], difficulty[i]) + 1, 1, 5)),
                    "draw_index": i,
                }
            )
        asked = study.questions[-n_questions:]
        for model, ability in models.items():
            for method in methods:
                for run in range(runs):
                    for question, hard in zip(asked, difficulty, strict=True):
                        keys = {
                            "model": model,
                            "dataset": dataset,
                            "method": method,
                            "run": run,
                            "question_id": question["question_id"],
                        }
                        cell = _Cell(study, keys, question["gold"], ability - hard, rng, unreadable)
                        getattr(cell, method, cell.single)(pool_size)
    return study


class _Cell:
    """One question under one method: makes calls, then states the answer."""

    def __init__(self, study, keys, gold, logit, rng, unreadable):
        self.study, self.keys, self.gold, self.rng = study, keys, gold, rng
        self.right, self.unreadable = 1 / (1 + np.exp(-logit)), unreadable
        self.calls: list[dict] = []
        self.steps: list[dict] = []

    def call(self, role, round_=0, sample=0, text=None, prompt=60):
        """One call; one that states an answer draws it."""
        tokens = int(self.rng.gamma(6, 8)) + 5
        stated = text is None
        canonical, stop = None, "stop"
        if stated:
            if self.rng.random() < self.unreadable:
                text, stop, tokens = "and so", "length", 256
            else:
                wrong = f"{int(self.gold) + int(self.rng.geometric(0.5))}"
                canonical = self.gold if self.rng.random() < self.right else wrong
                text = f"So it is.\nANSWER: {canonical}"
        index = len(self.calls)
        self.calls.append(
            {
                **self.keys,
                "sample_index": sample,
                "call_index": index,
                "role": role,
                "round": round_,
                "messages": [{"role": "user", "content": "?"}],
                "seed": index,
                "temperature": 0.7,
                "max_tokens": 256,
                "prompt_tokens": prompt,
                "cached_prompt_tokens": 0,
                "completion_tokens": tokens,
                "stop_reason": stop,
                "text": text,
                "tokens_source": "measured",
            }
        )
        if stated:
            self.steps.append(
                {
                    **self.keys,
                    "call_index": index,
                    "sample_index": sample,
                    "role": role,
                    "round": round_,
                    "canonical": canonical,
                    "readable": canonical is not None,
                    "correct": canonical == self.gold,
                    "stopped_by_length": stop == "length",
                }
            )
        return self.calls[-1], self.steps[-1] if stated else None

    def answer(self, step, *, sample=0, calls=None, rule="label"):
        """The answer of the method, taken from one step."""
        calls = self.calls if calls is None else calls
        generated = sum(c["completion_tokens"] for c in calls)
        row = {
            **self.keys,
            "sample_index": sample,
            "text_from": step["call_index"],
            "extracted": step["canonical"],
            "extraction_rule": rule if step["readable"] else None,
            "canonical": step["canonical"],
            "readable": step["readable"],
            "correct": step["correct"],
            "generated_tokens": generated,
            "total_tokens": generated + sum(c["prompt_tokens"] for c in calls),
            "calls": len(calls),
            "stopped_by_length": step["stopped_by_length"],
        }
        self.study.answers.append(row)
        for verifier in self.study.grading["verifiers"]:
            # All but the trusted one reject some right answers, by their text alone.
            accepted = row["correct"] and not (verifier != "trusted" and self.gold.endswith("3"))
            self.study.verdicts.append(
                {
                    **self.keys,
                    "sample_index": sample,
                    "verifier": verifier,
                    "accepted": accepted,
                    "rule": "equal",
                    "timed_out": False,
                }
            )

    def store(self):
        self.study.calls.extend(self.calls)
        self.study.steps.extend(self.steps)

    def single(self, _):
        _, step = self.call("sample")
        self.answer(step)
        self.store()

    def self_consistency(self, size):
        for sample in range(size):
            call, step = self.call("sample", sample=sample)
            self.answer(step, sample=sample, calls=[call])
        self.study.calls.extend(self.calls)

    def self_refine(self, _):
        _, step = self.call("sample")
        for r in (1, 2, 3):
            self.call("critique", r, text="Check the sum.", prompt=120)
            _, step = self.call("revise", r, prompt=180)
        self.answer(step)
        self.store()

    def reflexion_forced(self, _):
        _, step = self.call("sample")
        for r in (1, 2, 3):
            self.call("reflect", r, text="I may have slipped.", prompt=120)
            _, step = self.call("retry", r, prompt=150)
        self.answer(step)
        self.store()

    def reflexion(self, _):
        _, step = self.call("sample")
        for r in (1, 2, 3):
            good = self.rng.random() < 0.7
            self.call("judge", r - 1, text="CORRECT" if good else "INCORRECT. Hm.", prompt=120)
            if good:
                break
            self.call("reflect", r, text="I may have slipped.", prompt=150)
            _, step = self.call("retry", r, prompt=150)
        self.answer(step)
        self.store()

    def best_of_n(self, _):
        candidates = [self.call("sample", sample=i)[1] for i in range(8)]
        readable = self.rng.random() > 0.1
        pick = int(self.rng.choice(8, p=np.array([8, 1, 1, 1, 1, 1, 1, 1]) / 15))
        self.call("pick", 1, text=f"BEST={pick + 1}" if readable else "All are fine.", prompt=500)
        self.answer(candidates[pick if readable else 0])
        self.store()

    def debate(self, _):
        for r in range(3):
            steps = [
                self.call("agent", r, sample=agent, prompt=60 + 150 * min(r, 1))[1] for agent in range(3)
            ]
        votes = [s["canonical"] for s in steps if s["readable"]]
        top = max(votes, key=votes.count) if votes else None
        self.answer(next((s for s in steps if s["canonical"] == top), steps[0]))
        self.store()
