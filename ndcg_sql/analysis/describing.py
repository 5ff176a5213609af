"""What a run is, and what of it is judged."""

from ndcg_sql.analysis.answers import Answer, Rows
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import choose_entry, judgment_sets, judgments_of
from ndcg_sql.evaluation.external import external_runs
from ndcg_sql.requests.questions import DescribeRequest
from ndcg_sql.system.messages import Messages


def answer(
    database: Database,
    messages: Messages,  # noqa: ARG001 - there is nothing to report
    request: DescribeRequest,
) -> Answer:
    """Return a description of a run.

    Without any judgments in the dataset, what depends on them is null.
    """
    entry = choose_entry(database, "run", request.run, request.dataset)
    judgments, judgment_set_id = request.judgments, None
    external = external_runs(database).get(entry.id)
    if external and judgments is None:
        judgments = external.judgment_set
    if judgments or any(s.dataset == entry.dataset for s in judgment_sets(database)):
        [(_, judgment_set_id)] = judgments_of(database, [entry], judgments)
    ids = {"run_id": entry.id, "judgment_set_id": judgment_set_id}
    return Answer("run", request, Rows.of(database, "reports/description", ids))
