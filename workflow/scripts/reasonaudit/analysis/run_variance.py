"""Run-to-run variance: what other seeds would change, beside what other questions would.

With d_ir the difference on question i in run r, the mean over questions and runs has variance
(s_q^2 + s_r^2 / R) / n, where s_r^2 is the variance between a question's runs and s_q^2 the rest. The
bootstrap over questions, of their means over runs, already holds both; resampling runs as a second stage
would count run noise twice.
"""

import numpy as np

from reasonaudit.analysis.resampling import variance


def variance_components(differences: np.ndarray) -> dict:
    """Components of the variance of ``differences`` (R, n).

    With one run only the total is known and the components are None. The component of the questions is
    the usual unbiased estimate, cut at zero.
    """
    runs, n = differences.shape
    total = variance(differences.mean(axis=0))
    row = {
        "n_questions": n,
        "runs": runs,
        "difference": float(differences.mean()) if n else None,
        "variance": total,
        "standard_error": float(np.sqrt(total / n)) if n else None,
    }
    if runs > 1 and n:
        within = float(np.mean([variance(differences[:, i]) for i in range(n)]))
        row |= {
            "variance_questions": max(0.0, total - within / runs),
            "variance_runs": within,
            "run_share": min(1.0, within / runs / total) if total > 0 else None,
            "standard_error_fixed_questions": float(np.sqrt(within / runs / n)),
        }
    return row
