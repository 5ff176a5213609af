"""How far assessors agree: Cohen's and Fleiss' kappa, Krippendorff's alpha.

The statistics are those of statsmodels and krippendorff, which only this needs.
"""

import importlib
import itertools
import math
import sys
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, cast

from ndcg_sql.assessing import chosen_assessments
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reports import OUTPUT
from ndcg_sql.warehouse import Warehouse

_COLUMNS = (
    "statistic varchar, assessors varchar[], documents bigint, value double,"
    " remark varchar"
)
_LEVELS = ("nominal", "ordinal", "interval")
_ALIKE = "all of these grades are the same"


@contextmanager
def agreement(
    warehouse: Warehouse,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
) -> Generator[None]:
    """Put how far assessors agree into the table OUTPUT, which lives inside.

    A statistic that makes no sense is null, with a remark that says why.
    Raises NdcgSqlError where a name is not known or fewer than two judged.
    """
    with chosen_assessments(warehouse, names, assessors, dataset) as chosen:
        where, _, who = chosen
        if len(who) < 2:
            raise NdcgSqlError("agreement takes two assessors; there is only one")
        found = warehouse.run("reports/assessor_grades", {"dataset": where})
    grades: dict[str, dict[tuple[str, str], float]] = {name: {} for name in who}
    for assessor, query, document, grade in found:
        grades[assessor][query, document] = grade
    warehouse.execute(f"create temp table {OUTPUT} ({_COLUMNS})")
    try:
        for pair in itertools.combinations(who, 2):
            own = [grades[name] for name in pair]
            _note(warehouse, "cohen_kappa", pair, *_cohen(own, False))
            _note(warehouse, "cohen_kappa_quadratic", pair, *_cohen(own, True))
        _note(warehouse, "fleiss_kappa", who, *_fleiss(list(grades.values())))
        for level in _LEVELS:
            name = f"krippendorff_alpha_{level}"
            _note(warehouse, name, who, *_alpha(list(grades.values()), level))
        yield
    finally:
        warehouse.execute(f"drop table {OUTPUT}")


Grades = dict[tuple[str, str], float]
Statistic = tuple[int, float | None, str | None]


def _note(
    warehouse: Warehouse,
    statistic: str,
    assessors: Sequence[str],
    documents: int,
    value: float | None,
    remark: str | None,
) -> None:
    """Add a row to what is told."""
    row = {
        "statistic": statistic,
        "assessors": list(assessors),
        "documents": documents,
        "value": value,
        "remark": remark,
    }
    places = ", ".join(f"${column}" for column in row)
    warehouse.execute(f"insert into {OUTPUT} values ({places})", row)


def _library(name: str) -> Any:
    """Return a module that the base install goes without."""
    # The command line keeps DuckDB from importing pandas; statsmodels needs it.
    if cast("ModuleType | None", sys.modules.get("pandas", sys)) is None:
        del sys.modules["pandas"]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NdcgSqlError(
            f"agreement takes {error.name}, which is not installed: pip install"
            " 'ndcg-sql[agreement]'"
        ) from error


def _shared(own: Sequence[Grades]) -> list[tuple[float, ...]]:
    """Return the grades of the documents that all of the assessors graded."""
    keys = [key for key in own[0] if all(key in other for other in own)]
    return [tuple(grades[key] for grades in own) for key in keys]


def _settled(documents: int, value: float) -> Statistic:
    """Return a statistic, or that chance alone explains that all grades are alike."""
    if math.isnan(value):
        return documents, None, _ALIKE
    return documents, float(value), None


def _cohen(own: Sequence[Grades], quadratic: bool) -> Statistic:
    """Return Cohen's kappa of two assessors (1960; weighted: 1968)."""
    rows = _shared(own)
    if not rows:
        return 0, None, "no document was judged by both"
    levels = sorted({grade for row in rows for grade in row})
    if len(levels) == 1:
        return len(rows), None, _ALIKE
    counts = Counter(rows)
    table = [[counts[a, b] for b in levels] for a in levels]
    raters = _library("statsmodels.stats.inter_rater")
    distances: Any = None
    if quadratic:
        numpy = _library("numpy")
        # Weights go by the grades themselves, not by their numbers in order.
        distances = numpy.subtract.outer(levels, levels) ** 2
    found = raters.cohens_kappa(table, weights=distances, return_results=False, wt=None)
    return _settled(len(rows), found)


def _fleiss(own: Sequence[Grades]) -> Statistic:
    """Return Fleiss' kappa (1971) over the documents that all assessors graded."""
    rows = _shared(own)
    if not rows:
        return 0, None, "no document was judged by all"
    levels = sorted({grade for row in rows for grade in row})
    if len(levels) == 1:
        return len(rows), None, _ALIKE
    table = [[row.count(level) for level in levels] for row in rows]
    raters = _library("statsmodels.stats.inter_rater")
    return _settled(len(rows), raters.fleiss_kappa(table))


def _alpha(own: Sequence[Grades], level: str) -> Statistic:
    """Return Krippendorff's alpha over the documents that two or more graded."""
    keys = dict.fromkeys(key for grades in own for key in grades)
    several = [k for k in keys if sum(k in grades for grades in own) > 1]
    if not several:
        return 0, None, "no document was judged by two"
    rows = [[grades.get(key, math.nan) for key in several] for grades in own]
    levels = {grade for row in rows for grade in row if not math.isnan(grade)}
    if len(levels) == 1:
        return len(several), None, _ALIKE
    alpha = _library("krippendorff").alpha
    found = alpha(reliability_data=rows, level_of_measurement=level)
    return _settled(len(several), found)
