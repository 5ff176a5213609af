"""Rows written to files and standard output, in formats for programs and people.

DuckDB writes the formats for programs; Python lays out only those for people.
"""

import io
import re
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ndcg_sql.database.connections import is_database, translated
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output import latex
from ndcg_sql.output.grids import SCREEN, Screen
from ndcg_sql.system import terminal
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.output_files import check_target, compress, print_all, replaced
from ndcg_sql.text import harmless, quoted

HUMAN = ("table", "markdown", "latex")
FORMATS = (*HUMAN, "csv", "tsv", "json", "jsonl", "parquet")
# The formats of file suffixes that are not format names themselves.
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
    # Plain fields, separated by blanks.
    "trec": "format csv, header false, delimiter ' ', quote '', escape ''",
}
Draw = Callable[[Database, str], str]


def captioned(
    form: str | None,
    output: Path | None,
    caption: str | None,
    label: str | None,
) -> Callable[[Draw], Draw]:
    """Return what gives tables a caption and a label, which need LaTeX."""
    is_latex = check_output(form, output) == "latex"
    for option, text in (("--caption", caption), ("--label", label)):
        if text is not None and not is_latex:
            raise NdcgSqlError(f"{option}: only with --format latex")
    if label is not None and not re.fullmatch(r"[\w:./+-]+", label, re.ASCII):
        raise NdcgSqlError(
            f"--label {quoted(label)}: use only letters, digits and :./+-_, such as"
            " tab:results"
        )
    if not is_latex:
        return lambda draw: draw
    return lambda draw: lambda d, f: latex.floated(draw(d, f), caption, label)


def check_output(
    form: str | None, output: Path | None, inputs: Sequence[Path] = ()
) -> str:
    """Return the format; raise NdcgSqlError if output cannot be written so.

    It is not written over one of the inputs. Call this before anything is read or
    computed, which may take long.
    """
    form = chosen_format(form, output, FORMATS)
    if file := _to_file(output):
        shown = _shown(file)
        check_target(file, shown)
        _check_no_database(file, shown)
        if any(file.exists() and one.exists() and file.samefile(one) for one in inputs):
            raise NdcgSqlError(f"{shown}: this file is to be read; name another")
    return form


def write(
    database: Database, form: str | None, output: Path | None, draw: Draw
) -> None:
    """Write the rows of the table OUTPUT to a file, or to standard output.

    draw lays out the formats for people. The default format follows from the
    file's suffix; without one, it is a table.
    """
    form = chosen_format(form, output, FORMATS)
    if form not in HUMAN:
        write_data(database, form, output)
        return
    file = _to_file(output)
    is_screen = form == "table" and file is None
    before = SCREEN.set(_screen() if is_screen else Screen())
    try:
        content = draw(database, form).encode()
    finally:
        SCREEN.reset(before)
    if file is None:
        print_all(io.BytesIO(content))
        return
    with _replaced(Path(database.path), file) as path:
        path.write_bytes(content)


def _screen() -> Screen:
    """Return what standard output shows."""
    return Screen(
        terminal.width(), terminal.is_coloured(sys.stdout), terminal.has_blocks()
    )


def write_data(database: Database, form: str, output: Path | None) -> None:
    """Write the rows of the table OUTPUT with DuckDB's own writers."""
    with delivered(Path(database.path), output) as path:
        _copy(database, form, path, _to_file(output) or path.parent)


def fill(database: Database, form: str, path: Path, draw: Draw) -> None:
    """Write the rows of the table OUTPUT in a format to a path from delivered."""
    if form in HUMAN:
        path.write_bytes(draw(database, form).encode())
    else:
        _copy(database, form, path, path.parent)


@contextmanager
def delivered(
    own: Path,
    output: Path | None,
    scratch: Path | None = None,
    option: str = "-o",
) -> Generator[Path]:
    """Give a path to write to; its content goes to a file or standard output.

    The path is in a folder of its own, next to the file or in scratch. Nothing
    is delivered after an exception, nor over own, the warehouse. option is the
    name of the option with the file.
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


def _copy(database: Database, form: str, path: Path, final: Path) -> None:
    """Write the rows of the table OUTPUT to a new file; errors name final instead."""
    sql = f"copy {OUTPUT} to $path ({_COPY_OPTIONS[form]})"
    try:
        database.execute(sql, {"path": str(path)})
    except duckdb.IOException as error:
        raise translated(error, str(final)) from error


def chosen_format(form: str | None, output: Path | None, known: Sequence[str]) -> str:
    """Return the format, given by name or by the suffix of the file.

    Without either, it is the first one known.
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
                f"-o {harmless(str(output))}: the suffix {harmless(suffix)} names no"
                f" format; say which: --format, one of {', '.join(known)}"
            )
        form = named
    if form == "parquet" and _to_file(output) is None:
        raise NdcgSqlError("--format parquet: name a file: -o FILE")
    if form == "parquet" and name.endswith(".gz"):
        raise NdcgSqlError(
            f"-o {harmless(str(output))}: Parquet is already compressed; omit .gz"
        )
    return form


@contextmanager
def _replaced(own: Path, file: Path, option: str = "-o") -> Generator[Path]:
    """Give a path to write to, which then replaces the file named by an option."""
    shown = _shown(file, option)
    if file.exists() and own.exists() and file.samefile(own):
        raise NdcgSqlError(f"{shown}: the warehouse itself")
    _check_no_database(file, shown)
    with replaced(file, shown) as new:
        yield new
        if file.suffix.lower() == ".gz":
            compress(new)


def _check_no_database(file: Path, shown: str) -> None:
    """Raise NdcgSqlError if a file is a database, which rows would destroy."""
    if is_database(file):
        raise NdcgSqlError(f"{shown}: a database; name another file")


def _shown(file: Path, option: str = "-o") -> str:
    """Return the file that an option names, for messages."""
    return f"{option} {harmless(str(file))}"


def _to_file(output: Path | None) -> Path | None:
    """Return the file that -o names, or None if it means standard output."""
    return None if output in (Path("-"), Path("/dev/stdout")) else output
