"""Tables of a page: columns and cells as a template lays them out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ndcg_sql.analysis.answers import Record
from ndcg_sql.analysis.letters import abbreviated
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.output.grids import shown
from ndcg_sql.text import harmless

# How many runs of a page have a colour of their own; the others are grey.
COLOURED = 8


@dataclass(frozen=True)
class Cell:
    """A cell: what a reader sees, and the exact value that a column is sorted by.

    sign is that of a significant difference. place is that of a run, whose colour it
    has; letters are those of its groups. bar gives where an interval begins, where it
    ends, where its value is and where 0 is, in percent of the width of the column.
    """

    text: str
    exact: str | None = None
    sign: int = 0
    place: int | None = None
    letters: str = ""
    bar: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class Column:
    """A column: its heading, its kind, and its cells.

    The kind is name, run, number, text or outcome. A column of a measure is only
    shown with it, one of all only with all measures.
    """

    title: str
    kind: str
    cell: Callable[[Record], Cell]
    measure: str = ""
    is_of_all: bool = False

    @property
    def right(self) -> bool:
        """Whether its cells are aligned to the right."""
        return self.kind == "number"


@dataclass(frozen=True)
class Row:
    """A row: each column with its cell.

    style is best, faint (not significant) or whole (all queries). A row of a measure
    is only shown with it. slice is an attribute and its value, to whose queries the
    row leads.
    """

    cells: list[tuple[Column, Cell]]
    style: str = ""
    measure: str = ""
    slice: tuple[str, str] | None = None


@dataclass(frozen=True)
class Table:
    """A table with its caption, and the notes below it.

    With several measures, one of them is shown at a time.
    """

    caption: str
    columns: Sequence[Column]
    rows: list[Row]
    notes: list[str] = field(default_factory=list[str])
    measures: Sequence[str] = ()


def table(
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Record],
    notes: Iterable[str] = (),
    style: Callable[[Record], str] = lambda _: "",
    measures: Sequence[str] = (),
) -> Table:
    """Return a table of rows; those with a measure or a slice of their own say so."""
    by_row = not any(column.measure for column in columns)
    filled = [
        Row(
            [(column, column.cell(row)) for column in columns],
            style(row),
            row["measure"] if by_row and measures else "",
            row.get("filter"),
        )
        for row in rows
    ]
    texts = [harmless(note) for note in notes]
    return Table(caption, columns, filled, texts, measures if len(measures) > 1 else ())


def run(title: str, key: str, runs: Sequence[str]) -> Column:
    """Return a column of runs, each with its colour, which its place gives it."""
    places = {name: place for place, name in enumerate(runs[:COLOURED])}

    def cell(row: Record) -> Cell:
        return Cell(_text(row[key]), place=places.get(row[key]))

    return Column(title, "run", cell)


def named(title: str, key: str) -> Column:
    """Return a column of names."""
    return Column(title, "name", lambda row: Cell(_text(row[key])))


def text(title: str, key: str) -> Column:
    """Return a column of plain text."""
    return Column(title, "text", lambda row: Cell(_text(row[key])))


def numeric(title: str, key: str, form: Callable[[Any], str] = shown) -> Column:
    """Return a column of numbers; sorting uses their exact values."""
    return Column(title, "number", lambda row: _number(row[key], form))


def signed(title: str, key: str, testing: Testing | None = None) -> Column:
    """Return a column of differences; those that are significant have a colour."""

    def cell(row: Record) -> Cell:
        value = row[key]
        if value is None:
            return Cell("", "")
        is_sure = testing is not None and testing.is_sure(row["p_adjusted"])
        sign = (value > 0) - (value < 0) if is_sure else 0
        return Cell(f"{value:+.4f}", repr(value), sign)

    return Column(title, "number", cell)


def ranged(
    title: str, keys: tuple[str, str, str], rows: Iterable[Record], measure: str
) -> Column:
    """Return a column of intervals as bars on one axis, from the keys of its parts.

    These are the lower end, the upper end, and the value, which there may be alone.
    """
    ends = [row[key] for row in rows for key in keys if row.get(key) is not None]
    least, most = min(ends, default=0), max(ends, default=0)
    span = (most - least) or 1

    def cell(row: Record) -> Cell:
        low, high, value = (row.get(key) for key in keys)
        if value is None:
            return Cell("", "")
        low, high = (value, value) if low is None or high is None else (low, high)
        reach = "" if low == high else f"{low:.4f} to {high:.4f}"

        def place(end: float) -> float:
            return 100 * (end - least) / span

        bar = (place(low), place(high), place(value), place(0))
        return Cell(reach, repr(low), bar=bar)

    return Column(title, "interval", cell, measure)


def lettered(measure: str, value: str, groups: str) -> Column:
    """Return a column of the values of a measure, with the letters of their groups.

    Many letters in a row are written as the first and the last.
    """

    def cell(row: Record) -> Cell:
        plain = _number(row.get(value), shown)
        return Cell(plain.text, plain.exact, letters=abbreviated(row.get(groups) or ""))

    return Column(measure, "number", cell, measure)


def _number(value: Any, form: Callable[[Any], str]) -> Cell:
    return Cell(form(value), "" if value is None else repr(value))


def _text(value: object) -> str:
    """Return text for a page, with control characters written out."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S} UTC"
    return "" if value is None else harmless(str(value))
