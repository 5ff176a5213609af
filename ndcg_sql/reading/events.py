"""A log of events: how often what met which document, counted file by file.

OpenSearch's User Behavior Insights keeps searches beside them, in their own index.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout, Reading, glob_safe
from ndcg_sql.reading.meanings import SHOWN
from ndcg_sql.reading.sources import Source, blaming
from ndcg_sql.reading.staging import check_staged, checks_of, stage
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import FILE, Blank, Text, named, use

# How many actions a message gives places for weights.
_ACTIONS = 10
# What the name of an action says that tells what was shown.
_SHOWN = re.compile("view|show|seen|display|impress|expos|served", re.IGNORECASE)
# What says what was shown.
ShownBy = Literal["events", "searches", "run"]


@dataclass(frozen=True)
class Counted:
    """What is to be told of the events of a file that were counted.

    lost is how many name no search that is known, and unplaced how many have no
    position and a document that their search did not list; neither are counted.
    """

    lost: int
    unplaced: int
    odd_time: str | None
    ignored: tuple[str, ...]


def count_events(
    database: Database,
    file: Source,
    reading: Reading,
    weights: Mapping[str, float],
    words: Mapping[str, str],
    shown_by: ShownBy,
) -> Counted:
    """Count the events of a file, which are added to the temporary table events.

    weights says how many clicks each action is worth, 0 ignores it; words are other
    words of the log for actions. Events may name searches, which the table searches
    has. Where a run was shown, the table showings gets the searches in which events
    were made. No grade needs a time: if the user did not name the column, one that is
    none takes all times of the file away.
    """
    is_searched, is_run_shown = shown_by == "searches", shown_by == "run"
    if is_run_shown:
        reading = replace(reading, elsewhere=(*reading.elsewhere, "position"))
    how = _layout(database, file, reading, weights, words, is_searched)
    is_unplaced = "position" in reading.elsewhere
    how = replace(how, parameters={**how.parameters, "is_unplaced": is_unplaced})
    lost = unplaced = 0
    odd_time = None
    is_of_searches = is_run_shown and "search_id" in how.fields
    events = "select *, cast(null as varchar) as search_id from counted"
    # DuckDB takes any file of JSON for a small one, and would keep all of its rows in
    # memory, not the searches.
    setting = "build_side_probe_side" if is_searched else ""
    with database.setting("disabled_optimizers", setting):
        if is_of_searches or not _count_at_once(database, how):
            stage(database, "clicks", how)
            _check_counts(database, how, is_run_shown)
            _check_actions(database, how)
            if is_searched:
                lost = _taken_away(database, "query_id is null")
                unplaced = _taken_away(database, "position_text = ''")
            if "time" not in reading.columns:
                odd = checks_of("clicks")["time"].select
                first = f"select arg_min(time_text, line_number) from ({odd})"
                [(odd_time,)] = database.execute(first)
            if odd_time is not None:
                times = "time_text = null, assessed_at = null"
                database.execute(f"update staged set {times}")
            # A file may have nothing but what is left out or ignored.
            is_any = f"from ({sql_files.composed(how.steps)}) limit 1"
            if database.execute("from staged limit 1") or not database.execute(
                is_any, how.parameters
            ):
                check_staged(database, "clicks", how)
            events = "select *, false as is_odd from staged"
            count = sql_files.read("clicks/events")
            make = "create or replace temp table counted as with source_rows as"
            database.execute(f"{make} ({events}) {count}")
    database.execute("insert into events select * exclude (is_odd) from counted")
    if is_run_shown:
        searches = sql_files.read("clicks/showings")
        rows = f"with source_rows as ({events})"
        database.execute(f"insert into showings {rows} {searches}")
        if is_of_searches and 0 in weights.values():
            columns = ("query_id", "action", "search_id")
            places = {f"{column}_field": how.fields[column] for column in columns}
            unread = sql_files.composed((*how.steps, "clicks/ignored_searches"))
            parameters = {**how.parameters, **places}
            database.execute(f"insert into showings {unread}", parameters)
    ignored = how.ignored
    if not is_run_shown and "search_id" in how.column_names:
        # Where impressions are known, nothing is read from the names of searches.
        ignored += (how.column_names["search_id"],)
    return Counted(lost, unplaced, odd_time, () if is_searched else ignored)


def _count_at_once(database: Database, how: Layout) -> bool:
    """Count events in the table counted, not staged; return whether no row is wrong."""
    if how.source.faults or how.parameters.get("impressions_field", 0) is None:
        return False
    every = checks_of("clicks").values()
    odd = " or ".join(["weight is null", *(f"({one.condition})" for one in every)])
    rows = f"select *, coalesce({odd}, false) as is_odd from source_rows"
    events = f"with source_rows as ({rows}) {sql_files.read('clicks/events')}"
    stage(database, "clicks", how, table="counted", select=events)
    is_right = "select coalesce(not bool_or(is_odd), false) from counted"
    return database.execute(is_right) == [(True,)]


def already_shown(where: str, what: str, count: int) -> NdcgSqlError:
    """Return the error of a log that says what was shown, beside a run that does."""
    say = "says" if count == 1 else "say"
    return NdcgSqlError(
        f"{where}: {what} already {say} what was shown",
        "omit " + named("impressions_from"),
    )


def _layout(
    database: Database,
    file: Source,
    reading: Reading,
    weights: Mapping[str, float],
    words: Mapping[str, str],
    is_searched: bool,
) -> Layout:
    """Return how to read events, and put their actions into temporary tables."""
    how = layout(file, "clicks", reading)
    if not {"action", "clicks"} & how.fields.keys():
        remedy = "each row needs a query, a document, an action and a position"
        raise file.error("no events", f"{remedy}, in columns with names")
    _store_actions(database, weights, words)
    if is_searched:
        # Their searches know the queries and positions of events.
        named_in = {"search": "query_id", "document": "doc_id", "place": "position"}
        places = {f"{what}_field": how.fields[one] for what, one in named_in.items()}
        columns = ("query_id", "position")
        return how.with_front(columns, "clicks/searched", places)
    if "read/ubi_events" in how.steps:
        raise file.error(
            "events of UBI name searches, not queries",
            "add the searches, those of ubi_queries: " + use(searches=FILE),
        )
    if "action" in how.fields:
        return how
    usual = ("click", "impression")
    actions = [one for one, weight in weights.items() if weight and one not in usual]
    if actions:
        reading = replace(reading, wanted=(*reading.wanted, *actions))
        how = layout(file, "clicks", reading)
    return _with_counts(how, actions, words)


def _with_counts(
    how: Layout, actions: Sequence[str], words: Mapping[str, str]
) -> Layout:
    """Return how to read rows that count their impressions and clicks as events."""
    meanings = {at: column for column, at in how.fields.items()}
    for action in actions:
        if meaning := meanings.get(how.attributes[action]):
            what = f"action {quoted(action)}: the column is that of {quoted(meaning)}"
            weigh = "weigh clicks: " + use(actions={"click": Blank("WEIGHT")})
            name = "name the column of an action"
            raise how.source.error(what, weigh if meaning == "clicks" else name)
    if words:
        what = f"{how.source.shown}: has a row for counts, not for an action"
        way = use(columns={"impressions": Blank("NAME")})
        remedy = "name the column that counts what was shown: " + way
        raise NdcgSqlError(what, remedy, where=named("impressions"))
    places: Parameters = {
        "impressions_field": how.fields.get("impressions"),
        "clicks_field": how.fields.get("clicks"),
        "action_names": [*actions],
        "action_fields": [how.attributes[action] for action in actions],
    }
    return how.with_front(("action", "count"), "clicks/counted", places)


def _check_counts(database: Database, how: Layout, is_run_shown: bool) -> None:
    """Leave rows that count clicks, and no impressions, for their clicks alone.

    That is done where a run was shown, or where rows with several clicks have no
    position either.
    """
    if how.parameters.get("impressions_field", 0) is not None:
        return
    [(most, unclicked)] = database.run("clicks/clicks_of_rows")
    if is_run_shown and unclicked:
        what = f"{counted(unclicked, 'row')} without a click"
        raise already_shown(how.source.shown, what, unclicked)
    if not is_run_shown and most <= 1:
        return
    if not is_run_shown and (unclicked or not how.parameters["is_unplaced"]):
        name = use(columns={"impressions": Blank("NAME")})
        run = use(impressions_from=Blank("RUN"))
        raise how.source.error(
            f'up to {most} clicks in a row, but no column for "impressions"',
            Text("name it: ", name, SHOWN, run),
        )
    database.execute("delete from staged where event_action = 'impression'")


def _taken_away(database: Database, condition: str) -> int:
    """Delete staged rows of a condition; return how many events they were."""
    which = f"from staged where {condition} and field_count > 0"
    events = "select cast(coalesce(sum(event_count), 0) as bigint)"
    [(count,)] = database.execute(f"{events} {which}")
    database.execute(f"delete {which}")
    return count


def _store_actions(
    database: Database, weights: Mapping[str, float], words: Mapping[str, str]
) -> None:
    """Put actions and weights into the tables actions and action_words, in order."""
    actions = sorted(weights)
    of_action = {action: action for action in actions}
    of_word = {**of_action, **words}
    for table, chosen in (("actions", of_action), ("action_words", of_word)):
        database.execute(
            f"create or replace temp table {table} as select"
            " unnest($numbers)::usmallint as action_number,"
            " unnest($words)::varchar as event_action,"
            " unnest($weights)::double as weight",
            {
                "numbers": [actions.index(action) for action in chosen.values()],
                "words": [*chosen],
                "weights": [weights[action] for action in chosen.values()],
            },
        )


def likely_impression(actions: Iterable[str]) -> str | None:
    """Return the action whose name says that something was shown, or None."""
    return next((one for one in actions if _SHOWN.search(one)), None)


def _check_actions(database: Database, how: Layout) -> None:
    """Raise NdcgSqlError for staged actions that nobody weighed."""
    rows = database.run("clicks/unweighed", how.widths)
    if not rows:
        return
    first = rows[:_ACTIONS]
    named_so = ", ".join(f"{quoted(action)} ({count})" for action, count in first)
    more = f" and {len(rows) - len(first)} more" * (len(rows) > len(first))
    actions = counted(len(rows), "action")
    shown = "from actions where event_action = 'impression'"
    seen = f"from staged semi join ({shown}) using (action_number) limit 1"
    has_impressions = bool(database.execute(seen))
    likely = likely_impression(action for action, _ in rows)
    remedy = "say how many clicks each is worth, or 0 to ignore it: " + use(
        actions={action: Blank("WEIGHT") for action, _ in first}
    )
    what = f"{how.source.shown}: {actions} of unknown weight: {named_so}{more}"
    if likely is not None and not has_impressions:
        says = use(impressions=[likely])
        remedy += Text(f"; if {quoted(likely)} says what was shown: ", says)
    raise NdcgSqlError(what, remedy)


def index_of(source: Source) -> Literal["ubi_events", "ubi_queries"] | None:
    """Return the index of UBI whose objects are on the lines of a file, or None."""
    if source.binary:
        return None
    with blaming(source.shown, source.folder), source.text() as lines:
        # Above an object, there may be one for OpenSearch, which says what to do.
        first = "".join(islice(filter(str.strip, lines), 2)).lstrip()
    if '"action_name"' in first and first.startswith("{"):
        return "ubi_events"
    is_query = '"user_query"' in first and first.startswith("{")
    return "ubi_queries" if is_query else None


def read_searches(database: Database, source: Source, dataset: str) -> None:
    """Read the searches of UBI into the temporary table searches.

    Where the dataset has a query of the same text, that is the query of a search.
    """
    steps = ("read/lines", "read/ubi_searches")
    steps += ("store/staged_epochs", "store/staged_times")
    how = Layout(source, steps, {"path": glob_safe(source.readable)})
    make = "create or replace temp table"
    database.execute(f"{make} staged as {sql_files.composed(steps)}", how.parameters)
    check_staged(database, "searches", how)
    select = "select *, query_text as query_id from staged"
    if not database.is_new:
        select = sql_files.read("clicks/known_searches")
    database.execute(f"{make} searches as {select}", {"dataset": dataset})


def add_shown(database: Database) -> int:
    """Add what searches showed to events without impressions; return their number."""
    [(impressions, *_)] = database.run("clicks/log")
    if not impressions:
        shown = sql_files.read("clicks/shown")
        database.execute(f"insert into events {shown}")
    return impressions or 0
