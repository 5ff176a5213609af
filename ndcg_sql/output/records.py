"""Rows as they are, for people to read: of selects, of descriptions, of the schema."""

import re
from datetime import datetime
from html import escape
from itertools import groupby
from types import NoneType

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.output.columns import Document, Verbatim, plain, shown
from ndcg_sql.output.layout import Cells
from ndcg_sql.text import harmless_lines

# DuckDB's numeric types, such as BIGINT and DECIMAL(18,3), but no lists.
_NUMBERS = r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|BIGNUM)$"
_TIMES = r"(DATE|TIME)"


def rows_as_they_are(answer: Answer, _: str) -> Document:
    """Lay out rows, one cell per value."""
    rows = answer.rows.relation.fetchall()
    columns: list[Cells] = []
    for name, values in zip(answer.rows.columns, zip(*rows, strict=True), strict=False):
        is_time = datetime in map(type, values)
        columns.append(
            Cells(
                name,
                [shown(value) for value in values],
                is_right=all(isinstance(v, (int, float, NoneType)) for v in values),
                # A single row has nothing in common with others, and times agree by
                # accident.
                is_common=len(rows) > 1 and not is_time,
                is_whole=is_time,
            )
        )
    return [[columns]] if rows else []


def numbers(answer: Answer, _: str) -> Document:
    """Lay out rows with every number in its shortest form."""
    types = answer.rows.types
    rows = answer.rows.relation.project("cast(columns(*) as varchar)").fetchall()
    sides = zip(*rows, strict=True) if rows else [()] * len(types)
    columns = [
        Cells(
            name,
            [_cell(text, kind) for text in texts],
            is_right=re.match(_NUMBERS, kind) is not None,
            is_common=len(rows) > 1,
            is_whole=re.match(_TIMES, kind) is not None,
        )
        for (name, kind), texts in zip(types.items(), sides, strict=True)
    ]
    return [[columns]]


def _cell(text: str | None, kind: str) -> str:
    if text is None or kind not in ("DOUBLE", "FLOAT"):
        return text or ""
    value = float(text)
    # Four decimals would hide a small value, and are too many for a large one.
    plain_size = value == 0 or 1e-3 <= abs(value) < 1e15
    return shown(value) if plain_size else f"{value:.4g}"


def fields(answer: Answer, _: str) -> Document:
    """Lay out a single row, a line for each of its columns that is not null."""
    [row] = answer.rows.records
    return [[fields_of_row(row)]]


def fields_of_row(row: Record) -> list[Cells]:
    """Lay out a row, a line for each of its columns that is not null."""

    def text(name: str, value: object) -> str:
        """Return a value; a grade or count is an integer where it is one."""
        is_share = "share" in name.split("_")
        if isinstance(value, float) and value.is_integer() and not is_share:
            return plain(value)
        return shown(value)

    filled = {name: value for name, value in row.items() if value is not None}
    names = Cells("property", [name.replace("_", " ") for name in filled])
    return [names, Cells("value", [text(*one) for one in filled.items()])]


def plan(answer: Answer, _: str) -> Document:
    """Return DuckDB's plan of a select, as DuckDB draws it."""
    rows = answer.rows.records
    text = "".join(harmless_lines(row["plan"]) + "\n" for row in rows)
    return [[Verbatim(text, f"<pre>{escape(text)}</pre>\n")]]


def schema(answer: Answer, _: str) -> Document:
    """Lay out the public relations and the meanings of their columns."""
    keys = {"column": "column_name", "type": "data_type", "meaning": "comment"}
    document: Document = []
    for relation, group in groupby(answer.rows.records, lambda row: row["relation"]):
        rows = [*group]
        comment = rows[0]["relation_comment"]
        head = Verbatim(
            f"### `{relation}`\n\n{comment}\n",
            f"<h3><code>{escape(relation)}</code></h3>\n<p>{escape(comment)}</p>\n",
        )
        columns = [
            Cells(name, [row[key] for row in rows]) for name, key in keys.items()
        ]
        document.append([head, columns])
    return document
