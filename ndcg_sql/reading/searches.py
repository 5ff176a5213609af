"""The searches of events, as OpenSearch's User Behavior Insights keeps them."""

import re

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.lines import first_line
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted
from ndcg_sql.wording import Text, call

# What a line of a bulk file begins with that is before an object.
_BULK = re.compile(r'\s*\{\s*"(index|create)"\s*:')
# How many bad searches a message shows.
_SEARCHES = 10


def check_one_index(database: Database, source: Source) -> None:
    """Raise NdcgSqlError for a bulk file with both events and searches of UBI.

    Such a file says before each object of which index it is.
    """
    if source.binary or not _BULK.match(first_line(source)[1]):
        return
    parts = sql_files.composed(("read/lines", "clicks/bulk"))
    path = {"path": glob_safe(source.readable)}
    if database.execute(parts, path) == [(True, True)]:
        raise NdcgSqlError(
            f"{source.shown}: events and searches in one file",
            Text(
                "write each to a file of its own: jq -c 'select(.action_name)' FILE >"
                " ubi_events.ndjson; jq -c 'select(.user_query and (.action_name |"
                " not))' FILE > ubi_queries.ndjson; then: ",
                call("load_clicks", "ubi_events.ndjson", searches="ubi_queries.ndjson"),
            ),
        )


def read_searches(database: Database, source: Source, dataset: str) -> None:
    """Read the searches of UBI into the temporary table searches.

    Where the dataset has a query of the same text, that is the query of a search.
    Raises NdcgSqlError for a search without an id or a text, or with the id of another.
    """
    steps = ("read/lines", "read/ubi_searches")
    steps += ("store/staged_epochs", "store/staged_times")
    read = sql_files.composed(steps)
    path = {"path": glob_safe(source.readable)}
    make = "create or replace temp table searches as"
    database.execute(f"{make} {read}", path)
    bad = database.run("clicks/bad_searches")
    faults = [*((fault.line, fault.reason) for fault in source.faults), *bad]
    if faults:
        lines = [f"{source.at(line)}: {reason}" for line, reason in faults]
        raise NdcgSqlError(
            "\n".join(lines[:_SEARCHES])
            + f"\n{counted(len(faults), f'bad {source.unit}')}; nothing was loaded",
            f"each {source.unit} is a search as in ubi_queries",
        )
    if database.is_new:
        select = "select *, query_text as query_id from searches"
        database.execute(f"{make} {select}")
        return
    matched = sql_files.read("clicks/known_searches")
    database.execute(f"{make} {matched}", {"dataset": dataset})


def add_shown(database: Database) -> int:
    """Add what searches showed to events without impressions.

    Return how many impressions the events have; with any, nothing is added.
    """
    [(impressions, *_)] = database.run("clicks/log")
    if not impressions:
        shown = sql_files.read("clicks/shown")
        database.execute(f"insert into events {shown}")
    return impressions or 0
