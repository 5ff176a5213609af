"""Lines without a header, whose fields have a fixed order.

TREC's qrels and runs, MS MARCO's runs and texts, a query with its documents, lists for
learning to rank, values of measures as trec_eval and ir_measures print them, and events
of OpenSearch's User Behavior Insights.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import parse
from ndcg_sql.reading import layouts, records
from ndcg_sql.reading.columns import DESCRIBED, NO_RUNS, Kind, of_header
from ndcg_sql.reading.layouts import Format, Layout, ReadRequest, glob_safe
from ndcg_sql.reading.nested import LISTED, NAMELESS, Row
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source, without_comments
from ndcg_sql.system import progress
from ndcg_sql.text import number
from ndcg_sql.wording import FILE, Blank, call, use

# The name of the last field of a TREC run: its tag.
RUN_FIELD = "tag"
# What a line of TREC is by the number of its fields.
_KINDS: Mapping[int, Literal["run", "judgments"]] = {4: "judgments", 6: "run"}
_RANKS = re.compile(r"\s*[^\s,]+[ \t]+[^\s,]+[ \t]+[0-9]+\s*")
_WITH_URL = ("doc_id", "url", "title", "text")
_FEATURES = re.compile(r"\s*\S+(\s+qid:\S*|(\s+[0-9]+:[^\s#]+)+\s*(#.*)?$)")
_EVENT = re.compile(r'\s*\{.*"action_name"|\s*\{\s*"(index|create)"')
# The fields of printed values by their number; of three, either tool printed them.
_BY_TREC_EVAL = ("measure", "query_id", "value")
_BY_IR_MEASURES = ("query_id", "measure", "value")
_VALUES = {3: _BY_TREC_EVAL, 4: ("run", *_BY_IR_MEASURES)}


def _layout(source: Source, step: str, columns: Sequence[str], expected: str) -> Layout:
    """Return how to read lines with these columns; one without a name is not read."""
    return Layout(
        source,
        ("read/lines", step),
        {"path": glob_safe(source.readable)},
        {column: at for at, column in enumerate(columns, 1) if column},
        (len(columns), len(columns)),
        expected,
    )


def _by_blanks(source: Source, columns: Sequence[str], names: str = "") -> Layout:
    """Read lines whose fields are separated by blanks, without comments."""
    source = without_comments(source, len(columns))
    expected = f"{len(columns)} ({names or ' '.join(columns)})"
    how = _layout(source, "read/blank_separated", columns, expected)
    return replace(how, apart_by="blanks")


def _kind_of(line: str) -> Literal["run", "judgments"] | None:
    """Return what a line is by its form, if it is one of TREC."""
    fields = line.split()
    if len(fields) < 2 or fields[1].lower() not in ("0", "q0"):
        return None
    return _KINDS.get(len(fields))


def _sniff_trec(request: ReadRequest) -> int:
    """Detect by the second of four or six fields, whatever the suffix."""
    return layouts.FORM if _kind_of(request.first_line) else layouts.FALLBACK


def _trec(source: Source, request: ReadRequest) -> Layout:
    """Read six fields of a run, four of judgments; refuse queries."""
    kind = request.kind
    if kind == "run":
        return run_lines(source, request.reading.run_column)
    if kind in DESCRIBED and _kind_of(request.first_line):
        raise source.error(f"no {kind}", needs=("kind",))
    _check_no_queries(source, kind)
    columns = ("query_id", "subtopic", "doc_id", "grade")
    return _by_blanks(source, columns, "query 0 document grade")


def run_lines(source: Source, run_column: str | None = None) -> Layout:
    """Return how to read the lines of a run, whose last field may name it."""
    run = "" if run_column == NO_RUNS else "run"
    columns = ("query_id", "", "doc_id", "rank", "score", run)
    how = _by_blanks(source, columns, "query Q0 document rank score run")
    return replace(how, run_column=RUN_FIELD)


def _check_no_queries(source: Source, kind: Kind) -> None:
    """Raise NdcgSqlError for queries or documents, which need a header."""
    if kind in DESCRIBED:
        what = f"{kind} must be CSV or TSV with a header line, JSON or Parquet"
        remedy = "if this is CSV, use " + use(format_in="csv")
        raise source.error(what, remedy, needs=("format_in",))


def _sniff_ranks(request: ReadRequest) -> int:
    """Detect a run of MS MARCO by three fields, the last of them an integer.

    In CSV, such a line may be a title, such as "Export week 47".
    """
    reading = request.reading
    unnamed = reading.many_files or not reading.columns
    is_run = request.kind == "run" and unnamed and request.suffix != "csv"
    is_like = is_run and _RANKS.fullmatch(request.first_line)
    return layouts.SHARED if is_like else layouts.NO


def _msmarco(source: Source, request: ReadRequest) -> Layout:
    """Read ranks of a run, texts of queries, and qrels as in TREC files."""
    if request.kind == "run":
        columns = ("query_id", "doc_id", "rank")
        return _by_blanks(source, columns, "query document rank")
    if request.kind not in ("queries", "documents"):
        return _trec(source, request)
    columns = ("query_id", "text")
    if request.kind == "documents":
        has_urls = request.first_line.count("\t") == len(_WITH_URL) - 1
        columns = _WITH_URL if has_urls else ("doc_id", "text")
    expected = f"{len(columns)} ({' '.join(columns)})"
    how = _layout(source, "read/delimited", columns, expected)
    parameters = {**how.parameters, "delimiter": "\t", "header_line": 0}
    return replace(how, parameters=parameters, apart_by="delimiter")


def _sniff_features(request: ReadRequest) -> int:
    """Detect a list for learning to rank by qid: or by numbered features."""
    return layouts.MARKS if _FEATURES.match(request.first_line) else layouts.NO


def _letor(source: Source, request: ReadRequest) -> Layout:
    """Read judged documents; the first row shows whether queries are named."""
    _check_no_queries(source, request.kind)
    if request.kind == "run":
        what = "a list for learning to rank holds judgments"
        way = call("load_run", Blank("SCORES"), rows_of=FILE)
        raise source.error(what, "to load scores of its rows: " + way)
    source = without_comments(source)
    second = request.first_line.split()[1:2]
    has_query = any(part.startswith("qid:") for part in second)
    columns = ("grade", "query_id" if has_query else "", "doc_id")
    expected = "grade qid:QUERY feature:value... # DOCUMENT"
    return replace(_layout(source, "read/letor", columns, expected), is_list=True)


def _sniff_values(request: ReadRequest) -> int:
    """Detect printed values by a number at the end of three or four fields."""
    fields = request.first_line.split()
    is_unnamed = request.kind == "values" and not request.named
    is_like = is_unnamed and len(fields) in _VALUES and number(fields[-1]) is not None
    return layouts.FORM if is_like else layouts.NO


def _values(source: Source, request: ReadRequest) -> Layout:
    """Read printed values in the order that the first line shows."""
    _check_kind(source, request, "values", "values")
    first = request.first_line.split()
    columns = _VALUES.get(len(first), _BY_TREC_EVAL)
    if columns == _BY_TREC_EVAL and not _is_measure(first[0]):
        if not _is_measure(first[1]):
            raise source.error(
                f"neither {first[0]} nor {first[1]} is a measure"
                " that ndcg-sql knows, so their order is not clear",
                "put the run in front of each line: run query measure value",
            )
        columns = _BY_IR_MEASURES
    return _by_blanks(source, columns)


def _is_measure(name: str) -> bool:
    with suppress(NdcgSqlError):
        return bool(parse(name))
    return False


def _sniff_events(request: ReadRequest) -> int:
    """Detect by the name of the action in the first line of a log of clicks."""
    is_log = request.kind == "clicks" and not request.named
    is_like = is_log and _EVENT.match(request.first_line)
    return layouts.FORM if is_like else layouts.NO


def _ubi(source: Source, request: ReadRequest) -> Layout:
    """Read the members of events that the specification names."""
    _check_kind(source, request, "clicks", "events")
    columns = ("query_id", "doc_id", "action", "position", "time")
    expected = "an object as in ubi_events"
    return _layout(source, "read/ubi_events", columns, expected)


def _check_kind(source: Source, request: ReadRequest, kind: Kind, what: str) -> None:
    if request.kind != kind:
        way = call(f"load_{kind}", FILE)
        raise source.error(f"{what}", "load them with " + way)


def _sniff_lists(request: ReadRequest) -> int:
    """Detect by one tab, with a comma behind it and no header."""
    query, *rest = request.first_line.split("\t")
    has_form = len(rest) == 1 and "," in rest[0] and query.strip() and "," not in query
    # A JSON file that is damaged may have a tab at this place.
    if not has_form or query.startswith(("{", "[")) or request.kind not in LISTED:
        return layouts.NO
    is_stated = request.named or request.reading.query is not None
    is_header = is_stated or of_header([query], request.kind)
    return layouts.NO if is_header else layouts.SHARED


def _lists(source: Source, request: ReadRequest) -> Layout:
    """Read the documents of each line, rewritten as records."""
    _check_no_queries(source, request.kind)
    source = without_comments(source, 2)
    return records.layout(source, request, _rows_of_lists(source))


def _rows_of_lists(source: Source) -> Iterator[Row | Fault]:
    """Read the query and the documents of each line."""
    with source.text() as lines, progress.reading(lines):
        for line_number, line in enumerate(lines, start=1):
            query, tab, rest = line.rstrip("\n").partition("\t")
            if not line.strip():
                continue
            if tab and "\t" not in rest:
                documents = [part.strip(" ") for part in rest.split(",")]
                documents = [] if documents == [""] else documents
                yield line_number, {"query_id": query, NAMELESS: documents}
            else:
                expected = "query<TAB>document,document,..."
                yield Fault(line_number, f"malformed line, expected {expected}")


_HELP = {
    "trec": "query 0 (or subtopic) document grade; query Q0 document rank score run",
    "msmarco": "query document rank; queries and documents: id<TAB>text",
    "letor": "grade qid:QUERY feature:value... # DOCUMENT (SVMlight, RankLib)",
    "lists": "query<TAB>document,document,...; of judgments, all have one grade",
    "values": "measure query value (trec_eval -q); query measure value; run in front",
    "ubi": "the index ubi_events of OpenSearch, an event on each line",
}
_READERS = {
    "trec": (_sniff_trec, _trec),
    "msmarco": (_sniff_ranks, _msmarco),
    "letor": (_sniff_features, _letor),
    "lists": (_sniff_lists, _lists),
    "values": (_sniff_values, _values),
    "ubi": (_sniff_events, _ubi),
}
FORMATS = tuple(
    Format(name, text, *_READERS[name], has_columns=False)
    for name, text in _HELP.items()
)
