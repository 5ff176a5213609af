"""A file of a run, of several runs, or of judgments: opened, staged and checked."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import tasks, warnings
from ndcg_sql.loading.loaded import hash_of
from ndcg_sql.loading.naming import RUN, Naming, check_apart, is_pattern, named_runs
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.reading import layouts, sources
from ndcg_sql.reading.columns import NO_RUNS, Kind, is_graded
from ndcg_sql.reading.detection import format_of, layout
from ndcg_sql.reading.profile import profile_of
from ndcg_sql.reading.proposals.refusals import runs_of
from ndcg_sql.reading.sources import Source, glimpsed, without_comments
from ndcg_sql.reading.staging import TWICE, check_staged, comparing, stage
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, use

# How many labels a scale has at most, and how long they are in the mean.
_MOST_LABELS, _LONGEST_LABEL = 20, 30
# The options with which single lines of a run must be looked at.
_ODD = (
    *("rows_of", "query", "base", "decimal", "encoding", "run_at_column", "unit"),
    *("unit_before", "tag_columns", "where", "duplicates"),
)
# The options that change what is stored of a file.
_CHANGING = (
    *("columns", "labels", "position_rule", "query", "run_column", "name", "grade"),
    *("where", "decimal", "encoding", "duplicates", "unit", "unit_before"),
)
_USUAL = Options()
# What is asked for where a column has grades beside the grade of all rows.
_OF_GRADE = ("columns", "grade")


@contextmanager
def opened(task: tasks.Task, path: Path) -> Generator[Source]:
    """Open a file, with the list that belongs to it."""
    database, options, source = task.database, task.options, None
    with ExitStack() as stack:
        whole = partial(stack.enter_context, task.opened(path))
        # What is kept needs the hash of all bytes; a stream was looked at already.
        is_stream = path in task.streams
        if database.is_scratch and not is_stream and is_usual(task.kind, options):
            source = glimpsed(path, database.folder, stack, whole)
        listed = None
        if options.rows_of:
            listed = stack.enter_context(task.opened(options.rows_of))
        yield replace(source or whole(), listed=listed)


def is_usual(kind: Kind, options: Options) -> bool:
    """Return whether a clean run can be read without looking at single lines."""
    are_usual = all(getattr(options, one) == getattr(_USUAL, one) for one in _ODD)
    return kind == "run" and are_usual and not is_pattern(options.name)


def stage_rows(
    task: tasks.Task, original: Source, names: Naming | None, held: Messages
) -> tasks.Rows:
    """Stage a file, with the list that belongs to it; check its rows."""
    database, options, kind = task.database, task.options, cast("Ranked", task.kind)
    glimpse, listed = original.glimpse, original.listed
    if glimpse:
        # What reads clean files is slow to import.
        from ndcg_sql.loading.clean_runs import glimpsed_rows

        if rows := glimpsed_rows(task, original, glimpse):
            return rows
        original = glimpse.whole()
    if listed:
        # Queries and documents of the list's rows, for the scores to come.
        how = layout(listed, "judgments", options)
        stage(database, "judgments", how)
        check_staged(database, "list", how)
        database.run("store/listed")
        how = layouts.scores(without_comments(original))
    else:
        columns = (*options.tag_columns, *options.attributes, options.run_at_column)
        columns = dict.fromkeys((*columns, *(names.columns if names else ())))
        wanted = tuple(name for name in columns if name and name != RUN)
        how = layout(original, kind, replace(options, wanted=wanted))
    source = how.source
    if options.decimal is None:
        tasks.check_decimal_marks(database, how)
    run_place, is_named = None, options.run_column is not None
    if names and names.columns:
        is_named = True
        # Where there is no header, what would name runs may be anything.
        run_place = how.fields.get("run") if how.apart_by != "blanks" else None
        how = named_runs(how, names)
    rule = options.position_rule
    if how.is_ordered and rule == "score":
        rule = "given"
    rows = tasks.Rows(task, original, how, rule)
    # What has made lines of a dict has imported numpy.
    least = 0 if source.unit == "row" else sources.LARGE_STORED
    least = sources.LARGE if database.is_scratch else least
    is_large = source.readable.stat().st_size >= least
    if is_large and not (glimpse or source.faults or source.binary):
        from ndcg_sql.loading.clean_runs import large_rows

        if clean := large_rows(rows, is_usual(task.kind, options)):
            return _with_empty(clean, held)
    stage(database, kind, how, options.labels)
    how = tasks.with_subtopics(database, how)
    if options.base is not None and tasks.SUBTOPIC in how.fields:
        raise refusal("subtopics_extend", file=source.shown, base=options.base)
    rows = replace(rows, how=how)
    [(staged,)] = database.execute("select count(*) from staged")
    if options.where and not staged:
        remedy = f"look at the values of {', '.join(map(quoted, options.where))}"
        where = use(where=options.where)
        raise NdcgSqlError(f"{source.shown}: no such row", remedy, where=where)
    _check_one_grade(rows)
    if listed:
        [(expected,)] = database.execute("select count(*) from listed")
        scores = staged + len(source.faults)
        if scores != expected:
            raise source.error(
                f"{counted(scores, 'score')}, but {listed.shown} has"
                f" {counted(expected, 'row')}"
            )
    if names and run_place is not None:
        check_apart(rows, names, run_place + 1)
    rows = _checked_rows(rows, is_named, held)
    if options.attributes:
        tasks.stage_attributes(database, how, options.attributes)
    if options.base is not None:
        check_staged(database, "base", how)
        database.run("store/base_judgments")
    return _with_empty(rows, held)


def _with_empty(rows: tasks.Rows, held: Messages) -> tasks.Rows:
    """Return rows with the queries without documents that the source has beside them.

    A judgment set has the queries of its judgments, so that none counts these.
    """
    source = rows.how.source
    for note in warnings.comments(source):
        held.note(note)
    if rows.task.kind == "run":
        empty = [("", query) for query in source.empty_queries]
        return replace(rows, empty=(*rows.empty, *empty))
    if source.empty_queries:
        queries, file = {"queries": [*source.empty_queries]}, source.shown
        database = rows.task.database
        held.warn_all(warnings.each(database, "empty_queries", queries, file=file))
    return rows


def _checked_rows(rows: tasks.Rows, is_named: bool, held: Messages) -> tasks.Rows:
    """Return what the staged rows are; raise NdcgSqlError for what is wrong in them.

    is_named is whether the user says how runs are named.
    """
    task, how, rule = rows.task, rows.how, rows.rule
    database, kind, options = task.database, cast("Ranked", task.kind), task.options
    rows = _rows_of_runs(rows, is_named, held)
    # Faults of rows are reported before a missing column of scores.
    scored = kind == "judgments" or "score" in how.fields
    rows_of = "runs" if rows.runs else "subtopics" if rows.has_subtopics else kind
    checked_rule = rule if scored else "given"
    if how.has_empty:
        # Queries that runs answer with no document are no staged rows.
        which = "from staged where doc_id is null and query_id <> ''"
        pair = "coalesce(cast(run as varchar), ''), query_id"
        answers = database.execute(f"select distinct {pair} {which} order by all")
        database.execute(f"delete {which}")
        rows = replace(rows, empty=tuple((run, query) for run, query in answers))

    def check(*but: str) -> None:
        check_staged(database, rows_of, how, checked_rule, but=but)

    if options.duplicates != "refuse" and not (kind == "run" and options.unit):
        check(*comparing())
        if options.duplicates == "max" and not scored and "rank" not in how.fields:
            what = Text(f"{how.source.shown}: no scores to compare, as ")
            what += Text(use(duplicates="max"), " does")
            raise NdcgSqlError(what, "use first or last")
        rows = replace(rows, dropped=_reduced(rows, options.duplicates))
        if kind == "run" and any(rows.dropped.values()) and not is_named:
            _check_one_run(rows)
    if kind == "run" and (options.unit or options.unit_before):
        # Chunks that are no columns of their own are not told apart.
        check(*(TWICE if options.unit else ()))
        best = "place" if checked_rule == "given" else "max"
        rows = replace(rows, chunks=_reduced(rows, best, options.unit_before))
    check()
    by_score = kind == "run" and rule != "given"
    if by_score and not scored:
        raise _no_score(rows)
    if by_score and not options.is_rule_chosen and "rank" in how.fields:
        name, file = "ranks_against_scores", how.source.shown
        held.warn_all(warnings.each(database, name, {}, file=file))
    if rows.has_subtopics:
        # Each document stays once in the table staged, with its largest grade.
        database.execute("drop table if exists temp.staged_subtopics")
        database.execute("alter table temp.staged rename to staged_subtopics")
        database.run("store/staged_of_subtopics")
    return rows


def _check_one_grade(rows: tasks.Rows) -> None:
    """Raise NdcgSqlError for one grade of all rows beside a column with grades."""
    names = [name for name in rows.how.ignored if is_graded(name)]
    if rows.task.options.grade is None or not names:
        return
    profile = profile_of(rows.source, rows.task.kind, rows.task.options)
    columns = profile.columns if profile else {}
    for column in (columns[name] for name in names if name in columns):
        longest = max(map(len, column.texts), default=0)
        is_label = len(column.texts) <= _MOST_LABELS and longest <= _LONGEST_LABEL
        is_filled = len(column.filled) >= 0.9 * len(column.values)
        if is_filled and (column.is_number or is_label):
            what = f"{rows.source.shown}: column {quoted(column.name)} beside one grade"
            remedy = "if it is not the grade, rename the column"
            raise NdcgSqlError(f"{what} for all rows", remedy, needs=_OF_GRADE)


def _no_score(rows: tasks.Rows) -> NdcgSqlError:
    has_rank = "rank" in rows.how.fields
    remedy = Text("name it: ", use(columns={"score": "NAME"}), ", or use the ")
    remedy += Text("ranks: " if has_rank else "order of the rows: ")
    remedy += use(position_rule="given")
    what = f"{rows.source.shown}: no column for the score"
    return NdcgSqlError(what, remedy, needs=("columns", "position_rule", "kind"))


def _rows_of_runs(rows: tasks.Rows, is_named: bool, held: Messages) -> tasks.Rows:
    """Return which runs the staged rows name."""
    database, how, prefix = rows.task.database, rows.how, rows.task.options.prefix
    if "run" not in how.fields:
        return rows
    # Only the fields of TREC files have no names of their own.
    has_name = {"is_named": how.apart_by != "blanks"}
    [(count, staged, are_names)] = database.run("lookups/staged_runs", has_name)
    if count > 1 and not are_names and not is_named:
        held.warn(
            f"{rows.source.shown}: the {count} values of {rows.namer} in"
            f" {staged} rows do not look like names of runs; all rows are one run;"
            " for a run of each value: " + use(run_column=how.run_column)
        )
        return rows
    if prefix is not None and count > 1:
        sql = "update staged set run = $prefix || run where run <> ''"
        database.execute(sql, {"prefix": prefix})
    in_order = "select run from staged group by run order by min(line_number)"
    runs: tuple[str, ...] = tuple(run for (run,) in database.execute(in_order))
    if count > 1:
        return replace(rows, runs=runs)
    return replace(rows, run=next(filter(None, runs), None))


def _check_one_run(rows: tasks.Rows) -> None:
    """Raise NdcgSqlError if one row of each document would be a mixture of runs."""
    stated: dict[str, object] = {"columns": rows.how.column_names}
    column = runs_of(rows.source, rows.task.options, stated)
    if column:
        what = Text(f"{rows.source.shown}: {quoted(column)} tells runs apart; ")
        what += use(duplicates=rows.task.options.duplicates)
        what += " would keep one row of a document for all of them"
        remedy = Text("for a run of each: ", use(run_column=column))
        remedy += Text("; if they are no runs: ", use(run_column=NO_RUNS))
        raise NdcgSqlError(what, remedy)


def _reduced(
    rows: tasks.Rows, rule: str, unit_before: str | None = None
) -> dict[str, int]:
    """Keep one of the staged rows of each document of a query.

    Return how many were dropped of each run, or of all rows under "". rule is one of
    duplicates, or "place" for the best rank, or the first row without ranks.
    """
    database, by_run = rows.task.database, bool(rows.runs)
    parameters = {"duplicates": rule, "by_run": by_run, "unit_before": unit_before}
    database.run(f"store/distinct_{rows.task.kind}", parameters)
    group = "run" if by_run else "''"
    sql = f"select {group}, sum(dropped) from staged group by all"
    dropped: dict[str, int] = {run: int(n) for run, n in database.execute(sql)}
    database.execute("alter table temp.staged drop column dropped")
    return dropped


def content_hash(task: tasks.Task, source: Source, base_hash: str | None) -> str:
    """Return the hash of contents and of the options that change what is stored."""
    listed, options = source.listed, task.options
    form = format_of(listed or source, "judgments" if listed else task.kind, options)
    chosen = {name: getattr(options, name) for name in _CHANGING}
    if not is_pattern(options.name):
        del chosen["name"]
    changing = {k: v for k, v in chosen.items() if v != getattr(_USUAL, k)}
    contents = [source.content_hash, listed.content_hash if listed else ""]
    return hash_of(contents, form.name, base_hash, changing)
