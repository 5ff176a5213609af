"""The sections of a page: what it says of the runs of a dataset, and its tables."""

from dataclasses import dataclass, field

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.letters import abbreviated
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.output import gate_results, tables
from ndcg_sql.output.columns import (
    ANSWERS,
    CHANGE,
    MEASURE,
    RUN,
    Column,
    by_run,
    slice_name,
)
from ndcg_sql.output.comparison_tables import (
    CANDIDATE,
    LEGENDS,
    OUTCOMES,
    QUERIES,
    differences,
    tests,
)
from ndcg_sql.output.figures.figure import reach
from ndcg_sql.output.html import cells, headline
from ndcg_sql.output.html.cells import Table
from ndcg_sql.reports.overview import FACETS, SCATTERS, SLICED, Figure, Overview
from ndcg_sql.text import counted, harmless


@dataclass(frozen=True)
class Chart:
    """A chart: the key of its specification in the data, and what it shows."""

    key: str
    title: str
    description: str
    lines: list[str]


@dataclass
class Section:
    """A section: its title, the lines below it, its figures, charts and tables.

    Each figure becomes a chart, or a line that says why there is none.
    """

    key: str
    title: str
    lines: list[str] = field(default_factory=list[str])
    figures: list[Figure] = field(default_factory=list[Figure])
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
    for section in more:
        own = [drawn for key, drawn in overview.figures if key == section.key]
        section.lines += [harmless(one) for one in own if isinstance(one, str)]
        section.figures += [one for one in own if not isinstance(one, str)]
    return [*leading, *more]


def _leaderboard(overview: Overview, testing: Testing) -> Section:
    weighted = {
        (row["run"], row["measure"]): row["weighted_value"] for row in overview.means
    }
    rows = by_run(
        {**row, "weighted_value": weighted.get((row["run"], row["measure"]))}
        for row in overview.leaderboard
    )
    # A baseline is tested against its candidates: letters of all pairs would say
    # another thing beside.
    kind = "value" if overview.is_comparison else "lettered"
    columns = [RUN]
    for measure in overview.measures:
        columns += [
            Column("rank", "rank", "count", measure),
            Column("value", measure, kind, measure),
            Column("value", f"{testing.confidence} interval", "interval", measure),
            Column(
                "weighted_value", f"weighted {measure}", "number", measure, if_any=True
            ),
        ]
    columns += tables.counts(overview.leaderboard[0])
    notes: list[str] = []
    if not overview.is_comparison:
        notes.append(
            "Runs that share a letter are not separated by"
            f" {tables.TUKEY} test of all runs at once, p below"
            f" {testing.alpha:g}. A run in bold is significantly better than every"
            " other by that test."
        )
        letters = [row["groups"] or "" for row in overview.leaderboard]
        if any(abbreviated(own) != own for own in letters):
            notes.append("a-d stands for the letters from a to d.")
        notes += tables.notes(overview.leaderboard)

    def style(row: Record) -> str:
        return "best" if row["is_best"] and not overview.is_comparison else ""

    table = cells.table(
        "Leaderboard",
        columns,
        rows,
        notes,
        style=style,
        measures=overview.measures,
        runs=overview.runs,
    )
    return Section("leaderboard", "Leaderboard", tables=[table])


_OTHER_TEST = (
    "This tests the best run alone against each of the others; the first lines and the"
    f" letters of the leaderboard are by {tables.TUKEY}, which tests all pairs."
)


def _comparisons(overview: Overview, testing: Testing) -> Section:
    section = Section("comparison", "Comparison")
    if overview.compared:
        columns = [CANDIDATE, MEASURE, *differences(testing), *OUTCOMES, QUERIES]
        columns += tests(testing)
        baseline = harmless(overview.baseline or "")
        how = headline.how(testing, overview.compared[0]["comparisons"])
        section.tables.append(
            cells.table(
                f"Differences from {baseline}",
                columns,
                overview.compared,
                [
                    f"p: {how}; significant below {testing.alpha:g}, which alone has"
                    " an arrow and a colour.",
                    f"{LEGENDS['effect_size']}.",
                    *([] if overview.is_comparison else [_OTHER_TEST]),
                    *tables.notes(overview.compared),
                ],
                measures=overview.measures_of_queries,
                runs=overview.runs,
                testing=testing,
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
    slices = sorted(
        overview.slices, key=lambda r: (r["difference"] is None, r["difference"] or 0)
    )
    charted = [
        row
        for row in [*slices, *whole.values()]
        if row["candidate"] == overview.candidates[0]
    ]
    about = {
        "confidence": testing.confidence,
        "alpha": testing.alpha,
        "reach": reach(charted, overview.measures[0], is_shared=True),
    }
    for attribute in dict.fromkeys(row["attribute"] for row in overview.slices):
        rows: list[Record] = []
        for candidate in dict.fromkeys(row["candidate"] for row in overview.slices):
            mine = [
                row
                for row in slices
                if (row["attribute"], row["candidate"]) == (attribute, candidate)
            ]
            if mine and candidate == overview.candidates[0]:
                named = [{**row, "slice": slice_name(row["slice"])} for row in mine]
                drawn = [whole[candidate], *named]
                section.figures.append(
                    ("slices", drawn, about | {"attribute": attribute})
                )
            rows += [whole[candidate]] if mine else []
            rows += [{**row, **_sliced(attribute, row["slice"])} for row in mine]
        columns = [
            Column("slice", "slice", "name"),
            CANDIDATE,
            *differences(testing),
            *OUTCOMES,
            QUERIES,
        ]
        note = (
            "p, over all slices of this page: "
            + headline.how(testing, overview.slices[0]["comparisons"])
            + f"; significant below {testing.alpha:g}, which alone is not faint. Rows"
            " of all queries have the correction of the comparison."
        )
        section.tables.append(
            cells.table(
                f"{overview.measures[0]} by {harmless(attribute)}",
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
                runs=overview.runs,
                testing=testing,
                on_axis=[*overview.slices, *whole.values()],
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
    if overview.worst is not None and listed < count:
        section.lines.append(
            f"{listed:,} of {count:,} queries are listed: for each run, the"
            f" {overview.worst:,} with the lowest {overview.measures[0]}."
        )
    elif listed < count:
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
        RUN,
        Column("judged_at_k", f"judged@{depth}"),
        Column("answered", "answered", "count"),
        *ANSWERS[1:],
        Column("unjudged_queries", "not judged", "count"),
    ]
    section = Section("judged", "What the judgments support")
    judged = "Judged documents and queries"
    section.tables.append(cells.table(judged, columns, rows, runs=overview.runs))
    return section


def _history(overview: Overview) -> Section:
    section = Section("history", "History")
    rows = overview.by_first(overview.history)
    if len(rows) > 1:
        columns = [
            Column("made_at", "time", "text"),
            RUN,
            Column("value", overview.measures[0]),
            Column("previous_run", "previous run", "run"),
            CHANGE,
        ]
        history = cells.table("Values over time", columns, rows, runs=overview.runs)
        section.tables.append(history)
    valued = [row for row in rows if row["value"] is not None]
    if valued and len({row["made_at"] for row in overview.history}) > 1:
        section.figures.append(("history", valued, {}))
    return section


def _sources(overview: Overview) -> Section:
    columns = [
        Column("name", "name", "name"),
        Column("kind", "kind", "text"),
        Column("queries", "queries", "count"),
        Column("documents", "documents", "count"),
        Column("position_rule", "positions by", "text"),
        Column("source", "source", "name"),
        Column("loaded_at", "loaded", "text"),
        Column("short_hash", "SHA-256", "text"),
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
    rows = gate_results.with_slices(verdict.rows)
    notes = [how] if drops else []
    return cells.table("Rules of the gate", gate_results.COLUMNS, rows, notes)
