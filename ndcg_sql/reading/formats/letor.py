"""Lists for learning to rank: LETOR, SVMlight, RankLib."""

import re

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.format import MARKS, NO, Format, Sample
from ndcg_sql.reading.formats.trec import check_no_queries
from ndcg_sql.reading.layouts import Layout, ReadRequest, glob_safe
from ndcg_sql.reading.lines import first_line, without_comments
from ndcg_sql.reading.sources import Source
from ndcg_sql.wording import Blank, call

_LINE = re.compile(r"\s*\S+(\s+qid:\S*|(\s+[0-9]+:[^\s#]+)+\s*(#.*)?$)")


class Letor(Format):
    """A row is a judged document with its features; it may name its query."""

    name = "letor"
    help = "grade qid:QUERY feature:value... # DOCUMENT (SVMlight, RankLib)"

    def sniff(self, sample: Sample) -> int:
        """Detect by qid: or by numbered features."""
        return MARKS if _LINE.match(sample.first_line) else NO

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read judgments; the first row shows whether queries are named."""
        check_no_queries(source, request.kind)
        if request.kind == "run":
            raise NdcgSqlError(
                f"{source.shown}: a list for learning to rank holds judgments",
                "to load scores of its rows: "
                + call("load_run", Blank("SCORES"), rows_of=Blank("FILE")),
            )
        source = without_comments(source)
        _, first = first_line(source)
        places = {"grade": 1, "doc_id": 3}
        if any(part.startswith("qid:") for part in first.split()[1:2]):
            places["query_id"] = 2
        how = Layout(
            ("read/lines", "read/letor"),
            {"path": glob_safe(source.readable)},
            places,
            (3, 3),
            "grade qid:QUERY feature:value... # DOCUMENT",
            is_list=True,
        )
        return how, source


FORMATS = (Letor(),)
