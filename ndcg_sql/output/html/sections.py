"""The sections of a page: what it says of the runs of a dataset, and its tables."""

from dataclasses import dataclass, field
from typing import Any

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.letters import abbreviated
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.errors import NdcgSqlError
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
    Signs,
    differences,
    tests,
)
from ndcg_sql.output.figures.figure import figure, reach
from ndcg_sql.output.html.cells import Table
from ndcg_sql.output.html.charts import chart_of, left_out
from ndcg_sql.output.html.headline import how
from ndcg_sql.reports.overview import (
    FACETS,
    SCATTERS,
    SLICED,
    Figure,
    Overview,
    no_chart,
)
from ndcg_sql.text import counted


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
    tables: list[Table] = field(default_factory=list[Table])
    lines: list[str] = field(default_factory=list[str])
    figures: list[Figure] = field(default_factory=list[Figure])
    charts: list[Chart] = field(default_factory=list[Chart])


def sections(
    key: str,
    overview: Overview,
    testing: Testing,
    gate: Verdict | None,
    sign: Signs,
    charts: dict[str, dict[str, Any]],
) -> list[Section]:
    """Return the sections of a dataset that have something to show.

    key is that of the dataset; the specifications of its charts become part of charts.
    """
    every = [
        *([_gate(gate, testing)] if gate else []),
        _leaderboard(overview, testing),
        Section("curves", "By cutoff and by recall"),
        Section("distribution", "Distribution over queries"),
        _comparisons(overview, testing, sign),
        _slices(overview, testing, sign),
        _queries(overview),
        _judged(overview),
        _history(overview),
        _sources(overview),
    ]
    for section in every:
        own = [drawn for of, drawn in overview.figures if of == section.key]
        section.lines += [one for one in own if isinstance(one, str)]
        section.figures += [one for one in own if not isinstance(one, str)]
        for number, (kind, rows, about) in enumerate(section.figures):
            try:
                shown = figure(kind, rows, **about)
            except NdcgSqlError as error:
                section.lines.append(no_chart(error))
                continue
            name = f"{key}-{section.key}-{number}"
            charts[name] = chart_of(shown, overview.runs)
            # The page has named the dataset and its judgments.
            lines = [
                *shown.spec["title"]["subtitle"][1:],
                *left_out(shown, overview.runs, overview.baseline),
            ]
            section.charts.append(Chart(name, shown.title, shown.description, lines))
    return [s for s in every if s.charts or s.tables or s.key == "queries"]


def _gate(verdict: Verdict, testing: Testing) -> Section:
    drops = sum(row["p"] is not None for row in verdict.rows)
    notes = [f"p adjusted: {how(testing, drops)}"] if drops else []
    rows = gate_results.with_slices(verdict.rows)
    table = Table("Rules of the gate", gate_results.COLUMNS, rows, notes)
    return Section("gate", "Gate", [table])


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
    has_letters = not overview.is_comparison
    columns = [RUN]
    for measure in overview.measures:
        heading, kind = f"weighted {measure}", "lettered" if has_letters else "value"
        columns += [
            Column("rank", "rank", "count", measure),
            Column("value", measure, kind, measure),
            Column("value", f"{testing.confidence} interval", "interval", measure),
            Column("weighted_value", heading, "number", measure, if_any=True),
        ]
    columns += tables.counts(overview.leaderboard[0])
    notes: list[str] = []
    if has_letters:
        notes.append(
            f"Runs that share a letter are not separated by {tables.TUKEY} test of all"
            f" runs at once, p below {testing.alpha:g}. A run in bold is significantly"
            " better than every other by that test."
        )
        letters = [row["groups"] or "" for row in overview.leaderboard]
        if any(abbreviated(own) != own for own in letters):
            notes.append("a-d stands for the letters from a to d.")
        notes += tables.notes(overview.leaderboard)
    table = Table(
        "Leaderboard",
        columns,
        rows,
        notes,
        style=lambda row: "best" if row["is_best"] and has_letters else "",
        measures=overview.measures,
        runs=overview.runs,
    )
    return Section("leaderboard", "Leaderboard", [table])


_OTHER_TEST = (
    "This tests the best run alone against each of the others; the first lines and the"
    f" letters of the leaderboard are by {tables.TUKEY}, which tests all pairs."
)


def _comparisons(overview: Overview, testing: Testing, sign: Signs) -> Section:
    section = Section("comparison", "Comparison")
    if not overview.compared:
        return section
    columns = [CANDIDATE, MEASURE, *differences(testing), *OUTCOMES, QUERIES]
    notes = [
        f"p: {how(testing, overview.compared[0]['comparisons'])}; significant below"
        f" {testing.alpha:g}, which alone has an arrow and a colour.",
        f"{LEGENDS['effect_size']}.",
        *([] if overview.is_comparison else [_OTHER_TEST]),
        *tables.notes(overview.compared),
    ]
    table = Table(
        f"Differences from {overview.baseline or ''}",
        [*columns, *tests(testing)],
        overview.compared,
        notes,
        measures=overview.measures_of_queries,
        runs=overview.runs,
        is_sure=testing.is_sure,
        sign=sign,
    )
    section.tables.append(table)
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


def _slices(overview: Overview, testing: Testing, sign: Signs) -> Section:
    section = Section("slices", "By slice")
    if not overview.slices:
        return section
    if len(overview.candidates) > SLICED:
        section.lines.append(f"Slices are shown of the first {SLICED} candidates.")
    whole = {
        row["candidate"]: {**row, "slice": "all queries"}
        for row in overview.by_first(overview.compared)
    }
    slices = sorted(
        overview.slices, key=lambda r: (r["difference"] is None, r["difference"] or 0)
    )
    first, measure = overview.candidates[0], overview.measures[0]
    charted = [r for r in [*slices, *whole.values()] if r["candidate"] == first]
    about = {
        "confidence": testing.confidence,
        "alpha": testing.alpha,
        "reach": reach(charted, measure, is_shared=True),
    }
    columns = [Column("slice", "slice", "name"), CANDIDATE, *differences(testing)]
    note = (
        f"p, over all slices of this page: {how(testing, slices[0]['comparisons'])};"
        f" significant below {testing.alpha:g}, which alone is not faint. Rows of all"
        " queries have the correction of the comparison."
    )

    def style(row: Record) -> str:
        if "filter" not in row:
            return "whole"
        return "" if testing.is_sure(row["p_adjusted"]) else "faint"

    for attribute in dict.fromkeys(row["attribute"] for row in overview.slices):
        rows: list[Record] = []
        for candidate in dict.fromkeys(row["candidate"] for row in overview.slices):
            mine = [
                row
                for row in slices
                if (row["attribute"], row["candidate"]) == (attribute, candidate)
            ]
            if mine and candidate == first:
                named = [{**row, "slice": slice_name(row["slice"])} for row in mine]
                of_attribute = about | {"attribute": attribute}
                drawn = ("slices", [whole[candidate], *named], of_attribute)
                section.figures.append(drawn)
            rows += [whole[candidate]] if mine else []
            rows += [
                {
                    **row,
                    "slice": "not known" if row["slice"] is None else row["slice"],
                    "filter": (attribute, row["slice"]),
                }
                for row in mine
            ]
        table = Table(
            f"{measure} by {attribute}",
            [*columns, *OUTCOMES, QUERIES],
            rows,
            [note],
            style=style,
            runs=overview.runs,
            is_sure=testing.is_sure,
            sign=sign,
            on_axis=[*overview.slices, *whole.values()],
        )
        section.tables.append(table)
    return section


def _queries(overview: Overview) -> Section:
    lines: list[str] = []
    listed, count = len(overview.queries), overview.query_count
    if overview.worst is not None and listed < count:
        lines.append(
            f"{listed:,} of {count:,} queries are listed: for each run, the"
            f" {overview.worst:,} with the lowest {overview.measures[0]}."
        )
    elif listed < count:
        lines.append(
            f"{listed:,} of {count:,} queries are listed: those whose values differ"
            " most between the runs, and a sample of the others. Everything above rests"
            " on all queries, except for charts that name a sample."
        )
    explained = len({step["query_id"] for step in overview.steps})
    if overview.away:
        lines.append(
            "No ranking is included, because those of these runs are not in the"
            f" warehouse: {', '.join(overview.away)}"
        )
    elif explained < listed:
        lines.append(
            f"Rankings are included for the {explained} queries whose values differ"
            " most. For any other, ask ndcg-sql to explain one run against another."
        )
    return Section("queries", "Queries", lines=lines)


def _judged(overview: Overview) -> Section:
    rows = overview.by_first(overview.means)
    columns = [
        RUN,
        Column("judged_at_k", f"judged@{rows[0]['judged_depth']}"),
        Column("answered", "answered", "count"),
        *ANSWERS[1:],
        Column("unjudged_queries", "not judged", "count"),
    ]
    caption = "Judged documents and queries"
    table = Table(caption, columns, rows, runs=overview.runs)
    return Section("judged", "What the judgments support", [table])


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
        table = Table("Values over time", columns, rows, runs=overview.runs)
        section.tables.append(table)
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
    return Section("sources", "Sources", [Table("What was loaded", columns, rows)])
