"""A log of events, counted while it is read: how often what met which document."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.reading import checks
from ndcg_sql.reading.actions import check_actions, check_meanings, store_actions
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.fast import count, is_delimited
from ndcg_sql.reading.layouts import Layout, Reading
from ndcg_sql.reading.meanings import SHOWN
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import (
    check_staged,
    is_damage,
    is_of_content,
    stage,
)
from ndcg_sql.text import counted
from ndcg_sql.wording import Blank, Text, named, use

# What reads a file of text whose lines all have one form.
_TEXT = ("read/fields",)
# What reads rows that a reader wrote, each on a line, if all have one form.
_RECORDS = ("read/records", "clicks/named_fields")
# What reads the events of searches that UBI keeps, and what does if all have one form.
_UBI_STRICT = ("read/lines", "read/ubi_events", "clicks/searched")
_UBI = ("clicks/clean_ubi", "clicks/clean_searched")
# The columns of a log, by their names in parameters.
_COLUMNS = {
    "query": "query_id",
    "doc": "doc_id",
    "action": "action",
    "position": "position",
    "time": "time",
}
# What the columns of a log are called in sql/clicks/.
_NAMES = {"action": "event_action"}


@dataclass(frozen=True)
class Counted:
    """What is to be told of the events of a file that were counted.

    lost is how many name no search that is known, and unplaced how many have no
    position and a document that their search did not list; neither are counted.
    odd_time is a text in the column of times that is none. ignored are the columns
    that nothing was read from.
    """

    lost: int = 0
    unplaced: int = 0
    odd_time: str | None = None
    ignored: tuple[str, ...] = ()


def count_events(
    database: Database,
    source: Source,
    reading: Reading,
    weights: Mapping[str, float],
    words: Mapping[str, str],
    is_searched: bool = False,
) -> Counted:
    """Count the events of a file in the temporary table events.

    weights says how many clicks each action is worth, 0 ignores it; an impression has
    1. words are other words of the log for actions. With is_searched, the events name
    searches, which the table searches has. Raises NdcgSqlError for a bad row, and for
    actions that nobody weighed. No grade needs a time: if the user did not name the
    column, one that is none takes all times of the file away.
    """
    how, source = _layout(database, source, reading, weights, words, is_searched)
    if "position" not in how.fields:
        # It stands for one that the user is to name yet.
        how = how.with_front("position", "read/one_grade", {"grade": "1"})
    # Where impressions are known, nothing is read from the names of searches.
    search = how.column_names.get("search_id")
    unread = how.ignored if search is None else (*how.ignored, search)
    ignored = () if is_searched else unread
    if _count_fast(database, source, how, no_position=None):
        return Counted(ignored=ignored)
    stage(database, "clicks", source, how)
    if "impressions_field" in how.parameters:
        _check_counts(database, source, how, "position" in reading.elsewhere)
    check_actions(database, source, how, words)
    lost = unplaced = 0
    if is_searched:
        lost = _take_away(database, "query_id is null")
        unplaced = _take_away(database, "position_text = ''")
    odd_time = None if "time" in reading.columns else _without_odd_times(database)
    if not lost + unplaced or database.execute("from staged limit 1"):
        check_staged(database, "clicks", source, how)
    database.execute(_made("clicks/events"))
    return Counted(lost, unplaced, odd_time, ignored)


def count_clicks(
    database: Database,
    source: Source,
    reading: Reading,
    weights: Mapping[str, float],
    words: Mapping[str, str],
) -> Counted:
    """Count the events of a file that has clicks, but nothing of what was shown.

    An event without a position has 0. The table showings gets the searches in which
    events were made, also those that are ignored, if they name their searches.
    Otherwise as count_events.
    """
    reading = replace(reading, elsewhere=(*reading.elsewhere, "position"))
    how, source = _layout(database, source, reading, weights, words)
    if "search_id" not in how.fields and _count_fast(database, source, how, 0):
        events = "select *, cast(null as varchar) as search_id from events"
        _add_showings(database, events)
        return Counted(ignored=how.ignored)
    stage(database, "clicks", source, how)
    if how.parameters.get("impressions_field", 0) is None:
        _keep_clicks(database, source)
    unplaced = "coalesce(position_text, '') = ''"
    database.execute(f"update staged set position = 0 where {unplaced}")
    check_actions(database, source, how, None)
    odd_time = None if "time" in reading.columns else _without_odd_times(database)
    check_staged(database, "clicks", source, how)
    database.execute(_made("clicks/events"))
    _add_showings(database, "from staged")
    if "search_id" in how.fields and 0 in weights.values():
        _add_ignored(database, how)
    return Counted(odd_time=odd_time, ignored=how.ignored)


def _layout(
    database: Database,
    file: Source,
    reading: Reading,
    weights: Mapping[str, float],
    words: Mapping[str, str],
    is_searched: bool = False,
) -> tuple[Layout, Source]:
    """Return how to read events, and put their actions into temporary tables.

    Raises NdcgSqlError for a file that has no events, or not those of searches.
    """
    how, source = layout(file, "clicks", reading)
    if not {"action", "clicks"} & how.fields.keys():
        raise NdcgSqlError(
            f"{source.shown}: no events",
            "each row needs a query, a document, an action and a position, in columns"
            " with names",
        )
    store_actions(database, weights, words)
    if is_searched:
        how = _searched(how)
    elif "read/ubi_events" in how.steps:
        raise NdcgSqlError(
            f"{source.shown}: events of UBI name searches, not queries",
            "add the searches, those of ubi_queries: " + use(searches=Blank("FILE")),
            offer=Offer(
                "events of UBI name searches, not queries",
                {"searches": Blank("FILE")},
            ),
        )
    if "action" in how.fields:
        return how, source
    return _with_counts(file, source, how, reading, weights, words)


def _add_showings(database: Database, select: str) -> None:
    searches = sql_files.read("clicks/showings")
    database.execute(
        f"insert into showings with source_rows as ({select}) from ({searches})"
    )


def _add_ignored(database: Database, how: Layout) -> None:
    """Add the searches of events that are ignored to the table showings."""
    places: Parameters = {
        f"{column}_field": how.fields[column]
        for column in ("query_id", "action", "search_id")
    }
    searches = sql_files.composed((*how.steps, "clicks/ignored_searches"))
    parameters = {**how.parameters, **places}
    database.execute(f"insert into showings {searches}", parameters)


def _keep_clicks(database: Database, source: Source) -> None:
    """Leave rows that count clicks, and no impressions, for their clicks alone.

    Raises NdcgSqlError for rows without a click: they say what was shown.
    """
    if rows := _unclicked(database):
        what = f"{counted(rows, 'row')} without a click"
        raise already_shown(source.shown, what, rows)
    database.execute("delete from staged where event_action = 'impression'")


def _unclicked(database: Database) -> int:
    """Return how many staged rows that count clicks count none."""
    clicked = (
        "select line_number from staged"
        " where event_action <> 'impression' and event_count > 0"
    )
    [(rows,)] = database.execute(
        "select count(*) from staged"
        f" where event_action = 'impression' and line_number not in ({clicked})"
    )
    return rows


def already_shown(where: str, what: str, count: int) -> NdcgSqlError:
    """Return the error of a log that says what was shown, beside a run that does."""
    say = "says" if count == 1 else "say"
    return NdcgSqlError(
        f"{where}: {what} already {say} what was shown",
        "omit " + named("impressions_from"),
    )


def _check_counts(
    database: Database, source: Source, how: Layout, is_unplaced: bool
) -> None:
    """Raise NdcgSqlError for several clicks in a row that counts no impressions.

    Where the rows have no position either (is_unplaced), and each has a click, they say
    nothing of what was shown, and are left for their clicks alone.
    """
    if how.parameters["impressions_field"] is not None:
        return
    most = "select max(event_count) from staged where event_action <> 'impression'"
    [(clicks,)] = database.execute(most)
    if clicks is None or clicks <= 1:
        return
    if is_unplaced and not _unclicked(database):
        _keep_clicks(database, source)
    else:
        raise NdcgSqlError(
            f"{source.shown}: up to {clicks} clicks in a row, but no column for"
            ' "impressions"',
            Text(
                "name it: ",
                use(columns={"impressions": Blank("NAME")}),
                SHOWN,
                use(impressions_from=Blank("RUN")),
            ),
            offer=Offer(
                f"up to {clicks} clicks in a row, but no column for impressions",
                {"columns": {"impressions": Blank("NAME")}},
            ),
        )


def _take_away(database: Database, condition: str) -> int:
    """Delete staged rows of a condition; return how many events they are."""
    which = f"from staged where {condition} and field_count > 0"
    events = "select cast(coalesce(sum(event_count), 0) as bigint)"
    [(count,)] = database.execute(f"{events} {which}")
    database.execute(f"delete {which}")
    return count


def _without_odd_times(database: Database) -> str | None:
    """Take the times of staged rows away if one is none, and return its text."""
    odd = checks.every()["time"].select
    first = f"select arg_min(time_text, line_number) from ({odd})"
    [(text,)] = database.execute(first)
    if text is not None:
        none = "time_text = null, assessed_at = null"
        database.execute(f"update staged set {none}")
    return text


def _searched(how: Layout) -> Layout:
    """Return how to read events whose queries and positions their searches know."""
    places = {
        "search_field": how.fields["query_id"],
        "document_field": how.fields["doc_id"],
        "place_field": how.fields["position"],
    }
    fields = {column: at + 2 for column, at in how.fields.items()}
    return replace(
        how,
        steps=(*how.steps, "clicks/searched"),
        parameters={**how.parameters, **places},
        fields={**fields, "query_id": 1, "position": 2},
        added=how.added + 2,
    )


def _with_counts(
    file: Source,
    source: Source,
    how: Layout,
    reading: Reading,
    weights: Mapping[str, float],
    words: Mapping[str, str],
) -> tuple[Layout, Source]:
    """Return how to read rows that count their impressions and clicks as events.

    file is the source before how to read it was found. An action beside the click has
    a column of its name; raises NdcgSqlError if it has none, or if that is the column
    of something else, and for words for impressions, which no row has.
    """
    usual = ("click", "impression")
    actions = [one for one, weight in weights.items() if weight and one not in usual]
    if actions:
        reading = replace(reading, wanted=(*reading.wanted, *actions))
        how, source = layout(file, "clicks", reading)
    check_meanings(source, how, actions)
    if words:
        raise NdcgSqlError(
            f"{source.shown}: has a row for counts, not for an action",
            "name the column that counts what was shown: "
            + use(columns={"impressions": Blank("NAME")}),
            where=named("impressions"),
        )
    places: Parameters = {
        f"{column}_field": how.fields.get(column)
        for column in ("impressions", "clicks")
    }
    places["action_names"] = actions
    places["action_fields"] = [how.attributes[action] for action in actions]
    how = replace(
        how,
        steps=(*how.steps, "clicks/counted"),
        parameters={**how.parameters, **places},
        fields={
            **{column: at + 2 for column, at in how.fields.items()},
            "action": 1,
            "count": 2,
        },
        added=how.added + 2,
    )
    return how, source


def _made(*steps: str) -> str:
    return f"create or replace temp table events as {sql_files.composed(steps)}"


def _count_fast(
    database: Database, source: Source, how: Layout, no_position: int | None
) -> bool:
    """Count the events of a file without anything unusual.

    Those without a position have no_position; with None, each needs one. Returns False
    if the file must be read strictly: single lines are not checked.
    """
    if how.steps == ("read/parquet",):
        read, parameters = ("clicks/clean_parquet",), _of_parquet(how)
        rows = "from read_parquet($path, hive_partitioning = false)"
        [(lines,)] = database.execute(f"select count(*) {rows}", parameters)
    elif how.steps == ("read/lines", "read/delimited") and is_delimited(source, how):
        read, parameters = _TEXT, _of_text(how)
        lines = source.line_count - parameters["header_line"]
    elif how.steps == ("read/records",) and not source.faults:
        read, parameters = _RECORDS, _of_fields(how)
        lines = count(source.readable, "\n")
    elif how.steps == _UBI_STRICT and not source.faults:
        read, parameters = _UBI, how.parameters
        lines = source.line_count
    else:
        return False
    parameters = {**parameters, "no_position": no_position}
    try:
        with ExitStack() as stack:
            searches = "select count(*) from searches"
            if read == _UBI and lines > database.execute(searches)[0][0]:
                stack.enter_context(database.right_side_kept())
            database.execute(_made(*read, "clicks/clean_events"), parameters)
    except duckdb.Error as error:
        # A line of JSON may be longer than this reader takes.
        if is_damage(error, source) or (read == _UBI and is_of_content(error)):
            return False
        raise
    [(events,)] = database.execute("select sum(event_count) from events")
    # In a text file, odd characters are known before.
    odd = "from events where regexp_matches(query_id || doc_id, '[\\x00\\x0B\\x0C]')"
    has_odd = read != _TEXT and database.execute(f"{odd} limit 1")
    if events != lines or has_odd:
        return False
    # Of actions that are ignored, only the number of events is known.
    database.execute("delete from events where query_id is null")
    return True


def _of_fields(how: Layout) -> Parameters:
    places = {
        f"{name}_field": how.fields.get(column) for name, column in _COLUMNS.items()
    }
    return {**how.parameters, **places, "field_count": how.field_range[1]}


def _of_text(how: Layout) -> Parameters:
    names = {at: _NAMES.get(column, column) for column, at in how.fields.items()}
    columns = [names.get(at, f"field_{at}") for at in range(1, how.field_range[1] + 1)]
    return {
        "path": how.parameters["path"],
        "delimiter": how.parameters["delimiter"],
        "header_line": how.parameters["header_line"],
        "columns": dict.fromkeys(columns, "VARCHAR"),
    }


def _of_parquet(how: Layout) -> Parameters:
    names = {
        f"{name}_column": how.column_names.get(column)
        for name, column in _COLUMNS.items()
    }
    return {"path": how.parameters["path"], **names}
