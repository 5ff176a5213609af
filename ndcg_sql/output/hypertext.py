"""Tables as HTML, as a notebook shows them."""

from collections.abc import Callable, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
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


def template(name: str, finalize: Callable[[object], object] | None = None) -> Any:
    """Return a template of this folder, which escapes what it writes.

    finalize changes each value before.
    """
    jinja: Any = import_module("jinja2")
    loader = jinja.FileSystemLoader(Path(__file__).parent)
    make = jinja.Environment(
        loader=loader, autoescape=True, finalize=finalize, keep_trailing_newline=True
    )
    return make.get_template(name)


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
    sides = [f"text-align: {'right' if c.is_right else 'left'}" for c in columns]
    head = "".join(
        f'<th scope="col" style="{side}">{column.heading}</th>'
        for side, column in zip(sides, columns, strict=True)
    )
    lines: list[str] = []
    for row in range(len(columns[0].cells) if columns else 0):
        cells = ""
        for side, column in zip(sides, columns, strict=True):
            # Long text may have several lines.
            wrapping = "" if column.content > _LONG else "white-space: nowrap"
            colour = _STYLES.get(column.styles.get(row, ""), "")
            looks = "; ".join(filter(None, [side, wrapping, colour]))
            cells += f'<td style="{looks}"><bdi>{column.cells[row]}</bdi></td>'
        lines.append(f"<tr>{cells}</tr>")
    body = "\n".join(lines)
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n"
    )
