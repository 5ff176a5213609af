"""Judgment sets made of clicks: what users did with what they were shown."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.loading import assumed, warnings
from ndcg_sql.loading.loaded import LoadedItem, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import namesake
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_judgments
from ndcg_sql.measures.families import written
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import likely
from ndcg_sql.reading.events import Counted, count_events, likely_impression
from ndcg_sql.reading.meanings import SHOWN
from ndcg_sql.reading.searches import (
    add_shown,
    check_one_index,
    index_of,
    read_searches,
    with_hits_as_lines,
)
from ndcg_sql.reading.sources import Streams, origin
from ndcg_sql.requests.choices import IMPRESSION
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, source_name
from ndcg_sql.text import counted, now, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, use

# The temporary tables of a log.
_TABLES = (
    *("actions", "action_words", "searches", "counted", "events", "showings"),
    "clicked",
)
# How many files of a log are named.
_FILES = 3
_EVENTS = """
    action_number usmallint, query_id varchar, doc_id varchar, position integer,
    event_count bigint, first_at timestamp, last_at timestamp
"""


def load(
    database: Database,
    paths: Sequence[Path],
    request: Options,
    messages: Messages,
    streams: Streams | None = None,
    names: Mapping[Path, str] | None = None,
) -> list[LoadedItem]:
    """Make a judgment set of a log of events in one or several files; return it.

    names are those of what has no name of its own. Evaluates the dataset's runs with
    the set. The same events in another order, or in other files, make the same set, to
    the last bit. If anything is wrong with a file, raises NdcgSqlError and stores
    nothing.
    """
    paths, name = list(dict.fromkeys(paths)), request.name
    try:
        if name is None and len(paths) > 1:
            raise refusal("several_files_of_clicks", count=len(paths))
        name = name or (names or {}).get(paths[0]) or default_name(paths[0])
        check_names([("dataset", request.dataset), ("judgment set", name)])
        return _load(database, paths, name, request, messages, streams)
    finally:
        for table in _TABLES:
            database.execute(f"drop table if exists temp.{table}")


def _load(
    database: Database,
    paths: Sequence[Path],
    name: str,
    request: Options,
    messages: Messages,
    streams: Streams | None,
) -> list[LoadedItem]:
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    run = assumed.shown_run(database, request)
    files = _count(database, paths, request, messages, streams, run is not None)
    where, how = _of_files([*files]), ""
    assumption: dict[str, Any] = {}
    if run is not None:
        assumption = assumed.assume(database, where, run, request.depth)
        how = assumed.described(assumption)
    log = _checked_log(database, where, request)
    grades: Parameters = {
        "model": request.model,
        "min_impressions": request.min_impressions,
        "levels": list(request.limits),
    }
    _make(database, "clicked", "clicks/grades", grades)
    [(rare, unexpected, most, unseen)] = database.run("clicks/left_out", grades)
    unknown: list[Wording] = []
    if not database.is_new and not warnings.is_new(database, request.dataset):
        rows = "events"
        unknown = warnings.unknown_queries(database, request.dataset, "event", rows)
    _make(database, "staged", "clicks/judged", grades)
    if not database.execute("from staged limit 1"):
        about = {"file": where, "least": request.min_impressions}
        if unseen == log["actions"]:
            raise refusal("clicks_never_shown", **about)
        if most < request.min_impressions:
            raise refusal("few_impressions", min_impressions=most, **about)
        raise refusal("no_clicks_where_shown", **about)
    how = _how(request, how)
    # The hash is one of the judgments, and of all that the set says of them.
    content = [*database.run("lookups/staged_hash")[0], how, _counts(log)]
    content_hash = hash_of(*content)
    with database.transaction():
        old = namesake(
            database,
            "judgment set",
            name,
            request.dataset,
            content_hash,
            request.replace,
            where,
        )
        if old.unchanged:
            old.unchanged.tell(messages)
            return old.unchanged.items
        beside = [request.searches] if request.searches is not None else []
        origins = [origin(path, streams) for path in (*paths, *beside)]
        parameters: Parameters = {
            "dataset": request.dataset,
            "name": name,
            "source": f"{_of_files(origins)}: {how} of {_counts(log)}",
            "content_hash": content_hash,
            "loaded_at": now(),
            "policy": request.model,
            "parent_kind": None,
            "parent_ids": [],
        }
        stored = store_judgments(database, parameters, old, request.evaluate)
        of_log: Parameters = {
            **log,
            "judgment_set_id": parameters["judgment_set_id"],
            "min_impressions": request.min_impressions,
        }
        for table in ("logs", "bands", "positions"):
            database.run(f"store/click_{table}", of_log)
    made = "replaced" if old.ids else "made"
    line = f"{made} judgment set {quoted(name)} by {request.model} of {_counts(log)}: "
    replace(stored, line=Text(line, stored.line), warnings=()).tell(messages)
    for count, why in (
        (rare, f"shown fewer than {request.min_impressions} times"),
        (unexpected, "shown only at positions where nobody clicked"),
    ):
        if count:
            what = counted(count, "document of a query", "documents of queries")
            messages.tell(f"left out {what}, {why}")
    ignored = tuple(dict.fromkeys(n for one in files.values() for n in one.ignored))
    if ignored:
        columns: Wording = warnings.ignored_columns(ignored)
        is_unnamed = bool(assumption) and not assumption["named_searches"]
        if is_unnamed and (name_of_searches := likely("search_id", ignored, "clicks")):
            names = f"; if {quoted(name_of_searches)} names searches: "
            columns += Text(names, use(columns={"search_id": name_of_searches}))
        messages.tell(columns)
    if assumption:
        assumed.tell(assumption, messages)
    elif unseen:
        messages.warn(warnings.sentence("unseen_clicks", clicks=unseen))
    messages.warn_all([*unknown, *stored.warnings])
    return [replace(item, ignored=ignored) for item in stored.items]


def _of_files(names: Sequence[str]) -> str:
    """Return the names of the files of a log, of many only the first and the last."""
    few = len(names) <= _FILES
    return ", ".join(names) if few else f"{names[0]} to {names[-1]}"


def _counts(log: Mapping[str, Any]) -> str:
    """Return the counts of a log, and its first and last time if there are any."""
    impressions = counted(log["impressions"], "impression")
    text = f"{impressions} and {counted(log['actions'], 'click')}"
    is_timed = log["first_at"] is not None
    return text + f", {log['first_at']} to {log['last_at']}" * is_timed


def _make(
    database: Database, table: str, select: str, parameters: Parameters | None = None
) -> None:
    """Make a temporary table of what a SQL file selects."""
    make = f"create or replace temp table {table} as {sql_files.read(select)}"
    database.execute(make, parameters)


def _count(
    database: Database,
    paths: Sequence[Path],
    request: Options,
    messages: Messages,
    streams: Streams | None,
    is_run_shown: bool,
) -> dict[str, Counted]:
    """Count the events of all files in the temporary table events.

    Return what there is to be told of each file, by what messages call it.
    """
    if is_run_shown:
        # The searches in which clicks were made.
        columns = "(query_id varchar, search_id varchar, searches bigint)"
        database.execute(f"create or replace temp table showings {columns}")
    if request.searches is not None:
        with sources.opened(
            request.searches, messages, database.folder, streams
        ) as source:
            searches = with_hits_as_lines(source, messages)
            check_one_index(database, searches)
            if index_of(searches) == "ubi_events":
                raise refusal("events_for_searches", file=searches.shown)
            read_searches(database, searches, request.dataset)
    database.execute(f"create or replace temp table events ({_EVENTS})")
    files: dict[str, Counted] = {}
    for path in progress.files(list(paths)):
        with sources.opened(path, messages, database.folder, streams) as source:
            events = with_hits_as_lines(source, messages)
            check_one_index(database, events)
            if index_of(events) == "ubi_queries":
                way = call("load_clicks", Blank("EVENTS"), searches=str(path))
                raise refusal("searches_for_events", file=events.shown, way=way)
            files[source.shown] = count_events(
                database,
                events,
                request,
                {**request.weights, IMPRESSION: 1.0},
                dict.fromkeys(request.impressions, IMPRESSION),
                "searches" if request.searches else "run" if is_run_shown else "events",
            )
    if len(paths) > 1:
        _make(database, "events", "clicks/added_events")
    if request.searches is not None:
        if counted_twice := add_shown(database):
            messages.tell(
                f"the events have {counted(counted_twice, 'impression')}: what searches"
                " list is not counted, too"
            )
        unplaced = sum(one.unplaced for one in files.values())
        lost = sum(one.lost for one in files.values())
        if unplaced:
            messages.warn(warnings.sentence("unplaced_events", events=unplaced))
        if lost:
            name = source_name(request.searches)
            messages.warn(warnings.sentence("lost_events", events=lost, searches=name))
    for file, one in files.items():
        if one.odd_time is not None:
            database.execute("update events set first_at = null, last_at = null")
            about = {"file": file, "time": one.odd_time}
            messages.warn(warnings.sentence("odd_time_of_log", **about))
            break
    return files


def _checked_log(database: Database, where: str, request: Options) -> dict[str, Any]:
    """Return what the log has; raise NdcgSqlError without impressions or clicks."""
    [log] = database.records(sql_files.read("clicks/log"))
    if not log["impressions"]:
        actions = (one for one in request.weights if one != "click")
        action = likely_impression(actions) or Blank("NAME")
        run = assumed.likely_run(database, request)
        or_run = "" if request.searches else Text(SHOWN, use(impressions_from=run))
        about = {"clicks": log["actions"], "impressions": [action], "or_run": or_run}
        raise refusal("no_impressions", file=where, word=IMPRESSION, **about)
    if not log["actions"]:
        counting = [one for one, weight in request.weights.items() if weight]
        about = {"impressions": log["impressions"], "actions": {"NAME": 1}}
        raise refusal("no_clicks", file=where, counting=counting, **about)
    return log


def _how(request: Options, assumption: str) -> str:
    """Return how clicks become grades: the model and what is not its default."""
    usual = ("click", 1.0)
    weights = [one for one in sorted(request.weights.items()) if one != usual]
    parts = [f"{action}={written(weight)}" for action, weight in weights]
    parts += [f"{action}={IMPRESSION}" for action in sorted({*request.impressions})]
    parts += [assumption] if assumption else []
    parts += [f"min_impressions={request.min_impressions}"]
    if request.limits:
        parts += ["levels=" + ",".join(map(written, request.limits))]
    return f"{request.model} ({', '.join(parts)})"
