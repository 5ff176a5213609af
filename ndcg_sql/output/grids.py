"""Columns of text as tables: for a terminal, as Markdown, as LaTeX, as HTML.

Values are rounded only here.
"""

import re
import textwrap
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from typing import cast

from ndcg_sql.output import hypertext, latex
from ndcg_sql.output.layout import Cells, fitted, lines, markdown
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
# The best cells, and those with a raised letter, by the form of a table.
_BOLD = {
    "markdown": "**{}**",
    "latex": "\\textbf{{{}}}",
    "html": "<strong>{}</strong>",
}
_RAISED = {"latex": "\\textsuperscript{a}"}


def grid(columns: Sequence[Cells], form: str) -> str:
    """Lay columns out as a table for a terminal, as Markdown, as LaTeX or as HTML."""
    screen = SCREEN.get()
    rows = len(columns[0].cells) if columns else 0
    if screen.most and rows > screen.most:
        columns = [
            replace(
                column,
                cells=column.cells[: screen.most],
                # What the rows that are shown have in common may differ in the others.
                is_common=column.is_common and len({*column.cells}) < 2,
            )
            for column in columns
        ]
        more = f"… and {counted(rows - screen.most, 'more row')}"
        return f"{grid(columns, form)}{line(more, form)}\n"
    sheet = [
        replace(
            column, heading=escaped(column.heading, form), cells=_written(column, form)
        )
        for column in columns
    ]
    if form == "latex":
        return latex.tabular(sheet)
    if form == "html":
        return hypertext.table(sheet)
    if form == "markdown":
        drawn = markdown(sheet)
    elif screen.width is None:
        drawn = lines(sheet, coloured=screen.is_coloured)
    else:
        drawn = fitted(sheet, screen.width, screen.is_coloured)
    return "\n".join(drawn) + "\n"


def _written(column: Cells, form: str) -> Sequence[str]:
    """Return the cells of a column, escaped, with their marks."""
    cells = _all_escaped(column.cells, form)
    marked, raised = (
        [row for row in range(len(cells)) if row in some]
        for some in (column.marked, column.raised)
    )
    if not marked and not raised:
        return cells
    written = list(cells)
    # Digits stay aligned: unmarked cells of a marked column get a blank.
    other = "{} " if form == "table" and marked else "{}"
    for row, cell in enumerate(cells):
        bold = _BOLD.get(form, "{}*") if row in marked else other
        letter = _RAISED.get(form, "<sup>a</sup>") if row in raised else ""
        written[row] = bold.format(cell) + letter
    return written


def title(dataset: str, judgment_set: str, form: str) -> str:
    """Return the line that names the dataset and judgment set of a table."""
    # Markdown recognises a table only after a blank line.
    end = "\n\n" if form == "markdown" else "\n"
    return prose(f"dataset {dataset}, judgment set {judgment_set}", form) + end


def prose(text: str, form: str) -> str:
    """Return a line above or below a table; in LaTeX, a comment."""
    return f"% {harmless(text)}" if form == "latex" else line(text, form)


def below(texts: Sequence[str], form: str) -> str:
    """Return lines below a table, folded to fit a terminal."""
    blank = "\n" if form == "markdown" else ""
    fit = folded if form == "table" else str
    return "".join(f"{blank}{fit(prose(text, form))}\n" for text in texts)


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
