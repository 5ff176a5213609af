"""How a file is read: the SQL files that do it, and where its columns stand."""

import csv
from collections import Counter
from dataclasses import dataclass, field, replace

import duckdb

from ndcg_sql import columns, formats, json_files
from ndcg_sql.columns import COLUMNS, Kind
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.files import Source, glob_safe, write_records
from ndcg_sql.formats import Format, Reading
from ndcg_sql.text import check_name, listed, number, quoted
from ndcg_sql.warehouse import Parameters

# Fields apart by blanks: the place of each column, how many fields a line may
# have, and what is said of a line with others.
_Fields = tuple[dict[str, int], tuple[int, int], str]
_TREC_RUN = {"query_id": 1, "doc_id": 3, "rank": 4, "score": 5, "tag": 6}
_BLANK_SEPARATED: dict[tuple[Format, Kind], _Fields] = {
    ("trec", "run"): (_TREC_RUN, (6, 6), "6 (query Q0 document rank score run)"),
    ("trec", "judgments"): (
        {"query_id": 1, "doc_id": 3, "grade": 4},
        (4, 4),
        "4 (query 0 document grade)",
    ),
    ("msmarco", "run"): (
        {"query_id": 1, "doc_id": 2, "rank": 3},
        (3, 3),
        "3 (query document rank)",
    ),
    ("ntcireval", "run"): ({"doc_id": 1}, (1, 2), "1 or 2 (document label)"),
    ("ntcireval", "judgments"): (
        {"doc_id": 1, "grade": 2},
        (2, 2),
        "2 (document label)",
    ),
}
_BLANK_SEPARATED["msmarco", "judgments"] = _BLANK_SEPARATED["trec", "judgments"]
for _form in ("trec", "msmarco", "ntcireval"):
    _BLANK_SEPARATED[_form, "assessments"] = _BLANK_SEPARATED[_form, "judgments"]
# The types of Parquet columns that hold exact ids, or more than one value.
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_ID_TYPES = {"VARCHAR", "UUID", *_WHOLE, *("U" + name for name in _WHOLE)}
_NESTED_TYPES = ("STRUCT", "MAP", "UNION", "BLOB")


@dataclass(frozen=True)
class Layout:
    """How to read a file.

    steps are SQL files, each of which reads the rows of the one before it
    (source_rows). fields are the places of the columns in what the last one
    gives; the first added of them are not of the file. A line has field_range
    fields (from, to). left_out are columns of queries that are no attributes.
    """

    steps: tuple[str, ...]
    parameters: Parameters
    fields: dict[str, int]
    field_range: tuple[int, int]
    expected: str
    attributes: dict[str, int] = field(default_factory=dict[str, int])
    left_out: tuple[str, ...] = ()
    added: int = 0
    by_row: bool = False

    def with_front(self, column: str, step: str, parameters: Parameters) -> "Layout":
        """Return a layout with one more step, which puts a column in front."""
        return replace(
            self,
            steps=(*self.steps, step),
            parameters={**self.parameters, **parameters},
            fields={c: at + 1 for c, at in self.fields.items()} | {column: 1},
            added=self.added + 1,
        )


def layout(
    source: Source,
    kind: Kind,
    reading: Reading,
    group_sizes: list[int] | None = None,
) -> tuple[Layout, Source]:
    """Return how to read a file of a kind.

    A file that names no queries is of one query, or has so many rows of each
    as group_sizes say.
    The source may be another one afterwards: rows that a reader wrote down.
    """
    form = formats.format_of(source, kind, reading)
    _, first = formats.first_line(source)
    if not first and not source.is_parquet:
        # No line can be read; the checks will tell each one's fault.
        return _blank_separated(source, "trec", "run"), source
    one_query = reading.query is not None or group_sizes is not None
    how, source = _own_layout(source, kind, form, reading, one_query)
    if form == "letor" or ("doc_id" not in how.fields and kind != "queries"):
        # A list: its documents may have no names.
        place = {"document_field": how.fields.get("doc_id")}
        how = how.with_front("doc_id", "load/named_by_row", place)
    if "query_id" not in how.fields and not one_query:
        remedy = (
            "say how many rows each query has: --groups FILE"
            if form == "letor"
            else "name its query: --query ID"
        )
        raise NdcgSqlError(f"{source.shown}: it names no queries; {remedy}")
    if "query_id" in how.fields and one_query and not reading.many_files:
        option = "--query" if reading.query is not None else "--groups"
        raise NdcgSqlError(f"{source.shown}: it names its queries; leave {option} out")
    if "query_id" in how.fields:
        return how, source
    if group_sizes is not None:
        sizes: Parameters = {"group_sizes": group_sizes}
        how = how.with_front("query_id", "load/grouped", sizes)
    elif reading.query is not None:
        how = how.with_front("query_id", "load/one_query", {"query": reading.query})
    return how, source


def _own_layout(
    source: Source, kind: Kind, form: Format, reading: Reading, one_query: bool
) -> tuple[Layout, Source]:
    """Return how to read a file, its queries apart."""
    elsewhere = ("query_id",) if one_query else ()
    if form == "parquet":
        return _parquet(source, kind, reading, elsewhere), source
    if form in ("json", "jsonl"):
        return _json(source, kind, form, reading, elsewhere)
    if form in ("csv", "tsv"):
        return _delimited(source, kind, form, reading, elsewhere)
    if kind == "queries" and form == "msmarco":
        return _text_of_queries(source), source
    if kind == "queries":
        raise NdcgSqlError(
            f"{source.shown}: queries come as CSV or TSV with a header line, JSON or"
            " Parquet; if this is CSV, say --format-in csv"
        )
    if reading.columns and not reading.many_files:
        raise NdcgSqlError(
            f"{source.shown}: a file of the format {form} has no named columns; leave"
            " --column out, or say --format-in csv"
        )
    if form != "letor":
        return _blank_separated(source, form, kind), source
    if kind == "run":
        raise NdcgSqlError(
            f"{source.shown}: a list for learning to rank holds judgments; to load"
            " scores of its rows: ndcg-sql load run SCORES --rows-of LIST"
        )
    return _letor(source), source


def _letor(source: Source) -> Layout:
    """Return how to read a list for learning to rank; its first row is the model."""
    _, first = formats.first_line(source)
    places = {"grade": 1, "doc_id": 3}
    if any(part.startswith("qid:") for part in first.split()[1:2]):
        places["query_id"] = 2
    expected = "grade qid:QUERY feature:value... # DOCUMENT"
    steps = ("load/lines", "load/letor")
    path: Parameters = {"path": glob_safe(source.readable)}
    return Layout(steps, path, places, (3, 3), expected)


def _blank_separated(source: Source, form: Format, kind: Kind) -> Layout:
    """Return how to read a file whose fields are apart by blanks."""
    fields, field_range, expected = _BLANK_SEPARATED[form, kind]
    steps = ("load/lines", "load/blank_separated")
    path: Parameters = {"path": glob_safe(source.readable)}
    return Layout(steps, path, fields, field_range, expected)


def _text_of_queries(source: Source) -> Layout:
    """Return how to read queries and their texts, apart by a tab, without a header."""
    parameters: Parameters = {
        "path": glob_safe(source.readable),
        "delimiter": "\t",
        "header_line": 0,
    }
    steps = ("load/lines", "load/delimited")
    places = {"query_id": 1, "text": 2}
    return Layout(steps, parameters, places, (2, 2), "2 (query text)")


def scores(source: Source) -> Layout:
    """Return how to read a file of scores, one for each row of what is listed."""
    return Layout(
        ("load/lines", "load/blank_separated", "load/scores"),
        {"path": glob_safe(source.readable)},
        {"query_id": 1, "doc_id": 2, "score": 3},
        (3, 3),
        "a score, or query, index and score with the query of the list's row",
    )


def _delimited(
    source: Source,
    kind: Kind,
    form: Format,
    reading: Reading,
    elsewhere: tuple[str, ...],
) -> tuple[Layout, Source]:
    """Return how to read CSV or TSV; by numbers of columns if it has no header."""
    header_line, first = formats.first_line(source)
    for fault in source.faults:
        if fault.line < header_line:
            raise NdcgSqlError(
                f"{source.shown}:{fault.line}: {fault.reason}\n"
                "The header cannot be told; nothing was loaded. Correct the file and"
                " run the same command again."
            )
    named = _named(kind, reading)
    # Without a header nothing tells it; a semicolon may be a part of an id.
    delimiter = formats.delimiter(form, "" if _by_number(named) else first)
    header = next(csv.reader([first], delimiter=delimiter))
    expected = f"{len(header)} as in the header"
    if _is_headless(header, named):
        # There are no comments among rows of data.
        header_line, first = formats.first_line(source, comments=False)
        header = next(csv.reader([first], delimiter=delimiter))
        header = [str(place) for place in range(1, len(header) + 1)]
        header_line -= 1
        expected = f"{len(header)} as in the first line"
        elsewhere = (*elsewhere, "doc_id")
    fields = columns.fields(source.shown, kind, header, named, elsewhere)
    attributes = _attributes(source, kind, header, fields)
    parameters: Parameters = {"delimiter": delimiter, "header_line": header_line}
    steps = ("load/lines", "load/delimited")
    if b'"' in source.marks:
        records = source.folder / "records"
        faults = write_records(source, delimiter, header_line, records)
        source = replace(source, readable=records, faults=(*source.faults, *faults))
        steps = ("load/records",)
    parameters["path"] = glob_safe(source.readable)
    width = (len(header), len(header))
    return Layout(steps, parameters, fields, width, expected, attributes), source


def _is_headless(first: list[str], named: dict[str, str]) -> bool:
    """Tell whether a first line is data, and what the user names are its columns."""
    counted = [str(place) for place in range(len(first) + 1)]
    if first in (counted[:-1], counted[1:]):
        # Numbers that some tool made up for a header.
        return False
    is_data = all(number(name) is not None for name in first)
    return _by_number(named) and (is_data or not set(named.values()) <= set(first))


def _by_number(named: dict[str, str]) -> bool:
    """Tell whether a user names columns, and all of them by numbers."""
    return bool(named) and all(name.isdecimal() for name in named.values())


def _named(kind: Kind, reading: Reading) -> dict[str, str]:
    """Return what a user calls the columns; of those for other files none."""
    if not reading.many_files:
        return reading.columns
    return {c: name for c, name in reading.columns.items() if c in COLUMNS[kind]}


def _attributes(
    source: Source, kind: Kind, header: list[str], fields: dict[str, int]
) -> dict[str, int]:
    """Return the places of what else is known of queries; refuse odd names."""
    if kind != "queries":
        return {}
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise NdcgSqlError(
            f"{source.shown}: several columns are called {listed(twice)}; rename one"
        )
    used = fields.values()
    places = {name: i for i, name in enumerate(header, 1) if i not in used}
    for name in places:
        fault = check_name("attribute", name)
        if fault:
            raise NdcgSqlError(f"{source.shown}: {fault}; rename the column")
    return places


def _json(
    source: Source,
    kind: Kind,
    form: Format,
    reading: Reading,
    elsewhere: tuple[str, ...],
) -> tuple[Layout, Source]:
    """Return how to read JSON, whose rows are written down as records."""
    table = json_files.table(source, kind, form)
    named = _named(kind, reading)
    # Where no line is an object, their faults are told.
    header = table.header or list(COLUMNS[kind])
    fields = columns.fields(source.shown, kind, header, named, elsewhere)
    others = _attributes(source, kind, header, fields)
    attributes = [name for name in others if name not in table.nested]
    records = source.folder / "records"
    keys = {column: header[at - 1] for column, at in fields.items()}
    faults = table.write(keys, attributes, records)
    source = replace(source, readable=records, faults=(*source.faults, *faults))
    width = len(keys) + len(attributes)
    how = Layout(
        ("load/records",),
        {"path": glob_safe(records)},
        {column: at for at, column in enumerate(keys, 1)},
        (width, width),
        str(width),
        {name: at for at, name in enumerate(attributes, len(keys) + 1)},
        tuple(name for name in others if name in table.nested),
        by_row=table.by_row,
    )
    return how, source


def _parquet(
    source: Source, kind: Kind, reading: Reading, elsewhere: tuple[str, ...]
) -> Layout:
    """Return how to read a Parquet file; refuse ids that are no exact text."""
    path = glob_safe(source.readable)
    try:
        with duckdb.connect() as connection:
            described = connection.execute(
                "describe from read_parquet($path, hive_partitioning = false)",
                {"path": path},
            ).fetchall()
    except duckdb.Error as error:
        raise damaged_parquet(source) from error
    types = {str(row[0]): str(row[1]) for row in described}
    header = list(types)
    fields = columns.fields(
        source.shown, kind, header, _named(kind, reading), elsewhere
    )
    for column in ("query_id", "doc_id"):
        name = header[fields[column] - 1] if column in fields else None
        if name is not None and types[name] not in _ID_TYPES:
            raise NdcgSqlError(
                f"{source.shown}: column {quoted(name)} is {types[name]}; ids are text"
                " or whole numbers"
            )
    others = _attributes(source, kind, header, fields)
    nested = [
        name
        for name in others
        if types[name].endswith("]") or types[name].startswith(_NESTED_TYPES)
    ]
    used = [header[at - 1] for at in fields.values()]
    chosen = [n for n in header if n in used or (n in others and n not in nested)]
    places = {name: at for at, name in enumerate(chosen, 1)}
    return Layout(
        ("load/parquet",),
        {"path": path, "names": chosen},
        {column: places[header[at - 1]] for column, at in fields.items()},
        (len(chosen), len(chosen)),
        str(len(chosen)),
        {name: places[name] for name in others if name in places},
        tuple(nested),
    )


def damaged_parquet(source: Source) -> NdcgSqlError:
    """Return what to say of a Parquet file that DuckDB cannot read."""
    return NdcgSqlError(
        f"{source.shown}: the Parquet file is damaged (DuckDB cannot read it);"
        " fetch or write it again"
    )
