"""The sections of a page: what it says of the runs of a dataset, and its tables."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output import tables
from ndcg_sql.output.columns import (
    CANDIDATE,
    MEASURE,
    RUN,
    Column,
    by_run,
    columns_of,
    slice_name,
    with_queries,
)
from ndcg_sql.output.comparison_tables import (
    Signs,
    differences,
    rule_columns,
    tests,
    with_slices,
)
from ndcg_sql.output.figures.figure import figure, reach
from ndcg_sql.output.html.parts import Table, chart_of, left_out
from ndcg_sql.reports.overview import Figure, Overview, no_chart


@dataclass(frozen=True)
class Chart:
    """A chart: the key of its specification in the data, and what it shows."""

    key: str
    title: str
    description: str
    lines: list[str]


@dataclass
class Section:
    """A section: its title, the lines below it, its figures, charts and tables."""

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
    """Return the sections of a dataset that show anything; add specs to charts."""
    rules = with_slices(gate.rows if gate else ())
    outcomes = Table("Rules of the gate", rule_columns(), rules)
    every = [
        Section("gate", "Gate", [outcomes] if gate else []),
        _leaderboard(overview, testing),
        Section("curves", "By cutoff and by recall"),
        Section("distribution", "Distribution over queries"),
        _comparisons(overview, testing, sign),
        _slices(overview, testing, sign),
        Section("queries", "Queries"),
        _judged(overview),
        _history(overview),
        _sources(overview),
    ]
    for section in every:
        drawn = [one for of, one in overview.figures if of == section.key]
        section.lines += [one for one in drawn if isinstance(one, str)]
        section.figures += [one for one in drawn if not isinstance(one, str)]
        for number, (kind, rows, about) in enumerate(section.figures):
            try:
                shown = figure(kind, rows, **about)
            except NdcgSqlError as error:
                section.lines.append(no_chart(error))
                continue
            name = f"{key}-{section.key}-{number}"
            charts[name] = chart_of(shown, overview.runs)
            # The page has named the dataset and its judgments.
            lines = shown.spec["title"]["subtitle"][1:]
            lines += left_out(shown, overview.runs, overview.baseline)
            section.charts.append(Chart(name, shown.title, shown.description, lines))
    return [s for s in every if s.charts or s.tables or s.key == "queries"]


def _leaderboard(overview: Overview, testing: Testing) -> Section:
    means = {(row["run"], row["measure"]): row for row in overview.means}
    rows = [
        {**row, "weighted_value": mean and mean["weighted_value"]}
        for row in overview.leaderboard
        for mean in [means.get((row["run"], row["measure"]))]
    ]
    # A baseline is tested against its candidates: letters of all pairs would say
    # another thing beside.
    has_letters = not overview.is_comparison
    kind, confidence = "lettered" if has_letters else "value", testing.confidence
    ranked = partial(columns_of, "ranked", kind=kind, confidence=confidence)
    columns = [RUN]
    for measure in overview.measures:
        columns += ranked(measure=measure)
    table = Table(
        "Leaderboard",
        [*columns, *tables.counts(overview.leaderboard[0])],
        by_run(map(with_queries, rows)),
        tables.notes(overview.leaderboard) if has_letters else (),
        style=lambda row: "best" if row["is_best"] and has_letters else "",
        measures=overview.measures,
        runs=overview.runs,
    )
    return Section("leaderboard", "Leaderboard", [table])


def _comparisons(overview: Overview, testing: Testing, sign: Signs) -> Section:
    columns = [CANDIDATE, MEASURE, *differences(testing), *columns_of("outcomes")]
    table = Table(
        f"Differences from {overview.baseline or ''}",
        [*columns, *tests(testing)],
        overview.compared,
        tables.notes(overview.compared),
        measures=overview.measures_of_queries,
        runs=overview.runs,
        is_sure=testing.is_sure,
        signs=sign,
    )
    return Section("comparison", "Comparison", [table] if overview.compared else [])


def _slices(overview: Overview, testing: Testing, sign: Signs) -> Section:
    section = Section("slices", "By slice")
    if not overview.slices:
        return section
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

    def style(row: Record) -> str:
        if "filter" not in row:
            return "whole"
        return "" if testing.is_sure(row["p_adjusted"]) else "faint"

    for attribute in dict.fromkeys(row["attribute"] for row in overview.slices):
        rows: list[Record] = []
        for candidate in dict.fromkeys(row["candidate"] for row in overview.slices):
            key = (attribute, candidate)
            mine = [r for r in slices if (r["attribute"], r["candidate"]) == key]
            if not mine:
                continue
            if candidate == first:
                named = [{**row, "slice": slice_name(row["slice"])} for row in mine]
                of_attribute = about | {"attribute": attribute}
                drawn = ("slices", [whole[candidate], *named], of_attribute)
                section.figures.append(drawn)
            rows.append(whole[candidate])
            for row in mine:
                shown = "not known" if row["slice"] is None else row["slice"]
                rows.append(
                    {**row, "slice": shown, "filter": (attribute, row["slice"])}
                )
        table = Table(
            f"{measure} by {attribute}",
            [*columns, *columns_of("outcomes")],
            rows,
            style=style,
            runs=overview.runs,
            is_sure=testing.is_sure,
            signs=sign,
            on_axis=[*overview.slices, *whole.values()],
        )
        section.tables.append(table)
    return section


def _judged(overview: Overview) -> Section:
    rows = overview.by_first(overview.means)
    columns = columns_of("judged", depth=str(rows[0]["judged_depth"]))
    table = Table("Judged documents and queries", columns, rows, runs=overview.runs)
    return Section("judged", "What the judgments support", [table])


def _history(overview: Overview) -> Section:
    section = Section("history", "History")
    rows = overview.by_first(overview.history)
    if len(rows) > 1:
        columns = columns_of("history", measure=overview.measures[0])
        table = Table("Values over time", columns, rows, runs=overview.runs)
        section.tables.append(table)
    valued = [row for row in rows if row["value"] is not None]
    if valued and len({row["made_at"] for row in overview.history}) > 1:
        section.figures.append(("history", valued, {}))
    return section


def _sources(overview: Overview) -> Section:
    rows = [
        {**row, "short_hash": str(row["content_hash"] or "")[:12]}
        for row in overview.sources
    ]
    table = Table("What was loaded", columns_of("sources"), rows)
    return Section("sources", "Sources", [table])
