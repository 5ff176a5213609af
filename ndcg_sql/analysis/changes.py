"""What changed from one judgment set to another: judgments, and values of runs."""

from ndcg_sql.analysis import orders
from ndcg_sql.analysis.answers import Answer, Rows, limited
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    Entry,
    choose_entry,
    choose_runs,
    with_rankings,
)
from ndcg_sql.evaluation.question import (
    Question,
    choose_fitting,
    choose_measures,
    of_queries,
)
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.requests.questions import ChangesRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import named as named_field


def answer(database: Database, messages: Messages, request: ChangesRequest) -> Answer:
    """Return what changed from one judgment set to another.

    It is the means of the same runs, the values of queries that changed, how far the
    order of the runs agrees, or the judgments themselves.
    Raises NdcgSqlError where a name is not known.
    """
    old, new = _choose_sets(database, (request.old, request.new), request.dataset)
    parameters: Parameters = {
        "other_judgment_set_id": old.id,
        "judgment_set_id": new.id,
    }
    added, removed, regraded, queries = database.run(
        "lookups/counted_changes", parameters
    )[0]
    messages.tell(
        f"from {quoted(old.name)} to {quoted(new.name)}: {counted(added, 'judgment')}"
        f" added, {removed} removed, {regraded} regraded in"
        f" {counted(queries, 'query', 'queries')}"
    )
    if request.documents:
        rows = Rows.of(database, "reports/changed_judgments", parameters)
        rows = limited(rows, messages, request.limit)
        return Answer("changes", request, rows)
    measures = choose_measures(database, request.measures)
    runs = choose_runs(database, request.runs, old.dataset)
    runs = with_rankings(messages, runs, request.runs, "changes")
    pairs = [(run.id, entry.id) for run in runs for entry in (old, new)]
    named = request.names_measures
    if not named:
        measures = choose_fitting(database, measures, pairs, messages)
    measures = of_queries(measures, "a change of values", named, messages)
    question = Question(measures, tuple(runs), tuple(pairs))
    run_ids = [run.id for run in runs]
    kind = "values" if request.per_query else "means"
    parameters = {**question.parameters, **parameters, "run_ids": run_ids}
    if request.order and len(runs) < 2:
        raise NdcgSqlError("needs two runs or more", where=named_field("order"))
    with known_values(database, measures, pairs, alone=True, named=named):
        if request.order:
            rows = orders.rows(database, question, parameters)
            return Answer("orders", request, rows)
        rows = Rows.of(database, f"reports/changed_{kind}", parameters)
        rows = limited(rows, messages, request.limit, "run", "measure")
        if not request.per_query:
            for line in orders.lines(database, parameters):
                messages.tell(line)
    return Answer("changes", request, rows)


def _choose_sets(
    database: Database, names: tuple[str, str], dataset: str | None
) -> tuple[Entry, Entry]:
    """Return two judgment sets; raise NdcgSqlError unless they share a dataset."""
    old, new = (choose_entry(database, "judgment set", n, dataset) for n in names)
    if old.dataset != new.dataset:
        raise NdcgSqlError(
            f"judgment set {quoted(old.name)} belongs to dataset"
            f" {quoted(old.dataset)}, {quoted(new.name)} to {quoted(new.dataset)}:"
            " their queries differ"
        )
    if old == new:
        raise NdcgSqlError(
            f"judgment set {quoted(old.name)} is named twice; name another"
        )
    return old, new
