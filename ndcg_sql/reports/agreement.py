"""How much assessors agree: Cohen's and Fleiss' kappa, Krippendorff's alpha.

Every statistic is 1 - D / E: D is the mean disagreement of two grades for the same
document, E that of grades which chance pairs.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, groupby

import numpy as np
from numpy.typing import NDArray

from ndcg_sql.comparison.answers import Answer, Record, Rows
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.assessments import (
    assessor_groups,
    chosen_assessments,
    judgments_as_grades,
)

Floats = NDArray[np.float64]
Values = dict[str, float | None]
Pair = tuple[str, str]
# Makes values of levels, ascending, and how often each is given.
Scale = Callable[[Floats, Floats], Floats]
# The columns of counts of grades: how many pairs of grades each document has, the two
# grades of a pair, and the number of documents.
PAIRS, GRADE, OTHER_GRADE, DOCUMENTS = range(4)
_ANSWER = (
    "select groups, statistic, assessors, pairs::bigint as pairs, documents::bigint as"
    " documents, value::double as value, remark::varchar as remark"
    " from (select unnest($rows, max_depth := 2))"
)


def of_judgment_sets(
    database: Database, names: Sequence[str], dataset: str | None
) -> Answer:
    """Return the agreement of judgment sets, each of which counts as an assessor."""
    with judgments_as_grades(database, names, dataset) as (dataset, assessors):
        return _agreement(database, dataset, assessors, None)


def of_assessors(
    database: Database,
    assessments: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
    group_by: str | None,
) -> Answer:
    """Return the agreement of assessors, or of groups of them.

    A statistic that is not defined is null, and the remark gives the reason.
    Raises NdcgSqlError where a name is not known or fewer than two judged.
    """
    chosen = chosen_assessments(database, assessments, assessors, dataset)
    with chosen as (dataset, _, assessors):
        if len(assessors) < 2:
            raise NdcgSqlError("agreement needs two assessors; only one is given")
        groups = assessor_groups(database, group_by) if group_by else None
        return _agreement(database, dataset, assessors, groups)


def _agreement(
    database: Database,
    dataset: str,
    assessors: Sequence[str],
    of_groups: dict[str, str] | None,
) -> Answer:
    """Return the agreement of assessors who are known to views, by group if any."""
    is_grouped = of_groups is not None
    groups = of_groups or dict.fromkeys(assessors, dataset)
    members = [{"assessor": a, "assessor_group": g} for a, g in groups.items()]
    with database.temporary("assessor_groups", ROWS, {"rows": members}):
        counts = database.run("reports/agreement", {"dataset": dataset})
    nothing: Floats = np.empty((0, 4))
    grades: dict[Pair, Floats] = {
        pair: np.array([row[2:] for row in rows], float)
        for pair, rows in groupby(counts, lambda row: row[:2])
    }
    compared: dict[tuple[str, ...], list[Pair]] = {}
    for pair in combinations(sorted(groups), 2):
        names = tuple(sorted({groups[name] for name in pair})) if is_grouped else pair
        compared.setdefault(names, []).append(pair)
    rows: list[Record] = []
    for names, pairs in sorted(compared.items(), key=lambda own: (len(own[0]), own)):
        parts = [grades.get(pair, nothing) for pair in pairs]
        both = np.concatenate(parts)
        cohen = [cohen_kappas(part) for part in parts]
        about = {
            "groups": list(names),
            "assessors": sorted({name for pair in pairs for name in pair}),
            "pairs": sum(kappas["cohen_kappa"] is not None for kappas in cohen),
            "documents": _documents(both) if is_grouped else both[:, DOCUMENTS].sum(),
        }
        suffix = "_mean" if is_grouped else ""
        means = {n + suffix: _mean([own[n] for own in cohen]) for n in cohen[0]}
        rows += _records(about, means, "both")
        if is_grouped and len(names) == 1:
            own = [name for name in groups if groups[name] in names]
            rows += _of_all(both, own, names[0])
    if not is_grouped:
        every = np.concatenate([*grades.values(), nothing])
        rows += _of_all(every, assessors, dataset)
    answered = Rows.selected(database, _ANSWER, {"rows": rows})
    if not is_grouped:
        answered = answered.without("groups", "pairs")
    return Answer("agreement", answered)


def _of_all(counts: Floats, assessors: Sequence[str], group: str) -> list[Record]:
    """Return the statistics of all assessors of a group from the counts of each two."""
    # A document with m grades has m (m - 1) / 2 pairs of them.
    numbers = (1 + np.sqrt(1 + 8 * counts[:, PAIRS])) / 2
    whole = counts[numbers == len(assessors)]
    about: Record = {"groups": [group], "assessors": [*assessors], "pairs": None}
    kappa = {"fleiss_kappa": fleiss_kappa(whole)}
    alphas = krippendorff_alphas(counts, numbers)
    return [
        *_records(about | {"documents": _documents(whole)}, kappa, "all"),
        *_records(about | {"documents": _documents(counts)}, alphas, "two"),
    ]


def _documents(counts: Floats) -> int:
    """Return the number of documents in counts with all pairs of each document."""
    return round((counts[:, DOCUMENTS] / counts[:, PAIRS]).sum())


def _mean(values: list[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def _records(about: Record, values: Values, whom: str) -> list[Record]:
    """Return a row for each value; the first is null if all grades are the same."""
    blank = "the squares of these grades are too large or too small"
    if next(iter(values.values())) is None:
        blank = "all of these grades are the same"
    if not about["documents"]:
        blank = f"no document was judged by {whom}"
    return [
        about | {"statistic": name, "value": v, "remark": blank if v is None else None}
        for name, v in values.items()
    ]


def cohen_kappas(counts: Floats) -> Values:
    """Return kappa and weighted kappa of two assessors, each with own frequencies.

    Cohen 1960, Educational and Psychological Measurement 20(1), 37-46; with squares as
    weights: Cohen 1968, Psychological Bulletin 70(4), 213-220.
    """
    return {
        "cohen_kappa": _beyond_chance(counts),
        "cohen_kappa_quadratic": _beyond_chance(counts, lambda levels, _: levels),
    }


def fleiss_kappa(counts: Floats) -> float | None:
    """Return kappa of assessors who all graded the same documents.

    Fleiss 1971, Psychological Bulletin 76(5), 378-382. Chance draws both grades of a
    pair from those of all assessors.
    """
    return _beyond_chance(_both_ways(counts))


def krippendorff_alphas(counts: Floats, numbers: Floats) -> Values:
    """Return the alphas for grades as names, places in an order, and numbers.

    Krippendorff 2004, Content Analysis, 2nd edition, 11.3. numbers are those of
    the grades that each document of a row has, m: each of their pairs counts
    1 / (m - 1). Chance draws no grade twice. The ordinal difference of two grades is
    the number of grades from the middle of the one level to the middle of the other.
    """
    pairs = _both_ways(counts)
    pairs[:, DOCUMENTS] /= np.tile(numbers - 1, 2)
    n = pairs[:, DOCUMENTS].sum()
    scales: dict[str, Scale | None] = {
        "nominal": None,
        "ordinal": lambda _, shares: shares.cumsum() - shares / 2,
        "interval": lambda levels, _: levels,
    }
    kappas = {name: _beyond_chance(pairs, scale) for name, scale in scales.items()}
    return {
        f"krippendorff_alpha_{name}": k if k is None else 1 - (1 - k) * (n - 1) / n
        for name, k in kappas.items()
    }


def _both_ways(counts: Floats) -> Floats:
    """Return each pair twice, with either grade first."""
    return np.concatenate([counts, counts[:, [PAIRS, OTHER_GRADE, GRADE, DOCUMENTS]]])


def _beyond_chance(counts: Floats, scale: Scale | None = None) -> float | None:
    """Return 1 - D / E, where chance pairs the first grades with the second grades.

    Two grades disagree by the square of their distance on a scale; without one, by 1 if
    they differ. None if all grades are the same, or if no double holds the squares.
    """
    levels: Floats = np.unique(counts[:, [GRADE, OTHER_GRADE]])
    if len(levels) < 2:
        return None
    first, second = (
        np.searchsorted(levels, counts[:, place]) for place in (GRADE, OTHER_GRADE)
    )
    weights: Floats = counts[:, DOCUMENTS] / counts[:, DOCUMENTS].sum()
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
