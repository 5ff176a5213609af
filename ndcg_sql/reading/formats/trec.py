"""TREC's own files: qrels of four fields and runs of six, separated by blanks."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import DESCRIBED, NO_RUNS, Kind
from ndcg_sql.reading.format import FALLBACK, FORM, Format, Sample
from ndcg_sql.reading.layouts import Layout, ReadRequest, blank_separated
from ndcg_sql.reading.lines import first_line, without_comments
from ndcg_sql.reading.sources import Source
from ndcg_sql.wording import use

_RUN = {"query_id": 1, "doc_id": 3, "rank": 4, "score": 5, "run": 6}
# The name of the last field of a run: its tag.
RUN_FIELD = "tag"
_JUDGMENTS = {"query_id": 1, "subtopic": 2, "doc_id": 3, "grade": 4}
# What a line is by the number of its fields.
_KINDS: Mapping[int, Literal["run", "judgments"]] = {4: "judgments", 6: "run"}


class Trec(Format):
    """Qrels and runs as trec_eval reads them."""

    name = "trec"
    help = "query 0 (or subtopic) document grade; query Q0 document rank score run"

    def sniff(self, sample: Sample) -> int:
        """Detect by the second of four or six fields, whatever the suffix."""
        if _kind_of(sample.first_line) is not None:
            return FORM
        return FALLBACK

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read six fields of a run, four of judgments."""
        if request.kind == "run":
            source = without_comments(source, 6)
            return run_lines(source, request.reading.run_column), source
        source = without_comments(source, 4)
        return judgment_lines(source, request.kind), source


def _kind_of(line: str) -> Literal["run", "judgments"] | None:
    """Return what a line is by its form, if it is one of TREC."""
    fields = line.split()
    if len(fields) < 2 or fields[1].lower() not in ("0", "q0"):
        return None
    return _KINDS.get(len(fields))


def run_lines(source: Source, run_column: str | None = None) -> Layout:
    """Return how to read the lines of a run; its last field names the run.

    The field is not read if the user wants all rows in one run.
    """
    fields = dict(_RUN)
    if run_column == NO_RUNS:
        del fields["run"]
    expected = "6 (query Q0 document rank score run)"
    return replace(
        blank_separated(source, fields, (6, 6), expected), run_column=RUN_FIELD
    )


def judgment_lines(source: Source, kind: Kind) -> Layout:
    """Return how to read the lines of judgments; refuse queries."""
    looks_like = _kind_of(first_line(source)[1])
    if kind in DESCRIBED and looks_like is not None:
        what = f"{source.shown}: no {kind}"
        raise NdcgSqlError(what, needs=("kind",))
    check_no_queries(source, kind)
    return blank_separated(source, _JUDGMENTS, (4, 4), "4 (query 0 document grade)")


def check_no_queries(source: Source, kind: Kind) -> None:
    """Raise NdcgSqlError for queries or documents, which need a header."""
    if kind in DESCRIBED:
        raise NdcgSqlError(
            f"{source.shown}: {kind} must be CSV or TSV with a header line, JSON or"
            " Parquet",
            "if this is CSV, use " + use(format_in="csv"),
            needs=("format_in",),
        )


FORMATS = (Trec(),)
