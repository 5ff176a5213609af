"""The sections of a page: what it says of the runs of a dataset, and its tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ndcg_sql.analysis.answers import Record
from ndcg_sql.analysis.gating import Verdict
from ndcg_sql.analysis.letters import abbreviated
from ndcg_sql.analysis.overview import SLICED, Overview
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.output import leaderboards
from ndcg_sql.output.html import cells, headline
from ndcg_sql.output.html.cells import Column, Table
from ndcg_sql.text import chance, counted, harmless

# Charts show the runs that have a colour, those of single candidates the first ones.
CHARTED, FACETS, SCATTERS = cells.COLOURED, 4, 2


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


def sections(
    overview: Overview, testing: Testing, gate: Verdict | None = None
) -> list[Section]:
    """Return the sections of a dataset that have something to show."""
    leading = [Section("gate", "Gate", tables=[_gate(gate, testing)])] if gate else []
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
    by_run: dict[str, Record] = {}
    for row in overview.leaderboard:
        record = by_run.setdefault(row["run"], dict(row))
        for key in ("value", "groups", "ci_low", "ci_high", "rank"):
            record[f"{key} {row['measure']}"] = row[key]
    for row in overview.means:
        if row["run"] in by_run:
            by_run[row["run"]][f"weighted {row['measure']}"] = row["weighted_value"]
    rows = [
        {**row, "queries": row["answered"] + row["unanswered"]}
        for row in by_run.values()
    ]

    def valued(measure: str) -> Column:
        # A baseline is tested against its candidates: letters of all pairs would say
        # another thing beside.
        if overview.is_comparison:
            column = cells.numeric(measure, f"value {measure}")
            return replace(column, measure=measure)
        return cells.lettered(measure, f"value {measure}", f"groups {measure}")

    columns: list[Column] = [cells.run("run", "run", overview.runs)]
    for measure in overview.measures:
        keys = tuple(f"{key} {measure}" for key in ("ci_low", "ci_high", "value"))
        title = f"{testing.confidence} interval"
        columns += [
            replace(cells.numeric("rank", f"rank {measure}", _whole), measure=measure),
            valued(measure),
            cells.ranged(title, (keys[0], keys[1], keys[2]), rows, measure),
        ]
        weighted = f"weighted {measure}"
        if any(row.get(weighted) is not None for row in rows):
            columns.append(replace(cells.numeric(weighted, weighted), measure=measure))
    depth = overview.leaderboard[0]["judged_depth"]
    columns += [
        cells.numeric(f"judged@{depth}", "judged_at_k"),
        cells.numeric("queries", "queries", _whole),
        cells.numeric("unanswered", "unanswered", _whole),
    ]
    notes: list[str] = []
    if not overview.is_comparison:
        notes.append(
            "Runs that share a letter are not separated by"
            f" {leaderboards.TUKEY} test of all runs at once, p below"
            f" {testing.alpha:g}. A run in bold is significantly better than every"
            " other by that test."
        )
        letters = [row["groups"] or "" for row in overview.leaderboard]
        if any(abbreviated(own) != own for own in letters):
            notes.append("a-d stands for the letters from a to d.")
        notes += leaderboards.notes(overview.leaderboard)

    def style(row: Record) -> str:
        return "best" if row["is_best"] and not overview.is_comparison else ""

    table = cells.table(
        "Leaderboard",
        columns,
        rows,
        notes,
        style=style,
        measures=overview.measures,
    )
    return Section("leaderboard", "Leaderboard", tables=[table])


def _compared_columns(
    rows: Sequence[Record], testing: Testing, on_axis: Sequence[Record]
) -> list[Column]:
    """Return the columns of differences; those of weights only where there are any.

    The measure is named by the switch or the caption of the table. The axis of the
    intervals is that of all rows on it.
    """
    weighted = any(row["weighted_difference"] is not None for row in rows)

    keys = ("ci_low", "ci_high", "difference")
    zero: Record = dict.fromkeys(keys, 0.0)
    ends = [*on_axis, zero]
    return [
        cells.numeric("baseline", "baseline_value"),
        cells.numeric("value", "candidate_value"),
        cells.signed("difference", "difference", testing),
        *([cells.signed("weighted", "weighted_difference")] if weighted else []),
        cells.ranged(f"{testing.confidence} interval", keys, ends, ""),
        cells.numeric("p adjusted", "p_adjusted", chance),
    ]


_TESTS = [
    cells.numeric("p randomization", "p_randomization", chance),
    cells.numeric("p t", "p_t", chance),
    cells.numeric("effect size", "effect_size"),
]


def _whole(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


_COUNTS = [
    cells.numeric("won", "wins", _whole),
    cells.numeric("tied", "ties", _whole),
    cells.numeric("lost", "losses", _whole),
    cells.numeric("queries", "n", _whole),
]


_OTHER_TEST = (
    "This tests the best run alone against each of the others; the first lines and the"
    f" letters of the leaderboard are by {leaderboards.TUKEY}, which tests all pairs."
)


def _comparisons(overview: Overview, testing: Testing) -> Section:
    section = Section("comparison", "Comparison")
    if overview.compared:
        baseline = harmless(overview.baseline or "")
        how = headline.how(testing, overview.compared[0]["comparisons"])
        section.tables.append(
            cells.table(
                f"Differences from {baseline}",
                [
                    cells.run("candidate", "candidate", overview.runs),
                    replace(cells.text("measure", "measure"), is_of_all=True),
                    *_compared_columns(overview.compared, testing, overview.compared),
                    *_COUNTS,
                    *_TESTS,
                ],
                overview.compared,
                [
                    f"p adjusted: {how}; significant below {testing.alpha:g}, which"
                    " alone has an arrow and a colour.",
                    *([] if overview.is_comparison else [_OTHER_TEST]),
                    *leaderboards.notes(overview.compared),
                ],
                measures=overview.measures_of_queries,
            )
        )
        left = len(overview.runs) - 1 - len(overview.candidates)
        if left > 0:
            section.lines.append(
                f"{counted(left, 'run', form=',')} more: not compared here."
            )
        if len(overview.candidates) > FACETS:
            section.lines.append(
                f"Charts show the first {FACETS} candidates, scatter plots the first"
                f" {SCATTERS}."
            )
    return section


def _slices(overview: Overview, testing: Testing) -> Section:
    section = Section("slices", "By slice")
    if overview.slices and len(overview.candidates) > SLICED:
        section.lines.append(f"Slices are shown of the first {SLICED} candidates.")
    whole = {
        row["candidate"]: {**row, "slice": "all queries"}
        for row in overview.by_first(overview.compared)
    }
    for attribute in dict.fromkeys(row["attribute"] for row in overview.slices):
        slices = [row for row in overview.slices if row["attribute"] == attribute]
        rows: list[Record] = []
        for candidate in dict.fromkeys(row["candidate"] for row in slices):
            mine = [row for row in slices if row["candidate"] == candidate]
            mine.sort(key=lambda r: (r["difference"] is None, r["difference"] or 0))
            rows += [
                whole[candidate],
                *({**row, **_sliced(attribute, row["slice"])} for row in mine),
            ]
        columns = [
            cells.named("slice", "slice"),
            cells.run("candidate", "candidate", overview.runs),
            *_compared_columns(rows, testing, [*overview.slices, *whole.values()]),
            *_COUNTS,
        ]
        note = (
            "p adjusted, over all slices of this page: "
            + headline.how(testing, overview.slices[0]["comparisons"])
            + f"; significant below {testing.alpha:g}, which alone is not faint. Rows"
            " of all queries have the correction of the comparison."
        )
        about = f"{overview.measures[0]} by {harmless(attribute)}"
        section.tables.append(
            cells.table(
                about,
                columns,
                rows,
                [note],
                style=lambda row: (
                    "whole"
                    if "filter" not in row
                    else ""
                    if testing.is_sure(row["p_adjusted"])
                    else "faint"
                ),
            )
        )
    return section


def _sliced(attribute: str, value: str | None) -> Record:
    name = "not known" if value is None else value
    filter_ = (harmless(attribute), None if value is None else harmless(value))
    return {"slice": name, "filter": filter_}


def _queries(overview: Overview) -> Section:
    section = Section("queries", "Queries")
    listed, count = len(overview.queries), overview.query_count
    if listed < count:
        section.lines.append(
            f"{listed:,} of {count:,} queries are listed: those whose values differ"
            " most between the runs, and a sample of the others. Everything above rests"
            " on all queries, except for charts that name a sample."
        )
    explained = len({step["query_id"] for step in overview.steps})
    if overview.away:
        section.lines.append(
            "No ranking is included, because those of these runs are not in the"
            f" warehouse: {harmless(', '.join(overview.away))}"
        )
    elif explained < listed:
        section.lines.append(
            f"Rankings are included for the {explained} queries whose values differ"
            " most. For any other, ask ndcg-sql to explain one run against another."
        )
    return section


def _judged(overview: Overview) -> Section:
    rows = overview.by_first(overview.means)
    depth = rows[0]["judged_depth"]
    columns = [
        cells.run("run", "run", overview.runs),
        cells.numeric(f"judged@{depth}", "judged_at_k"),
        cells.numeric("answered", "answered", _whole),
        cells.numeric("unanswered", "unanswered", _whole),
        cells.numeric("nothing relevant", "no_relevant", _whole),
        cells.numeric("not judged", "unjudged_queries", _whole),
    ]
    section = Section("judged", "What the judgments carry")
    section.tables.append(cells.table("Judged documents and queries", columns, rows))
    if overview.bounds:
        measure = overview.bounds[0]["measure"]
        bounded = [
            cells.run("run", "run", overview.runs),
            cells.numeric("lowest", "floor"),
            cells.numeric(measure, "value"),
            cells.numeric("highest", "ceiling"),
            cells.numeric("without unjudged documents", "condensed"),
            cells.numeric("Bpref", "bpref"),
        ]
        section.tables.append(
            cells.table(
                f"How far {measure} could move if every returned document were judged",
                bounded,
                overview.bounds,
            )
        )
    else:
        section.lines.append(
            "For the lowest and highest possible values, ask a report for bounds."
        )
    return section


def _history(overview: Overview) -> Section:
    section = Section("history", "History")
    rows = overview.by_first(overview.history)
    if len(rows) > 1:
        columns = [
            cells.text("time", "made_at"),
            cells.run("run", "run", overview.runs),
            cells.numeric(overview.measures[0], "value"),
            cells.run("previous run", "previous_run", overview.runs),
            cells.signed("difference", "difference"),
        ]
        section.tables.append(cells.table("Values over time", columns, rows))
    return section


def _sources(overview: Overview) -> Section:
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


def _gate(verdict: Verdict, testing: Testing) -> Table:
    drops = sum(row["p"] is not None for row in verdict.rows)
    how = f"p adjusted: {headline.how(testing, drops)}"
    columns = [
        Column("outcome", "outcome", lambda row: cells.Cell(row["outcome"])),
        cells.text("measure", "measure"),
        cells.named("slice", "part"),
        cells.numeric("queries", "n", _whole),
        cells.numeric("baseline", "baseline_value"),
        cells.numeric("value", "candidate_value"),
        cells.signed("difference", "difference"),
        cells.numeric("p adjusted", "p", chance),
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
    notes = [how] if drops else []
    return cells.table("Rules of the gate", columns, rows, notes)
