"""Injected errors: what each condition changes, on made-up and on real chains."""

import json
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reasonaudit.analysis.injection_counts import count_rows
from reasonaudit.answers.extraction import extract
from reasonaudit.audit.inject_errors import choose_panels, inject_errors, reader
from reasonaudit.audit.injection import (
    ANSWER_STAYS_RIGHT,
    CONDITIONS,
    Attempt,
    Edit,
    Original,
    apply_edits,
    inject,
)
from reasonaudit.audit.number_labels import is_label
from reasonaudit.audit.number_tokens import find_numbers, values_in
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.injections import INJECTIONS, ORIGINAL_KEY
from reasonaudit.tables.panel import PANEL
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.verifiers.trusted import verify

CHAIN = (
    "We know that 15 boxes hold 8 pens each.\n\nStep 1: multiply, so 15 \\times 8 = 120 pens.\n\n"
    "Then 36 pens are sold, which leaves 120 - 36 = 84 pens, and 84 \\div 2 = 42.\n\n"
    "Each of the 2 children gets 42 pens.\n\nTherefore the answer is $\\boxed{42}$."
)
QUESTION = "15 boxes hold 8 pens each. Some are sold, and 2 children share the rest."


def original(text=CHAIN, question=QUESTION, gold="42", language="en", seed=0, **more) -> Original:
    found = extract(text, language=language)
    span = (found.start, found.end) if found else (None, None)
    return Original(text, question, gold, language, *span, seed_parts=("test", seed), **more)


def injected(o: Original, **more) -> dict[str, Attempt]:
    return {a.condition: a for a in inject(o, reader(o.gold, o.language), **more)}


def test_all_conditions_on_a_plain_chain():
    attempts = injected(original())
    assert list(attempts) == list(CONDITIONS)
    assert all(attempt.applied for attempt in attempts.values())
    assert attempts["clean"].text == CHAIN
    boxed, consistent = attempts["boxed_only"], attempts["consistent_error"]
    assert len(boxed.edits) == 1
    assert [CHAIN[e.start : e.end] for e in consistent.edits] == ["42"] * 3
    assert {e.new for e in consistent.edits} == {boxed.edits[0].new}
    assert "42" not in consistent.text
    assert attempts["truncated"].text.endswith("Therefore the answer is $\\boxed{42}$.")
    assert "2 children gets" not in attempts["truncated"].text


@given(seed=st.integers(0, 300))
@settings(deadline=None, max_examples=40)
def test_properties_for_every_draw(seed):
    check_properties(original(seed=seed))


def test_properties_on_real_chains(shared):
    """Every third correct solution; all of them are counted by the benchmark of injections."""
    file = shared / "generations" / "math_qwen_k8" / "math_cot_100.jsonl"
    applied = dict.fromkeys(CONDITIONS, 0)
    chains = 0
    for line in file.read_text(encoding="utf-8").splitlines()[::3]:
        record = json.loads(line)
        for i in (0, 5):
            if record["score"][i]:
                chains += 1
                o = original(record["code"][i], record["question"], record["gt"], seed=(record["idx"], i))
                for attempt in check_properties(o):
                    applied[attempt.condition] += attempt.applied
    assert applied["clean"] == applied["truncated"] == chains > 50
    assert min(applied.values()) > chains / 2


def check_properties(o: Original) -> list[Attempt]:
    attempts = inject(o, reader(o.gold, o.language))
    assert attempts == inject(o, reader(o.gold, o.language)), "the same original gives the same bytes"
    named = {attempt.condition: attempt for attempt in attempts}
    question, answer = values_in(o.question, o.language), values_in(o.gold, o.language)
    numbers = {token.start: token for token in find_numbers(o.text, o.language)}
    for attempt in attempts:
        assert attempt.applied == (attempt.skip_reason is None) == (attempt.text is not None)
        if not attempt.applied:
            continue
        # It differs from the original exactly where the log says.
        assert apply_edits(o.text, attempt.edits) == attempt.text
        assert all(edit.old != edit.new for edit in attempt.edits)
        found = extract(attempt.text, language=o.language)
        right = verify(found.text, o.gold, language=o.language).accepted
        assert right == (attempt.condition in ANSWER_STAYS_RIGHT)
        if attempt.menu is not None:
            for edit in attempt.edits:
                # Whole numbers only: no number inside another is touched.
                assert numbers[edit.start].text == edit.old
                (new,) = find_numbers(edit.new, o.language)
                assert new.value not in question | answer
                assert (new.start, new.end) == (0, len(edit.new))
    if named["intermediate_error"].applied:
        (edit,) = named["intermediate_error"].edits
        token = numbers[edit.start]
        assert 0.4 * len(o.text) <= edit.start and edit.end <= 0.7 * len(o.text)
        assert token.value not in question | answer | {0, 1}
        assert not is_label(o.text, token)
        assert not o.answer_start <= edit.start < o.answer_end
    if named["consistent_error"].applied:
        boxed = named["boxed_only"].edits[0]
        assert boxed in named["consistent_error"].edits
        assert len(named["consistent_error"].edits) > 1
    if named["boxed_only"].applied:
        (edit,) = named["boxed_only"].edits
        assert o.answer_start <= edit.start and edit.end <= o.answer_end
    if named["truncated"].applied:
        (edit,) = named["truncated"].edits
        assert edit.end == len(o.text) and o.text.startswith(named["truncated"].text[: edit.start])
        assert edit.start <= 0.75 * len(o.text) + 1
    return attempts


@pytest.mark.parametrize(
    ("text", "gold", "condition", "reason"),
    [
        ("Both sides agree, so it holds: \\boxed{A}", "A", "intermediate_error", "no_number_in_region"),
        ("Both sides agree, so it holds: \\boxed{A}", "A", "boxed_only", "no_number_in_answer"),
        ("From 2 and 6 we get 8.\n\\boxed{8}", "8", "consistent_error", "answer_equals_question_number"),
        ("Of 125 we keep 12.\n\\boxed{12}", "12", "consistent_error", "answer_inside_larger_number"),
        ("Of 1.12 we keep 12.\n\\boxed{12}", "12", "consistent_error", "answer_inside_larger_number"),
        ("Adding them all we are done.\n\\boxed{12}", "12", "consistent_error", "answer_not_in_chain"),
        ("Here we find nothing at all, sadly.", "12", "clean", "no_answer_span"),
        ("We find it.\n\\boxed{13}", "12", "clean", "original_not_accepted"),
    ],
)
def test_reasons(text, gold, condition, reason):
    attempt = injected(original(text, "Take 8 off.", gold))[condition]
    assert (attempt.applied, attempt.skip_reason) == (False, reason)


@pytest.mark.parametrize("gold", ["0", "1", "2", "997", "998", "999"])
def test_the_answer_range_holds_at_its_ends(gold):
    text = f"After some work with 14 and 33 and 57 we see that it is {gold}.\n\nANSWER: {gold}"
    for seed in range(12):
        o = original(text, "Find it.", gold, seed=seed, answer_range=(0, 999))
        boxed = injected(o)["boxed_only"]
        assert boxed.applied and 0 <= int(boxed.edits[0].new) <= 999


def test_an_expression_is_edited_inside():
    text = "We get $x = \\dfrac{7}{12}$ at once.\n\nSo it is $\\boxed{\\frac{7}{12}}$."
    o = original(text, "Find x.", "\\frac{7}{12}")
    attempts = injected(o)
    (edit,) = attempts["boxed_only"].edits
    assert edit.old in ("7", "12")
    assert attempts["consistent_error"].text.count(edit.new) == 2
    assert "\\dfrac{" in attempts["consistent_error"].text


def test_a_minus_between_numbers_is_no_sign():
    text = "We need 5-3 first; then x = -3 follows.\n\nSo it is $\\boxed{-3}$."
    consistent = injected(original(text, "Find x.", "-3"))["consistent_error"]
    assert consistent.applied and "5-3" in consistent.text


def test_groups_and_scripts_stay():
    text = "Together 1,200 pens, that is 1200.\n\nANSWER: 1,200"
    consistent = injected(original(text, "How many?", "1200"))["consistent_error"]
    new = [e.new for e in consistent.edits]
    assert new[0] == new[2] and "," in new[0] and new[1] == new[0].replace(",", "")
    bengali = "মোট ৪২ টি কলম আছে, তাই ৪২ হয়।\n\nANSWER: ৪২"
    attempt = injected(original(bengali, "কত?", "42", "bn"))["consistent_error"]
    assert attempt.applied and all(set(e.new) <= set("০১২৩৪৫৬৭৮৯") for e in attempt.edits)


def test_a_one_line_solution_keeps_its_boxed_answer():
    text = "We add 14 and 28 and find by hand that everything fits, so it is $\\boxed{42}$, as one sees."
    truncated = injected(original(text, "Add.", "42"))["truncated"]
    assert truncated.text.endswith("\n$\\boxed{42}$")
    early = "It is $\\boxed{42}$. " + "This can be checked in many other ways. " * 5
    truncated = injected(original(early, "Add.", "42"))["truncated"]
    assert early.startswith(truncated.text) and len(truncated.text) == int(0.75 * len(early))


def test_thinking_is_edited_too_but_never_read_as_the_answer():
    text = "<think>36 pens leave 84, or \\boxed{7}? No. 120 - 36 = 84, and so it is 42.</think>\nANSWER: 42"
    attempts = check_properties(original(text, "Pens?", "42"))
    assert next(a for a in attempts if a.condition == "consistent_error").applied


@given(st.text(alphabet="ab 12", max_size=20), st.data())
def test_apply_edits_refuses_what_does_not_fit(text, data):
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    edit = Edit(start, end, text[start:end], "#")
    assert apply_edits(text, [edit]) == text[:start] + "#" + text[end:]
    with pytest.raises(ValueError, match="does not fit"):
        apply_edits(text, [Edit(start, end, text[start:end] + "!", "#")])
    with pytest.raises(ValueError, match="does not fit"):
        apply_edits(text, [edit, edit])


SETTINGS = {
    "min_tokens": 50,
    "per_question": 2,
    "per_cell": 5,
    "conditions": list(CONDITIONS),
    "intermediate_region": [0.4, 0.7],
    "truncate_share": 0.25,
    "seed": None,
}


def test_the_cell_table_and_the_panel(tmp_path):
    questions, calls, answers = cell(tmp_path)
    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for path in paths:
        inject_errors(
            questions=questions,
            calls=calls,
            answers=answers,
            injections=path,
            seed=3,
            settings=SETTINGS,
            answer_range=[0, 999],
        )
    assert paths[0].read_bytes() == paths[1].read_bytes()
    rows = read_table(paths[0], INJECTIONS).to_pylist()
    assert len(rows) == 5 * 5
    originals = {(row["question_id"], row["sample_index"]) for row in rows}
    assert len(originals) == 5
    assert max(sum(q == name for q, _ in originals) for name in ("q0", "q1", "q2")) == 2
    assert not {("q0", 0), ("q1", 1), ("q2", 2)} & originals, "wrong, stopped and short ones are left out"
    for row in rows:
        assert row["applied"]
        if row["menu"]:
            assert row["position_share"] == row["position_chars"] / len(CHAIN)
            assert Fraction(row["relative_size"]).limit_denominator(1000) > 0
    check_counts(rows)
    panels = [tmp_path / "panel.parquet"]
    choose_panels(injections=[str(paths[0])], panels=panels, per_cell=3)
    kept = read_table(panels[0], PANEL).to_pylist()
    assert sorted(row["draw_order"] for row in kept) == [0, 1, 2]


def check_counts(rows):
    """Outcomes of a condition add up to the originals drawn."""
    panel = pd.DataFrame([{name: rows[0][name] for name in ORIGINAL_KEY}])
    counts = pd.DataFrame(count_rows(pd.DataFrame(rows), panel))
    assert set(counts["of"]) == {5} and set(counts["outcome"]) == {"applied"}
    assert set(counts.groupby("condition")["originals"].sum()) == {5}
    assert set(counts.groupby("condition")["in_panel"].sum()) == {1}
    clean = counts[counts["condition"] == "clean"].iloc[0]
    assert (clean["menu"], clean["fallbacks"]) == ("none", 0)


def cell(tmp_path):
    """Three questions of four samples; one wrong, one stopped by length, one short."""
    key = {"model": "m", "dataset": "d", "method": "self_consistency", "run": 0}
    found = extract(CHAIN)
    questions, calls, answers = [], [], []
    for q in range(3):
        questions.append(
            {"dataset": "d", "question_id": f"q{q}", "language": "en", "parallel_id": f"q{q}"}
            | {"question": QUESTION, "gold": "42", "draw_index": q}
        )
        for i in range(4):
            name = key | {"question_id": f"q{q}", "sample_index": i}
            calls.append(
                name
                | {"call_index": i, "role": "sample", "round": 0, "text": CHAIN, "tokens_source": "measured"}
                | {"messages": [{"role": "user", "content": QUESTION}]}
            )
            answers.append(
                name
                | {"text_from": i, "answer_start": found.start, "answer_end": found.end, "readable": True}
                | {"correct": (q, i) != (0, 0), "stopped_by_length": (q, i) == (1, 1), "calls": 1}
                | {"generated_tokens": 50 if (q, i) == (2, 2) else 51}
            )
    paths = [tmp_path / f"{name}.parquet" for name in ("questions", "calls", "answers")]
    tables = zip(paths, (questions, calls, answers), (QUESTIONS, CALLS, ANSWERS), strict=True)
    for path, rows, schema in tables:
        write_table(path, rows, schema)
    return paths
