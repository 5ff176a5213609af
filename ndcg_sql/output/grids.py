"""Rows laid out as tables: for a terminal, as Markdown, as LaTeX.

Values are rounded only here.
"""

import io
import re
from collections.abc import Container, Sequence
from datetime import datetime
from typing import Any, cast

from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT
from ndcg_sql.text import harmless


def fetch(database: Database) -> list[dict[str, Any]]:
    """Return the rows of the table OUTPUT by column name."""
    return database.records(f"from {OUTPUT}")


def grid(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    form: str,
    right: Container[int] = (),
    best: Container[tuple[int, int]] = (),
) -> str:
    """Lay cells out as a table for a terminal, as Markdown or as LaTeX.

    right holds the numbers of the right-aligned columns; best the row and column
    numbers of the cells to mark as the best.
    """
    head = [escaped(column, form) for column in columns]
    body = [[escaped(cell, form) for cell in row] for row in rows]
    # Digits stay aligned: unmarked cells of a marked column get a blank.
    marked = {c for r in range(len(rows)) for c in range(len(head)) if (r, c) in best}
    bold = {"markdown": "**{}**", "latex": "\\textbf{{{}}}"}.get(form, "{}*")
    other = "{} " if form == "table" else "{}"
    for r, row in enumerate(body):
        for c in marked:
            row[c] = (bold if (r, c) in best else other).format(row[c])
    if form == "latex":
        return _latex(head, body, right)
    return _boxed(head, body, right, markdown=form == "markdown")


def _latex(
    head: Sequence[str], body: Sequence[Sequence[str]], right: Container[int]
) -> str:
    """Return a table as LaTeX with the package booktabs."""
    letters = "".join("r" if c in right else "l" for c in range(len(head)))
    lines = [" & ".join(row) + r" \\" for row in (head, *body)]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            rf"\begin{{tabular}}{{{letters}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _boxed(
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    right: Container[int],
    markdown: bool,
) -> str:
    """Return a table for a terminal or as Markdown."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.MARKDOWN if markdown else box.SIMPLE_HEAD, pad_edge=markdown)
    for c, column in enumerate(head):
        justify = "right" if c in right else "left"
        table.add_column(Text(column), justify=justify, no_wrap=True)
    for row in body:
        table.add_row(*(Text(cell) for cell in row))
    sheet = io.StringIO()
    Console(file=sheet, width=1_000_000, color_system=None).print(table)
    # rich leaves a blank in place of the edge of the box.
    edge = "" if markdown else " "
    lines = [line.removeprefix(edge).rstrip() for line in sheet.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


# The special characters of LaTeX. A bracket or star that begins a row would belong
# to the command that ends the row above.
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    **{letter: "\\" + letter for letter in "&%$#_{}"},
    **{letter: f"{{{letter}}}" for letter in "[]*"},
}


def escaped(text: str, form: str) -> str:
    """Return text with the special characters of the format escaped."""
    if form == "latex":
        text = "".join(_LATEX.get(letter, letter) for letter in harmless(text))
        # An empty group keeps two dashes or quotes from becoming one character.
        return re.sub(r"([-'`,?!])(?=[-'`,])", r"\1{}", text)
    if form == "markdown":
        # An underscore inside a word does not mark emphasis.
        text = re.sub(r"[\\|`*<>\[\]]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    return harmless(text)


def rows_as_they_are(database: Database, form: str) -> str:
    """Lay out the rows of the table OUTPUT, one cell per value."""
    found = fetch(database)
    if not found:
        return ""
    columns = list(found[0])
    numeric = {
        i
        for i, column in enumerate(columns)
        if all(isinstance(row[column], (int, float, type(None))) for row in found)
    }
    cells = [[shown(row[column]) for column in columns] for row in found]
    return grid(columns, cells, form, numeric)


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
