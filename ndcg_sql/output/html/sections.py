"""The sections of a page: what it says of the runs of a dataset, and its tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ndcg_sql.analysis.gating import Verdict
from ndcg_sql.analysis.overview import SLICED, Overview
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.output.comparison_tables import chance
from ndcg_sql.output.html import cells
from ndcg_sql.output.html.cells import Column, Table
from ndcg_sql.text import counted, harmless

Record = dict[str, Any]
# Charts show the best runs, those of single candidates the first ones alone.
CHARTED, FACETS, SCATTERS = 8, 4, 2
# Of this number of candidates, the first lines of a page tell.
_TOLD = 4


@dataclass(frozen=True)
class Chart:
    """A chart: the key of its specification in the data, and what it shows."""

    key: str
    title: str
    description: str
    lines: list[str]


@dataclass
class Section:
    """A section: its title, the lines below it, its charts and its tables."""

    key: str
    title: str
    lines: list[str] = field(default_factory=list[str])
    charts: list[Chart] = field(default_factory=list[Chart])
    tables: list[Table] = field(default_factory=list[Table])


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
    near = [
        harmless(row["run"])
        for row in valued[1:]
        if set(row["groups"] or "") & set(best["groups"] or "")
    ]
    if best["groups"] is None:
        lines.append("There are too few queries to test the difference.")
    elif best["is_best"]:
        lines.append("It is significantly better than every other run.")
    elif near:
        lines.append(f"No test separates it from {_some(near)}.")
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


def sections(
    overview: Overview, testing: Testing, gate: Verdict | None = None
) -> list[Section]:
    """Return the sections of a dataset that have something to show."""
    leading = [Section("gate", "Gate", tables=[_gate(gate)])] if gate else []
    more = [
        _leaderboard(overview, testing),
        Section("curves", "By cutoff and by recall"),
        Section("distribution", "Distribution over queries"),
        _comparisons(overview, testing),
        _slices(overview, testing),
        _queries(overview),
        _judged(overview),
        _history(overview),
        _sources(overview),
    ]
    return [*leading, *more]


def _leaderboard(overview: Overview, testing: Testing) -> Section:
    """Return the runs in the order of the first measure."""
    first = overview.measures[0]
    by_run: dict[str, Record] = {}
    for row in overview.leaderboard:
        own = by_run.setdefault(row["run"], dict(row))
        own[f"value {row['measure']}"] = row["value"]
        own[f"groups {row['measure']}"] = row["groups"]
    for row in overview.means:
        if row["run"] in by_run:
            by_run[row["run"]][f"weighted {row['measure']}"] = row["weighted_value"]
    columns: list[Column] = [
        cells.numeric("rank", "rank", _whole),
        cells.named("run", "run"),
    ]
    for measure in overview.measures:
        columns.append(cells.numeric(measure, f"value {measure}"))
        if measure == first:
            percent = f"{testing.confidence} interval"
            columns.append(cells.interval(percent, "ci_low", "ci_high"))
        columns.append(cells.text("groups", f"groups {measure}"))
        weighted = f"weighted {measure}"
        if any(row.get(weighted) is not None for row in by_run.values()):
            columns.append(cells.numeric(weighted, weighted))
    depth = overview.leaderboard[0]["judged_depth"]
    columns += [
        cells.numeric(f"judged@{depth}", "judged_at_k"),
        cells.numeric("queries", "queries", _whole),
        cells.numeric("unanswered", "unanswered", _whole),
    ]
    rows = [
        {**row, "queries": row["answered"] + row["unanswered"]}
        for row in by_run.values()
    ]
    notes = [
        "Runs that share a letter are not separated by Tukey's randomised HSD test,"
        f" p below {testing.alpha:g}. A run in bold is significantly better than every"
        " other."
    ]
    notes += _notes(overview.leaderboard)
    found = cells.table(
        "Leaderboard", columns, rows, notes, is_best=lambda row: bool(row["is_best"])
    )
    return Section("leaderboard", "Leaderboard", tables=[found])


def _notes(rows: Sequence[Record]) -> list[str]:
    """Return what statistics say of single measures."""
    noted = dict.fromkeys((r["measure"], r["note"]) for r in rows if r["note"])
    return [f"{measure}: {note}" for measure, note in noted]


_CANDIDATE = cells.named("candidate", "candidate")


def _compared_columns(rows: Sequence[Record], testing: Testing) -> list[Column]:
    """Return the columns of differences; those of weights only where there are any."""
    weighted = any(row["weighted_difference"] is not None for row in rows)
    return [
        cells.text("measure", "measure"),
        cells.numeric("baseline", "baseline_value"),
        cells.numeric("value", "candidate_value"),
        cells.signed("difference", "difference"),
        *([cells.signed("weighted", "weighted_difference")] if weighted else []),
        cells.interval(f"{testing.confidence} interval", "ci_low", "ci_high"),
        cells.numeric("p adjusted", "p_adjusted", chance),
    ]


_TESTS = [
    cells.numeric("p randomization", "p_randomization", chance),
    cells.numeric("p t", "p_t", chance),
    cells.numeric("effect size", "effect_size"),
]


def _whole(value: int | None) -> str:
    return "" if value is None else str(value)


_COUNTS = [
    cells.numeric("won", "wins", _whole),
    cells.numeric("tied", "ties", _whole),
    cells.numeric("lost", "losses", _whole),
    cells.numeric("queries", "n", _whole),
]


def _comparisons(overview: Overview, testing: Testing) -> Section:
    """Return the tests of all candidates against the baseline."""
    found = Section("comparison", "Comparison")
    if overview.compared:
        baseline = harmless(overview.baseline or "")
        how = testing.correct.replace("none", "not corrected")
        found.tables.append(
            cells.table(
                f"Differences from {baseline}",
                [
                    _CANDIDATE,
                    *_compared_columns(overview.compared, testing),
                    *_TESTS,
                    *_COUNTS,
                ],
                overview.compared,
                [
                    f"p adjusted: {testing.test} test, {how}; significant below"
                    f" {testing.alpha:g}.",
                    *_notes(overview.compared),
                ],
            )
        )
        left = len(overview.runs) - 1 - len(overview.candidates)
        if left > 0:
            found.lines.append(f"{counted(left, 'run')} more: not compared here.")
        if len(overview.candidates) > FACETS:
            found.lines.append(
                f"Charts show the first {FACETS} candidates, scatter plots the first"
                f" {SCATTERS}."
            )
    return found


def _slices(overview: Overview, testing: Testing) -> Section:
    """Return differences, wins and losses by slice of the queries."""
    found = Section("slices", "By slice")
    if overview.slices and len(overview.candidates) > SLICED:
        found.lines.append(f"Slices are shown of the first {SLICED} candidates.")
    for attribute in dict.fromkeys(row["attribute"] for row in overview.slices):
        rows = [
            {**row, "slice": "not known" if row["slice"] is None else row["slice"]}
            for row in overview.slices
            if row["attribute"] == attribute
        ]
        columns = [
            cells.named("slice", "slice"),
            _CANDIDATE,
            *_compared_columns(rows, testing),
            *_COUNTS,
        ]
        note = (
            "p is corrected for all slices of this page; significant below"
            f" {testing.alpha:g}."
        )
        about = f"By {harmless(attribute)}"
        found.tables.append(cells.table(about, columns, rows, [note]))
    return found


def _queries(overview: Overview) -> Section:
    """Return the section of the table of queries, which the page's script fills."""
    found = Section("queries", "Queries")
    listed, count = len(overview.queries), overview.query_count
    if listed < count:
        found.lines.append(
            f"{listed} of {count} queries are listed: those whose values differ most"
            " between the runs, and a sample of the others. Everything above rests on"
            " all queries, except for charts that name a sample."
        )
    explained = len({step["query_id"] for step in overview.steps})
    if overview.away:
        found.lines.append(
            "No ranking is included, because those of these runs are not in the"
            f" warehouse: {harmless(', '.join(overview.away))}"
        )
    elif explained < listed:
        found.lines.append(
            f"Rankings are included for the {explained} queries whose values differ"
            " most. For any other, ask ndcg-sql to explain one run against another."
        )
    return found


def _judged(overview: Overview) -> Section:
    """Return how much of the rankings was judged, and how far values could move."""
    first = overview.measures[0]
    rows = [row for row in overview.means if row["measure"] == first]
    depth = rows[0]["judged_depth"]
    columns = [
        cells.named("run", "run"),
        cells.numeric(f"judged@{depth}", "judged_at_k"),
        cells.numeric("answered", "answered", _whole),
        cells.numeric("unanswered", "unanswered", _whole),
        cells.numeric("nothing relevant", "no_relevant", _whole),
        cells.numeric("not judged", "unjudged_queries", _whole),
    ]
    found = Section("judged", "What the judgments carry")
    found.tables.append(cells.table("Judged documents and queries", columns, rows))
    if overview.bounds:
        measure = overview.bounds[0]["measure"]
        bounded = [
            cells.named("run", "run"),
            cells.numeric("lowest", "floor"),
            cells.numeric(measure, "value"),
            cells.numeric("highest", "ceiling"),
            cells.numeric("without unjudged documents", "condensed"),
            cells.numeric("Bpref", "bpref"),
        ]
        found.tables.append(
            cells.table(
                f"How far {measure} could move if every returned document were judged",
                bounded,
                overview.bounds,
            )
        )
    else:
        found.lines.append(
            "For the lowest and highest possible values, ask a report for bounds."
        )
    return found


def _history(overview: Overview) -> Section:
    """Return the values over time by the first measure."""
    found = Section("history", "History")
    rows = [row for row in overview.history if row["measure"] == overview.measures[0]]
    if len(rows) > 1:
        columns = [
            cells.text("time", "made_at"),
            cells.named("run", "run"),
            cells.numeric(overview.measures[0], "value"),
            cells.named("previous run", "previous_run"),
            cells.signed("difference", "difference"),
        ]
        found.tables.append(cells.table("Values over time", columns, rows))
    return found


def _sources(overview: Overview) -> Section:
    """Return what was loaded."""
    columns = [
        cells.named("name", "name"),
        cells.text("kind", "kind"),
        cells.numeric("queries", "queries", _whole),
        cells.numeric("documents", "documents", _whole),
        cells.text("positions by", "position_rule"),
        cells.named("source", "source"),
        cells.text("loaded", "loaded_at"),
        cells.text("SHA-256", "short_hash"),
    ]
    rows = [
        {**row, "short_hash": str(row["content_hash"] or "")[:12]}
        for row in overview.sources
    ]
    loaded = cells.table("What was loaded", columns, rows)
    return Section("sources", "Sources", tables=[loaded])


def _gate(verdict: Verdict) -> Table:
    """Return the outcome of every rule of a gate."""
    columns = [
        Column("outcome", "outcome", lambda row: cells.Cell(row["outcome"])),
        cells.text("measure", "measure"),
        cells.named("slice", "part"),
        cells.numeric("queries", "n", _whole),
        cells.numeric("baseline", "baseline_value"),
        cells.numeric("value", "candidate_value"),
        cells.signed("difference", "difference"),
        cells.numeric("p", "p", chance),
        cells.text("why", "reason"),
    ]
    rows = [
        {
            **row,
            "part": "all queries"
            if row["attribute"] is None
            else f"{row['attribute']} = {row['slice']}",
        }
        for row in verdict.rows
    ]
    return cells.table("Rules of the gate", columns, rows)
