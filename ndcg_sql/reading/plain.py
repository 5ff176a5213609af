"""Dicts of plain text and numbers, and the judged documents of such a run.

Whatever is unusual in a dict, wrong or not, is left to the reading row by row, which
knows how to name it. So this may refuse what that accepts, but never the reverse.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["run", "judgments", "known"]
Judged = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Plain:
    """The rows of a dict {query: {document: number}}, query by query.

    counts are the numbers of documents of the queries, some of which may be 0.
    """

    queries: list[str]
    counts: list[int]
    documents: list[str]
    numbers: "NDArray[np.float64]"


@dataclass(frozen=True)
class Hits:
    """The judged documents that a run returned, as columns.

    Positions are by score, then by document, both descending; ties are the first and
    the last position of the same score.
    """

    query_ids: list[str]
    doc_ids: list[str]
    grades: list[float]
    positions: list[int]
    tie_firsts: list[int]
    tie_lasts: list[int]


def plain(by_query: Mapping[Any, Any], kind: Kind) -> Plain | None:
    """Return the rows of a dict of dicts; None if anything in it is unusual.

    Ids are text that is neither empty nor has control characters that some tools
    treat as blanks; scores are not NaN, grades are finite.
    """
    import numpy as np

    if set(map(type, by_query.values())) != {dict} or set(map(type, by_query)) != {str}:
        return None
    documents: list[Any] = [*chain.from_iterable(by_query.values())]
    values: list[Any] = [
        *chain.from_iterable(by_document.values() for by_document in by_query.values())
    ]
    if set(map(type, documents)) != {str} or not set(map(type, values)) <= {int, float}:
        return None
    try:
        text = "\n".join([*by_query, *documents]).encode()
        numbers = np.array(values, dtype=float)
    except (UnicodeEncodeError, OverflowError):
        return None
    is_odd = np.isnan(numbers) if kind == "run" else ~np.isfinite(numbers)
    marks = (b"\0", b"\v", b"\f")
    if is_odd.any() or any(mark in text for mark in marks):
        return None
    if not all(by_query) or not all(documents):
        return None
    counts = [len(by_document) for by_document in by_query.values()]
    return Plain([*by_query], counts, documents, numbers)


def hits(judged: Judged, ranked: Plain, position_rule: str) -> Hits:
    """Return the documents of a run that are judged, with their positions.

    The position rule score32 compares scores as single floats, score as they are.
    """
    import numpy as np

    # None of the documents of an unjudged query is judged.
    nothing: Mapping[str, float] = {}
    grades = [judged.get(query, nothing) for query in ranked.queries]
    left = iter(ranked.documents)
    is_judged = chain.from_iterable(
        map(by_document.__contains__, islice(left, count))
        for by_document, count in zip(grades, ranked.counts, strict=True)
    )
    rows: NDArray[np.intp] = np.flatnonzero(
        np.fromiter(is_judged, bool, len(ranked.documents))
    )
    scores = ranked.numbers
    if position_rule == "score32":
        # Scores that are too large for a single float are tied.
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    positions, first, last = _positions(ranked, scores, rows)
    queries: list[int] = _queries(ranked)[rows].tolist()
    places: list[int] = rows.tolist()
    documents = [ranked.documents[place] for place in places]
    return Hits(
        [ranked.queries[query] for query in queries],
        documents,
        # Adding 0 turns a negative zero into a plain one.
        [
            float(grades[query][document]) + 0.0
            for query, document in zip(queries, documents, strict=True)
        ],
        positions,
        first,
        last,
    )


def _queries(ranked: Plain) -> "NDArray[np.intp]":
    """Return the place of the query of each document."""
    import numpy as np

    return np.repeat(np.arange(len(ranked.counts)), ranked.counts)


def _positions(
    ranked: Plain, order_scores: "NDArray[np.floating[Any]]", rows: "NDArray[np.intp]"
) -> tuple[list[int], list[int], list[int]]:
    """Return the positions of some rows, and the first and last of their ties."""
    import numpy as np

    counts = np.array(ranked.counts, int)
    query_of = _queries(ranked)
    begins = np.cumsum(counts) - counts
    # To sort query by query takes a tenth of the time of one sort by two keys.
    down = np.empty(len(query_of), int)
    for begin, count in zip(begins.tolist(), ranked.counts, strict=True):
        down[begin : begin + count] = np.argsort(-order_scores[begin : begin + count])
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
    columns = (places[rows], first, last)
    positions, firsts, lasts = ((column - before).tolist() for column in columns)
    return positions, firsts, lasts


def texts(values: Iterable[str]) -> str:
    """Return texts as one, which no NUL is part of, for DuckDB to split.

    DuckDB looks for pandas, which may be absent, once for each value of a list.
    """
    return "\0".join(values)


def numbers(values: Iterable[float]) -> str:
    """Return numbers as one text, to the last bit, for DuckDB to split."""
    return " ".join(map(repr, values))
