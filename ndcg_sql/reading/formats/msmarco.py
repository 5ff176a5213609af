"""MS MARCO's files: runs of query, document and rank; queries with their texts."""

import re

from ndcg_sql.reading.format import NO, SHARED, Format, Sample
from ndcg_sql.reading.formats.trec import judgment_lines
from ndcg_sql.reading.layouts import Asked, Layout, blank_separated, glob_safe
from ndcg_sql.reading.sources import Source

_LINE = re.compile(r"\s*[^\s,]+[ \t]+[^\s,]+[ \t]+[0-9]+\s*")


class MsMarco(Format):
    """Rankings without scores, and texts of queries without a header."""

    name = "msmarco"
    help = "query document rank; queries: query<TAB>text"

    def sniff(self, sample: Sample) -> int:
        """Detect a run by three fields, the last of them an integer."""
        reading = sample.asked.reading
        unnamed = reading.many_files or not reading.columns
        if (
            sample.asked.kind == "run"
            and unnamed
            and _LINE.fullmatch(sample.first_line)
        ):
            return SHARED
        return NO

    def layout(self, source: Source, asked: Asked) -> tuple[Layout, Source]:
        """Read ranks of a run, texts of queries, and qrels as in TREC files."""
        if asked.kind == "queries":
            return _texts(source), source
        if asked.kind != "run":
            return judgment_lines(source, asked.kind), source
        fields = {"query_id": 1, "doc_id": 2, "rank": 3}
        expected = "3 (query document rank)"
        return blank_separated(source, fields, (3, 3), expected), source


def _texts(source: Source) -> Layout:
    """Return how to read queries and their texts, separated by a tab."""
    return Layout(
        ("read/lines", "read/delimited"),
        {"path": glob_safe(source.readable), "delimiter": "\t", "header_line": 0},
        {"query_id": 1, "text": 2},
        (2, 2),
        "2 (query text)",
        apart_by="delimiter",
    )


FORMATS = (MsMarco(),)
