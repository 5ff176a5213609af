"""What measures of trec_eval are made of that are more than sums of terms, on arrays.

The views running_shares, drop_shares and eleven_points say the same in SQL.
"""

from math import log2
from typing import Any, NamedTuple

from ndcg_sql.reading.clean.arrays import Numbers, np


class Places(NamedTuple):
    """Documents with a gain, in the order of queries and positions; queries by number.

    dcg and cg are the sums of gains down to a document, discounted and plain; in ideal
    lists, where cg is what a position costs, each gain counts at least 1 in it.
    """

    query: Numbers
    position: Numbers
    gain: Any
    cg: Any
    dcg: Any


def log2s(x: Any) -> Any:
    """Return logarithms to the last bit of DuckDB's, which numpy's are not."""
    return np.array([*map(log2, x)])


def sums(query: Numbers, x: Any, count: int) -> Any:
    """Return the sums of x for so many queries, added in the order of rows."""
    return np.bincount(query, x, count).astype(float)


def best(query: Numbers, x: Any, count: int) -> Any:
    """Return the greatest x of each of so many queries, NaN where there is none."""
    most = np.full(count, np.nan)
    np.fmax.at(most, query, x)
    return most


def numbered(query: Numbers) -> Numbers:
    """Return the place of each row among those of its query, from 1."""
    return np.arange(1, len(query) + 1) - np.searchsorted(query, query)


def run_places(query: Numbers, position: Numbers, gain: Any, discount: Any) -> Places:
    """Return the lists of a run, of which each row is a document with a gain."""
    dcg = _down(query, gain / discount)
    return Places(query, position, gain, _down(query, gain), dcg)


def ideal_places(query: Numbers, gain: Any) -> Places:
    """Return the ideal lists of judged documents."""
    order = np.lexsort((-gain, query))
    order = order[gain[order] > 0]
    query, gain = query[order], gain[order]
    position = numbered(query)
    costs, dcg = np.fmax(gain, 1), _down(query, gain / log2s(position + 1))
    return Places(query, position, gain, _down(query, costs), dcg)


def _down(query: Numbers, x: Any) -> Any:
    """Return the sums of x down to each row of its query, added one after the other."""
    total, totals = 0.0, list[float]()
    is_first = (np.diff(query, prepend=-1) != 0).tolist()
    for is_new, value in zip(is_first, x.tolist(), strict=True):
        total = value if is_new else total + value
        totals.append(total)
    return np.array(totals)


def running_shares(own: Places, ideal: Places, count: int) -> dict[str, Any]:
    """Return what G, ndcg_rel and Rndcg are made of, by family.

    That is the totals of queries, the nDCG of whole lists, and how many shares a total
    has; NaN or 0 for a query without a list or an ideal.
    """
    length = np.bincount(ideal.query, minlength=count)
    own = Places(*(column[length[own.query] > 0] for column in own))
    ends = np.cumsum(length) - 1
    whole = np.full(count, np.nan)
    whole[own.query] = own.dcg / ideal.dcg[ends[own.query]]
    over = own.position - length[own.query]
    at = ends[own.query] + np.minimum(over, 0)
    wasted = 2 + ideal.cg[at] + np.maximum(over, 0) - own.cg
    is_gain = own.gain > 0
    # Of Rndcg, the last document of the list that is not below a drop of the ideal.
    is_drop = np.diff(ideal.query, append=-1) != 0
    is_drop |= np.diff(ideal.gain, append=0) < 0
    is_drop &= ~np.isnan(whole[ideal.query])
    query, position = ideal.query[is_drop], ideal.position[is_drop]
    step = 1 + max(own.position.max(initial=0), length.max())
    keys = own.query * step + own.position
    last = np.searchsorted(keys, query * step + position, "right") - 1
    is_above = (last >= 0) & (own.query[last] == query)
    shares = {
        "G": (own.query, own.gain / log2s(wasted)),
        "ndcg_rel": (own.query[is_gain], (own.dcg / ideal.dcg[at])[is_gain]),
        "Rndcg": (query, np.where(is_above, own.dcg[last], 0) / ideal.dcg[is_drop]),
    }
    return {
        family: (sums(of, share, count), whole, np.bincount(of, minlength=count))
        for family, (of, share) in shares.items()
    }


def eleven_points(query: Numbers, count: Numbers, precision: Any, least: Any) -> Any:
    """Return means of the best precisions, each where count reaches one of least."""
    total = np.zeros(len(least[0]))
    for needed in least:
        reached = np.where(count >= needed[query], precision, np.nan)
        points = best(query, reached, len(total))
        total += np.where(np.isnan(points), 0, points)
    return total / 11
