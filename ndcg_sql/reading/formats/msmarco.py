"""MS MARCO's files: runs of query, document and rank; texts without a header."""

import re

from ndcg_sql.reading.format import NO, SHARED, Format, Sample
from ndcg_sql.reading.formats.trec import judgment_lines
from ndcg_sql.reading.layouts import Layout, ReadRequest, blank_separated, glob_safe
from ndcg_sql.reading.lines import first_line, without_comments
from ndcg_sql.reading.sources import Source

_LINE = re.compile(r"\s*[^\s,]+[ \t]+[^\s,]+[ \t]+[0-9]+\s*")
_PASSAGE = {"doc_id": 1, "text": 2}
_WITH_URL = {"doc_id": 1, "url": 2, "title": 3, "text": 4}


class MsMarco(Format):
    """Rankings without scores, and texts of queries without a header."""

    name = "msmarco"
    help = "query document rank; queries and documents: id<TAB>text"

    def sniff(self, sample: Sample) -> int:
        """Detect a run by three fields, the last of them an integer.

        In CSV, such a line may be a title, such as "Export week 47".
        """
        reading = sample.request.reading
        unnamed = reading.many_files or not reading.columns
        unnamed = unnamed and sample.suffix != "csv"
        if (
            sample.request.kind == "run"
            and unnamed
            and _LINE.fullmatch(sample.first_line)
        ):
            return SHARED
        return NO

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read ranks of a run, texts of queries, and qrels as in TREC files."""
        if request.kind == "queries":
            return _texts(source, {"query_id": 1, "text": 2}), source
        if request.kind == "documents":
            _, first = first_line(source)
            has_urls = first.count("\t") == _WITH_URL["text"] - 1
            return _texts(source, _WITH_URL if has_urls else _PASSAGE), source
        if request.kind != "run":
            source = without_comments(source, 4)
            return judgment_lines(source, request.kind), source
        source = without_comments(source, 3)
        fields = {"query_id": 1, "doc_id": 2, "rank": 3}
        expected = "3 (query document rank)"
        return blank_separated(source, fields, (3, 3), expected), source


def _texts(source: Source, fields: dict[str, int]) -> Layout:
    return Layout(
        ("read/lines", "read/delimited"),
        {"path": glob_safe(source.readable), "delimiter": "\t", "header_line": 0},
        fields,
        (len(fields), len(fields)),
        f"{len(fields)} ({' '.join(fields)})",
        apart_by="delimiter",
    )


FORMATS = (MsMarco(),)
