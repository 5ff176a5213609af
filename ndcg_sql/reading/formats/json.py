"""JSON: an object a line, a list of objects, or a nested document."""

import json
import re
from functools import partial
from typing import Any, cast

from ndcg_sql.reading import columns, records
from ndcg_sql.reading.json_rows import NESTED, of_document, of_lines
from ndcg_sql.reading.layouts import (
    BRACKETS,
    NO,
    SUFFIX,
    Format,
    Layout,
    ReadRequest,
    Sample,
)
from ndcg_sql.reading.sources import Source

_FIRST_LINE = re.compile(r'\s*(\[\s*([\[{\]]|$)|\{\s*("|\}|$))')
_BY_LINE = ("jsonl", "ndjson")


def _sniff(sample: Sample, has_lines: bool) -> int:
    """Detect JSON by the first line and the suffix, then lines or one document."""
    is_like = bool(_FIRST_LINE.match(sample.first_line))
    if not is_like and sample.suffix not in ("json", *_BY_LINE):
        return NO
    if _has_lines(sample) != has_lines:
        return NO
    return BRACKETS if is_like else SUFFIX


def _document(source: Source, request: ReadRequest) -> tuple[Layout, Source]:
    read = partial(of_document, source, request)
    return records.layout(source, request, read, unit="item")


def _lines(source: Source, request: ReadRequest) -> tuple[Layout, Source]:
    return records.layout(source, request, partial(of_lines, source))


def _has_lines(sample: Sample) -> bool:
    """Return whether a file has an object on each line, or is one document."""
    if sample.suffix in _BY_LINE:
        return True
    try:
        value = json.loads(sample.first_line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict):
        return False
    members = cast("dict[str, Any]", value)
    if sample.request.kind == "queries" and not sample.request.reading.columns:
        is_nested = "query_id" not in columns.of_header(members, sample.request.kind)
    else:
        is_nested = all(isinstance(member, dict | list) for member in members.values())
    return not is_nested and not any(key in members for key in NESTED)


FORMATS = (
    Format(
        "json",
        "a list of objects, {query: {document: number}}, {query: [document, ...]},"
        " OpenSearch's documents",
        partial(_sniff, has_lines=False),
        _document,
        ("json",),
        has_columns=True,
    ),
    Format(
        "jsonl",
        "an object on each line: a document, or a query with a list of documents",
        partial(_sniff, has_lines=True),
        _lines,
        _BY_LINE,
        has_columns=True,
    ),
)
