"""Values over time, each with the run before it."""

from ndcg_sql.comparison.answers import Answer, Rows, limited
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import (
    Question,
    check_slices,
    choose_fitting,
    choose_measures,
    sliced,
    tell_left_out,
)
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.requests.questions import HistoryRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, call, use

# The columns of sql/reports/history.sql.
COLUMNS = (
    *("measure", "slice", "tag", "tag_value", "made_at", "run", "value"),
    *("previous_run", "previous_value", "difference", "n", "judged_at_k"),
    *("judgment_set", "dataset"),
)


def answer(database: Database, messages: Messages, request: HistoryRequest) -> Answer:
    """Return values over time, each with the previous one of the runs asked for.

    With a tag, runs that share its value are a series; without one, all runs of
    a dataset are. A tag can be limited to one value: model=bm25. With attributes of
    queries, each combination of their values is a series. Raises NdcgSqlError where
    a name is not known.
    """
    tag = request.tag
    key, equals, value = (tag or "").partition("=")
    chosen = choose_measures(database, request.measures)
    runs = entries.choose_runs(database, request.runs, request.dataset)
    if tag is not None:
        where = use(tag=tag)
        entries.check_tag(database, runs, key, value if equals else None, where)
    pairs = entries.judgments_of(database, runs, request.judgments)
    check_slices(database, messages, request.by, runs, COLUMNS)
    tell_left_out(messages, runs, pairs, request.judgments)
    named = request.names_measures
    if not named:
        chosen = choose_fitting(database, chosen, pairs, messages)
    by = tuple(request.by)
    question = Question(tuple(chosen), tuple(runs), tuple(pairs), by)
    parameters: Parameters = {
        **question.parameters,
        "tag": key if tag is not None else None,
        "tag_value": value if equals else None,
    }
    with (
        known_values(database, chosen, pairs, named=named),
        sliced(database, question),
    ):
        rows = Rows.of(database, "reports/history", parameters, by, ("measure",))
    rows = limited(
        rows if by else rows.without("slice"),
        messages,
        request.limit,
        *("dataset", "judgment_set", "measure", *by, "tag_value"),
        newest=True,
    )
    if tag is None:
        _tell_series(database, messages, [run_id for run_id, _ in pairs])
        rows = rows.without("tag", "tag_value")
    names = f"select distinct dataset, run from {rows.table}"
    shown = set(database.execute(names))
    _tell_order(
        database, messages, [run.id for run in runs if (run.dataset, run.name) in shown]
    )
    return Answer("history", request, rows)


def _tell_order(database: Database, messages: Messages, run_ids: list[int]) -> None:
    late = database.run("lookups/against_names", {"run_ids": run_ids})
    for name, previous, dataset in late[:1]:
        fields = entries.into(dataset)
        messages.tell(
            f"run {quoted(name)} comes after {quoted(previous)}, as they were loaded;"
            " to say when it was made: "
            + call("tag", name, run_at=Blank("TIME"), **fields)
        )


def _tell_series(database: Database, messages: Messages, run_ids: list[int]) -> None:
    """Report a tag that divides runs which are compared with those of other kinds."""
    tags = database.run("lookups/alternating_tags", {"run_ids": run_ids})
    for name, latest in tags[:1]:
        messages.tell(
            f"runs of several values of tag {quoted(name)} take turns; for those of"
            " one: " + use(tag=f"{name}={latest}")
        )
