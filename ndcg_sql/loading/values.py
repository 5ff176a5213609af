"""Values that another program computed of the queries of runs."""

import re
from collections.abc import Iterator, Mapping, Sequence
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
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_tags
from ndcg_sql.measures.families import loaded_family
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import COLUMNS, words_of
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name
from ndcg_sql.text import counted, listed, now, quoted
from ndcg_sql.wording import Wording, named

# What rows of means have in place of a query: trec_eval's word, and others.
_MEANS = ("all", "amean", "gmean", "mean", "average")
# Signs that separate measures, or stand around their parameters.
_SIGNS = re.compile(r"[\s,()'\"]")
# Words in names of columns of numbers that are no values.
_IDS = {"id", "ids", "index"}
# The judgment set of a dataset without judgments, with which its values are reported.
_NO_JUDGMENTS = "none"


def load(
    database: Database,
    paths: Sequence[Path],
    request: Options,
    messages: Messages,
    streams: sources.Streams | None = None,
    names: Mapping[Path, str] | None = None,
) -> list[LoadedItem]:
    """Load files of values, all or none; return the runs that have them.

    A run that is not in the warehouse is made, without rankings. names are those of
    files without one. Raises NdcgSqlError, and stores nothing, if anything is wrong
    with a file, or if a run has other values of a measure that are not to be replaced.
    """
    check_names([("dataset", request.dataset), ("run", request.name)])
    check_names([("tag", part) for tag in request.tags.items() for part in tag])
    lines: list[Wording] = []
    items: list[LoadedItem] = []
    with database.transaction():
        set_id = _newest(database, request.dataset)
        if request.judgments is not None:
            name, dataset = request.judgments, request.dataset
            set_id = choose_entry(database, "judgment set", name, dataset).id
        for path in progress.files(list(dict.fromkeys(paths))):
            with sources.opened(path, messages, database.folder, streams) as source:
                own = request.name or (names or {}).get(path) or default_name(path)
                measures = _staged(database, source, request, own, lines)
                about: Parameters = {
                    "dataset": request.dataset,
                    "source": sources.origin(path, streams),
                    "content_hash": source.content_hash,
                    "run_at": request.run_at,
                    "loaded_at": now(),
                    "position_rule": "score",
                    "set_id": set_id,
                }
                for run, entry in _runs(database, source, request, measures):
                    item, line = _store(database, run, entry, measures, about, request)
                    items.append(item)
                    lines.append(line)
    for line in dict.fromkeys(lines):
        messages.tell(line)
    return items


def _newest(database: Database, dataset: str) -> int:
    """Return the newest judgment set of a dataset; one without judgments if none is."""
    of_dataset = {"dataset": dataset}
    there = database.run("lookups/newest_judgment_set", of_dataset)
    sql = "select judgment_set_id from judgment_sets where dataset = $dataset"
    for set_id, *_ in there or database.execute(sql, of_dataset):
        return set_id
    [(set_id,)] = database.execute("select nextval('judgment_set_ids')")
    row: Parameters = {
        "judgment_set_id": set_id,
        "dataset": dataset,
        "name": _NO_JUDGMENTS,
        "source": "no file: the dataset has no judgments",
        "content_hash": hash_of(),
        "loaded_at": now(),
        "query_count": 0,
        "judgment_count": 0,
    }
    marks = ", ".join(f"${column} as {column}" for column in row)
    database.execute(f"insert into judgment_sets by name select {marks}", row)
    return set_id


def _staged(
    database: Database,
    source: Source,
    request: Options,
    own: str,
    lines: list[Wording],
) -> dict[str, Measure]:
    """Stage the values of a file, a row each; return its measures by their names in it.

    own is the name of the run of rows that name none. What was left out is added to
    lines.
    """
    # Other names of columns are those of measures.
    usual = {k: v for k, v in request.columns.items() if k in COLUMNS["values"]}
    renamed = {v: k for k, v in request.columns.items() if k not in usual}
    if request.run_column is not None:
        usual["run"] = request.run_column
    how, read = layout(source, "values", replace(request, columns=usual))
    stage(database, "values", read, how)
    check_staged(database, "values", read, how)
    means = database.execute(
        "select distinct query_id from staged"
        " where list_contains($means, lower(query_id)) order by all",
        {"means": [*_MEANS]},
    )
    if means:
        words = listed(word for (word,) in means)
        lines.append(f"{source.shown}: means left out (query {words})")
    is_long = "measure" in how.fields or "value" in how.fields
    places: dict[str, int] = {}
    if is_long:
        _check_long(source, how)
    else:
        places = _places(source, how, request, renamed)
    parameters: Parameters = {
        "decimal": request.decimal,
        "run": own,
        "means": [*_MEANS],
        "measures": None if is_long else [*places],
        "places": None if is_long else [*places.values()],
    }
    rows = sql_files.read("store/measured")
    database.execute(f"create or replace temp table measured as {rows}", parameters)
    database.execute("drop table temp.staged")
    database.execute("alter table temp.measured rename to staged")
    chosen = [*request.measures]
    if not is_long:
        chosen = _chosen(database, source, how, {*chosen, *renamed.values()})
        ignored = [name for name in places if name not in chosen]
        by_place = {at: name for name, at in how.attributes.items()}
        if ignored:
            columns = [by_place[places[name]] for name in ignored]
            lines.append(warnings.ignored_columns(columns))
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
    return measures


def _check_long(source: Source, how: Layout) -> None:
    """Raise NdcgSqlError for a column of measures without one of values, or so."""
    for column, other in (("measure", "value"), ("value", "measure")):
        if column not in how.fields:
            name = how.column_names[other]
            raise refusal(
                "no_column_beside",
                file=source.shown,
                name=name,
                other=other,
                column=column,
                columns={column: "NAME"},
            )


def _places(
    source: Source,
    how: Layout,
    request: Options,
    renamed: Mapping[str, str],
) -> dict[str, int]:
    """Return the places of the columns by the names that they have as measures."""
    places = {renamed.get(name, name): at for name, at in how.attributes.items()}
    about = {"file": source.shown, "known": [*how.attributes]}
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
        own = "no column but that of the queries"
        has = listed(how.attributes) or own
        raise refusal("no_column_of_numbers", file=source.shown, has=has)
    return chosen


def _measures(
    database: Database,
    source: Source,
    present: Sequence[str],
    request: Options,
) -> dict[str, Measure]:
    """Return the measures of names; raise NdcgSqlError for what cannot be one.

    A name of one of our own is that measure; others are of the family loaded.
    """
    for name in request.lower_is_better:
        if name not in present:
            about = {"file": source.shown, "known": present}
            raise refusal("no_measure_of_name", lower_is_better=name, **about)
    there = loaded_measures(database)
    measures: dict[str, Measure] = {}
    for name in present:
        with suppress(NdcgSqlError):
            ours = parse(name)
            if len(ours) == 1 and name not in there:
                measures[name] = ours[0]
                continue
        if _SIGNS.search(name):
            columns = {"NAME": name}
            about = {"file": source.shown, "measure": name, "columns": columns}
            raise refusal("signs_in_measure", **about)
        lowest = name in request.lower_is_better
        if name in there and not lowest:
            lowest = there[name].family.lowest_is_best
        family = loaded_family(name, request.origin or source.shown, lowest)
        measures[name] = Measure(family)
    return measures


def _runs(
    database: Database,
    source: Source,
    request: Options,
    measures: Mapping[str, Measure],
) -> Iterator[tuple[str, Entry | None]]:
    """Yield the runs of the staged values, with their entries if they have any.

    Raises NdcgSqlError for values that are computed here.
    """
    there = {one.name: one for one in entries(database, "run", request.dataset)}
    rows = database.execute(
        "select run, list(distinct measure order by measure) from staged"
        " group by run order by min(line_number)"
    )
    check_names([("run", name) for name, _ in rows])
    ours = _ours(measures)
    for name, own in rows:
        computed = [one for one in own if one in ours]
        if computed and name in there and there[name].has_rankings:
            raise refusal(
                "own_measure_of_rankings",
                file=source.shown,
                run=name,
                measure=computed[0],
                columns={"NAME": ours[computed[0]]},
            )
        if name in there and (request.tags or request.run_at):
            field = named("tags" if request.tags else "run_at")
            raise refusal("run_has_tags", field=field, run=name)
        yield name, there.get(name)


def _ours(measures: Mapping[str, Measure]) -> dict[str, str]:
    """Return the names in a file of measures that are our own, by canonical name."""
    every = measures.items()
    return {one.name: name for name, one in every if not one.family.is_loaded}


def _store(
    database: Database,
    run: str,
    entry: Entry | None,
    measures: Mapping[str, Measure],
    about: Parameters,
    request: Options,
) -> tuple[LoadedItem, Wording]:
    """Store the staged values of a run; return what they are, and the message."""
    [(rows, queries, own)] = database.execute(
        "select count(*), count(distinct query_id),"
        " list(distinct measure order by measure) from staged where run = $run",
        {"run": run},
    )
    outcome: Outcome = "loaded"
    if entry is None:
        [(run_id,)] = database.execute("select nextval('run_ids')")
        database.run("store/runs", {**about, "run_id": run_id, "name": run})
        store_tags(database, run_id, request.tags)
    else:
        run_id = entry.id
        of_run = {"run_id": run_id, "run": run, "measures": own}
        [(stored, equal)] = database.execute(
            "select count(*), count(staged.value) from loaded_values left join staged"
            " on staged.run = $run and staged.query_id = loaded_values.query_id"
            " and staged.measure = loaded_values.measure"
            " and staged.value = loaded_values.value where run_id = $run_id"
            " and list_contains($measures, loaded_values.measure)",
            of_run,
        )
        if stored and stored == equal == rows:
            item = LoadedItem("run", run, "unchanged", rows, queries)
            return item, f"run {quoted(run)} has these values already; nothing to do"
        if stored and not request.replace:
            raise refusal("other_values", run=run, measures=own)
        outcome = "replaced" if stored else "loaded"
        which = "run_id = $run_id and list_contains($measures, measure)"
        del of_run["run"]
        database.execute(f"delete from loaded_values where {which}", of_run)
    ours = [*_ours(measures)]
    set_id = about["set_id"]
    database.execute(
        "insert into loaded_values by name select $run_id as run_id, query_id, measure,"
        " value, if(list_contains($ours, measure), $set_id, null) as judgment_set_id"
        " from staged where run = $run",
        {"run_id": run_id, "run": run, "ours": ours, "set_id": set_id},
    )
    _register(database, measures, request.dataset)
    _evaluate(database, own, run_id, set_id)
    what = f"{', '.join(own)} of {counted(queries, 'query', 'queries')}"
    line = f"{outcome} values of run {quoted(run)}: {what}"
    if entry is None:
        line += "; its rankings are not in the warehouse"
    return LoadedItem("run", run, outcome, rows, queries), line


def _register(
    database: Database, measures: Mapping[str, Measure], dataset: str
) -> None:
    """Register the measures of a file, for the dataset."""
    there = {*registered(database)}
    others = [one for one in measures.values() if one.family.is_loaded]
    add_rows(database, [one for one in others if one.name not in there])
    for measure in others:
        row: Parameters = {"measure": measure.name, "dataset": dataset}
        if dataset not in datasets_of(database, measure.name):
            sql = "insert into measure_datasets select $measure, $dataset"
            database.execute(sql, row)
        if measure.name not in there:
            sql = "insert into measure_names select $measure, $measure"
        else:
            row["lowest"] = measure.family.lowest_is_best
            sql = (
                "update measures set lower_is_better = $lowest,"
                " higher_is_better = not $lowest where measure = $measure"
            )
        database.execute(sql, row)
    ours = [one for one in measures.values() if not one.family.is_loaded]
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
