"""The data of a page, as compact as its script reads it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ndcg_sql.reports.overview import Overview
from ndcg_sql.text import harmless

# Values of queries are shown with four decimals; as in SQL, differences below these
# are ties.
_DECIMALS = 12


def board(overview: Overview, sign: Callable[[str], int]) -> dict[str, Any]:
    """Return the queries, values and rankings of a dataset.

    Documents are numbered; a ranking has a list of [document, grade, discounted
    gain] for each position, its ideal one of [document, gain]. There is one ideal
    ranking for each run, or a single one if they are the same. sign is that of a
    measure: -1 if a lower value is better.
    """
    # The number of each document, with its title if it has one.
    numbers: dict[tuple[str, str | None], int] = {}

    def number(doc_id: str | None, title: str | None) -> int | None:
        if doc_id is None:
            return None
        return numbers.setdefault((doc_id, title), len(numbers))

    ids = [query["query_id"] for query in overview.queries]
    places = {query_id: place for place, query_id in enumerate(ids)}
    order = {run: place for place, run in enumerate(overview.runs)}
    steps: dict[int, dict[str, Any]] = {
        places[query_id]: {name: [[] for _ in order] for name in ("runs", "ideal")}
        for query_id in dict.fromkeys(step["query_id"] for step in overview.steps)
    }
    for step in overview.steps:
        rankings, run = steps[places[step["query_id"]]], order[step["run"]]
        document = number(step["doc_id"], step["title"])
        cell = [document, step["grade"], _rounded(step["discounted_gain"])]
        rankings["runs"][run].append(cell)
        best = number(step["ideal_doc_id"], step["ideal_title"])
        if best is not None:
            rankings["ideal"][run].append([best, step["ideal_gain"]])
    for rankings in steps.values():
        first, *others = rankings["ideal"]
        if all(ranking == first for ranking in others):
            rankings["ideal"] = [first]
        # Positions beyond the end of a ranking show nothing.
        for ranking in rankings["runs"]:
            while ranking and ranking[-1][0] is None:
                ranking.pop()
    texts = [query["text"] for query in overview.queries]
    measures = overview.measures_of_queries
    values = {
        harmless(measure): [
            [*map(_rounded, overview.values[measure, run])] for run in overview.runs
        ]
        for measure in measures
    }
    return {
        "runs": _texts(overview.runs),
        "queries": _texts(ids),
        "queryCount": overview.query_count,
        "texts": _texts(texts) if any(texts) else None,
        "values": values,
        "lowest": _texts(measure for measure in measures if sign(measure) < 0),
        "attributes": {harmless(k): _coded(v) for k, v in overview.attributes.items()},
        "explainedBy": overview.explained_by and harmless(overview.explained_by),
        "depth": overview.explained_depth,
        "dataset": harmless(overview.dataset),
        "judgments": harmless(overview.judgment_set),
        "steps": steps,
        "away": _texts(overview.away),
        "docs": _texts(doc_id for doc_id, _ in numbers),
        "titles": _texts(title for _, title in numbers),
    }


def _coded(values: Sequence[str | None]) -> dict[str, Any]:
    distinct = sorted({value for value in values if value is not None})
    places = {value: place for place, value in enumerate(distinct)}
    of = [value if value is None else places[value] for value in values]
    return {"values": _texts(distinct), "of": of}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)


def _texts(texts: Iterable[str | None]) -> list[str | None]:
    """Return texts with their control characters written out."""
    return [text and harmless(text) for text in texts]
