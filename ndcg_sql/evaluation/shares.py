"""The measures of trec_eval that are not plain sums of terms, computed on arrays.

The views running_shares, drop_shares and eleven_points say the same in SQL.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.clean.arrays import Numbers, np


@dataclass(frozen=True)
class Places:
    """Documents with a gain, in the order of queries and positions; queries by number.

    To read a document costs its gain, but at least least_cost.
    """

    query: Numbers
    position: Numbers
    gain: Any
    discount: Any
    least_cost: float

    @cached_property
    def spent(self) -> Any:
        """The sums of costs down to each document."""
        return _down(self.query, np.fmax(self.gain, self.least_cost))

    @cached_property
    def dcg(self) -> Any:
        """The sums of discounted gains down to each document."""
        return _down(self.query, self.gain / self.discount)


def mapped(function: Callable[[Any], float], x: Any) -> Any:
    """Return what a function of the C library gives, as DuckDB does and numpy not."""
    return np.fromiter(map(function, x.tolist()), float, len(x))


def log2s(x: Any) -> Any:
    """Return logarithms to base 2."""
    return mapped(log2, x)


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


def ideal_list(query: Numbers, gain: Any) -> Places:
    """Return the ideal lists of judged documents, in which each costs at least 1."""
    order = np.lexsort((-gain, query))
    order = order[gain[order] > 0]
    query, position = query[order], numbered(query[order])
    return Places(query, position, gain[order], log2s(position + 1), 1)


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
    has_ideal = length[run.query] > 0
    columns = run.query, run.position, run.gain, run.dcg
    query, position, gain, dcg = (column[has_ideal] for column in columns)
    last = np.cumsum(length) - 1
    whole = np.full(count, np.nan)
    whole[query] = dcg / ideal.dcg[last[query]]
    if family == "Rndcg":
        # The depths at which the ideal gain drops, and the document of the run above.
        is_drop = np.diff(ideal.query, append=-1) != 0
        is_drop |= np.diff(ideal.gain, append=0) < 0
        is_drop &= ~np.isnan(whole[ideal.query])
        of_drop, depth = ideal.query[is_drop], ideal.position[is_drop]
        step = 1 + max(position.max(initial=0), length.max(initial=0))
        rows = query * step + position
        above = np.searchsorted(rows, of_drop * step + depth, "right") - 1
        is_above = (above >= 0) & (query[above] == of_drop)
        query = of_drop
        share = np.where(is_above, dcg[above], 0) / ideal.dcg[is_drop]
    else:
        beyond = position - length[query]
        same_depth = last[query] + np.minimum(beyond, 0)
        if family == "G":
            spent = ideal.spent[same_depth]
            wasted = 2 + spent + np.maximum(beyond, 0) - run.spent[has_ideal]
            if (wasted <= 0).any():
                raise NdcgSqlError("gains are too large to be subtracted", where="G")
            share = gain / log2s(wasted)
        else:
            query, share = query[gain > 0], (dcg / ideal.dcg[same_depth])[gain > 0]
    shares = np.bincount(query, minlength=count)
    total = np.where(shares, sums(query, share, count), np.nan)
    return total, whole, shares


def eleven_points(query: Numbers, count: Numbers, precision: Any, least: Any) -> Any:
    """Return means of the best precisions, each where count reaches one of least."""
    total = np.zeros(len(least[0]))
    for needed in least:
        reached = np.where(count >= needed[query], precision, np.nan)
        points = best(query, reached, len(total))
        total += np.where(np.isnan(points), 0, points)
    return np.where(np.bincount(query, minlength=len(total)), total / 11, np.nan)
