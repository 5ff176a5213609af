"""From files to trec_eval's lines: load, evaluate, print."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import reduce
from math import exp, inf, log
from operator import add
from pathlib import Path
from typing import Literal

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.database.sql_files import composed
from ndcg_sql.errors import BadRowsError, ExitError
from ndcg_sql.evaluation.fitting import check_fits, note_misfits
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.evaluation.values import store_hits, store_values_of
from ndcg_sql.reading import sources
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout, Reading, glob_safe
from ndcg_sql.reading.sources import LARGE, Source, file_chunks
from ndcg_sql.reading.staging import RowsOf, check_staged, stage
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import source_name
from ndcg_sql.text import now, quoted
from ndcg_sql.trec_eval.arguments import Options
from ndcg_sql.trec_eval.catalog import Common, Line, catalog, lines

_SET = 1
_MOST_FIELDS = 1_000_000
_TREC = Reading(format_in="trec", encoding="utf-8")
_VALUES = (
    "select measure, list(value order by query_id) from stored_values"
    " where run_id = $run_id group by measure"
)
# The least value of a query in a geometric mean.
_LEAST = 0.00001
# Means and deviations by query and printed name.
ZScores = dict[tuple[str, str], list[float]]
_ROWS_OF: dict[str, RowsOf] = {
    # Several run tags are allowed here; the last one is printed.
    "run": "trec_eval_run",
    "judgments": "trec_eval_judgments",
}


def evaluate(options: Options, limits: Limits) -> None:
    """Print what trec_eval prints for these options; raise ExitError where it exits."""
    common = Common(options.rel, options.docs, options.compat)
    printed = [
        line
        for entry in catalog()
        if entry.name in options.measures
        for line in lines(entry, options.measures[entry.name], common)
    ]
    named = [options.qrels, *options.runs]
    named += [options.zscores] if options.zscores else []
    with ExitStack() as stack:
        database = stack.enter_context(opening.scratch(limits))
        folder = database.folder
        silent = Messages()
        streams = stack.enter_context(sources.streams(named, silent, folder))
        opened = [
            stack.enter_context(sources.opened(path, silent, folder, streams))
            for path in named
        ]
        needed = [line.needs for line in printed if line.needs]
        measures = {m.name: m for line in printed for m in line.measures}
        measures |= {measure.name: measure for measure in needed}
        replace_registered(database, list(measures.values()))
        zscores = _zscores(database, opened[-1]) if options.zscores else None
        qrels, runs = opened[0], opened[1 : 1 + len(options.runs)]
        with database.transaction():
            judgments = _laid_out(qrels, "judgments")
            _stage(database, "judgments", judgments, _is_large(judgments.source))
            about = {**_described(qrels, "judgments"), "judgment_set_id": _SET}
            for table in ("judgments", "judgment_sets"):
                database.run(f"store/{table}", about)
            note_misfits(database)
            check_fits(database, [_SET])
            for run_id, run in enumerate(runs, start=1):
                tag = _load_run(database, run, run_id, options)
                _print_run(database, run_id, run, tag, printed, options, zscores)


def _laid_out(source: Source, kind: Literal["run", "judgments"]) -> Layout:
    """Return how to read a TREC file, without its comments."""
    # Upstream knows no query that begins with #.
    return layout(sources.without_comments(source), kind, _TREC)


def _is_large(source: Source) -> bool:
    """Return whether the blocks of a file may be read, if it is clean."""
    return source.readable.stat().st_size >= LARGE and not source.faults


def _stage(
    database: Database,
    kind: Literal["run", "judgments"],
    how: Layout,
    is_large: bool,
) -> str:
    """Stage a TREC file and check its rows; return the tag of the last one.

    Duplicates exit with 4, as upstream.
    """
    if is_large:
        from ndcg_sql.reading.clean.files import stage_clean

        if stage_clean(database, kind, how, _ROWS_OF[kind]):
            return _last_tag(how.source)
    if kind == "run":
        # Whatever follows the run's tag is ignored.
        how = replace(how, field_range=(how.field_range[0], _MOST_FIELDS))
    stage(database, kind, how)
    try:
        check_staged(database, _ROWS_OF[kind], how, advise=False)
    except BadRowsError as error:
        if error.compared:
            raise ExitError(error.message, 4) from None
        raise
    if kind == "judgments":
        return ""
    return database.execute("select arg_max(run, line_number) from staged")[0][0]


def _load_run(database: Database, source: Source, run_id: int, options: Options) -> str:
    """Store and evaluate the part of a run that the options keep; return its tag."""
    rule = "score32" if options.compat == 9 else "score"
    parameters = _described(source, f"run {run_id}")
    parameters |= {"run_id": run_id, "position_rule": rule, "run_at": None}
    answered = "create or replace temp table answered_queries as select query_id from"
    how = _laid_out(source, "run")
    source = how.source
    is_large, clean = _is_large(source), None
    if is_large and options.depth is None and not options.judged_only:
        # What reads clean files is slow to import. What is odd is not tried again.
        from ndcg_sql.loading import clean_runs

        chunks, is_large = file_chunks(source.readable), False
        clean = clean_runs.read(database, how, rule, chunks, "default")
    if clean:
        tag = _last_tag(source)
        with database.received("read_queries", clean.query_stream()):
            database.run("store/run_queries_of_read", parameters)
        database.execute(f"{answered} run_queries where run_id = {run_id:d}")
        hits = database.received("read_hits", clean.hit_stream()), "hits_of_read"
    else:
        tag = _stage(database, "run", how, is_large)
        database.execute(f"{answered} staged group by query_id")
        database.run(f"store/scored_by_{rule}")
        if options.depth is not None:
            database.run("trec_eval/to_depth", {"depth": options.depth})
        if options.judged_only:
            database.run("trec_eval/unjudged")
        database.run("store/run_queries_of_staged", parameters)
        hits = nullcontext(), "hits_of_scored"
    for file in ("positions", "runs"):
        database.run(f"store/{file}", parameters)
    context, file = hits
    with context:
        store_hits(database, (run_id, _SET), file)
    store_values_of(database, [(run_id, _SET)])
    return tag


def _last_tag(source: Source) -> str:
    """Return the tag of a clean run, which all rows share."""
    return sources.first_line(source)[1].split()[-1]


def _described(source: Source, name: str) -> Parameters:
    """Return the columns of a run or judgment set that describe its file."""
    return {
        "dataset": "default",
        "name": name,
        "source": source_name(Path(source.shown)),
        "content_hash": source.content_hash,
        "loaded_at": now(),
        "policy": None,
    }


def _zscores(database: Database, source: Source) -> ZScores:
    """Return means and deviations; raise ExitError for a line that has none."""
    parameters = {"path": glob_safe(sources.without_comments(source).readable)}
    steps = ("read/lines", "read/blank_separated", "trec_eval/zscores")
    database.execute(f"create temp table zscores as {composed(steps)}", parameters)
    for line, reason in database.run("trec_eval/bad_zscores"):
        raise ExitError(f"{source.shown}:{line}: {reason}", 2)
    rows = database.execute("select query_id, name, mean, deviation from zscores")
    return {(query, name): about for query, name, *about in rows}


def _print_run(
    database: Database,
    run_id: int,
    run: Source,
    tag: str,
    printed: list[Line],
    options: Options,
    zscores: ZScores | None,
) -> None:
    """Print the lines of a run: of each topic, then of the summary."""
    topics = database.run("trec_eval/topics")
    queries = [query for query, _ in topics]
    measured = dict(database.execute(_VALUES, {"run_id": run_id}))
    lines_values: list[tuple[Line, Mapping[str, float | str]]] = []
    for line in printed:
        values = _values_of(line, measured, queries, zscores)
        if options.per_query and line.is_("text") and line.is_("queries"):
            ids = {"run_id": run_id, "length": line.length}
            strings = dict(database.run("trec_eval/relevance_strings", ids))
            values = {query: f"'{strings.get(query, '')}'" for query in queries}
        lines_values.append((line, values))
    chosen = [topic for topic in topics if options.query in (None, topic[0])]
    missing = next((query for query, answered in chosen if not answered), None)
    shown = [query for query, _ in chosen]
    if options.compat == 9:
        shown = [query for query, answered in chosen if answered]
    elif missing is not None and not options.complete:
        shown = shown[: shown.index(missing)]
    for topic in shown if options.per_query else ():
        for line, values in lines_values:
            if line.is_("queries"):
                _print(line, topic, values[topic], options)
    if options.compat == 10 and missing is not None and not options.complete:
        raise ExitError(
            f"{run.shown}: query {quoted(missing)} is judged, but not in the run;"
            " -c counts it as 0",
            4,
        )
    if not shown:
        raise ExitError(f"{run.shown}: none of its queries is judged", 7)
    count = len(topics) if options.complete else len(shown)
    for line, values in lines_values if options.summary else ():
        if not line.is_("summary"):
            continue
        if line.is_("text"):
            _print(line, "all", tag, options)
        elif line.name == "num_q":
            _print(line, "all", count, options)
        elif line.name == "num_rel" and options.complete:
            # Upstream counts these anew, ignoring -l and -Z.
            sql = "select count(*) from judgments where grade > 0"
            _print(line, "all", database.execute(sql)[0][0], options)
        else:
            of_shown = [float(values[topic]) for topic in shown]
            _print(line, "all", _summary(line, of_shown, count), options)


def _values_of(
    line: Line,
    measured: Mapping[str, Sequence[float]],
    queries: Sequence[str],
    zscores: ZScores | None,
) -> dict[str, float]:
    """Return the value of a line for each query: the mean of that of its measures.

    It is 0 where a measure that the line needs is 0. For a geometric mean, it is the
    logarithm of the value.
    """
    if not line.measures:
        return {}
    columns = [measured[measure.name] for measure in line.measures]
    # Added from left to right, as everywhere.
    values = [reduce(add, row) / len(row) for row in zip(*columns, strict=True)]
    if line.summary == "geometric":
        values = [log(max(value, _LEAST)) for value in values]
    if line.needs:
        needed = measured[line.needs.name]
        values = [v if need else 0.0 for v, need in zip(values, needed, strict=True)]
    by_query = dict(zip(queries, values, strict=True))
    for query, value in by_query.items() if zscores is not None else ():
        mean, deviation = (zscores or {}).get((query, line.name), (inf, 0))
        # What has no distance in standard deviations has this one (trec_eval).
        far = 0.0 if value == mean else -1000000.0
        by_query[query] = (value - mean) / deviation if deviation else far
    return by_query


def _summary(line: Line, values: Sequence[float], count: int) -> float:
    """Return the value of a line for so many queries; those not printed have 0."""
    total = reduce(add, values)
    if line.summary == "geometric":
        return exp((total + (count - len(values)) * log(_LEAST)) / count)
    return total if line.summary == "sum" else total / count


def _print(line: Line, topic: str, value: float | str, options: Options) -> None:
    """Print a line, with a value as C prints it."""
    mark = "Z" if options.zscores and not line.is_("text") else ""
    if not isinstance(value, str):
        is_count = line.is_("count") and not options.zscores
        value = str(int(value)) if is_count else f"{value:6.4f}"
    sys.stdout.write(f"{mark}{line.name:<22}\t{topic}\t{value}\n")
