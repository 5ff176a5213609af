"""Tests of significance, against scipy, statsmodels and every outcome written out."""

import math
from collections.abc import Callable
from importlib import import_module
from itertools import combinations, product
from typing import Any

import pytest

from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.statistics import (
    Differences,
    Floats,
    adjusted,
    bootstrap,
    randomization,
)

# Untyped, or typed in part.
np: Any = import_module("numpy")
# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

# Smucker, Allan & Carterette's systems had 50 topics; so has the second sample.
SAMPLES: dict[str, Floats] = {
    "fixed": np.array([0.1, -0.05, 0.2, 0.0, 0.15, -0.1, 0.3]),
    "fifty": np.random.default_rng(1).normal(0.05, 0.2, 50),
    "ties": np.random.default_rng(2).integers(-3, 5, 400) / 10,
    "skewed": np.random.default_rng(3).exponential(0.1, 90) - 0.08,
    "two": np.array([0.25, 0.75]),
}
sample = pytest.mark.parametrize("given", SAMPLES.values(), ids=SAMPLES)


@pytest.mark.slow
@sample
def test_the_t_test_and_its_interval_are_scipy_s(given: Floats) -> None:
    differences = Differences.of(given)
    expected = scipy.stats.ttest_1samp(given, 0)
    assert statistics.t_test(differences) == pytest.approx(expected.pvalue, rel=1e-10)
    for alpha in (0.05, 0.1):
        low, high = expected.confidence_interval(1 - alpha)
        found = statistics.interval(differences, alpha)
        assert found == pytest.approx((low, high), rel=1e-10)


@pytest.mark.slow
@sample
def test_effect_size_and_detectable_difference(given: Floats) -> None:
    differences = Differences.of(given)
    deviation = given.std(ddof=1)
    d = given.mean() / deviation
    assert statistics.effect_size(differences) == pytest.approx(d, rel=1e-12)
    for alpha in (0.05, 0.01):
        found = statistics.detectable(differences, alpha)
        assert found is not None
        chance = (
            import_module("statsmodels.stats.power")
            .TTestPower()
            .power(found / deviation, len(given), alpha, alternative="two-sided")
        )
        assert chance == pytest.approx(0.8, abs=1e-5)


@pytest.mark.parametrize("name", ["fifty", "two"])
def test_wilcoxon_without_ties_is_scipy_s(name: str) -> None:
    given = SAMPLES[name]
    expected = scipy.stats.wilcoxon(given, method="exact").pvalue
    assert statistics.wilcoxon(Differences.of(given)) == pytest.approx(expected)


def signed_ranks(given: Floats) -> float:
    """Return the share of flips whose rank sum is as far from its mean, one by one."""
    differences = given[given != 0]
    ranks = scipy.stats.rankdata(np.abs(differences))
    middle = ranks.sum() / 2
    observed = abs(ranks[differences > 0].sum() - middle)
    sums = [
        ranks[np.array(signs, bool)].sum()
        for signs in product((0, 1), repeat=len(ranks))
    ]
    return float(np.mean(np.abs(np.array(sums) - middle) >= observed))


def test_wilcoxon_counts_every_flip_where_sizes_are_tied() -> None:
    assert statistics.wilcoxon(Differences.of([0.1] * 5)) == 2 / 2**5
    for seed in range(20):
        given = np.random.default_rng(seed).integers(-3, 4, 9) / 4
        found = statistics.wilcoxon(Differences.of(given))
        assert found == pytest.approx(signed_ranks(given), rel=1e-12)


def test_wilcoxon_of_many_queries_is_normal() -> None:
    for n, exact in ((200, True), (201, False)):
        given = np.random.default_rng(n).normal(0.02, 0.2, n)
        found = statistics.wilcoxon(Differences.of(given))
        method = "exact" if exact else "approx"
        expected = scipy.stats.wilcoxon(given, method=method).pvalue
        assert found == pytest.approx(expected, rel=1e-9)
        other = scipy.stats.wilcoxon(
            given, method="approx" if exact else "exact"
        ).pvalue
        assert found != pytest.approx(other, rel=1e-9)


def test_no_test_gives_a_p_value_of_0(monkeypatch: pytest.MonkeyPatch) -> None:
    sure = 1 + np.random.default_rng(6).normal(0, 1e-9, 300)
    few = Differences.of([1, 1.1])
    for differences in (Differences.of(sure), few):
        found = bootstrap(differences, 0.05, 100, 0)
        assert found is not None
        assert found.p > 0
        for test in (statistics.t_test, statistics.wilcoxon):
            p = test(differences)
            assert p is not None
            assert p > 0
    found = bootstrap(few, 0.05, 100, 0)
    assert found is not None
    assert found.p == 1 / 4
    monkeypatch.setattr(statistics, "_PERMUTED", 0)
    p, how = statistics.tukey(np.stack([sure, 0 * sure], axis=1), 100, 0)
    assert how == "normal"
    assert (p > 0).all()


def test_drawn_p_values_count_the_observed_sample() -> None:
    sure = Differences.of(np.random.default_rng(6).normal(1, 0.01, 60))
    found = randomization(sure, 99, 0)
    assert found == statistics.Tested(1 / 100, "resampled")
    bootstrapped = bootstrap(sure, 0.05, 99, 0)
    assert bootstrapped is not None
    assert bootstrapped.p == 1 / 100
    values = np.stack([np.zeros(60), np.ones(60)], axis=1)
    p, how = statistics.tukey(values, 99, 0)
    assert (p[0, 1], how) == (1 / 100, "resampled")


def flips(given: Floats) -> float:
    """Return the share of flips of signs that are as far from 0, one by one."""
    sums = [
        sum(s * d for s, d in zip(signs, given, strict=True))
        for signs in product((-1, 1), repeat=len(given))
    ]
    return float(np.mean(np.abs(sums) >= abs(given.sum()) - 1e-12))


@pytest.mark.parametrize("n", [2, 3, 6, 11])
@pytest.mark.parametrize("decimals", [1, 9])
def test_few_flips_are_all_counted(n: int, decimals: int) -> None:
    for seed in range(5):
        given = np.random.default_rng(seed).normal(0.1, 0.3, n).round(decimals)
        found = randomization(Differences.of(given), 100, 0)
        assert found is not None
        assert found.how == "exact"
        assert found.p == pytest.approx(flips(given), rel=1e-9)
        theirs = scipy.stats.permutation_test(
            (given,), np.mean, permutation_type="samples", n_resamples=np.inf
        )
        assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_many_flips_of_few_sizes_are_counted_too() -> None:
    # 60 wins and 30 losses of one size, 200 ties: a sign test.
    differences = Differences(np.array([-0.5, 0, 0.5]), np.array([30, 200, 60]))
    found = randomization(differences, 100, 0)
    expected = scipy.stats.binomtest(60, 90).pvalue
    assert found is not None
    assert found.p == pytest.approx(expected, rel=1e-9)
    assert found.how == "exact"


@pytest.mark.parametrize(
    ("counts", "how"),
    [
        ([1] * 36, "exact"),
        ([1] * 37, "resampled"),
        # A sign test of a million queries has few sums, ...
        ([1_000_000], "exact"),
        # ... one half of three such sizes that of two: 2 to the power of 24.
        ([4095] * 3, "resampled"),
        ([1000] * 3, "exact"),
    ],
)
def test_flips_are_counted_as_long_as_they_fit_in_memory(
    counts: list[int], how: str
) -> None:
    sizes = 1 + np.arange(len(counts)) / 7
    found = randomization(Differences(sizes, np.array(counts)), 100, 0)
    assert found is not None
    assert found.how == how
    assert found.p <= 2 / 101


@pytest.mark.slow
@pytest.mark.parametrize(("n", "how"), [(80, ""), (1500, " in cells")])
def test_many_flips_are_drawn(n: int, how: str) -> None:
    random = np.random.default_rng(4)
    given = random.normal(0.15 / math.sqrt(n), 0.1, n)
    differences = Differences.of(given)
    found = randomization(differences, 10_000, 7)
    assert found is not None
    assert found.how == "resampled" + how
    # The same, sign by sign.
    signs = random.choice((-1.0, 1.0), (10_000, n))
    naive = float(np.mean(np.abs(signs @ given) >= abs(given.sum())))
    assert found.p == pytest.approx(naive, abs=4 * math.sqrt(naive / 5_000))
    assert found == randomization(differences, 10_000, 7)
    assert found != randomization(differences, 10_000, 8)


@pytest.mark.parametrize("given", [[0.1, 0.4, -0.2], [0.1, 0.1, 0.1, -0.2, 0.5]])
def test_few_samples_are_all_counted(given: list[float]) -> None:
    values = np.array(given)
    samples = product(given, repeat=len(given))
    means: Floats = np.array([sum(drawn) / len(given) for drawn in samples])
    far = float(np.mean(np.abs(means - values.mean()) >= abs(values.mean()) - 1e-12))
    found = bootstrap(Differences.of(values), 0.05, 100, 0)
    assert found is not None
    assert found.how == "exact"
    assert found.p == pytest.approx(far, rel=1e-9)
    low, high = np.quantile(means, (0.025, 0.975), method="inverted_cdf")
    assert (found.low, found.high) == pytest.approx((low, high))


@pytest.mark.slow
@pytest.mark.parametrize(("n", "how"), [(80, ""), (1500, " in cells")])
def test_many_samples_are_drawn(n: int, how: str) -> None:
    random = np.random.default_rng(5)
    given = random.exponential(0.1, n) - 0.1 + 0.15 / math.sqrt(n)
    found = bootstrap(Differences.of(given), 0.1, 10_000, 7)
    assert found is not None
    assert found.how == "resampled" + how
    means = given[random.integers(0, n, (10_000, n))].mean(axis=1)
    far = float(np.mean(np.abs(means - given.mean()) >= abs(given.mean())))
    assert found.p == pytest.approx(far, abs=4 * math.sqrt(far / 5_000))
    ends = np.quantile(means, (0.05, 0.95))
    tolerance = given.std() / math.sqrt(n) / 10
    assert (found.low, found.high) == pytest.approx(ends, abs=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")],
)
def test_corrections_are_those_of_statsmodels(ours: str, theirs: str) -> None:
    random = np.random.default_rng(6)
    for m in (1, 2, 7, 40):
        p_values = random.random(m) ** 3
        multitest: Any = import_module("statsmodels.stats.multitest")
        expected = multitest.multipletests(p_values, method=theirs)[1]
        assert adjusted(p_values.tolist(), ours) == pytest.approx(expected, rel=1e-12)


def test_what_has_no_p_value_does_not_count() -> None:
    assert adjusted([0.01, None, 0.04], "holm") == [0.02, None, 0.04]
    assert adjusted([None], "bh") == [None]
    assert adjusted([0.3, 0.1], "none") == [0.3, 0.1]


def test_tukey_is_near_its_parametric_form() -> None:
    random = np.random.default_rng(8)
    values = random.normal(0, 0.1, (60, 4)) + random.normal(0.5, 0.2, (60, 1))
    values[:, 3] += 0.08
    found, how = statistics.tukey(values, 4000, 0)
    assert how == "resampled"
    n, runs = values.shape
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0)
    rest += values.mean()
    error = math.sqrt((rest**2).sum() / ((n - 1) * (runs - 1)) / n)
    means = values.mean(axis=0)
    for i, j in combinations(range(runs), 2):
        q = abs(means[i] - means[j]) / error
        expected = scipy.stats.studentized_range.sf(q, runs, (n - 1) * (runs - 1))
        assert found[i, j] == pytest.approx(expected, abs=0.03)
        assert found[i, j] == found[j, i]
    assert found[0, 3] < 0.05


def test_tukey_of_very_many_values_is_normal(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(9)
    values = random.random((300, 3))
    drawn, _ = statistics.tukey(values, 4000, 0)
    monkeypatch.setattr(statistics, "_PERMUTED", 0)
    found, how = statistics.tukey(values, 4000, 0)
    assert how == "normal"
    assert found == pytest.approx(drawn, abs=0.03)


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ([], "no query has a value for both"),
        ([0.3], "one query has no variance"),
        ([0.0, 0.0], "all differences are 0"),
        ([0.1, 0.1, 0.1], "all differences are equal"),
        ([0.1, 0.2], None),
    ],
)
def test_what_makes_no_sense_is_not_told(
    given: list[float], missing: str | None
) -> None:
    differences = Differences.of(given)
    assert differences.missing == missing
    told = [
        statistics.t_test(differences),
        statistics.interval(differences, 0.05),
        statistics.effect_size(differences),
        statistics.detectable(differences, 0.05),
        bootstrap(differences, 0.05, 100, 0),
    ]
    assert all(one is None for one in told) == (missing is not None)
    # Where all queries lose alike, flips of signs can still tell how often.
    randomized = randomization(differences, 100, 0)
    assert (randomized is None) == (len(given) < 2 or not any(given))


def _mostly_zero(random: Any) -> Floats:
    changed = random.normal(0.02, 0.4, 2000)
    return np.concatenate([np.zeros(20_000), changed])


def _far_out(random: Any) -> Floats:
    sizes = random.pareto(1.2, 3000) + 0.1
    return sizes / sizes.max() * random.choice((-1.0, 1.05), 3000)


def _in_steps(random: Any) -> Floats:
    return np.round(random.normal(0, 0.25, 6000), 2)


@pytest.mark.parametrize(
    ("queries", "distinct", "how"),
    [(300, 300, ""), (301, 40, ""), (301, 41, " in cells")],
)
def test_neighbours_share_a_cell_if_there_are_many(
    queries: int, distinct: int, how: str
) -> None:
    values = np.resize(np.arange(1.0, distinct + 1), queries)
    found = bootstrap(Differences.of(values), 0.05, 100, 0)
    assert found is not None
    assert found.how == "resampled" + how


@pytest.mark.slow
@pytest.mark.parametrize("given", [_mostly_zero, _far_out, _in_steps])
def test_cells_have_the_tails_of_plain_resampling(
    given: Callable[[Any], Floats],
) -> None:
    random = np.random.default_rng(11)
    values = given(random)
    # The middle of the test: a shift that is about as unlikely as 5 %.
    values = values + 2 * values.std() / math.sqrt(len(values)) - values.mean()
    differences = Differences.of(np.round(values, 12))
    signs = [random.choice((-1.0, 1.0), (500, len(values))) for _ in range(20)]
    flipped = np.concatenate([block @ values for block in signs])
    means = np.concatenate(
        [random.choice(values, (500, len(values))).mean(axis=1) for _ in range(20)]
    )
    for seed in range(3):
        found = randomization(differences, 10_000, seed)
        assert found is not None
        assert found.how == "resampled in cells"
        naive = float(np.mean(np.abs(flipped) >= abs(values.sum())))
        assert found.p == pytest.approx(naive, abs=5 * math.sqrt(naive / 5_000))
        booted = bootstrap(differences, 0.1, 10_000, seed)
        assert booted is not None
        ends = np.quantile(means, (0.05, 0.95))
        tolerance = values.std() / math.sqrt(len(values)) / 8
        assert (booted.low, booted.high) == pytest.approx(ends, abs=tolerance)


def test_a_million_queries_take_little_memory() -> None:
    differences = Differences.of(np.random.default_rng(0).normal(0, 1, 1_000_000))
    cells = statistics._Cells.of(differences.values, differences.counts)  # pyright: ignore[reportPrivateUsage]
    assert len(cells.counts) <= statistics.CELLS
    assert cells.counts.sum() == 1_000_000
    # What is left to the normal distribution is next to nothing.
    within = cells.counts @ cells.variances / differences.deviation**2 / 1_000_000
    assert within < 5e-3
    total = cells.counts @ (cells.variances + cells.means**2)
    assert total == pytest.approx(differences.counts @ differences.values**2)
