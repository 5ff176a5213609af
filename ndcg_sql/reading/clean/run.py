"""A run, read block by block on several threads."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from ndcg_sql.reading.clean.arrays import Words, np
from ndcg_sql.reading.clean.blocks import blocks
from ndcg_sql.reading.clean.judged import Judged
from ndcg_sql.reading.clean.rankings import Batch, Form, Part, check_once, part
from ndcg_sql.reading.clean.texts import check_machine

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

    def end(self) -> None:
        """Raise OddError if lines of a query do not follow each other."""
        check_once(self.keys)
        self.keys.clear()


def parts(
    chunks: Iterable[bytes], form: Form, judged: Judged, threads: int, with_rows: bool
) -> Iterator[Part]:
    """Yield what each block of a file holds, in order; raise OddError if one is odd."""
    check_machine()
    # When so large an array is gone, the GNU C library keeps the memory of smaller
    # ones for the next ones, which the system would have to clear otherwise.
    np.empty(_LARGE, np.uint8)
    cut = blocks(chunks, form.separator, form.query, form.header_lines)
    if threads == 1:
        for block in cut:
            yield part(block, form, judged, with_rows)
        return
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[Part]] = deque()
        try:
            for block in cut:
                begun.append(pool.submit(part, block, form, judged, with_rows))
                # One block waits for each thread; more would only take memory.
                if len(begun) > 2 * threads:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
