"""What is in the warehouse."""

from ndcg_sql.analysis.answers import Answer, Rows
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import check_dataset
from ndcg_sql.requests.questions import ContentsRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.wording import Blank, call

_FILE = Blank("FILE")


def answer(database: Database, messages: Messages, request: ContentsRequest) -> Answer:
    """Return the judgment sets, assessments and runs, of one dataset or of all."""
    check_dataset(database, request.dataset)
    rows = Rows.of(database, "reports/contents", {"dataset": request.dataset})
    if not request.with_tags:
        rows = rows.without("tags")
    if not len(rows):
        messages.tell(
            "no judgments, assessments or runs; load some: "
            + call("load_judgments", _FILE)
            + ", "
            + call("load_run", _FILE)
        )
    return Answer("contents", request, rows)
