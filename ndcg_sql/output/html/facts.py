"""What a page says first (verdict.html, tiles.html), and what its script reads."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.output.tables import TUKEY
from ndcg_sql.reports.overview import COLOURED, Overview
from ndcg_sql.text import chance, counted, harmless

# A slice with fewer queries is no reason to doubt a winner.
_ENOUGH = 5
# As in SQL, differences below this are ties.
_TIE = 5e-13
# What the other side of a comparison has.
_OTHER_SIDE = {
    **{"candidate": "baseline", "baseline": "candidate"},
    **{"candidate_value": "baseline_value", "baseline_value": "candidate_value"},
    **{"wins": "losses", "losses": "wins", "ci_low": "ci_high", "ci_high": "ci_low"},
}
_SIGNED = ("difference", "weighted_difference", "ci_low", "ci_high")
# Values of queries are shown with four decimals; as in SQL, differences below these
# are ties.
_DECIMALS = 12


def how(testing: Testing, count: int) -> str:
    """Return how a number of differences are tested, and p is corrected for all."""
    if testing.correct == "tukey":
        return f"{TUKEY}, by measure and slice"
    if testing.correct == "none":
        return f"{testing.test} test, not corrected"
    among = counted(count, "difference", form=",")
    return f"{testing.test} test, corrected by {testing.correct} for {among}"


def is_turned(row: Record) -> bool:
    """Return whether a difference has another sign with the weights of queries."""
    plain, weighted = row["difference"], row["weighted_difference"] or 0
    return min(plain, weighted) < -_TIE and max(plain, weighted) > _TIE


def slice_of(row: Record) -> str:
    """Return what a slice is called."""
    return f"{row['attribute']} {'not known' if row['slice'] is None else row['slice']}"


def headline(
    overview: Overview, testing: Testing, gate: Verdict | None, sign: int
) -> dict[str, Any]:
    """Return the facts of the first sentences and of the tiles of a page.

    The tiles are about the best run of a report and the next; or about the best
    candidate, where the user named the baseline.
    """
    board = overview.by_first(overview.leaderboard)
    valued = [row for row in board if row["value"] is not None]
    first = overview.by_first(overview.compared)
    ranked = [row for row in first if row["difference"] is not None]
    ranked.sort(key=lambda row: -(sign or 1) * row["difference"])
    means = overview.by_first(overview.means)
    weighted = {row["run"]: row["weighted_value"] for row in means}
    facts: dict[str, Any] = {
        "differences": ranked,
        "valued": valued,
        "near": _near(valued),
        "heaviest": _heaviest(valued, weighted, sign or 1),
        "testing": testing,
        "tukey": TUKEY,
        "sign": sign,
        "side": sign or 1,
        "tie": _TIE,
        "enough": _ENOUGH,
        "explained": len({step["query_id"] for step in overview.steps}),
        "row": None,
    }
    if not ranked:
        return facts
    row = ranked[0]
    slices = [
        part
        for part in overview.slices
        if part["candidate"] == row["candidate"]
        and part["difference"] is not None
        and part["n"] >= _ENOUGH
    ]
    if not overview.is_comparison:
        # The best run is the baseline, from which the others are seen.
        seen = [{k: r[_OTHER_SIDE.get(k, k)] for k in r} for r in (row, *slices)]
        row, *slices = [r | {k: r[k] and -r[k] for k in _SIGNED} for r in seen]
    pair = (row["candidate"], row["baseline"])
    shares = [mean["judged_at_k"] for mean in means if mean["run"] in pair]
    return facts | {
        "row": row,
        # The rules of a gate have tests of their own.
        "test": None if gate else _test(board, row, testing, overview.is_comparison),
        "places": {run: place for place, run in enumerate(overview.runs[:COLOURED])},
        "slices": _slices(row, slices, testing, sign or 1),
        "worst": _worst(overview, row, sign or 1),
        "judged": min((one for one in shares if one is not None), default=None),
        "depth": means[0]["judged_depth"],
    }


def _near(valued: Sequence[Record]) -> list[str]:
    """Return the runs from which the test of the letters does not separate the best."""
    if not valued:
        return []
    shared = {*(valued[0]["groups"] or "")}
    return [r["run"] for r in valued[1:] if shared & {*(r["groups"] or shared)}]


def _heaviest(
    valued: Sequence[Record], means: Mapping[str, float | None], side: int
) -> tuple[str, float, float | None] | None:
    """Return the best run with the weights of queries, and the value of the best."""
    weighted = {run: value for run, value in means.items() if value is not None}
    if not valued or not weighted:
        return None
    best = valued[0]["run"]
    run, own = max(weighted, key=lambda run: side * weighted[run]), weighted.get(best)
    is_near = own is not None and abs(weighted[run] - own) <= _TIE
    return best if is_near else run, weighted[run], own


def _test(
    board: Sequence[Record], row: Record, testing: Testing, is_comparison: bool
) -> tuple[bool, str] | None:
    """Return whether two runs differ significantly, and by which test, if by any."""
    if is_comparison:
        p = row["p_adjusted"]
        test = f"{how(testing, row['comparisons'])}, p {chance(p)}"
        return None if p is None else (testing.is_sure(p), test)
    groups = {one["run"]: one["groups"] for one in board}
    ours, theirs = groups.get(row["candidate"]), groups.get(row["baseline"])
    if ours is None or theirs is None:
        return None
    return not {*ours} & {*theirs}, f"{TUKEY} at {testing.alpha:g}"


def _slices(
    row: Record, slices: Sequence[Record], testing: Testing, side: int
) -> dict[str, Any]:
    """Return what slices say against the whole: the strongest contradiction first."""
    ahead = side * row["difference"] >= -_TIE
    whole = side if ahead else -side
    against = [part for part in slices if whole * part["difference"] < -_TIE]
    against.sort(key=lambda part: whole * part["difference"])
    turned = [part for part in slices if is_turned(part)]
    return {
        "count": len(slices),
        "ahead": ahead,
        "against": against,
        "sure": next((p for p in against if testing.is_sure(p["p_adjusted"])), None),
        "turned": max(
            turned, key=lambda p: abs(p["weighted_difference"]), default=None
        ),
        "are_tied": any(abs(part["difference"]) <= _TIE for part in slices),
    }


def _worst(overview: Overview, row: Record, side: int) -> tuple[str, float] | None:
    """Return the query that lost most, and how much it lost."""
    ours, theirs = (
        overview.values[row["measure"], row[run]] for run in ("candidate", "baseline")
    )
    losses = [
        (side * (value - other), place)
        for place, (value, other) in enumerate(zip(ours, theirs, strict=True))
        if value is not None and other is not None
    ]
    least, place = min(losses, default=(0.0, 0))
    # Among the worst queries of each run, another may not be listed.
    if least >= -_TIE or overview.worst is not None:
        return None
    return harmless(overview.queries[place]["query_id"]), side * least


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
