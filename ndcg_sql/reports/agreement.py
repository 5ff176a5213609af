"""How much assessors agree: Cohen's and Fleiss' kappa, Krippendorff's alpha."""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import combinations, groupby

import numpy as np

from ndcg_sql.comparison.answers import Answer, Record, Rows
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.assessments import (
    assessor_groups,
    chosen_assessments,
    judgments_as_grades,
)
from ndcg_sql.reports.kappas import (
    DOCUMENTS,
    PAIRS,
    Floats,
    Values,
    cohen_kappas,
    fleiss_kappa,
    krippendorff_alphas,
)
from ndcg_sql.requests.comparisons import AgreementRequest
from ndcg_sql.system.messages import Messages

_ANSWER = (
    "select groups, statistic, assessors, pairs::bigint as pairs, documents::bigint as"
    " documents, value::double as value, remark::varchar as remark"
    " from (select unnest($rows, max_depth := 2))"
)


def answer(
    database: Database,
    messages: Messages,  # noqa: ARG001 - there is nothing to report
    request: AgreementRequest,
) -> Answer:
    """Return the agreement of assessors.

    A statistic that is not defined is null, and the remark gives the reason.
    Raises NdcgSqlError where a name is not known or fewer than two judged.
    """
    grouped = request.group_by is not None
    with _chosen(database, request, "agreement") as (dataset, assessors):
        groups = dict.fromkeys(assessors, dataset)
        if grouped:
            groups = assessor_groups(database, request)
        members = [{"assessor": a, "assessor_group": g} for a, g in groups.items()]
        with database.temporary("assessor_groups", ROWS, {"rows": members}):
            counts = database.run("reports/agreement", {"dataset": dataset})
    numbers = {
        pair: np.array([row[2:] for row in rows], float)
        for pair, rows in groupby(counts, lambda row: row[:2])
    }
    rows: list[Record] = []
    of_groups: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for pair in combinations(sorted(groups), 2):
        names = tuple(sorted({groups[name] for name in pair})) if grouped else pair
        of_groups.setdefault(names, []).append(pair)
    for names in sorted(of_groups, key=lambda names: (len(names), names)):
        parts = [numbers.get(pair, np.empty((0, 4))) for pair in of_groups[names]]
        both = np.concatenate(parts)
        kappas = [cohen_kappas(part) for part in parts]
        values = {
            name + "_mean" * grouped: _mean([kappa[name] for kappa in kappas])
            for name in kappas[0]
        }
        about = {
            "groups": list(names),
            "assessors": sorted({name for pair in of_groups[names] for name in pair}),
            "pairs": sum(kappa["cohen_kappa"] is not None for kappa in kappas),
            "documents": _documents(both) if grouped else both[:, DOCUMENTS].sum(),
        }
        rows += _records(about, values, "both")
        if grouped and len(names) == 1:
            rows += _of_all(both, [a for a in groups if groups[a] in names], names[0])
    if not grouped:
        rows += _of_all(
            np.concatenate([*numbers.values(), np.empty((0, 4))]), assessors, dataset
        )
    answered = Rows.selected(database, _ANSWER, {"rows": rows})
    if not grouped:
        answered = answered.without("groups", "pairs")
    return Answer("agreement", request, answered)


def judge_grades(database: Database, request: AgreementRequest) -> Rows:
    """Return the grades of each two assessors for the same documents.

    Raises NdcgSqlError where a name is not known or fewer than two judged.
    """
    with _chosen(database, request, "calibration") as (dataset, assessors):
        parameters = {"dataset": dataset, "assessors": assessors}
        return Rows.of(database, "figures/judge_grades", parameters)


@contextmanager
def _chosen(
    database: Database, request: AgreementRequest, what: str
) -> Generator[tuple[str, list[str]]]:
    """Limit views, while inside, to what a request names; give dataset and assessors.

    what needs two assessors.
    """
    if request.judgment_sets:
        with judgments_as_grades(database, request) as chosen:
            yield chosen
        return
    with chosen_assessments(database, request) as (dataset, _, assessors):
        if len(assessors) < 2:
            raise NdcgSqlError(f"{what} needs two assessors; only one is given")
        yield dataset, assessors


def _of_all(rows: Floats, assessors: list[str], group: str) -> list[Record]:
    """Return the statistics of all assessors of a group from the rows of each two."""
    # A document with m grades has m (m - 1) / 2 pairs of them.
    grades = (1 + np.sqrt(1 + 8 * rows[:, PAIRS])) / 2
    whole = rows[grades == len(assessors)]
    about: Record = {"groups": [group], "assessors": assessors, "pairs": None}
    kappa = {"fleiss_kappa": fleiss_kappa(whole)}
    alphas = krippendorff_alphas(rows, grades)
    return [
        *_records(about | {"documents": _documents(whole)}, kappa, "all"),
        *_records(about | {"documents": _documents(rows)}, alphas, "two"),
    ]


def _documents(rows: Floats) -> int:
    """Return the number of documents in rows with all pairs of each document."""
    return round((rows[:, DOCUMENTS] / rows[:, PAIRS]).sum())


def _mean(values: list[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def _records(about: Record, values: Values, whom: str) -> list[Record]:
    """Return a row for each value; the first is null if all grades are the same."""
    null = "the squares of these grades are too large or too small"
    if next(iter(values.values())) is None:
        null = "all of these grades are the same"
    if not about["documents"]:
        null = f"no document was judged by {whom}"
    return [
        about | {"statistic": name, "value": v, "remark": null if v is None else None}
        for name, v in values.items()
    ]
