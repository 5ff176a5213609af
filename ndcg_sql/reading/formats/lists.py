"""Lists: a query and its documents, separated by commas, on each line."""

from collections.abc import Iterator
from functools import partial

from ndcg_sql.reading import columns, records
from ndcg_sql.reading.formats.headless import check_no_queries
from ndcg_sql.reading.layouts import (
    NO,
    SHARED,
    Format,
    Layout,
    ReadRequest,
    Sample,
)
from ndcg_sql.reading.lines import without_comments
from ndcg_sql.reading.nested import LISTED, NAMELESS, Row
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source
from ndcg_sql.system import progress

_EXPECTED = "query<TAB>document,document,..."


def _sniff(sample: Sample) -> int:
    """Detect by one tab, with a comma behind it and no header."""
    request = sample.request
    query, *rest = sample.first_line.split("\t")
    has_form = len(rest) == 1 and "," in rest[0] and query.strip() and "," not in query
    # A JSON file that is damaged may have a tab at this place.
    if not has_form or query.startswith(("{", "[")) or request.kind not in LISTED:
        return NO
    is_stated = request.named or request.reading.query is not None
    return NO if is_stated or columns.of_header([query], request.kind) else SHARED


def _layout(source: Source, request: ReadRequest) -> tuple[Layout, Source]:
    """Read the documents of each line, rewritten as records."""
    check_no_queries(source, request.kind)
    source = without_comments(source, 2)
    return records.layout(source, request, partial(_lines, source))


def _lines(source: Source) -> Iterator[Row | Fault]:
    """Read the query and the documents of each line."""
    with (
        source.readable.open(encoding="utf-8", newline="\n") as lines,
        progress.reading(lines),
    ):
        for line_number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            query, *rest = line.rstrip("\n").split("\t")
            if len(rest) == 1:
                documents = [part.strip(" ") for part in rest[0].split(",")]
                if documents == [""]:
                    documents = []
                yield line_number, {"query_id": query, NAMELESS: documents}
            else:
                yield Fault(line_number, f"malformed line, expected {_EXPECTED}")


FORMATS = (
    Format(
        "lists",
        "query<TAB>document,document,...; of judgments, all have one grade",
        _sniff,
        _layout,
    ),
)
