"""The values of runs, as means, by slice or by query."""

import math
from contextlib import AbstractContextManager, suppress
from dataclasses import replace

from ndcg_sql.comparison import replicates
from ndcg_sql.comparison.answers import Answer, Rows
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import (
    Question,
    answered,
    combined,
    resolve,
    sliced,
)
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, joined, use

# The columns of sql/reports/report*.sql.
COLUMNS = (
    *("run", "judgment_set", "dataset", "slice", "measure", "query_id"),
    *("value", "weighted_value", "n", "weighted_n", "answered", "unanswered"),
    *("no_relevant", "unjudged_queries", "judged_at_k", "judged_depth"),
    *("known_at_k", "standard_error", "nothing_relevant"),
)
# Those of sql/reports/report_over.sql besides.
_OVER = ("system", "deviation", "least", "greatest", "replicates")


def means(
    database: Database,
    messages: Messages,
    scope: Scope,
    sort: str | None = None,
    limit: int | None = None,
) -> Answer:
    """Return the means of runs.

    With attributes of queries, there is a row for each combination of their
    values, which are columns of those names. Reports which runs are left out, and
    what the judgments lack. Raises NdcgSqlError where a name is not known.
    """
    question = resolve(database, messages, scope, COLUMNS)
    with answered(database, messages, question):
        wanted = _selected(database, messages, question, sort, limit)
        rows = rows_of(database, wanted, per_query=False)
    return Answer("values", rows, scope, {"question": _leading(wanted, sort)})


def by_query(
    database: Database,
    messages: Messages,
    scope: Scope,
    sort: str | None = None,
    limit: int | None = None,
    worst: int | None = None,
) -> Answer:
    """Return the values of runs by query, of all or of each run's worst queries."""
    question = resolve(database, messages, scope, COLUMNS)
    question = question.of_queries(messages, "a report by query")
    with answered(database, messages, question):
        wanted = _selected(database, messages, question, sort, limit)
        rows = rows_of(database, wanted, per_query=True)
        if worst is not None:
            parameters = {**wanted.parameters, "count": worst}
            with _numbered(database, rows):
                rows = Rows.of(database, "reports/worst_queries", parameters)
    about = {"question": _leading(wanted, sort), "worst": worst}
    return Answer("values by query", rows, scope, about)


def rows_of(database: Database, question: Question, per_query: bool) -> Rows:
    """Return the rows of a report where its values are known."""
    by, parameters = question.by, {**question.parameters, "sliced": bool(question.by)}
    if per_query:
        with combined(database, by):
            without = () if by else ("slice",)
            return Rows.of(
                database, "reports/report_queries", parameters, by, without=without
            )
    # A row is of a slice, or else of a run.
    dropped = ["unjudged_queries" if by else "slice"]
    with sliced(database, question):
        if not database.execute("from known_documents limit 1"):
            return Rows.of(database, "reports/report", parameters, by, without=dropped)
        rows = Rows.of(database, "reports/report", parameters)
        with _numbered(database, rows):
            rows = Rows.of(database, "reports/report_known", parameters, by)
    sql = f"from {rows.table} where known_at_k is not null limit 1"
    if not database.execute(sql):
        dropped.append("known_at_k")
    return rows.without(*dropped)


def _numbered(database: Database, rows: Rows) -> AbstractContextManager[None]:
    """Return a context in which answer_rows are these, with their numbers."""
    numbered = f"select rowid as row_number, * from {rows.table}"
    return database.hide("answer_rows", numbered)


def over_replicates(
    database: Database, messages: Messages, scope: Scope, tag: str
) -> Answer:
    """Return the means of values over replicates: runs that differ in a tag only.

    With attributes of queries, they are those within each slice. Reports runs
    without the tag. Raises NdcgSqlError where no run has it, where two runs of a
    system have the same value of it, or where they answered different queries.
    """
    question = resolve(database, messages, scope, (*COLUMNS, *_OVER))
    with answered(database, messages, question):
        return Answer("replicates", _over(database, messages, question, tag), scope)


def _over(database: Database, messages: Messages, question: Question, tag: str) -> Rows:
    judged = {run_id for run_id, _ in question.pairs}
    runs = [run for run in question.runs if run.id in judged]
    systems = replicates.systems(database, runs, tag)
    replicates.check_distinct(systems)
    replicates.check_undivided(database, question, systems)
    replicates.tell_sources(database, messages, systems)
    omitted = len(runs) - sum(len(system.runs) for system in systems)
    if omitted:
        messages.tell(
            f"{counted(omitted, 'run')} without the tag {quoted(tag)} omitted"
        )
    tagged = sql_files.composed(replicates.REPLICATES)
    by, parameters = question.by, question.parameters
    with sliced(database, question):
        rows = Rows.of(database, "reports/report", parameters)
    with (
        _numbered(database, rows),
        database.temporary("replicates", tagged, {"over": tag}),
    ):
        leading = ("system", "judgment_set", "dataset")
        file, without = "reports/report_over", () if by else ("slice",)
        return Rows.of(database, file, parameters, by, leading, without)


def _selected(
    database: Database,
    messages: Messages,
    question: Question,
    sort: str | None,
    limit: int | None,
) -> Question:
    """Return the question of the first runs in the order of a measure."""
    datasets = {run.id: run.dataset for run in question.runs}
    pairs = list(question.pairs)
    if sort is not None:
        measure = _sorting(question, sort)
        parameters = {**question.parameters, "measure": measure.name}
        values = dict(database.run("lookups/values_of_runs", parameters))
        # Python's sort keeps the order of runs with equal or without values.
        pairs.sort(key=lambda pair: -values.get(pair[0], -math.inf))
    if limit is not None:
        of_dataset: dict[str, list[Pair]] = {}
        for pair in pairs:
            of_dataset.setdefault(datasets[pair[0]], []).append(pair)
        first = {pair for own in of_dataset.values() for pair in own[:limit]}
        pairs = [pair for pair in pairs if pair in first]
    if len(pairs) < len(question.pairs):
        messages.tell(f"{len(pairs)} of {len(question.pairs)} runs shown")
    return replace(question, pairs=tuple(pairs))


def _leading(question: Question, sort: str | None) -> Question:
    """Return a question whose first measure is the one that runs are sorted by."""
    if sort is None:
        return question
    first = _sorting(question, sort)
    others = (measure for measure in question.measures if measure != first)
    return replace(question, measures=(first, *others))


def _sorting(question: Question, name: str) -> Measure:
    """Return the measure of a name; raise NdcgSqlError if the report has it not."""
    # An unknown measure is refused like one that the report lacks.
    with suppress(NdcgSqlError):
        loaded = {m.name: m for m in question.measures if m.family.is_loaded}
        measures = parse(name, loaded)
        if len(measures) == 1 and measures[0] in question.measures:
            return measures[0]
    choices = [use(sort=measure.name) for measure in question.measures]
    what = "not a measure of this report"
    if name.startswith("weighted"):
        what += ", whose runs are sorted by values without weights"
    raise NdcgSqlError(
        what,
        Text("runs are sorted by one, the highest first: ", joined(choices, " or ")),
        where=use(sort=name),
    )
