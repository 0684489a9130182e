"""The two checks that a judged metric must pass, as a page of tables and plain sentences.

1. How does the judge respond to errors whose place is known?
2. How far is the judged metric from its judge-free counterpart, across solvers, budgets and modes?
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from reasonaudit.tables.acceptance import ACCEPTANCE
from reasonaudit.tables.budget_ladder import BUDGET_LADDER
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.judge_cost import JUDGE_COST
from reasonaudit.tables.judge_sensitivity import JUDGE_SENSITIVITY
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.step_truth import STEP_TRUTH
from reasonaudit.tables.stops import STOPS

Paths = str | Path | Iterable[str | Path]
CONDITIONS = {
    "clean": "unedited",
    "intermediate_error": "one intermediate number wrong, answer right",
    "truncated": "last part dropped, answer right",
    "boxed_only": "only the final answer wrong",
    "consistent_error": "the same wrong answer throughout",
}


def write_cot_pass_summary(
    *,
    acceptance: Paths,
    cot_pass: Paths,
    judge_sensitivity: Paths,
    stops: Paths,
    budget_ladder: Paths,
    judge_cost: Paths,
    step_truth: Paths,
    summary: str | Path,
    strategy: str,
) -> None:
    """Write the summary page of study 2 in Markdown.

    Args:
        step_truth: tables of judges against human labels; none where nothing was labelled.
        strategy: the headline strategy (any, majority, all).
    """

    def rows(paths: Paths, schema) -> pd.DataFrame:
        frame = read_frame(paths, schema)
        return frame[frame["strategy"] == strategy] if "strategy" in frame.columns else frame

    accepted, curves = rows(acceptance, ACCEPTANCE), rows(cot_pass, COT_PASS)
    lines = [
        "# Does the judge check the chain?",
        "",
        f"Decision of a judge on a sample: {strategy} of its votes.",
        "",
        "## Check 1: the judge's response to injected errors",
        "",
        *check_1(accepted),
        "",
        "## Check 2: the judged metric beside its judge-free counterpart",
        "",
        *check_2(curves, rows(judge_sensitivity, JUDGE_SENSITIVITY), rows(stops, STOPS)),
        *_ladder(rows(budget_ladder, BUDGET_LADDER)),
        *_cost(rows(judge_cost, JUDGE_COST)),
        *_step_truth(rows(step_truth, STEP_TRUTH)),
    ]
    path = Path(summary)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    temporary.replace(path)


def check_1(acceptance: pd.DataFrame) -> list[str]:
    """Acceptance of every condition side by side, and one paragraph a judge."""
    overall = acceptance[(acceptance["slice"] == "overall") & acceptance["condition"].isin(CONDITIONS)]
    if overall.empty:
        return [
            "No injected errors were judged in this study (none were asked for, or no solution supports "
            "every condition: see injection_counts): this check was not made."
        ]
    lines = [
        "| judge | condition | accepted | of | rate | interval | minus clean | interval | exact McNemar p |",
        "|---|---|---:|---:|---:|---|---:|---|---:|",
    ]
    for judge in sorted(overall["judge"].unique()):
        for condition, text in CONDITIONS.items():
            row = _one(overall, judge=judge, condition=condition, against=_reference(condition))
            if row is not None:
                lines.append(_acceptance_line(judge, text, row))
    for judge in sorted(overall["judge"].unique()):
        lines += ["", *_response(judge, overall)]
    return lines


def check_2(curves: pd.DataFrame, sensitivity: pd.DataFrame, stops: pd.DataFrame) -> list[str]:
    """Pass@n, CoT-Pass@n and the gap of every solver and generation, and what the judge adds."""
    whole = curves[curves["level"].isin(["solver", "generation"])]
    if whole.empty:
        return ["No natural samples were judged in this study: this check was not made."]
    whole = whole.loc[whole.groupby(["level", "model", "method", "judge"])["k"].idxmax()]
    lines = [
        "| judge | solver or generation | k | Pass@k | CoT-Pass@k | gap | interval | from stops at most "
        "| largest gap this judge could show |",
        "|---|---|---:|---:|---:|---:|---|---:|---:|",
    ]
    sentences = []
    for row in whole.sort_values(["judge", "level", "model"], ascending=[True, False, True]).to_dict(
        "records"
    ):
        bound = _bound(sensitivity, row)
        lines.append(
            f"| {row['judge']} | {row['model']} | {row['k']} | {_percent(row['pass_at_k'])} "
            f"| {_percent(row['cot_pass_at_k'])} | {_points(row['gap'])} | {_gap_interval(row)} "
            f"| {_points(row['gap'] - row['credited_gap'])} "
            f"| {'' if bound is None else _points(bound['largest_gap'])} |"
        )
        sentences += _what_the_judge_adds(row, bound)
    stopped = stops.groupby("judge")[["judgements", "judge_stopped", "missing"]].sum()
    for judge, counts in stopped.iterrows():
        if counts["judgements"]:
            sentences.append(
                f"- {judge}: {counts['missing']} of {counts['judgements']} judgements hold no verdict, "
                f"{counts['judge_stopped']} of them because they reached the token limit."
            )
    return [*lines, "", *sentences]


def _response(judge: str, overall: pd.DataFrame) -> Iterator[str]:
    """What the judge's verdicts follow, from its own numbers."""
    clean = _one(overall, judge=judge, condition="clean", against="none")
    slip = _one(overall, judge=judge, condition="intermediate_error", against="clean")
    wrong = _one(overall, judge=judge, condition="boxed_only", against="clean")
    agreeing = _one(overall, judge=judge, condition="consistent_error", against="boxed_only")
    if clean is None:
        return
    text = f"**{judge}** approves {_percent(clean['rate'])} of the unedited correct solutions"
    if slip is not None:
        text += (
            f" and {_percent(slip['rate'])} of the same solutions with one wrong number in the chain: "
            f"{_signed(slip['difference'])} points ({_span(slip)}). {_verdict_on_chain(slip)}"
        )
    yield text
    if wrong is not None:
        yield (
            f"With only the final answer wrong it approves {_percent(wrong['rate'])} "
            f"({_signed(wrong['difference'])} points, {_span(wrong)}). {_verdict_on_answer(wrong)}"
        )
    if agreeing is not None:
        yield (
            f"Where the chain agrees with the wrong answer it approves {_percent(agreeing['rate'])}, "
            f"{_signed(agreeing['difference'])} points against a wrong answer that the chain contradicts "
            f"({_span(agreeing)}). {_verdict_on_agreement(agreeing)}"
        )


def _verdict_on_chain(row: dict) -> str:
    if row["difference_high"] < 0:
        return f"It notices some of these errors, and still approves {_percent(row['rate'])} of the chains."
    return "It does not measurably tell chains with a wrong step from unedited ones."


def _verdict_on_answer(row: dict) -> str:
    if row["difference_high"] < 0:
        return "It reacts to a wrong final answer."
    return "It does not measurably react even to a wrong final answer."


def _verdict_on_agreement(row: dict) -> str:
    if row["difference_low"] > 0:
        return "Its verdicts follow the agreement of chain and answer."
    if row["difference_high"] < 0:
        return "Agreement of chain and answer does not raise its approval."
    return "Agreement of chain and answer makes no measurable difference."


def _what_the_judge_adds(row: dict, bound: dict | None) -> list[str]:
    """Only for solvers: one sentence about the gap, one about what it could have been."""
    if row["level"] != "solver":
        return []
    if row["structural_zero"]:
        text = (
            f"- {row['judge']} on {row['model']}: the judge adds nothing; no question loses its last correct "
            f"sample. With {row['problems']} problems a gap of up to {_points(row['zero_upper'])} points "
            "cannot be excluded."
        )
    else:
        text = (
            f"- {row['judge']} on {row['model']}: the judge takes {_points(row['gap'])} of "
            f"{_points(row['pass_at_k'])} points at k = {row['k']}"
        )
        stopped = row["gap"] - row["credited_gap"]
        text += f", up to {_points(stopped)} of them through its token limit." if stopped > 0 else "."
    if bound is not None:
        text += (
            f" Had every approved chain been wrong, it would have shown at most "
            f"{_points(bound['largest_gap'])} points ({_points(bound['largest_gap_low'])} to "
            f"{_points(bound['largest_gap_high'])}), since it approves {_percent(bound['wrong_accepted'])} "
            f"of the chains with an injected error."
        )
    return [text]


def _ladder(ladder: pd.DataFrame) -> list[str]:
    several = ladder[(ladder["rungs"] > 1) | (ladder["mode"] != "")] if len(ladder) else ladder
    if several.empty:
        return []
    lines = [
        "",
        "### Budgets and modes",
        "",
        "| judge | checkpoint | mode | data set | token budget | solver stopped | judge stopped | Pass@1 "
        "| Pass@n | CoT-Pass@n | gap |",
        "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    order = ["judge", "checkpoint", "dataset", "mode", "max_tokens"]
    for row in several.sort_values(order).to_dict("records"):
        lines.append(
            f"| {row['judge']} | {row['checkpoint']} | {row['mode']} | {row['dataset']} "
            f"| {row['max_tokens']} "
            f"| {_percent(row['solver_stop_share'])} | {_percent(row['judge_stop_share'])} "
            f"| {_percent(row['pass_at_1'])} | {_percent(row['pass_at_n'])} "
            f"| {_percent(row['cot_pass_at_n'])} "
            f"| {_points(row['gap'])} |"
        )
    return lines


def _cost(costs: pd.DataFrame) -> list[str]:
    together = costs[costs["model"] == "all"]
    lines = []
    for row in together.to_dict("records"):
        if pd.notna(row["per_solver_token"]):
            lines.append(
                f"- {row['judge']}: {row['per_solver_token']:.2f} tokens for each token of all solver "
                f"samples, "
                f"{row['per_judged_token']:.2f} for each token of the samples that it judged."
            )
        elif pd.notna(row["mean_tokens"]):
            lines.append(f"- {row['judge']}: {row['mean_tokens']:.0f} tokens a judgement.")
    return ["", "### Cost of judging", "", *lines] if lines else []


def _step_truth(truth: pd.DataFrame) -> list[str]:
    if truth.empty:
        return []
    lines = ["", "### Against human labels of the first wrong step", ""]
    for row in truth[truth["dataset"] == "all"].to_dict("records"):
        lines.append(
            f"- {row['judge']} rejects {row['rejected']} of {row['erroneous']} erroneous chains and approves "
            f"{row['approved']} of {row['correct']} correct ones: harmonic mean "
            + ("undefined." if pd.isna(row["harmonic_mean"]) else f"{_percent(row['harmonic_mean'])}.")
        )
    return lines


def _acceptance_line(judge: str, text: str, row: dict) -> str:
    difference = "" if pd.isna(row["difference"]) else _signed(row["difference"])
    span = "" if pd.isna(row["difference"]) else _span(row)
    p = "" if pd.isna(row["p_mcnemar"]) else f"{row['p_mcnemar']:.3g}"
    return (
        f"| {judge} | {text} | {row['accepted']} | {row['n']} | {_percent(row['rate'])} "
        f"| {_percent(row['low'])} to {_percent(row['high'])} | {difference} | {span} | {p} |"
    )


def _reference(condition: str) -> str:
    return "none" if condition == "clean" else "clean"


def _one(frame: pd.DataFrame, **values: str) -> dict | None:
    for name, value in values.items():
        frame = frame[frame[name] == value]
    return None if frame.empty else frame.iloc[0].to_dict()


def _bound(sensitivity: pd.DataFrame, row: dict) -> dict | None:
    if row["level"] != "solver" or sensitivity.empty:
        return None
    kept = sensitivity[sensitivity["k"] == row["k"]]
    names = ("model", "dataset", "method", "judge")
    return _one(kept, condition="intermediate_error", **{name: row[name] for name in names})


def _gap_interval(row: dict) -> str:
    if row["structural_zero"]:
        return f"0 of {row['problems']} problems: up to {_points(row['zero_upper'])}"
    return f"{_points(row['low'])} to {_points(row['high'])}"


def _span(row: dict) -> str:
    return f"{_signed(row['difference_low'])} to {_signed(row['difference_high'])}"


def _percent(share: float) -> str:
    return "" if pd.isna(share) else f"{100 * share:.1f}%"


def _points(share: float) -> str:
    # Adding zero turns -0.0 into 0.0.
    return "" if pd.isna(share) else f"{round(100 * share, 1) + 0.0:.1f}"


def _signed(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:+.1f}"
