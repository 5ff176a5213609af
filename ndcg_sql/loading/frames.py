"""Loading from Python: frames and files, with options as Python values."""

import math
from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import assessments, documents, queries, sets
from ndcg_sql.loading.options import Options
from ndcg_sql.reading import mappings
from ndcg_sql.reading.cursors import is_cursor
from ndcg_sql.reading.databases import Wanted
from ndcg_sql.reading.frames import Frame, check_writable, opened
from ndcg_sql.reading.sources import Streams
from ndcg_sql.requests.loading import (
    LoadAssessmentsRequest,
    LoadDocumentsRequest,
    LoadJudgmentsRequest,
    LoadQueriesRequest,
    LoadRunRequest,
)
from ndcg_sql.system import urls
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import named

if TYPE_CHECKING:
    from sqlalchemy import URL

Loading = (
    LoadRunRequest
    | LoadJudgmentsRequest
    | LoadAssessmentsRequest
    | LoadQueriesRequest
    | LoadDocumentsRequest
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
    seconds for the database to answer. What is loaded from a table is named after the
    table by default. Raises NdcgSqlError unless either a select or a table is given.
    """
    if (select is None) == (table is None):
        which = "neither is" if table is None else "both are"
        raise NdcgSqlError(f"database_rows: give a select or a table; {which} given")
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
    database: Database, frame: Frame, request: Loading, messages: Messages
) -> None:
    """Load a frame, a dict, named tuples or the file at a path, as a request says."""
    if not isinstance(frame, (str, Path)):
        for name in ("rows_of", "groups", "format_in"):
            if getattr(request, name, None) is not None:
                raise NdcgSqlError("only files have it", "omit it", where=named(name))
    if isinstance(request, (LoadRunRequest, LoadJudgmentsRequest)):
        _load_ranked(database, frame, request, messages)
        return
    is_named = isinstance(frame, (str, Path))
    if isinstance(request, LoadAssessmentsRequest) and not (is_named or request.name):
        request = replace(request, name=_name(frame, "assessments"))
    if getattr(request, "assessor_from", "column") == "file" and not is_named:
        where = named("assessor_from")
        raise NdcgSqlError("only files have names", "omit it", where=where)
    with opened(database, frame, messages) as (path, streams):
        load_file(database, path, request, messages, streams)


def load_file(
    database: Database,
    path: Path,
    request: LoadAssessmentsRequest | LoadQueriesRequest | LoadDocumentsRequest,
    messages: Messages,
    streams: Streams,
) -> None:
    """Load a file of what is no ranking; streams holds it if it is already open."""
    if isinstance(request, LoadAssessmentsRequest):
        assessments.load(database, [path], request, messages, streams)
    elif isinstance(request, LoadQueriesRequest):
        queries.load(database, path, request, messages, streams)
    else:
        documents.load(database, path, request, messages, streams)


def _load_ranked(
    database: Database,
    frame: Frame,
    request: LoadRunRequest | LoadJudgmentsRequest,
    messages: Messages,
) -> None:
    """Load runs or a judgment set."""
    kind = "run" if isinstance(request, LoadRunRequest) else "judgments"
    chosen = Options.of(request)
    check_writable(database)
    rows = None if is_cursor(frame) else mappings.rows(frame, kind)
    if rows and rows.is_ordered and chosen.position_rule == "score":
        chosen = replace(chosen, position_rule="given")
    content, shown = (rows.columns, kind) if rows else (frame, "frame")
    with opened(database, content, messages, shown) as (path, streams):
        if not isinstance(frame, (str, Path)):
            chosen = replace(chosen, names={path: _name(frame, kind)})
        sets.load(database, kind, [path], chosen, messages, streams)


def _name(frame: Frame, kind: str) -> str:
    """Return the default name of what is loaded from an object: that of its table."""
    return (frame.name if isinstance(frame, Wanted) else None) or kind


def grades(labels: object) -> object:
    """Return the grades of labels as doubles; what is no mapping, as it is."""
    if not isinstance(labels, Mapping):
        return labels
    pairs = cast("Mapping[object, object]", labels)
    return {label: _grade(label, grade) for label, grade in pairs.items()}


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
    return value
