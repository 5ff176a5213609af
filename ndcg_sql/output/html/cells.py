"""Tables of a page: columns and rows, and what a template shows of each cell."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.letters import abbreviated
from ndcg_sql.output.columns import CHANGE, Column, shown, shown_in
from ndcg_sql.reports.overview import COLOURED


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
class Table:
    """A table with its caption, its rows, and the notes below it.

    style gives best, faint (not significant) or whole (all queries) for a row. With
    several measures, one of them is shown at a time. The first runs have a colour, and
    so have differences whose p is sure, by the sign of their measures. Intervals are
    bars on one axis, that of all rows on it. A row with a filter, an attribute and its
    value, leads to their queries.
    """

    caption: str
    every_column: Sequence[Column]
    rows: Sequence[Record]
    notes: Iterable[str] = ()
    style: Callable[[Record], str] = lambda _: ""
    measures: Sequence[str] = ()
    runs: Sequence[str] = ()
    is_sure: Callable[[float | None], bool] = lambda _: False
    sign: Callable[[str | None], int] = lambda _: 1
    on_axis: Sequence[Record] = ()

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that the page shows."""
        return shown_in("pages", self.every_column, self.rows)

    def measure(self, row: Record) -> str:
        """Return the measure with which alone a row is shown, if there is one."""
        by_row = not any(column.measure for column in self.columns)
        return row["measure"] if by_row and self.measures else ""

    def cell(self, column: Column, row: Record) -> Cell:
        """Return what the page shows of a row."""
        part, value = column.part(row), column.part(row)[column.key]
        if column.kind == "interval":
            return self._ranged(column, part)
        if column.kind == "run":
            places = {name: n for n, name in enumerate(self.runs[:COLOURED])}
            return Cell(value or "", place=places.get(value))
        if not column.is_number:
            is_time = isinstance(value, datetime)
            text = f"{value:%Y-%m-%d %H:%M:%S} UTC" if is_time else value
            return Cell("" if text is None else str(text))
        exact = "" if value is None else repr(value)
        if column.kind == "count":
            return Cell("" if value is None else f"{value:,}", exact)
        if column.kind == "value":
            return Cell(shown(value), exact)
        if column.kind == "lettered":
            return Cell(shown(value), exact, letters=abbreviated(part["groups"] or ""))
        sign = 0
        if column == CHANGE and value and self.is_sure(row.get("p_adjusted")):
            sign = (1 if value > 0 else -1) * (self.sign(row["measure"]) or 1)
        return Cell(column.text(row), exact, sign)

    def _ranged(self, column: Column, row: Record) -> Cell:
        """Return an interval as a bar; there may be the value alone."""
        low, high, value = row["ci_low"], row["ci_high"], row[column.key]
        if value is None:
            return Cell("", "")
        low, high = (value, value) if low is None or high is None else (low, high)
        reach = "" if low == high else f"{low:.4f} to {high:.4f}"
        least, most = self._axes[column]
        span = (most - least) or 1
        at, end, middle, zero = (
            100 * (x - least) / span for x in (low, high, value, 0)
        )
        return Cell(reach, repr(low), bar=(at, end, middle, zero))

    @cached_property
    def _axes(self) -> dict[Column, tuple[float, float]]:
        """The ends of the axes of intervals; those of differences have 0."""
        axes: dict[Column, tuple[float, float]] = {}
        for column in self.columns:
            parts = [column.part(row) for row in self.on_axis or self.rows]
            keys = (
                ("ci_low", "ci_high", column.key) if column.kind == "interval" else ()
            )
            ends = [part[key] for part in parts for key in keys]
            ends += [0.0] if column.key == CHANGE.key else []
            ends = [end for end in ends if end is not None]
            axes[column] = min(ends, default=0), max(ends, default=0)
        return axes
