"""A run whose file is clean: its queries, hits and rows, from reading to the tables."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters, Stream
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
    from ndcg_sql.reading.clean.files import form
    from ndcg_sql.reading.clean.texts import OddError

    lines = form(source, how, position_rule)
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
    from ndcg_sql.reading.clean.arrow import ArrowStream
    from ndcg_sql.reading.clean.files import RUN, stage_stream
    from ndcg_sql.reading.clean.rankings import part
    from ndcg_sql.reading.clean.run import CleanRun, parts

    run = CleanRun(judgment_set_id)
    [(threads,)] = database.execute(_THREADS)
    with_rows = not database.is_scratch
    read = partial(part, form=form, judged=judged, with_rows=with_rows)

    def rows() -> "Iterator[Batch]":
        for block in parts(chunks, form, read, threads):
            run.add(block)
            if block.rows is not None:
                yield block.rows
        run.end()

    if with_rows:
        stage_stream(database, ArrowStream(RUN, rows()))
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
