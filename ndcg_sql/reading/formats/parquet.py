"""Parquet: columns with names and types."""

from dataclasses import replace

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.checksums import check_pages
from ndcg_sql.reading.columns import meaning as meaning_of
from ndcg_sql.reading.layouts import BYTES, NO, Format, Layout, ReadRequest, glob_safe
from ndcg_sql.reading.meanings import understood
from ndcg_sql.reading.nested import is_list
from ndcg_sql.reading.sources import Source, damaged_parquet
from ndcg_sql.text import quoted, sql_name

# The types of columns that hold exact ids, or more than one value.
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_ID_TYPES = {"VARCHAR", "UUID", *_WHOLE, *("U" + name for name in _WHOLE)}
_NESTED_TYPES = ("STRUCT", "MAP", "UNION", "BLOB")


def _layout(source: Source, request: ReadRequest) -> tuple[Layout, Source]:
    """Read the columns that have a meaning; refuse ids of inexact types.

    Single floats are widened without losing a digit.
    """
    path = glob_safe(source.readable)
    types = _types(source, path)
    nested = {name for name, type_ in types.items() if is_nested(type_)}
    documents = request.named.get("doc_id", "")
    if types.get(documents) == "VARCHAR" and _has_list(path, documents):
        nested.add(documents)
    usual = (name for name in types if meaning_of(name, request.kind) == "doc_id")
    documents = documents or next(usual, "")
    if types.get(documents) == "BLOB":
        # Bytes are no list of documents.
        nested.discard(documents)
    how = understood(source, request, [*types], nested=nested).of_used()
    for column in ("query_id", "doc_id"):
        name = how.column_names.get(column)
        if name is not None and types[name] not in _ID_TYPES:
            raise NdcgSqlError(
                f"{source.shown}: column {quoted(name)} is {types[name]}; ids are"
                f" text or integers{_empty_row(path, name, types[name])}"
            )
    try:
        with in_memory() as connection:
            check_pages(connection, source.readable, source.shown, how.names)
    except duckdb.Error as error:
        raise damaged_parquet(source) from error
    columns = how.column_names.items()
    how = replace(
        how,
        steps=("read/parquet",),
        parameters={"path": path, "names": how.names},
        typed=frozenset(c for c, name in columns if types[name] != "VARCHAR"),
    )
    return how, source


def _empty_row(path: str, name: str, type_: str) -> str:
    """Return the first row without a number in a column of doubles, for a message.

    A missing value makes doubles of integers in pandas.
    """
    if type_ != "DOUBLE":
        return ""
    column = sql_name(name)
    rows = "read_parquet($path, file_row_number = true, hive_partitioning = false)"
    where = f"coalesce(isnan(try_cast({column} as double)), true)"
    sql = f"select min(file_row_number) + 1 from {rows} where {where}"
    with in_memory() as connection:
        row = connection.execute(sql, {"path": path}).fetchall()[0][0]
    return "" if row is None else f", and row {row} has none"


def _has_list(path: str, name: str) -> bool:
    """Return whether a column of texts holds lists of JSON."""
    column = sql_name(name)
    rows = "from read_parquet($path, hive_partitioning = false)"
    sql = f"select {column} {rows} where {column} <> '' limit 1"
    with in_memory() as connection:
        return any(map(is_list, *connection.execute(sql, {"path": path}).fetchall()))


def is_nested(type_: str) -> bool:
    """Return whether a type holds several values, or bytes."""
    return type_.endswith("]") or type_.startswith(_NESTED_TYPES)


def _types(source: Source, path: str) -> dict[str, str]:
    """Return the type of each column; raise NdcgSqlError for a damaged file."""
    try:
        with in_memory() as connection:
            described = connection.execute(
                "describe from read_parquet($path, hive_partitioning = false)",
                {"path": path},
            ).fetchall()
    except duckdb.Error as error:
        raise damaged_parquet(source) from error
    return {str(row[0]): str(row[1]) for row in described} | dict(source.types)


FORMATS = (
    Format(
        "parquet",
        "columns by name",
        lambda request: BYTES if request.binary == "parquet" else NO,
        _layout,
        ("parquet",),
        is_binary=True,
    ),
)
