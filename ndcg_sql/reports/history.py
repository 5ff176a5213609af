"""Values over time, each with the run before it."""

from ndcg_sql.comparison.answers import Answer, Context, Rows, limited
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import Question, resolve
from ndcg_sql.options import Scope
from ndcg_sql.text import quoted
from ndcg_sql.wording import use

# The columns of sql/reports/history.sql.
COLUMNS = (
    *("measure", "slice", "tag", "tag_value", "made_at", "run", "value"),
    *("previous_run", "previous_value", "difference", "n", "judged_at_k"),
    *("judgment_set", "dataset"),
)


def history(
    context: Context, scope: Scope, series: str | None = None, limit: int | None = None
) -> Answer:
    """Return values over time, each with the previous one of the chosen runs.

    With a tag, runs that share its value are a series, or those of one value
    (model=bm25); without one, all runs of a dataset are. Each combination of values of
    attributes is a series. Raises NdcgSqlError where a name is not known.
    """
    database, messages = context
    tag, equals, text = (series or "").partition("=")
    value = text if equals else None
    if series is not None:
        runs = entries.choose_runs(database, scope.runs, scope.dataset)
        entries.check_tag(database, runs, tag, value, use(tag=series))
    question = resolve(*context, scope, COLUMNS)
    with question.known_values(), question.sliced():
        rows = rows_of(question, tag or None, value)
    if series is None:
        question.tell_missing(lambda: rows.pairs("measure", "run"))
    parts = ("dataset", "judgment_set", "measure", *question.by)
    parts += () if series is None else ("tag_value",)
    rows = limited(rows, messages, limit, *parts, newest=True)
    if series is None:
        # Runs of other kinds are compared with each other.
        tags = database.run("lookups/alternating_tags", question.parameters)
        for name, latest in tags[:1]:
            messages.tell(
                f"runs with several values of tag {quoted(name)} alternate; to show"
                " those of one value: " + use(tag=f"{name}={latest}")
            )
    return Answer("history", rows, scope)


def rows_of(
    question: Question, tag: str | None = None, value: str | None = None
) -> Rows:
    """Return the rows of a history whose values are known."""
    parameters = {**question.parameters, "tag": tag, "tag_value": value}
    about = parameters, question.by, ("measure",)
    rows = Rows.of(question.database, "reports/history", *about)
    return rows.without("tag", "tag_value") if tag is None else rows
