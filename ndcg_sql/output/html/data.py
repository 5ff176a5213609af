"""The data of a page, as compact as its script reads it."""

from collections.abc import Sequence
from typing import Any

from ndcg_sql.reports.overview import Overview
from ndcg_sql.text import harmless

# Values of queries are shown with four decimals; as in SQL, differences below these
# are ties.
_DECIMALS = 12


def board(overview: Overview) -> dict[str, Any]:
    """Return the queries, values and rankings of a dataset.

    Documents are numbered; a ranking has a list of [document, grade, discounted
    gain] for each position, its ideal one of [document, gain]. There is one ideal
    ranking for each run, or a single one if they are the same.
    """
    docs: dict[str, int] = {}
    titles: list[str | None] = []

    def number(doc_id: str | None, title: str | None) -> int | None:
        if doc_id is None:
            return None
        if doc_id not in docs:
            docs[doc_id] = len(docs)
            titles.append(title and harmless(title))
        return docs[doc_id]

    places = {query["query_id"]: q for q, query in enumerate(overview.queries)}
    runs = {run: r for r, run in enumerate(overview.runs)}
    steps: dict[int, dict[str, Any]] = {}
    for step in overview.steps:
        place = places[step["query_id"]]
        if place not in steps:
            steps[place] = {name: [[] for _ in runs] for name in ("runs", "ideal")}
        rankings = steps[place]
        document = number(step["doc_id"], step["title"])
        gain = step["discounted_gain"]
        cell = [document, step["grade"], _short(gain)]
        rankings["runs"][runs[step["run"]]].append(cell)
        best = number(step["ideal_doc_id"], step["ideal_title"])
        if best is not None:
            rankings["ideal"][runs[step["run"]]].append([best, step["ideal_gain"]])
    for rankings in steps.values():
        first, *others = rankings["ideal"]
        if all(ranking == first for ranking in others):
            rankings["ideal"] = [first]
        # Positions beyond the end of a ranking show nothing.
        for ranking in rankings["runs"]:
            while ranking and ranking[-1][0] is None:
                ranking.pop()
    texts = [query["text"] and harmless(query["text"]) for query in overview.queries]
    return {
        "runs": [harmless(run) for run in overview.runs],
        "queries": [harmless(query["query_id"]) for query in overview.queries],
        "queryCount": overview.query_count,
        "texts": texts if any(texts) else None,
        "values": {
            measure: [
                [
                    None if value is None else round(value, _DECIMALS)
                    for value in overview.values[measure, run]
                ]
                for run in overview.runs
            ]
            for measure in overview.measures_of_queries
        },
        "attributes": {
            harmless(name): _coded(values)
            for name, values in overview.attributes.items()
        },
        "explainedBy": overview.explained_by,
        "depth": overview.explained_depth,
        "dataset": harmless(overview.dataset),
        "judgments": harmless(overview.judgment_set),
        "steps": steps,
        "away": [harmless(run) for run in overview.away],
        "docs": [harmless(doc_id) for doc_id in docs],
        "titles": titles,
    }


def _coded(values: Sequence[str | None]) -> dict[str, Any]:
    distinct = sorted({value for value in values if value is not None})
    places = {value: place for place, value in enumerate(distinct)}
    return {
        "values": [harmless(value) for value in distinct],
        "of": [None if value is None else places[value] for value in values],
    }


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)
