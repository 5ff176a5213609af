"""Fusion by its definitions, one document at a time: an oracle of our own."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from math import fsum, log
from random import Random

from support.files import Ranked

# What a run gives each document of a query: by norm, or by method.
Terms = Mapping[str, float]


def positions(scores: Terms) -> dict[str, int]:
    """Return the position of each document; equal scores by id, descending."""
    best = sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)
    return {document: place for place, document in enumerate(best, start=1)}


def _min_max(scores: Terms) -> Terms:
    least, greatest = min(scores.values()), max(scores.values())
    if least == greatest:
        return dict.fromkeys(scores, 1.0)
    return {d: (s - least) / (greatest - least) for d, s in scores.items()}


def _sum(scores: Terms) -> Terms:
    least = min(scores.values())
    total = fsum(score - least for score in scores.values())
    if total == 0:
        return dict.fromkeys(scores, 1 / len(scores))
    return {document: (score - least) / total for document, score in scores.items()}


def _zmuv(scores: Terms) -> Terms:
    if len(set(scores.values())) == 1:
        return dict.fromkeys(scores, 0.0)
    mean = statistics.fmean(scores.values())
    deviation = statistics.pstdev(scores.values())
    return {document: (score - mean) / deviation for document, score in scores.items()}


def _points(scores: Terms, candidates: set[str]) -> Terms:
    """Return de Borda's points of every candidate."""
    c, places = len(candidates), positions(scores)
    rest = (c - len(places) + 1) / 2
    return {d: c - places[d] + 1 if d in places else rest for d in candidates}


# What a run gives, by norm or by method without one; of the documents of all runs, k.
VALUES: dict[str, Callable[[Terms, set[str], int], Terms]] = {
    "min-max": lambda scores, *_: _min_max(scores),
    "max": lambda scores, *_: {d: s / max(scores.values()) for d, s in scores.items()},
    "sum": lambda scores, *_: _sum(scores),
    "zmuv": lambda scores, *_: _zmuv(scores),
    "rank": lambda scores, *_: {
        d: (len(scores) - place + 1) / len(scores)
        for d, place in positions(scores).items()
    },
    "borda": lambda scores, every, _: {
        d: points / len(every) for d, points in _points(scores, every).items()
    },
    "none": lambda scores, *_: scores,
}
PLAIN: dict[str, Callable[[Terms, set[str], int], Terms]] = {
    "rrf": lambda scores, _, k: {d: 1 / (k + p) for d, p in positions(scores).items()},
    "isr": lambda scores, *_: {d: p**-2 for d, p in positions(scores).items()},
    "log_isr": lambda scores, *_: {d: p**-2 for d, p in positions(scores).items()},
    "borda": lambda scores, every, _: _points(scores, every),
}
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
    *((m, norm) for m in COMBINED if m not in PLAIN for norm in VALUES),
]


def fused(
    runs: Sequence[Ranked],
    method: str,
    norm: str | None = "min-max",
    k: int = 60,
    weights: Sequence[float] | None = None,
) -> dict[str, dict[str, float]]:
    """Return the fused score of each document of each query."""
    value = PLAIN.get(method) or VALUES[norm or "min-max"]
    found: dict[str, dict[str, float]] = {}
    for query in {query for run in runs for query in run}:
        lists = [run.get(query, {}) for run in runs]
        every = {document for scores in lists for document in scores}
        terms = [
            {d: (weight if method == "weighted" else 1) * v for d, v in own.items()}
            for scores, weight in zip(lists, weights or [1.0] * len(runs), strict=True)
            for own in [
                value(scores, every, k)
                if scores or norm == "borda" or method == "borda"
                else {}
            ]
        ]
        found[query] = {
            document: COMBINED[method](
                [own[document] for own in terms if document in own]
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
    random = Random(seed)
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


def cases(text: str) -> list[tuple[str, str]]:
    """Return lines with the indented lines below them, which are joined."""
    blocks = text.strip().replace("\n    ", "\r").split("\n")
    return [
        (words, " ".join(lines)) for words, *lines in (b.split("\r") for b in blocks)
    ]
