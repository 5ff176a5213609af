"""Agreement beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha.

Every statistic is 1 - D / E: D is the mean disagreement of two grades for the same
document, E that of grades which chance pairs.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Values = dict[str, float | None]
# Columns of rows: how many pairs of grades each document has, the two grades of a
# pair, and the number of documents.
PAIRS, GRADE, OTHER_GRADE, DOCUMENTS = range(4)


def cohen_kappas(rows: Floats) -> Values:
    """Return kappa and weighted kappa of two assessors, each with own frequencies.

    Cohen 1960, Educational and Psychological Measurement 20(1), 37-46; with squares as
    weights: Cohen 1968, Psychological Bulletin 70(4), 213-220.
    """
    return {
        "cohen_kappa": _beyond_chance(rows),
        "cohen_kappa_quadratic": _beyond_chance(rows, lambda levels, _: levels),
    }


def fleiss_kappa(rows: Floats) -> float | None:
    """Return kappa of assessors who all graded the same documents.

    Fleiss 1971, Psychological Bulletin 76(5), 378-382. Chance draws both grades of a
    pair from those of all assessors.
    """
    return _beyond_chance(_both_ways(rows))


def krippendorff_alphas(rows: Floats, grades: Floats) -> Values:
    """Return the alphas for grades as names, places in an order, and numbers.

    Krippendorff 2004, Content Analysis, 2nd edition, 11.3. grades is the number of
    grades of the documents of a row, m: each of their pairs counts 1 / (m - 1). Chance
    draws no grade twice. The ordinal difference of two grades is the number of grades
    from the middle of the one level to the middle of the other.
    """
    pairs = _both_ways(rows)
    pairs[:, DOCUMENTS] /= np.tile(grades - 1, 2)
    n = pairs[:, DOCUMENTS].sum()
    kappas = {
        "nominal": _beyond_chance(pairs),
        "ordinal": _beyond_chance(
            pairs, lambda _, counts: counts.cumsum() - counts / 2
        ),
        "interval": _beyond_chance(pairs, lambda levels, _: levels),
    }
    return {
        f"krippendorff_alpha_{name}": k if k is None else 1 - (1 - k) * (n - 1) / n
        for name, k in kappas.items()
    }


def _both_ways(rows: Floats) -> Floats:
    """Return each pair twice, with either grade first."""
    return np.concatenate([rows, rows[:, [PAIRS, OTHER_GRADE, GRADE, DOCUMENTS]]])


def _beyond_chance(
    rows: Floats, scale: Callable[[Floats, Floats], Floats] | None = None
) -> float | None:
    """Return 1 - D / E, where chance pairs the first grades with the second grades.

    Two grades disagree by the square of their distance on a scale, which is made of the
    levels, ascending, and how often each is given; without one, by 1 if they differ.
    None if all grades are the same, or if no double holds the squares.
    """
    ones, others = rows[:, GRADE], rows[:, OTHER_GRADE]
    levels: Floats = np.unique(np.concatenate([ones, others]))
    if len(levels) < 2:
        return None
    first, second = np.searchsorted(levels, ones), np.searchsorted(levels, others)
    weights: Floats = rows[:, DOCUMENTS] / rows[:, DOCUMENTS].sum()
    ones: Floats = np.bincount(first, weights, len(levels)).astype(float)
    others: Floats = np.bincount(second, weights, len(levels)).astype(float)
    if scale is None:
        return float(1 - weights @ (first != second) / (1 - ones @ others))
    with np.errstate(all="ignore"):
        values = scale(levels, ones)
        mean, other_mean = ones @ values, others @ values
        # The mean square of a difference: both variances, and that of the means.
        expected = ones @ (values - mean) ** 2 + others @ (values - other_mean) ** 2
        expected += (mean - other_mean) ** 2
        observed = weights @ (values[first] - values[second]) ** 2
    return float(1 - observed / expected) if 1e-300 < expected < 1e300 else None
