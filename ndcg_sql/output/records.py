"""Rows as they are, for people to read: of selects, descriptions, judgment sets."""

import re
from datetime import datetime
from html import escape
from itertools import groupby
from types import NoneType

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.output.columns import Document, Verbatim, columns_of, plain, shown, table
from ndcg_sql.output.layout import Cells
from ndcg_sql.text import counted, harmless_lines

# DuckDB's numeric types, such as BIGINT and DECIMAL(18,3), but no lists.
_NUMBERS = r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|BIGNUM)$"
_TIMES = r"(DATE|TIME)"
# Of a long list, the positions that are shown to people.
_POSITIONS = 20
# The names of statistics of agreement, in words.
_STATISTICS = {
    "cohen_kappa": "kappa (Cohen)",
    "cohen_kappa_quadratic": "weighted kappa (Cohen)",
    "cohen_kappa_mean": "mean kappa (Cohen)",
    "cohen_kappa_quadratic_mean": "mean weighted kappa (Cohen)",
    "fleiss_kappa": "kappa of all (Fleiss)",
    "krippendorff_alpha_nominal": "alpha, same or not (Krippendorff)",
    "krippendorff_alpha_ordinal": "alpha, order (Krippendorff)",
    "krippendorff_alpha_interval": "alpha, size (Krippendorff)",
}
_DECIDED = (
    "decided: pairs of runs that differ significantly under the old set; under the new"
    " one they are upheld, lost (not significant) or turned (the other run is better);"
    " added: pairs that differ significantly under the new one alone"
)
# More pairs of runs that change places than this are counted.
_SWAPS = 10


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
    return [[fields_of_row(*answer.rows.records)]]


def fields_of_row(row: Record) -> list[Cells]:
    """Lay out a row, a line for each of its columns that is not null."""

    def text(name: str, value: object) -> str:
        is_share = "share" in name.split("_")
        if isinstance(value, float) and value.is_integer() and not is_share:
            return plain(value)
        return shown(value)

    filled = {name: value for name, value in row.items() if value is not None}
    names = Cells("property", [name.replace("_", " ") for name in filled])
    return [names, Cells("value", [text(*item) for item in filled.items()])]


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


def description(answer: Answer, _: str) -> Document:
    """Lay out a judgment set, and what it rests on if it was made of clicks."""
    [row] = answer.rows.records
    lists = ("impression_bands", "clicks_by_position")
    hidden = {*lists, "top_documents", "top_unclicked_documents"}
    own = {name: value for name, value in row.items() if name not in hidden}
    document: Document = [[fields_of_row(own)]]
    bands: list[Record] = row["impression_bands"] or []
    positions: list[Record] = row["clicks_by_position"] or []
    if not bands or not positions:
        return document
    named = [{**band, "band": _band(band["least_impressions"])} for band in bands]
    lines: list[str] = []
    if len(positions) > _POSITIONS:
        lines.append(f"{_POSITIONS} of {len(positions)} positions shown")
    if row["top_documents"]:
        lines.append(
            f"{row['top_unclicked_documents']} of {row['top_documents']} judged"
            " documents that stood in the first 3 positions were never clicked: a log"
            " cannot distinguish a bad document from one that answers without a click"
        )
    by_position = table(columns_of("clicks"), positions[:_POSITIONS])
    return [*document, [table(columns_of("bands"), named)], [by_position, *lines]]


def _band(least: int) -> str:
    """Return the impressions of a band; they begin at 1, 2, 5, 10, 20 ..."""
    most = (least * 5 // 2 if str(least)[0] == "2" else least * 2) - 1
    return str(least) if most == least else f"{least} to {most}"


def agreement(answer: Answer, _: str) -> Document:
    """Lay out how far assessors, or groups of them, agree: a row for each statistic."""
    rows = [
        {
            **row,
            "groups": ", ".join(row["groups"]) if "groups" in row else None,
            "statistic": _STATISTICS[row["statistic"]],
            "assessors": ", ".join(row["assessors"]),
        }
        for row in answer.rows.records
    ]
    return [[table(columns_of("agreement"), rows)]]


def orders(answer: Answer, _: str) -> Document:
    """Lay out how far the orders of runs agree, and name those that change places."""
    rows = [
        {**row, "swapped_pairs": None if row["swaps"] is None else len(row["swaps"])}
        for row in answer.rows.records
    ]
    lines = [_fallen(row) for row in rows if row["places_lost"]]
    return [[table(columns_of("orders"), rows), *lines, _DECIDED]]


def _fallen(row: Record) -> str:
    falls = [" below ".join(pair) for pair in row["swaps"][:_SWAPS]]
    left = len(row["swaps"]) - len(falls)
    more = f" and {left} more" if left else ""
    # A run may also fall by a tie.
    which = f"{', '.join(falls)}{more}; " if falls else ""
    most = f"{row['fallen_run']} loses {counted(row['places_lost'], 'place')}"
    return f"{row['measure']}, runs that fall: {which}{most}"
