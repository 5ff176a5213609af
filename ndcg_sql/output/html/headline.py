"""What a page says first: the facts of verdict.html and of tiles.html."""

from collections.abc import Mapping, Sequence
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

    sign is 1 if a higher value of the first measure is better, and -1 if a lower one.
    The tiles are about the best run of a report and the next; or about the best
    candidate, where the user named the baseline, as in the tables of the page.
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
        row, *slices = map(_seen_from_baseline, [row, *slices])
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


def _seen_from_baseline(row: Record) -> Record:
    """Return a comparison of the baseline with the candidate."""
    seen = {key: row[_OTHER_SIDE.get(key, key)] for key in row}
    return seen | {key: seen[key] and -seen[key] for key in _SIGNED}


def _test(
    board: Sequence[Record], row: Record, testing: Testing, is_comparison: bool
) -> tuple[bool, str] | None:
    """Return whether two runs differ significantly, and by which test, if by any.

    It is the test of the first lines.
    """
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
