"""JSON: an object a line, a list of objects, or a nested document."""

import json
import re
from functools import partial
from typing import Any, cast

from ndcg_sql.reading import columns, records
from ndcg_sql.reading.format import BRACKETS, NO, SUFFIX, Format, Sample
from ndcg_sql.reading.json_rows import NESTED, of_document, of_lines
from ndcg_sql.reading.layouts import Layout, ReadRequest
from ndcg_sql.reading.sources import Source

_FIRST_LINE = re.compile(r'\s*(\[\s*([\[{\]]|$)|\{\s*("|\}|$))')
_BY_LINE = ("jsonl", "ndjson")


class _Json(Format):
    """Objects with a member for each column."""

    has_columns = True
    has_lines: bool

    def sniff(self, sample: Sample) -> int:
        """Detect JSON by the first line and the suffix, then lines or one document."""
        suffixes = ("json", *_BY_LINE)
        is_like = bool(_FIRST_LINE.match(sample.first_line))
        if not is_like and sample.suffix not in suffixes:
            return NO
        if _has_lines(sample) != self.has_lines:
            return NO
        return BRACKETS if is_like else SUFFIX

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read the members that are columns, rewritten as records."""
        read = partial(of_document, source, request)
        if self.has_lines:
            return records.layout(source, request, partial(of_lines, source))
        return records.layout(source, request, read, unit="item")


class Json(_Json):
    """One document: a list of objects, an object by query, or nested."""

    name = "json"
    help = (
        "a list of objects, {query: {document: number}}, {query: [document, ...]},"
        " OpenSearch's documents"
    )
    suffixes = ("json",)
    has_lines = False


class JsonLines(_Json):
    """An object on each line."""

    name = "jsonl"
    help = "an object on each line: a document, or a query with a list of documents"
    suffixes = _BY_LINE
    has_lines = True


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


FORMATS = (Json(), JsonLines())
