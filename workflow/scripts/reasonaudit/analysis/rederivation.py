"""The published numbers a second time: SQL over the stored calls and answers, none of the analysis code.

Agreement of two routes does not prove both right, but it rules out an aggregation that quietly computes
something else than it claims. Checked: every method's accuracy and cost (cost from the calls themselves);
the baseline at N = 1, 2, K - 1 and K by listing the draws; each comparison's rival and difference from the
curve; and the pick against the vote on the same candidates.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from reasonaudit.analysis.duck import literal, open_tables, rows_of, tables_of
from reasonaudit.errors import GateError
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.rederivation import REDERIVATION

_SHOWN = 12
EXACT = 1e-9  # counts, compared as sums of whole numbers
CLOSE = 1e-12  # shares, such as split ties

_Q = "model, dataset, run, question_id"
_KEPT = f"""
CREATE TABLE kept AS SELECT * FROM answers ANTI JOIN dropped USING (model, dataset, question_id);
CREATE TABLE spent AS
    SELECT model, dataset, method, sum(completion_tokens)::BIGINT AS generated,
           (sum(completion_tokens) + sum(prompt_tokens))::BIGINT AS total, count(*) AS calls,
           count(completion_tokens) = count(*) AND count(prompt_tokens) = count(*) AS known
    FROM calls ANTI JOIN dropped USING (model, dataset, question_id) GROUP BY ALL;
CREATE TABLE chains AS
    SELECT {_Q}, sample_index, correct,
           CASE WHEN readable AND canonical IS NOT NULL THEN canonical
                WHEN $unreadable = 'wrong' THEN chr(0) || 'unreadable' END AS answer,
           count(*) OVER (PARTITION BY {_Q}) AS size
    FROM kept WHERE method = $pool;
CREATE TABLE worth AS
    SELECT {_Q}, answer, avg(correct::INT) AS value
    FROM chains WHERE answer IS NOT NULL GROUP BY ALL;
"""

# Every draw of 1, 2, K - 1 and K chains, listed chain by chain.
_DRAWS = f"""
CREATE TABLE draws AS
    SELECT {_Q}, 1 AS n, sample_index::VARCHAR AS draw, sample_index FROM chains
    UNION ALL
    SELECT {_Q}, 2, least(a.sample_index, b.sample_index) || '+'
           || greatest(a.sample_index, b.sample_index), a.sample_index
    FROM chains a JOIN chains b USING ({_Q})
    WHERE a.sample_index <> b.sample_index AND a.size > 2
    UNION ALL
    SELECT {_Q}, a.size - 1, 'without ' || b.sample_index, a.sample_index
    FROM chains a JOIN chains b USING ({_Q})
    WHERE a.sample_index <> b.sample_index AND a.size > 3
    UNION ALL
    SELECT {_Q}, size, 'all', sample_index FROM chains WHERE size > 1;
CREATE TABLE outcomes AS
    WITH votes AS (
        SELECT {_Q}, n, draw, answer, count(*) AS votes, min(sample_index) AS first
        FROM draws JOIN chains USING ({_Q}, sample_index)
        WHERE answer IS NOT NULL GROUP BY ALL),
    top AS (
        SELECT * FROM votes
        QUALIFY votes = max(votes) OVER (PARTITION BY {_Q}, n, draw)),
    decided AS (
        SELECT {_Q}, n, draw, count(*) AS tied,
               CASE $ties WHEN 'split' THEN avg(value)
                          WHEN 'first' THEN arg_min(value, first)
                          WHEN 'none' THEN CASE WHEN count(*) = 1 THEN max(value) ELSE 0 END END AS value
        FROM top JOIN worth USING ({_Q}, answer) GROUP BY ALL)
    SELECT model, dataset, n, coalesce(value, 0) AS value, coalesce(tied, 0) > 1 AS tie,
           tied IS NULL AS silent, 1.0 / count(*) OVER (PARTITION BY {_Q}, n) AS share
    FROM (SELECT DISTINCT {_Q}, n, draw FROM draws)
    LEFT JOIN decided USING ({_Q}, n, draw);
CREATE TABLE asked AS
    SELECT model, dataset, count(*) AS questions
    FROM (SELECT DISTINCT {_Q} FROM chains) GROUP BY ALL;
"""

_METHODS = f"""
SELECT model, dataset, method, 'correct answers' AS quantity, c.accuracy * c.n_questions * c.runs AS reported,
       a.correct::DOUBLE AS recomputed, {EXACT} AS tolerance
FROM (SELECT DISTINCT model, dataset, method, accuracy, n_questions, runs FROM comparisons) c
JOIN (SELECT model, dataset, method, sum(correct::INT) AS correct, count(*) AS n FROM kept GROUP BY ALL) a
    USING (model, dataset, method)
UNION ALL
SELECT model, dataset, method, 'answers', (c.n_questions * c.runs)::DOUBLE, count(*)::DOUBLE, {EXACT}
FROM (SELECT DISTINCT model, dataset, method, n_questions, runs FROM comparisons) c
JOIN kept USING (model, dataset, method) GROUP BY ALL
UNION ALL
SELECT DISTINCT model, dataset, method, cost_basis || ' tokens', c.tokens * c.n_questions * c.runs,
       if(cost_basis = 'generated', s.generated, s.total)::DOUBLE,
       {EXACT} * greatest(s.total, 1)
FROM comparisons c JOIN spent s USING (model, dataset, method) WHERE s.known
"""

_POOL = f"""
WITH points AS (
    SELECT model, dataset, n, sum(value * share) / any_value(questions) AS accuracy,
           sum(CASE WHEN tie THEN share ELSE 0 END) / any_value(questions) AS ties,
           sum(CASE WHEN silent THEN share ELSE 0 END) / any_value(questions) AS silent
    FROM outcomes JOIN asked USING (model, dataset) GROUP BY ALL)
SELECT model, dataset, $pool AS method, 'accuracy of ' || n || ' chains' AS quantity, c.accuracy AS reported,
       p.accuracy AS recomputed, {CLOSE} AS tolerance
FROM points p JOIN curves c USING (model, dataset, n) WHERE estimator = 'exact'
UNION ALL
SELECT model, dataset, $pool, 'ties among ' || n || ' chains', c.tie_share, p.ties, {CLOSE}
FROM points p JOIN curves c USING (model, dataset, n) WHERE estimator = 'exact'
UNION ALL
SELECT model, dataset, $pool, 'nothing readable among ' || n || ' chains', c.abstain_share, p.silent, {CLOSE}
FROM points p JOIN curves c USING (model, dataset, n) WHERE estimator = 'exact'
UNION ALL
SELECT model, dataset, $pool, 'generated tokens', c.tokens * c.n_questions * c.runs, s.generated::DOUBLE,
       {EXACT} * greatest(s.generated, 1)
FROM curves c JOIN (SELECT model, dataset, max(size) AS n FROM chains GROUP BY ALL) USING (model, dataset, n)
JOIN spent s ON s.model = c.model AND s.dataset = c.dataset AND s.method = $pool
WHERE estimator = 'exact' AND s.known
"""

# The rival of a fixed comparison is a mixture of two neighbouring points of the curve.
_RIVALS = f"""
WITH chain AS (
    SELECT model, dataset, generated::DOUBLE / n AS generated, total::DOUBLE / n AS total
    FROM spent JOIN (SELECT model, dataset, count(*) AS n FROM chains GROUP BY ALL) USING (model, dataset)
    WHERE method = $pool AND known),
wanted AS (
    SELECT c.*, greatest(c.tokens / if(cost_basis = 'generated', h.generated, h.total), 1) AS point
    FROM comparisons c JOIN chain h USING (model, dataset)
    WHERE matching = 'fixed' AND difference IS NOT NULL),
ends AS (
    SELECT w.*, low.accuracy AS low_accuracy, coalesce(high.accuracy, low.accuracy) AS high_accuracy
    FROM wanted w
    JOIN curves low ON low.model = w.model AND low.dataset = w.dataset AND low.estimator = 'exact'
        AND low.n = floor(w.point + {CLOSE})
    LEFT JOIN curves high ON high.model = w.model AND high.dataset = w.dataset AND high.estimator = 'exact'
        AND high.n = floor(w.point + {CLOSE}) + 1),
mixed AS (
    SELECT *, low_accuracy + (point - floor(point + {CLOSE})) * (high_accuracy - low_accuracy) AS rival
    FROM ends)
SELECT model, dataset, method, 'rival on ' || cost_basis || ' tokens' AS quantity,
       baseline_accuracy AS reported, rival AS recomputed, {CLOSE} * 10 AS tolerance
FROM mixed
UNION ALL
SELECT model, dataset, method, 'difference on ' || cost_basis || ' tokens', difference,
       accuracy - rival, {CLOSE} * 10
FROM mixed
"""

_PICKS = f"""
WITH votes AS (
    SELECT model, dataset, method, run, question_id, canonical, count(*) AS votes, min(sample_index) AS first,
           arg_min(correct, sample_index) AS correct
    FROM steps ANTI JOIN dropped USING (model, dataset, question_id)
    WHERE role = 'sample' AND readable AND canonical IS NOT NULL GROUP BY ALL),
counted AS (
    SELECT model, dataset, method, run, question_id, arg_min(correct, (-votes, first)) AS correct
    FROM votes GROUP BY ALL),
pairs AS (
    SELECT model, dataset, method, a.correct AS judged, coalesce(counted.correct, false) AS counted
    FROM kept a LEFT JOIN counted USING (model, dataset, method, run, question_id)
    WHERE (a.model, a.dataset, a.method) IN (SELECT (model, dataset, method) FROM pick_vs_count)),
cells AS (
    SELECT model, dataset, method, sum((judged AND NOT counted)::INT) AS judge_only,
           sum((counted AND NOT judged)::INT) AS count_only, sum(counted::INT) AS counted
    FROM pairs GROUP BY ALL)
SELECT model, dataset, method, 'only the pick is right' AS quantity, p.judge_only::DOUBLE AS reported,
       c.judge_only::DOUBLE AS recomputed, {EXACT} AS tolerance
FROM cells c JOIN pick_vs_count p USING (model, dataset, method)
UNION ALL
SELECT model, dataset, method, 'only the vote is right', p.count_only::DOUBLE, c.count_only::DOUBLE, {EXACT}
FROM cells c JOIN pick_vs_count p USING (model, dataset, method)
"""

# Answers and steps are graded by two jobs; they must have read the same texts and golds.
_STEPS = f"""
SELECT model, dataset, method, 'answers unlike the call they come from' AS quantity, 0::DOUBLE AS reported,
       sum((a.canonical IS DISTINCT FROM s.canonical OR a.correct <> s.correct)::INT)::DOUBLE AS recomputed,
       {EXACT} AS tolerance
FROM kept a JOIN steps s USING (model, dataset, method, run, question_id)
WHERE s.call_index = a.text_from GROUP BY ALL
"""


def rederive_results(
    *,
    calls: Iterable[str | Path],
    answers: Iterable[str | Path],
    steps: Iterable[str | Path],
    dropped: str | Path,
    curves: str | Path,
    comparisons: str | Path,
    pick_vs_count: str | Path,
    rederivation: str | Path,
    pool: Mapping,
    statistics: Mapping,
) -> None:
    """Compute the published numbers again and write both side by side.

    Args:
        calls, answers, steps, dropped: paths of the stored tables.
        curves, comparisons, pick_vs_count: the tables under check.
        rederivation: path to write.
        pool: ``method``, the baseline's name.
        statistics: ``ties`` and ``unreadable``.

    Raises:
        GateError: numbers that disagree, named. Nothing is written.
    """
    session = open_tables(
        {
            "calls": calls,
            "answers": answers,
            "steps": steps,
            "dropped": [dropped],
            "curves": [curves],
            "comparisons": [comparisons],
            "pick_vs_count": [pick_vs_count],
        }
    )
    values = {"pool": pool["method"], "ties": statistics["ties"], "unreadable": statistics["unreadable"]}

    def filled(query: str) -> str:
        for name, value in values.items():
            query = query.replace(f"${name}", literal(value))
        return query

    session.execute(filled(_KEPT + _DRAWS))
    queries = [_METHODS, _POOL, _RIVALS, *([_PICKS, _STEPS] if "steps" in tables_of(session) else [])]
    rows = [row for query in queries for row in rows_of(session, filled(query))]
    for row in rows:
        row["difference"] = row["recomputed"] - row["reported"]
        row["status"] = "agrees" if abs(row["difference"]) <= row["tolerance"] else "differs"
    differing = [row for row in rows if row["status"] == "differs"]
    if differing:
        lines = [
            f"{row['model']}, {row['dataset']}, {row['method']}: {row['quantity']}: reported "
            f"{row['reported']!r}, recomputed {row['recomputed']!r}"
            for row in sorted(differing, key=lambda row: tuple(map(str, row.values())))[:_SHOWN]
        ]
        raise GateError(
            f"{len(differing)} of {len(rows)} numbers come out differently by the second route",
            where="\n    ".join(lines),
            hint="stale tables, or an error in one of the two routes; try --forcerun compare_methods",
        )
    write_table(rederivation, rows, REDERIVATION)
