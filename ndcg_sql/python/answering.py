"""Requests answered: which analysis answers which, and what goes with it."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from ndcg_sql.analysis.answers import Answer
from ndcg_sql.database.database import Database
from ndcg_sql.requests.questions import (
    AgreementRequest,
    ChangesRequest,
    CheckRequest,
    CompareRequest,
    ContentsRequest,
    DescribeRequest,
    ExplainRequest,
    GateRequest,
    HistoryRequest,
    LeaderboardRequest,
    OverlapRequest,
    PoolRequest,
    ReportRequest,
    UnjudgedRequest,
)
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.output_files import check_target
from ndcg_sql.wording import use

# The module of ndcg_sql.analysis whose function answer takes a request. They are
# imported when they are needed: statistics load slowly.
_MODULES: dict[type[Request], str] = {
    AgreementRequest: "agreement",
    ChangesRequest: "changes",
    CheckRequest: "integrity",
    CompareRequest: "comparing",
    ContentsRequest: "contents",
    DescribeRequest: "describing",
    ExplainRequest: "explain",
    GateRequest: "gating",
    HistoryRequest: "history",
    LeaderboardRequest: "leaderboard",
    OverlapRequest: "overlap",
    PoolRequest: "pools",
    ReportRequest: "report",
    UnjudgedRequest: "unjudged",
}


def answer(database: Database, messages: Messages, request: Request) -> Answer:
    """Return what answers a request; write its JUnit file, if it has any.

    Raises NdcgSqlError where a name is not known, and before anything is computed
    if the page or the JUnit file cannot be written.
    """
    html: Path | None = getattr(request, "html", None)
    if html is not None:
        from ndcg_sql.output.html.writing import check_page

        check_page(html, getattr(request, "force", False))
    junit: Path | None = getattr(request, "junit", None)
    if junit is not None:
        check_target(junit, use(junit=str(junit)))
    module = import_module(f"ndcg_sql.analysis.{_MODULES[type(request)]}")
    respond: Callable[[Database, Messages, Request], Answer] = module.answer
    found = respond(database, messages, request)
    if junit is not None:
        from ndcg_sql.output import gate_results
        from ndcg_sql.output.writing import delivered

        own, shown = Path(database.path), use(junit=str(junit))
        with delivered(own, junit, shown=shown) as path:
            path.write_bytes(gate_results.junit(found.about["verdict"]))
    return found


def write_page(database: Database, answer: Answer, command: str) -> None:
    """Write the page of an answer, if its request asks for one.

    command is what the page says that it was asked for by.
    """
    html: Path | None = getattr(answer.request, "html", None)
    if html is not None:
        from ndcg_sql.output.html import writing

        writing.write_page(database, html, command, answer)
