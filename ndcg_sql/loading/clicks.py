"""Judgment sets made of clicks: what users did with what they were shown."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.loading import assumed, click_needs
from ndcg_sql.loading.assumed import Assumption
from ndcg_sql.loading.described import is_unknown, warn_unknown_rows
from ndcg_sql.loading.doubts import ignored_columns
from ndcg_sql.loading.loaded import LoadedItem, Outcome
from ndcg_sql.loading.options import check_names, reading_of
from ndcg_sql.loading.replacing import namesake
from ndcg_sql.loading.storing import store_judgments
from ndcg_sql.measures.families import written
from ndcg_sql.reading import sources
from ndcg_sql.reading.actions import likely_impression
from ndcg_sql.reading.events import Counted, count_clicks, count_events
from ndcg_sql.reading.meanings import SHOWN
from ndcg_sql.reading.search_answers import index_of, with_hits_as_lines
from ndcg_sql.reading.searches import add_shown, check_one_index, read_searches
from ndcg_sql.reading.sources import Source, Streams, origin
from ndcg_sql.requests.clicks import IMPRESSION, LoadClicksRequest
from ndcg_sql.requests.fields import stated
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages, Silent
from ndcg_sql.system.paths import default_name, source_name
from ndcg_sql.text import counted, listed, now, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, named, use

# The temporary tables of a log.
_TABLES = (
    *("actions", "action_words", "events", "parts"),
    *("searches", "showings", "clicked"),
)
_UNKNOWN = ("warnings/unknown_queries", "clicks/unknown")


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


@dataclass(frozen=True)
class _Read:
    """A log that was counted: what messages call it, what it has, what is assumed.

    ignored are the columns of its files that nothing was read from.
    """

    where: str
    log: _Log
    assumption: Assumption | None
    ignored: tuple[str, ...]


@dataclass(frozen=True)
class _LeftOut:
    """The documents of queries that are not judged, and why.

    rare were shown too rarely, unexpected only where nobody clicked. most is the
    greatest number of impressions of any. unseen are the actions that met documents
    where the log never shows them.
    """

    rare: int
    unexpected: int
    most: int
    unseen: int


def load(
    database: Database,
    paths: Sequence[Path],
    request: LoadClicksRequest,
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

    def counting(chosen: LoadClicksRequest, lacking: Collection[str]) -> None:
        _counted(database, paths, chosen, Silent(), streams, lacking)

    try:
        name = _name(paths, request, names or {})
        check_names([("dataset", request.dataset), ("judgment set", name)])
        return _load(database, paths, name, request, messages, streams)
    except NdcgSqlError as error:
        raise click_needs.all_at_once(
            request, paths, streams or {}, error, counting
        ) from None
    finally:
        for table in _TABLES:
            database.execute(f"drop table if exists temp.{table}")


def _load(
    database: Database,
    paths: Sequence[Path],
    name: str,
    request: LoadClicksRequest,
    messages: Messages,
    streams: Streams | None,
) -> LoadedItem:
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    read = _counted(database, paths, request, messages, streams)
    where, log, assumption = read.where, read.log, read.assumption
    grades: Parameters = {
        "model": request.model,
        "min_impressions": request.min_impressions,
        "levels": list(request.limits),
    }
    graded = sql_files.read("clicks/grades")
    database.execute(f"create or replace temp table clicked as {graded}", grades)
    [left_out] = [_LeftOut(*row) for row in database.run("clicks/left_out", grades)]
    unknown = _unknown(database, request.dataset)
    judged = sql_files.read("clicks/judged")
    database.execute(f"create or replace temp table staged as {judged}", grades)
    if not database.execute("from staged limit 1"):
        raise _nothing_judged(where, request, log, left_out)
    how = _how(request, assumption)
    content_hash = _content_hash(database, how, log)
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
            "source": f"{click_needs.of_files(origins)}: {how} of {log.text}",
            "content_hash": content_hash,
            "loaded_at": now(),
            "policy": request.model,
            "parent_kind": None,
            "parent_ids": [],
        }
        stored = store_judgments(database, parameters, request.evaluate, strict=False)
        about: Parameters = {
            **vars(log),
            "judgment_set_id": parameters["judgment_set_id"],
            "min_impressions": request.min_impressions,
        }
        for table in ("logs", "bands", "positions"):
            database.run(f"store/click_{table}", about)
    done: Outcome = "replaced" if old.ids else "loaded"
    made = "replaced" if old.ids else "made"
    line = f"{made} judgment set {quoted(name)} by {request.model} of {log.text}: "
    replace(stored, line=Text(line, stored.line), warnings=()).tell(messages)
    for what in _unjudged(request, left_out):
        messages.tell(what)
    if read.ignored:
        messages.tell(ignored_columns(read.ignored))
    if assumption is not None:
        assumption.tell(messages)
    elif left_out.unseen:
        messages.warn(
            f"left out {counted(left_out.unseen, 'click')} on documents that have no"
            " impression for their queries"
        )
    warn_unknown_rows(messages, unknown, "event")
    for warning in stored.warnings:
        messages.warn(warning)
    queries, judgments = stored.counts
    return LoadedItem("judgment set", name, done, judgments, queries, read.ignored)


def _counted(
    database: Database,
    paths: Sequence[Path],
    request: LoadClicksRequest,
    messages: Messages,
    streams: Streams | None,
    lacking: Collection[str] = (),
) -> _Read:
    """Count the events of a log in the temporary table events; return what it has.

    lacking are columns that its files are taken to lack.
    """
    run = assumed.shown_run(database, request)
    if run is not None:
        assumed.begin(database)
    files, ignored = _count(database, paths, request, messages, streams, lacking)
    where = click_needs.of_files(files)
    assumption = None
    if run is not None:
        assumption = assumed.assume(database, where, run, request.depth)
    log = _checked(database, where, request)
    return _Read(where, log, assumption, ignored)


def _name(
    paths: Sequence[Path], request: LoadClicksRequest, names: Mapping[Path, str]
) -> str:
    """Return the name of the set; raise NdcgSqlError if several files give none."""
    if request.name is not None:
        return request.name
    if len(paths) > 1:
        raise NdcgSqlError(
            f"{len(paths)} files become one judgment set",
            "name it: " + use(name="NAME"),
            offer=Offer(
                f"{len(paths)} files become one judgment set",
                {"name": Blank("NAME")},
            ),
        )
    return names.get(paths[0]) or default_name(paths[0])


def _count(
    database: Database,
    paths: Sequence[Path],
    request: LoadClicksRequest,
    messages: Messages,
    streams: Streams | None,
    lacking: Collection[str],
) -> tuple[list[str], tuple[str, ...]]:
    """Count the events of all files in the temporary table events.

    Return what messages call the files, and the columns that were ignored.
    """
    files: list[str] = []
    counts: list[Counted] = []
    if request.searches is not None:
        of_searches = request.searches
        with sources.opened(of_searches, messages, database.folder, streams) as source:
            objects = with_hits_as_lines(source, messages)
            check_one_index(database, objects)
            if index_of(objects) == "ubi_events":
                raise _swapped(objects, paths, request)
            read_searches(database, objects, request.dataset)
    for path in progress.files(list(paths)):
        with sources.opened(path, messages, database.folder, streams) as source:
            files.append(source.shown)
            reading, is_searched = reading_of(request), request.searches is not None
            if lacking:
                reading = replace(
                    reading,
                    query="?" if "query_id" in lacking else None,
                    elsewhere=tuple(name for name in lacking if name != "query_id"),
                )
            objects = with_hits_as_lines(source, messages)
            check_one_index(database, objects)
            if index_of(objects) == "ubi_queries":
                raise _no_events(objects, path)
            weights = {**request.weights, IMPRESSION: 1.0}
            words = dict.fromkeys(request.impressions, IMPRESSION)
            log = (database, objects, reading, weights, words)
            if request.impressions_from is None:
                counts.append(count_events(*log, is_searched))
            else:
                counts.append(count_clicks(*log))
        if len(paths) > 1:
            make = "create or replace temp table parts as"
            add = make if path == paths[0] else "insert into parts"
            database.execute(f"{add} from events")
    if len(paths) > 1:
        database.execute("drop table temp.events")
        database.execute("alter table temp.parts rename to events")
        added = sql_files.read("clicks/added_events")
        database.execute(f"create or replace temp table events as {added}")
    if request.searches is not None:
        counted_twice = add_shown(database)
        if counted_twice:
            messages.tell(
                f"the events have {counted(counted_twice, 'impression')}: what searches"
                " list is not counted, too"
            )
        unplaced = sum(one.unplaced for one in counts)
        if unplaced:
            messages.warn(
                f"left out {counted(unplaced, 'event')} without a position, on"
                " documents that their searches did not list"
            )
        lost = sum(one.lost for one in counts)
        if lost:
            messages.warn(
                f"left out {counted(lost, 'event')} of no search of"
                f" {source_name(request.searches)}"
            )
    times = zip(files, (one.odd_time for one in counts), strict=True)
    odd = ((what, time) for what, time in times if time is not None)
    if first := next(odd, None):
        what, time = first
        database.execute("update events set first_at = null, last_at = null")
        messages.warn(
            f"{what}: {quoted(time)} is not a time like 2026-01-31T23:59; the first and"
            " the last time of the log stay unknown"
        )
    ignored = dict.fromkeys(name for one in counts for name in one.ignored)
    return files, tuple(ignored)


def _swapped(
    source: Source, paths: Sequence[Path], request: LoadClicksRequest
) -> NdcgSqlError:
    """Return the error for a file of events that was given as the searches."""
    fields = {**stated(LoadClicksRequest, request)}
    fields["searches"] = str(paths[0]) if len(paths) == 1 else Blank("SEARCHES")
    right = call("load_clicks", str(request.searches), **fields)
    return NdcgSqlError(f"{source.shown}: events, not searches", "swapped? " + right)


def _no_events(source: Source, path: Path) -> NdcgSqlError:
    """Return the error for a file of searches that was given as events."""
    right = call("load_clicks", Blank("EVENTS"), searches=str(path))
    return NdcgSqlError(
        f"{source.shown}: searches, not events", "give them beside the events: " + right
    )


def _checked(database: Database, where: str, request: LoadClicksRequest) -> _Log:
    """Return what the log has; raise NdcgSqlError without impressions or clicks."""
    [log] = [_Log(*row) for row in database.run("clicks/log")]
    if not log.impressions:
        others = [action for action in request.weights if action != "click"]
        likely = likely_impression(others)
        run = assumed.likely_run(database, request)
        offer = None
        if likely is None and request.searches is None:
            offer = click_needs.no_impression(run)
        raise NdcgSqlError(
            f"{where}: {counted(log.actions, 'click')}, but no impression",
            Text(
                f"add what was shown: a row with the action {IMPRESSION} for each"
                " document at each position, clicked or not; if another action says"
                " it: ",
                use(impressions=[likely or Blank("NAME")]),
                *([] if request.searches else [SHOWN, use(impressions_from=run)]),
            ),
            offer=offer,
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
    where: str, request: LoadClicksRequest, log: _Log, left_out: _LeftOut
) -> NdcgSqlError:
    if left_out.unseen == log.actions:
        return NdcgSqlError(
            f"{where}: every click is on a document that was never shown for its query",
            "write the same ids of queries and documents in clicks and impressions",
        )
    if left_out.most < request.min_impressions:
        return NdcgSqlError(
            f"{where}: no document was shown {request.min_impressions} times for a"
            f" query, the most is {left_out.most}",
            "load a longer log, or: " + use(min_impressions=left_out.most),
        )
    return NdcgSqlError(
        f"{where}: nobody clicked where a document with enough impressions was shown",
        "load a longer log, or lower " + named("min_impressions"),
    )


def _unknown(database: Database, dataset: str) -> list[tuple[int, int, str]]:
    """Return the counts and the first of queries that a known dataset does not have."""
    if database.is_new or is_unknown(database, dataset):
        return []
    place = "row_number() over (order by query_id) as line_number"
    queries = f"select query_id, {place} from events group by query_id"
    database.execute(f"create or replace temp table staged as {queries}")
    unknown = sql_files.composed(_UNKNOWN)
    return [(*row,) for row in database.execute(unknown, {"dataset": dataset})]


def _how(request: LoadClicksRequest, assumption: Assumption | None) -> str:
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


def _unjudged(request: LoadClicksRequest, left_out: _LeftOut) -> list[Wording]:
    lines: list[Wording] = []
    if left_out.rare:
        what = counted(left_out.rare, "document of a query", "documents of queries")
        fewer = f"shown fewer than {request.min_impressions} times"
        lines.append(f"left out {what}, {fewer}")
    if left_out.unexpected:
        pairs = left_out.unexpected
        what = counted(pairs, "document of a query", "documents of queries")
        lines.append(f"left out {what}, shown only at positions where nobody clicked")
    return lines


def _content_hash(database: Database, how: str, log: _Log) -> str:
    """Return the hash of the judgments, and of all that the set says of them."""
    said: list[object] = [
        *database.run("lookups/staged_hash")[0],
        how,
        log.text,
    ]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
