"""Requests answered and carried out: by which function, and what goes with it."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.database.database import Database
from ndcg_sql.loading.fused import Fused
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.requests import changes, comparisons, loading, questions
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Messages
from ndcg_sql.wording import BEGIN, Part, Phrase, use

# The function that takes a database, messages and a request. They are imported when
# they are needed: statistics load slowly.
QUESTIONS: dict[type[Request], str] = {
    comparisons.AgreementRequest: "reports.agreement.answer",
    comparisons.ChangesRequest: "reports.changes.answer",
    questions.CheckRequest: "reports.integrity.answer",
    comparisons.CompareRequest: "comparison.compare.answer",
    questions.ContentsRequest: "reports.contents.answer",
    questions.DescribeRequest: "reports.contents.description",
    questions.EvalRequest: "reports.one_shot.answer",
    questions.ExplainRequest: "reports.explain.answer",
    questions.GainsRequest: "reports.contents.gains",
    comparisons.GateRequest: "comparison.gate.answer",
    questions.HistoryRequest: "reports.history.answer",
    comparisons.LeaderboardRequest: "comparison.leaderboard.answer",
    questions.MeasuresRequest: "reports.contents.measures",
    comparisons.OverlapRequest: "reports.overlap.answer",
    questions.PoolRequest: "reports.unjudged.pool",
    questions.ReportRequest: "reports.report.answer",
    questions.SchemaRequest: "reports.contents.schema",
    questions.UnjudgedRequest: "reports.unjudged.answer",
}
CHANGES: dict[type, str] = {
    changes.AddGainsRequest: "evaluation.gains.add",
    changes.AddMeasuresRequest: "evaluation.registry.add_measures",
    changes.AdjudicateRequest: "loading.adjudicating.adjudicate",
    changes.EvaluateRequest: "evaluation.question.evaluate_pairs",
    changes.FuseRequest: "loading.fusing.fuse",
    changes.RemoveDatasetRequest: "loading.removing.remove_dataset",
    changes.RemoveDocumentsRequest: "loading.removing.remove_described",
    changes.RemoveKnownRequest: "loading.removing.remove_described",
    changes.RemoveGainsRequest: "evaluation.gains.remove",
    changes.RemoveMeasuresRequest: "evaluation.registry.remove_measures",
    changes.RemoveQueriesRequest: "loading.removing.remove_described",
    changes.RemoveRequest: "loading.removing.remove_named",
    changes.RenameRequest: "loading.labelling.rename",
    changes.TagRequest: "loading.labelling.tag",
    loading.LoadBenchmarkRequest: "loading.benchmarks.load",
    loading.LoadValuesRequest: "loading.values.load",
}
# Changes that make a warehouse where there is none.
MAKERS = (
    changes.AddGainsRequest,
    changes.AddMeasuresRequest,
    loading.LoadBenchmarkRequest,
)
# What makes a warehouse for the others, where that is no judgment set.
_FIRST: dict[type, Part] = {changes.FuseRequest: Phrase("begin with a run")}
# Those whose functions return what they loaded.
_LOADS = (loading.LoadBenchmarkRequest, loading.LoadValuesRequest)


def _function(path: str) -> Callable[[Database, Messages, object], Any]:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"ndcg_sql.{module}"), name)


def first(request: object) -> Part:
    """Return what makes a warehouse that a request can change."""
    return _FIRST.get(type(request), BEGIN)


def change(database: Database, messages: Messages, request: object) -> list[LoadedItem]:
    """Change a warehouse as a request says; return what was loaded.

    Raises NdcgSqlError, and changes nothing, where that is not possible.
    """
    loaded = _function(CHANGES[type(request)])(database, messages, request)
    return loaded if isinstance(request, _LOADS) else []


def fuse(database: Database, messages: Messages, request: changes.FuseRequest) -> Fused:
    """Make a run of runs as a request says; return how it was made."""
    return _function(CHANGES[changes.FuseRequest])(database, messages, request)


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
        from ndcg_sql.output.writing import check_file

        check_file(junit, "junit", use(junit=str(junit)))
    reply: Answer = _function(QUESTIONS[type(request)])(database, messages, request)
    if junit is not None:
        from ndcg_sql.output import gate_results
        from ndcg_sql.output.writing import delivered

        warehouse, shown = Path(database.path), use(junit=str(junit))
        with delivered(warehouse, junit, shown=shown) as path:
            path.write_bytes(gate_results.junit(reply.about["verdict"]))
    return reply


def write_page(database: Database, answer: Answer, command: str) -> None:
    """Write the page of an answer, if its request asks for one.

    command is what the page says that it was asked for by.
    """
    html: Path | None = getattr(answer.request, "html", None)
    if html is not None:
        from ndcg_sql.output.html import writing

        writing.write_page(database, html, command, answer)
