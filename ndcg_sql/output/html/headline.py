"""What a page says first: the facts of verdict.html, and tiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.output.layout import cut
from ndcg_sql.output.tables import TUKEY
from ndcg_sql.reports.overview import COLOURED, Overview
from ndcg_sql.text import chance, counted, harmless

# A slice with fewer queries is no reason to doubt a winner.
_ENOUGH = 5
# How much of the id of a query is shown.
_NAME = 60
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
    plain, weighted = row["difference"], row["weighted_difference"]
    return weighted is not None and (
        (plain > _TIE and weighted < -_TIE) or (plain < -_TIE and weighted > _TIE)
    )


def verdict(overview: Overview, testing: Testing, sign: int) -> dict[str, Any]:
    """Return the facts of the first sentences of a page.

    sign is 1 if a higher value of the first measure is better, and -1 if a lower one.
    """
    board = overview.by_first(overview.leaderboard)
    valued = [row for row in board if row["value"] is not None]
    weighted = {
        row["run"]: row["weighted_value"]
        for row in overview.by_first(overview.means)
        if row["weighted_value"] is not None
    }
    near: list[str] = []
    heaviest: tuple[str, float, float | None] | None = None
    if valued:
        best, *others = valued
        shared = {*(best["groups"] or "")}
        # From these, the test of the leaderboard's letters does not separate the best.
        near = [r["run"] for r in others if shared & {*(r["groups"] or shared)}]
        own = weighted.get(best["run"])
        if weighted:
            run = max(weighted, key=lambda run: (sign or 1) * weighted[run])
            is_near = own is not None and abs(weighted[run] - own) <= _TIE
            heaviest = (best["run"] if is_near else run, weighted[run], own)
    return {
        "differences": _ranked(overview, sign),
        "valued": valued,
        "near": near,
        "heaviest": heaviest,
        "testing": testing,
        "tukey": TUKEY,
        "sign": sign,
    }


def _ranked(overview: Overview, sign: int) -> list[Record]:
    """Return the differences by the first measure, the best candidate first."""
    first = overview.by_first(overview.compared)
    compared = [row for row in first if row["difference"] is not None]
    return sorted(compared, key=lambda row: -(sign or 1) * row["difference"])


def tiles(
    overview: Overview, testing: Testing, gate: Verdict | None, sign: int
) -> list[Tile]:
    """Return what who has a minute must know, the verdict of a gate first.

    It is about the best run of a report and the next; or about the best candidate,
    where the user named the baseline, as in the tables of the page.
    """
    leading: list[Tile] = []
    if gate:
        mark = {"fail": "✕", "underpowered": "◆", "pass": "✓"}[gate.outcome]
        fact = f"{mark} {gate.outcome}"
        leading = [Tile("Gate", fact, [gate.message], "gate", style=gate.outcome)]
    ranked = _ranked(overview, sign)
    if not ranked:
        return leading
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
    # The rules of a gate have tests of their own.
    is_sure, tested = (False, "") if gate else _sure(overview, row, testing)
    return [
        *leading,
        _margin(overview, row, testing, sign if is_sure else 0, tested),
        *([_slices(row, slices, testing, sign)] if slices else []),
        _queries(overview, row, sign),
        *_judged(overview, row),
    ]


def _seen_from_baseline(row: Record) -> Record:
    """Return a comparison of the baseline with the candidate."""
    swapped = {
        "candidate": "baseline",
        "candidate_value": "baseline_value",
        "wins": "losses",
    }
    swapped |= {other: one for one, other in swapped.items()}
    seen = {**row, **{key: row[other] for key, other in swapped.items()}}
    ends = {"ci_low": "ci_high", "ci_high": "ci_low"}
    for key in ("difference", "weighted_difference", *ends):
        value = row[ends.get(key, key)]
        seen[key] = None if value is None else -value
    return seen


def _margin(
    overview: Overview, row: Record, testing: Testing, sign: int, tested: str
) -> Tile:
    """Return which run is better, or how the candidate does, and by how much.

    Unless the difference is significant, and has a sign, only the value is called
    higher.
    """
    size, subject = row["difference"], row["candidate"]
    other = harmless(row["baseline"])
    lines = [f"{row['measure']} {row['candidate_value']:.4f}, {size:+.4f} to {other}"]
    lines += _weighed(row)
    if row["ci_low"] is not None:
        reach = f"{row['ci_low']:+.4f} to {row['ci_high']:+.4f}"
        lines.append(f"{testing.confidence} interval {reach}")
    lines += [tested] if tested else []
    title = "Higher value" if size > 0 else "Lower value"
    if sign:
        title = "Better run" if sign * size > 0 else "Worse run"
    if abs(size) <= _TIE:
        title = "No difference"
    places = overview.runs[:COLOURED]
    place = places.index(subject) if subject in places else None
    return Tile(title, harmless(subject), lines, "comparison", place=place)


def _weighed(row: Record) -> list[str]:
    """Return the line of a difference with weights, if queries have any."""
    if row["weighted_difference"] is None:
        return []
    but = "but " if is_turned(row) else ""
    return [f"{but}{row['weighted_difference']:+.4f} with the weights of queries"]


def _sure(overview: Overview, row: Record, testing: Testing) -> tuple[bool, str]:
    """Return whether two runs differ significantly, and by which test, if by any.

    It is the test of the first lines.
    """
    if overview.is_comparison:
        p = row["p_adjusted"]
        if p is None:
            return False, ""
        is_sure = testing.is_sure(p)
        test = f"{how(testing, row['comparisons'])}, p {chance(p)}"
    else:
        board = overview.by_first(overview.leaderboard)
        groups = {one["run"]: one["groups"] for one in board}
        ours, theirs = groups.get(row["candidate"]), groups.get(row["baseline"])
        if ours is None or theirs is None:
            return False, ""
        is_sure, test = not {*ours} & {*theirs}, f"{TUKEY} at {testing.alpha:g}"
    return is_sure, f"{'significant' if is_sure else 'not significant'}: {test}"


def _slices(row: Record, slices: Sequence[Record], testing: Testing, sign: int) -> Tile:
    """Return in which slice it is significantly the other way round, if in any."""

    def better(size: float) -> float:
        """Return how much better a candidate is by a difference."""
        return (sign or 1) * size

    ahead, count = better(row["difference"]) >= -_TIE, len(slices)
    side, other = ("ahead", "behind") if ahead else ("behind", "ahead")
    # What has this sign agrees with the whole; the strongest contradiction is first.
    whole = 1 if ahead else -1
    against = [part for part in slices if whole * better(part["difference"]) < -_TIE]
    against.sort(key=lambda part: whole * better(part["difference"]))
    for part in against:
        if testing.is_sure(part["p_adjusted"]):
            queries = counted(part["n"], "query", "queries", ",")
            p = chance(part["p_adjusted"])
            lines = [f"{part['difference']:+.4f} in {queries}, adjusted p {p}"]
            lines += _weighed(part)
            lines.append(f"of {count} slices with {_ENOUGH} queries or more")
            title = f"But it {'loses' if ahead else 'wins'} in"
            return Tile(title, _name(part), lines, "slices")
    lines = [f"Slices with fewer than {_ENOUGH} queries are not counted."]
    turned = [part for part in slices if is_turned(part)]
    if against:
        fact = f"{side} in {count - len(against)} of {count}"
        size = f"{against[0]['difference']:+.4f}"
        lines.insert(0, f"{other} in {_name(against[0])}, {size}, not significant")
        return Tile("Slices", fact, lines, "slices")
    are_tied = any(abs(part["difference"]) <= _TIE for part in slices)
    fact = f"{other} in none of {count}" if are_tied else f"{side} in all {count}"
    if turned:
        most = max(turned, key=lambda part: abs(part["weighted_difference"]))
        about = f"{other} in {_name(most)}, {most['weighted_difference']:+.4f}"
        lines.insert(0, f"but with the weights of queries {about}")
    return Tile("Slices", fact, lines, "slices")


def _name(part: Record) -> str:
    value = "not known" if part["slice"] is None else part["slice"]
    return harmless(f"{part['attribute']} {value}")


def _queries(overview: Overview, row: Record, sign: int) -> Tile:
    """Return how many queries won and lost, and the worst of them."""
    # The greater part of what the whole says comes first.
    sides = [("won", row["wins"]), ("lost", row["losses"])]
    if (sign or 1) * row["difference"] < -_TIE:
        sides.reverse()
    (first, count), (second, others) = sides
    lines = [f"{first}, {row['ties']:,} tied, {others:,} {second}"]
    ours, theirs = (
        overview.values[row["measure"], row[run]] for run in ("candidate", "baseline")
    )
    losses = [
        ((sign or 1) * (one - two), place)
        for place, (one, two) in enumerate(zip(ours, theirs, strict=True))
        if one is not None and two is not None
    ]
    query = None
    least, place = min(losses, default=(0.0, 0))
    # Among the worst queries of each run, another may not be listed.
    if least < -_TIE and overview.worst is None:
        query = harmless(overview.queries[place]["query_id"])
        lines.append(f"worst: {cut(query, _NAME)}, {(sign or 1) * least:+.4f}")
    return Tile("Queries", f"{count:,} of {row['n']:,}", lines, "queries", query)


def _judged(overview: Overview, row: Record) -> list[Tile]:
    """Return the smaller share of judged documents of two runs, if it is known."""
    first = overview.by_first(overview.means)
    shares = {one["run"]: one["judged_at_k"] for one in first}
    judged = [shares.get(row[run]) for run in ("candidate", "baseline")]
    share = min((one for one in judged if one is not None), default=None)
    if share is None:
        return []
    line = f"of the first {first[0]['judged_depth']} documents"
    return [Tile("Judged", f"{share:.0%}", [line], "judged")]
