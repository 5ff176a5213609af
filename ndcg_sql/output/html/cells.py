"""Tables of a page: columns and rows, and what a template shows of each cell."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from ndcg_sql.comparison.answers import Record
from ndcg_sql.output.columns import Column, shown, shown_in
from ndcg_sql.reports.overview import COLOURED

_ENDS = ("ci_low", "ci_high")


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
    signs: Callable[[str | None], int] = lambda _: 1
    on_axis: Sequence[Record] = ()

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that the page shows."""
        return shown_in("pages", self.every_column, self.rows)

    @cached_property
    def places(self) -> dict[str, int]:
        """The places of the runs that have a colour."""
        return {name: place for place, name in enumerate(self.runs[:COLOURED])}

    def measure(self, row: Record) -> str:
        """Return the measure with which alone a row is shown, if there is one."""
        by_row = not any(column.measure for column in self.columns)
        return row["measure"] if by_row and self.measures else ""

    def text(self, column: Column, row: Record) -> str:
        """Return what a reader sees of a row."""
        value: Any = column.part(row)[column.key]
        if column.is_number and column.kind not in ("count", "value", "lettered"):
            return column.text(row)
        if isinstance(value, datetime):
            return f"{value:%Y-%m-%d %H:%M:%S} UTC"
        if column.kind == "count" and value is not None:
            return f"{value:,}"
        return shown(value) if column.is_number else str(value or "")

    def sign(self, column: Column, row: Record) -> int:
        """Return the sign of a significant difference, else 0."""
        value = column.part(row)[column.key]
        if not (column.is_change and value and self.is_sure(row.get("p_adjusted"))):
            return 0
        return (1 if value > 0 else -1) * (self.signs(row["measure"]) or 1)

    def bar(self, column: Column, row: Record) -> list[float]:
        """Return where an interval begins and ends, where its value is and where 0 is.

        That is in percent of the width of the column. There may be the value alone.
        """
        least, most = self._axes[column]
        part = column.part(row)
        middle = part[column.key]
        ends = [middle if part[end] is None else part[end] for end in _ENDS]
        points = (*ends, middle, 0)
        return [100 * (point - least) / ((most - least) or 1) for point in points]

    @cached_property
    def _axes(self) -> dict[Column, tuple[float, float]]:
        """The ends of the axes of intervals; those of differences have 0."""
        axes: dict[Column, tuple[float, float]] = {}
        for column in self.columns:
            if column.kind == "interval":
                parts = [column.part(row) for row in self.on_axis or self.rows]
                ends = [part[key] for part in parts for key in (*_ENDS, column.key)]
                ends += [0.0] if column.key == "difference" else []
                ends = [end for end in ends if end is not None]
                axes[column] = min(ends, default=0), max(ends, default=0)
        return axes
