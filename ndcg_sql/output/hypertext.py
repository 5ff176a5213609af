"""Tables as HTML, as a notebook shows them."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib import import_module
from typing import Any

from ndcg_sql.output.layout import Cells
from ndcg_sql.text import harmless

# How cells look; a notebook has no style sheet of ours.
_STYLES = {
    "best": "font-weight: bold",
    "better": "color: #0067a3",
    "worse": "color: #b84a00",
}
# Cells of so many characters are no longer a name, a number, an interval or a time.
_LONG = 24


def escaped(text: str) -> str:
    """Return text that HTML shows as it is."""
    return escape(harmless(text))


def inline(html: str) -> Any:
    """Return HTML, a style, a script or JSON that a template leaves as it is."""
    return import_module("markupsafe").Markup(html)


def paragraph(text: str) -> str:
    """Return a line above or below a table."""
    return f"<p>{escaped(text)}</p>"


def preformatted(text: str) -> str:
    """Return lines as they are."""
    return f"<pre>{escape(text)}</pre>\n"


def table(columns: Sequence[Cells]) -> str:
    """Return a table; its headings and cells are HTML."""
    head = "".join(
        f'<th scope="col" style="{_side(column)}">{column.heading}</th>'
        for column in columns
    )
    rows = range(len(columns[0].cells)) if columns else ()
    body = "\n".join(f"<tr>{''.join(_cells(columns, row))}</tr>" for row in rows)
    parts = [
        "<table>",
        f"<thead><tr>{head}</tr></thead>",
        f"<tbody>\n{body}\n</tbody>",
        "</table>",
        "",
    ]
    return "\n".join(parts)


def _cells(columns: Sequence[Cells], row: int) -> Iterator[str]:
    for column in columns:
        style = _STYLES.get(column.styles.get(row, ""), "")
        # Long text may have several lines.
        wrapping = "" if column.content > _LONG else "white-space: nowrap"
        looks = [_side(column), wrapping, style]
        style = "; ".join(filter(None, looks))
        yield f'<td style="{style}"><bdi>{column.cells[row]}</bdi></td>'


def _side(column: Cells) -> str:
    return f"text-align: {'right' if column.is_right else 'left'}"
