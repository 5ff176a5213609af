"""Judged documents, found among those of a block."""

from ndcg_sql.reading.clean.arrays import Numbers, Words, np
from ndcg_sql.reading.clean.texts import MARGIN, OddError, Texts, padded

# The filter has at least as many places for each judged document.
_SPARSE = 16
_FEWEST_BITS, _MOST_BITS = 16, 26


class Judged:
    """The documents of a judgment set, to be found by keys, then by bytes.

    Most documents of a run are not judged, and a table of truth values, whose place
    is the first bits of the key, shows that at once.
    """

    def __init__(self, pairs: bytes) -> None:
        """Take pairs of query id and document id, each of which ends with NUL."""
        data = padded(pairs)
        ends = np.flatnonzero(data[MARGIN:-MARGIN] == 0) + MARGIN
        starts = np.empty_like(ends)
        starts[:1] = MARGIN
        starts[1:] = ends[:-1] + 1
        both = Texts(data, starts, ends - starts)
        queries, documents = both[::2], both[1::2]
        keys = documents.keys(queries.keys())
        order = np.argsort(keys)
        self._keys = keys[order]
        if (self._keys[1:] == self._keys[:-1]).any():
            raise OddError
        self._queries, self._documents = queries[order], documents[order]
        bits = (_SPARSE * len(keys)).bit_length()
        bits = min(max(bits, _FEWEST_BITS), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        self._may_be = np.zeros(1 << bits, bool)
        self._may_be[self._places(keys)] = True

    def _places(self, keys: Words) -> Numbers:
        """Return the place of each key in the filter."""
        return (keys >> self._shift).view(np.int64)

    def rows(self, keys: Words, queries: Texts, documents: Texts) -> Numbers:
        """Return which rows are judged; raise OddError if only keys are equal."""
        rows = np.flatnonzero(self._may_be[self._places(keys)])
        at = np.searchsorted(self._keys, keys[rows])
        # A key behind the last one is not there.
        is_within = at < len(self._keys)
        rows, at = rows[is_within], at[is_within]
        is_judged = self._keys[at] == keys[rows]
        rows, at = rows[is_judged], at[is_judged]
        if not self._documents[at].equal(documents[rows]):
            raise OddError
        if not self._queries[at].equal(queries[rows]):
            raise OddError
        return rows
