"""Files with nothing unusual: read without a look at single lines, runs by numpy.

What reads them needs numpy, which takes a tenth of a second to import.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.tasks import SUBTOPIC, Rows, Task, check_stored
from ndcg_sql.reading.clean import files
from ndcg_sql.reading.clean.arrow import ArrowStream
from ndcg_sql.reading.clean.rankings import Batch, Judged, check_once, part
from ndcg_sql.reading.clean.texts import OddError
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Glimpse, Source, file_chunks
from ndcg_sql.text import number

# At how many places how many lines show whether ranks are worth a closer look.
_PLACES, _LINES = 10, 200


def glimpsed_rows(task: Task, source: Source, glimpse: Glimpse) -> Rows | None:
    """Return the rows of a file by its beginning; None if all must be looked at."""
    try:
        how = layout(source, "run", task.options)
        rows = Rows(task, source, how, task.options.position_rule)
        read_rows = _run_rows(rows, glimpse.chunks)
        return read_rows if glimpse.is_sound() else None
    except (NdcgSqlError, OSError):
        # The file may be damaged, or no longer there.
        return None


def large_rows(rows: Rows, is_usual: bool) -> Rows | None:
    """Return what the rows of a large, clean file are; None for any other file."""
    task, how, kind = rows.task, rows.how, "judgments"
    options = task.options
    if is_usual:
        begin = None if task.database.is_scratch else task.begin
        return _run_rows(rows, file_chunks(how.source.readable), begin)
    is_plain = not (options.labels or options.attributes or options.columns)
    if task.kind != kind or not is_plain or options.base is not None:
        return None
    is_clean = files.stage_clean(task.database, kind, how, kind)
    return replace(rows, how=how.without(SUBTOPIC)) if is_clean else None


def _run_rows(
    rows: Rows, chunks: Iterable[bytes], begin: Callable[[], object] | None = None
) -> Rows | None:
    """Return what the rows of a clean run are; None if it must be read otherwise."""
    task, how, options = rows.task, rows.how, rows.task.options
    # Its rows may be no plain lines, or its numbers may have decimal commas.
    is_odd = how.apart_by == "other" or how.parameters.get("delimiter") == ";"
    if is_odd or (not options.is_rule_chosen and is_suspect(how)):
        return None
    dataset = options.dataset if options.evaluate else None
    clean = read(task.database, how, rows.rule, chunks, dataset, begin)
    run = files.of_first(how, "run") or None
    return replace(rows, run=run, clean=clean) if clean else None


def is_suspect(how: Layout) -> bool:
    """Return whether some lines have ranks against scores, or mostly equal scores."""
    if not {"rank", "score"} <= how.fields.keys():
        return False
    rank_at, score_at, query_at = (
        how.fields[column] - 1 for column in ("rank", "score", "query_id")
    )
    rows: list[tuple[str, float, float]] = []
    header_line = how.parameters.get("header_line", 0)
    for line in _some_lines(how.source.readable, header_line):
        fields = (
            line.rstrip("\n").split(how.parameters["delimiter"])
            if how.apart_by == "delimiter"
            else re.split("[ \t]+", line.strip(" \t\n"))
        )
        if len(fields) == how.field_range[1]:
            rank, score = (number(fields[at].strip()) for at in (rank_at, score_at))
            if rank is not None and score is not None:
                rows.append((fields[query_at], rank, score))
    pairs = [(a, b) for a, b in pairwise(rows) if a[0] == b[0] and a[1] != b[1]]
    lists = {query for (query, *_), _ in pairs}
    tied = [a for a, b in pairs if a[2] == b[2]]
    rising = {a[0] for a, b in pairs if a[2] != b[2] and (a[1] < b[1]) == (a[2] < b[2])}
    return 2 * len(rising) > len(lists) or 2 * len(tied) >= len(pairs) > 0


def _some_lines(file: Path, header_lines: int) -> Iterator[str]:
    """Yield lines from the beginning of a file and from further places."""
    size = file.stat().st_size
    with file.open("rb") as content:
        for place in range(_PLACES):
            content.seek(place * size // _PLACES)
            skipped = 1 if place else header_lines
            for line in islice(content, skipped, skipped + _LINES):
                yield line.decode(errors="replace")


def read(
    database: Database,
    how: Layout,
    position_rule: str,
    chunks: Iterable[bytes],
    dataset: str | None,
    begin: Callable[[], object] | None = None,
) -> files.CleanRun | None:
    """Read the content of a file; None if it must be read in another way.

    Its documents are looked for among the newest judgments of the dataset; None means
    none. Unless begin is None, which begins a transaction, its rows are stored.
    """
    lines = files.form(how, position_rule)
    if lines is None:
        return None
    newest: list[tuple[int, str]] = []
    if dataset is not None and not database.is_new:
        newest += database.run("lookups/newest_judgment_set", {"dataset": dataset})
    run = files.CleanRun(newest[0][0] if newest else None)
    texts = ""
    if newest:
        ids = {"judgment_set_id": run.judgment_set_id}
        [(texts,)] = database.run("lookups/judged_texts", ids)
    [(threads,)] = database.execute("select current_setting('threads')")

    def rows(judged: Judged) -> Iterator[Batch]:
        of_block = partial(part, form=lines, judged=judged, with_rows=begin is not None)
        for block in files.parts(chunks, lines, of_block, threads):
            run.add(block)
            if block.rows is not None:
                yield block.rows
        check_once(run.keys)

    try:
        batches = rows(Judged((texts or "").encode()))
        if begin:
            # What is odd shows at once in most files; then nothing is to be undone.
            first = [*islice(batches, 1)]
            begin()
            _store(database, run, chain(first, batches))
        for _ in batches:
            pass
    except OddError:
        run.remove(database)
        return None
    return run


def _store(database: Database, run: files.CleanRun, batches: Iterator[Batch]) -> None:
    """Store the rows of a run, on all threads: those of a query stay together."""
    [(run.run_id,)] = database.execute("select nextval('run_ids')")
    with (
        database.setting("preserve_insertion_order", "false"),
        database.received("read_rows", ArrowStream(files.RUN, batches)),
    ):
        [(stored,)] = database.run("store/rankings_of_read", {"run_id": run.run_id})
    check_stored(stored, run.documents)
