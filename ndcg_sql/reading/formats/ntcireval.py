"""NTCIREVAL's files of one query: ranked documents, or documents with labels."""

from ndcg_sql.reading.format import FALLBACK, NO, SUFFIX, Format, Sample
from ndcg_sql.reading.formats.trec import check_no_queries
from ndcg_sql.reading.layouts import Layout, ReadRequest, blank_separated
from ndcg_sql.reading.sources import Source
from ndcg_sql.wording import Blank, use


class NtcirEval(Format):
    """A file holds one query, which it does not name."""

    name = "ntcireval"
    help = "document [label], of one query (" + use(query=Blank("ID")) + ")"
    suffixes = ("rel", "res", "lab")

    def sniff(self, sample: Sample) -> int:
        """Detect by the suffix, or because nothing else fits a file of one query."""
        if sample.suffix in self.suffixes:
            return SUFFIX
        return NO if sample.request.reading.query is None else FALLBACK

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read documents of a run, and documents with labels of judgments."""
        check_no_queries(source, request.kind)
        if request.kind == "run":
            fields, expected = {"doc_id": 1}, "1 or 2 (document label)"
            return blank_separated(source, fields, (1, 2), expected), source
        fields, expected = {"doc_id": 1, "grade": 2}, "2 (document label)"
        return blank_separated(source, fields, (2, 2), expected), source


FORMATS = (NtcirEval(),)
