"""The form that the lines of a clean file must have, and its rows in a table."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from ndcg_sql.database.database import Database
from ndcg_sql.reading import checks
from ndcg_sql.reading.checks import RowsOf
from ndcg_sql.reading.clean.arrays import Words
from ndcg_sql.reading.clean.arrow import DOUBLE, INTEGER, TEXT, ArrowStream
from ndcg_sql.reading.clean.rankings import (
    BLANKS,
    CONTROLS,
    Batch,
    Form,
    Judged,
    check_once,
    judgments,
    part,
)
from ndcg_sql.reading.clean.run import parts
from ndcg_sql.reading.clean.texts import OddError
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.lines import first_line
from ndcg_sql.reading.sources import Source, file_chunks

_RULES = ("score", "score32")
# Columns of numbers that name or rank; an empty one is left to the strict reading.
_FILLED = ("query_id", "doc_id", "score", "grade", "run", "rank")
_IDS = {"query_id": TEXT, "doc_id": TEXT}
# The types of the rows of a run, and of judgments.
RUN = {**_IDS, "position": INTEGER, "score": DOUBLE}
_JUDGMENTS = {**_IDS, "grade_text": TEXT, "grade": DOUBLE}


def form(
    source: Source, how: Layout, position_rule: str, kind: str = "run"
) -> Form | None:
    """Return the form of the lines of a run or of judgments.

    None if they may have several.
    """
    # In TREC files, the iteration of all judgments is mostly the same.
    number, same = ("score", "run") if kind == "run" else ("grade", "subtopic")
    fewest, most = how.field_range
    if fewest != most or how.added or position_rule not in _RULES:
        return None
    if not {"query_id", "doc_id", number} <= how.fields.keys() or "label" in how.fields:
        return None
    value = of_first(source, how, same)
    if same in how.fields and not value:
        return None
    if how.apart_by == "blanks":
        separator = "\t" if "\t" in first_line(source)[1] else " "
        filled, controls, header_lines = range(most), BLANKS, 0
    elif how.apart_by == "delimiter" and (kind == "run" or not value):
        separator = how.parameters["delimiter"]
        filled = [how.fields[name] - 1 for name in _FILLED if name in how.fields]
        controls, header_lines = CONTROLS, how.parameters["header_line"]
    else:
        return None
    return Form(
        separator.encode(),
        most,
        how.fields["query_id"] - 1,
        how.fields["doc_id"] - 1,
        how.fields[number] - 1,
        (how.fields[same] - 1, value.encode()) if value else None,
        tuple(filled),
        controls,
        header_lines,
        position_rule,
    )


def of_first(source: Source, how: Layout, column: str) -> str | None:
    """Return what the first row has in a column; None if it has other columns."""
    if column not in how.fields:
        return None
    if how.apart_by == "blanks":
        fields = first_line(source)[1].split()
    elif how.apart_by == "delimiter":
        with source.text() as lines:
            row = next(islice(lines, how.parameters["header_line"], None), "")
        fields = row.rstrip("\n").split(how.parameters["delimiter"])
    else:
        return None
    is_whole = len(fields) == how.field_range[1]
    return fields[how.fields[column] - 1] if is_whole else None


def stage_clean(
    database: Database,
    kind: Literal["run", "judgments"],
    source: Source,
    how: Layout,
    rows_of: RowsOf,
) -> bool:
    """Read the rows of a file into the table staged, those of a run by their scores.

    Returns False if the file must be read strictly, or if its rows break one of the
    checks that sql/checks.csv calls clean: those that a well-formed row can break.
    """
    lines = None if source.faults else form(source, how, "score", kind)
    if lines is None:
        return False
    keys: list[Words] = []
    [(threads,)] = database.execute("select current_setting('threads')")

    def read(content: bytes) -> tuple[Words, Batch]:
        if kind == "judgments":
            return judgments(content, lines)
        block = part(content, lines, Judged(b""), with_rows=True)
        return block.keys, block.rows or {}

    def batches() -> Iterator[Batch]:
        for of_block, rows in parts(file_chunks(source.readable), lines, read, threads):
            keys.append(of_block)
            yield rows
        check_once(keys)

    types = RUN if kind == "run" else _JUDGMENTS
    try:
        stage_stream(database, ArrowStream(types, batches()))
    except OddError:
        return False
    clean = [check for check in checks.of(rows_of).values() if check.is_clean]
    return not any(database.execute(f"from ({one.select}) limit 1") for one in clean)


def stage_stream(database: Database, stream: ArrowStream) -> None:
    """Read batches into the table staged; raise what ended them early."""
    # No message needs the number of a line without faults; judgments may have labels.
    columns = "cast(null as tinyint) as line_number, cast(null as varchar) as label, *"
    with database.received("read_rows", stream):
        database.execute(
            f"create or replace temp table staged as select {columns} from read_rows"
        )
