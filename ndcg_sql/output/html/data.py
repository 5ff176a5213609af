"""The data of a page, as compact as its script reads it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

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
    # The title of each document, if it has one, in the order of their numbers.
    titles: dict[str, str | None] = {}
    numbers: dict[str, int] = {}

    def number(doc_id: str | None, title: str | None) -> int | None:
        if doc_id is None:
            return None
        titles.setdefault(doc_id, title)
        return numbers.setdefault(doc_id, len(numbers))

    ids = [query["query_id"] for query in overview.queries]
    places = {query_id: place for place, query_id in enumerate(ids)}
    steps: dict[int, dict[str, Any]] = {}
    for step in overview.steps:
        rankings = steps.setdefault(
            places[step["query_id"]],
            {name: [[] for _ in overview.runs] for name in ("runs", "ideal")},
        )
        run = overview.runs.index(step["run"])
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
        measure: [
            [*map(_rounded, overview.values[measure, run])] for run in overview.runs
        ]
        for measure in measures
    }
    return _harmless(
        {
            "runs": overview.runs,
            "queries": ids,
            "queryCount": overview.query_count,
            "texts": texts if any(texts) else None,
            "values": values,
            "lowest": [measure for measure in measures if sign(measure) < 0],
            "attributes": {k: _coded(v) for k, v in overview.attributes.items()},
            "explainedBy": overview.explained_by,
            "depth": overview.explained_depth,
            "dataset": overview.dataset,
            "judgments": overview.judgment_set,
            "steps": steps,
            "away": overview.away,
            "docs": [*titles],
            "titles": [*titles.values()],
        }
    )


def _coded(values: Sequence[str | None]) -> dict[str, Any]:
    distinct = sorted({value for value in values if value is not None})
    places = {value: place for place, value in enumerate(distinct)}
    return {"values": distinct, "of": [v if v is None else places[v] for v in values]}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)


def _harmless(part: Any) -> Any:
    """Return data with the control characters of its texts written out."""
    if isinstance(part, str):
        return harmless(part)
    if isinstance(part, Mapping):
        items = cast("Mapping[Any, Any]", part).items()
        return {_harmless(key): _harmless(value) for key, value in items}
    if isinstance(part, (list, tuple)):
        return [*map(_harmless, cast("list[Any]", part))]
    return part
