"""Fusion by its definitions, one document at a time: an oracle of our own."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from math import fsum, log
from random import Random

from support import exploring
from support.files import Ranked

Terms = Mapping[str, float]
NORMS = ("min-max", "max", "sum", "zmuv", "rank", "borda", "none")
PLAIN = ("rrf", "isr", "log_isr", "borda")
# The score of a document, from what some runs give it.
COMBINED: dict[str, Callable[[Sequence[float]], float]] = {
    **dict.fromkeys(("rrf", "sum", "borda", "weighted"), fsum),
    **{"max": max, "min": min, "med": statistics.median},
    "anz": lambda terms: fsum(terms) / len(terms),
    "mnz": lambda terms: fsum(terms) * len(terms),
    "isr": lambda terms: fsum(terms) * len(terms),
    "log_isr": lambda terms: fsum(terms) * log(len(terms)),
}
# Every method with each of its norms.
EVERY: list[tuple[str, str | None]] = [
    *((method, None) for method in PLAIN),
    *((m, norm) for m in COMBINED if m not in PLAIN for norm in NORMS),
]


def positions(scores: Terms) -> dict[str, int]:
    """Return the position of each document; equal scores by id, descending."""
    best = sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)
    return {document: place for place, document in enumerate(best, start=1)}


def _given(method: str, norm: str, scores: Terms, every: set[str], k: int) -> Terms:
    """Return what a run gives documents, by the norm or a method without one."""
    places, n, c = positions(scores), len(scores), len(every)
    if "borda" in (method, norm if method not in PLAIN else ""):
        points = {
            d: c - places[d] + 1 if d in places else (c - n + 1) / 2 for d in every
        }
        return points if method == "borda" else {d: points[d] / c for d in every}
    if not scores:
        return {}
    least, greatest = min(scores.values()), max(scores.values())
    total = fsum(score - least for score in scores.values())
    mean, deviation = (
        statistics.fmean(scores.values()),
        statistics.pstdev(scores.values()),
    )
    is_flat = least == greatest
    by: dict[str, Callable[[str], float]] = {
        "rrf": lambda d: 1 / (k + places[d]),
        "isr": lambda d: places[d] ** -2,
        "log_isr": lambda d: places[d] ** -2,
        "min-max": lambda d: 1 if is_flat else (scores[d] - least) / (greatest - least),
        "max": lambda d: scores[d] / greatest,
        "sum": lambda d: 1 / n if is_flat else (scores[d] - least) / total,
        "zmuv": lambda d: 0 if is_flat else (scores[d] - mean) / deviation,
        "rank": lambda d: (n - places[d] + 1) / n,
        "none": lambda d: scores[d],
    }
    value = by[method if method in PLAIN else norm]
    return {document: value(document) for document in scores}


def fused(
    runs: Sequence[Ranked],
    method: str,
    norm: str | None = None,
    k: int = 60,
    weights: Sequence[float] | None = None,
) -> dict[str, dict[str, float]]:
    """Return the fused score of each document of each query."""
    if method != "weighted" or not weights:
        weights = [1.0] * len(runs)
    found: dict[str, dict[str, float]] = {}
    for query in {query for run in runs for query in run}:
        lists = [run.get(query, {}) for run in runs]
        every = {document for scores in lists for document in scores}
        given = [
            _given(method, norm or "min-max", scores, every, k) for scores in lists
        ]
        found[query] = {
            document: COMBINED[method](
                [
                    w * own[document]
                    for w, own in zip(weights, given, strict=True)
                    if document in own
                ]
            )
            for document in every
        }
    return found


def world(
    seed: int, count: int, shapes: Sequence[str] = ("apart", "equal", "one")
) -> list[dict[str, dict[str, float]]]:
    """Return runs with ties, lists of equal scores and of one document.

    Some queries are not in every run. All scores are above 0.
    """
    random = Random(seed + int(exploring.SEED))
    runs: list[dict[str, dict[str, float]]] = []
    for _ in range(count):
        run: dict[str, dict[str, float]] = {}
        for number in range(12):
            shape = random.choice([*shapes, "tied", "tied", "apart"])
            if shape == "apart":
                continue
            size = 1 if shape == "one" else random.randint(2, 14)
            documents = random.sample(["é", "Z", *map(str, range(20))], size)
            several = (0.125, 0.5, 2.75, 3, 1e-3, 7.1)
            scores = [random.choice(several) for _ in documents]
            if shape == "equal":
                scores = [0.1] * size
            run[f"q{number}"] = dict(zip(documents, scores, strict=True))
        runs.append(run)
    return runs
