"""How the value of a query is computed, for one run, or for two side by side."""

from collections.abc import Sequence

from ndcg_sql.comparison import comparison
from ndcg_sql.comparison.answers import Answer, Rows, with_titles
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import warnings
from ndcg_sql.evaluation.entries import check_rankings, choose_entry, judgments_of
from ndcg_sql.evaluation.entries import runs as stored_runs
from ndcg_sql.evaluation.fitting import fitting
from ndcg_sql.evaluation.question import Question
from ndcg_sql.evaluation.registry import registered
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import Batch, Measuring, Pair
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.measures.systems import System, find
from ndcg_sql.requests.fields import stated
from ndcg_sql.requests.questions import ExplainRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import harmless, listed, quoted, sql_text
from ndcg_sql.wording import Text, call, named, use

# The families whose values are computed from gains, next to an ideal ranking.
GAINS = ("nDCG", "DCG", "IDCG")


def answer(database: Database, messages: Messages, request: ExplainRequest) -> Answer:
    """Return a query's ranking, position by position, or two, and what moved."""
    _check_order(database, request)
    if request.against is not None:
        return _against(database, request.against, request)
    question = resolve(database, messages, request)
    steps = rows(database, question, request.query)
    by_terms = _is_by_terms(question.measures)
    name = "terms" if by_terms else "positions"
    return Answer(name, request, steps, {"measures": question.measures})


def _check_order(database: Database, request: ExplainRequest) -> None:
    names = {run.name for run in stored_runs(database)}
    if request.run not in names and request.query in names:
        options = stated(ExplainRequest, request)
        raise NdcgSqlError(
            f"{quoted(request.query)} is a run, and {quoted(request.run)} is none; the"
            " run comes first, then the query",
            call("explain", request.query, request.run, **options),
        )


def _against(database: Database, baseline: str, request: ExplainRequest) -> Answer:
    """Return two rankings of a query side by side, by one nDCG or DCG."""
    if request.like is not None:
        raise NdcgSqlError(
            "cannot be combined with " + named("like"),
            "name a measure: " + named("measures"),
            where=named("against"),
        )
    # The default depends on the judgment set, which any measure serves to find.
    measures = choose(database, request.measures or ["nDCG"], [], run=request.run)
    if len(measures) > 1 or measures[0].family.name not in ("nDCG", "DCG"):
        remedy = "name it: " + use(measures="nDCG@10")
        if _is_by_terms(measures):
            remedy += f"; for {measures[0].name}, explain one run after the other"
        raise NdcgSqlError("shows one nDCG or DCG", remedy, where=named("against"))
    question = comparison.resolve(database, baseline, [request.run], request, measures)
    check_rankings(question.runs, "explain")
    if not request.measures:
        measures = choose(database, [], question.pairs)
    [measure] = measures
    parameters = {
        "run_id": question.candidates[0].id,
        "other_run_id": question.baseline.id,
        "judgment_set_id": question.judgment_set_id,
        "query_id": request.query,
        "measure": measure.name,
        "normalized": measure.family.name == "nDCG",
        "dataset": question.baseline.dataset,
    }
    _check_query(database, parameters)
    with known_values(database, measures, question.pairs, with_values=False):
        steps = _computed(
            database, "ndcg_steps", measures, question.pairs, request.query
        )
        moves = sql_files.read("reports/explain_against")
        rows = Rows.selected(database, f"with steps as ({steps}) {moves}", parameters)
    rows = with_titles(database, rows, [question.baseline.dataset])
    about = {"runs": [run.name for run in question.runs], "measure": measure.name}
    return Answer("moves", request, rows, about)


def choose(
    database: Database,
    names: Sequence[str],
    pairs: Sequence[Pair],
    like: System | None = None,
    run: str | None = None,
) -> list[Measure]:
    """Return the measures to explain: those named, or the first nDCG.

    That one must fit the judgment set of any of the pairs. With like, they are
    one measure and its equivalent in that system. For others, a refusal says how the
    run, or else all runs, are reported.
    """
    if not names:
        usual = [m for name in registered(database) for m in parse(name)]
        fits = fitting(database, {set_id for _, set_id in pairs}).anywhere
        ndcg = [m.name for m in usual if m.family.name == "nDCG" and m.name in fits]
        names = (ndcg or ["nDCG@10"])[:1]
    measures = parse(" ".join(names))
    if like and len(measures) > 1:
        raise NdcgSqlError(
            f"compares one measure with that of {like.name}",
            "name one: " + use(measures="nDCG@10"),
            where=use(like=like.name),
        )
    if like:
        measures = distinct([*measures, *like.measures(names)])
    if len(measures) > 2:
        raise NdcgSqlError(
            f"explain shows one measure, or two side by side, but not {len(measures)};"
            " omit some"
        )
    for measure in measures:
        if measure.family.is_of_runs:
            of_run = {"measures": measure.name} | ({} if run is None else {"runs": run})
            raise NdcgSqlError(
                "rests on all that the run shows, so no query has a value",
                Text("for its value of a run as a whole: ", call("report", **of_run)),
                where=f"measure {quoted(measure.name)}",
            )
    if len({measure.family.name for measure in measures}) > 1:
        what = listed(measure.name for measure in measures)
        raise NdcgSqlError(
            f"explain shows two forms of one measure side by side, but not {what};"
            " name, for example, two nDCG"
        )
    return measures


def _is_by_terms(measures: Sequence[Measure]) -> bool:
    return measures[0].family.name not in GAINS


def _computed(
    database: Database,
    root: str,
    measures: Sequence[Measure],
    pairs: Sequence[Pair],
    query_id: str,
) -> str:
    """Return the select of a relation of the chain for one query of some runs."""
    families = {measure.name: measure.family.name for measure in measures}
    runs = tuple(run_id for run_id, _ in pairs)
    batch = Batch(pairs[0][1], runs, f"query_id = {sql_text(query_id)}")
    return Measuring(database, families).select(root, batch.conditions)


def _check_query(database: Database, parameters: Parameters) -> None:
    """Raise NdcgSqlError for a query that is not judged."""
    answered, judged = database.run("lookups/query_known", parameters)[0]
    if judged:
        return
    what = f"query {quoted(parameters['query_id'])}: "
    if answered:
        raise NdcgSqlError(what + "not judged")
    queries = [
        quoted(query_id) + (f" ({harmless(text)})" if text else "")
        for query_id, text in database.run("lookups/nearest_queries", parameters)
    ]
    hint = f"did you mean {', '.join(queries)}?" if queries else ""
    raise NdcgSqlError(what + "neither in the run nor judged", hint)


def resolve(
    database: Database, messages: Messages, request: ExplainRequest
) -> Question:
    """Return the question that explain answers: one run, and one measure or two.

    Reports which conventions are followed. Raises NdcgSqlError where a name is
    not known, or where explain cannot show a measure.
    """
    entry = choose_entry(database, "run", request.run, request.dataset)
    check_rankings([entry], "explain")
    pairs = judgments_of(database, [entry], request.judgments)
    like = None if request.like is None else find(request.like)
    measures = choose(database, request.measures, pairs, like, request.run)
    if like:
        warnings.tell_like(database, messages, like, measures[-1:], pairs)
    return Question(tuple(measures), (entry,), tuple(pairs))


def rows(database: Database, question: Question, query_id: str) -> Rows:
    """Return a query's ranking, position by position.

    Several measures follow each other; a single one of gains is not named.
    """
    [pair] = question.pairs
    parameters: Parameters = {
        "run_id": pair[0],
        "judgment_set_id": pair[1],
        "query_id": query_id,
        "measures": [measure.name for measure in question.measures],
        "dataset": question.runs[0].dataset,
    }
    _check_query(database, parameters)
    by_terms = _is_by_terms(question.measures)
    root = "explained_terms" if by_terms else "ndcg_steps"
    report = sql_files.read(f"reports/{'explain_terms' if by_terms else 'explain'}")
    with known_values(database, question.measures, [pair], with_values=False):
        steps = _computed(database, root, question.measures, [pair], query_id)
        select = f"with steps as ({steps}) {report}"
        shown = Rows.selected(database, select, parameters)
    if by_terms and "subtopics" not in question.measures[0].family.needs:
        shown = shown.without("subtopics")
    shown = with_titles(database, shown, (run.dataset for run in question.runs))
    is_named = by_terms or len(question.measures) > 1
    return shown if is_named else shown.without("measure")
