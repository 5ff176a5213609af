"""Tests of significance, against scipy, statsmodels and every outcome written out."""

import math
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import combinations, product
from typing import Any

import pytest

from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.statistics import Differences, Floats, bootstrap, randomization
from support import exploring
from support.compared import agree

# Untyped, or typed in part.
np: Any = import_module("numpy")
# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

DRAWN: dict[str, Callable[[Any, int], Floats]] = {
    "normal": lambda random, n: random.normal(0, 0.1, n),
    "skewed": lambda random, n: random.exponential(0.1, n),
    "mostly zero": lambda random, n: np.concatenate(
        [np.zeros(n), random.normal(0.02, 0.4, n // 10)]
    ),
    "far out": lambda random, n: _far_out(random, n),
    "in steps": lambda random, n: np.round(random.normal(0, 0.25, n), 2),
}


def drawn(seed: int) -> Floats:
    """Return a random sample of one of the kinds."""
    random = np.random.default_rng([seed, int(exploring.SEED)])
    draw = [*DRAWN.values()][seed % len(DRAWN)]
    return draw(random, int(random.integers(10, 300))) + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(exploring.amount(10, 10_000)))
def test_what_student_and_cohen_compute_is_scipy_s_and_statsmodels_(seed: int) -> None:
    given = drawn(seed) if seed else np.array([0.25, 0.75])
    differences = Differences.of(given)
    expected = scipy.stats.ttest_1samp(given, 0)
    deviation = given.std(ddof=1)
    power = import_module("statsmodels.stats.power").TTestPower().power
    p = statistics.t_test(differences)
    agree("scipy", "p of the t-test", p, expected.pvalue, rel=1e-10, abs=0)
    d = given.mean() / deviation
    agree("numpy", "effect size", statistics.effect_size(differences), d, rel=1e-12)
    for alpha in (0.05, 0.01):
        ends = expected.confidence_interval(1 - alpha)
        found = statistics.interval(differences, alpha)
        agree("scipy", "confidence interval", found, (ends.low, ends.high), rel=1e-10)
        least = statistics.detectable(differences, alpha)
        assert least is not None
        chance = power(least / deviation, len(given), alpha, alternative="two-sided")
        agree("statsmodels", "detectable difference", chance, 0.8, abs=1e-5)


def every_flip(given: Floats, ranked: bool = False) -> float:
    """Return the share of flips of signs whose sum is as far from 0, one by one."""
    there = given[given != 0]
    sizes = scipy.stats.rankdata(np.abs(there)) if ranked else np.abs(there)
    signs = np.array(list(product((-1, 1), repeat=len(there))))
    observed = abs(float(np.sign(there) @ sizes))
    return float(np.mean(np.abs(signs @ sizes) >= observed - 1e-12))


@pytest.mark.parametrize("n", [2, 3, 6, 11])
@pytest.mark.parametrize("decimals", [1, 9])
def test_few_flips_are_all_counted(n: int, decimals: int) -> None:
    for seed in range(exploring.amount(5, 1250)):
        given = np.random.default_rng(seed).normal(0.1, 0.3, n).round(decimals)
        if not given.any():
            continue
        p, how = randomization(Differences.of(given), 100, 0) or (None, "")
        assert how == "exact"
        agree("every outcome", "p of the randomisation test", p, every_flip(given))
        p, ranked = statistics.wilcoxon(Differences.of(given)), every_flip(given, True)
        agree("every outcome", "p of Wilcoxon's test", p, ranked, rel=1e-12)
    assert statistics.wilcoxon(Differences.of([0.1] * n)) == 2 / 2**n


@pytest.mark.parametrize("n", [50, 200, 201])
def test_wilcoxon_is_scipy_s_and_normal_beyond_200_queries(n: int) -> None:
    for seed in range(exploring.amount(1, 3400)):
        random = np.random.default_rng([n, seed, int(exploring.SEED)])
        given = random.normal(0.02, 0.2, n)
        ways = ("exact", "approx") if n <= 200 else ("approx", "exact")
        own, other = (scipy.stats.wilcoxon(given, method=way).pvalue for way in ways)
        found = statistics.wilcoxon(Differences.of(given))
        agree("scipy", "p of Wilcoxon's test", found, own, abs=0)
        assert own == 1 or found != pytest.approx(other, rel=1e-9)


# A sign test of any number of queries has few sums.
@pytest.mark.parametrize(("wins", "losses"), [(60, 30), (500_400, 499_000)])
def test_many_flips_of_one_size_are_a_sign_test(wins: int, losses: int) -> None:
    differences = Differences(np.array([-0.5, 0, 0.5]), np.array([losses, 200, wins]))
    expected = scipy.stats.binomtest(wins, wins + losses).pvalue
    found = randomization(differences, 100, 0)
    assert found == (pytest.approx(expected, rel=1e-6), "exact")


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
def test_flips_that_fit_are_counted(counts: list[int], how: str) -> None:
    sizes = 1 + np.arange(len(counts)) / 7
    found = randomization(Differences(sizes, np.array(counts)), 100, 0)
    assert found is not None
    assert found.how == how
    assert found.p <= 2 / 101


def test_no_test_gives_a_p_value_of_0(monkeypatch: pytest.MonkeyPatch) -> None:
    sure = 1 + np.random.default_rng(6).normal(0, 1e-9, 300)
    for differences in (Differences.of(sure), Differences.of([1, 1.1])):
        for test in (statistics.t_test, statistics.wilcoxon):
            p = test(differences)
            assert p is not None
            assert p > 0
        # What is drawn counts the observed sample.
        assert bootstrap(differences, 0.05, 99, 0).p == 1 / 100  # pyright: ignore[reportOptionalMemberAccess]
    assert randomization(Differences.of(sure), 99, 0) == (1 / 100, "resampled")
    values = np.stack([sure, 0 * sure], axis=1)
    p, how = statistics.tukey(values, 99, 0)
    assert (p[0, 1], how) == (1 / 100, "resampled")
    monkeypatch.setattr(statistics, "_PERMUTED", 0)
    p, how = statistics.tukey(values, 100, 0)
    assert how == "normal"
    assert (p > 0).all()


def _far_out(random: Any, n: int) -> Floats:
    sizes = random.pareto(1.2, n) + 0.1
    return sizes / sizes.max() * random.choice((-1.0, 1.05), n)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "n", "how"),
    [
        *(("normal", 80, ""), ("skewed", 80, "")),
        *(("normal", 1500, " in cells"), ("skewed", 1500, " in cells")),
        *(("mostly zero", 20_000, " in cells"), ("far out", 3000, " in cells")),
        ("in steps", 6000, " in cells"),
    ],
)
def test_what_is_drawn_has_right_tails(kind: str, n: int, how: str) -> None:
    random = np.random.default_rng(11)
    values = DRAWN[kind](random, n)
    # The middle of the test: a shift that is about as unlikely as 5 %.
    values = values + 2 * values.std() / math.sqrt(len(values)) - values.mean()
    differences = Differences.of(np.round(values, 12))
    signs = [random.choice((-1.0, 1.0), (500, len(values))) for _ in range(20)]
    flipped = np.abs(np.concatenate([block @ values for block in signs]))
    means = np.concatenate(
        [random.choice(values, (500, len(values))).mean(axis=1) for _ in range(20)]
    )
    ends = np.quantile(means, (0.05, 0.95))
    naive = float(np.mean(flipped >= abs(values.sum())))
    away = float(np.mean(np.abs(means - values.mean()) >= abs(values.mean())))
    for seed in range(3):
        found = randomization(differences, 10_000, seed)
        p = pytest.approx(naive, abs=5 * math.sqrt(naive / 5_000))
        assert found == (p, f"resampled{how}")
        assert found == randomization(differences, 10_000, seed)
        assert found != randomization(differences, 10_000, seed + 1)
        booted = bootstrap(differences, 0.1, 10_000, seed)
        assert booted is not None
        p = pytest.approx(away, abs=5 * math.sqrt(away / 5_000))
        assert (booted.p, booted.how) == (p, f"resampled{how}")
        tolerance = values.std() / math.sqrt(len(values)) / 8
        assert (booted.low, booted.high) == pytest.approx(ends, abs=tolerance)


@pytest.mark.parametrize(
    ("queries", "distinct", "how"),
    [(300, 300, ""), (301, 40, ""), (301, 41, " in cells")],
)
def test_many_neighbours_share_a_cell(queries: int, distinct: int, how: str) -> None:
    values = np.resize(np.arange(1.0, distinct + 1), queries)
    found = bootstrap(Differences.of(values), 0.05, 100, 0)
    assert found is not None
    assert found.how == "resampled" + how


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


@pytest.mark.slow
@pytest.mark.parametrize("m", [1, 2, 7, 40])
def test_corrections_are_those_of_statsmodels(m: int) -> None:
    multitest: Any = import_module("statsmodels.stats.multitest")
    for seed in range(exploring.amount(1, 250)):
        p_values = np.random.default_rng([m, seed]).random(m) ** 3
        for ours, theirs in (("holm", "holm"), ("bonferroni",) * 2, ("bh", "fdr_bh")):
            expected = multitest.multipletests(p_values, method=theirs)[1]
            found = statistics.adjusted(p_values.tolist(), ours)
            agree("statsmodels", f"{ours}'s correction", found, expected, rel=1e-12)


def test_what_has_no_p_value_does_not_count() -> None:
    assert statistics.adjusted([0.01, None, 0.04], "holm") == [0.02, None, 0.04]
    assert statistics.adjusted([None], "bh") == [None]
    # No larger p has a smaller corrected one.
    assert statistics.adjusted([0.03, 0.035, 0.04], "bh") == [0.04, 0.04, 0.04]
    assert statistics.adjusted([0.3, 0.1], "none") == [0.3, 0.1]


def test_tukey_is_near_its_parametric_forms(monkeypatch: pytest.MonkeyPatch) -> None:
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
    # Very many values are not permuted.
    many = random.random((300, 3))
    drawn, _ = statistics.tukey(many, 4000, 0)
    monkeypatch.setattr(statistics, "_PERMUTED", 0)
    found, how = statistics.tukey(many, 4000, 0)
    assert how == "normal"
    assert found == pytest.approx(drawn, abs=0.03)


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        *(([], "no query has a value for both"), ([0.3], "one query has no variance")),
        *(([0.0, 0.0], "all differences are 0"), ([0.1, 0.2], None)),
        ([0.1, 0.1, 0.1], "all differences are equal"),
    ],
)
def test_what_is_undefined(given: list[float], missing: str | None) -> None:
    differences = Differences.of(given)
    assert differences.missing == missing
    for statistic in (
        statistics.t_test,
        statistics.effect_size,
        partial(statistics.interval, alpha=0.05),
        partial(statistics.detectable, alpha=0.05),
        partial(bootstrap, alpha=0.05, resamples=100, seed=0),
    ):
        assert (statistic(differences) is None) == (missing is not None)
    # Where all queries lose alike, flips of signs still have a chance.
    randomized = randomization(differences, 100, 0)
    assert (randomized is None) == (len(given) < 2 or not any(given))
