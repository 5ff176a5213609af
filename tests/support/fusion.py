"""Fusion by its definitions, one document at a time: an oracle of our own."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from math import fsum, log

from support.files import Ranked

# What a run gives each document of a query: by norm, or by method.
Terms = Mapping[str, float]

METHODS = (
    *("rrf", "sum", "max", "min", "med", "anz", "mnz"),
    *("isr", "log_isr", "borda", "weighted"),
)
NORMED = ("sum", "max", "min", "med", "anz", "mnz", "weighted")
NORMS = ("min-max", "max", "sum", "zmuv", "rank", "borda", "none")


def positions(scores: Terms) -> dict[str, int]:
    """Return the position of each document; equal scores by id, descending."""
    best = sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)
    return {document: place for place, document in enumerate(best, start=1)}


def _min_max(scores: Terms) -> Terms:
    least, greatest = min(scores.values()), max(scores.values())
    if least == greatest:
        return dict.fromkeys(scores, 1.0)
    return {d: (s - least) / (greatest - least) for d, s in scores.items()}


def _max(scores: Terms) -> Terms:
    greatest = max(scores.values())
    assert greatest > 0
    return {document: score / greatest for document, score in scores.items()}


def _sum(scores: Terms) -> Terms:
    least = min(scores.values())
    total = fsum(score - least for score in scores.values())
    if total == 0:
        return dict.fromkeys(scores, 1 / len(scores))
    return {document: (score - least) / total for document, score in scores.items()}


def _zmuv(scores: Terms) -> Terms:
    if len(set(scores.values())) == 1:
        return dict.fromkeys(scores, 0.0)
    mean, deviation = (
        statistics.fmean(scores.values()),
        statistics.pstdev(scores.values()),
    )
    return {document: (score - mean) / deviation for document, score in scores.items()}


def _rank(scores: Terms) -> Terms:
    n = len(scores)
    return {d: (n - place + 1) / n for d, place in positions(scores).items()}


def _points(scores: Terms, candidates: set[str]) -> Terms:
    """Return de Borda's points of every candidate."""
    c, places = len(candidates), positions(scores)
    rest = (c - len(places) + 1) / 2
    return {d: c - places[d] + 1 if d in places else rest for d in candidates}


_NORMED: dict[str, Callable[[Terms], Terms]] = {
    "min-max": _min_max,
    "max": _max,
    "sum": _sum,
    "zmuv": _zmuv,
    "rank": _rank,
    "none": dict,
}


def _normed(norm: str, scores: Terms, candidates: set[str]) -> Terms:
    """Return the terms of a run by a norm."""
    if norm == "borda":
        points = _points(scores, candidates)
        return {d: value / len(candidates) for d, value in points.items()}
    return _NORMED[norm](scores) if scores else {}


def _combined(method: str, terms: Sequence[float], weights: Sequence[float]) -> float:
    """Return the score of a document, from the terms of the runs that give it one."""
    n = len(terms)
    weighted = [w * term for w, term in zip(weights, terms, strict=True)]
    return {
        "sum": lambda: fsum(terms),
        "max": lambda: max(terms),
        "min": lambda: min(terms),
        "med": lambda: statistics.median(terms),
        "anz": lambda: fsum(terms) / n,
        "mnz": lambda: fsum(terms) * n,
        "weighted": lambda: fsum(weighted),
        "rrf": lambda: fsum(terms),
        "borda": lambda: fsum(terms),
        "isr": lambda: n * fsum(terms),
        "log_isr": lambda: log(n) * fsum(terms),
    }[method]()


def fused(
    runs: Sequence[Ranked],
    method: str,
    norm: str = "min-max",
    k: int = 60,
    weights: Sequence[float] | None = None,
) -> dict[str, dict[str, float]]:
    """Return the fused score of each document of each query."""
    weights = weights or [1.0] * len(runs)
    found: dict[str, dict[str, float]] = {}
    for query in {query for run in runs for query in run}:
        lists = [run.get(query, {}) for run in runs]
        candidates = {document for scores in lists for document in scores}
        terms: list[Terms] = []
        for scores in lists:
            places = positions(scores)
            if method == "rrf":
                terms.append({d: 1 / (k + place) for d, place in places.items()})
            elif method in ("isr", "log_isr"):
                terms.append({d: place**-2 for d, place in places.items()})
            elif method == "borda":
                terms.append(_points(scores, candidates))
            else:
                terms.append(_normed(norm, scores, candidates))
        found[query] = {
            document: _combined(
                method,
                [own[document] for own in terms if document in own],
                [w for w, own in zip(weights, terms, strict=True) if document in own],
            )
            for document in candidates
        }
    return found
