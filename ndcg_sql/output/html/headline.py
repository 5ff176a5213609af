"""What a page says first: in sentences, and in tiles that lead to the sections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.output.columns import family
from ndcg_sql.output.layout import cut
from ndcg_sql.output.tables import TUKEY
from ndcg_sql.reports.overview import COLOURED, Overview
from ndcg_sql.text import chance, counted, harmless

# Of this number of candidates, the first lines of a page tell.
_CANDIDATES = 4
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


def tiles(
    overview: Overview, testing: Testing, gate: Verdict | None = None
) -> list[Tile]:
    """Return what who has a minute must know, the verdict of a gate first.

    It is about the best run of a report and the next; or about the best candidate,
    where the user named the baseline, as in the tables of the page.
    """
    leading = [_gate(gate)] if gate else []
    first = _differences(overview)
    if not first:
        return leading
    row = max(first, key=lambda row: row["difference"])
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
        _margin(overview, row, testing, is_sure, tested),
        *([_slices(row, slices, testing)] if slices else []),
        _queries(overview, row),
        *_judged(overview, row),
    ]


def _seen_from_baseline(row: Record) -> Record:
    """Return a comparison of the baseline with the candidate."""
    seen = dict(row)
    for key in ("{}", "{}_value"):
        one, other = key.format("candidate"), key.format("baseline")
        seen |= {one: row[other], other: row[one]}
    seen |= {"wins": row["losses"], "losses": row["wins"]}
    ends = {"ci_low": "ci_high", "ci_high": "ci_low"}
    for key in ("difference", "weighted_difference", *ends):
        value = row[ends.get(key, key)]
        seen[key] = None if value is None else -value
    return seen


def _margin(
    overview: Overview, row: Record, testing: Testing, is_sure: bool, tested: str
) -> Tile:
    """Return which run is better, or how the candidate does, and by how much.

    Unless the difference is significant, only the value is called higher.
    """
    size, subject = row["difference"], row["candidate"]
    other = harmless(row["baseline"])
    lines = [f"{row['measure']} {row['candidate_value']:.4f}, {size:+.4f} to {other}"]
    lines += _weighed(row)
    if row["ci_low"] is not None:
        reach = f"{row['ci_low']:+.4f} to {row['ci_high']:+.4f}"
        lines.append(f"{testing.confidence} interval {reach}")
    if tested:
        lines.append(f"{'significant' if is_sure else 'not significant'}: {tested}")
    if is_sure and family(row["measure"]).highest_is_best:
        title = "Better run" if size > 0 else "Worse run"
    else:
        title = "Higher value" if size > 0 else "Lower value"
    if abs(size) <= _TIE:
        title = "No difference"
    places = overview.runs[:COLOURED]
    place = places.index(subject) if subject in places else None
    return Tile(title, harmless(subject), lines, "comparison", place=place)


def _is_turned(row: Record) -> bool:
    plain, weighted = row["difference"], row["weighted_difference"]
    return weighted is not None and (
        (plain > _TIE and weighted < -_TIE) or (plain < -_TIE and weighted > _TIE)
    )


def _weighed(row: Record) -> list[str]:
    """Return the line of a difference with weights, if queries have any."""
    if row["weighted_difference"] is None:
        return []
    but = "but " if _is_turned(row) else ""
    return [f"{but}{row['weighted_difference']:+.4f} with the weights of queries"]


def _sure(overview: Overview, row: Record, testing: Testing) -> tuple[bool, str]:
    """Return whether two runs differ significantly, and by which test, if by any.

    It is the test of the first lines.
    """
    if overview.is_comparison:
        p = row["p_adjusted"]
        if p is None:
            return False, ""
        return testing.is_sure(p), f"{how(testing, row['comparisons'])}, p {chance(p)}"
    groups = {
        row["run"]: row["groups"] for row in overview.by_first(overview.leaderboard)
    }
    ours, theirs = groups.get(row["candidate"]), groups.get(row["baseline"])
    if ours is None or theirs is None:
        return False, ""
    return not set(ours) & set(theirs), f"{TUKEY} at {testing.alpha:g}"


def how(testing: Testing, count: int) -> str:
    """Return how a number of differences are tested, and p is corrected for all."""
    if testing.correct == "tukey":
        return f"{TUKEY}, by measure and slice"
    if testing.correct == "none":
        return f"{testing.test} test, not corrected"
    among = counted(count, "difference", form=",")
    return f"{testing.test} test, corrected by {testing.correct} for {among}"


def _slices(row: Record, slices: Sequence[Record], testing: Testing) -> Tile:
    """Return in which slice it is significantly the other way round, if in any."""
    ahead, count = row["difference"] >= -_TIE, len(slices)
    side, other = ("ahead", "behind") if ahead else ("behind", "ahead")
    # What has this sign agrees with the whole; the strongest contradiction is first.
    whole = 1 if ahead else -1
    against = [part for part in slices if whole * part["difference"] < -_TIE]
    against.sort(key=lambda part: whole * part["difference"])
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
    turned = [part for part in slices if _is_turned(part)]
    fact = f"{side} in {count - len(against)} of {count}"
    if against:
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


def _queries(overview: Overview, row: Record) -> Tile:
    won, lost, tied = row["wins"], row["losses"], f"{row['ties']:,} tied"
    # The greater part of what the whole says comes first.
    count, line = won, f"won, {tied}, {lost:,} lost"
    if row["difference"] < -_TIE:
        count, line = lost, f"lost, {tied}, {won:,} won"
    lines = [line]
    ours, theirs = (
        overview.values[row["measure"], row[run]] for run in ("candidate", "baseline")
    )
    losses = [
        (one - two, place)
        for place, (one, two) in enumerate(zip(ours, theirs, strict=True))
        if one is not None and two is not None
    ]
    query = None
    least, place = min(losses, default=(0.0, 0))
    # Among the worst queries of each run, another may not be listed.
    if least < -_TIE and overview.worst is None:
        query = harmless(overview.queries[place]["query_id"])
        lines.append(f"worst: {cut(query, _NAME)}, {least:+.4f}")
    return Tile("Queries", f"{count:,} of {row['n']:,}", lines, "queries", query)


def _judged(overview: Overview, row: Record) -> list[Tile]:
    first = overview.by_first(overview.means)
    shares = {row["run"]: row["judged_at_k"] for row in first}
    judged = [shares.get(row[run]) for run in ("candidate", "baseline")]
    share = min((one for one in judged if one is not None), default=None)
    if share is None:
        return []
    line = f"of the first {first[0]['judged_depth']} documents"
    return [Tile("Judged", f"{share:.0%}", [line], "judged")]


def _gate(gate: Verdict) -> Tile:
    sign = {"fail": "✕", "underpowered": "◆", "pass": "✓"}[gate.outcome]
    fact = f"{sign} {gate.outcome}"
    return Tile("Gate", fact, [gate.message], "gate", style=gate.outcome)


def verdict(
    overview: Overview, testing: Testing, gate: Verdict | None = None
) -> list[str]:
    """Return what a page says first."""
    if gate is not None:
        # The rules of a gate have p-values of their own.
        differences = _compared(overview, testing, with_p=False)
        return [f"{gate.message.capitalize()}.", *differences]
    if overview.is_comparison:
        return _compared(overview, testing)
    board = overview.by_first(overview.leaderboard)
    valued = [row for row in board if row["value"] is not None]
    if not valued:
        return [f"No query has a value of {overview.measures[0]}."]
    best = valued[0]
    reach = ""
    if best["ci_low"] is not None:
        reach = (
            f", {testing.confidence} interval"
            f" {best['ci_low']:.4f} to {best['ci_high']:.4f}"
        )
    value = f"{best['value']:.4f}{reach}, {counted(best['n'], 'query', 'queries', ',')}"
    name, measure = harmless(best["run"]), best["measure"]
    if len(valued) == 1:
        return [f"{name}: {measure} {value}."]
    lines = [f"{name} has the highest {measure}: {value}."]
    if best["groups"] is None:
        lines.append("There are too few queries to test the difference.")
    else:
        lines.append(_separated(valued, testing))
    weighted = {
        row["run"]: row["weighted_value"]
        for row in overview.means
        if row["measure"] == measure and row["weighted_value"] is not None
    }
    if weighted:
        lines.append(_heaviest(best["run"], weighted))
    return lines


def _heaviest(best: str, weighted: Mapping[str, float]) -> str:
    heaviest = max(weighted, key=lambda run: weighted[run])
    value, of_best = weighted[heaviest], weighted.get(best)
    if of_best is not None and value - of_best <= _TIE:
        return (
            f"With the weights of the queries, too, it has the highest: {of_best:.4f}."
        )
    own = "" if of_best is None else f", and {harmless(best)} has {of_best:.4f}"
    return (
        f"But with the weights of the queries, {harmless(heaviest)} has the highest:"
        f" {value:.4f}{own}; tests and intervals are without weights."
    )


def _differences(overview: Overview) -> list[Record]:
    first = overview.by_first(overview.compared)
    return [row for row in first if row["difference"] is not None]


def _separated(valued: Sequence[Record], testing: Testing) -> str:
    """Return from which runs the test of the leaderboard's letters separates the best.

    valued are the runs that have a value, the best one first.
    """
    best, *others = valued
    shared = set(best["groups"])
    near = [
        harmless(row["run"]) for row in others if shared & set(row["groups"] or shared)
    ]
    sure = f"{TUKEY} of all runs at {testing.alpha:g}"
    if near:
        return f"It is not significantly better than {_some(near)}: {sure}."
    if best["is_best"]:
        return f"It is significantly better than every other run: {sure}."
    return f"It differs significantly from every other run: {sure}."


def _some(names: Sequence[str]) -> str:
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def _compared(overview: Overview, testing: Testing, with_p: bool = True) -> list[str]:
    lines: list[str] = []
    first = _differences(overview)
    for row in sorted(first, key=lambda row: -row["difference"])[:_CANDIDATES]:
        size, side = abs(row["difference"]), "above"
        if row["difference"] < 0:
            side = "below"
        clause = f"{size:.4f} {side} {harmless(row['baseline'])} in {row['measure']}"
        if row["relative_difference"] is not None:
            clause += f" ({100 * row['relative_difference']:+.1f} %)"
        if row["ci_low"] is not None:
            reach = f"{row['ci_low']:+.4f} to {row['ci_high']:+.4f}"
            clause += f", {testing.confidence} interval {reach}"
        p = row["p_adjusted"]
        if p is not None and with_p:
            sure = "significant" if p < testing.alpha else "not significant"
            tested = how(testing, row["comparisons"])
            clause += f"; adjusted p {chance(p)}, {sure}: {tested}"
        if row["weighted_difference"] is not None:
            is_turned = _is_turned(row)
            clause += (
                f"; {'but ' * is_turned}with the weights of the queries"
                f" {row['weighted_difference']:+.4f}"
                + ", the other way round, which no test covers"
                * is_turned
            )
        lines.append(f"{harmless(row['candidate'])} is {clause}.")
    if len(first) > _CANDIDATES:
        more = len(first) - _CANDIDATES
        lines.append(f"{more} more candidates are in the comparison.")
    return lines
