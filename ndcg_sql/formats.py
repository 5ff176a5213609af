"""What format a file has, and which of its fields means what."""

import csv
import re
from dataclasses import dataclass, field, replace
from typing import Literal

import duckdb

from ndcg_sql import sqlfiles
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.files import Source, glob_safe, write_records
from ndcg_sql.text import listed, nearest, quoted
from ndcg_sql.warehouse import Parameters

Kind = Literal["run", "judgments", "queries"]
FORMATS = ("trec", "csv", "tsv", "parquet")
_TREC_LAYOUTS = {
    "run": "6 (query Q0 document rank score run)",
    "judgments": "4 (query 0 document grade)",
}
_TREC_FIELDS = {
    "run": {"query_id": 1, "doc_id": 3, "rank": 4, "score": 5, "tag": 6},
    "judgments": {"query_id": 1, "doc_id": 3, "grade": 4},
}
# The columns that a file of a kind may have, in the order of the Parquet reader.
COLUMNS = {
    "run": ("query_id", "doc_id", "score", "rank"),
    "judgments": ("query_id", "doc_id", "grade", "label"),
    "queries": ("query_id", "text", "weight"),
}
# The types of Parquet columns that hold exact ids.
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_ID_TYPES = {"VARCHAR", "UUID", *_WHOLE, *("U" + name for name in _WHOLE)}
_NEEDED = {
    "run": ("query_id", "doc_id"),
    "judgments": ("query_id", "doc_id", "grade"),
    "queries": ("query_id",),
}


@dataclass(frozen=True)
class Layout:
    """How to read a file: the SQL file that does it, and its parameters."""

    sql: str
    parameters: Parameters
    fields: dict[str, int]
    expected_fields: int
    expected: str
    attributes: dict[str, int] = field(default_factory=dict[str, int])


def layout(
    source: Source,
    kind: Kind,
    columns: dict[str, str],
    format_in: str | None,
) -> tuple[Layout, Source]:
    """Return how to read a file of a kind ("run" or "judgments").

    columns names the file's columns that have unusual names. The source may
    be another one afterwards: rows that a reader wrote down.
    """
    first_line, first = _first_line(source)
    if not first and source.faults:
        # No line can be read; the checks will tell each one's fault.
        return _trec("run", source), source
    form = format_in or _format(source, first)
    if (form == "parquet") != source.is_parquet:
        raise NdcgSqlError(f"{source.shown}: is not {form}; leave --format-in out")
    if kind == "queries" and form in ("trec", "parquet"):
        raise NdcgSqlError(
            f"{source.shown}: queries come as CSV or TSV with a header line; if this"
            " is one, say --format-in csv"
        )
    if form == "parquet":
        return _parquet(source, kind, columns), source
    if form == "trec":
        if columns:
            raise NdcgSqlError(
                f"{source.shown}: a TREC file has no named columns; leave --column out,"
                " or say --format-in csv"
            )
        return _trec(kind, source), source
    for fault in source.faults:
        if fault.line < first_line:
            raise NdcgSqlError(
                f"{source.shown}:{fault.line}: {fault.reason}\n"
                "The header cannot be told; nothing was loaded. Correct the file and"
                " run the same command again."
            )
    delimiter = "\t" if form == "tsv" else ","
    header = next(csv.reader([first], delimiter=delimiter))
    fields = _fields(source, kind, header, columns)
    parameters: Parameters = {"delimiter": delimiter, "header_line": first_line}
    sql = "load/delimited"
    if source.has_quotes:
        records = source.folder / "records"
        faults = write_records(source, delimiter, first_line, records)
        source = replace(source, readable=records, faults=(*source.faults, *faults))
        sql = "load/records"
    parameters["path"] = glob_safe(source.readable)
    expected = f"{len(header)} as in the header"
    used = fields.values()
    twice = [name for name in dict.fromkeys(header) if header.count(name) > 1]
    if kind == "queries" and twice:
        raise NdcgSqlError(
            f"{source.shown}: several columns are called {listed(twice)}; rename one"
        )
    others = {name: i for i, name in enumerate(header, 1) if i not in used}
    return Layout(sql, parameters, fields, len(header), expected, others), source


def _first_line(source: Source) -> tuple[int, str]:
    """Return the first line that is not blank, with its number."""
    if source.is_parquet:
        return 0, ""
    with source.readable.open(
        encoding="utf-8", errors="replace", newline="\n"
    ) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith("#"):
                return number, line.rstrip("\r\n").removeprefix("\ufeff")
    if source.faults:
        return 0, ""
    raise NdcgSqlError(f"{source.shown}: no rows; is it the right file?")


def _trec(kind: Kind, source: Source) -> Layout:
    """Return how to read a TREC file."""
    return Layout(
        "load/blank_separated",
        {"path": glob_safe(source.readable)},
        _TREC_FIELDS[kind],
        len(_TREC_LAYOUTS[kind].split()) - 1,
        _TREC_LAYOUTS[kind],
    )


def _format(source: Source, first: str) -> str:
    """Tell the format of a file from its content, then from its suffix."""
    if source.is_parquet:
        return "parquet"
    if _is_trec(first):
        return "trec"
    name = re.sub(r"\.(gz|zstd?)$", "", source.shown.lower())
    for form, delimiter in (("csv", ","), ("tsv", "\t")):
        header = next(csv.reader([first], delimiter=delimiter))
        known = {_column(name) for name in header} - {None}
        if name.endswith("." + form):
            return form
        if "query_id" in known and len(header) > 1:
            return form
    if first.lstrip().startswith(("{", "[")):
        raise NdcgSqlError(
            f"{source.shown}: JSON is not read; write TREC, CSV or Parquet"
        )
    return "trec"


def _is_trec(line: str) -> bool:
    """Tell whether a line is one of TREC's, whatever the suffix says."""
    fields = line.split()
    return len(fields) in (4, 6) and fields[1].lower() in ("0", "q0")


def _column(name: str) -> str | None:
    """Return which column a usual column name means, or None."""
    folded = re.sub(r"[\s\-.]+", "_", name.strip().lower())
    for row in sqlfiles.rows("load/column_names"):
        if row["name"] == folded:
            return row["column"]
    return None


def _fields(
    source: Source, kind: Kind, header: list[str], named: dict[str, str]
) -> dict[str, int]:
    """Return the 1-based field of each column that a header offers."""
    allowed = COLUMNS[kind]
    fields: dict[str, int] = {}
    for column, name in named.items():
        if column not in allowed:
            raise NdcgSqlError(
                f"--column {column}: no column of a {kind} file;"
                f" {nearest(column, allowed) or listed(allowed)}"
            )
        if header.count(name) != 1:
            raise NdcgSqlError(
                f"{source.shown}: column {quoted(name)} is not there once;"
                f" the header has {listed(header)}"
            )
        fields[column] = header.index(name) + 1
    for column in allowed:
        if column in fields:
            continue
        exact = [i for i, name in enumerate(header, 1) if name.strip() == column]
        usual = [i for i, name in enumerate(header, 1) if _column(name) == column]
        found = exact or [i for i in usual if i not in fields.values()]
        if len(found) > 1:
            rivals = listed(header[i - 1] for i in found)
            raise NdcgSqlError(
                f"{source.shown}: {rivals} could each be the {column};"
                f" say which: --column {column}={header[found[0] - 1]}"
            )
        if found:
            fields[column] = found[0]
    if kind == "judgments" and "grade" not in fields and "label" in fields:
        fields["grade"] = fields.pop("label")
    missing = [column for column in _NEEDED[kind] if column not in fields]
    if missing:
        raise NdcgSqlError(
            f"{source.shown}: no column for {listed(missing)}; the header has"
            f" {listed(header)}; say which: --column {missing[0]}=NAME"
        )
    return fields


def _parquet(source: Source, kind: Kind, columns: dict[str, str]) -> Layout:
    """Return how to read a Parquet file; refuse ids that are no exact text."""
    path = glob_safe(source.readable)
    try:
        with duckdb.connect() as connection:
            described = connection.execute(
                "describe from read_parquet($path, hive_partitioning = false)",
                {"path": path},
            ).fetchall()
    except duckdb.Error as error:
        raise damaged_parquet(source) from error
    types = {str(row[0]): str(row[1]) for row in described}
    header = list(types)
    fields = _fields(source, kind, header, columns)
    for column in ("query_id", "doc_id"):
        name = header[fields[column] - 1]
        if types[name] not in _ID_TYPES:
            raise NdcgSqlError(
                f"{source.shown}: column {quoted(name)} is {types[name]}; ids are text"
                " or whole numbers"
            )
    wanted = [fields.get(column, fields["query_id"]) for column in COLUMNS[kind]]
    ordinals = ("first", "second", "third", "fourth")
    parameters: Parameters = {
        f"{ordinal}_column": header[field - 1]
        for ordinal, field in zip(ordinals, wanted, strict=True)
    }
    places = {c: i for i, c in enumerate(COLUMNS[kind], 1) if c in fields}
    return Layout("load/parquet", {"path": path, **parameters}, places, 4, "4")


def damaged_parquet(source: Source) -> NdcgSqlError:
    """Return what to say of a Parquet file that DuckDB cannot read."""
    return NdcgSqlError(
        f"{source.shown}: the Parquet file is damaged (DuckDB cannot read it);"
        " fetch or write it again"
    )
