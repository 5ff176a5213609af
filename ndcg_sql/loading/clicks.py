"""Judgment sets made of clicks: what users did with what they were shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import NewEntry, unchanged
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_judgments
from ndcg_sql.loading.tasks import Task
from ndcg_sql.measures.families import written
from ndcg_sql.options import IMPRESSION
from ndcg_sql.reading import events
from ndcg_sql.reading.columns import likely
from ndcg_sql.reading.meanings import SHOWN
from ndcg_sql.system import progress
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
    if options.name is None and len(task.paths) > 1:
        raise refusal("several_files_of_clicks", count=len(task.paths))
    name = task.name(task.paths[0])
    check_names([("dataset", options.dataset), ("judgment set", name)])
    try:
        item = _load(task, name)
    finally:
        for table in _TABLES:
            task.database.execute(f"drop table if exists temp.{table}")
    task.held.pass_on(task.messages)
    return [item]


def _load(task: Task, name: str) -> LoadedItem:
    # DuckDB reads rows of its own transaction on one thread: it begins after reading.
    database, options, held = task.database, task.options, task.held
    dataset, least = options.dataset, options.min_impressions
    run = _shown_run(database, options)
    files = _count(task, run is not None)
    where, assumed, assumption = _of_files([*files]), "", dict[str, Any]()
    if run is not None:
        assumption = _assume(database, where, run, options.depth or _DEPTH)
        of = "search" if assumption["named_searches"] else "click"
        assumed = (
            f"each {of} showed the {assumption['first']} of run {quoted(run.name)}"
        )
    log = _checked_log(database, where, options)
    grades: Parameters = {"model": options.model, "min_impressions": least}
    grades["levels"] = list(options.limits)
    _make(database, "clicked", "clicks/grades", grades)
    rows = database.run("clicks/left_out", grades)
    [(rare, unexpected, most, unseen, crowded)] = rows
    unknown: list[Wording] = []
    if not database.is_new and not warnings.is_new(database, dataset):
        unknown = warnings.unknown_queries(database, dataset, "event", "events")
    _make(database, "staged", "clicks/judged", grades)
    if not database.execute("from staged limit 1"):
        about = {"file": where, "least": least, "most": most, "unseen": unseen}
        raise refusal("no_clicks_where_shown", **about)
    how, counts = _how(options, assumed), counted(log["impressions"], "impression")
    counts += f" and {counted(log['actions'], 'click')}"
    if log["first_at"] is not None:
        counts += f", {log['first_at']} to {log['last_at']}"
    beside = [options.searches] if options.searches is not None else []
    origins = _of_files([*map(task.origin, (*task.paths, *beside))])
    # The hash is one of the judgments, and of all that the set says of them.
    content = [*database.run("lookups/staged_hash")[0], how, counts]
    entry = NewEntry(
        "judgment set",
        dataset,
        name,
        hash_of(*content),
        source=f"{origins}: {how} of {counts}",
        verb="made",
        how=f" by {options.model} of {counts}",
        columns={"policy": options.model},
    )
    with database.transaction():
        entry = entry.beside_old(database)
        if item := unchanged(held, entry, options.replace, where):
            return item
        evaluating = options.evaluate
        set_id, item = store_judgments(database, held, entry, evaluating=evaluating)
        of_log = {**log, "judgment_set_id": set_id, "min_impressions": least}
        for table in ("logs", "bands", "positions"):
            database.run(f"store/click_{table}", of_log)
    for count, why in (
        (rare, f"each shown fewer than {least} times"),
        (unexpected, "shown only at positions where nobody clicked"),
    ):
        if count:
            documents = counted(count, "document of a query", "documents of queries")
            held.tell(f"omitted {documents}, {why}")
    ignored = tuple(dict.fromkeys(n for one in files.values() for n in one.ignored))
    if ignored:
        columns = Text(warnings.ignored_columns(ignored))
        is_unnamed = bool(assumption) and not assumption["named_searches"]
        if is_unnamed and (search_id := likely("search_id", ignored, "clicks")):
            columns += f"; if {quoted(search_id)} names searches: "
            columns += use(columns={"search_id": search_id})
        held.tell(columns)
    if assumption:
        named, other = assumption["named_searches"], assumption["other_searches"]
        of = [counted(named, "search", "searches")] * bool(named)
        without = " without a search" if named else ""
        of += [counted(other, "click") + without] * bool(other)
        each = "each of " if named + other > 1 else ""
        showed = "showed" if named else "is a separate search that showed"
        first = assumption["first"]
        documents = "document" if first == "first" else "documents"
        held.tell(
            f"assumption: {each}{' and '.join(of)} {showed} the {first} {documents} of"
            f" run {quoted(assumption['run'])}; searches without an event are not in"
            " the log"
        )
        for name in _MISFITS:
            if assumption[name]:
                held.warn(warnings.sentence(name, **assumption))
    elif unseen:
        held.warn(warnings.sentence("unseen_clicks", clicks=unseen))
    if crowded:
        held.warn(warnings.sentence("crowded_clicks", crowded=crowded))
    held.warn_all(unknown)
    return replace(item, ignored=ignored)


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


def _count(task: Task, is_run_shown: bool) -> dict[str, events.Counted]:
    """Count all events in the temporary table events; return what to tell by file."""
    database, options, held = task.database, task.options, task.held
    if is_run_shown:
        # The searches in which clicks were made.
        columns = "(query_id varchar, search_id varchar, searches bigint)"
        database.execute(f"create or replace temp table showings {columns}")
    if options.searches is not None:
        with task.opened(options.searches) as searches:
            if events.index_of(searches) == "ubi_events":
                raise refusal("events_for_searches", file=searches.shown)
            events.read_searches(database, searches, options.dataset)
    database.execute(f"create or replace temp table events ({_EVENTS})")
    weights = {**options.weights, IMPRESSION: 1.0}
    synonyms = dict.fromkeys(options.impressions, IMPRESSION)
    shown = "searches" if options.searches else "run" if is_run_shown else "events"
    files: dict[str, events.Counted] = {}
    for path in progress.files(task.paths):
        with task.opened(path) as log:
            if events.index_of(log) == "ubi_queries":
                loading = call("load_clicks", Blank("EVENTS"), searches=str(path))
                raise refusal("searches_for_events", file=log.shown, way=loading)
            about = options, weights, synonyms, shown
            files[log.shown] = events.count_events(database, log, *about)
    if len(task.paths) > 1:
        _make(database, "events", "clicks/added_events")
    if options.searches is not None:
        if counted_twice := events.add_shown(database):
            held.tell(
                f"the events contain {counted(counted_twice, 'impression')}, so the"
                " documents listed by searches are not counted as well"
            )
        about = {"searches": source_name(options.searches)}
        for name in ("unplaced", "lost"):
            if count := sum(getattr(one, name) for one in files.values()):
                held.warn(warnings.sentence(f"{name}_events", events=count, **about))
    odd = [(file, one.odd_time) for file, one in files.items() if one.odd_time]
    for file, time in odd[:1]:
        database.execute("update events set first_at = null, last_at = null")
        held.warn(warnings.sentence("odd_time_of_log", file=file, time=time))
    return files


def _checked_log(database: Database, where: str, options: Options) -> dict[str, Any]:
    """Return what the log has; raise NdcgSqlError without impressions or clicks."""
    [log] = database.records(sql_files.read("clicks/log"))
    if not log["impressions"]:
        actions = (one for one in options.weights if one != "click")
        action = events.likely_impression(actions) or Blank("NAME")
        # Most likely, the newest run was shown.
        runs = [] if database.is_new else entries.runs(database, options.dataset)
        names = [run.name for run in entries.having_rankings(runs)]
        run = names[-1] if names else Blank("RUN")
        or_run = "" if options.searches else Text(SHOWN, use(impressions_from=run))
        about = {"clicks": log["actions"], "impressions": [action], "or_run": or_run}
        raise refusal("no_impressions", file=where, word=IMPRESSION, **about)
    if not log["actions"]:
        counting = [one for one, weight in options.weights.items() if weight]
        about = {"impressions": log["impressions"], "actions": {"NAME": 1}}
        raise refusal("no_clicks", file=where, counting=counting, **about)
    return log


def _how(options: Options, assumed: str) -> str:
    """Return how clicks become grades: the model and what is not its default."""
    usual = ("click", 1.0)
    weights = [one for one in sorted(options.weights.items()) if one != usual]
    parts = [f"{action}={written(weight)}" for action, weight in weights]
    parts += [f"{action}={IMPRESSION}" for action in sorted({*options.impressions})]
    parts += [assumed] * bool(assumed)
    parts += [f"min_impressions={options.min_impressions}"]
    parts += ["levels=" + ",".join(map(written, options.limits))] * bool(options.limits)
    return f"{options.model} ({', '.join(parts)})"


def _shown_run(database: Database, options: Options) -> Entry | None:
    """Return the run that searches showed, or None if the user names none."""
    name = options.impressions_from
    if name is None:
        return None
    if database.is_new or not entries.runs(database, options.dataset):
        raise entries.no_run(f"in dataset {quoted(options.dataset)}")
    run = entries.choose_entry(database, "run", name, options.dataset)
    entries.check_rankings([run], "load clicks")
    return run


def _assume(database: Database, where: str, run: Entry, depth: int) -> dict[str, Any]:
    """Add what searches showed, the first documents of a run, to the table events.

    Return it: the first documents of the run, down to a depth, with the counts of
    sql/clicks/assumptions.sql. Raises NdcgSqlError for impressions, or no click on what
    was shown.
    """
    shown: Parameters = {"run_id": run.id, "depth": depth}
    [counts] = database.records(sql_files.read("clicks/assumptions"), shown)
    if counts["impressions"]:
        impressions = counted(counts["impressions"], "impression")
        raise events.already_shown(where, impressions, counts["impressions"])
    first = f"first {depth}" if depth > 1 else "first"
    # What would take all clicks in is the deepest.
    about = {**counts, "run": run.name, "first": first, "depth": counts["deepest"]}
    clicks, other = counts["clicks"], counts["clicks_of_other_queries"]
    missed = other + counts["clicks_on_others"]
    if clicks and missed == clicks:
        about["what"] = "query" if other == clicks else "document"
        way = Blank("RUN")
        raise refusal("no_click_on_run", file=where, impressions_from=way, **about)
    if clicks and missed + counts["clicks_below"] == clicks:
        raise refusal("every_click_below", file=where, **about)
    _make(database, "events", "clicks/assumed", shown)
    return about
