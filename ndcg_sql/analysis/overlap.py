"""How similar two runs are, and what each finds alone."""

from ndcg_sql.analysis.answers import Answer, Rows
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import choose_entry
from ndcg_sql.evaluation.external import check_rankings
from ndcg_sql.requests.questions import OverlapRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted


def answer(
    database: Database,
    messages: Messages,  # noqa: ARG001 - there is nothing to report
    request: OverlapRequest,
) -> Answer:
    """Return the rank-biased overlap of two runs.

    p is the probability that a reader goes on to the next document (Webber, Moffat &
    Zobel 2010, ACM TOIS 28(4)).
    """
    run, other = (
        choose_entry(database, "run", name, request.dataset)
        for name in (request.run, request.other)
    )
    if run.id == other.id:
        raise NdcgSqlError(f"run {quoted(run.name)} is named twice", "name another")
    if run.dataset != other.dataset:
        raise NdcgSqlError(
            f"run {quoted(run.name)} belongs to dataset {quoted(run.dataset)}, run"
            f" {quoted(other.name)} to {quoted(other.dataset)}: their queries differ"
        )
    check_rankings(database, [run.id, other.id], "overlap")
    parameters = {"run_id": run.id, "other_run_id": other.id, "p": request.p}
    queries = sql_files.read("reports/overlap_queries")
    file = "overlaps_by_query" if request.per_query else "overlap"
    names = {"run": run.name, "other_run": other.name}
    with database.temporary("overlap_queries", queries, parameters):
        rows = Rows.of(database, f"reports/{file}", names)
    return Answer("overlap", request, rows)
