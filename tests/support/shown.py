"""Measures of all that a run shows, computed apart: from their definitions, in numpy.

Popularity, TailShare, Coverage, Gini and Entropy are as RecBole has them
(AveragePopularity, TailPercentage, ItemCoverage, GiniIndex and the ShannonEntropy of
its documentation), but for lists shorter than the cutoff, which RecBole does not know.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import Measure

# The families whose values rest on whole rankings, and those of them that have values
# of queries, or of runs only.
OF_RANKINGS = {name: f for name, f in families().items() if f.reads_rankings}
OF_QUERIES = {name: f for name, f in OF_RANKINGS.items() if not f.is_of_runs}
OF_RUNS = {name: f for name, f in OF_RANKINGS.items() if f.is_of_runs}


@dataclass(frozen=True)
class Shop:
    """What is shown to queries, what they know, and what there is to show."""

    rankings: dict[str, list[str]]
    known: dict[str, list[str]]
    catalogue: list[str]
    attributes: dict[str, dict[str, str]] = field(
        default_factory=dict[str, dict[str, str]]
    )

    @property
    def popularities(self) -> Counter[str]:
        """How many queries know each document."""
        return Counter(d for known in self.known.values() for d in {*known})

    def value(self, measure: Measure, query: str) -> float | None:
        """Return the value of a measure for a query; None if it has none."""
        if not self.rankings.get(query):
            return 0 if measure.parameters["missing"] == 0 else None
        top = self.shown(measure, query)
        return FORMULAS[measure.family.name](self, measure, top) if top else None

    def shown(self, measure: Measure, query: str) -> list[str]:
        """Return what a query is shown, down to the cutoff of a measure."""
        shown = self.rankings.get(query, [])
        if measure.takes_known_out:
            shown = [d for d in shown if d not in self.known.get(query, [])]
        return shown[: measure.cutoff]

    def value_of_run(self, measure: Measure, queries: Iterable[str]) -> float | None:
        """Return the value of a measure of runs; None if there is none."""
        counts = Counter(d for query in queries for d in self.shown(measure, query))
        return OF_COUNTS[measure.family.name](counts, {*self.catalogue})


def _popularity(shop: Shop, _: Measure, top: Sequence[str]) -> float:
    return float(np.mean([shop.popularities[d] for d in top]))


def _novelty(shop: Shop, _: Measure, top: Sequence[str]) -> float:
    knowing = sum(bool(known) for known in shop.known.values())
    popularities = np.maximum([shop.popularities[d] for d in top], 1)
    return float(np.mean(-np.log2(popularities / knowing)))


def _tail_share(shop: Shop, measure: Measure, top: Sequence[str]) -> float:
    counts = {document: shop.popularities[document] for document in shop.catalogue}
    in_order = sorted(counts.items(), key=lambda row: (row[1], row[0].encode()))
    tail: Any = measure.parameters["tail"]
    items = [item for item, _ in in_order[: max(int(len(counts) * tail), 1)]]
    return float(np.isin(top, items).mean())


def _ild(shop: Shop, measure: Measure, top: Sequence[str]) -> float | None:
    by = str(measure.parameters["by"])
    values = [v for d in top if (v := shop.attributes.get(d, {}).get(by))]
    pairs = [a != b for a, b in combinations(values, 2)]
    return float(np.mean(pairs)) if pairs else None


def _coverage(counts: Counter[str], catalogue: set[str]) -> float | None:
    return len(counts) / len(catalogue) if counts.keys() <= catalogue else None


def _gini(counts: Counter[str], catalogue: set[str]) -> float | None:
    if not counts or not counts.keys() <= catalogue:
        return None
    ascending = np.sort([counts[document] for document in catalogue])
    places = np.arange(1, len(ascending) + 1)
    total = np.sum((2 * places - len(ascending) - 1) * ascending)
    return float(total / (len(ascending) * ascending.sum()))


def _entropy(counts: Counter[str], _: set[str]) -> float | None:
    shares: Any = np.array([*counts.values()]) / counts.total()
    return float(-np.sum(shares * np.log(shares))) if counts else None


Formula = Callable[[Shop, Measure, Sequence[str]], float | None]
FORMULAS: Mapping[str, Formula] = {
    "Popularity": _popularity,
    "Novelty": _novelty,
    "TailShare": _tail_share,
    "ILD": _ild,
}
OF_COUNTS: Mapping[str, Callable[[Counter[str], set[str]], float | None]] = {
    "Coverage": _coverage,
    "Gini": _gini,
    "Entropy": _entropy,
}

# Four users; what one knows who was not asked counts too, and one was shown nothing.
FOUR = Shop(
    {"u": ["a", "d", "b"], "v": ["c", "b"], "w": ["d"]},
    {"u": ["a", "b"], "v": ["a"], "w": ["a", "c"], "y": ["b"]},
    [*"abcde"],
    {
        **{"a": {"category": "tents"}, "b": {"category": "tents"}},
        **{"c": {"category": "lamps"}, "d": {"size": "4"}},
    },
)
_A, _B, _C, _D = (float(-np.log2(share / 4)) for share in (3, 2, 1, 1))
# Their values by hand, of u, v, w and x.
BY_HAND: dict[str, tuple[float | None, ...]] = {
    "Popularity@2": (3 / 2, 3 / 2, 0, None),
    "Popularity": (5 / 3, 3 / 2, 0, None),
    "Popularity(missing=0)@2": (3 / 2, 3 / 2, 0, 0),
    "Popularity(known='omit')@2": (0, 3 / 2, 0, None),
    "Novelty@2": ((_A + _D) / 2, (_C + _B) / 2, _D, None),
    "Novelty@1": (_A, _C, _D, None),
    "TailShare@2": (1 / 2, 0, 1, None),
    "TailShare(tail=0.7)@2": (1 / 2, 1 / 2, 1, None),
    "TailShare(tail=1)@2": (1, 1, 1, None),
    "ILD(by='category')@2": (None, 1, None, None),
    "ILD(by='category')": (0, 1, None, None),
    "ILD(by='size')@3": (None, None, None, None),
}
# Values of runs by hand, with the number of queries that are shown something. Down to
# 2, d is shown twice, and a, b and c once; down to 1, a, c and d once.
RUNS_BY_HAND: dict[str, tuple[float | None, int]] = {
    "Coverage@2": (4 / 5, 3),
    "Coverage@1": (3 / 5, 3),
    "Coverage(known='omit')@1": (2 / 5, 3),
    "Gini@2": ((0 - 2 + 0 + 2 + 2 * 4) / (5 * 5), 3),
    "Gini@1": ((0 + 2 + 4) / (5 * 3), 3),
    "Gini": ((-2 + 0 + 2 * 2 + 2 * 4) / (5 * 6), 3),
    "Gini(known='omit')@1": ((2 + 2 * 4) / (5 * 3), 3),
    "Entropy@2": (float(np.log(5) - 2 / 5 * np.log(2)), 3),
    "Entropy@1": (float(np.log(3)), 3),
    "Entropy": (float(np.log(6) - 2 / 3 * np.log(2)), 3),
}
