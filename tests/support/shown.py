"""Measures of all that a run shows, computed apart: from their definitions, in numpy.

Popularity and TailShare are as RecBole has them (AveragePopularity, TailPercentage),
but for lists shorter than the cutoff, which RecBole does not know.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import Measure

# The families whose values rest on whole rankings.
OF_RANKINGS = {name: f for name, f in families().items() if f.reads_rankings}


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
        shown = self.rankings.get(query, [])
        if not shown:
            return 0 if measure.parameters["missing"] == 0 else None
        if measure.takes_known_out:
            shown = [d for d in shown if d not in self.known.get(query, [])]
        top = shown[: measure.cutoff]
        return FORMULAS[measure.family.name](self, measure, top) if top else None


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


Formula = Callable[[Shop, Measure, Sequence[str]], float | None]
FORMULAS: Mapping[str, Formula] = {
    "Popularity": _popularity,
    "Novelty": _novelty,
    "TailShare": _tail_share,
    "ILD": _ild,
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
