"""Dicts of text and numbers of Python or numpy, and the judged documents of a run.

Whatever is unusual in a dict, wrong or not, is left to the reading row by row, which
knows how to name it. So this may refuse what that accepts, but never the reverse.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, count, islice, repeat
from typing import Any, Literal, NamedTuple

from ndcg_sql.reading.clean.arrays import Doubles, Numbers, Scores, np

Kind = Literal["run", "judgments", "known"]
Judged = Mapping[str, Mapping[str, float]]
_UNJUDGED = -1
# What is a comment in a file, is left out of one, or gets a warning with its line.
_ODD = ('"', "\n#", "\n ", " \n", "E+")


@dataclass(frozen=True)
class Plain:
    """The rows of a dict {query: {document: number}}, query by query.

    counts are the numbers of documents of the queries, some of which may be 0.
    """

    queries: list[str]
    counts: list[int]
    documents: list[str]
    numbers: Doubles

    def may_be_grades(self, most: int) -> bool:
        """Return whether the first numbers are whole, and have few values (most)."""
        first = self.numbers[:10]
        if not (first == np.trunc(first)).all():
            return False
        return len(np.unique(self.numbers[:50_000])) <= most

    def lines(self) -> bytes | None:
        """Return the rows of a run as TSV; None if lines might be read otherwise."""
        ids = ["", *self.queries, *self.documents, ""]
        texts = "\n".join(ids)
        is_odd = any(mark in texts for mark in _ODD) or len(ids) <= texts.count("\n")
        if is_odd or not texts.replace("\n", "").isprintable():
            return None
        if not np.isfinite(self.numbers).all():
            return None
        queries = chain.from_iterable(map(repeat, self.queries, self.counts))
        scores = map(repr, self.numbers.tolist())
        rows = map("\t".join, zip(queries, self.documents, scores, strict=True))
        return "\n".join(("query_id\tdoc_id\tscore", *rows, "")).encode()


# For each judged document its place, in the order of the judgments.
Places = Mapping[str, Mapping[str, int]]


class Hits(NamedTuple):
    """The judged documents that a run returned, as columns.

    Places are those of the judgments. Positions are by score, then by document, both
    descending; ties are the first and the last position of the same score.
    """

    place: Numbers
    position: Numbers
    tie_first: Numbers
    tie_last: Numbers

    @classmethod
    def nothing(cls) -> "Hits":
        """Return no documents."""
        return cls(*[np.empty(0, np.int64)] * len(cls._fields))

    @property
    def are_tied(self) -> bool:
        """Whether any document has the same score as another of its query."""
        return bool((self.tie_first < self.tie_last).any())

    @property
    def may_be_constant(self) -> bool:
        """Whether enough documents may have the only score of their query."""
        tied = (self.tie_first == 1) & (self.tie_last > 1)
        return 10 * int(tied.sum()) >= len(self.place)


def places(judged: Plain) -> Places:
    """Return the place of each judged document, in the order of the judgments."""
    left, place = iter(judged.documents), count()
    return {
        query: dict(zip(islice(left, size), place, strict=False))
        for query, size in zip(judged.queries, judged.counts, strict=True)
    }


def plain(by_query: Mapping[Any, Any], kind: Kind) -> Plain | None:
    """Return the rows of a dict of dicts; None if anything in it is unusual.

    Ids are integers, or text that is neither empty nor has control characters that
    some tools treat as blanks; scores are not NaN, grades are finite.
    """
    if set(map(type, by_query.values())) != {dict}:
        return None
    documents = [*chain.from_iterable(by_query.values())]
    values: list[Any] = [
        *chain.from_iterable(by_document.values() for by_document in by_query.values())
    ]
    kinds = (int, float, np.integer, np.floating)
    if not all(t is not bool and issubclass(t, kinds) for t in set(map(type, values))):
        return None
    try:
        numbers = np.array(values, dtype=float)
    except OverflowError:
        return None
    is_odd = np.isnan(numbers) if kind == "run" else ~np.isfinite(numbers)
    return None if is_odd.any() else _of_ids(by_query, documents, numbers)


def ordered(by_query: Mapping[Any, Any]) -> Plain | None:
    """Return the rows of a dict of lists, the best first; None if any is unusual."""
    if not set(map(type, by_query.values())) <= {list, tuple, np.ndarray}:
        return None
    lists: list[Any] = [
        row.tolist() if isinstance(row, np.ndarray) else row
        for row in by_query.values()
    ]
    # An array without dimensions is one id; one of several has lists for ids.
    if not all(isinstance(row, list | tuple) for row in lists):
        return None
    documents: list[Any] = [*chain.from_iterable(lists)]
    counts = np.array([*map(len, lists)], int)
    order = np.arange(len(documents)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = _of_ids(by_query, documents, -order.astype(float))
    if rows is None:
        return None
    left = iter(rows.documents)
    is_once = all(len({*islice(left, size)}) == size for size in rows.counts)
    return rows if is_once else None


def _of_ids(
    by_query: Mapping[Any, Collection[Any]], documents: list[Any], numbers: Doubles
) -> Plain | None:
    """Return rows if their ids are all usual."""
    queries, texts_ = _texts([*by_query]), _texts(documents)
    if not texts_ or not queries or not all(queries) or not all(texts_):
        return None
    try:
        text = "\n".join([*queries, *texts_]).encode()
    except UnicodeEncodeError:
        return None
    if any(mark in text for mark in (b"\0", b"\v", b"\f")):
        return None
    return Plain(queries, [*map(len, by_query.values())], texts_, numbers)


def _texts(ids: list[Any]) -> list[str] | None:
    """Return ids as text; None if they are neither all text nor all integers.

    Of both kinds, two could be the same text.
    """
    types = set(map(type, ids))
    if types == {str}:
        return ids
    if types <= {str, np.str_}:
        return [*map(str, ids)]
    if all(t is not bool and issubclass(t, int | np.integer) for t in types):
        return [str(int(one)) for one in ids]
    return None


def hits(judged: Places, ranked: Plain, position_rule: str) -> Hits:
    """Return the judged documents of a run, by place, with their positions."""
    # None of the documents of an unjudged query is judged.
    nothing: Mapping[str, int] = {}
    left = iter(ranked.documents)
    place_of_each = chain.from_iterable(
        map(judged.get(query, nothing).get, islice(left, size), repeat(_UNJUDGED))
        for query, size in zip(ranked.queries, ranked.counts, strict=True)
    )
    judgments = np.fromiter(place_of_each, np.int64, len(ranked.documents))
    rows: Numbers = np.flatnonzero(judgments != _UNJUDGED)
    scores = ranked.numbers
    if position_rule == "score32":
        # Scores that are too large for a single float are tied.
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    return Hits(judgments[rows], *_positions(ranked, scores, rows))


def _positions(
    ranked: Plain, order_scores: Scores, rows: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Return the positions of some rows, and the first and last of their ties."""
    counts = np.array(ranked.counts, int)
    query_of = np.repeat(np.arange(len(counts)), counts)
    begins = np.cumsum(counts) - counts
    # To sort query by query takes a tenth of the time of one sort by two keys.
    down = np.empty(len(query_of), int)
    for begin, end in zip(begins.tolist(), (begins + counts).tolist(), strict=True):
        down[begin:end] = np.argsort(-order_scores[begin:end])
    down += begins[query_of]
    scores = order_scores[down]
    is_first = np.ones(len(down), bool)
    is_first[1:] = (scores[1:] != scores[:-1]) | (query_of[1:] != query_of[:-1])
    starts = np.flatnonzero(is_first)
    ends = np.append(starts[1:], len(down)) - 1
    places = np.empty(len(down), int)
    places[down] = np.arange(len(down))
    ties = np.cumsum(is_first)[places[rows]] - 1
    first, last = starts[ties], ends[ties]
    for tie in np.unique(ties[first < last]).tolist():
        start, end = int(starts[tie]), int(ends[tie]) + 1
        tied: list[int] = down[start:end].tolist()
        # Code points have the order of the bytes of UTF-8.
        tied.sort(key=ranked.documents.__getitem__, reverse=True)
        places[tied] = np.arange(start, end)
    before = begins[query_of[rows]] - 1
    return places[rows] - before, first - before, last - before


def texts(values: Iterable[str]) -> str:
    """Return texts as one, which no NUL is part of, for DuckDB to split.

    DuckDB looks for pandas, which may be absent, once for each value of a list.
    """
    return "\0".join(values)


def numbers(values: Iterable[float]) -> str:
    """Return numbers as one text, to the last bit, for DuckDB to split."""
    return " ".join(map(repr, values))
