"""A log of events, counted while it is read: how often what met which document."""

from collections.abc import Mapping

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.fast import is_delimited
from ndcg_sql.reading.layouts import Layout, Reading
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, is_damage, stage
from ndcg_sql.requests.loading import IMPRESSION
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, use

# How many actions a message gives places for weights.
_ACTIONS = 10
# What the columns of a log are called in sql/clicks/.
_NAMES = {"action": "event_action"}


def count_events(
    database: Database, source: Source, reading: Reading, weights: Mapping[str, float]
) -> None:
    """Count the events of a file in the temporary table events.

    weights says how many clicks each action is worth; 0 ignores it. Raises
    NdcgSqlError for a bad row, and for actions that nobody weighed.
    """
    how, source = layout(source, "clicks", reading)
    _store_actions(database, weights)
    if _count_fast(database, source, how):
        database.execute("delete from events where query_id is null")
        return
    stage(database, "clicks", source, how)
    _check_actions(database, source)
    check_staged(database, "clicks", source, how)
    database.execute(_made("clicks/events"))


def _store_actions(database: Database, weights: Mapping[str, float]) -> None:
    """Put actions and their weights into the temporary table actions, in order."""
    database.execute(
        "create or replace temp table actions"
        " (action_number usmallint, event_action varchar, weight double)"
    )
    for number, action in enumerate(sorted({*weights, IMPRESSION})):
        weight = weights.get(action, 1.0)
        database.execute(
            "insert into actions values ($number, $action, $weight)",
            {"number": number, "action": action, "weight": weight},
        )


def _made(*steps: str) -> str:
    """Return the statement that makes the table of events."""
    return f"create or replace temp table events as {sql_files.composed(steps)}"


def _count_fast(database: Database, source: Source, how: Layout) -> bool:
    """Count the events of a file without anything unusual.

    Returns False if the file must be read strictly: single lines are not checked.
    """
    if how.steps == ("read/parquet",):
        read, parameters = "clicks/clean_parquet", _of_parquet(how)
        rows = "from read_parquet($path, hive_partitioning = false)"
        [(lines,)] = database.execute(f"select count(*) {rows}", parameters)
    elif how.steps == ("read/lines", "read/delimited") and is_delimited(source, how):
        read, parameters = "read/fields", _of_text(how)
        lines = source.line_count - parameters["header_line"]
    else:
        return False
    try:
        database.execute(_made(read, "clicks/clean_events"), parameters)
    except duckdb.Error as error:
        if is_damage(error, source):
            return False
        raise
    [(events,)] = database.execute("select sum(event_count) from events")
    # In a text file, odd characters are known before.
    has_odd = read != "read/fields" and database.run("clicks/odd_ids") != [(0,)]
    return events == lines and not has_odd


def _of_text(how: Layout) -> Parameters:
    """Return how to read the columns of a file of text."""
    names = {at: _NAMES.get(column, column) for column, at in how.fields.items()}
    columns = [names.get(at, f"field_{at}") for at in range(1, how.field_range[1] + 1)]
    return {
        "path": how.parameters["path"],
        "delimiter": how.parameters["delimiter"],
        "header_line": how.parameters["header_line"],
        "columns": dict.fromkeys(columns, "VARCHAR"),
    }


def _of_parquet(how: Layout) -> Parameters:
    """Return how to read the columns of a Parquet file."""
    names = {"query": "query_id", "doc": "doc_id"}
    return {
        "path": how.parameters["path"],
        **{
            f"{name}_column": how.column_names.get(names.get(name, name))
            for name in ("query", "doc", "action", "position", "time")
        },
    }


def _check_actions(database: Database, source: Source) -> None:
    """Raise NdcgSqlError for staged actions that nobody weighed."""
    rows = database.run("clicks/unweighed")
    if not rows:
        return
    first = rows[:_ACTIONS]
    shown = ", ".join(f"{quoted(action)} ({count})" for action, count in first)
    more = f" and {len(rows) - len(first)} more" * (len(rows) > len(first))
    actions = counted(len(rows), "action")
    raise NdcgSqlError(
        f"{source.shown}: {actions} of unknown weight: {shown}{more}",
        "say how many clicks each is worth, or 0 to ignore it: "
        + use(actions={action: Blank("WEIGHT") for action, _ in first}),
    )
