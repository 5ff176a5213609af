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
from ndcg_sql.evaluation.fitting import fitting_any
from ndcg_sql.evaluation.question import Question
from ndcg_sql.evaluation.registry import loaded_measures, registered_measures
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import Batch, Measuring, Pair
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.measures.systems import System, find
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import harmless, listed, quoted, sql_text
from ndcg_sql.wording import Text, call, named, use

# The families whose values are computed from gains, next to an ideal ranking.
GAINS = ("nDCG", "DCG", "IDCG")


def explain(
    database: Database,
    messages: Messages,
    run: str,
    query: str,
    scope: Scope,
    against: str | None = None,
) -> Answer:
    """Return a query's ranking, position by position, or two, and what moved."""
    names = {run.name for run in stored_runs(database)}
    if run not in names and query in names:
        raise NdcgSqlError(
            f"{quoted(query)} is a run, and {quoted(run)} is none; the run comes first,"
            " then the query",
            call("explain", query, run),
        )
    if against is not None:
        return _against(database, messages, against, run, query, scope)
    question = resolve(database, messages, run, scope)
    name = "terms" if _is_by_terms(question.measures[0]) else "positions"
    steps = rows(database, question, query)
    warnings.tell_newest(database, messages, question.pairs, scope.judgments)
    return Answer(name, steps, scope, {"measures": question.measures})


def resolve(database: Database, messages: Messages, run: str, scope: Scope) -> Question:
    """Return the question that explain answers: one run, and one measure or two.

    Reports which conventions are followed. Raises NdcgSqlError where a name is
    not known, or where explain cannot show a measure.
    """
    entry = choose_entry(database, "run", run, scope.dataset)
    check_rankings([entry], "explain")
    pairs = judgments_of(database, [entry], scope.judgments)
    like = None if scope.like is None else find(scope.like)
    measures = choose(database, scope.measures, pairs, like, run)
    if like:
        warnings.tell_like(database, messages, like, measures[-1:], pairs)
    return Question(tuple(measures), (entry,), tuple(pairs))


def rows(database: Database, question: Question, query_id: str) -> Rows:
    """Return a query's ranking, position by position.

    Several measures follow each other; a single one of gains is not named.
    """
    [pair], first = question.pairs, question.measures[0]
    parameters: Parameters = {
        "run_id": pair[0],
        "judgment_set_id": pair[1],
        "query_id": query_id,
        "measures": [measure.name for measure in question.measures],
        "dataset": question.runs[0].dataset,
    }
    if _is_by_terms(first):
        steps = _steps(
            database, question, "explained_terms", "explain_terms", parameters
        )
        return (
            steps if "subtopics" in first.family.needs else steps.without("subtopics")
        )
    steps = _steps(database, question, "ndcg_steps", "explain", parameters)
    return steps if len(question.measures) > 1 else steps.without("measure")


def _against(
    database: Database,
    messages: Messages,
    baseline: str,
    run: str,
    query: str,
    scope: Scope,
) -> Answer:
    """Return two rankings of a query side by side, by one nDCG or DCG."""
    # The default depends on the judgment set, which any measure serves to find.
    measures = choose(database, scope.measures or ["nDCG"], [], run=run)
    if len(measures) > 1 or measures[0].family.name not in ("nDCG", "DCG"):
        remedy = "name it: " + use(measures="nDCG@10")
        if _is_by_terms(measures[0]):
            remedy += f"; for {measures[0].name}, explain one run after the other"
        raise NdcgSqlError("shows one nDCG or DCG", remedy, where=named("against"))
    question = comparison.resolve(database, baseline, [run], scope, measures)
    check_rankings(question.runs, "explain")
    [measure] = measures if scope.measures else choose(database, [], question.pairs)
    parameters: Parameters = {
        "run_id": question.candidates[0].id,
        "other_run_id": question.baseline.id,
        "judgment_set_id": question.judgment_set_id,
        "query_id": query,
        "measure": measure.name,
        "normalized": measure.family.name == "nDCG",
        "dataset": question.baseline.dataset,
    }
    shown = Question((measure,), question.runs, question.pairs)
    moves = _steps(database, shown, "ndcg_steps", "explain_against", parameters)
    warnings.tell_newest(database, messages, question.pairs, scope.judgments)
    about = {"runs": [run.name for run in question.runs], "measure": measure.name}
    return Answer("moves", moves, scope, about)


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
        usual = registered_measures(database)
        fits = fitting_any(database, {set_id for _, set_id in pairs})
        ndcg = [m.name for m in usual if m.family.name == "nDCG" and m.name in fits]
        names = (ndcg or ["nDCG@10"])[:1]
    measures = parse(" ".join(names), loaded_measures(database))
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
        if measure.family.is_loaded:
            raise NdcgSqlError(
                f"was loaded from {measure.family.source}, so it has no parts that the"
                " warehouse knows",
                Text(
                    "for its values: ",
                    call("report", measures=measure.name, per_query=True),
                ),
                where=f"measure {quoted(measure.name)}",
            )
        if measure.family.is_of_runs:
            of_run = {"measures": measure.name} | ({} if run is None else {"runs": run})
            raise NdcgSqlError(
                "depends on all that the run shows, so no query has a value",
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


def _is_by_terms(measure: Measure) -> bool:
    return measure.family.name not in GAINS


def _steps(
    database: Database,
    question: Question,
    root: str,
    report: str,
    parameters: Parameters,
) -> Rows:
    """Return the rows of a report on one query's rows of a relation of the chain.

    Raises NdcgSqlError for a query that is not judged.
    """
    query_id: str = parameters["query_id"]
    [(is_answered, is_judged)] = database.run("lookups/query_known", parameters)
    if not is_judged and is_answered:
        raise NdcgSqlError(f"query {quoted(query_id)}: not judged")
    if not is_judged:
        near = database.run("lookups/nearest_queries", parameters)
        queries = [
            quoted(q) + (f" ({harmless(text)})" if text else "") for q, text in near
        ]
        hint = f"did you mean {', '.join(queries)}?" if queries else ""
        what = f"query {quoted(query_id)}: neither in the run nor judged"
        raise NdcgSqlError(what, hint)
    families = {measure.name: measure.family.name for measure in question.measures}
    runs = tuple(run_id for run_id, _ in question.pairs)
    batch = Batch(question.pairs[0][1], runs, f"query_id = {sql_text(query_id)}")
    with known_values(database, question.measures, question.pairs, with_values=False):
        steps = Measuring(database, families).select(root, batch.conditions)
        select = f"with steps as ({steps}) {sql_files.read(f'reports/{report}')}"
        shown = Rows.selected(database, select, parameters)
    return with_titles(database, shown, (run.dataset for run in question.runs))
