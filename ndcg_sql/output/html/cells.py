"""Tables of a page: columns and cells as a template lays them out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.letters import abbreviated
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.output.columns import CHANGE, Column, shown, shown_in
from ndcg_sql.reports.overview import COLOURED
from ndcg_sql.text import harmless


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
    rows: Sequence[Record],
    notes: Iterable[str] = (),
    style: Callable[[Record], str] = lambda _: "",
    measures: Sequence[str] = (),
    runs: Sequence[str] = (),
    testing: Testing | None = None,
    on_axis: Sequence[Record] = (),
) -> Table:
    """Return a table of rows; those with a measure or a slice of their own say so.

    The first runs have a colour, and so have differences that are significant by
    testing. Intervals are bars on one axis, that of all rows on it.
    """
    columns = shown_in("pages", columns, rows)
    places = {name: place for place, name in enumerate(runs[:COLOURED])}
    axes = {c: _axis(c, on_axis or rows) for c in columns if c.kind == "interval"}

    def cell(column: Column, row: Record) -> Cell:
        part, value = column.part(row), column.part(row)[column.key]
        if column.kind == "interval":
            return _ranged(part, column.key, *axes[column])
        if not column.is_number:
            is_run = column.kind == "run"
            return Cell(_text(value), place=places.get(value) if is_run else None)
        sign, letters = 0, ""
        if testing and column == CHANGE and testing.is_sure(row["p_adjusted"]):
            sign = (value > 0) - (value < 0)
        if column.kind == "lettered":
            letters = abbreviated(part["groups"] or "")
        exact = "" if value is None else repr(value)
        return Cell(_number(column, row), exact, sign, letters=letters)

    by_row = not any(column.measure for column in columns)
    filled = [
        Row(
            [(column, cell(column, row)) for column in columns],
            style(row),
            row["measure"] if by_row and measures else "",
            row.get("filter"),
        )
        for row in rows
    ]
    texts = [harmless(note) for note in notes]
    return Table(caption, columns, filled, texts, measures if len(measures) > 1 else ())


def _axis(column: Column, rows: Iterable[Record]) -> tuple[float, float]:
    """Return the ends of the axis of intervals; that of differences has 0."""
    parts = [column.part(row) for row in rows]
    ends = [part[key] for part in parts for key in ("ci_low", "ci_high", column.key)]
    ends += [0.0] if column.key == CHANGE.key else []
    ends = [end for end in ends if end is not None]
    return min(ends, default=0), max(ends, default=0)


def _ranged(row: Record, key: str, least: float, most: float) -> Cell:
    """Return an interval as a bar; there may be the value alone."""
    low, high, value = row["ci_low"], row["ci_high"], row[key]
    if value is None:
        return Cell("", "")
    low, high = (value, value) if low is None or high is None else (low, high)
    reach = "" if low == high else f"{low:.4f} to {high:.4f}"
    span = (most - least) or 1

    def place(end: float) -> float:
        return 100 * (end - least) / span

    return Cell(reach, repr(low), bar=(place(low), place(high), place(value), place(0)))


def _number(column: Column, row: Record) -> str:
    value = column.part(row)[column.key]
    if column.kind == "count":
        return "" if value is None else f"{value:,}"
    return shown(value) if column.kind in ("value", "lettered") else column.text(row)


def _text(value: object) -> str:
    """Return text for a page, with control characters written out."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S} UTC"
    return "" if value is None else harmless(str(value))
