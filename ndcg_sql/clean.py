"""Files with nothing odd about them: read fast, without a look at single lines.

Whatever is odd, wrong or not, is left to the strict reading, which knows its
line. So this may refuse what that accepts, but never the other way round.
"""

from ndcg_sql import sqlfiles
from ndcg_sql.columns import Kind
from ndcg_sql.files import Source, count
from ndcg_sql.formats import first_line
from ndcg_sql.layouts import Layout
from ndcg_sql.staging import composed
from ndcg_sql.warehouse import Parameters, Warehouse

# From how many rows on numpy looks for what stands twice, ...
_MANY = 1 << 19
# ... and how many it looks at together, as none of them is on disk.
_AT_ONCE = 1 << 24


def stage_clean(
    warehouse: Warehouse,
    kind: Kind,
    source: Source,
    how: Layout,
    position_rule: str = "score",
    checks: tuple[str, ...] = (),
) -> bool:
    """Read the rows of a clean file into the temporary table staged.

    Returns False where the file must be read strictly, or its rows break one
    of these checks.
    """
    parameters = _parameters(kind, source, how, position_rule)
    if parameters is None:
        return False
    steps = composed(("load/fields", "store/clean_rows", f"store/clean_{kind}"))
    warehouse.execute(f"create or replace temp table staged as {steps}", parameters)
    lines = source.line_count - parameters["header_line"]
    if lines == 0 or warehouse.execute("select count(*) from staged") != [(lines,)]:
        return False
    if not _is_once(warehouse, lines):
        return False
    return not any(
        warehouse.execute(f"from ({sqlfiles.read(check)}) limit 1", parameters)
        for check in checks
    )


def _is_once(warehouse: Warehouse, rows: int) -> bool:
    """Tell whether no document stands twice for a query.

    Hashes tell none that does from two documents, but never the other way
    round. numpy sorts many of them in a third of the processor time in which
    DuckDB counts them; for few, it is not worth its import.
    """
    if rows < _MANY:
        return warehouse.run("reports/hashes_once") == [(True,)]
    sql = sqlfiles.read("reports/hashes")
    parts = -(-rows // _AT_ONCE)
    for part in range(parts):
        hashes = warehouse.column(sql, {"parts": parts, "part": part})
        hashes.sort()
        if (hashes[1:] == hashes[:-1]).any():
            return False
    return True


def _parameters(
    kind: Kind, source: Source, how: Layout, position_rule: str
) -> Parameters | None:
    """Return how to read a file whose lines have one form; None if they cannot."""
    fewest, most = how.field_range
    if fewest != most or source.faults or source.marks & {b"\v", b"\f"}:
        return None
    # Ranks are compared with each other, by their lines.
    if kind == "run" and (position_rule == "given" or "score" not in how.fields):
        return None
    header_line = 0
    separators = source.marks & {b" ", b"\t"}
    if how.steps == ("load/lines", "load/blank_separated") and len(separators) == 1:
        delimiter = next(iter(separators)).decode()
    elif how.steps == ("load/lines", "load/delimited"):
        delimiter = how.parameters["delimiter"]
        header_line = how.parameters["header_line"]
        # DuckDB takes one at the end of a line for nothing.
        delimiters = source.line_count * (most - 1)
        if header_line > 1 or count(source.readable, delimiter) != delimiters:
            return None
        if b"\t" in source.marks and delimiter != "\t":
            return None
    else:
        return None
    number = "score" if kind == "run" else "grade"
    names = {place: column for column, place in how.fields.items()}
    names[how.fields[number]] = "number"
    # Only TREC's own files have fields without a meaning that must be there.
    is_trec = how.steps[1] == "load/blank_separated"
    columns = [
        names.get(place, "iteration" if is_trec else f"field_{place}")
        for place in range(1, most + 1)
    ]
    tag = first_line(source)[1].split()[-1] if "tag" in how.fields else None
    return {
        "path": how.parameters["path"],
        "delimiter": delimiter,
        "header_line": header_line,
        "columns": dict.fromkeys(columns, "VARCHAR"),
        "tag": tag,
        "has_signs": not source.marks.isdisjoint((b"+", b"_")),
    }
