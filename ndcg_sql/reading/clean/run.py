"""Files, read block by block on several threads."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from ndcg_sql.reading.clean.arrays import Words, np
from ndcg_sql.reading.clean.arrow import INTEGER, TEXT, ArrowStream
from ndcg_sql.reading.clean.rankings import Batch, Form, Part, check_once
from ndcg_sql.reading.clean.texts import OddError

# What a block is read as.
_Block = TypeVar("_Block")
# The bytes of a block: many enough for numpy, few enough for a processor's cache.
SIZE = 1 << 20
# A query with more bytes is left to the strict reading.
_MOST = 1 << 26
# More bytes than any array of a block has.
_LARGE = 1 << 24


@dataclass
class CleanRun:
    """What is known of a run after its last block: queries and judged documents.

    judgment_set_id is that of the judgments, None if there are none.
    """

    judgment_set_id: int | None
    queries: list[Batch] = field(default_factory=list[Batch])
    hits: list[Batch] = field(default_factory=list[Batch])
    documents: int = 0
    keys: list[Words] = field(default_factory=list[Words])

    def add(self, block: Part) -> None:
        """Add what a block holds."""
        self.keys.append(block.keys)
        self.queries.append(block.queries)
        if len(block.hits["position"]):
            self.hits.append(block.hits)
        self.documents += block.documents

    def query_stream(self) -> ArrowStream:
        """Return the queries, and how many documents the run returned for each."""
        types = {"query_id": TEXT, "retrieved": INTEGER}
        return ArrowStream(types, iter(self.queries))

    def hit_stream(self) -> ArrowStream:
        """Return the hits, for the view read_hits."""
        texts = dict.fromkeys(("query_id", "doc_id"), TEXT)
        numbers = dict.fromkeys(("position", "tie_first", "tie_last"), INTEGER)
        return ArrowStream({**texts, **numbers}, iter(self.hits))

    def end(self) -> None:
        """Raise OddError if lines of a query do not follow each other."""
        check_once(self.keys)
        self.keys.clear()


def parts(
    chunks: Iterable[bytes], form: Form, read: Callable[[bytes], _Block], threads: int
) -> Iterator[_Block]:
    """Yield what each block of a file is read as, in order.

    Raises OddError if one is odd.
    """
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
