"""Columns of text laid out in lines, as wide as a terminal."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from ndcg_sql.system.terminal import painted
from ndcg_sql.text import harmless

# The blanks between two columns, and how short a name may become.
GAP, _SHORTEST = 3, 10


@dataclass(frozen=True)
class Screen:
    """What a table is laid out for: width, colour, and the most rows to show."""

    width: int | None = None
    _: KW_ONLY
    most: int | None = None
    is_coloured: bool = False


class Style(NamedTuple):
    """A style of the terminal; whether a cell is marked, or raised with a letter."""

    name: str = "same"
    is_marked: bool = False
    is_raised: bool = False


@dataclass(frozen=True)
class Cells:
    """A column of a table as text: its heading, and a cell for each row.

    The heading of a named column is the name of a run. If all cells of a common column
    are equal, it can become a line above the table. Where space is short, cells lose
    their middle, unless they are numbers or stay whole. Some cells have a style, by row
    number.
    """

    heading: str
    cells: Sequence[str]
    is_right: bool = False
    is_common: bool = False
    is_named: bool = False
    is_whole: bool = False
    styles: Mapping[int, Style] = field(default_factory=dict[int, Style])

    @property
    def is_short(self) -> bool:
        """Whether its cells can lose their middle."""
        return not self.is_right and not self.is_whole

    @cached_property
    def content(self) -> int:
        """How wide the widest cell is."""
        return max(map(measure, self.cells), default=0)

    @property
    def width(self) -> int:
        """How wide the column is."""
        return max(self.content, measure(self.heading))

    def limited(self, limit: int) -> "Cells":
        """Return the column with names that are cut to a limit."""
        heading, cells = self.heading, self.cells
        if self.is_short:
            cells = [cut(cell, max(limit, measure(heading))) for cell in cells]
        if self.is_named:
            # Numbers below the name of a run are as wide as they are.
            heading = cut(heading, limit if self.is_short else max(limit, self.content))
        return replace(self, heading=heading, cells=cells)

    def padded(self, is_coloured: bool) -> list[str]:
        """Return the heading and the cells, all as wide as the column."""
        texts, size = [self.heading, *self.cells], self.width
        blanks = [" " * (size - measure(text)) for text in texts]
        both = zip(blanks, texts, strict=True)
        padded = [b + text if self.is_right else text + b for b, text in both]
        for row, style in self.styles.items() if is_coloured else ():
            # The heading comes first.
            cell, text = padded[row + 1], texts[row + 1]
            padded[row + 1] = cell.replace(text, painted(text, style.name), bool(text))
        return padded


def measure(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def folded(text: str, screen: Screen) -> str:
    """Return a line in lines that fit the terminal, if it is one, the rest indented."""
    if screen.width is None:
        return harmless(text)
    return textwrap.fill(
        harmless(text),
        screen.width,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def on_terminal(columns: Sequence[Cells], screen: Screen) -> str:
    """Return a table for a terminal, if possible no wider than it."""
    return "\n".join(fitted(columns, screen.width, screen.is_coloured)) + "\n"


def fitted(
    columns: Sequence[Cells], width: int | None, is_coloured: bool
) -> Iterator[str]:
    """Give the lines of a table, if possible none wider than a terminal."""
    if width is not None and _size(columns) > width:
        equal = [c for c in columns if c.is_common and len({*c.cells}) == 1]
        if rest := [column for column in columns if column not in equal]:
            facts = [(c.heading, c.cells[0].strip()) for c in equal]
            parts = [f"{name} {cell}" for name, cell in facts if cell]
            yield from _joined(parts, width)
            columns = rest
        whole = columns
        longest = max((c.width for c in whole if c.is_short or c.is_named), default=0)
        for limit in range(longest, _SHORTEST - 1, -1):
            if _size(columns) <= width:
                break
            columns = [column.limited(limit) for column in whole]
    rows = ((" " * GAP).join(row).rstrip() for row in padded(columns, is_coloured))
    yield next(rows)
    yield "─" * _size(columns)
    yield from rows


def padded(
    columns: Iterable[Cells], is_coloured: bool = False
) -> Iterator[tuple[str, ...]]:
    """Give the rows of a table, headings first, with cells as wide as their column."""
    return zip(*(column.padded(is_coloured) for column in columns), strict=True)


def _size(columns: Sequence[Cells]) -> int:
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def _joined(parts: Sequence[str], width: int) -> Iterator[str]:
    """Give lines of parts joined by commas, as many in a line as fit."""
    line = ""
    for part in parts:
        longer = f"{line}, {part}" if line else part
        if line and measure(longer) >= width:
            yield f"{line},"
            longer = part
        line = cut(longer, width)
    if line:
        yield line


def cut(text: str, limit: int) -> str:
    """Return a text that takes at most a limit of columns, without its middle."""
    if measure(text) <= limit:
        return text
    head, tail = text, text[::-1]
    while measure(head) > limit // 2:
        head = head[:-1]
    while measure(tail) > limit - limit // 2 - 1:
        tail = tail[:-1]
    return f"{head}…{tail[::-1]}"
