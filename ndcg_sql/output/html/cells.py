"""Tables of a page: columns and cells as a template lays them out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ndcg_sql.output.grids import shown
from ndcg_sql.text import harmless

Record = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell: what a reader sees, and the exact value that a column is sorted by."""

    text: str
    exact: str | None = None
    style: str = ""


@dataclass(frozen=True)
class Column:
    """A column: its heading, its kind (name, number, text or outcome), its cells."""

    title: str
    kind: str
    cell: Callable[[Record], Cell]

    @property
    def right(self) -> bool:
        """Whether its cells are aligned to the right."""
        return self.kind == "number"


@dataclass(frozen=True)
class Row:
    """A row: each column with its cell, and whether it is the best one."""

    cells: list[tuple[Column, Cell]]
    best: bool = False


@dataclass(frozen=True)
class Table:
    """A table with its caption, and the notes below it."""

    caption: str
    columns: Sequence[Column]
    rows: list[Row]
    notes: list[str] = field(default_factory=list[str])


def table(
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Record],
    notes: Iterable[str] = (),
    is_best: Callable[[Record], bool] = lambda _: False,
) -> Table:
    """Return a table of rows."""
    filled = [Row([(c, c.cell(row)) for c in columns], is_best(row)) for row in rows]
    return Table(caption, columns, filled, [harmless(note) for note in notes])


def named(title: str, key: str) -> Column:
    """Return a column of names."""
    return Column(title, "name", lambda row: Cell(_text(row[key])))


def text(title: str, key: str) -> Column:
    """Return a column of plain text."""
    return Column(title, "text", lambda row: Cell(_text(row[key])))


def numeric(title: str, key: str, form: Callable[[Any], str] = shown) -> Column:
    """Return a column of numbers; sorting uses their exact values."""
    return Column(title, "number", lambda row: _number(row[key], form))


def signed(title: str, key: str) -> Column:
    """Return a column of differences, coloured by their sign."""

    def cell(row: Record) -> Cell:
        value = row[key]
        style = "" if not value else "better" if value > 0 else "worse"
        told = "" if value is None else f"{value:+.4f}"
        return Cell(told, "" if value is None else repr(value), style)

    return Column(title, "number", cell)


def interval(title: str, low: str, high: str) -> Column:
    """Return a column of intervals, sorted by their lower ends."""

    def cell(row: Record) -> Cell:
        if row[low] is None:
            return Cell("", "")
        return Cell(f"{row[low]:.4f} to {row[high]:.4f}", repr(row[low]))

    return Column(title, "number", cell)


def _number(value: Any, form: Callable[[Any], str]) -> Cell:
    """Return the cell of a number."""
    return Cell(form(value), "" if value is None else repr(value))


def _text(value: object) -> str:
    """Return text for a page, with control characters written out."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S} UTC"
    return "" if value is None else harmless(str(value))
