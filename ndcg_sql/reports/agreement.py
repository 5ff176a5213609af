"""How much assessors agree: Cohen's and Fleiss' kappa, Krippendorff's alpha."""

from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql.comparison.answers import Answer, Rows
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.assessments import (
    assessor_groups,
    chosen_assessments,
    judgments_as_assessments,
)
from ndcg_sql.requests.comparisons import AgreementRequest
from ndcg_sql.system.messages import Messages


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
        one = [{"assessor": name, "assessor_group": dataset} for name in assessors]
        with (
            assessor_groups(database, request)
            if grouped
            else database.temporary("assessor_groups", ROWS, {"rows": one})
        ):
            parameters = {"dataset": "" if grouped else dataset, "grouped": grouped}
            rows = Rows.of(database, "reports/agreement", parameters)
    if not grouped:
        rows = rows.without("groups", "pairs")
    return Answer("agreement", request, rows)


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
        with judgments_as_assessments(database, request) as chosen:
            yield chosen
        return
    with chosen_assessments(database, request) as (dataset, _, assessors):
        if len(assessors) < 2:
            raise NdcgSqlError(f"{what} needs two assessors; only one is given")
        yield dataset, assessors
