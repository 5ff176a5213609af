"""Rows for people and for programs.

Data formats are written by DuckDB itself; only tables that people read are
laid out here. Values are rounded nowhere but in those.
"""

import io
import re
from collections.abc import Callable, Container, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import duckdb

from ndcg_sql.connections import translated
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.folders import temporary_folder
from ndcg_sql.reports import OUTPUT
from ndcg_sql.targets import compress, print_all, replaced
from ndcg_sql.text import harmless
from ndcg_sql.warehouse import Warehouse

HUMAN = ("table", "markdown", "latex")
FORMATS = (*HUMAN, "csv", "tsv", "json", "jsonl", "parquet")
# The format that the end of a file's name stands for.
_SUFFIXES = {
    ".md": "markdown",
    ".tex": "latex",
    **dict.fromkeys((".run", ".qrel", ".qrels"), "trec"),
}
_COPY_OPTIONS = {
    "csv": "format csv, header",
    "tsv": "format csv, header, delimiter '\t'",
    "json": "format json, array true",
    "jsonl": "format json, array false",
    "parquet": "format parquet",
    # Fields as they are, set apart by blanks.
    "trec": "format csv, header false, delimiter ' ', quote '', escape ''",
}
Draw = Callable[[Warehouse, str], str]


def write(
    warehouse: Warehouse, form: str | None, output: Path | None, draw: Draw
) -> None:
    """Write the rows of the table OUTPUT to a file, or to standard output.

    draw lays out the formats for people. Where no format is given, the file's
    name tells it, or it is a table.
    """
    form = chosen_format(form, output, FORMATS)
    if form not in HUMAN:
        write_data(warehouse, form, output)
        return
    content = draw(warehouse, form).encode()
    file = _to_file(output)
    if file is None:
        print_all(io.BytesIO(content))
        return
    with _replaced(Path(warehouse.path), file) as path:
        path.write_bytes(content)


def write_data(warehouse: Warehouse, form: str, output: Path | None) -> None:
    """Write the rows of the table OUTPUT as DuckDB itself does."""
    with delivered(Path(warehouse.path), output) as path:
        _copy(warehouse, form, path, _to_file(output) or path.parent)


def fill(warehouse: Warehouse, form: str, path: Path, draw: Draw) -> None:
    """Write the rows of the table OUTPUT in a format to a path from delivered."""
    if form in HUMAN:
        path.write_bytes(draw(warehouse, form).encode())
    else:
        _copy(warehouse, form, path, path.parent)


@contextmanager
def delivered(
    own: Path,
    output: Path | None,
    scratch: Path | None = None,
    option: str = "-o",
) -> Generator[Path]:
    """Give a path to write to; what is there goes to a file or standard output.

    The path is in a folder of its own, beside the file or in scratch. Nothing
    is delivered after an exception, nor over own, the warehouse. option is the
    one that names the file.
    """
    file = _to_file(output)
    if file is not None:
        with _replaced(own, file, option) as path:
            yield path
        return
    with temporary_folder(scratch) as folder:
        path = folder / "output"
        yield path
        with path.open("rb") as content:
            print_all(content)


def _copy(warehouse: Warehouse, form: str, path: Path, final: Path) -> None:
    """Write the rows of the table OUTPUT to a new file, on behalf of another."""
    sql = f"copy {OUTPUT} to $path ({_COPY_OPTIONS[form]})"
    try:
        warehouse.execute(sql, {"path": str(path)})
    except duckdb.IOException as error:
        raise translated(error, str(final)) from error


def chosen_format(form: str | None, output: Path | None, known: Sequence[str]) -> str:
    """Return the format that is asked for, by name or by that of the file.

    The first one known is meant where neither says anything.
    """
    if form is not None and form not in known:
        raise NdcgSqlError(f"--format {form}: not one of {', '.join(known)}")
    name = "" if output is None else output.name.lower()
    if form is None:
        suffix = Path(name.removesuffix(".gz")).suffix
        named = _SUFFIXES.get(suffix, suffix.removeprefix("."))
        if suffix in ("", ".txt"):
            named = known[0]
        if named not in known:
            raise NdcgSqlError(
                f"-o {harmless(str(output))}: the suffix {harmless(suffix)} tells no"
                f" format; say which: --format, one of {', '.join(known)}"
            )
        form = named
    if form == "parquet" and _to_file(output) is None:
        raise NdcgSqlError("--format parquet: say where to: -o FILE")
    if form == "parquet" and name.endswith(".gz"):
        raise NdcgSqlError(
            f"-o {harmless(str(output))}: Parquet is compressed already; leave .gz out"
        )
    return form


@contextmanager
def _replaced(own: Path, file: Path, option: str = "-o") -> Generator[Path]:
    """Give a path to write to, which takes the place of a file named by an option."""
    shown = f"{option} {harmless(str(file))}"
    if file.exists() and own.exists() and file.samefile(own):
        raise NdcgSqlError(f"{shown}: the warehouse itself")
    with replaced(file, shown) as new:
        yield new
        if file.suffix.lower() == ".gz":
            compress(new)


def _to_file(output: Path | None) -> Path | None:
    """Return the file that -o names, or None where it means standard output."""
    return None if output in (Path("-"), Path("/dev/stdout")) else output


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
    """Lay cells out as a table for a terminal, as Markdown or as LaTeX.

    right holds the numbers of the columns that are set flush right; best the
    row and column numbers of the cells to be marked as the best.
    """
    head = [escaped(column, form) for column in columns]
    body = [[escaped(cell, form) for cell in row] for row in rows]
    # Digits stay below each other: beside a mark stands a blank elsewhere.
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
    """Return a table as LaTeX, with the rules of the package booktabs."""
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
    # rich leaves a blank where a box would have its edge.
    edge = "" if markdown else " "
    lines = [line.removeprefix(edge).rstrip() for line in sheet.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


# What LaTeX would act on. A bracket or star that begins a row would belong to
# the command that ends the row above.
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
    """Return text without characters that the format would act on."""
    if form == "latex":
        text = "".join(_LATEX.get(letter, letter) for letter in harmless(text))
        # An empty group keeps two dashes or quotes from becoming one character.
        return re.sub(r"([-'`,?!])(?=[-'`,])", r"\1{}", text)
    if form == "markdown":
        # An underscore inside a word is no mark of emphasis.
        text = re.sub(r"[\\|`*<>\[\]]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    return harmless(text)


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
    """Return a value as a person reads it: four decimals, seconds, nothing for null."""
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
    """Return a grade or gain as short as it can be written."""
    if value is None:
        return ""
    whole = abs(value) < 1e16 and value == int(value)
    return str(int(value)) if whole else repr(value)
