"""Logs of clicks, the grades that they make by numpy, and a model of who clicks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

import numpy as np

# A query, a document, an action and a position.
Event = tuple[str, str, str, int]
Pair = tuple[str, str]
HEADER = "query_id,doc_id,action,position\n"


def csv(events: Iterable[Event], header: str = HEADER) -> str:
    """Return events as a CSV file."""
    return header + "".join(f"{q},{d},{a},{p}\n" for q, d, a, p in events)


def graded(
    events: Iterable[Event],
    model: str,
    weights: Mapping[str, float],
    min_impressions: int,
) -> dict[Pair, float]:
    """Return the grade of each document of a query; an oracle in numpy.

    Each impression and each click is an entry of arrays, which are summed by place and
    by document.
    """
    events = list(events)
    shown = [event for event in events if event[2] == "impression"]
    pairs = sorted({(query, document) for query, document, _, _ in shown})
    number = {pair: at for at, pair in enumerate(pairs)}
    clicked = [e for e in events if e[2] in weights and (e[0], e[1]) in number]
    depth = max(position for *_, position in events) + 1
    pair_of = np.array([number[query, document] for query, document, _, _ in shown])
    place_of = np.array([position for *_, position in shown])
    impressions = np.bincount(pair_of, minlength=len(pairs))
    worth = np.array([weights[action] for _, _, action, _ in clicked], dtype=float)
    of_pairs = np.array([number[q, d] for q, d, _, _ in clicked], dtype=int)
    of_places = np.array([position for *_, position in clicked], dtype=int)
    clicks = np.bincount(of_pairs, weights=worth, minlength=len(pairs))
    at_places = np.bincount(of_places, weights=worth, minlength=depth)
    shown_at = np.bincount(place_of, minlength=depth)
    rates = np.divide(at_places, shown_at, out=np.zeros(depth), where=shown_at > 0)
    expected = np.bincount(pair_of, weights=rates[place_of], minlength=len(pairs))
    below = impressions.astype(float) if model == "ctr" else expected
    return {
        pair: clicks[at] / below[at]
        for pair, at in number.items()
        if impressions[at] >= min_impressions and below[at] > 0
    }


def random_log(random: Random, size: int, actions: Iterable[str]) -> list[Event]:
    """Return events at random; some clicks are on what was never shown."""
    actions = ["impression"] * 6 + list(actions)
    return [
        (
            f"q{random.randrange(4)}",
            f"d{random.randrange(6)}",
            random.choice(actions),
            min(1 + int(random.expovariate(0.5)), 9),
        )
        for _ in range(size)
    ]


@dataclass(frozen=True)
class World:
    """A log of which it is known what users want: relevance is 0 to 1."""

    events: list[Event]
    relevance: dict[Pair, float]


def simulated(
    random: Random, queries: int = 20, documents: int = 10, searches: int = 400
) -> World:
    """Return the log of a position-based model of clicks.

    A user looks at position p with the chance 1 / p, and clicks what is looked at with
    the chance of its relevance. A ranker that knows relevance badly ranks each search
    anew: documents keep to some positions, as in real logs.
    """
    events: list[Event] = []
    relevance: dict[Pair, float] = {}
    for query in (f"q{at}" for at in range(queries)):
        names = [f"d{at}" for at in range(documents)]
        wanted = {name: random.random() for name in names}
        score = {name: wanted[name] + random.gauss(0, 0.6) for name in names}
        relevance |= {(query, name): wanted[name] for name in names}
        for _ in range(searches):
            ranking = sorted(names, key=lambda one: -score[one] + random.gauss(0, 0.3))
            for position, name in enumerate(ranking, 1):
                events.append((query, name, "impression", position))
                if random.random() < wanted[name] / position:
                    events.append((query, name, "click", position))
    return World(events, relevance)


def by_query(grades: Mapping[Pair, float]) -> dict[str, dict[str, float]]:
    """Return grades by query and document."""
    nested: dict[str, dict[str, float]] = defaultdict(dict)
    for (query, document), grade in grades.items():
        nested[query][document] = grade
    return dict(nested)
