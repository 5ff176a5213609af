"""The searches of OpenSearch's User Behavior Insights, beside their events.

It keeps searches and events in an index each.
"""

import json
from typing import Any, Literal, cast

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.sources import Source, blaming
from ndcg_sql.text import counted

# How many bad searches a message shows.
_SEARCHES = 10


def index_of(source: Source) -> Literal["ubi_events", "ubi_queries"] | None:
    """Return the index of UBI whose objects are on the lines of a file, or None."""
    if source.binary:
        return None
    with blaming(source.shown, source.folder), source.text() as lines:
        for line in filter(str.strip, lines):
            try:
                one = json.loads(line)
            except (ValueError, RecursionError):
                return None
            members = cast("dict[str, Any]", one if isinstance(one, dict) else {})
            if {"index", "create"} & members.keys():
                continue
            inside = members.get("_source") or members
            if not isinstance(inside, dict):
                return None
            if "action_name" in inside:
                return "ubi_events"
            return "ubi_queries" if "user_query" in inside else None
    return None


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
