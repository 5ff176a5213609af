"""The values of runs, as means, by slice or by query."""

import math
from contextlib import AbstractContextManager, suppress
from dataclasses import replace

from ndcg_sql.comparison import replicates
from ndcg_sql.comparison.answers import Answer, Context, Rows
from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import Question, combined, of_queries, resolve
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.options import Scope
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


def values(
    context: Context,
    scope: Scope,
    per_query: bool = False,
    sort: str | None = None,
    limit: int | None = None,
    worst: int | None = None,
) -> Answer:
    """Return the means of runs, or their values by query, of all or the worst queries.

    With attributes of queries, there is a row for each combination of their values,
    which are columns of those names. Raises NdcgSqlError where a name is not known.
    """
    database, messages = context
    question = resolve(*context, scope, COLUMNS)
    if per_query:
        own = question.measures, "a report by query", question.named, messages
        question = replace(question, measures=of_queries(*own))
    with question.answered():
        wanted, leading = _selected(question, sort, limit)
        rows = rows_of(wanted, per_query)
        wanted.tell_missing(lambda: rows.pairs("measure", "run"))
        if worst is not None:
            parameters = {**wanted.parameters, "count": worst}
            with _numbered(rows):
                rows = Rows.of(database, "reports/worst_queries", parameters)
    about = {"question": leading, "measures": leading.measures, "worst": worst}
    return Answer("values by query" if per_query else "values", rows, scope, about)


def rows_of(question: Question, per_query: bool) -> Rows:
    """Return the rows of a report where its values are known."""
    database, by = question.database, question.by
    parameters = {**question.parameters, "sliced": bool(by)}
    if per_query:
        with combined(database, by):
            return Rows.of(database, "reports/report_queries", parameters, by)
    # A row is of a slice, or else of a run.
    dropped = ["unjudged_queries"] if by else []
    with question.sliced():
        if not database.execute("from known_documents limit 1"):
            rows = Rows.of(database, "reports/report", parameters, by)
            return rows.without(*dropped)
        rows = Rows.of(database, "reports/report", parameters)
        with _numbered(rows):
            rows = Rows.of(database, "reports/report_known", parameters, by)
    sql = f"from {rows.table} where known_at_k is not null limit 1"
    if not database.execute(sql):
        dropped.append("known_at_k")
    return rows.without(*dropped)


def _numbered(rows: Rows) -> AbstractContextManager[None]:
    """Return a context in which answer_rows are these, with their numbers."""
    numbered = f"select rowid as row_number, * from {rows.table}"
    return rows.database.hide("answer_rows", numbered)


def over_replicates(context: Context, scope: Scope, tag: str) -> Answer:
    """Return the means of values over replicates: runs that differ in a tag only.

    Raises NdcgSqlError where no run has the tag, where two runs of a system have the
    same value of it, or where they answered different queries.
    """
    database, messages = context
    question = resolve(*context, scope, (*COLUMNS, *_OVER))
    judged = {run_id for run_id, _ in question.pairs}
    with question.answered():
        runs = [run for run in question.runs if run.id in judged]
        systems = replicates.systems(database, runs, tag)
        replicates.check_distinct(systems)
        replicates.check_undivided(question, systems)
        replicates.tell_sources(question, systems)
        if omitted := len(runs) - sum(len(system.runs) for system in systems):
            without = f"without the tag {quoted(tag)} omitted"
            messages.tell(f"{counted(omitted, 'run')} {without}")
        tagged = sql_files.composed(replicates.REPLICATES)
        with question.sliced():
            rows = Rows.of(database, "reports/report", question.parameters)
        with (
            _numbered(rows),
            database.temporary("replicates", tagged, {"over": tag}),
        ):
            leading = ("system", "judgment_set", "dataset")
            about = question.parameters, question.by, leading
            rows = Rows.of(database, "reports/report_over", *about)
    return Answer("replicates", rows, scope)


def _selected(
    question: Question, sort: str | None, limit: int | None
) -> tuple[Question, Question]:
    """Return the question of the first runs in the order of a measure.

    The second one has that measure as its first.
    """
    pairs, measures = list(question.pairs), question.measures
    if sort is not None:
        measure = _sorting(question, sort)
        measures = (measure, *(other for other in measures if other != measure))
        parameters = {**question.parameters, "measure": measure.name}
        values = dict(question.database.run("lookups/values_of_runs", parameters))
        sign = 1 if measure.family.lowest_is_best else -1
        # Python's sort keeps the order of runs with equal or without values.
        pairs.sort(key=lambda pair: sign * values.get(pair[0], sign * math.inf))
    if limit is not None:
        # A judgment set is one of a dataset.
        sets = [set_id for _, set_id in pairs]
        places = [sets[:place].count(set_id) for place, set_id in enumerate(sets)]
        both = zip(pairs, places, strict=True)
        pairs = [pair for pair, place in both if place < limit]
    if len(pairs) < len(question.pairs):
        shown = f"{len(pairs)} of {len(question.pairs)} runs shown"
        question.messages.tell(shown)
    wanted = replace(question, pairs=tuple(pairs))
    return wanted, replace(wanted, measures=measures)


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
    hint = Text("runs are sorted by one, the best first: ", joined(choices, " or "))
    raise NdcgSqlError(what, hint, where=use(sort=name))
