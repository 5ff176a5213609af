"""How much assessors agree: Cohen's and Fleiss' kappa, Krippendorff's alpha."""

from ndcg_sql.analysis.answers import Answer, Rows
from ndcg_sql.database.database import Database, Parameters
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
    return Answer("agreement", request, _rows(database, request, "reports/agreement"))


def judge_grades(database: Database, request: AgreementRequest) -> Rows:
    """Return the grades of each two assessors for the same documents.

    Raises NdcgSqlError where a name is not known or fewer than two judged.
    """
    return _rows(database, request, "figures/judge_grades", "calibration")


def _rows(
    database: Database, request: AgreementRequest, file: str, what: str = "agreement"
) -> Rows:
    if request.judgment_sets:
        with judgments_as_assessments(database, request) as (dataset, names):
            parameters: Parameters = {"dataset": dataset, "assessors": names}
            return Rows.of(database, file, parameters)
    with chosen_assessments(database, request) as (dataset, _, assessors):
        if len(assessors) < 2:
            raise NdcgSqlError(f"{what} needs two assessors; only one is given")
        if request.group_by is not None:
            with assessor_groups(database, request):
                return Rows.of(database, "reports/agreement_by_group")
        parameters = {"dataset": dataset, "assessors": assessors}
        return Rows.of(database, file, parameters)
