"""Rows, runs and judgment sets written to files and standard output."""

import re
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import duckdb

from ndcg_sql import options
from ndcg_sql.comparison.answers import Answer, Rows
from ndcg_sql.database.connections import is_database, translated
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KINDS, Entry, check_rankings, choose_entry
from ndcg_sql.output.documents import floated, laid_out
from ndcg_sql.output.layout import Screen
from ndcg_sql.system import files, terminal
from ndcg_sql.text import counted, harmless, quoted
from ndcg_sql.wording import FILE, Text, Wording, named, use

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
# What tells our own pages and figures, and the suffixes that they have.
FIGURE = "figure of ndcg-sql"
_OWN = {
    "page": ('<meta name="generator" content="ndcg-sql', (".html", ".htm")),
    "figure": (FIGURE, (".svg", ".png", ".pdf")),
}
# What the first lines of TREC's files look like.
_TREC = {
    "judgments": re.compile(rb"\S+\s+\S+\s+\S+\s+[-+.0-9e]+\s*"),
    "a run": re.compile(rb"\S+\s+Q0\s+\S+\s+\d+\s+[-+.0-9eE]+\s+\S+\s*"),
}
# Among this number of bytes, so many lines are looked at.
_NEAR, _LINES = 4096, 3
EXPORTS: tuple[str, ...] = get_args(options.ExportFormat)


@dataclass(frozen=True)
class Printing:
    """Where the rows of an answer go, in which format, and what LaTeX calls them."""

    form: str | None = None
    output: Path | None = None
    caption: str | None = None
    label: str | None = None


def check_printing(printing: Printing, inputs: Sequence[Path] = ()) -> None:
    """Raise NdcgSqlError if an answer cannot be written so, or over an input."""
    form = chosen_format(printing.form, printing.output, FORMATS)
    if file := _to_file(printing.output):
        shown = use(output=str(file))
        if is_database(file):
            raise NdcgSqlError("a database", "name another file", where=shown)
        if any(file.exists() and one.exists() and file.samefile(one) for one in inputs):
            raise NdcgSqlError("this file is to be read", "name another", where=shown)
    check_output(printing.output, form)
    for name in ("caption", "label"):
        if getattr(printing, name) is not None and form != "latex":
            raise NdcgSqlError("only with " + use(form="latex"), where=named(name))


def check_output(output: Path | None, form: str, force: bool = False) -> None:
    """Raise NdcgSqlError if nothing can be written to an output in a format."""
    if file := _to_file(output):
        check_file(file, form, use(output=str(file)), force)


def check_file(file: Path, form: str, shown: Wording, force: bool = False) -> None:
    """Raise NdcgSqlError if a file cannot be written to, or has other lines of TREC."""
    files.check_target(file, shown)
    if force or form == "tsv" or not file.is_file():
        return
    with files.refused(shown), file.open("rb") as content:
        lines = content.read(_NEAR).splitlines()[:_LINES]
    for kind, pattern in _TREC.items():
        if lines and kind != form and all(map(pattern.fullmatch, lines)):
            raise NdcgSqlError(
                f"the file has lines of {kind}, which would be lost",
                "name another file, or remove it",
                where=shown,
            )


def check_own(file: Path, noun: str, force: bool) -> None:
    """Raise NdcgSqlError if a page or figure of ours cannot be written to a file."""
    shown = use(**{"html" if noun == "page" else "output": str(file)})
    files.check_target(file, shown)
    mark, suffixes = _OWN[noun]
    if file.suffix.lower() not in suffixes:
        problem = f"the suffix must be one of {', '.join(suffixes)}"
        raise NdcgSqlError(problem, where=shown)
    if not force and files.is_foreign(file, mark, shown):
        raise NdcgSqlError(
            f"exists and is not a {noun} of ndcg-sql",
            "name another file, or replace it with " + use(force=True),
            where=shown,
        )


def write(answer: Answer, printing: Printing, warehouse: Path) -> None:
    """Write the rows of an answer to a file, or to standard output."""
    form, output = printing.form, printing.output
    form = chosen_format(form, output, FORMATS)
    if form not in HUMAN:
        write_data(answer.rows, form, output, warehouse)
        return
    screen = Screen()
    if form == "table" and _to_file(output) is None:
        is_coloured = terminal.is_coloured(sys.stdout)
        screen = Screen(terminal.width(), is_coloured=is_coloured)
    drawn = laid_out(answer, form, screen)
    if form == "latex":
        drawn = floated(drawn, printing.caption, printing.label)
    if _to_file(output) is None:
        files.print_text(drawn)
    else:
        with delivered(warehouse, output) as path:
            path.write_bytes(drawn.encode())


def write_data(rows: Rows, form: str, output: Path | None, warehouse: Path) -> None:
    """Write rows with DuckDB's own writers."""
    with delivered(warehouse, output) as path:
        _copy(rows, form, path, _to_file(output) or path.parent)


def fill(answer: Answer, form: str, path: Path) -> None:
    """Write an answer in a format to a path from delivered."""
    if form in HUMAN:
        path.write_bytes(laid_out(answer, form, Screen()).encode())
    else:
        _copy(answer.rows, form, path, path.parent)


@contextmanager
def delivered(
    warehouse: Path,
    output: Path | None,
    scratch: Path | None = None,
    shown: Wording = "",
) -> Generator[Path]:
    """Give a path to write to; its content goes to a file or standard output.

    Nothing is delivered after an exception, nor over the warehouse.
    """
    file = _to_file(output)
    if file is None:
        with files.temporary_folder(scratch) as folder:
            path = folder / "output"
            yield path
            with path.open("rb") as content:
                files.print_all(content)
        return
    shown = shown or use(output=str(file))
    if file.exists() and warehouse.exists() and file.samefile(warehouse):
        raise NdcgSqlError("the warehouse itself", where=shown)
    if is_database(file):
        raise NdcgSqlError("a database", "name another file", where=shown)
    with files.replaced(file, shown) as new:
        yield new
        if file.suffix.lower() == ".gz":
            files.compress(new)


def _copy(rows: Rows, form: str, path: Path, final: Path) -> None:
    sql = f"copy {rows.table} to $path ({_COPY_OPTIONS[form]})"
    try:
        rows.database.execute(sql, {"path": str(path)})
    except duckdb.IOException as error:
        raise translated(error, str(final)) from error


def chosen_format(form: str | None, output: Path | None, formats: Sequence[str]) -> str:
    """Return the format, by name or by the suffix of the file, or the first one."""
    name = "" if output is None else output.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    shown = use(output=str(output))
    if form is not None and form not in formats:
        raise NdcgSqlError(f"not one of {', '.join(formats)}", where=use(form=form))
    if form is None and suffix in ("", ".txt"):
        form = formats[0]
    form = form or _SUFFIXES.get(suffix, suffix.removeprefix("."))
    if form not in formats:
        raise NdcgSqlError(
            f"the suffix {harmless(suffix)} names no format",
            "say which: " + named("form") + f", one of {', '.join(formats)}",
            where=shown,
        )
    if form == "parquet" and _to_file(output) is None:
        raise NdcgSqlError("name a file: " + use(output=FILE), where=use(form=form))
    if form == "parquet" and name.endswith(".gz"):
        raise NdcgSqlError("Parquet is already compressed", "omit .gz", where=shown)
    return form


def _to_file(output: Path | None) -> Path | None:
    """Return the file of an output, or None if it means standard output."""
    return None if output in (Path("-"), Path("/dev/stdout")) else output


def export(
    database: Database,
    kind_word: str,
    name: str,
    dataset: str | None,
    output: Path | None,
    form: str | None,
) -> Wording:
    """Write a run or a judgment set; return the message for the user."""
    kind = KINDS[kind_word]
    entry = choose_entry(database, kind, name, dataset)
    form = chosen_format(form, output, EXPORTS)
    trec = "a run" if kind == "run" else kind_word
    check_output(output, trec if form == "trec" else form)
    exported = _run if kind == "run" else _judgments
    file, queries, what, faults, more = exported(database, entry, form)
    rows = Rows.of(database, f"exports/{file}", {"id": entry.id})

    def fault(form: str) -> str | None:
        for row in database.run("exports/unfit_text", {"form": form}):
            unfit = f"{row[2]}: query {quoted(row[0])}, document {quoted(row[1])}"
            return faults.get(form, unfit)
        return faults.get(form)

    shown = f"{kind} {quoted(entry.name)}"
    with database.hide("answer_rows", f"from {rows.table}"):
        if reason := fault(form):
            able = ", ".join(other for other in EXPORTS if not fault(other))
            remedy = "use " + named("form") + f", one of {able}"
            raise NdcgSqlError(f"{form} cannot hold {reason}", remedy, where=shown)
        write_data(rows, form, output, Path(database.path))
    counts = f"{counted(queries, 'query', 'queries')}, {what}"
    return Text(f"exported {shown}: {counts}") + more


# The file that selects the rows of an entry, its queries, what else it has, what some
# formats cannot hold of it, and how the message goes on.
_Exported = tuple[str, int, str, dict[str, str], Wording]


def _run(database: Database, run: Entry, form: str) -> _Exported:
    check_rankings([run], "export")
    [described] = database.run("exports/described_run", {"id": run.id})
    queries, documents, rule, scores, infinite = described
    faults = {} if scores else {"trec": "a run without scores"}
    if infinite:
        faults |= dict.fromkeys(("json", "jsonl"), "infinite scores")
    file = "trec_run" if form == "trec" else "run" if scores else "ranks"
    again = "; load it again with " + use(position_rule=rule)
    more = "" if rule == "score" else again
    return file, queries, counted(documents, "document"), faults, more


def _judgments(database: Database, judgment_set: Entry, form: str) -> _Exported:
    ids = {"id": judgment_set.id}
    [(queries, judgments, labels)] = database.run("exports/described_judgments", ids)
    [(subtopics, names, each)] = database.run("lookups/counts_subtopics", ids)
    rows = "subtopic_judgments" if subtopics else "judgments"
    # Where its second field is always the same, it names no subtopics.
    faults = {"trec": "a single subtopic"} if names == 1 else {}
    what = counted(each if subtopics else judgments, "judgment")
    what += f" for {counted(subtopics, 'subtopic')}" if subtopics else ""
    is_trec, lost = form == "trec", "; without its labels, which trec cannot hold"
    file = "trec_judgments" if is_trec else rows
    return file, queries, what, faults, lost if is_trec and labels else ""
