"""Rows for people and for programs.

Data formats are written by DuckDB itself; only tables that people read are
laid out here. Values are rounded nowhere but in those.
"""

import io
import re
import shutil
import sys
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.folders import temporary_folder
from ndcg_sql.reports import OUTPUT
from ndcg_sql.text import harmless
from ndcg_sql.warehouse import Warehouse

FORMATS = ("table", "csv", "tsv", "json", "markdown", "parquet")
HUMAN = ("table", "markdown")
_COPY_OPTIONS = {
    "csv": "format csv, header",
    "tsv": "format csv, header, delimiter '\t'",
    "json": "format json, array true",
    "parquet": "format parquet",
}
Draw = Callable[[Warehouse, str], str]


def write(warehouse: Warehouse, form: str, output: Path | None, draw: Draw) -> None:
    """Write the rows of the table OUTPUT to a file, or to standard output.

    draw lays out the human formats. A file is written beside its final name
    and renamed, so a failure leaves the old one.
    """
    if form not in FORMATS:
        raise NdcgSqlError(f"--format {form}: not one of {', '.join(FORMATS)}")
    if form == "parquet" and output is None:
        raise NdcgSqlError("--format parquet: say where to: -o FILE")
    folder = output.absolute().parent if output else None
    if folder is not None and not folder.is_dir():
        raise NdcgSqlError(f"-o {harmless(str(output))}: the directory does not exist")
    if output is not None and output.is_dir():
        raise NdcgSqlError(f"-o {harmless(str(output))}: a directory")
    own = Path(warehouse.path)
    if output is not None and output.exists() and own.exists() and output.samefile(own):
        raise NdcgSqlError(f"-o {harmless(str(output))}: the warehouse itself")
    try:
        with temporary_folder(folder) as scratch:
            file = scratch / "output"
            if form in HUMAN:
                file.write_text(draw(warehouse, form), encoding="utf-8")
            else:
                warehouse.execute(
                    f"copy {OUTPUT} to $path ({_COPY_OPTIONS[form]})",
                    {"path": str(file)},
                )
            if output is not None:
                file.replace(output)
                return
            with file.open("rb") as written:
                shutil.copyfileobj(written, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except PermissionError as error:
        raise NdcgSqlError(f"-o {harmless(str(output))}: {error.strerror}") from error


def fetch(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Return the rows of the table OUTPUT by column name."""
    return warehouse.records(f"from {OUTPUT}")


def grid(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    form: str,
    right: Container[int] = (),
    best: Container[tuple[int, int]] = (),
) -> str:
    """Lay cells out as a table for a terminal or as Markdown.

    right holds the numbers of the columns that are set flush right; best the
    row and column numbers of the cells to be marked as the best.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    markdown = form == "markdown"
    table = Table(box=box.MARKDOWN if markdown else box.SIMPLE_HEAD, pad_edge=markdown)
    for c, column in enumerate(columns):
        justify = "right" if c in right else "left"
        table.add_column(Text(escaped(column, form)), justify=justify, no_wrap=True)
    # Digits stay below each other: beside a mark stands a blank elsewhere.
    marked = [
        any((r, c) in best for r in range(len(rows))) for c in range(len(columns))
    ]
    for r, row in enumerate(rows):
        cells: list[Text] = []
        for c, cell in enumerate(row):
            text = escaped(cell, form)
            if markdown:
                text = f"**{text}**" if (r, c) in best else text
            elif marked[c]:
                text += "*" if (r, c) in best else " "
            cells.append(Text(text))
        table.add_row(*cells)
    sheet = io.StringIO()
    Console(file=sheet, width=1_000_000, color_system=None).print(table)
    # rich leaves a blank where a box would have its edge.
    edge = "" if markdown else " "
    lines = [line.removeprefix(edge).rstrip() for line in sheet.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def escaped(cell: str, form: str) -> str:
    """Return a cell's text without characters that the format would act on."""
    if form == "markdown":
        # An underscore inside a word is no mark of emphasis.
        cell = re.sub(r"[\\|`*<>\[\]]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", cell)
    return harmless(cell)


def rows_as_they_are(warehouse: Warehouse, form: str) -> str:
    """Lay out the rows of the table OUTPUT, one cell a value."""
    found = fetch(warehouse)
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
    """Return a value as a person reads it: four decimals, nothing for null."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    return str(value)


def plain(value: float | None) -> str:
    """Return a grade or gain as short as it can be written."""
    if value is None:
        return ""
    whole = abs(value) < 1e16 and value == int(value)
    return str(int(value)) if whole else repr(value)
