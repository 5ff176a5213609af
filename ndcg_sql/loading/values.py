"""Values that another program computed of the queries of runs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry, choose_entry, entries
from ndcg_sql.evaluation.registry import (
    add_rows,
    datasets_of,
    loaded_measures,
    register,
    registered,
)
from ndcg_sql.evaluation.values import VALUES, evaluate, of_measures, store_values_of
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem, Outcome, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import NewEntry
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_tags
from ndcg_sql.loading.tasks import Task
from ndcg_sql.measures.families import loaded_family
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.reading.columns import COLUMNS, words_of
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system import progress
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import Wording, named

# What rows of means have in place of a query: trec_eval's word, and others.
_MEANS = ("all", "amean", "gmean", "mean", "average")
# Signs that separate measures, or stand around their parameters.
_SIGNS = re.compile(r"[\s,()'\"]")
# Words in names of columns of numbers that are no values.
_IDS = {"id", "ids", "index"}


def load(task: Task) -> list[LoadedItem]:
    """Load files of values, all or none; return the runs that have them.

    A run that is not in the warehouse is made, without rankings. Raises NdcgSqlError,
    and stores nothing, if anything is wrong with a file, or if a run has other values
    of a measure that are not to be replaced.
    """
    database, options = task.database, task.options
    check_names([("dataset", options.dataset), ("run", options.name)])
    check_names([("tag", part) for tag in options.tags.items() for part in tag])
    lines: dict[Wording, None] = {}
    items: list[LoadedItem] = []
    with database.transaction():
        set_id = _newest(database, options.dataset)
        if (name := options.judgments) is not None:
            set_id = choose_entry(database, "judgment set", name, options.dataset).id
        for path in progress.files(task.paths):
            with task.opened(path) as source:
                measures, notes = _staged(database, source, options, task.name(path))
                lines |= dict.fromkeys(notes)
                for item, line in _stored(task, path, source, measures, set_id):
                    items.append(item)
                    lines[line] = None
    for line in lines:
        task.messages.tell(line)
    return items


def _stored(
    task: Task, path: Path, source: Source, measures: Mapping[str, Measure], set_id: int
) -> Iterator[tuple[LoadedItem, str]]:
    """Store the staged values of each run; give what they are, and the message."""
    database, options = task.database, task.options
    # The names in the file of measures of our own, by their canonical names.
    ours = {m.name: name for name, m in measures.items() if not m.family.is_loaded}
    entry = NewEntry("run", options.dataset, "", source.content_hash)
    entry = replace(entry, source=task.origin(path), run_at=options.run_at)
    entry = replace(entry, columns={"position_rule": "score"})
    by_name = {run.name: run for run in entries(database, "run", options.dataset)}
    rows = database.run("lookups/runs_of_values")
    check_names([("run", run) for run, *_ in rows])
    for run, of_run, count, queries in rows:
        old = by_name.get(run)
        about: Parameters = {"run": run, "measures": of_run}
        outcome: Outcome = "loaded"
        if old is None:
            [(run_id,)] = database.execute("select nextval('run_ids')")
            database.run("store/runs", replace(entry, name=run).parameters(run_id))
            store_tags(database, run_id, options.tags)
        else:
            run_id = old.id
            _check_run(source, old, {m: ours[m] for m in of_run if m in ours}, options)
            compared = {**about, "run_id": run_id}
            [(stored, equal)] = database.run("lookups/stored_values", compared)
            if stored and stored == equal == count:
                item = LoadedItem("run", run, "unchanged", count, queries)
                yield item, f"run {quoted(run)} has these values already; nothing to do"
                continue
            if stored and not options.replace:
                raise refusal("other_values", **about)
            outcome = "replaced" if stored else "loaded"
            database.execute(
                "delete from loaded_values where run_id = $run_id"
                " and list_contains($measures, measure)",
                compared,
            )
        about |= {"run_id": run_id, "ours": [*ours], "set_id": set_id}
        database.run("store/loaded_values", about)
        _register(database, measures.values(), options.dataset)
        _evaluate(database, of_run, run_id, set_id)
        what = f"{', '.join(of_run)} of {counted(queries, 'query', 'queries')}"
        line = f"{outcome} values of run {quoted(run)}: {what}"
        if old is None:
            line += "; its rankings are not in the warehouse"
        yield LoadedItem("run", run, outcome, count, queries), line


def _check_run(
    source: Source, run: Entry, ours: Mapping[str, str], options: Options
) -> None:
    """Raise NdcgSqlError for values that are computed here, or tags of a known run.

    ours are the names in the file of its measures that are our own.
    """
    if ours and run.has_rankings:
        [(measure, name), *_] = ours.items()
        about = {"file": source.shown, "run": run.name, "measure": measure}
        raise refusal("own_measure_of_rankings", columns={"NAME": name}, **about)
    if options.tags or options.run_at:
        field = named("tags" if options.tags else "run_at")
        raise refusal("run_has_tags", field=field, run=run.name)


def _newest(database: Database, dataset: str) -> int:
    """Return the newest judgment set of a dataset; one without judgments if none is."""
    of_dataset: Parameters = {"dataset": dataset}
    newest = database.run("lookups/newest_judgment_set", of_dataset)
    sql = "select judgment_set_id from judgment_sets where dataset = $dataset"
    for set_id, *_ in newest or database.execute(sql, of_dataset):
        return set_id
    [(set_id,)] = database.execute("select nextval('judgment_set_ids')")
    # Values are reported with a judgment set that has none.
    source = "no file: the dataset has no judgments"
    none = NewEntry("judgment set", dataset, "none", hash_of(), source)
    database.run("store/judgment_sets", none.parameters(set_id))
    return set_id


def _staged(
    database: Database, source: Source, request: Options, own: str
) -> tuple[dict[str, Measure], list[str]]:
    """Stage the values of a file, a row each.

    Return its measures by their names in it, and what there is to be told of what was
    left out. own is the name of the run of rows that name none.
    """
    # Other names of columns are those of measures.
    usual = {k: v for k, v in request.columns.items() if k in COLUMNS["values"]}
    renamed = {v: k for k, v in request.columns.items() if k not in usual}
    if request.run_column is not None:
        usual["run"] = request.run_column
    how, read = layout(source, "values", replace(request, columns=usual))
    stage(database, "values", read, how)
    check_staged(database, "values", read, how)
    notes: list[str] = []
    means = database.execute(
        "select distinct query_id from staged"
        " where list_contains($means, lower(query_id)) order by all",
        {"means": [*_MEANS]},
    )
    if means:
        words = listed(word for (word,) in means)
        notes.append(f"{source.shown}: means left out (query {words})")
    places = _places(source, how, request, renamed)
    parameters: Parameters = {
        "decimal": request.decimal,
        "run": own,
        "means": [*_MEANS],
        "measures": None if places is None else [*places],
        "places": None if places is None else [*places.values()],
    }
    rows = sql_files.read("store/measured")
    database.execute(f"create or replace temp table measured as {rows}", parameters)
    database.execute("drop table temp.staged")
    database.execute("alter table temp.measured rename to staged")
    chosen = [*request.measures]
    if places is not None:
        chosen = _chosen(database, source, how, {*chosen, *renamed.values()})
        names = {at: name for name, at in how.attributes.items()}
        ignored = [names[at] for name, at in places.items() if name not in chosen]
        if ignored:
            notes.append(warnings.ignored_columns(ignored))
    if chosen:
        database.execute(
            "delete from staged where not list_contains($chosen, measure)",
            {"chosen": chosen},
        )
    in_order = "select measure from staged group by measure order by min(rowid)"
    present = [name for (name,) in database.execute(in_order) if name]
    measures = _measures(database, source, present, request)
    database.execute(
        "update staged set measure = $new[list_position($old, measure)]"
        " where list_contains($old, measure)",
        {"old": [*measures], "new": [measure.name for measure in measures.values()]},
    )
    check_staged(database, "measured", read, how)
    return measures, notes


def _places(
    source: Source, how: Layout, request: Options, renamed: Mapping[str, str]
) -> dict[str, int] | None:
    """Return the places of the columns by the names that they have as measures.

    None if each row names its measure. Raises NdcgSqlError for a column of measures
    without one of values, or so, and for a column that is not there.
    """
    file = source.shown
    for column, other in (("measure", "value"), ("value", "measure")):
        if other in how.fields and column not in how.fields:
            columns = {"column": column, "other": other, "columns": {column: "NAME"}}
            name = how.column_names[other]
            raise refusal("no_column_beside", file=file, name=name, **columns)
    if "measure" in how.fields:
        return None
    places = {renamed.get(name, name): at for name, at in how.attributes.items()}
    about = {"file": file, "known": [*how.attributes]}
    for name in renamed.keys() - how.attributes.keys():
        raise refusal("no_column_of_name", name=name, **about)
    for name in request.measures:
        if name not in places:
            raise refusal("no_column_of_measure", measures=name, **about)
    return places


def _chosen(
    database: Database, source: Source, how: Layout, wanted: set[str]
) -> list[str]:
    """Return the columns that are measures: those that the user names, if any.

    Others have numbers in most rows, and are no ids.
    """
    counts = "select measure, count(*), count_if(is_number) from staged group by all"
    chosen = [
        name
        for name, filled, numbers in database.execute(counts)
        if name in wanted
        or (not wanted and 2 * numbers > filled and not _IDS & {*words_of(name)})
    ]
    if not chosen:
        has = listed(how.attributes) or "no column but that of the queries"
        raise refusal("no_column_of_numbers", file=source.shown, has=has)
    return chosen


def _measures(
    database: Database, source: Source, present: Sequence[str], request: Options
) -> dict[str, Measure]:
    """Return the measures of names; raise NdcgSqlError for what cannot be one.

    A name of one of our own is that measure; others are of the family loaded.
    """
    file, lowest = source.shown, request.lower_is_better
    for name in lowest:
        if name not in present:
            about = {"file": file, "known": present}
            raise refusal("no_measure_of_name", lower_is_better=name, **about)
    loaded = loaded_measures(database)
    measures: dict[str, Measure] = {}
    for name in present:
        with suppress(NdcgSqlError):
            ours = parse(name)
            if len(ours) == 1 and name not in loaded:
                measures[name] = ours[0]
                continue
        if _SIGNS.search(name):
            columns = {"NAME": name}
            raise refusal("signs_in_measure", file=file, measure=name, columns=columns)
        was_lowest = name in loaded and loaded[name].family.lowest_is_best
        is_lowest = name in lowest or was_lowest
        measures[name] = Measure(loaded_family(name, request.origin or file, is_lowest))
    return measures


def _register(database: Database, measures: Iterable[Measure], dataset: str) -> None:
    """Register the measures of a file, for the dataset."""
    names, ours = {*registered(database)}, list[Measure]()
    for measure in measures:
        name, lowest = measure.name, measure.family.lowest_is_best
        if not measure.family.is_loaded:
            ours.append(measure)
            continue
        if name in names:
            database.execute(
                "update measures set lower_is_better = $lowest,"
                " higher_is_better = not $lowest where measure = $measure",
                {"measure": name, "lowest": lowest},
            )
        else:
            add_rows(database, [measure])
            sql = "insert into measure_names select $measure, $measure"
            database.execute(sql, {"measure": name})
        if dataset not in datasets_of(database, name):
            sql = "insert into measure_datasets select $measure, $dataset"
            database.execute(sql, {"measure": name, "dataset": dataset})
    register(database, ours, dataset)


def report_loaded(database: Database, dataset: str) -> None:
    """Evaluate the runs with loaded values that are evaluated with no judgment set.

    That is so where the last one was removed. Must be called inside a transaction.
    """
    rows = database.execute(
        "select run_id, list(distinct measure order by measure) from loaded_values"
        " semi join runs on runs.run_id = loaded_values.run_id and dataset = $dataset"
        " where run_id not in (select run_id from evaluations) group by run_id",
        {"dataset": dataset},
    )
    for run_id, measures in rows:
        _evaluate(database, measures, run_id, _newest(database, dataset))


def _evaluate(
    database: Database, measures: Sequence[str], run_id: int, set_id: int
) -> None:
    """Store the values of a run with the judgment sets that it is evaluated with."""
    sql = "select run_id, judgment_set_id from evaluations where run_id = $run_id"
    pairs = database.execute(sql, {"run_id": run_id})
    if (run_id, set_id) not in pairs:
        evaluate(database, (run_id, set_id))
    which = f"run_id = {run_id} and {of_measures(measures)}"
    for table in VALUES:
        if table != "ideal_sums":
            database.execute(f"delete from {table} where {which}")
    store_values_of(database, {*pairs, (run_id, set_id)}, measures)
