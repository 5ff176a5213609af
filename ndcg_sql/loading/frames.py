"""Loading from Python: frames and files, with options as Python values."""

import math
from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import assessments, documents, queries, sets
from ndcg_sql.loading.assessments import Assessors, check_assessors
from ndcg_sql.loading.options import Options, Ranked, check_format
from ndcg_sql.reading import mappings
from ndcg_sql.reading.cursors import is_cursor
from ndcg_sql.reading.databases import Wanted
from ndcg_sql.reading.frames import Frame, check_writable, opened
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.requests.fields import made
from ndcg_sql.requests.loading import LoadJudgmentsRequest, LoadRunRequest
from ndcg_sql.system import urls
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import named

if TYPE_CHECKING:
    from sqlalchemy import URL

_REQUESTS: dict[Ranked, type[LoadRunRequest | LoadJudgmentsRequest]] = {
    "run": LoadRunRequest,
    "judgments": LoadJudgmentsRequest,
}
# The fields that are text, which DuckDB would otherwise take as something else.
_TEXTS = (
    "name",
    "dataset",
    "base",
    "run_column",
    "duplicates",
    "name_from",
    "query",
    "format_in",
)


def database_rows(
    url: "str | URL",
    select: str | None = None,
    *,
    table: str | None = None,
    wait: float = urls.PATIENCE,
) -> Wanted:
    """Return the rows of a select or a table, to be loaded as a frame is.

        warehouse.load_run(database_rows("sqlite:///shop.db", table="ranked"))

    url is one of SQLAlchemy; $NAME in its text is an environment variable. Nothing
    is read before it is loaded, in a transaction that only reads. Waits up to wait
    seconds for the database to answer. What is loaded from a table is called as the
    table by default. Raises NdcgSqlError unless either a select or a table is given.
    """
    if (select is None) == (table is None):
        given = "neither is" if table is None else "both are"
        raise NdcgSqlError(f"database_rows: give a select or a table; {given} given")
    if not isinstance(url, str):
        if not hasattr(url, "render_as_string"):
            raise NdcgSqlError(
                "database_rows: the URL is neither text nor a URL of SQLAlchemy; of an"
                " engine, give engine.url"
            )
        url = url.render_as_string(hide_password=False)
    texts: dict[str, object] = {"select": select, "table": table}
    for what, text in texts.items():
        if not isinstance(text, (str, type(None))):
            raise NdcgSqlError(
                f"database_rows: {what} is not text; what SQLAlchemy selects is loaded"
                " when executed: load_run(connection.execute(...))"
            )
    return Wanted(url, select, table, wait)


def load(
    database: Database,
    kind: Ranked,
    frame: Frame,
    name: str | None,
    options: Mapping[str, Any],
    messages: Messages,
) -> None:
    """Load a frame, a dict, named tuples or the file at a path.

    options are the fields of its request; None means the default.
    """
    for key in _TEXTS:
        text = name if key == "name" else options.get(key)
        if not isinstance(text, (str, type(None))):
            raise NdcgSqlError(f"{key} {text!r}: not text")
    given = {**options, "name": name}
    if given.get("labels") is not None:
        given["labels"] = _grades(given["labels"])
    chosen = Options.of(made(_REQUESTS[kind], given))
    own = ("rows_of", "groups", "format_in")
    _check_files(frame, **{key: getattr(chosen, key) for key in own})
    check_writable(database)
    rows = None if is_cursor(frame) else mappings.rows(frame, kind)
    if rows and rows.is_ordered and chosen.position_rule == "score":
        chosen = replace(chosen, position_rule="given")
    found = (rows.columns, kind) if rows else (frame, "frame")
    with opened(database, found[0], messages, found[1]) as (path, streams):
        if not isinstance(frame, (str, Path)):
            chosen = replace(chosen, names={path: _name(frame, kind)})
        sets.load(database, kind, [path], chosen, messages, streams)


def load_queries(
    database: Database,
    frame: Frame,
    dataset: str,
    columns: Mapping[str, str] | None,
    replace: bool,
    format_in: str | None = None,
) -> str:
    """Load a frame of queries, or the file at a path; return the messages."""
    messages = Collected()
    with opened(database, frame, messages) as (path, streams):
        reading = _reading(frame, columns, format_in)
        queries.load(database, path, dataset, reading, messages, streams, replace)
    return messages.text


def load_documents(
    database: Database,
    frame: Frame,
    dataset: str,
    columns: Mapping[str, str] | None,
    replace: bool,
    format_in: str | None = None,
) -> str:
    """Load a frame of documents, or the file at a path; return the messages."""
    messages = Collected()
    with opened(database, frame, messages) as (path, streams):
        reading = _reading(frame, columns, format_in)
        documents.load(database, path, dataset, reading, messages, streams, replace)
    return messages.text


def load_assessments(
    database: Database,
    frame: Frame,
    name: str | None,
    dataset: str,
    who: Assessors,
    columns: Mapping[str, str] | None,
    replace: bool,
    format_in: str | None = None,
    query: str | None = None,
) -> str:
    """Load a frame of assessments, or the file at a path; return the messages."""
    messages = Collected()
    reading = _reading(frame, columns, format_in, query)
    check_assessors(who, reading.columns)
    labels = _grades(who.labels)
    who = Assessors(who.name, who.columns, labels)
    with opened(database, frame, messages) as (path, streams):
        if name is None and not isinstance(frame, (str, Path)):
            name = _name(frame, "assessments")
        named = (dataset, name, reading, who, replace)
        assessments.load(database, path, *named, messages, streams)
    return messages.text


def _name(frame: Frame, kind: str) -> str:
    """Return the default name of what is loaded from an object: that of its table."""
    return (frame.name if isinstance(frame, Wanted) else None) or kind


def _reading(
    frame: Frame,
    columns: Mapping[str, str] | None,
    format_in: str | None,
    query: str | None = None,
) -> Reading:
    """Return the options of a frame whose columns may have other names."""
    _check_files(frame, format_in=format_in)
    check_format(format_in)
    names = {} if columns is None else _texts("columns", columns)
    return Reading(names, format_in, query)


def _check_files(frame: Frame, **fields: object) -> None:
    """Raise NdcgSqlError for fields of files where something else is loaded."""
    for name, value in fields.items():
        if value is not None and not isinstance(frame, (str, Path)):
            raise NdcgSqlError("only files have it", "omit it", where=named(name))


def _mapping(what: str, given: Any) -> dict[Any, Any]:
    """Return a mapping as a dict; raise NdcgSqlError for anything else."""
    if not isinstance(given, Mapping):
        raise NdcgSqlError(f"{what} {given!r}: not a mapping")
    return dict(cast("Mapping[Any, Any]", given))


def _grades(given: Any) -> dict[str, float]:
    """Return the grades of labels; raise NdcgSqlError for anything else."""
    labels = _mapping("labels", given)
    return {label: _grade(label, labels[label]) for label in labels}


def _texts(what: str, given: Any) -> dict[str, str]:
    """Return a mapping of text to text; raise NdcgSqlError for anything else."""
    texts = _mapping(what, given)
    for text in (*texts, *texts.values()):
        if not isinstance(text, str):
            raise NdcgSqlError(f"{what} {given!r}: {text!r} is not text")
    return texts


def _grade(label: object, grade: object) -> float:
    """Return the grade of a label; raise NdcgSqlError if it is not a finite number."""
    if not isinstance(label, str):
        raise NdcgSqlError(f"label {label!r}: not text")
    try:
        value = float(grade) if isinstance(grade, Real) else math.nan
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise NdcgSqlError(f"label {quoted(label)}: the grade is not a finite number")
    # Adding 0 turns a negative zero into a plain one.
    return value + 0
