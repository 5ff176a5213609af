"""What OpenSearch writes: answers of _search, and searches and events of its index.

User Behavior Insights keeps searches and events in an index each.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, cast

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.lines import first_line
from ndcg_sql.reading.sources import Source, blaming
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted
from ndcg_sql.wording import Text, call

# The members that an answer may begin with; no event and no search has them.
_ANSWER = re.compile(
    rb'\s*\{\s*"(took|timed_out|_scroll_id|pit_id|_shards|num_reduce_phases|'
    rb'terminated_early|hits)"\s*:'
)
_HEAD = 4096
_NOT_BLANK = re.compile(r"\S")
# What a line of a bulk file begins with that is before an object.
_BULK = re.compile(r'\s*\{\s*"(index|create)"\s*:')
# How many bad searches a message shows.
_SEARCHES = 10


def with_hits_as_lines(source: Source, messages: Messages) -> Source:
    """Return a file of answers as one with a hit on each line; any other as it is.

    Answers may follow one another, as pages do. Warns if hits are missing. Raises
    NdcgSqlError for what is no answer after all.
    """
    with blaming(source.shown, source.folder):
        with source.readable.open("rb") as file:
            is_answer = bool(_ANSWER.match(file.read(_HEAD)))
        if not is_answer or source.faults or source.binary:
            return source
        lines = source.folder / "hits"
        count = total = 0
        with lines.open("w", encoding="utf-8", newline="\n") as file:
            for hits in _answers(source, source.readable.read_text(encoding="utf-8")):
                file.writelines(json.dumps(hit) + "\n" for hit in hits["hits"])
                count += len(hits["hits"])
                # An answer need not say how many hits there are on all pages.
                stated = hits.get("total")
                if isinstance(stated, dict):
                    stated = cast("dict[str, Any]", stated).get("value")
                total = max(total, stated if isinstance(stated, int) else 0)
    if count < total:
        messages.warn(
            f"{source.shown}: {count} of {counted(total, 'hit')}; fetch the others, too"
        )
    return replace(source, readable=lines, line_count=count, unit="row")


def _answers(source: Source, text: str) -> Iterator[dict[str, Any]]:
    """Return the hits of answers that follow one another; raise NdcgSqlError."""
    decoder = json.JSONDecoder()
    at = 0
    while begin := _NOT_BLANK.search(text, at):
        at = begin.start()
        try:
            answer, at = decoder.raw_decode(text, at)
            hits = answer["hits"]
            if not isinstance(hits["hits"], list):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            line = text.count("\n", 0, at) + 1
            raise NdcgSqlError(
                f"{source.shown}:{line}: not an answer of _search",
                "write one hit on each line: jq -c '.hits.hits[]' FILE",
            ) from None
        yield hits


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
