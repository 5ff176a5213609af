"""Rows laid out as tables: for a terminal, as Markdown, as LaTeX, as HTML.

Values are rounded only here.
"""

import re
import textwrap
from collections.abc import Collection, Container, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from types import NoneType
from typing import cast

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.output import hypertext, latex
from ndcg_sql.output.layout import Column, fitted, lines, markdown
from ndcg_sql.text import counted, harmless


@dataclass(frozen=True)
class Screen:
    """What a table is laid out for: columns, if limited, and whether in colour.

    Of more than most rows, the first are shown.
    """

    width: int | None = None
    _: KW_ONLY
    most: int | None = None
    is_coloured: bool = False


_PLAIN = Screen()
SCREEN: ContextVar[Screen] = ContextVar("screen", default=_PLAIN)


@dataclass(frozen=True)
class Shape:
    """How a table may change to fit a terminal; columns are given by number.

    Common columns become a line above the table if all their cells are equal. Whole
    columns keep their text. Named columns are headed by the name of a run.
    """

    common: Container[int] = ()
    whole: Container[int] = ()
    named: Container[int] = ()


def grid(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    form: str,
    right: Container[int] = (),
    best: Collection[tuple[int, int]] = (),
    shape: Shape | None = None,
    styles: Mapping[tuple[int, int], str] | None = None,
    letters: Collection[tuple[int, int]] = (),
) -> str:
    """Lay cells out as a table for a terminal, as Markdown, as LaTeX or as HTML.

    right holds the numbers of the right-aligned columns; best the row and column
    numbers of the cells to mark as the best, styles those of coloured ones, and
    letters those of cells with a raised letter.
    """
    shape = shape or Shape()
    most = SCREEN.get().most
    if most and len(rows) > most:
        # What the rows that are shown have in common may differ in the others.
        same = {c for c, side in enumerate(zip(*rows, strict=True)) if len({*side}) < 2}
        common = [c for c in same if c in shape.common]
        shape = replace(shape, common=common)
        some = rows[:most]
        first = grid(columns, some, form, right, best, shape, styles, letters)
        more = f"… and {counted(len(rows) - most, 'more row')}"
        return f"{first}{line(more, form)}\n"
    sides = zip(*rows, strict=True) if rows else [()] * len(columns)
    painted: dict[int, dict[int, str]] = {}
    for (r, c), style in {**dict.fromkeys(best, "best"), **(styles or {})}.items():
        painted.setdefault(c, {})[r] = style
    sheet = [
        Column(
            escaped(heading, form),
            _raised(
                _marked(_all_escaped(cells, form), _rows(best, c), form),
                _rows(letters, c),
                form,
            ),
            is_right=c in right,
            is_common=c in shape.common,
            is_named=c in shape.named,
            is_short=c not in right and c not in shape.whole,
            styles=painted.get(c, {}),
        )
        for c, (heading, cells) in enumerate(zip(columns, sides, strict=True))
    ]
    if form == "latex":
        return latex.tabular(sheet)
    if form == "html":
        return hypertext.table(sheet)
    if form == "markdown":
        drawn = markdown(sheet)
    else:
        screen = SCREEN.get()
        if screen.width is None:
            drawn = lines(sheet, coloured=screen.is_coloured)
        else:
            drawn = fitted(sheet, screen.width, screen.is_coloured)
    return "\n".join(drawn) + "\n"


# The best cells, by the form of a table.
_BOLD = {
    "markdown": "**{}**",
    "latex": "\\textbf{{{}}}",
    "html": "<strong>{}</strong>",
}


def _marked(cells: Sequence[str], best: Collection[int], form: str) -> Sequence[str]:
    if not best:
        return cells
    # Digits stay aligned: unmarked cells of a marked column get a blank.
    bold = _BOLD.get(form, "{}*")
    other = "{} " if form == "table" else "{}"
    return [
        (bold if row in best else other).format(cell) for row, cell in enumerate(cells)
    ]


def _rows(cells: Collection[tuple[int, int]], column: int) -> set[int]:
    return {row for row, other in cells if other == column}


def _raised(cells: Sequence[str], rows: Collection[int], form: str) -> Sequence[str]:
    if not rows:
        return cells
    letter = "\\textsuperscript{a}" if form == "latex" else "<sup>a</sup>"
    return [cell + letter if row in rows else cell for row, cell in enumerate(cells)]


def prose(text: str, form: str) -> str:
    """Return a line above or below a table; in LaTeX, a comment."""
    return f"% {harmless(text)}" if form == "latex" else line(text, form)


def folded(text: str) -> str:
    """Return a line in lines that fit the terminal, if it is one, the rest indented."""
    width = SCREEN.get().width
    if width is None:
        return text
    return textwrap.fill(
        text,
        width,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def below(texts: Sequence[str], form: str) -> str:
    """Return lines below a table, folded to fit a terminal."""
    blank = "\n" if form == "markdown" else ""
    fit = folded if form == "table" else str
    return "".join(f"{blank}{fit(prose(text, form))}\n" for text in texts)


def line(text: str, form: str) -> str:
    """Return a line that belongs to a table."""
    return hypertext.paragraph(text) if form == "html" else escaped(text, form)


def _all_escaped(cells: Sequence[str], form: str) -> Sequence[str]:
    """Return cells with the special characters of the format escaped."""
    # Most columns of a long table have none.
    joined = " ".join(cells)
    if escaped(joined, form) == joined:
        return cells
    return [escaped(cell, form) for cell in cells]


def escaped(text: str, form: str) -> str:
    """Return text with the special characters of the format escaped."""
    if form == "latex":
        return latex.escaped(text)
    if form == "html":
        return hypertext.escaped(text)
    if form == "markdown":
        # An underscore inside a word does not mark emphasis.
        text = re.sub(r"[\\|`*<>\[\]]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    return harmless(text)


def rows_as_they_are(answer: Answer, form: str) -> str:
    """Lay out rows, one cell per value."""
    rows = answer.rows.relation.fetchall()
    if not rows:
        return ""
    columns = answer.rows.columns
    sides = list(zip(*rows, strict=True))
    numeric = {
        c
        for c, side in enumerate(sides)
        if all(isinstance(value, (int, float, NoneType)) for value in side)
    }
    times = {c for c, side in enumerate(sides) if datetime in map(type, side)}
    cells = [[shown(value) for value in row] for row in rows]
    # A single row has nothing in common with others, and times agree by accident.
    common = set(range(len(columns))) - times if len(rows) > 1 else ()
    return grid(columns, cells, form, numeric, shape=Shape(common, times))


def shown(value: object) -> str:
    """Return a value for people: four decimals, whole seconds, nothing for null."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
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
