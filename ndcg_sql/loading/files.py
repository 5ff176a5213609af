"""A file of a run, of several runs, or of judgments: opened, staged and checked."""

import hashlib
import json
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import clean_runs
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.reading import layouts, learning_to_rank, sources
from ndcg_sql.reading.detection import format_of, layout
from ndcg_sql.reading.fast import run_of_first, stage_fast
from ndcg_sql.reading.glimpses import LARGE, Glimpse, glimpsed
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source, Streams, file_chunks
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted, sql_text
from ndcg_sql.wording import Text, Told, use

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.run import CleanRun


@dataclass(frozen=True)
class Files:
    """A file to be loaded, with the list and the groups that belong to it.

    If source is a glimpse, whole opens the file to be looked at whole.
    """

    source: Source
    listed: Source | None
    grouping: Source | None
    glimpse: Glimpse | None
    whole: Callable[[], Source]


@dataclass(frozen=True)
class Rows:
    """What the staged rows of a file are.

    runs are the names of the runs among which they are to be divided, if there are
    several; run is the name that all rows give, if any. column is that of the names
    of runs; ignored are the columns that nothing was read from; dropped counts the
    duplicates that were left out of each run, or of all rows under "". rule is that
    of positions: the one that was asked for, but lists without scores are in the
    order of their ranking. clean is what is known of a run whose file is clean; its
    rows are staged with their positions, or not at all for a single command.
    """

    rule: str
    runs: tuple[str, ...] = ()
    run: str | None = None
    column: str | None = None
    ignored: tuple[str, ...] = ()
    warning: Told = ""
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    clean: "CleanRun | None" = None


@contextmanager
def opened(
    database: Database,
    kind: Ranked,
    path: Path,
    options: Options,
    messages: Messages,
    streams: Streams | None,
) -> Generator[Files]:
    """Open a file, with the list and the groups that belong to it."""
    with ExitStack() as stack:

        def source_of(file: Path) -> Source:
            scratch = database.folder
            return stack.enter_context(sources.opened(file, messages, scratch, streams))

        glimpse: Glimpse | None = None
        # What is kept needs the hash of all bytes; a stream was looked at already.
        is_known = streams is not None and path in streams
        if database.is_scratch and not is_known and _may_be_clean(kind, options):
            glimpse = stack.enter_context(glimpsed(path, database.folder))
        yield Files(
            glimpse.source if glimpse else source_of(path),
            listed=source_of(options.rows_of) if options.rows_of else None,
            grouping=source_of(options.groups) if options.groups else None,
            glimpse=glimpse,
            whole=lambda: source_of(path),
        )


def _may_be_clean(kind: Ranked, options: Options) -> bool:
    """Return whether a clean file can be read without looking at single lines."""
    odd = (options.rows_of, options.groups, options.query, options.base)
    return kind == "run" and odd == (None,) * 4 and options.duplicates == "refuse"


def _glimpsed_rows(
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
    rule = options.position_rule
    dataset = options.dataset if options.evaluate else None
    clean = clean_runs.read(database, source, how, rule, chunks, dataset)
    if clean is None:
        return None
    run = run_of_first(source, how) or None
    return Rows(rule, (), run, how.run_column, how.ignored, clean=clean)


def stage_rows(
    database: Database, kind: Ranked, options: Options, files: Files
) -> Rows:
    """Stage a file, with the list and the groups that belong to it; check its rows."""
    if files.glimpse:
        rows = _glimpsed_rows(database, options, files.glimpse)
        if rows:
            return rows
    source = files.whole() if files.glimpse else files.source
    listed = files.listed
    groups = learning_to_rank.read_groups(files.grouping) if files.grouping else None
    if listed:
        learning_to_rank.stage_list(database, listed, options, groups)
        how = layouts.scores(source)
    else:
        how, source = layout(source, kind, options, groups.sizes if groups else None)
    rule = options.position_rule
    if how.is_ordered and rule == "score":
        rule = "given"
    is_large = source.line_count and source.readable.stat().st_size >= LARGE
    if is_large and not files.glimpse and _may_be_clean(kind, options):
        chunks = file_chunks(source.readable)
        rows = (
            None
            if source.faults
            else _clean_rows(database, source, how, options, chunks)
        )
        if rows:
            return rows
    # With a base, messages need the numbers of lines.
    quick = not options.labels and options.base is None
    if quick and stage_fast(database, kind, source, how, kind, rule):
        run = run_of_first(source, how)
        return Rows(rule, run=run or None, column=how.run_column, ignored=how.ignored)
    stage(database, kind, source, how, options.labels)
    if groups and not listed:
        learning_to_rank.check_groups(database, source, how, groups)
    if listed:
        learning_to_rank.check_scores(database, source, listed)
    rows = _rows(database, source, how, options, rule)
    # Faults of rows are reported before a missing column of scores.
    scored = kind == "judgments" or "score" in how.fields
    rows_of = "runs" if rows.runs else kind
    given = rule if scored else "given"
    going = options.keep_going
    if options.duplicates != "refuse":
        check_staged(
            database, rows_of, source, how, given, compared=False, keep_going=going
        )
        rows = _deduplicated(database, kind, source, options.duplicates, rows, scored)
    check_staged(database, rows_of, source, how, given, keep_going=going)
    if not scored and rule != "given":
        remedy = "name it: " + use(columns={"score": "NAME"})
        if "rank" in how.fields:
            remedy = "to use its ranks: " + use(position_rule="given")
        elif options.query is not None:
            remedy = "to use its order: " + use(position_rule="given")
        raise NdcgSqlError(f"{source.shown}: no column for the score", remedy)
    if options.base is not None:
        check_staged(database, "base", source, how, keep_going=going)
        database.run("store/known_judgments")
        database.run("store/staged_base_judgments")
    return rows


def _rows(
    database: Database, source: Source, how: Layout, options: Options, rule: str
) -> Rows:
    """Return which runs the staged rows name."""
    if "run" not in how.fields:
        return Rows(rule, ignored=how.ignored)
    # Only the fields of TREC files have no names of their own.
    is_named = how.apart_by != "blanks"
    [(count, rows, are_names)] = database.run(
        "lookups/staged_runs", {"is_named": is_named}
    )
    column, ignored = how.run_column, how.ignored
    if count > 1 and not are_names and options.run_column is None:
        warning = Text(
            f"{source.shown}: the {count} values of column {quoted(column)} in"
            f" {rows} rows do not look like names of runs; all rows are one run; for a"
            " run of each value: ",
            use(run_column=column),
        )
        return Rows(rule, column=column, ignored=ignored, warning=warning)
    names: tuple[str, ...] = tuple(n for (n,) in database.run("lookups/run_names"))
    if count > 1:
        return Rows(rule, names, None, column, ignored)
    return Rows(rule, (), next(filter(None, names), None), column, ignored)


def _deduplicated(
    database: Database,
    kind: Ranked,
    source: Source,
    duplicates: str,
    rows: Rows,
    scored: bool,
) -> Rows:
    """Keep one of the staged rows of each document of a query."""
    if duplicates == "max" and not scored:
        raise NdcgSqlError(
            f"{source.shown}: no scores to compare, as "
            + use(duplicates="max")
            + " does",
            "use first or last",
        )
    by_run = bool(rows.runs)
    parameters = {"duplicates": duplicates, "by_run": by_run}
    database.run(f"store/distinct_{kind}", parameters)
    group = "run" if by_run else "''"
    sql = f"select {group}, sum(dropped) from staged group by all"
    found: dict[str, int] = {run: int(n) for run, n in database.execute(sql)}
    return replace(rows, dropped=found)


def is_same(
    database: Database, kind: Ranked, number: int, name: str, rows: Rows
) -> bool:
    """Return whether a stored run or judgment set has the staged rows of its name."""
    which = f" where run = {sql_text(name)}" if rows.runs else ""
    with database.hide("compared", f"from staged{which}"):
        given: Parameters = {"id": number, "position_rule": rows.rule}
        return database.run(f"lookups/is_same_{kind}", given) == [(True,)]


def content_hash(
    kind: Ranked, options: Options, files: Files, base_hash: str | None
) -> str:
    """Return the hash of contents and of the options that change what is stored."""
    listed = files.listed
    form = format_of(listed or files.source, "judgments" if listed else kind, options)
    changing = {
        "columns": options.columns,
        "labels": options.labels,
        "position_rule": options.position_rule if kind == "run" else "",
        "query": options.query,
        "format": form.name,
    }
    if options.run_column is not None:
        changing["run_column"] = options.run_column
    if options.duplicates != "refuse":
        changing["duplicates"] = options.duplicates
    if base_hash is not None:
        changing["base"] = base_hash
    held = (files.source, listed, files.grouping)
    contents = [source.content_hash if source else "" for source in held]
    text = json.dumps([contents, changing], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def hash_of_run(whole: str, run: str) -> str:
    """Return the hash of one of the runs of a file, from that of the file."""
    return hashlib.sha256(json.dumps([whole, run]).encode()).hexdigest()
