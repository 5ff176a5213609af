"""Columns of answers: where their values stand, their headings, how they read."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, cast

from ndcg_sql.comparison.answers import Record
from ndcg_sql.measures.families import Family
from ndcg_sql.measures.names import measure_called
from ndcg_sql.output.layout import Cells, Style
from ndcg_sql.text import chance


@dataclass(frozen=True)
class Verbatim:
    """Text of a document that is in its format already, and the same as HTML."""

    text: str
    html: str


# What an answer looks like, whatever the format: parts of tables and lines.
Block = Sequence[Cells] | str | Verbatim
Document = list[list[Block]]


@dataclass(frozen=True)
class Column:
    """A column: the key of its values in a row, its heading, and their kind.

    The kinds are those of TEXTS, and for a page also lettered. A column of a measure
    has its values in the part of a row that is of the measure (or of one of two
    sides, if there is any), and a page only shows it with the measure. A column may
    be for tables (of a terminal, Markdown, LaTeX and a notebook) or for pages alone,
    and only be shown if any row has a value. A common one becomes a line above a table
    that does not fit, if all its values are equal; a named one is headed by a run.
    """

    key: str
    heading: str
    kind: str = "number"
    measure: str = ""
    only: str = ""
    if_any: bool = False
    is_common: bool = False
    is_named: bool = False

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers, which are aligned to the right."""
        return self.kind not in ("name", "run", "text", "outcome")

    @property
    def is_change(self) -> bool:
        """Whether it has the differences that a comparison is about."""
        return self.key == self.kind == "difference"

    def part(self, row: Record) -> Record:
        """Return the part of a row that has the values of the column, if any."""
        return row.get(of(self.measure)) or {} if self.measure else row

    def text(self, row: Record) -> str:
        """Return what a table shows of a row."""
        part = self.part(row)
        return TEXTS[self.kind](part, self.key) if part else ""


def of(name: str) -> str:
    """Return the key of what a table adds to a row; no attribute has this name."""
    return f"of {name}"


RUN = Column("run", "run", "run")
CANDIDATE = Column("candidate", "candidate", "run")
MEASURE = Column("measure", "measure", "text")
QUERIES = Column("n", "queries", "count")


def columns_of(layout: str, *without: str, **about: str) -> list[Column]:
    """Return the columns of a layout, without some keys; about fills the headings."""
    return [
        Column(
            row["key"],
            row["heading"].format(**about),
            row["kind"].format(**about),
            measure=about["measure"] if "of" in flags else "",
            only=next((flag for flag in flags if flag in ("tables", "pages")), ""),
            if_any="if_any" in flags,
            is_common="common" in flags,
        )
        for row in _layouts()
        if row["layout"] == layout and row["key"] not in without
        for flags in [row["show"].split()]
    ]


@cache
def _layouts() -> list[dict[str, str]]:
    path = Path(__file__).with_name("layouts.csv")
    with path.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


Styling = Callable[[Column, Record], Style | None]


def table(
    columns: Iterable[Column],
    rows: Sequence[Record],
    style: Styling = lambda _, __: None,
) -> list[Cells]:
    """Lay rows out as a table; style gives that of a cell, if it has one."""
    return [
        Cells(
            column.heading,
            [column.text(row) for row in rows],
            is_right=column.is_number,
            is_common=column.is_common,
            is_named=column.is_named,
            styles={
                r: look for r, row in enumerate(rows) if (look := style(column, row))
            },
        )
        for column in shown_in("tables", columns, rows)
    ]


def shown_in(
    where: str, columns: Iterable[Column], rows: Sequence[Record]
) -> list[Column]:
    """Return the columns that tables or pages show of rows."""
    return [
        column
        for column in columns
        if column.only in ("", where)
        if not column.if_any
        or any(column.part(row).get(column.key) is not None for row in rows)
    ]


def common(columns: Iterable[Column], is_common: bool = True) -> list[Column]:
    """Return columns that become lines above a table where their values are equal."""
    return [replace(column, is_common=is_common) for column in columns]


def slices(by: Iterable[str]) -> list[Column]:
    """Return the columns that name slices."""
    return [Column(name, name, "name") for name in by]


def title(dataset: str, judgment_set: str) -> str:
    """Return the line that names the dataset and judgment set of a table."""
    return f"dataset {dataset}, judgment set {judgment_set}"


def mark(form: str) -> str:
    """Return what a format marks significant cells with, as a line below says."""
    return "*" if form == "table" else "bold:"


def by_run(rows: Iterable[Record], leading: Sequence[str] = ("run",)) -> list[Record]:
    """Return a row for each run, or slice of it: the first, and those of measures."""
    runs: dict[tuple[Any, ...], Record] = {}
    measures: dict[str, Record] = {}
    for row in rows:
        measures.setdefault(row["measure"], dict.fromkeys(row))
        key = tuple(row[name] for name in leading)
        runs.setdefault(key, {**row})[of(row["measure"])] = row
    for run in runs.values():
        for measure, nothing in measures.items():
            run.setdefault(of(measure), {**nothing, "measure": measure})
    return list(runs.values())


def with_queries(row: Record) -> Record:
    """Return a row with the number of its queries."""
    # A run without rankings answers nothing, but its values are of queries.
    return {**row, of("queries"): row["answered"] + row["unanswered"] or row["n"]}


def mark_best(
    runs: Iterable[Record],
    by: Sequence[str],
    measures: Iterable[str],
    sign: Callable[[str | None], int],
) -> None:
    """Mark the best values of measures in each slice, unless all are equal."""
    rivals: dict[tuple[Any, ...], list[Record]] = {}
    for run in runs:
        for measure in measures:
            key = (measure, *(run[name] for name in by))
            if run[of(measure)]["value"] is not None:
                rivals.setdefault(key, []).append(run[of(measure)])
    for (measure, *_), values in rivals.items():
        side = sign(measure)
        ends = [side * row["value"] for row in values]
        for row, end in zip(values, ends, strict=True):
            row["is_best"] = end == max(ends) > min(ends)


def signs(about: Mapping[str, Any]) -> Callable[[str | None], int]:
    """Return a function of measures: 1 if higher is better, -1 if lower, else 0."""
    own = {measure.name: measure.family for measure in about.get("measures", ())}

    def sign(measure: str | None) -> int:
        if measure is None:
            return 1
        kind = own.get(measure) or family(measure)
        return kind.highest_is_best - kind.lowest_is_best

    return sign


@cache
def family(measure: str) -> Family:
    """Return the family of a measure, by its name alone."""
    return measure_called(measure).family


def slice_name(value: str | None) -> str:
    """Return the name of a slice, or "(not known)"."""
    return "(not known)" if value is None else value


def shown(value: object) -> str:
    """Return a value for people: four decimals, whole seconds, nothing for null.

    What would seem to be 0, such as the cost of a query, has two digits.
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < 5e-5 else f"{value:.4f}"
    if isinstance(value, datetime):
        return str(value.replace(microsecond=0))
    if isinstance(value, list):
        return ", ".join(map(shown, cast(list[object], value)))
    return str(value)


def plain(value: float | None) -> str:
    """Return a grade or gain in its shortest form."""
    if value is None:
        return ""
    whole = abs(value) < 1e16 and value == int(value)
    return str(int(value)) if whole else repr(value)


def writer(measure: str) -> Callable[[float | None], str]:
    """Return what writes values of a measure: as integers if they are counts."""
    return plain if family(measure).summary == "sum" else shown


def no_value(row: Record) -> str:
    """Return why a run has no value of a measure, in few words."""
    if row["n"] is None:
        return ""
    if not family(row["measure"]).is_of_runs:
        return "no query left"
    return "not in catalogue" if row["n"] else "nothing shown"


def _grade(row: Record, _: str) -> str:
    """Return the grade of a document, or "not judged"; nothing without a document."""
    if row["grade"] is not None:
        return plain(row["grade"])
    return "not judged" if row["doc_id"] else ""


def _interval(row: Record, key: str) -> str:
    low, high = row["ci_low"], row["ci_high"]
    sign = "+" if key == "difference" else ""
    return "" if low is None else f"{low:{sign}.4f} to {high:{sign}.4f}"


def _formatted(form: str) -> Callable[[Record, str], str]:
    return lambda row, key: "" if row[key] is None else format(row[key], form)


def _value(row: Record, key: str) -> str:
    return writer(row["measure"])(row[key])


# How a value of each kind reads. The key of an interval is that of its middle.
TEXTS: Mapping[str, Callable[[Record, str], str]] = {
    "name": lambda row, key: slice_name(row[key]),
    "run": lambda row, key: slice_name(row[key]),
    "text": lambda row, key: row[key] or "",
    "outcome": lambda row, key: row[key],
    "number": lambda row, key: shown(row[key]),
    "count": _formatted(""),
    "value": _value,
    "mean": lambda row, key: _value(row, key) or no_value(row),
    "average": lambda row, key: shown(row[key]) or "no query left",
    "difference": _formatted("+.4f"),
    "share": _formatted("+.1%"),
    "chance": lambda row, key: chance(row[key]),
    "interval": _interval,
    "outcomes": lambda row, _: f"{row['wins']}/{row['ties']}/{row['losses']}",
    "gain": lambda row, key: plain(row[key]),
    "grade": _grade,
    "position": lambda row, key: str(row[key] or "missed"),
    "place": lambda row, key: str(row[key] or "missing"),
    "found": lambda row, key: str(row[key] or "missed") if row["ideal_doc_id"] else "",
}
