"""How the value of a query is computed, for one run, or for two side by side."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Answer, Context, Rows, with_titles
from ndcg_sql.comparison.comparison import comparison
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_rankings, choose_entry, judgments_of, runs
from ndcg_sql.evaluation.fitting import fitting_any
from ndcg_sql.evaluation.measuring import Batch, Measuring, Pair
from ndcg_sql.evaluation.question import Question
from ndcg_sql.evaluation.registry import loaded_measures, registered_measures
from ndcg_sql.evaluation.warnings import tell_like, tell_newest
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.measures.systems import System, find
from ndcg_sql.options import Scope
from ndcg_sql.text import harmless, listed, quoted, sql_text
from ndcg_sql.wording import call, named, use

# The families whose values are computed from gains, next to an ideal ranking.
GAINS = ("nDCG", "DCG", "IDCG")


def explain(
    context: Context, run: str, query: str, scope: Scope, against: str | None = None
) -> Answer:
    """Return a query's ranking, position by position, or two, and what moved."""
    database = context.database
    names = {entry.name for entry in runs(database, scope.dataset)}
    if run not in names and query in names:
        what = f"no run {quoted(run)}; the run comes before the query"
        raise NdcgSqlError(what, call("explain", query, run))
    if against is None:
        question = resolve(context, run, scope)
        name = "terms" if _is_by_terms(question.measures[0]) else "positions"
        steps = rows(question, query)
        about: Parameters = {"measures": question.measures}
    else:
        question = _against(context, against, run, scope)
        name, [measure] = "moves", question.measures
        ids = dict(zip(("other_run_id", "run_id"), question.runs, strict=False))
        parameters = {key: entry.id for key, entry in ids.items()} | {
            "measure": measure.name,
            "normalized": measure.family.name == "nDCG",
        }
        steps = _steps(question, query, "ndcg_steps", "explain_against", parameters)
        shown = [run.name for run in question.runs]
        about = {"runs": shown, "measure": measure.name}
    tell_newest(*context, question.pairs, scope.judgments)
    return Answer(name, steps, scope, about)


def resolve(context: Context, run: str, scope: Scope) -> Question:
    """Return the question that explain answers: one run, and one measure or two.

    Reports which conventions are followed. Raises NdcgSqlError where a name is
    not known, or where explain cannot show a measure.
    """
    database = context.database
    entry = choose_entry(database, "run", run, scope.dataset)
    check_rankings([entry], "explain")
    pairs = judgments_of(database, [entry], scope.judgments)
    like = None if scope.like is None else find(scope.like)
    measures = choose(database, scope.measures, pairs, like, run)
    if like:
        tell_like(*context, like, measures[-1:], pairs)
    return Question(*context, tuple(measures), (entry,), tuple(pairs))


def rows(question: Question, query_id: str) -> Rows:
    """Return a query's ranking, position by position.

    Several measures follow each other; a single one of gains is not named.
    """
    first, parameters = question.measures[0], {"run_id": question.runs[0].id}
    if _is_by_terms(first):
        by_terms = "explained_terms", "explain_terms"
        steps = _steps(question, query_id, *by_terms, parameters)
        has_subtopics = "subtopics" in first.family.needs
        return steps if has_subtopics else steps.without("subtopics")
    steps = _steps(question, query_id, "ndcg_steps", "explain", parameters)
    return steps if len(question.measures) > 1 else steps.without("measure")


def _against(context: Context, baseline: str, run: str, scope: Scope) -> Question:
    """Return the question of two rankings side by side, by one nDCG or DCG."""
    database = context.database
    # The default depends on the judgment set, which any measure serves to find.
    measures = choose(database, scope.measures or ["nDCG"], [], run=run)
    if len(measures) > 1 or measures[0].family.name not in ("nDCG", "DCG"):
        remedy = "name it: " + use(measures="nDCG@10")
        if _is_by_terms(measures[0]):
            remedy += f"; for {measures[0].name}, explain one run after the other"
        raise NdcgSqlError(
            "compares only nDCG and DCG, one measure at a time",
            remedy,
            where=named("against"),
        )
    about = baseline, [run], scope, None, measures
    compared = comparison(context, *about)
    check_rankings(compared.runs, "explain")
    if not scope.measures:
        measures = choose(database, [], compared.pairs)
    return Question(*context, tuple(measures), compared.runs, compared.pairs)


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
    are_many = len(measures) > (1 if like else 2)
    if like:
        measures = distinct([*measures, *like.measures(names)])
    if are_many or len({measure.family.name for measure in measures}) > 1:
        what = listed(measure.name for measure in measures)
        raise NdcgSqlError(
            "explain shows one measure, or two forms of one side by side, but not"
            f" {what}",
            "name one, or, for example, two nDCG",
        )
    for measure in measures:
        why = "depends on all that the run shows, so no query has a value"
        if measure.family.is_loaded:
            source = f"was loaded from {measure.family.source}"
            why = f"{source}, so it has no parts that the warehouse knows"
        elif not measure.family.is_of_runs:
            continue
        where = f"measure {quoted(measure.name)}"
        fields: dict[str, object] = {"measures": measure.name}
        fields |= {"runs": run} if run else {}
        fields |= {"per_query": True} if measure.family.is_loaded else {}
        values = "for its values: " + call("report", **fields)
        raise NdcgSqlError(why, values, where=where)
    return measures


def _is_by_terms(measure: Measure) -> bool:
    return measure.family.name not in GAINS


def _steps(
    question: Question, query_id: str, root: str, report: str, parameters: Parameters
) -> Rows:
    """Return the rows of a report on one query's rows of a relation of the chain.

    Raises NdcgSqlError for a query that is not judged.
    """
    database, dataset = question.database, question.runs[0].dataset
    families = {measure.name: measure.family.name for measure in question.measures}
    batch = Batch(
        question.pairs[0][1],
        tuple(run_id for run_id, _ in question.pairs),
        f"query_id = {sql_text(query_id)}",
    )
    parameters = {
        "judgment_set_id": batch.judgment_set_id,
        "query_id": query_id,
        "measures": list(families),
        "dataset": dataset,
        **parameters,
    }
    [(is_answered, is_judged)] = database.run("lookups/query_known", parameters)
    if not is_judged:
        where = f"query {quoted(query_id)}"
        if is_answered:
            raise NdcgSqlError("not judged", where=where)
        near = database.run("lookups/nearest_queries", parameters)
        queries = [quoted(q) + (f" ({harmless(t)})" if t else "") for q, t in near]
        hint = f"did you mean {', '.join(queries)}?" if queries else ""
        raise NdcgSqlError("neither in the run nor judged", hint, where=where)
    with question.known_values(with_values=False):
        steps = Measuring(database, families).select(root, batch.conditions)
        select = f"with steps as ({steps}) {sql_files.read(f'reports/{report}')}"
        shown = Rows.selected(database, select, parameters)
    return with_titles(database, shown, [dataset])
