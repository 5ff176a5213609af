"""Loading from Python: frames and files, with options as Python values."""

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from numbers import Real
from pathlib import Path
from typing import Any, cast

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import documents, queries, sets
from ndcg_sql.loading.sets import POSITION_RULES, Options, Ranked
from ndcg_sql.reading import mappings
from ndcg_sql.reading.frames import Frame, check_writable, opened
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.system.messages import Collected
from ndcg_sql.text import quoted, sql_time


def load(
    database: Database,
    kind: Ranked,
    frame: Frame,
    name: str | None,
    options: Mapping[str, Any],
) -> str:
    """Load a frame, a dict, named tuples or the file at a path; return the messages.

    options are those of sets.Options; None means the default.
    """
    given = {key: value for key, value in options.items() if value is not None}
    rule = given.get("position_rule", "score")
    if rule not in POSITION_RULES:
        known = ", ".join(POSITION_RULES)
        raise NdcgSqlError(f"position_rule {rule}: not one of {known}")
    if isinstance(given.get("run_at"), datetime):
        given["run_at"] = sql_time(given["run_at"])
    elif "run_at" in given:
        raise NdcgSqlError(f"run_at {quoted(given['run_at'])}: not a datetime")
    for key in ("columns", "tags"):
        given[key] = _texts(key, given.get(key, {}))
    labels = _mapping("labels", given.get("labels", {}))
    given["labels"] = {label: _grade(label, labels[label]) for label in labels}
    keys = ("dataset", "base", "run_column", "duplicates", "name_from")
    texts = {"name": name, **{key: given.get(key) for key in keys}}
    for key, text in texts.items():
        if not isinstance(text, (str, type(None))):
            raise NdcgSqlError(f"{key} {text!r}: not text")
    check_writable(database)
    rows = mappings.rows(frame, kind)
    if rows and rows.is_ordered and rule == "score":
        given["position_rule"] = "given"
    chosen = Options(name=name, **given)
    messages = Collected()
    found = (rows.columns, kind) if rows else (frame, "frame")
    with opened(database, found[0], messages, found[1]) as (path, streams):
        if not isinstance(frame, (str, Path)):
            chosen = replace(chosen, names={path: kind})
        sets.load(database, kind, [path], chosen, messages, streams)
    return messages.text


def load_queries(
    database: Database,
    frame: Frame,
    dataset: str,
    columns: Mapping[str, str] | None,
    replace: bool,
) -> str:
    """Load a frame of queries, or the file at a path; return the messages."""
    messages = Collected()
    with opened(database, frame, messages) as (path, streams):
        reading = _reading(columns)
        queries.load(database, path, dataset, reading, messages, streams, replace)
    return messages.text


def load_documents(
    database: Database,
    frame: Frame,
    dataset: str,
    columns: Mapping[str, str] | None,
    replace: bool,
) -> str:
    """Load a frame of documents, or the file at a path; return the messages."""
    messages = Collected()
    with opened(database, frame, messages) as (path, streams):
        reading = _reading(columns)
        documents.load(database, path, dataset, reading, messages, streams, replace)
    return messages.text


def _reading(columns: Mapping[str, str] | None) -> Reading:
    """Return the options of a frame whose columns may have other names."""
    return Reading({} if columns is None else _texts("columns", columns))


def _mapping(what: str, given: Any) -> dict[Any, Any]:
    """Return a mapping as a dict; raise NdcgSqlError for anything else."""
    if not isinstance(given, Mapping):
        raise NdcgSqlError(f"{what} {given!r}: not a mapping")
    return dict(cast("Mapping[Any, Any]", given))


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
