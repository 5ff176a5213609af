"""The measures of trec_eval that are not plain sums of terms, computed on arrays.

The views running_shares, drop_shares and eleven_points say the same in SQL.
"""

from math import log2
from typing import Any, NamedTuple

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.clean.arrays import Numbers, np


class Places(NamedTuple):
    """Documents with a gain, in the order of queries and positions; queries by number.

    spent and dcg are sums of gains down to a document, plain and discounted; in spent,
    a gain of an ideal list counts at least 1.
    """

    query: Numbers
    position: Numbers
    gain: Any
    spent: Any
    dcg: Any


def log2s(x: Any) -> Any:
    """Return logarithms to the last bit of DuckDB's, which numpy's are not."""
    return np.array([*map(log2, x)])


def sums(query: Numbers, x: Any, count: int) -> Any:
    """Return the sums of x for so many queries, added in the order of rows."""
    return np.bincount(query, x, count).astype(float)


def best(query: Numbers, x: Any, count: int) -> Any:
    """Return the greatest x of each of so many queries, NaN where there is none."""
    greatest = np.full(count, np.nan)
    np.fmax.at(greatest, query, x)
    return greatest


def numbered(query: Numbers) -> Numbers:
    """Return the place of each row among those of its query, from 1."""
    return np.arange(1, len(query) + 1) - np.searchsorted(query, query)


def run_places(query: Numbers, position: Numbers, gain: Any, discount: Any) -> Places:
    """Return the lists of a run, with a row for each document with a gain."""
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


def running_shares(family: str, run: Places, ideal: Places, count: int) -> Any:
    """Return what G, ndcg_rel or Rndcg is computed from, for so many queries.

    That is the sum of the shares of a query, the nDCG of its whole list, and the number
    of shares; NaN or 0 for a query without a list or an ideal.
    """
    length = np.bincount(ideal.query, minlength=count)
    run = Places(*(column[length[run.query] > 0] for column in run))
    last = np.cumsum(length) - 1
    whole = np.full(count, np.nan)
    whole[run.query] = run.dcg / ideal.dcg[last[run.query]]
    if family == "Rndcg":
        # The depths at which the ideal gain drops, and the document of the run above.
        is_drop = np.diff(ideal.query, append=-1) != 0
        is_drop |= np.diff(ideal.gain, append=0) < 0
        is_drop &= ~np.isnan(whole[ideal.query])
        query, depth = ideal.query[is_drop], ideal.position[is_drop]
        step = 1 + max(run.position.max(initial=0), length.max())
        places = run.query * step + run.position
        above = np.searchsorted(places, query * step + depth, "right") - 1
        is_above = (above >= 0) & (run.query[above] == query)
        share = np.where(is_above, run.dcg[above], 0) / ideal.dcg[is_drop]
    else:
        beyond = run.position - length[run.query]
        same_depth = last[run.query] + np.minimum(beyond, 0)
        if family == "G":
            query, spent = run.query, ideal.spent[same_depth]
            wasted = 2 + spent + np.maximum(beyond, 0) - run.spent
            if (wasted <= 0).any():
                raise NdcgSqlError("gains are too large to be subtracted", where="G")
            share = run.gain / log2s(wasted)
        else:
            is_gain = run.gain > 0
            query = run.query[is_gain]
            share = (run.dcg / ideal.dcg[same_depth])[is_gain]
    return sums(query, share, count), whole, np.bincount(query, minlength=count)


def eleven_points(query: Numbers, count: Numbers, precision: Any, least: Any) -> Any:
    """Return means of the best precisions, each where count reaches one of least."""
    total = np.zeros(len(least[0]))
    for needed in least:
        reached = np.where(count >= needed[query], precision, np.nan)
        points = best(query, reached, len(total))
        total += np.where(np.isnan(points), 0, points)
    return total / 11
