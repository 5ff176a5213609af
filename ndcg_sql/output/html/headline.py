"""What a page says first: in sentences, and in tiles that lead to the sections."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ndcg_sql.analysis.gating import Verdict
from ndcg_sql.analysis.overview import Overview
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.output.html.cells import COLOURED
from ndcg_sql.text import chance, counted, harmless

Record = dict[str, Any]
# Of this number of candidates, the first lines of a page tell.
_TOLD = 4
# A slice with fewer queries is no reason to doubt a winner.
_ENOUGH = 5
# As in SQL, differences below this are ties.
_TIE = 5e-13


@dataclass(frozen=True)
class Tile:
    """A fact in large letters, what it is about, and more of it below.

    section, or the query, is where it leads; style is pass, fail or underpowered, or
    empty.
    """

    title: str
    fact: str
    lines: list[str]
    section: str
    query: str | None = None
    style: str = ""
    place: int | None = None


def tiles(
    overview: Overview, testing: Testing, gate: Verdict | None = None
) -> list[Tile]:
    """Return what who has a minute must know, the verdict of a gate first."""
    found = [_gate(gate)] if gate else []
    pair = _pair(overview)
    if pair is None:
        return found
    found += [_margin(overview, pair, testing), *_turned(overview, pair)]
    return [*found, *_queries(overview, pair), *_judged(overview, pair)]


@dataclass(frozen=True)
class _Pair:
    """The two runs that a page is about: the better one, the other, and their row.

    sign turns what the row says of its candidate into what is true of the better one.
    """

    better: str
    other: str
    row: Record
    sign: int


def _pair(overview: Overview) -> _Pair | None:
    """Return the two best runs of a report, or of a comparison its first pair."""
    first = [
        row
        for row in overview.compared
        if row["measure"] == overview.measures[0] and row["difference"] is not None
    ]
    if not first:
        return None
    row = max(first, key=lambda row: row["difference"])
    # Of a tie in a report, which compares with its best run, that is the better one.
    sign = 1 if row["difference"] > (-_TIE if overview.is_comparison else _TIE) else -1
    names = (row["candidate"], row["baseline"])
    better, other = names if sign > 0 else names[::-1]
    return _Pair(better, other, row, sign)


def _margin(overview: Overview, pair: _Pair, testing: Testing) -> Tile:
    """Return which run is better, and by how much."""
    row, sign = pair.row, pair.sign
    size = sign * row["difference"]
    value = row["candidate_value"] if sign > 0 else row["baseline_value"]
    lines = [f"{row['measure']} {value:.4f}, {size:+.4f} to {harmless(pair.other)}"]
    if row["ci_low"] is not None:
        low, high = sorted((sign * row["ci_low"], sign * row["ci_high"]))
        lines.append(f"{testing.confidence} interval {low:+.4f} to {high:+.4f}")
    p = row["p_adjusted"]
    if p is not None:
        sure = "significant" if p < testing.alpha else "not significant"
        lines.append(f"{sure}: {testing.test} test, p {chance(p)}")
    title = "No difference" if abs(size) <= _TIE else "Better run"
    places = overview.runs[:COLOURED]
    place = places.index(pair.better) if pair.better in places else None
    return Tile(title, harmless(pair.better), lines, "comparison", place=place)


def _turned(overview: Overview, pair: _Pair) -> list[Tile]:
    """Return the slice in which the other run is most ahead, if there are slices."""
    row, sign = pair.row, pair.sign
    known = [
        part
        for part in overview.slices
        if part["candidate"] == row["candidate"]
        and part["difference"] is not None
        and part["n"] >= _ENOUGH
    ]
    if not known:
        return []
    worst = min(known, key=lambda part: sign * part["difference"])
    size = sign * worst["difference"]
    if size >= -_TIE:
        line = f"none of {len(known)} with {_ENOUGH} queries or more turns round"
        return [Tile("Slices", "ahead in all", [line], "slices")]
    value = "not known" if worst["slice"] is None else worst["slice"]
    name = harmless(f"{worst['attribute']} {value}")
    line = f"{size:+.4f} in {counted(worst['n'], 'query', 'queries')}"
    lines = [line, f"of {len(known)} slices with {_ENOUGH} queries or more"]
    return [Tile("But it loses in", name, lines, "slices")]


def _queries(overview: Overview, pair: _Pair) -> list[Tile]:
    """Return how many queries were won and lost, and the worst of them."""
    row, sign = pair.row, pair.sign
    won, lost = row["wins"], row["losses"]
    if sign < 0:
        won, lost = lost, won
    lines = [f"won, {row['ties']:,} tied, {lost:,} lost"]
    better = overview.values[row["measure"], pair.better]
    other = overview.values[row["measure"], pair.other]
    losses = [
        (one - two, place)
        for place, (one, two) in enumerate(zip(better, other, strict=True))
        if one is not None and two is not None
    ]
    query = None
    least, place = min(losses, default=(0.0, 0))
    if least < -_TIE:
        query = harmless(overview.queries[place]["query_id"])
        lines.append(f"worst: {query}, {least:+.4f}")
    return [Tile("Queries", f"{won:,} of {row['n']:,}", lines, "queries", query)]


def _judged(overview: Overview, pair: _Pair) -> list[Tile]:
    """Return how much was judged, and whether more judgments could change the order."""
    first = [row for row in overview.means if row["measure"] == overview.measures[0]]
    shares = {row["run"]: row["judged_at_k"] for row in first}
    share = min(shares.get(pair.better, 1), shares.get(pair.other, 1))
    told = f"of the first {first[0]['judged_depth']} documents"
    lines = [told]
    bounds = {row["run"]: row for row in overview.bounds}
    better, other = bounds.get(pair.better), bounds.get(pair.other)
    if better and other and better["floor"] is not None and other["floor"] is not None:
        lines.append(
            "more judgments could change the order"
            if other["ceiling"] > better["floor"]
            else "no further judgment can change the order"
        )
    return [Tile("Judged", f"{share:.0%}", lines, "judged")]


def _gate(gate: Verdict) -> Tile:
    """Return the verdict of a gate; its shape and its word say it without colour."""
    if gate.failed:
        fact, style = "✕ fail", "fail"
    elif gate.let_through:
        fact, style = "◆ underpowered", "underpowered"
    else:
        fact, style = "✓ pass", "pass"
    return Tile("Gate", fact, [gate.told()], "gate", style=style)


def verdict(
    overview: Overview, testing: Testing, gate: Verdict | None = None
) -> list[str]:
    """Return what a page says first."""
    if gate is not None:
        # The rules of a gate have p-values of their own.
        differences = _compared(overview, testing, with_p=False)
        return [f"{gate.told().capitalize()}.", *differences]
    if overview.is_comparison:
        return _compared(overview, testing)
    first = [
        row for row in overview.leaderboard if row["measure"] == overview.measures[0]
    ]
    valued = [row for row in first if row["value"] is not None]
    if not valued:
        return [f"No query has a value of {overview.measures[0]}."]
    best = valued[0]
    reach = ""
    if best["ci_low"] is not None:
        reach = (
            f", {testing.confidence} interval"
            f" {best['ci_low']:.4f} to {best['ci_high']:.4f}"
        )
    value = f"{best['value']:.4f}{reach}, {counted(best['n'], 'query', 'queries')}"
    name, measure = harmless(best["run"]), best["measure"]
    if len(valued) == 1:
        return [f"{name}: {measure} {value}."]
    lines = [f"{name} has the highest {measure}: {value}."]
    if best["groups"] is None:
        lines.append("There are too few queries to test the difference.")
    else:
        lines += _separated(overview, testing)
    weighted = {
        row["run"]: row["weighted_value"]
        for row in overview.means
        if row["measure"] == measure and row["weighted_value"] is not None
    }
    if weighted:
        heaviest = max(weighted, key=lambda run: weighted[run])
        lines.append(
            f"With the weights of the queries, {harmless(heaviest)} has the highest:"
            f" {weighted[heaviest]:.4f}."
        )
    return lines


def _separated(overview: Overview, testing: Testing) -> list[str]:
    """Return from which of the compared runs the test separates the best one."""
    first = [row for row in overview.compared if row["measure"] == overview.measures[0]]
    if not first:
        return []
    corrected = "" if testing.correct == "none" else f", corrected by {testing.correct}"
    how = f"{testing.test} test{corrected}"
    near = [
        harmless(row["candidate"])
        for row in first
        if row["p_adjusted"] is None or row["p_adjusted"] >= testing.alpha
    ]
    if near:
        comma = "," if corrected else ""
        return [f"The {how}{comma} does not separate it from {_some(near)}."]
    left = len(overview.runs) - 1 - len(first)
    others = f"the {len(first)} runs after it" if left else "every other run"
    return [f"It is significantly better than {others}: {how}."]


def _some(names: Sequence[str]) -> str:
    """Return names as a phrase; many are counted."""
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def _compared(overview: Overview, testing: Testing, with_p: bool = True) -> list[str]:
    """Return a sentence on the best candidates by the first measure."""
    lines: list[str] = []
    first = [
        row
        for row in overview.compared
        if row["measure"] == overview.measures[0] and row["difference"] is not None
    ]
    for row in sorted(first, key=lambda row: -row["difference"])[:_TOLD]:
        size, side = abs(row["difference"]), "above"
        if row["difference"] < 0:
            side = "below"
        told = f"{size:.4f} {side} {harmless(row['baseline'])} in {row['measure']}"
        if row["relative_difference"] is not None:
            told += f" ({100 * row['relative_difference']:+.1f} %)"
        if row["ci_low"] is not None:
            reach = f"{row['ci_low']:+.4f} to {row['ci_high']:+.4f}"
            told += f", {testing.confidence} interval {reach}"
        p = row["p_adjusted"]
        if p is not None and with_p:
            sure = "significant" if p < testing.alpha else "not significant"
            told += f"; adjusted p {chance(p)}, {sure}"
        if row["weighted_difference"] is not None:
            told += (
                f"; with the weights of the queries {row['weighted_difference']:+.4f}"
            )
        lines.append(f"{harmless(row['candidate'])} is {told}.")
    if len(first) > _TOLD:
        lines.append(f"{len(first) - _TOLD} more candidates are in the comparison.")
    return lines
