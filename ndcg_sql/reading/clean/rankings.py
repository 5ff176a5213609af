"""The queries of a block, the positions of their documents, and which are judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ndcg_sql.reading.clean.arrays import Numbers, Scores, Words, np
from ndcg_sql.reading.clean.decimals import doubles
from ndcg_sql.reading.clean.texts import MARGIN, OddError, Texts, fields, padded

# Bytes below these are not part of fields; those of CSV may have blanks.
BLANKS, CONTROLS = ord(" ") + 1, ord(" ")
_LARGEST_FLOAT = float(np.finfo(np.float32).max)
# The filter of judged documents has at least as many places for each.
_SPARSE = 16
_FEWEST_BITS, _MOST_BITS = 16, 26

Column = Any
Batch = Mapping[str, Column]


@dataclass(frozen=True)
class Form:
    """The form of every line: a number of columns, and the places of some, from 0.

    number is that of the scores or grades. controls is BLANKS or CONTROLS. filled are
    the columns that must not be empty. same is a column and what all rows have in it,
    such as that of runs, if there is one.
    """

    separator: bytes
    columns: int
    query: int
    document: int
    number: int
    same: tuple[int, bytes] | None
    filled: tuple[int, ...]
    controls: int
    header_lines: int
    position_rule: str


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


@dataclass(frozen=True)
class Part:
    """What a block holds: queries with their counts, judged documents, and rows.

    keys are those of the queries. rows are in the order of positions, query by query,
    and None unless they are wanted.
    """

    keys: Words
    queries: Batch
    hits: Batch
    rows: Batch | None
    documents: int


def part(content: bytes, form: Form, judged: Judged, with_rows: bool) -> Part:
    """Return what a block holds; raise OddError unless every line is clean."""
    queries, documents, numbers = _columns(content, form)
    begins = queries.changes()
    counts = np.diff(np.append(begins, len(queries)))
    firsts = queries[begins]
    _check_no_comments(firsts)
    query_keys = firsts.keys()
    keys = documents.keys(np.repeat(query_keys, counts))
    check_once([keys])
    scores = doubles(numbers)
    ordering: Scores = scores
    if form.position_rule == "score32":
        if np.abs(scores).max() > _LARGEST_FLOAT:
            raise OddError
        ordering = scores.astype(np.float32)
    order, places = _placed(ordering, begins, counts, documents)
    at = judged.rows(keys, queries, documents)
    hits: Batch = {
        "query_id": queries[at].apart(),
        "doc_id": documents[at].apart(),
        **{name: column[at] for name, column in places.items()},
    }
    rows: Batch | None = None
    if with_rows:
        rows = {
            "query_id": queries[np.repeat(begins, counts)],
            "doc_id": documents[order],
            "position": places["position"][order],
            "score": scores[order],
        }
    answered = {"query_id": firsts.apart(), "retrieved": counts.astype(np.int32)}
    count = len(scores)
    return Part(query_keys, answered, hits, rows, count)


def judgments(content: bytes, form: Form) -> tuple[Words, Batch]:
    """Return the keys and the rows of a block of judgments, as part does of a run."""
    queries, documents, numbers = _columns(content, form)
    _check_no_comments(queries)
    keys = documents.keys(queries.keys())
    grades = doubles(numbers)
    texts = {"query_id": queries, "doc_id": documents, "grade_text": numbers}
    return keys, {**texts, "grade": grades}


def _columns(content: bytes, form: Form) -> tuple[Texts, Texts, Texts]:
    """Return queries, documents and numbers, whose lines all have the form."""
    # In CSV, a field in quotes may have separators.
    if form.controls == CONTROLS and b'"' in content:
        raise OddError
    columns = fields(content, form.separator[0], form.columns, form.controls)
    if not all(columns[place].lengths.all() for place in form.filled):
        raise OddError
    if form.same is not None:
        place, text = form.same
        same = columns[place]
        if same.bytes_at(0) != text or len(same.changes()) > 1:
            raise OddError
    return columns[form.query], columns[form.document], columns[form.number]


def _check_no_comments(queries: Texts) -> None:
    """Raise OddError for queries that in TREC files are comments."""
    if (queries.data[queries.starts] == ord("#")).any():
        raise OddError


def check_once(keys: list[Words]) -> None:
    """Raise OddError if a key is there twice: a query whose lines are apart."""
    ordered = np.sort(np.concatenate(keys)) if keys else np.empty(0)
    if (ordered[1:] == ordered[:-1]).any():
        raise OddError


def _placed(
    scores: Scores, begins: Numbers, counts: Numbers, documents: Texts
) -> tuple[Any, Batch]:
    """Return the order of rows by query, then by score and document id, descending.

    And of each row its position, and the first and the last of its ties.
    """
    rows = np.arange(len(scores))
    before = np.repeat(begins, counts)
    begins_tie = rows == before
    order: Any = None
    if not ((scores[1:] <= scores[:-1]) | begins_tie[1:]).all():
        order = np.lexsort((-scores, before))
        scores = scores[order]
    begins_tie[1:] |= scores[1:] != scores[:-1]
    ties = np.flatnonzero(begins_tie)
    places = firsts = lasts = rows
    if len(ties) < len(rows):
        sizes = np.diff(np.append(ties, len(rows)))
        firsts = np.repeat(ties, sizes)
        lasts = firsts + np.repeat(sizes, sizes) - 1
        tied = np.flatnonzero(firsts != lasts)
        order = rows.copy() if order is None else order
        tied_rows = order[tied]
        order[tied] = tied_rows[documents[tied_rows].descending(firsts[tied])]
    if order is not None:
        places = np.empty_like(rows)
        places[order] = rows
        firsts, lasts = firsts[places], lasts[places]
    columns = {"position": places, "tie_first": firsts, "tie_last": lasts}
    numbers = {n: (one - before + 1).astype(np.int32) for n, one in columns.items()}
    return slice(None) if order is None else order, numbers
