"""Clean files: the form of their lines, read block by block on several threads."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, TypeVar

from ndcg_sql.database.database import Database
from ndcg_sql.reading.clean import rankings
from ndcg_sql.reading.clean.arrays import Words, np
from ndcg_sql.reading.clean.arrow import DOUBLE, INTEGER, TEXT, ArrowStream
from ndcg_sql.reading.clean.texts import OddError
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import file_chunks, first_line
from ndcg_sql.reading.staging import RowsOf, checks_of

_RULES = ("score", "score32")
# Columns of numbers that name or rank; an empty one is left to the strict reading.
_FILLED = ("query_id", "doc_id", "score", "grade", "run", "rank")
_IDS = {"query_id": TEXT, "doc_id": TEXT}
# The types of the rows of a run, and of judgments.
RUN = {**_IDS, "position": INTEGER, "score": DOUBLE}
_JUDGMENTS = {**_IDS, "grade_text": TEXT, "grade": DOUBLE}
# What a block is read as.
_Block = TypeVar("_Block")
# The bytes of a block: many enough for numpy, few enough for a processor's cache.
SIZE = 1 << 20
# A query with more bytes is left to the strict reading.
_MOST = 1 << 26
# More bytes than any array of a block has.
_LARGE = 1 << 24


def form(how: Layout, position_rule: str, kind: str = "run") -> rankings.Form | None:
    """Return the form of the lines of a run or of judgments; None for several forms."""
    # In TREC files, the iteration of all judgments is mostly the same.
    number, same = ("score", "run") if kind == "run" else ("grade", "subtopic")
    fewest, most = how.field_range
    if fewest != most or how.added or position_rule not in _RULES:
        return None
    if not {"query_id", "doc_id", number} <= how.fields.keys() or "label" in how.fields:
        return None
    value = of_first(how, same)
    if same in how.fields and not value:
        return None
    if how.apart_by == "blanks":
        separator = "\t" if "\t" in first_line(how.source)[1] else " "
        filled, controls, header_lines = range(most), rankings.BLANKS, 0
    elif how.apart_by == "delimiter" and (kind == "run" or not value):
        separator = how.parameters["delimiter"]
        filled = [how.fields[name] - 1 for name in _FILLED if name in how.fields]
        controls, header_lines = rankings.CONTROLS, how.parameters["header_line"]
    else:
        return None
    return rankings.Form(
        separator.encode(),
        most,
        how.fields["query_id"] - 1,
        how.fields["doc_id"] - 1,
        how.fields[number] - 1,
        (how.fields[same] - 1, value.encode()) if value else None,
        tuple(filled),
        controls,
        header_lines,
        position_rule,
    )


def of_first(how: Layout, column: str) -> str | None:
    """Return what the first row has in a column; None if it has other columns."""
    if column not in how.fields:
        return None
    if how.apart_by == "blanks":
        fields = first_line(how.source)[1].split()
    elif how.apart_by == "delimiter":
        with how.source.text() as lines:
            row = next(islice(lines, how.parameters["header_line"], None), "")
        fields = row.rstrip("\n").split(how.parameters["delimiter"])
    else:
        return None
    is_whole = len(fields) == how.field_range[1]
    return fields[how.fields[column] - 1] if is_whole else None


def stage_clean(
    database: Database,
    kind: Literal["run", "judgments"],
    how: Layout,
    rows_of: RowsOf,
) -> bool:
    """Read the rows of a file into the table staged, those of a run by their scores.

    Returns False if the file must be read strictly, or if its rows break one of the
    checks that sql/checks.csv calls clean: those that a well-formed row can break.
    """
    source = how.source
    lines = None if source.faults else form(how, "score", kind)
    if lines is None:
        return False
    keys: list[Words] = []
    [(threads,)] = database.execute("select current_setting('threads')")

    def read(content: bytes) -> tuple[Words, rankings.Batch]:
        if kind == "judgments":
            return rankings.judgments(content, lines)
        block = rankings.part(content, lines, rankings.Judged(b""), with_rows=True)
        return block.keys, block.rows or {}

    def batches() -> Iterator[rankings.Batch]:
        for of_block, rows in parts(file_chunks(source.readable), lines, read, threads):
            keys.append(of_block)
            yield rows
        rankings.check_once(keys)

    types = RUN if kind == "run" else _JUDGMENTS
    try:
        stage_stream(database, ArrowStream(types, batches()))
    except OddError:
        return False
    clean = [check for check in checks_of(rows_of).values() if check.is_clean]
    return not any(database.execute(f"from ({one.select}) limit 1") for one in clean)


def stage_stream(database: Database, stream: ArrowStream) -> None:
    """Read batches into the table staged; raise what ended them early."""
    # No message needs the number of a line without faults; judgments may have labels.
    columns = "cast(null as tinyint) as line_number, cast(null as varchar) as label, *"
    with database.received("read_rows", stream):
        database.execute(
            f"create or replace temp table staged as select {columns} from read_rows"
        )


@dataclass
class CleanRun:
    """What is known of a run after its last block: queries and judged documents.

    run_id is None unless its rows are stored.
    """

    judgment_set_id: int | None
    run_id: int | None = None
    queries: list[rankings.Batch] = field(default_factory=list[rankings.Batch])
    hits: list[rankings.Batch] = field(default_factory=list[rankings.Batch])
    documents: int = 0
    keys: list[Words] = field(default_factory=list[Words])

    def add(self, block: rankings.Part) -> None:
        """Add what a block holds."""
        self.keys.append(block.keys)
        self.queries.append(block.queries)
        if len(block.hits["position"]):
            self.hits.append(block.hits)
        self.documents += block.documents

    @property
    def rows(self) -> str:
        """The select of its stored rows, as they would be staged."""
        return (
            "select cast(null as tinyint) as line_number, query_id, doc_id, position,"
            f" score from rankings where run_id = {self.run_id}"
        )

    def remove(self, database: Database) -> None:
        """Remove its stored rows, if any."""
        if self.run_id is not None:
            database.execute(f"delete from rankings where run_id = {self.run_id}")

    def query_stream(self) -> ArrowStream:
        """Return the queries, and how many documents the run returned for each."""
        types = {"query_id": TEXT, "retrieved": INTEGER}
        return ArrowStream(types, iter(self.queries))

    def hit_stream(self) -> ArrowStream:
        """Return the hits, for the view read_hits."""
        texts = dict.fromkeys(("query_id", "doc_id"), TEXT)
        numbers = dict.fromkeys(("position", "tie_first", "tie_last"), INTEGER)
        return ArrowStream({**texts, **numbers}, iter(self.hits))


def parts(
    chunks: Iterable[bytes],
    form: rankings.Form,
    read: Callable[[bytes], _Block],
    threads: int,
) -> Iterator[_Block]:
    """Yield what each block is read as, in order; raise OddError for an odd one."""
    # The numbers of some machines begin with their highest byte.
    if sys.byteorder != "little":
        raise OddError
    # When so large an array is gone, the GNU C library keeps the memory of smaller
    # ones for the next ones, which the system would have to clear otherwise.
    np.empty(_LARGE, np.uint8)
    cut = blocks(chunks, form.separator, form.query, form.header_lines)
    if threads == 1:
        yield from map(read, cut)
        return
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[_Block]] = deque()
        try:
            for block in cut:
                begun.append(pool.submit(read, block))
                # One block waits for each thread; more would only take memory.
                if len(begun) > 2 * threads:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def blocks(
    chunks: Iterable[bytes], separator: bytes, query: int, header_lines: int
) -> Iterator[bytes]:
    """Yield the lines below a header in blocks, each of which ends with a query.

    query is the place of its field, from 0. If lines of a query do not follow each
    other, or do not have that field, blocks end somewhere else, at the end of a line.
    Raises OddError if a query is too large.
    """
    rest = b""
    pieces = (
        chunk[start : start + SIZE]
        for chunk in chunks
        for start in range(0, len(chunk), SIZE)
    )
    for piece in pieces:
        rest += piece
        while header_lines and b"\n" in rest:
            rest = rest[rest.index(b"\n") + 1 :]
            header_lines -= 1
        cut = 0 if header_lines else _last_query(rest, separator, query)
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
        elif len(rest) > _MOST:
            raise OddError
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def _last_query(lines: bytes, separator: bytes, query: int) -> int:
    """Return where the first line of the last query begins, by bisection."""
    high = lines.rfind(b"\n", 0, max(lines.rfind(b"\n"), 0)) + 1
    last = _field(lines, high, separator, query)
    low = 0
    while low < high:
        begin = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
        if _field(lines, begin, separator, query) == last:
            high = begin
        else:
            low = lines.index(b"\n", begin) + 1
    return high


def _field(lines: bytes, begin: int, separator: bytes, place: int) -> bytes:
    """Return a field of the line that begins somewhere; nothing if it has none."""
    end = lines.find(b"\n", begin)
    fields = lines[begin : end + 1 or None].split(separator, place + 1)
    return fields[place] if place < len(fields) else b""
