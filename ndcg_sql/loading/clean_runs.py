"""A run whose file is clean: its queries, hits and rows, from reading to the tables."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters, Stream
from ndcg_sql.reading.fast import run_of_first
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source

# What reads clean files needs numpy, which takes a tenth of a second to import.
if TYPE_CHECKING:
    from ndcg_sql.reading.clean.judged import Judged
    from ndcg_sql.reading.clean.rankings import Batch, Form
    from ndcg_sql.reading.clean.run import CleanRun

_THREADS = "select current_setting('threads')"


def read(
    database: Database,
    source: Source,
    how: Layout,
    position_rule: str,
    chunks: Iterable[bytes],
    dataset: str | None,
) -> "CleanRun | None":
    """Read the content of a file; None if it must be read in another way.

    Its documents are looked for among the newest judgments of the dataset; None means
    none. The rows are staged, unless the database is for a single command.
    """
    from ndcg_sql.reading.clean.forms import form
    from ndcg_sql.reading.clean.texts import OddError

    lines = form(source, how, position_rule, run_of_first(source, how))
    if lines is None:
        return None
    try:
        judgment_set_id, judged = _judged(database, dataset)
        return _read(database, lines, chunks, judgment_set_id, judged)
    except OddError:
        return None


def _judged(database: Database, dataset: str | None) -> "tuple[int | None, Judged]":
    from ndcg_sql.reading.clean.judged import Judged

    sets: list[tuple[int, str]] = []
    if dataset is not None and not database.is_new:
        newest = "lookups/newest_judgment_set"
        sets += database.run(newest, {"dataset": dataset})
    if not sets:
        return None, Judged(b"")
    ids = {"judgment_set_id": sets[0][0]}
    [(texts,)] = database.run("lookups/judged_texts", ids)
    return sets[0][0], Judged((texts or "").encode())


def _read(
    database: Database,
    form: "Form",
    chunks: Iterable[bytes],
    judgment_set_id: int | None,
    judged: "Judged",
) -> "CleanRun":
    """Read and stage a file; raise OddError if it must be read in another way."""
    from ndcg_sql.reading.clean.arrow import DOUBLE, INTEGER, TEXT, ArrowStream
    from ndcg_sql.reading.clean.run import CleanRun, parts

    run = CleanRun(judgment_set_id)
    [(threads,)] = database.execute(_THREADS)
    with_rows = not database.is_scratch

    def rows() -> "Iterator[Batch]":
        for part in parts(chunks, form, judged, threads, with_rows):
            run.add(part)
            if part.rows is not None:
                yield part.rows
        run.end()

    if with_rows:
        types = {"query_id": TEXT, "doc_id": TEXT, "position": INTEGER, "score": DOUBLE}
        stream = ArrowStream(types, rows())
        with database.received("read_rows", stream):
            # No message needs the line number of a row without faults.
            columns = "cast(null as tinyint) as line_number, *"
            database.execute(
                "create or replace temp table staged as"
                f" select {columns} from read_rows"
            )
    else:
        for _ in rows():
            pass
    return run


def store_queries(database: Database, run: "CleanRun", parameters: Parameters) -> None:
    """Store the queries of a run, and how many documents it returned for each."""
    from ndcg_sql.reading.clean.arrow import INTEGER, TEXT, ArrowStream

    types = {"query_id": TEXT, "retrieved": INTEGER}
    stream = ArrowStream(types, iter(run.queries))
    with database.received("read_queries", stream):
        database.execute(
            "insert into run_queries by name"
            " select $run_id as run_id, * from read_queries",
            parameters,
        )


def hits(run: "CleanRun") -> Stream:
    """Return the hits of a run, as a stream for the view read_hits."""
    from ndcg_sql.reading.clean.arrow import INTEGER, TEXT, ArrowStream

    texts = dict.fromkeys(("query_id", "doc_id"), TEXT)
    numbers = dict.fromkeys(("position", "tie_first", "tie_last"), INTEGER)
    return ArrowStream({**texts, **numbers}, iter(run.hits))
