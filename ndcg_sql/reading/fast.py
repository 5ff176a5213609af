"""Fast reading of files without anything unusual, without checking single lines.

Anything unusual, wrong or not, is left to the strict reading, which knows its line.
So this may refuse what the strict reading accepts, but never the reverse.
"""

from itertools import islice

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.reading import checks
from ndcg_sql.reading.checks import RowsOf
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.lines import first_line
from ndcg_sql.reading.sources import Source, count
from ndcg_sql.reading.staging import is_damage

# The number of rows from which on numpy looks for repeated rows, ...
_MANY = 1 << 19
# ... and the number that it holds in memory at once.
_AT_ONCE = 1 << 24
# The types of Parquet that are a double without their text.
_NUMBERS = (
    *("DOUBLE", "FLOAT", "TINYINT", "SMALLINT", "INTEGER", "BIGINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER"),
)
# What staged rows have beside their ids.
_STAGED = {
    "run": "number as score",
    "judgments": (
        "number_text as grade_text, nullif(trim(label), '') as label, number as grade"
    ),
}


def stage_fast(
    database: Database,
    kind: str,
    source: Source,
    how: Layout,
    rows_of: RowsOf,
    position_rule: str = "score",
) -> bool:
    """Read the rows of a clean run or judgment file into the table staged.

    Returns False if the file must be read strictly, or if its rows break one of
    the checks that sql/checks.csv calls clean: those that a well-formed row can
    still break.
    """
    every = checks.every()
    needed = [check for check in checks.of(rows_of).values() if check.is_clean]
    if how.steps == ("read/parquet",):
        parameters = _of_parquet(database, kind, how, position_rule)
        steps = ("read/clean_parquet",)
        # In a text file, such characters are known before.
        needed += [every["nul"], every["blank_like"]]
    else:
        parameters = _parameters(kind, source, how, rows_of, position_rule)
        steps = ("read/fields", "store/clean_rows")
    if parameters is None:
        return False
    rows = sql_files.composed(steps)
    # No message needs the line number of a row without faults.
    columns = f"cast(null as tinyint) as line_number, query_id, doc_id, {_STAGED[kind]}"
    make = "create or replace temp table staged as"
    try:
        database.execute(f"{make} select {columns} from ({rows})", parameters)
    except duckdb.Error as error:
        if is_damage(error, source):
            return False
        raise
    lines: int = parameters.get("rows", source.line_count - parameters["header_line"])
    if lines == 0 or database.execute("select count(*) from staged") != [(lines,)]:
        return False
    if not _is_once(database, lines):
        return False
    return not any(
        database.execute(f"from ({check.select}) limit 1", parameters)
        for check in needed
    )


def _of_parquet(
    database: Database, kind: str, how: Layout, position_rule: str
) -> Parameters | None:
    """Return how to read a Parquet file whose scores or grades are numbers, or None."""
    number = "score" if kind == "run" else "grade"
    if set(how.fields) != {"query_id", "doc_id", number} or position_rule == "given":
        return None
    path = {"path": how.parameters["path"]}
    rows = "from read_parquet($path, hive_partitioning = false)"
    query, doc, score = (
        how.parameters["names"][how.fields[column] - 1]
        for column in ("query_id", "doc_id", number)
    )
    types = {row[0]: row[1] for row in database.execute(f"describe {rows}", path)}
    if types[score] not in _NUMBERS or len({query, doc, score}) < 3:
        return None
    names = {"query_column": query, "doc_column": doc, "number_column": score}
    [(count,)] = database.execute(f"select count(*) {rows}", path)
    return {**path, **names, "rows": count, "header_line": 0}


def _is_once(database: Database, rows: int) -> bool:
    """Return whether no document occurs twice for a query.

    Two documents may have the same hash; False then only means a slower reading.
    numpy sorts many hashes in a third of the processor time that DuckDB needs to
    count them; for few, it is not worth importing.
    """
    if rows < _MANY:
        once = "select count(distinct hash(query_id, doc_id)) = count(*) from staged"
        return database.execute(once) == [(True,)]
    sql = sql_files.read("lookups/hashes")
    parts = -(-rows // _AT_ONCE)
    for part in range(parts):
        hashes = database.column(sql, {"parts": parts, "part": part})
        hashes.sort()
        if (hashes[1:] == hashes[:-1]).any():
            return False
    return True


def run_of_first(source: Source, how: Layout) -> str | None:
    """Return the name of the run in the first row of a file that is read fast.

    All of its rows have that run. Returns None if the file names no runs.
    """
    if "run" not in how.fields:
        return None
    if how.apart_by == "blanks":
        return first_line(source)[1].split()[-1]
    with source.readable.open(encoding="utf-8", newline="\n") as lines:
        row = next(islice(lines, how.parameters["header_line"], None), "")
    fields = row.rstrip("\n").split(how.parameters["delimiter"])
    return fields[how.fields["run"] - 1] if len(fields) == how.field_range[1] else None


def _iteration_of_first(source: Source) -> str:
    """Return the second field of a file of judgments in TREC's form, or nothing.

    If another line has another one, they are subtopics, which are read strictly.
    """
    return "".join(first_line(source)[1].split()[1:2])


def _is_odd(source: Source) -> bool:
    """Return whether lines of a file have faults, or what other tools split at."""
    return bool(source.faults or source.marks & {b"\v", b"\f"})


def is_delimited(source: Source, how: Layout) -> bool:
    """Return whether every line has as many delimiters as the header, and no quotes."""
    if how.apart_by != "delimiter" or _is_odd(source):
        return False
    delimiter = how.parameters["delimiter"]
    # DuckDB ignores a delimiter at the end of a line.
    delimiters = source.line_count * (how.field_range[1] - 1)
    if how.parameters["header_line"] > 1:
        return False
    if b"\t" in source.marks and delimiter != "\t":
        return False
    return count(source.readable, delimiter) == delimiters


def _parameters(
    kind: str, source: Source, how: Layout, rows_of: RowsOf, position_rule: str
) -> Parameters | None:
    """Return how to read a file whose lines all have one form, or None."""
    if how.apart_by == "blanks":
        how = how.without("subtopic")
    elif "subtopic" in how.fields:
        return None
    fewest, most = how.field_range
    if fewest != most or _is_odd(source):
        return None
    # Ranks are compared with each other, by their lines.
    if kind == "run" and (position_rule == "given" or "score" not in how.fields):
        return None
    header_line = 0
    separators = source.marks & {b" ", b"\t"}
    if how.apart_by == "blanks" and len(separators) == 1:
        delimiter = next(iter(separators)).decode()
    elif is_delimited(source, how):
        delimiter = how.parameters["delimiter"]
        header_line = how.parameters["header_line"]
    else:
        return None
    number = "score" if kind == "run" else "grade"
    names = {place: column for column, place in how.fields.items()}
    names[how.fields[number]] = "number"
    # Only TREC's own files have required fields without a meaning.
    unnamed = {2: "iteration", 6: "run"} if how.apart_by == "blanks" else {}
    columns = [
        names.get(place) or unnamed.get(place, f"field_{place}")
        for place in range(1, most + 1)
    ]
    return {
        "path": how.parameters["path"],
        "delimiter": delimiter,
        "header_line": header_line,
        "columns": dict.fromkeys(columns, "VARCHAR"),
        "run": run_of_first(source, how),
        "iteration": (
            _iteration_of_first(source)
            if rows_of == "judgments" and how.apart_by == "blanks"
            else None
        ),
        "has_signs": not source.marks.isdisjoint((b"+", b"_")),
    }
