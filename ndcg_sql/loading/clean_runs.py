"""Files with nothing unusual: read without a look at single lines, runs by numpy."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters, Stream
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.naming import is_pattern
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sheets import SUBTOPIC, Rows, Sheet, namer_of
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.glimpses import LARGE, Glimpse
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source, file_chunks
from ndcg_sql.text import number

# What reads clean files needs numpy, which takes a tenth of a second to import.
if TYPE_CHECKING:
    from ndcg_sql.reading.clean.judged import Judged
    from ndcg_sql.reading.clean.rankings import Batch, Form
    from ndcg_sql.reading.clean.run import CleanRun

# How many lines show whether ranks are worth a closer look.
_LINES = 2000
# The options with which single lines must be looked at.
_ODD = (
    *("rows_of", "query", "base", "decimal", "encoding", "run_at_column", "unit"),
    *("unit_before", "tag_columns", "where", "duplicates"),
)


def may_be_clean(kind: Ranked, options: Options) -> bool:
    """Return whether a clean file can be read without looking at single lines."""
    usual = Options()
    is_usual = all(getattr(options, one) == getattr(usual, one) for one in _ODD)
    return kind == "run" and is_usual and not is_pattern(options.name)


def glimpsed_rows(
    database: Database, options: Options, glimpse: Glimpse
) -> Rows | None:
    """Return what the rows of a file are of which only the beginning was looked at.

    None means that it must be looked at whole.
    """
    try:
        how, _ = layout(glimpse.source, "run", options)
        rows = _clean_rows(database, glimpse.source, how, options, glimpse.chunks)
        return rows if glimpse.is_sound() else None
    except (NdcgSqlError, OSError):
        # The file may be damaged, or no longer there.
        return None


def _clean_rows(
    database: Database,
    source: Source,
    how: Layout,
    options: Options,
    chunks: Iterable[bytes],
) -> Rows | None:
    """Return what the rows of a clean run are; None if it must be read otherwise."""
    from ndcg_sql.reading.clean.files import run_of_first

    if how.apart_by == "other" or how.parameters.get("delimiter") == ";":
        # Its rows are no plain lines, or its numbers may have decimal commas.
        return None
    if not options.is_rule_chosen and is_suspect(source, how):
        return None
    rule = options.position_rule
    dataset = options.dataset if options.evaluate else None
    clean = read(database, source, how, rule, chunks, dataset)
    if clean is None:
        return None
    run = run_of_first(source, how) or None
    return Rows(how, rule, run=run, namer=namer_of(how), clean=clean)


def quick_rows(sheet: Sheet, source: Source, is_glimpsed: bool) -> Rows | None:
    """Return what the rows of a large, clean file are; None for any other file.

    source is the file as it is to be read; is_glimpsed is whether a glimpse of it has
    shown that it is not clean.
    """
    database, kind, how, options = sheet.database, sheet.kind, sheet.how, sheet.options
    is_large = source.line_count and source.readable.stat().st_size >= LARGE
    if not is_large or is_glimpsed or source.faults:
        return None
    if kind == "run" and may_be_clean(kind, options):
        chunks = file_chunks(source.readable)
        return _clean_rows(database, source, how, options, chunks)
    is_plain = not (options.labels or options.attributes or options.columns)
    if kind == "run" or not is_plain or options.base is not None:
        return None
    from ndcg_sql.reading.clean.files import stage_clean

    if not stage_clean(database, kind, source, how, kind):
        return None
    return Rows(how.without(SUBTOPIC), options.position_rule)


def is_suspect(source: Source, how: Layout) -> bool:
    """Return whether the first lines of a text file have ranks against scores.

    Or most of their scores are equal. The fast reading drops ranks, so that it must be
    known before.
    """
    if not {"rank", "score"} <= how.fields.keys():
        return False
    rank_at, score_at, query_at = (
        how.fields[column] - 1 for column in ("rank", "score", "query_id")
    )
    last: tuple[str, float, float] | None = None
    lists: set[str] = set()
    rising: set[str] = set()
    neighbours = tied = 0
    with source.readable.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for line in islice(file, how.parameters.get("header_line", 0), _LINES):
            fields = (
                line.rstrip("\n").split(how.parameters["delimiter"])
                if how.apart_by == "delimiter"
                else re.split("[ \t]+", line.strip(" \t\n"))
            )
            if len(fields) != how.field_range[1]:
                continue
            query, rank = fields[query_at], number(fields[rank_at].strip())
            score = number(fields[score_at].strip())
            if score is None or rank is None:
                continue
            here = (query, rank, score)
            if last and last[0] == query and last[1] != here[1]:
                lists.add(query)
                neighbours += 1
                tied += last[2] == score
                if (last[1] < here[1]) == (last[2] < score) and last[2] != score:
                    rising.add(query)
            last = here
    return 2 * len(rising) > len(lists) or 2 * tied >= neighbours > 0


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
    [(threads,)] = database.execute("select current_setting('threads')")
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
