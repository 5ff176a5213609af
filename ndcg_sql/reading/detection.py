"""Which format a file has, detected from its content, then from its suffix."""

import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import formats as package
from ndcg_sql.reading.columns import DESCRIBED, NO_RUNS, Kind
from ndcg_sql.reading.formats.headless import run_lines
from ndcg_sql.reading.layouts import FORM, Format, Layout, Reading, ReadRequest
from ndcg_sql.reading.sources import (
    Source,
    check_encoding,
    first_line,
    in_encoding,
    without_comments,
)
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, named, use

# The columns whose numbers may have decimal commas.
_NUMBERS = ("score", "rank", "grade", "weight")


@cache
def formats() -> dict[str, Format]:
    """Return every format by name."""
    modules = [
        import_module(f"{package.__name__}.{module.name}")
        for module in iter_modules(package.__path__)
    ]
    held: list[Format] = [form for module in modules for form in module.FORMATS]
    # TSV stands beside CSV.
    held.sort(key=lambda form: form.name.replace("tsv", "csv2"))
    return {form.name: form for form in held}


def format_of(source: Source, kind: Kind, reading: Reading) -> Format:
    """Return the format of a file; raise NdcgSqlError if format_in is wrong."""
    source = in_encoding(source, reading.encoding)
    return _chosen(_request(source, kind, reading), source)


def _chosen(request: ReadRequest, source: Source) -> Format:
    """Return the format that the user chose, or the surest one."""
    name = request.reading.format_in
    if name is None:
        return max(formats().values(), key=lambda form: form.sniff(request))
    form = formats()[name]
    if source.binary != (form.name if form.is_binary else None):
        raise source.error(f"not {form.name}", "omit " + named("format_in"))
    return form


def _request(source: Source, kind: Kind, reading: Reading) -> ReadRequest:
    _, first = first_line(source)
    name = re.sub(r"\.(gz|zstd?|bz2|xz|zip)$", "", source.shown.lower())
    suffix = name.rpartition(".")[2]
    return ReadRequest(kind, reading, first, suffix, source.binary)


def layout(source: Source, kind: Kind, reading: Reading) -> Layout:
    """Return how to read a file of a kind; one that names no queries has one query."""
    wanted = dict.fromkeys((*reading.wanted, *reading.where))
    reading = replace(reading, wanted=tuple(wanted))
    source = in_encoding(source, reading.encoding)
    if reading.encoding is None:
        check_encoding(source)
    has_grade = kind == "judgments" and reading.grade is not None
    elsewhere = reading.elsewhere + ("query_id",) * (reading.query is not None)
    elsewhere += ("grade",) * has_grade
    request = _request(source, kind, replace(reading, elsewhere=elsewhere))
    form = _chosen(request, source)
    if not request.first_line and source.binary is None:
        # No line can be read; the checks report what is wrong with each.
        return run_lines(without_comments(source), NO_RUNS)
    is_named = bool(reading.columns) and not reading.many_files
    if is_named and not form.has_columns and kind not in DESCRIBED:
        raise source.error(
            f"a file of the format {form.name} has no named columns",
            Text("omit ", named("columns"), ", or use ", use(format_in="csv")),
        )
    if kind == "run" and reading.unit is not None and not form.has_columns:
        raise _no_column(source, form, reading.unit)
    # It is a guess unless the user chose it or the first line has its form.
    is_guess = reading.format_in is None and form.sniff(request) < FORM
    how = form.layout(source, request)
    # A header that names the columns shows that the format is right.
    if is_guess and not form.delimiters:
        how = replace(how, guess=form.name)
    if not form.has_columns:
        if kind == "run" and reading.run_column not in (None, NO_RUNS, how.run_column):
            raise _no_column(source, form, reading.run_column, how.run_column)
        for name in reading.wanted:
            if name != how.run_column or "run" not in how.fields:
                raise _no_column(source, form, name, how.run_column)
        # Only the column that names runs has a name there.
        wanted = dict.fromkeys(reading.wanted, how.fields.get("run", 0))
        how = replace(how, attributes=wanted)
    if how.is_list or ("doc_id" not in how.fields and kind not in DESCRIBED):
        place = {"document_field": how.fields.get("doc_id")}
        how = how.with_front("doc_id", "read/named_by_row", place)
    if has_grade:
        if "grade" in how.fields:
            raise source.error("states its grades", "omit " + named("grade"))
        grade = repr((reading.grade or 0) + 0)
        how = how.with_front("grade", "read/one_grade", {"grade": grade})
    columns = tuple(c for c in _NUMBERS if c in how.fields and c not in how.typed)
    if columns and reading.decimal == "," and not has_grade:
        places = {"number_fields": [how.fields[column] for column in columns]}
        how = how.with_front(columns, "read/decimal_commas", places)
    has_query, query = "query_id" in how.fields, reading.query
    if has_query and not (query is None or reading.many_files or kind == "documents"):
        raise source.error("names its queries", "omit " + named("query"))
    if not has_query and kind != "documents":
        if query is None:
            way = Text("name its query: ", use(query="ID"))
            remedy = "is this the right file?" if kind == "clicks" else way
            raise source.error("names no queries", remedy)
        how = how.with_front("query_id", "read/one_query", {"query": query})
    return how.with_rows_of(reading.where) if reading.where else how


def _no_column(
    source: Source, form: Format, name: str | None, run_column: str | None = None
) -> NdcgSqlError:
    """Return the error for a column of a file without a header."""
    what = f"{source.shown}: a file of the format {form.name} has no column"
    return NdcgSqlError(
        f"{what} {quoted(name)}",
        f"its last column is called {run_column}" if run_column else "",
    )
