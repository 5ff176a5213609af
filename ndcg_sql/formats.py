"""Which format a file has, told from its content, then from its suffix."""

import csv
import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from ndcg_sql import columns
from ndcg_sql.columns import Kind
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.files import Source

Format = Literal[
    "trec",
    "msmarco",
    "csv",
    "tsv",
    "parquet",
    "jsonl",
    "json",
    "letor",
    "ntcireval",
]
FORMATS: tuple[Format, ...] = get_args(Format)
_SUFFIXES: dict[str, Format] = {
    "csv": "csv",
    "tsv": "tsv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "rel": "ntcireval",
    "res": "ntcireval",
    "lab": "ntcireval",
}
_JSON = re.compile(r'\s*(\[\s*([\[{\]]|$)|\{\s*("|\}|$))')
_LETOR = re.compile(r"\s*\S+(\s+qid:\S*|(\s+[0-9]+:[^\s#]+)+\s*(#.*)?$)")
_MSMARCO = re.compile(r"\s*[^\s,]+[ \t]+[^\s,]+[ \t]+[0-9]+\s*")
# The members that tell a nested document of judgments or queries.
NESTED = ("judgmentRatings", "querySetQueries", "topics", "query_groups")


@dataclass(frozen=True)
class Reading:
    """What a user says about how a file is to be read.

    query is the one query of a file that names none. With many_files, the
    options are for several files, and not all of them need fit this one.
    """

    columns: dict[str, str] = field(default_factory=dict[str, str])
    format_in: Format | None = None
    query: str | None = None
    many_files: bool = False


def first_line(source: Source, comments: bool = True) -> tuple[int, str]:
    """Return the first line that is not blank, with its number.

    Nor is it a comment, where lines that begin with # are comments.
    """
    if source.is_parquet:
        return 0, ""
    with source.readable.open(
        encoding="utf-8", errors="replace", newline="\n"
    ) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not (comments and line.startswith("#")):
                return number, line.rstrip("\r\n").removeprefix("\ufeff")
    if source.faults:
        return 0, ""
    raise NdcgSqlError(f"{source.shown}: no rows; is it the right file?")


def format_of(source: Source, kind: Kind, reading: Reading) -> Format:
    """Return the format of a file; raise NdcgSqlError if it is not what was said."""
    told = reading.format_in
    if told is None:
        return _told_by_content(source, kind, reading)
    if (told == "parquet") != source.is_parquet:
        raise NdcgSqlError(f"{source.shown}: is not {told}; leave --format-in out")
    return told


def _told_by_content(source: Source, kind: Kind, reading: Reading) -> Format:
    """Tell the format of a file from its first line and its suffix."""
    _, first = first_line(source)
    suffix = re.sub(r"\.(gz|zstd?)$", "", source.shown.lower()).rpartition(".")[2]
    if source.is_parquet:
        return "parquet"
    if _is_trec(first):
        return "trec"
    if _JSON.match(first) or suffix in ("json", "jsonl", "ndjson"):
        return _json(kind, reading, first, suffix)
    if _LETOR.match(first):
        return "letor"
    unnamed = reading.many_files or not reading.columns
    if kind == "run" and unnamed and _MSMARCO.fullmatch(first):
        return "msmarco"
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    delimited: tuple[Format, ...] = ("csv", "tsv")
    for form in delimited:
        header = next(csv.reader([first], delimiter=delimiter(form, first)))
        if len(header) > 1 and "query_id" in columns.known(header, kind):
            return form
    return "trec" if reading.query is None else "ntcireval"


def delimiter(form: Format, header: str) -> str:
    """Return what is between the fields of CSV or TSV, told by the header line.

    In CSV of countries with decimal commas, it is a semicolon.
    """
    if form == "tsv":
        return "\t"
    return ";" if ";" in header and "," not in header else ","


def _is_trec(line: str) -> bool:
    """Tell whether a line is one of TREC's, whatever the suffix says."""
    fields = line.split()
    return len(fields) in (4, 6) and fields[1].lower() in ("0", "q0")


def _json(kind: Kind, reading: Reading, first: str, suffix: str) -> Format:
    """Tell whether a file is one JSON document, or holds an object on each line."""
    if suffix in ("jsonl", "ndjson"):
        return "jsonl"
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return "json"
    if not isinstance(value, dict):
        return "json"
    members = cast("dict[str, Any]", value)
    if kind == "queries" and not reading.columns:
        nested = "query_id" not in columns.known(members, kind)
    else:
        nested = all(isinstance(member, dict) for member in members.values())
    return "json" if nested or any(key in members for key in NESTED) else "jsonl"
