"""Judgment sets made of clicks: what users did with what they were shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import assumed, warnings
from ndcg_sql.loading.assumed import Assumption
from ndcg_sql.loading.loaded import LoadedItem, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import namesake
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
from ndcg_sql.text import counted, listed, now, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, named, use

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


@dataclass(frozen=True)
class _Log:
    """What a log of events has: impressions, other actions that count, a window."""

    impressions: int
    actions: int
    first_at: datetime | None
    last_at: datetime | None

    @property
    def text(self) -> str:
        """The counts, and the first and the last time if there are any."""
        impressions = counted(self.impressions, "impression")
        text = f"{impressions} and {counted(self.actions, 'click')}"
        if self.first_at is None:
            return text
        return f"{text}, {self.first_at} to {self.last_at}"


def load(
    database: Database,
    paths: Sequence[Path],
    request: Options,
    messages: Messages,
    streams: Streams | None = None,
    names: Mapping[Path, str] | None = None,
) -> LoadedItem:
    """Make a judgment set of a log of events in one or several files; return it.

    names are those of what has no name of its own. Evaluates the dataset's runs with
    the set. The same events in another order, or in other files, make the same set, to
    the last bit. If anything is wrong with a file, raises NdcgSqlError and stores
    nothing.
    """
    paths = list(dict.fromkeys(paths))
    try:
        name = _name(paths, request, names or {})
        check_names([("dataset", request.dataset), ("judgment set", name)])
        return _load(database, paths, name, request, messages, streams)
    finally:
        for table in _TABLES:
            database.execute(f"drop table if exists temp.{table}")


def _name(paths: Sequence[Path], request: Options, names: Mapping[Path, str]) -> str:
    """Return the name of the set; raise NdcgSqlError if several files give none."""
    if request.name is not None:
        return request.name
    if len(paths) == 1:
        return names.get(paths[0]) or default_name(paths[0])
    what = f"{len(paths)} files become one judgment set"
    raise NdcgSqlError(what, "name it: " + use(name="NAME"))


def _load(
    database: Database,
    paths: Sequence[Path],
    name: str,
    request: Options,
    messages: Messages,
    streams: Streams | None,
) -> LoadedItem:
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    where, log, assumption, ignored = _count(
        database, paths, request, messages, streams
    )
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
        raise _nothing_judged(where, request, most, unseen == log.actions)
    how = _how(request, assumption)
    # The hash is one of the judgments, and of all that the set says of them.
    said = [*database.run("lookups/staged_hash")[0], how, log.text]
    content_hash = hash_of(*said)
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
        if old.message and old.unchanged:
            messages.tell(old.message)
            return old.unchanged
        old.remove(database)
        beside = [request.searches] if request.searches is not None else []
        origins = [origin(path, streams) for path in (*paths, *beside)]
        parameters: Parameters = {
            "dataset": request.dataset,
            "name": name,
            "source": f"{_of_files(origins)}: {how} of {log.text}",
            "content_hash": content_hash,
            "loaded_at": now(),
            "policy": request.model,
            "parent_kind": None,
            "parent_ids": [],
        }
        stored = store_judgments(database, parameters, request.evaluate)
        about: Parameters = {
            **vars(log),
            "judgment_set_id": parameters["judgment_set_id"],
            "min_impressions": request.min_impressions,
        }
        for table in ("logs", "bands", "positions"):
            database.run(f"store/click_{table}", about)
    made = "replaced" if old.ids else "made"
    line = f"{made} judgment set {quoted(name)} by {request.model} of {log.text}: "
    replace(stored, line=Text(line, stored.line), warnings=()).tell(messages)
    for count, why in (
        (rare, f"shown fewer than {request.min_impressions} times"),
        (unexpected, "shown only at positions where nobody clicked"),
    ):
        if count:
            what = counted(count, "document of a query", "documents of queries")
            messages.tell(f"left out {what}, {why}")
    if ignored:
        columns: Wording = warnings.ignored_columns(ignored)
        is_unnamed = assumption is not None and not assumption.named_searches
        if is_unnamed and (name_of_searches := likely("search_id", ignored, "clicks")):
            names = f"; if {quoted(name_of_searches)} names searches: "
            columns += Text(names, use(columns={"search_id": name_of_searches}))
        messages.tell(columns)
    if assumption is not None:
        assumption.tell(messages)
    elif unseen:
        messages.warn(
            f"left out {counted(unseen, 'click')} on documents that have no"
            " impression for their queries"
        )
    messages.warn_all([*unknown, *stored.warnings])
    queries, judgments = stored.counts
    done = "replaced" if old.ids else "loaded"
    return LoadedItem("judgment set", name, done, judgments, queries, ignored)


def _of_files(names: Sequence[str]) -> str:
    """Return the names of the files of a log, of many only the first and the last."""
    few = len(names) <= _FILES
    return ", ".join(names) if few else f"{names[0]} to {names[-1]}"


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
) -> tuple[str, _Log, Assumption | None, tuple[str, ...]]:
    """Count the events of all files in the temporary table events.

    Return what messages call the files, what the log has and what is assumed of it,
    and the columns that nothing was read from.
    """
    run = assumed.shown_run(database, request)
    if run is not None:
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
                what = f"{searches.shown}: events, not searches"
                raise NdcgSqlError(what, "swapped? the events come first")
            read_searches(database, searches, request.dataset)
    reading = request
    database.execute(f"create or replace temp table events ({_EVENTS})")
    files: list[tuple[str, Counted]] = []
    for path in progress.files(list(paths)):
        with sources.opened(path, messages, database.folder, streams) as source:
            events = with_hits_as_lines(source, messages)
            check_one_index(database, events)
            if index_of(events) == "ubi_queries":
                right = call("load_clicks", Blank("EVENTS"), searches=str(path))
                raise NdcgSqlError(
                    f"{events.shown}: searches, not events",
                    "give them beside the events: " + right,
                )
            count = count_events(
                database,
                events,
                reading,
                {**request.weights, IMPRESSION: 1.0},
                dict.fromkeys(request.impressions, IMPRESSION),
                "searches" if request.searches else "run" if run else "events",
            )
            files.append((source.shown, count))
    if len(paths) > 1:
        _make(database, "events", "clicks/added_events")
    _tell_counts(database, request, messages, files)
    where = _of_files([file for file, _ in files])
    assumption = None
    if run is not None:
        assumption = assumed.assume(database, where, run, request.depth)
    log = _checked_log(database, where, request)
    ignored = dict.fromkeys(name for _, one in files for name in one.ignored)
    return where, log, assumption, tuple(ignored)


def _tell_counts(
    database: Database,
    request: Options,
    messages: Messages,
    files: Sequence[tuple[str, Counted]],
) -> None:
    """Tell what was left out of files, and add what their searches showed."""
    if request.searches is not None:
        if counted_twice := add_shown(database):
            messages.tell(
                f"the events have {counted(counted_twice, 'impression')}: what searches"
                " list is not counted, too"
            )
        for count, why in (
            (
                sum(one.unplaced for _, one in files),
                "without a position, on documents that their searches did not list",
            ),
            (
                sum(one.lost for _, one in files),
                f"of no search of {source_name(request.searches)}",
            ),
        ):
            if count:
                messages.warn(f"left out {counted(count, 'event')} {why}")
    for file, one in files:
        if one.odd_time is not None:
            database.execute("update events set first_at = null, last_at = null")
            messages.warn(
                f"{file}: {quoted(one.odd_time)} is not a time like 2026-01-31T23:59;"
                " the first and the last time of the log stay unknown"
            )
            break


def _checked_log(database: Database, where: str, request: Options) -> _Log:
    """Return what the log has; raise NdcgSqlError without impressions or clicks."""
    [log] = [_Log(*row) for row in database.run("clicks/log")]
    if not log.impressions:
        likely_action = likely_impression(
            one for one in request.weights if one != "click"
        )
        run = assumed.likely_run(database, request)
        raise NdcgSqlError(
            f"{where}: {counted(log.actions, 'click')}, but no impression",
            Text(
                f"add what was shown: a row with the action {IMPRESSION} for each"
                " document at each position, clicked or not; if another action says"
                " it: ",
                use(impressions=[likely_action or Blank("NAME")]),
                *([] if request.searches else [SHOWN, use(impressions_from=run)]),
            ),
        )
    if not log.actions:
        counting = listed(one for one, weight in request.weights.items() if weight)
        raise NdcgSqlError(
            f"{where}: {counted(log.impressions, 'impression')}, but no action that"
            f" counts as a click: {counting}",
            "weigh those that do: " + use(actions={"NAME": 1}),
        )
    return log


def _nothing_judged(
    where: str, request: Options, most: int, is_all_unseen: bool
) -> NdcgSqlError:
    """Return the error of a log whose most frequent pair was shown so many times."""
    if is_all_unseen:
        return NdcgSqlError(
            f"{where}: every click is on a document that was never shown for its query",
            "write the same ids of queries and documents in clicks and impressions",
        )
    if most < request.min_impressions:
        return NdcgSqlError(
            f"{where}: no document was shown {request.min_impressions} times for a"
            f" query, the most is {most}",
            "load a longer log, or: " + use(min_impressions=most),
        )
    return NdcgSqlError(
        f"{where}: nobody clicked where a document with enough impressions was shown",
        "load a longer log, or lower " + named("min_impressions"),
    )


def _how(request: Options, assumption: Assumption | None) -> str:
    """Return how clicks become grades: the model and what is not its default."""
    usual = ("click", 1.0)
    weights = [one for one in sorted(request.weights.items()) if one != usual]
    parts = [f"{action}={written(weight)}" for action, weight in weights]
    parts += [f"{action}={IMPRESSION}" for action in sorted({*request.impressions})]
    parts += [assumption.text] if assumption else []
    parts += [f"min_impressions={request.min_impressions}"]
    if request.limits:
        parts += ["levels=" + ",".join(map(written, request.limits))]
    return f"{request.model} ({', '.join(parts)})"
