"""Simulate the false alarms and the power of each test of significance.

    python benchmarks/significance.py [--experiments N] [--queries N]...
        [--resamples N] [--power P] [--csv FILE]

Each experiment draws the differences of two runs for N queries. If their mean is
0, a test with alpha = 0.05 should call at most 5 % of the experiments significant
("false alarms"), within chance; if it is the smallest detectable difference for
this power, the t-test should detect it in this share of the experiments. Shapes:
normal; skewed (an exponential distribution, moved to mean 0); measured (like P@5:
few sizes, many ties); heavy (a t distribution with 3 degrees of freedom).

The benchmark fails if a rate is out of bounds: for false alarms, four standard
errors above alpha. The bootstrap is known to be liberal for few queries, so its
bound starts from twice alpha; no test keeps its level for few skewed differences,
so only symmetric shapes have bounds.
"""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measuring import machine, table, tell, write_csv
from numpy.random import Generator
from numpy.typing import NDArray

from ndcg_sql.comparison.statistics import (
    Differences,
    adjusted,
    bootstrap,
    detectable,
    randomization,
    t_test,
    tukey,
    wilcoxon,
)

ALPHA = 0.05
Floats = NDArray[np.float64]
Draw = Callable[[Generator, int], Floats]


def _measured(random: Generator, n: int) -> Floats:
    """Draw differences like those of P@5: multiples of 0.2, a third of them 0."""
    return random.choice((-0.6, -0.4, -0.2, 0.0, 0.0, 0.0, 0.2, 0.4, 0.6), n)


SHAPES: dict[str, Draw] = {
    "normal": lambda random, n: random.normal(0, 0.2, n),
    "measured": _measured,
    "heavy": lambda random, n: random.standard_t(3, n) / 10,
    "skewed": lambda random, n: random.exponential(0.2, n) - 0.2,
}
SYMMETRIC = ("normal", "measured", "heavy")


@dataclass(frozen=True)
class Rate:
    """How often a test called differences of a shape significant."""

    shape: str
    queries: int
    differ: bool
    test: str
    experiments: int
    rate: float

    def bounds(self, power: float) -> tuple[float, float]:
        """Return the bounds of the rate, with a margin for chance."""
        if not self.differ:
            if self.shape not in SYMMETRIC:
                return 0, 1
            level = 2 * ALPHA if self.test == "bootstrap" else ALPHA
            return 0, level + 4 * math.sqrt(level * (1 - level) / self.experiments)
        if (self.test, self.shape) != ("t", "normal"):
            return 0, 1
        spread = 4 * math.sqrt(power * (1 - power) / self.experiments)
        return power - spread, power + spread


def simulate(
    shape: str,
    queries: int,
    experiments: int,
    resamples: int,
    power: float | None = None,
) -> list[Rate]:
    """Return how often each test rejects.

    With a power, the runs differ by the smallest difference that the t-test
    detects with this power, as estimated from a large sample of the shape.
    """
    random = np.random.default_rng([queries, *shape.encode()])
    draw = SHAPES[shape]
    shift = 0.0
    if power is not None:
        # The same number of queries, with the deviation of the shape.
        ends = math.sqrt((queries - 1) / queries) * draw(random, 1_000_000).std()
        known = Differences.of(np.resize([ends, -ends], queries - queries % 2))
        shift = detectable(known, ALPHA, power) or 0.0
    found: dict[str, int] = {}
    for number in range(experiments):
        differences = Differences.of(np.round(draw(random, queries) + shift, 12))
        flipped = randomization(differences, resamples, number)
        drawn = bootstrap(differences, ALPHA, resamples, number)
        p_values = {
            "t": t_test(differences),
            "randomization": flipped and flipped.p,
            "bootstrap": drawn and drawn.p,
            "wilcoxon": wilcoxon(differences),
        }
        for test, p in p_values.items():
            found[test] = found.get(test, 0) + (p is not None and p < ALPHA)
    return [
        Rate(shape, queries, power is not None, test, experiments, count / experiments)
        for test, count in found.items()
    ]


def simulate_corrections(
    queries: int, runs: int, experiments: int, resamples: int
) -> list[Rate]:
    """Return how often any of several equal runs is called different."""
    random = np.random.default_rng([queries, runs])
    found: dict[str, int] = {}
    for number in range(experiments):
        values = random.normal(0, 0.2, (queries, runs)) + random.random((queries, 1))
        p_values = [
            t_test(Differences.of(values[:, i] - values[:, 0])) for i in range(1, runs)
        ]
        corrected: dict[str, list[float | None]] = {
            method: adjusted(p_values, method)
            for method in ("none", "holm", "bonferroni", "bh")
        }
        corrected["tukey"] = tukey(values, resamples, number)[0][0, 1:].tolist()
        for method, ps in corrected.items():
            alarm = any(p is not None and p < ALPHA for p in ps)
            found[method] = found.get(method, 0) + alarm
    shape = f"{runs} equal runs"
    return [
        Rate(shape, queries, False, method, experiments, count / experiments)
        for method, count in found.items()
    ]


def main() -> None:
    """Simulate, print a table, and fail if a rate is out of bounds."""
    asked = arguments()
    rates: list[Rate] = []
    for queries in asked.queries:
        for shape in SHAPES:
            for power in (None, asked.power):
                told = "a difference" if power else "none"
                tell(f"{shape}, {queries} queries, {told}")
                rates += simulate(
                    shape, queries, asked.experiments, asked.resamples, power
                )
    several = simulate_corrections(50, 5, asked.experiments, asked.resamples)
    print(machine("numpy", "scipy"))
    print(f"{asked.experiments:,} experiments of {asked.resamples:,} resamples\n")
    print(table(rows(rates)))
    alarms = [{"correction": r.test, "any false alarm": r.rate} for r in several]
    print(f"\n{several[0].shape}, {several[0].queries} queries\n\n{table(alarms)}")
    if asked.csv:
        write_csv(asked.csv, [vars(rate) for rate in rates + several])
    wrong = outside(rates, asked.power)
    wrong += [rate for rate in several if rate.test != "none" and rate.rate > 0.1]
    if wrong:
        sys.exit("\n".join(f"out of bounds: {rate}" for rate in wrong))


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--experiments", type=int, default=2_000)
    parser.add_argument("--queries", type=int, nargs="+", default=[10, 25, 50])
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--power", type=float, default=0.8)
    parser.add_argument("--csv", type=Path, help="write a row for each rate")
    return parser.parse_args()


def outside(rates: Sequence[Rate], power: float) -> list[Rate]:
    """Return the rates that are out of bounds."""
    found: list[Rate] = []
    for rate in rates:
        low, high = rate.bounds(power)
        if not low <= rate.rate <= high:
            found.append(rate)
    return found


def rows(rates: Sequence[Rate]) -> list[dict[str, object]]:
    """Return a row for each shape and number of queries, tests across."""
    found: dict[tuple[str, int, bool], dict[str, object]] = {}
    for rate in rates:
        what = "found" if rate.differ else "false alarms"
        first = {"shape": rate.shape, "queries": rate.queries, "": what}
        key = (rate.shape, rate.queries, rate.differ)
        found.setdefault(key, dict(first))[rate.test] = rate.rate
    return list(found.values())


if __name__ == "__main__":
    main()
