"""How the value of a query is computed, for one run, or for two side by side."""

from dataclasses import replace

from ndcg_sql.analysis import comparing, explaining
from ndcg_sql.analysis.answers import Answer, Rows
from ndcg_sql.analysis.comparing import Comparison
from ndcg_sql.analysis.titles import with_titles
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_rankings
from ndcg_sql.evaluation.entries import runs as stored_runs
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.requests.fields import stated
from ndcg_sql.requests.questions import ExplainRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import call, named, use


def answer(database: Database, messages: Messages, request: ExplainRequest) -> Answer:
    """Return a query's ranking, position by position, or two, and what moved."""
    _check_order(database, request)
    if request.against is not None:
        return _against(database, request.against, request)
    question = explaining.resolve(database, messages, request)
    rows = explaining.rows(database, question, request.query)
    by_terms = explaining.is_by_terms(question.measures)
    name = "terms" if by_terms else "positions"
    return Answer(name, request, rows, {"measures": question.measures})


def _check_order(database: Database, request: ExplainRequest) -> None:
    names = {run.name for run in stored_runs(database)}
    if request.run not in names and request.query in names:
        raise NdcgSqlError(
            f"{quoted(request.query)} is a run, and {quoted(request.run)} is none; the"
            " run comes first, then the query",
            call(
                "explain",
                request.query,
                request.run,
                **stated(ExplainRequest, request),
            ),
        )


def _against(database: Database, baseline: str, request: ExplainRequest) -> Answer:
    question = _comparison(database, baseline, request)
    rows = _moves(database, question, request.query)
    about = {
        "runs": [run.name for run in question.runs],
        "measure": question.measures[0].name,
    }
    return Answer("moves", request, rows, about)


def _comparison(
    database: Database, baseline: str, request: ExplainRequest
) -> Comparison:
    """Return the comparison of two rankings that explain shows, by one nDCG or DCG."""
    if request.like is not None:
        raise NdcgSqlError(
            "cannot be combined with " + named("like"),
            "name a measure: " + named("measures"),
            where=named("against"),
        )
    # The default depends on the judgment set, which any measure serves to find.
    named_or_any = request.measures or ["nDCG"]
    measures = explaining.choose(database, named_or_any, [], run=request.run)
    if len(measures) > 1 or measures[0].family.name not in ("nDCG", "DCG"):
        remedy = "name it: " + use(measures="nDCG@10")
        if explaining.is_by_terms(measures):
            remedy += f"; for {measures[0].name}, explain one run after the other"
        raise NdcgSqlError("shows one nDCG or DCG", remedy, where=named("against"))
    runs = [request.run]
    question = comparing.resolve(database, baseline, runs, request, measures)
    check_rankings(question.runs, "explain")
    if not request.measures:
        measures = explaining.choose(database, [], question.pairs)
        question = replace(question, measures=tuple(measures))
    return question


def _moves(database: Database, question: Comparison, query_id: str) -> Rows:
    """Return the documents of two rankings of a query, and what they are worth."""
    measure = question.measures[0]
    parameters = {
        "run_id": question.candidates[0].id,
        "other_run_id": question.baseline.id,
        "judgment_set_id": question.judgment_set_id,
        "query_id": query_id,
        "measure": measure.name,
        "normalized": measure.family.name == "nDCG",
        "dataset": question.baseline.dataset,
    }
    explaining.check_query(database, parameters)
    with known_values(database, [measure], question.pairs, with_values=False):
        rows = Rows.of(database, "reports/explain_against", parameters)
    return with_titles(database, rows, [question.baseline.dataset])
