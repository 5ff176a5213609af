"""Values over time, each with the run before it."""

from ndcg_sql.comparison.answers import Answer, Rows, limited
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import Question, resolve, sliced
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, call, use

# The columns of sql/reports/history.sql.
COLUMNS = (
    *("measure", "slice", "tag", "tag_value", "made_at", "run", "value"),
    *("previous_run", "previous_value", "difference", "n", "judged_at_k"),
    *("judgment_set", "dataset"),
)


def history(
    database: Database,
    messages: Messages,
    scope: Scope,
    series: str | None = None,
    limit: int | None = None,
) -> Answer:
    """Return values over time, each with the previous one of the chosen runs.

    With a tag, runs that share its value are a series; without one, all runs of
    a dataset are. A tag can be limited to one value: model=bm25. With attributes of
    queries, each combination of their values is a series. Raises NdcgSqlError where
    a name is not known.
    """
    tag, equals, value = (series or "").partition("=")
    if series is not None:
        runs = entries.choose_runs(database, scope.runs, scope.dataset)
        where = use(tag=series)
        entries.check_tag(database, runs, tag, value if equals else None, where)
    question = resolve(database, messages, scope, COLUMNS)
    by, run_ids = question.by, question.parameters["run_ids"]
    with (
        known_values(database, question.measures, question.pairs, named=question.named),
        sliced(database, question),
    ):
        rows = rows_of(
            database,
            question,
            None if series is None else tag,
            value if equals else None,
        )
    parts = ("dataset", "judgment_set", "measure", *by)
    parts += () if series is None else ("tag_value",)
    rows = limited(rows, messages, limit, *parts, newest=True)
    if series is None:
        # Runs of other kinds are compared with each other.
        tags = database.run("lookups/alternating_tags", {"run_ids": run_ids})
        for name, latest in tags[:1]:
            messages.tell(
                f"runs of several values of tag {quoted(name)} take turns; for those"
                " of one: " + use(tag=f"{name}={latest}")
            )
    names = f"select distinct dataset, run from {rows.table}"
    shown = set(database.execute(names))
    shown_ids = [run.id for run in question.runs if (run.dataset, run.name) in shown]
    late = database.run("lookups/against_names", {"run_ids": shown_ids})
    for name, previous, dataset in late[:1]:
        timing = call("tag", name, run_at=Blank("TIME"), **entries.into(dataset))
        messages.tell(
            f"run {quoted(name)} comes after {quoted(previous)}, as they were loaded;"
            " to say when it was made: " + timing
        )
    return Answer("history", rows, scope)


def rows_of(
    database: Database,
    question: Question,
    tag: str | None = None,
    value: str | None = None,
) -> Rows:
    """Return the rows of a history whose values are known."""
    parameters = {**question.parameters, "tag": tag, "tag_value": value}
    without = () if question.by else ("slice",)
    without += ("tag", "tag_value") if tag is None else ()
    leading = ("measure",)
    return Rows.of(
        database, "reports/history", parameters, question.by, leading, without
    )
