"""Is a difference between two runs more than chance? Tests for paired values.

The tests use only the distinct differences and the number of queries with each,
so a million queries cost no more than their distinct differences. Every p-value
is two-sided. None stands for a statistic that is undefined.
"""

import math
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

# With more queries than this, neighbouring differences share one of the cells.
_FEW_QUERIES = 300
CELLS = 40
# Up to this number of flips, counting the bits of random words is faster than
# drawing a binomial number.
_BITS = 512
# Up to 2^_EXACT_BITS flips of signs are all counted, by halves with so many sums.
_EXACT_BITS = 36
_EXACT_SUMS = 2**20
# Up to this number of queries, all sums of signed ranks are counted.
_EXACT_RANKS = 200
# A p-value that doubles cannot hold is above 0 all the same.
_SMALLEST = sys.float_info.min
# How much rounding can change a difference from its exact value.
ROUNDED = 1e-12
# The number of random numbers in memory at a time.
_BLOCK = 4_000_000
# Up to this number of permuted values, Tukey's test resamples.
_PERMUTED = 200_000_000


@dataclass(frozen=True)
class Differences:
    """Paired differences: the distinct values, ascending, and their query counts."""

    values: Floats
    counts: Counts

    @classmethod
    def of(cls, differences: Sequence[float] | Floats) -> "Differences":
        """Count the differences of single queries."""
        values, counts = np.unique(np.asarray(differences, float), return_counts=True)
        return cls(values, counts.astype(np.int64))

    @classmethod
    def between(cls, baseline: Floats, candidate: Floats) -> "Differences":
        """Count the differences of queries of which both have a value, not NaN.

        Those that differ only in the last bits are counted together.
        """
        differences = candidate - baseline
        scaled = differences[~np.isnan(differences)] * 1e12
        # Halves are rounded away from 0, as SQL rounds them.
        away = np.trunc(scaled) + np.copysign(1, scaled)
        return cls.of(np.where(scaled % 1 == 0.5, away, np.rint(scaled)) / 1e12)

    @cached_property
    def n(self) -> int:
        """The number of queries."""
        return int(self.counts.sum())

    @cached_property
    def mean(self) -> float:
        """The mean difference."""
        return float(self.values @ self.counts / self.n)

    @cached_property
    def deviation(self) -> float:
        """The sample standard deviation (n - 1) of the differences."""
        squares = (self.values - self.mean) ** 2 @ self.counts
        return math.sqrt(float(squares) / (self.n - 1))

    @property
    def vary(self) -> bool:
        """Whether there are several values; with only one, there is no variance."""
        return len(self.values) > 1

    @property
    def sizes(self) -> tuple[Floats, Counts]:
        """The distinct sizes, without 0, and their query counts."""
        there = self.values != 0
        sizes, places = np.unique(np.abs(self.values[there]), return_inverse=True)
        return sizes, np.bincount(places, self.counts[there]).astype(np.int64)

    @property
    def missing(self) -> str | None:
        """Why some or all statistics are undefined, or None."""
        if self.n == 0:
            return "no query has a value for both"
        if not self.values.any():
            return "all differences are 0"
        if self.n == 1:
            return "one query has no variance"
        return None if self.vary else "all differences are equal"


class Tested(NamedTuple):
    """A p-value, and how: exact (all outcomes counted), resampled (in cells)."""

    p: float
    how: str


class Bootstrapped(NamedTuple):
    """The result of the bootstrap: a p-value and an interval of the mean difference."""

    p: float
    low: float
    high: float
    how: str


def t_test(differences: Differences) -> float | None:
    """Return the p-value of Student's paired t-test.

    t = mean / (deviation / sqrt(n)) with n - 1 degrees of freedom (Student
    1908, Biometrika 6).
    """
    if not differences.vary:
        return None
    t = differences.mean / differences.deviation * math.sqrt(differences.n)
    p = float(2 * _special().stdtr(differences.n - 1, -abs(t)))
    return max(p, _SMALLEST)


def critical(n: int, alpha: float) -> float:
    """Return the two-sided critical value of Student's t for n queries."""
    return float(_special().stdtrit(n - 1, 1 - alpha / 2))


def interval(differences: Differences, alpha: float) -> tuple[float, float] | None:
    """Return Student's interval of the mean difference, with confidence 1 - alpha."""
    if not differences.vary:
        return None
    n, mean = differences.n, differences.mean
    reach = critical(n, alpha) * differences.deviation / math.sqrt(n)
    return float(mean - reach), float(mean + reach)


def effect_size(differences: Differences) -> float | None:
    """Return Cohen's d of paired differences: their mean / their deviation.

    This is d_z of Cohen 1988, Statistical Power Analysis, section 2.3.5, and
    Lakens 2013, Frontiers in Psychology 4.
    """
    return differences.mean / differences.deviation if differences.vary else None


def detectable(
    differences: Differences, alpha: float, power: float = 0.8
) -> float | None:
    """Return the smallest mean difference that the t-test detects with this power.

    It assumes the same number of queries and the same deviation: delta /
    deviation * sqrt(n) is where the noncentral t distribution leaves 1 - power
    below the critical value (Cohen 1988, chapter 2). The chance that a difference
    is detected with the wrong sign is ignored; it adds less than 1e-6.
    """
    if not differences.vary:
        return None
    df = differences.n - 1
    shift = _special().nctdtrinc(df, 1 - power, critical(differences.n, alpha))
    return float(shift * differences.deviation / math.sqrt(differences.n))


def wilcoxon(differences: Differences) -> float | None:
    """Return the p-value of Wilcoxon's signed-rank test, without differences of 0.

    Zeros are dropped and equal sizes share their mean rank (Wilcoxon 1945,
    Biometrics Bulletin 1; Pratt & Gibbons 1981, Concepts of Nonparametric
    Theory, chapter 3). All flips of signs are counted for up to 200 queries,
    ties among the sizes included, which scipy does not do; beyond that the rank
    sum is taken as normal, by scipy.
    """
    values, counts = differences.values, differences.counts
    sizes, held = differences.sizes
    if differences.n < 2 or not len(sizes):
        return None
    if held.sum() > _EXACT_RANKS:
        stats = import_module("scipy.stats")
        signed = np.repeat(values, counts * (values != 0))
        return max(float(stats.wilcoxon(signed, method="approx").pvalue), _SMALLEST)
    # Twice the mean rank of each size: an integer, also where sizes are tied.
    ranks = 2 * np.cumsum(held) - held + 1
    above = values > 0
    positive = int(ranks[np.searchsorted(sizes, values[above])] @ counts[above])
    total = int(ranks @ held)
    # The share of flips with each sum of ranks, after each of the queries.
    shares = np.zeros(total + 1)
    shares[0] = 1
    for rank in np.repeat(ranks, held).tolist():
        shares = (shares + np.append(np.zeros(rank), shares[:-rank])) / 2
    # The sums lie alike on both sides of their mean.
    return min(1.0, 2 * float(shares[: min(positive, total - positive) + 1].sum()))


def randomization(differences: Differences, resamples: int, seed: int) -> Tested | None:
    """Return the p-value of Fisher's randomisation test for paired differences.

    If the runs were exchangeable, every difference could as well have the other
    sign: p is the share of all flips of signs whose sum is at least as far from 0
    as the observed one (Fisher 1935, The Design of Experiments, section 21;
    Smucker, Allan & Carterette 2007, CIKM). If there are too many flips to count,
    some are drawn, and p is (as far + 1) / (drawn + 1), which keeps its level
    (Phipson & Smyth 2010, Stat. Appl. Genet. Mol. Biol. 9).
    """
    # Flips of equal sizes differ only in how many are positive: a binomial.
    sizes, counts = differences.sizes
    if differences.n < 2 or not len(sizes):
        return None
    # Sums that are equal in exact arithmetic may differ: differences have twelve
    # decimals.
    tolerance = ROUNDED * float((1 + sizes) @ counts)
    observed = abs(differences.mean) * differences.n - tolerance
    share = _share_of_flips(sizes, counts, observed) if observed > 0 else 1.0
    if share is not None:
        return Tested(share, "exact")
    cells = _Cells.of(sizes, counts)
    random = np.random.default_rng(seed)
    far = 0
    for size in _blocks(resamples, len(cells.counts)):
        positive = _positive(random, cells.counts, size)
        sums = (2 * positive - cells.counts) @ cells.means
        if cells.variances.any():
            # The sum of the positive ones in a cell, drawn without replacement.
            rest = positive * (cells.counts - positive)
            variances = rest @ (4 * cells.variances / np.maximum(cells.counts - 1, 1))
            sums += random.standard_normal(size) * np.sqrt(variances)
        far += int(np.count_nonzero(np.abs(sums) >= observed))
    return Tested((far + 1) / (resamples + 1), cells.how)


def bootstrap(
    differences: Differences, alpha: float, resamples: int, seed: int
) -> Bootstrapped | None:
    """Return the p-value of the bootstrap, and its interval of the mean difference.

    Queries are drawn with replacement. The interval is the percentile interval; p
    is the share of samples whose mean is at least as far from the observed mean
    as that is from 0: the shift method (Efron & Tibshirani 1993, An Introduction
    to the Bootstrap, chapters 13 and 16; Smucker, Allan & Carterette 2007, CIKM).
    """
    if not differences.vary:
        return None
    n = differences.n
    cells = _Cells.of(differences.values, differences.counts)
    random = np.random.default_rng(seed)
    parts: list[Floats] = []
    for size in _blocks(resamples, len(cells.counts)):
        times = random.multinomial(n, cells.counts / n, size)
        sums = times @ cells.means
        if cells.variances.any():
            sums += random.standard_normal(size) * np.sqrt(times @ cells.variances)
        parts.append(sums / n)
    means = np.concatenate(parts)
    tolerance = ROUNDED * (1 + float(np.abs(differences.values).max()))
    away = np.abs(means - differences.mean) >= abs(differences.mean) - tolerance
    p = (int(np.count_nonzero(away)) + 1) / (resamples + 1)
    low, high = np.quantile(means, [alpha / 2, 1 - alpha / 2], method="inverted_cdf")
    return Bootstrapped(p, float(low), float(high), cells.how)


def adjusted(p_values: Sequence[float | None], method: str) -> list[float | None]:
    """Return p-values corrected for their number; None stays and does not count.

    holm (Holm 1979, Scand. J. Statist. 6) and bonferroni bound the chance of
    any false alarm, bh (Benjamini & Hochberg 1995, JRSS B 57) the expected
    share of false alarms among the alarms; none leaves them as they are.
    """
    numbers = np.array([p for p in p_values if p is not None])
    m = len(numbers)
    order = np.argsort(numbers, kind="stable")
    steps, ranks = numbers[order], np.arange(m)
    if method == "holm":
        steps = np.maximum.accumulate(steps * (m - ranks))
    elif method == "bonferroni":
        steps = steps * m
    elif method == "bh":
        steps = np.minimum.accumulate((steps * m / (ranks + 1))[::-1])[::-1]
    corrected = np.empty(m)
    corrected[order] = np.minimum(steps, 1)
    rest = iter(corrected.tolist())
    return [None if p is None else next(rest) for p in p_values]


def tukey(values: Floats, resamples: int, seed: int) -> tuple[Floats, str]:
    """Return p-values of all pairs of runs by the randomised Tukey HSD test.

    values has a row for each query and a column for each run. If all runs were
    exchangeable, the values of a query could be permuted: p is the share of
    permutations in which the best and the worst run are at least as far apart as
    the pair (Carterette 2012, ACM TOIS 30(1)). Every p is corrected for all pairs.
    For very many values, the sums are taken as normal, which gives the
    distribution of the studentised range; then the second result is "normal".
    """
    n, runs = values.shape
    means = values.mean(axis=0)
    gaps = np.abs(means[:, None] - means)
    centred = values - values.mean(axis=1, keepdims=True)
    if n * runs * resamples > _PERMUTED:
        variance = float((centred**2).sum()) / (runs - 1) / n**2
        scaled = gaps / math.sqrt(variance) if variance else np.zeros_like(gaps)
        p = _share_of_ranges(scaled, runs)
        # Far out the integral is rounded to 0; one pair alone has at least this.
        least = 2 * _special().ndtr(-scaled / math.sqrt(2))
        return np.maximum(np.maximum(p, least), _SMALLEST), "normal"
    random = np.random.default_rng(seed)
    tolerated: Floats = gaps - ROUNDED * np.abs(centred).sum() / n
    ranges: list[Floats] = []
    for size in _blocks(resamples, n * runs):
        dealt = np.repeat(centred[None], size, axis=0)
        sums = random.permuted(dealt, axis=2, out=dealt).sum(axis=1)
        ranges.append((sums.max(axis=1) - sums.min(axis=1)) / n)
    nearer = np.searchsorted(np.sort(np.concatenate(ranges)), tolerated)
    return (resamples - nearer + 1) / (resamples + 1), "resampled"


def _share_of_ranges(least: Floats, count: int) -> Floats:
    """Return how often so many standard normal numbers span at least these ranges.

    scipy.stats has the distribution, too, but takes a second to load and as long for
    some hundred ranges.
    """
    # Beyond nine deviations, nothing is left that a double could show; so far, sums at
    # equal distances are as exact as doubles are.
    highest, step = np.linspace(-9, 9, 721, retstep=True)
    normal = np.exp(-(highest**2) / 2) / math.sqrt(2 * math.pi)
    ndtr = _special().ndtr
    within = ndtr(highest) - ndtr(highest - least[..., None])
    # Where the highest is at a point, the others are within the range below it.
    shares = (within ** (count - 1)) @ (step * normal)
    return np.maximum(1 - count * shares, 0)


@cache
def _special() -> Any:
    """Import scipy's functions when they are needed: they load slowly."""
    return import_module("scipy.special")


def _share_of_flips(sizes: Floats, counts: Counts, observed: float) -> float | None:
    """Return the share of flips of signs whose sum is as far from 0; None if too many.

    All sums of each half of the sizes are listed; pairs that reach the observed
    sum are counted along the sorted list.
    """
    order = np.argsort(-counts, kind="stable")
    halves = (order[::2], order[1::2])
    most = max(math.prod((counts[half] + 1).tolist()) for half in halves)
    if float(np.log2(counts + 1).sum()) > _EXACT_BITS or most > _EXACT_SUMS:
        return None
    (left, shares), (right, others) = (
        _sums_of_flips(sizes[half], counts[half]) for half in halves
    )
    order = np.argsort(left)
    above = np.append(np.cumsum(shares[order][::-1])[::-1], 0)
    reached = above[np.searchsorted(left[order], observed - right)]
    # The sums are symmetric about 0.
    return min(1.0, 2 * float(reached @ others))


def _sums_of_flips(sizes: Floats, counts: Counts) -> tuple[Floats, Floats]:
    """Return the sums that result from flips of signs, and the share of each."""
    gammaln = _special().gammaln
    sums, shares = np.zeros(1), np.ones(1)
    for size, count in zip(sizes, counts.tolist(), strict=True):
        positive = np.arange(int(count) + 1)
        ways = gammaln([count + 1]) - gammaln(positive + 1)
        ways = ways - gammaln(count - positive + 1) - count * math.log(2)
        sums = (sums[:, None] + (2 * positive - count) * size).ravel()
        shares = (shares[:, None] * np.exp(ways)).ravel()
    return sums, shares


@dataclass(frozen=True)
class _Cells:
    """Values that are drawn together: neighbours, if there are too many values.

    The number drawn from a cell is exact; their sum is taken as normal, with the
    mean and variance of the cell. Cells are so narrow that nearly all of the
    variance comes from the numbers drawn.
    """

    means: Floats
    counts: Counts
    variances: Floats
    how: str

    @classmethod
    def of(cls, values: Floats, counts: Counts) -> "_Cells":
        """Put ascending values into cells.

        Each has about the same share of the queries and of the squared values
        together: values far out, which decide the tails of the sum, have cells
        of their own.
        """
        if counts.sum() <= _FEW_QUERIES or len(values) <= CELLS:
            return cls(values, counts, np.zeros(len(values)), "resampled")
        squares = counts * values**2
        mass = (counts / counts.sum() + squares / squares.sum()) / 2
        cell = np.minimum((np.cumsum(mass) - mass) * CELLS, CELLS - 1).astype(np.int64)
        starts = np.flatnonzero(np.diff(cell, prepend=-1))
        held = np.add.reduceat(counts, starts)
        means = np.add.reduceat(values * counts, starts) / held
        away = values - np.repeat(means, np.diff(starts, append=len(values)))
        variances = np.add.reduceat(away**2 * counts, starts) / held
        return cls(means, held, variances, "resampled in cells")


def _blocks(resamples: int, width: int) -> Generator[int]:
    """Give the numbers of resamples to do at a time within limited memory."""
    size = max(1, _BLOCK // width)
    for start in range(0, resamples, size):
        yield min(size, resamples - start)


def _positive(random: np.random.Generator, counts: Counts, size: int) -> Counts:
    """Return how many of each number of flipped signs are positive, size times."""
    most = int(counts.max())
    if most > _BITS:
        return random.binomial(counts, 0.5, (size, len(counts)))
    positive = np.zeros((size, len(counts)), np.int64)
    for start in range(0, most, 64):
        bits = [min(max(count - start, 0), 64) for count in counts.tolist()]
        masks = np.array([(1 << bit) - 1 for bit in bits], np.uint64)
        words = random.integers(0, 2**64, positive.shape, np.uint64)
        positive += np.bitwise_count(words & masks)
    return positive
