"""All flips of the signs of differences, counted."""

import math
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

# Up to 2^_EXACT_BITS flips of signs are all counted, by halves with so many sums.
_EXACT_BITS = 36
_EXACT_SUMS = 2**20


def share_of_ranks(values: Floats, counts: Counts) -> float:
    """Return the share of flips of signs whose rank sum is as far from its mean."""
    _sizes, places = np.unique(np.abs(values), return_inverse=True)
    held = np.bincount(places, counts).astype(np.int64)
    last = np.cumsum(held)
    # Twice the mean rank of each size: an integer, also where sizes are tied.
    ranks = 2 * last - held + 1
    positive = int(ranks[places[values > 0]] @ counts[values > 0])
    total = int(ranks @ held)
    shares = np.zeros(total + 1)
    shares[0] = 1
    for rank in np.repeat(ranks, held).tolist():
        flipped = np.zeros_like(shares)
        flipped[rank:] = shares[:-rank]
        shares = (shares + flipped) / 2
    # The sums lie alike on both sides of their mean.
    tail = shares[: min(positive, total - positive) + 1]
    return min(1.0, 2 * float(tail.sum()))


def share_of_flips(sizes: Floats, counts: Counts, observed: float) -> float | None:
    """Return the share of flips of signs whose sum is as far from 0; None if too many.

    All sums of each half of the sizes are listed; pairs that reach the observed
    sum are counted along the sorted list.
    """
    order = np.argsort(-counts, kind="stable")
    halves = (order[::2], order[1::2])
    most = max(math.prod((counts[half] + 1).tolist()) for half in halves)
    if float(np.log2(counts + 1).sum()) > _EXACT_BITS or most > _EXACT_SUMS:
        return None
    (left, ways), (right, others) = (
        _sums_of_flips(sizes[half], counts[half]) for half in halves
    )
    order = np.argsort(left)
    above = np.append(np.cumsum(ways[order][::-1])[::-1], 0)
    reached = above[np.searchsorted(left[order], observed - right)]
    # The sums are symmetric about 0.
    return min(1.0, 2 * float(reached @ others))


def _sums_of_flips(sizes: Floats, counts: Counts) -> tuple[Floats, Floats]:
    """Return the sums that result from flips of signs, and the share of each."""
    special: Any = import_module("scipy.special")
    sums, shares = np.zeros(1), np.ones(1)
    for size, count in zip(sizes, counts.tolist(), strict=True):
        positive = np.arange(int(count) + 1)
        ways = special.gammaln([count + 1]) - special.gammaln(positive + 1)
        ways = ways - special.gammaln(count - positive + 1) - count * math.log(2)
        sums = (sums[:, None] + (2 * positive - count) * size).ravel()
        shares = (shares[:, None] * np.exp(ways)).ravel()
    return sums, shares
