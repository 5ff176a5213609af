"""Judgment sets made of clicks: what users did with what they were shown."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import NewEntry, namesake, same_name
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_judgments
from ndcg_sql.loading.tasks import Task
from ndcg_sql.measures.families import written
from ndcg_sql.reading.columns import likely
from ndcg_sql.reading.events import (
    Counted,
    already_shown,
    count_events,
    likely_impression,
)
from ndcg_sql.reading.meanings import SHOWN
from ndcg_sql.reading.searches import (
    add_shown,
    check_one_index,
    index_of,
    read_searches,
    with_hits_as_lines,
)
from ndcg_sql.requests.choices import IMPRESSION
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import source_name
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, use

# The temporary tables of a log.
_TABLES = (
    *("actions", "action_words", "searches", "counted", "events", "showings"),
    "clicked",
)
# How many files of a log are named.
_FILES = 3
# How many documents of a run a search showed, unless the user says it: a page.
_DEPTH = 10
# What does not fit: the count and the warning of it are of one name.
_MISFITS = (
    "clicks_of_other_queries",
    "clicks_on_others",
    "clicks_below",
    "clicks_elsewhere",
)
_EVENTS = """
    action_number usmallint, query_id varchar, doc_id varchar, position integer,
    event_count bigint, first_at timestamp, last_at timestamp
"""


def load(task: Task) -> list[LoadedItem]:
    """Make a judgment set of a log of events in one or several files; return it.

    Evaluates the dataset's runs with the set. The same events in another order, or in
    other files, make the same set, to the last bit. If anything is wrong with a file,
    raises NdcgSqlError and stores nothing.
    """
    options = task.options
    try:
        if options.name is None and len(task.paths) > 1:
            raise refusal("several_files_of_clicks", count=len(task.paths))
        name = task.name(task.paths[0])
        check_names([("dataset", options.dataset), ("judgment set", name)])
        return _load(task, name)
    finally:
        for table in _TABLES:
            task.database.execute(f"drop table if exists temp.{table}")


def _load(task: Task, name: str) -> list[LoadedItem]:
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    database, options, messages = task.database, task.options, task.messages
    dataset, least = options.dataset, options.min_impressions
    run = _shown_run(database, options)
    files = _count(task, run is not None)
    where, how = _of_files([*files]), ""
    assumption: dict[str, Any] = {}
    if run is not None:
        assumption = _assume(database, where, run, options.depth)
        how = _assumed_of(assumption)
    log = _checked_log(database, where, options)
    grades: Parameters = {
        **{"model": options.model, "min_impressions": least},
        "levels": list(options.limits),
    }
    _make(database, "clicked", "clicks/grades", grades)
    [(rare, unexpected, most, unseen)] = database.run("clicks/left_out", grades)
    unknown: list[Wording] = []
    if not database.is_new and not warnings.is_new(database, dataset):
        unknown = warnings.unknown_queries(database, dataset, "event", "events")
    _make(database, "staged", "clicks/judged", grades)
    if not database.execute("from staged limit 1"):
        about = {"file": where, "least": least}
        if unseen == log["actions"]:
            raise refusal("clicks_never_shown", **about)
        if most < least:
            raise refusal("few_impressions", min_impressions=most, **about)
        raise refusal("no_clicks_where_shown", **about)
    how = _how(options, how)
    beside = [options.searches] if options.searches is not None else []
    origins = _of_files([*map(task.origin, (*task.paths, *beside))])
    # The hash is one of the judgments, and of all that the set says of them.
    content = [*database.run("lookups/staged_hash")[0], how, _counts(log)]
    entry = NewEntry(
        "judgment set",
        dataset,
        name,
        hash_of(*content),
        source=f"{origins}: {how} of {_counts(log)}",
        verb="made",
        how=f" by {options.model} of {_counts(log)}",
        columns={"policy": options.model},
    )
    with database.transaction():
        old = namesake(database, entry, options.replace, where)
        if old.unchanged:
            old.unchanged.tell(messages)
            return old.unchanged.items
        stored = store_judgments(database, old, options.evaluate)
        [(set_id, _)] = same_name(database, "judgment set", dataset, name)
        of_log = {**log, "judgment_set_id": set_id, "min_impressions": least}
        for table in ("logs", "bands", "positions"):
            database.run(f"store/click_{table}", of_log)
    replace(stored, warnings=()).tell(messages)
    for count, why in (
        (rare, f"shown fewer than {least} times"),
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
        _tell_assumed(assumption, messages)
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


def _count(task: Task, is_run_shown: bool) -> dict[str, Counted]:
    """Count the events of all files in the temporary table events.

    Return what there is to be told of each file, by what messages call it.
    """
    database, options, messages = task.database, task.options, task.messages
    if is_run_shown:
        # The searches in which clicks were made.
        columns = "(query_id varchar, search_id varchar, searches bigint)"
        database.execute(f"create or replace temp table showings {columns}")
    if options.searches is not None:
        with task.opened(options.searches) as source:
            searches = with_hits_as_lines(source, messages)
            check_one_index(database, searches)
            if index_of(searches) == "ubi_events":
                raise refusal("events_for_searches", file=searches.shown)
            read_searches(database, searches, options.dataset)
    database.execute(f"create or replace temp table events ({_EVENTS})")
    files: dict[str, Counted] = {}
    for path in progress.files(task.paths):
        with task.opened(path) as source:
            events = with_hits_as_lines(source, messages)
            check_one_index(database, events)
            if index_of(events) == "ubi_queries":
                way = call("load_clicks", Blank("EVENTS"), searches=str(path))
                raise refusal("searches_for_events", file=events.shown, way=way)
            files[source.shown] = count_events(
                database,
                events,
                options,
                {**options.weights, IMPRESSION: 1.0},
                dict.fromkeys(options.impressions, IMPRESSION),
                "searches" if options.searches else "run" if is_run_shown else "events",
            )
    if len(task.paths) > 1:
        _make(database, "events", "clicks/added_events")
    if options.searches is not None:
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
            name = source_name(options.searches)
            messages.warn(warnings.sentence("lost_events", events=lost, searches=name))
    for file, one in files.items():
        if one.odd_time is not None:
            database.execute("update events set first_at = null, last_at = null")
            about = {"file": file, "time": one.odd_time}
            messages.warn(warnings.sentence("odd_time_of_log", **about))
            break
    return files


def _checked_log(database: Database, where: str, options: Options) -> dict[str, Any]:
    """Return what the log has; raise NdcgSqlError without impressions or clicks."""
    [log] = database.records(sql_files.read("clicks/log"))
    if not log["impressions"]:
        actions = (one for one in options.weights if one != "click")
        action = likely_impression(actions) or Blank("NAME")
        run = _likely_run(database, options)
        or_run = "" if options.searches else Text(SHOWN, use(impressions_from=run))
        about = {"clicks": log["actions"], "impressions": [action], "or_run": or_run}
        raise refusal("no_impressions", file=where, word=IMPRESSION, **about)
    if not log["actions"]:
        counting = [one for one, weight in options.weights.items() if weight]
        about = {"impressions": log["impressions"], "actions": {"NAME": 1}}
        raise refusal("no_clicks", file=where, counting=counting, **about)
    return log


def _how(options: Options, assumption: str) -> str:
    """Return how clicks become grades: the model and what is not its default."""
    usual = ("click", 1.0)
    weights = [one for one in sorted(options.weights.items()) if one != usual]
    parts = [f"{action}={written(weight)}" for action, weight in weights]
    parts += [f"{action}={IMPRESSION}" for action in sorted({*options.impressions})]
    parts += [assumption] if assumption else []
    parts += [f"min_impressions={options.min_impressions}"]
    if options.limits:
        parts += ["levels=" + ",".join(map(written, options.limits))]
    return f"{options.model} ({', '.join(parts)})"


def _assumed_of(assumption: Mapping[str, Any]) -> str:
    """Return what is assumed, for the source of a set."""
    of = "search" if assumption["named_searches"] else "click"
    first, run = assumption["first"], quoted(assumption["run"])
    return f"each {of} showed the {first} of run {run}"


def _tell_assumed(assumption: Mapping[str, Any], messages: Messages) -> None:
    """Tell what is assumed, and warn of clicks that do not fit."""
    named, other = assumption["named_searches"], assumption["other_searches"]
    searches = counted(named, "search", "searches")
    of, are = searches, "each"
    if other:
        clicks = counted(other, "click")
        of = f"{searches} and {clicks} of none" if named else clicks
        are = "each is a search of its own that"
    first = assumption["first"]
    documents = "document" if first == "first" else "documents"
    messages.tell(
        f"assumed of {of}: {are} showed the {first} {documents} of run"
        f" {quoted(assumption['run'])}; searches without an event are not in the log"
    )
    messages.warn_all(
        warnings.sentence(one, **assumption) for one in _MISFITS if assumption[one]
    )


def _shown_run(database: Database, request: Options) -> Entry | None:
    """Return the run that searches showed, or None if the user names none.

    Raises NdcgSqlError if the dataset has no such run, or no rankings of it.
    """
    name, dataset = request.impressions_from, request.dataset
    if name is None:
        return None
    available = [] if database.is_new else entries.runs(database)
    elsewhere = [run.dataset for run in available if run.name == name]
    if elsewhere and dataset not in elsewhere:
        about = {"run": name, "of": dataset, "datasets": elsewhere}
        raise refusal("shown_run_elsewhere", dataset=elsewhere[0], **about)
    if not any(run.dataset == dataset for run in available):
        raise entries.no_run(f"in dataset {quoted(dataset)}")
    run = entries.choose_entry(database, "run", name, dataset)
    entries.check_rankings([run], "load clicks")
    return run


def _likely_run(database: Database, request: Options) -> str | Blank:
    """Return the run that was shown, most likely: the newest with rankings, if any."""
    runs = [] if database.is_new else entries.having_rankings(entries.runs(database))
    names = [run.name for run in runs if run.dataset == request.dataset]
    return names[-1] if names else Blank("RUN")


def _assume(
    database: Database, where: str, run: Entry, depth: int | None
) -> dict[str, Any]:
    """Add what searches showed, the first documents of a run, to the table events.

    Return what is assumed: the first documents of the run, down to a depth, with the
    counts of sql/clicks/assumptions.sql, of what a log has beside them. named_searches
    and other_searches are of queries that the run has. clicks are all, those of
    other_queries are of queries that the run lacks, those on others on documents that
    it did not return, those below deeper than its first documents, down to deepest, and
    those elsewhere at a position of another document. where is what messages call the
    files. Raises NdcgSqlError if the log has impressions, or no click on what was
    shown.
    """
    shown: Parameters = {"run_id": run.id, "depth": depth or _DEPTH}
    [counts] = database.records(sql_files.read("clicks/assumptions"), shown)
    if counts["impressions"]:
        what = counted(counts["impressions"], "impression")
        raise already_shown(where, what, counts["impressions"])
    first = "first" if depth == 1 else f"first {depth or _DEPTH}"
    # What would take all clicks in is the deepest.
    about = {**counts, "run": run.name, "first": first, "depth": counts["deepest"]}
    clicks, other = counts["clicks"], counts["clicks_of_other_queries"]
    missed = other + counts["clicks_on_others"]
    if clicks and missed == clicks:
        what = "query" if other == clicks else "document"
        way = Blank("RUN")
        about = {"run": run.name, "what": what, "impressions_from": way}
        raise refusal("no_click_on_run", file=where, **about)
    if clicks and missed + counts["clicks_below"] == clicks:
        raise refusal("every_click_below", file=where, **about)
    events = sql_files.read("clicks/assumed")
    database.execute(f"create or replace temp table events as {events}", shown)
    return about
