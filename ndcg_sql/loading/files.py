"""A file of a run, of several runs, or of judgments: opened, staged and checked."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import judged_columns, warnings
from ndcg_sql.loading.loaded import hash_of
from ndcg_sql.loading.naming import RUN, Naming, check_apart, is_pattern, named_runs
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.sheets import SUBTOPIC, Rows, Sheet, check_decimal_marks, namer_of
from ndcg_sql.reading import checks, layouts, sources
from ndcg_sql.reading.columns import NO_RUNS, is_graded
from ndcg_sql.reading.detection import format_of, layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.lines import without_comments
from ndcg_sql.reading.profile import profile_of
from ndcg_sql.reading.proposals.refusals import runs_of
from ndcg_sql.reading.sources import Source, Streams, glimpsed
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, use

# How many labels a scale has at most, and how long one is.
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


@contextmanager
def opened(
    database: Database,
    kind: Ranked,
    path: Path,
    options: Options,
    messages: Messages,
    streams: Streams | None,
) -> Generator[Source]:
    """Open a file, with the list that belongs to it."""
    with ExitStack() as stack:

        def source_of(file: Path) -> Source:
            scratch = database.folder
            return stack.enter_context(sources.opened(file, messages, scratch, streams))

        source = None
        # What is kept needs the hash of all bytes; a stream was looked at already.
        is_stream = streams is not None and path in streams
        if database.is_scratch and not is_stream and _may_be_clean(kind, options):
            source = glimpsed(path, database.folder, stack, lambda: source_of(path))
        listed = source_of(options.rows_of) if options.rows_of else None
        yield replace(source or source_of(path), listed=listed)


def stage_rows(
    database: Database,
    kind: Ranked,
    options: Options,
    original: Source,
    names: Naming | None = None,
) -> Rows:
    """Stage a file, with the list that belongs to it; check its rows.

    names says how runs are named, unless by the file or by a column alone.
    """
    if glimpse := original.glimpse:
        # What reads clean files is slow to import.
        from ndcg_sql.loading.clean_runs import glimpsed_rows

        if rows := glimpsed_rows(database, options, original, glimpse):
            return rows
        original = glimpse.whole()
    source = original
    if original.listed:
        # Queries and documents of the list's rows, for the scores to come.
        how, listed = layout(original.listed, "judgments", options)
        stage(database, "judgments", listed, how)
        check_staged(database, "list", listed, how)
        database.run("store/listed")
        source = without_comments(source)
        how = layouts.scores(source)
    else:
        reading = replace(options, wanted=_wanted(options, names))
        how, source = layout(source, kind, reading)
    if options.decimal is None:
        check_decimal_marks(database, source, how)
    run_place = None
    if names and names.columns:
        # Where there is no header, what would name runs may be anything.
        run_place = how.fields.get("run") if how.apart_by != "blanks" else None
        how = named_runs(how, names, source)
    rule = options.position_rule
    if how.is_ordered and rule == "score":
        rule = "given"
    sheet = Sheet(database, kind, original, how, options)
    is_large = source.line_count and source.readable.stat().st_size >= sources.LARGE
    if is_large and not glimpse and not source.faults:
        from ndcg_sql.loading.clean_runs import large_rows

        if rows := large_rows(sheet, source, _may_be_clean(kind, options)):
            return _noted(database, rows, kind, source)
    stage(database, kind, source, how, options.labels)
    how = judged_columns.with_subtopics(database, how)
    if options.base is not None and SUBTOPIC in how.fields:
        raise refusal("subtopics_extend", file=source.shown, base=options.base)
    sheet = replace(sheet, how=how)
    if options.where and not database.execute("from staged limit 1"):
        raise NdcgSqlError(
            f"{source.shown}: no such row",
            f"look at the values of {', '.join(map(quoted, options.where))}",
            where=use(where=options.where),
        )
    _check_one_grade(sheet)
    if listed := original.listed:
        [(scores,)] = database.execute("select count(*) from staged")
        [(expected,)] = database.execute("select count(*) from listed")
        scores += len(source.faults)
        if scores != expected:
            raise NdcgSqlError(
                f"{source.shown}: {counted(scores, 'score')}, but {listed.shown} has"
                f" {counted(expected, 'row')}"
            )
    if names and run_place is not None:
        check_apart(sheet, names, run_place + 1)
    rows = _checked_rows(sheet, source, rule, names)
    if options.attributes:
        judged_columns.stage_attributes(database, source, how, options.attributes)
    if options.base is not None:
        _add_base(database, source, how)
    return _noted(database, rows, kind, source)


def _may_be_clean(kind: Ranked, options: Options) -> bool:
    """Return whether a clean run can be read without looking at single lines."""
    usual = Options()
    is_usual = all(getattr(options, one) == getattr(usual, one) for one in _ODD)
    return kind == "run" and is_usual and not is_pattern(options.name)


def _noted(database: Database, rows: Rows, kind: Ranked, source: Source) -> Rows:
    """Return rows with what the source has beside them: queries without documents.

    A judgment set has the queries of its judgments, so that none counts these.
    """
    rows = replace(rows, comments=source.comments)
    if kind == "run":
        empty = [("", query) for query in source.empty_queries]
        return replace(rows, empty=(*rows.empty, *empty))
    if not source.empty_queries:
        return rows
    queries = {"queries": [*source.empty_queries]}
    doubts = warnings.each(database, "empty_queries", queries, file=source.shown)
    return replace(rows, warnings=(*rows.warnings, *doubts))


def _checked_rows(
    sheet: Sheet, source: Source, rule: str, names: Naming | None
) -> Rows:
    """Return what the staged rows are; raise NdcgSqlError for what is wrong in them."""
    database, kind, how, options = sheet.database, sheet.kind, sheet.how, sheet.options
    rows = _rows(sheet, rule, names)
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
        check_staged(database, rows_of, source, how, checked_rule, but=but)

    is_named = options.run_column is not None or bool(names and names.columns)
    if options.duplicates != "refuse" and not (kind == "run" and options.unit):
        check(*checks.comparing())
        if options.duplicates == "max" and not scored and "rank" not in how.fields:
            maximum = use(duplicates="max")
            raise NdcgSqlError(
                f"{source.shown}: no scores to compare, as " + maximum + " does",
                "use first or last",
            )
        dropped = _reduced(sheet, rows, options.duplicates)
        rows = replace(rows, dropped=dropped)
        if kind == "run" and any(dropped.values()) and not is_named:
            _check_one_run(sheet)
    if kind == "run" and (options.unit or options.unit_before):
        # Chunks that are no columns of their own are not told apart.
        check(*(checks.TWICE if options.unit else ()))
        best = "place" if checked_rule == "given" else "max"
        rows = replace(rows, chunks=_reduced(sheet, rows, best, options.unit_before))
    check()
    if not scored and rule != "given":
        raise _no_score(sheet)
    by_score = kind == "run" and rule != "given"
    has_both = {"rank", "score"} <= how.fields.keys()
    if by_score and not options.is_rule_chosen and has_both:
        doubts = warnings.each(database, "ranks_against_scores", {}, file=source.shown)
        rows = replace(rows, warnings=(*rows.warnings, *doubts))
    if rows.has_subtopics:
        judged_columns.gather_subtopics(database)
    return rows


def _check_one_grade(sheet: Sheet) -> None:
    """Raise NdcgSqlError for one grade of all rows beside a column with grades.

    Its name says so, and its values are numbers or words, few of them.
    """
    names = [name for name in sheet.how.ignored if is_graded(name)]
    if sheet.options.grade is None or not names:
        return
    profile = profile_of(sheet.source, sheet.kind, sheet.options)
    columns = profile.columns if profile else {}
    for column in (columns[name] for name in names if name in columns):
        is_filled = len(column.filled) >= 0.9 * len(column.values)
        is_label = len(column.texts) <= _MOST_LABELS
        is_label = is_label and max(map(len, column.texts), default=0) <= _LONGEST_LABEL
        if is_filled and (column.is_number or is_label):
            raise NdcgSqlError(
                f"{sheet.source.shown}: column {quoted(column.name)} beside one grade"
                " for all rows",
                "if it is not the grade, rename the column",
                needs=("columns", "grade"),
            )


def _add_base(database: Database, source: Source, how: Layout) -> None:
    """Add the judgments of a base to the staged ones, which may not contradict it."""
    check_staged(database, "base", source, how)
    # Rows that repeat a judgment of the base are no new ones.
    same = "staged.query_id = base.query_id and staged.doc_id = base.doc_id"
    database.execute(
        "delete from staged using base_judgments as base"
        f" where {same} and base.grade >= 0"
    )
    database.execute(
        "insert into staged by name"
        " from base_judgments anti join staged using (query_id, doc_id)"
    )


def _wanted(options: Options, names: Naming | None) -> tuple[str, ...]:
    """Return the further columns whose values are asked for."""
    columns = [*options.tag_columns, *options.attributes]
    columns += [*(names.columns if names else ()), options.run_at_column or ""]
    return tuple(dict.fromkeys(name for name in columns if name not in ("", RUN)))


def _no_score(sheet: Sheet) -> NdcgSqlError:
    by_order = use(position_rule="given")
    remedy = Text("name it: ", use(columns={"score": "NAME"}))
    if "rank" in sheet.how.fields:
        remedy = Text("to use its ranks: ", by_order)
    elif sheet.options.query is not None:
        remedy = Text("to use its order: ", by_order)
    else:
        remedy += Text(", or use the order of the rows: ", by_order)
    return NdcgSqlError(
        f"{sheet.source.shown}: no column for the score",
        remedy,
        needs=("columns", "position_rule", "kind"),
    )


def _rows(sheet: Sheet, rule: str, names: Naming | None) -> Rows:
    """Return which runs the staged rows name."""
    database, how, options = sheet.database, sheet.how, sheet.options
    if "run" not in how.fields:
        return Rows(how, rule)
    # Only the fields of TREC files have no names of their own.
    is_named = how.apart_by != "blanks"
    [(count, rows, are_names)] = database.run(
        "lookups/staged_runs", {"is_named": is_named}
    )
    namer = namer_of(how, by_pattern=bool(names and names.columns))
    is_chosen = options.run_column is not None or bool(names and names.columns)
    if count > 1 and not are_names and not is_chosen:
        warning = Text(
            f"{sheet.source.shown}: the {count} values of {namer} in"
            f" {rows} rows do not look like names of runs; all rows are one run; for a"
            " run of each value: ",
            use(run_column=how.run_column),
        )
        return Rows(how, rule, namer=namer, warnings=(warning,))
    if options.prefix is not None and count > 1:
        sql = "update staged set run = $prefix || run where run <> ''"
        database.execute(sql, {"prefix": options.prefix})
    in_order = "select run from staged group by run order by min(line_number)"
    runs: tuple[str, ...] = tuple(run for (run,) in database.execute(in_order))
    if count > 1:
        return Rows(how, rule, runs, None, namer)
    return Rows(how, rule, (), next(filter(None, runs), None), namer)


def _check_one_run(sheet: Sheet) -> None:
    """Raise NdcgSqlError if one row of each document would be a mixture of runs."""
    stated: dict[str, object] = {"columns": sheet.how.column_names}
    column = runs_of(sheet.source, sheet.options, stated)
    if column:
        raise NdcgSqlError(
            Text(
                f"{sheet.source.shown}: {quoted(column)} tells runs apart; ",
                use(duplicates=sheet.options.duplicates),
                " would keep one row of a document for all of them",
            ),
            Text(
                "for a run of each: ",
                use(run_column=column),
                "; if they are no runs: ",
                use(run_column=NO_RUNS),
            ),
        )


def _reduced(
    sheet: Sheet, rows: Rows, rule: str, unit_before: str | None = None
) -> dict[str, int]:
    """Keep one of the staged rows of each document of a query.

    Return how many were dropped of each run, or of all rows under "". rule is one of
    duplicates, or "place" for the best rank, or the first row without ranks.
    """
    database, by_run = sheet.database, bool(rows.runs)
    parameters = {"duplicates": rule, "by_run": by_run, "unit_before": unit_before}
    database.run(f"store/distinct_{sheet.kind}", parameters)
    group = "run" if by_run else "''"
    sql = f"select {group}, sum(dropped) from staged group by all"
    dropped: dict[str, int] = {run: int(n) for run, n in database.execute(sql)}
    database.execute("alter table temp.staged drop column dropped")
    return dropped


def content_hash(
    kind: Ranked, options: Options, source: Source, base_hash: str | None
) -> str:
    """Return the hash of contents and of the options that change what is stored."""
    listed = source.listed
    form = format_of(listed or source, "judgments" if listed else kind, options)
    usual = Options()
    chosen = {name: getattr(options, name) for name in _CHANGING}
    if not is_pattern(options.name):
        del chosen["name"]
    changing = {k: v for k, v in chosen.items() if v != getattr(usual, k)}
    contents = [source.content_hash, listed.content_hash if listed else ""]
    return hash_of(contents, form.name, base_hash, changing)
