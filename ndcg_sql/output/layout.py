"""Columns of text laid out in lines: as wide as they are, or to fit a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from ndcg_sql.system.terminal import painted

# The blanks between two columns, and where space is short.
GAP, _NARROW = 3, 2
# How short a name may become.
_SHORTEST = 10


@dataclass(frozen=True)
class Column:
    """A column of a table.

    A key names its rows, and is repeated where a table is divided. The heading
    of a named column is the name of a run. If all cells of a common column are
    equal, it can become a line above the table. Where space is short, the cells
    of a short column can lose their middle, and a table can be divided before a
    column that begins a part, but not before one that stays with the column on its
    left. The cells of a marked column end in a star or blank.
    """

    heading: str
    cells: Sequence[str]
    is_right: bool = False
    is_key: bool = False
    is_common: bool = False
    is_named: bool = False
    is_short: bool = False
    begins: bool = False
    stays: bool = False
    is_marked: bool = False
    styles: dict[int, str] = field(default_factory=dict[int, str])

    @cached_property
    def is_ascii(self) -> bool:
        """Whether each character of the column takes one column of a terminal."""
        return self.heading.isascii() and "".join(self.cells).isascii()

    @cached_property
    def content(self) -> int:
        """How wide the widest cell is."""
        return max(map(len if self.is_ascii else measure, self.cells), default=0)

    @property
    def head(self) -> int:
        """How wide the heading is."""
        return max(map(measure, self.heading.split("\n")))

    @property
    def width(self) -> int:
        """How wide the column is."""
        return max(self.content, self.head)


def measure(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def lines(
    columns: Sequence[Column], gap: int = GAP, coloured: bool = False
) -> Iterator[str]:
    """Give the lines of a table: headings, a rule, rows."""
    widths = [column.width for column in columns]
    headings = [column.heading.split("\n") for column in columns]
    height = max(map(len, headings))
    above = [[*[""] * (height - len(parts)), *parts] for parts in headings]
    sheet = [
        _padded([*part, *column.cells], size, column, height if coloured else None)
        for part, column, size in zip(above, columns, widths, strict=True)
    ]
    rows = ((" " * gap).join(row).rstrip() for row in zip(*sheet, strict=True))
    for _ in range(height):
        yield next(rows)
    yield "─" * (sum(widths) + gap * (len(widths) - 1))
    yield from rows


def markdown(columns: Sequence[Column]) -> Iterator[str]:
    """Give the lines of a table in Markdown."""
    sheet = [_padded([c.heading, *c.cells], c.width, c) for c in columns]
    rows = (f"| {' | '.join(row)} |" for row in zip(*sheet, strict=True))
    yield next(rows)
    rules = ["-" * (c.width + 1) + (":" if c.is_right else "-") for c in columns]
    yield f"|{'|'.join(rules)}|"
    yield from rows


def _padded(
    texts: list[str], size: int, column: Column, first: int | None = None
) -> list[str]:
    if column.is_ascii:
        pad = str.rjust if column.is_right else str.ljust
        padded = [pad(text, size) for text in texts]
    elif column.is_right:
        padded = [" " * (size - measure(text)) + text for text in texts]
    else:
        padded = [text + " " * (size - measure(text)) for text in texts]
    if first is not None:
        for row, style in column.styles.items():
            cell, text = padded[first + row], texts[first + row]
            padded[first + row] = cell.replace(text, painted(text, style), bool(text))
    return padded


def fitted(columns: Sequence[Column], width: int, coloured: bool) -> Iterator[str]:
    """Give the lines of a table, none wider than a terminal.

    Each way to save space is tried in turn: equal cells become a line above the
    table; gaps become narrow and headings get several lines; names lose their
    middle. What is still too wide is divided into several tables.
    """
    lifted, columns = _lifted(columns) if _size(columns) > width else ([], columns)
    yield from _joined(lifted, width)
    for number, part in enumerate(_divided(columns, width)):
        if number:
            yield ""
        gap = GAP if _size(part) <= width else _NARROW
        yield from lines(_narrowed(part, width), gap, coloured)


def _narrowed(columns: Sequence[Column], width: int) -> Sequence[Column]:
    if _size(columns, _NARROW) > width:
        columns = _folded(columns)
    if _size(columns, _NARROW) > width:
        columns = _shortened(columns, width)
    if _size(columns, _NARROW) > width:
        # What is wider than a line even alone loses its middle.
        rest = _size(columns[:-1], _NARROW) + _NARROW
        columns = [*columns[:-1], _cut_to(columns[-1], max(width - rest, _SHORTEST))]
    return columns


def _size(columns: Sequence[Column], gap: int = GAP) -> int:
    return sum(column.width for column in columns) + gap * (len(columns) - 1)


def _lifted(columns: Sequence[Column]) -> tuple[list[str], Sequence[Column]]:
    equal = [c for c in columns if c.is_common and len(set(c.cells)) == 1]
    rest = [column for column in columns if column not in equal]
    if not rest:
        return [], columns
    texts = [f"{c.heading} {c.cells[0].strip()}" for c in equal if c.cells[0].strip()]
    return texts, rest


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


def _folded(columns: Sequence[Column]) -> Sequence[Column]:
    return [
        column if column.is_named else replace(column, heading=_fold(column))
        for column in columns
    ]


def _fold(column: Column) -> str:
    words = column.heading.replace("_", "_ ").replace("/", "/ ").split(" ")
    size = max(column.content, *map(measure, words))
    folded = [words[0]]
    for before, word in pairwise(words):
        blank = "" if before.endswith(("_", "/")) else " "
        longer = folded[-1] + blank + word
        if measure(longer) <= size:
            folded[-1] = longer
        else:
            folded.append(word)
    return "\n".join(folded)


def _shortened(columns: Sequence[Column], width: int) -> Sequence[Column]:
    most = max((c.width for c in columns if c.is_short or c.is_named), default=0)
    low, high = _SHORTEST, max(most, _SHORTEST)
    # The greatest limit that fits, by halving.
    while low < high:
        middle = (low + high + 1) // 2
        sizes = [_limited_width(column, middle) for column in columns]
        if sum(sizes) + _NARROW * (len(sizes) - 1) <= width:
            low = middle
        else:
            high = middle - 1
    return [_limited(column, low) for column in columns]


def _limited_width(column: Column, limit: int) -> int:
    content = min(column.content, limit) if column.is_short else column.content
    least = limit if column.is_short else max(limit, content)
    return max(content, min(column.head, least) if column.is_named else column.head)


def _limited(column: Column, limit: int) -> Column:
    heading, cells = column.heading, column.cells
    if column.is_short and column.content > limit:
        cells = [cut(cell, limit) for cell in cells]
    if column.is_named:
        limit = max(limit, 0 if column.is_short else column.content)
        heading = cut(heading, limit)
    return replace(column, heading=heading, cells=cells)


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


def _divided(columns: Sequence[Column], width: int) -> Sequence[Sequence[Column]]:
    """Return the columns in parts that fit once narrowed, each with the keys."""

    def fits(part: Sequence[Column]) -> bool:
        least = [_limited(column, _SHORTEST) for column in _folded(part)]
        return _size(least, _NARROW) <= width

    if fits(columns):
        return [columns]
    keys = [column for column in columns if column.is_key]
    others = [column for column in columns if not column.is_key]
    marks = [n for n, column in enumerate(others) if n and column.begins]
    wished = [others[i:j] for i, j in zip([0, *marks], [*marks, None], strict=True)]
    if marks and all(fits([*keys, *part]) for part in wished):
        return [[*keys, *part] for part in wished]
    starts = [n for n, column in enumerate(others) if not n or not column.stays]
    parts: list[list[Column]] = []
    for i, j in zip(starts, [*starts[1:], len(others)], strict=True):
        if not parts or not fits([*keys, *parts[-1], *others[i:j]]):
            parts.append([])
        parts[-1] += others[i:j]
    return [[*keys, *part] for part in parts]


def _cut_to(column: Column, room: int) -> Column:
    heading = "\n".join(cut(part, room) for part in column.heading.split("\n"))
    return replace(
        column, heading=heading, cells=[cut(cell, room) for cell in column.cells]
    )
