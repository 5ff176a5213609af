"""Values that another program computed of the queries of runs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters, Row
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import registry
from ndcg_sql.evaluation.entries import choose_entry, entries
from ndcg_sql.evaluation.measuring import of_measures
from ndcg_sql.evaluation.values import VALUES, evaluate, store_values_of
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
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system import progress
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import named

# What rows of means have in place of a query: trec_eval's word, and others.
_MEANS = ("all", "amean", "gmean", "mean", "average")
# Signs that separate measures, or stand around their parameters.
_SIGNS = re.compile(r"[\s,()'\"]")
# Words in names of columns of numbers that are no values.
_IDS = {"id", "ids", "index"}


def load(task: Task) -> list[LoadedItem]:
    """Load files of values, all or none; return the runs that have them.

    A run that is not in the warehouse is made, without rankings. Raises NdcgSqlError if
    anything is wrong, or if a run has other values that are not to be replaced.
    """
    database, options, dataset = task.database, task.options, task.options.dataset
    check_names([("dataset", dataset), ("run", options.name)], options.tags)
    items: list[LoadedItem] = []
    with database.transaction():
        set_id = _newest(database, dataset)
        if options.judgments is not None:
            judgments = options.judgments
            set_id = choose_entry(database, "judgment set", judgments, dataset).id
        for path in progress.files(task.paths):
            with task.opened(path) as source:
                measures = _staged(task, source, task.name(path))
                doubts = warnings.unknown_queries(database, dataset, "value")
                rows = database.run("lookups/runs_of_values")
                check_names([("run", run) for run, *_ in rows])
                source = replace(source, noted=task.origin(path))
                of_file = [_store(task, row, source, measures, set_id) for row in rows]
                if any(item.outcome != "unchanged" for item in of_file):
                    task.held.warn_all(doubts)
                items += of_file
    task.held.pass_on(task.messages)
    return items


def _store(
    task: Task, row: Row, source: Source, measures: Mapping[str, Measure], set_id: int
) -> LoadedItem:
    """Store the staged values of a run, by a row of it; return what they are."""
    database, options = task.database, task.options
    run, names, count, queries = row
    about: Parameters = {"run": run, "measures": names, "set_id": set_id}
    # The names in the file of measures of our own, by their canonical names.
    ours = {m.name: name for name, m in measures.items() if not m.family.is_loaded}
    about["ours"] = [*ours]
    outcome: Outcome = "loaded"
    every = entries(database, "run", options.dataset)
    old = next((one for one in every if one.name == run), None)
    if old is None:
        [(about["run_id"],)] = database.execute("select nextval('run_ids')")
        entry = NewEntry("run", options.dataset, run, source.content_hash, source.noted)
        parameters = replace(entry, run_at=options.run_at).parameters(about["run_id"])
        database.run("store/runs", {**parameters, "position_rule": "score"})
        store_tags(database, about["run_id"], options.tags)
    else:
        about["run_id"] = old.id
        for name in names if old.has_rankings else ():
            if name in ours:
                shown = {"file": source.shown, "run": run, "measure": name}
                columns = {"NAME": ours[name]}
                raise refusal("own_measure_of_rankings", columns=columns, **shown)
        if options.tags or options.run_at:
            field = named("tags" if options.tags else "run_at")
            raise refusal("run_has_tags", field=field, run=run)
        [(stored, equal)] = database.run("lookups/stored_values", about)
        if stored and stored == equal == count:
            turned = _register(database, measures.values(), options.dataset)
            lower = f"; lower is now better for {listed(turned)}"
            done = lower if turned else "; nothing to do"
            task.held.tell(f"run {quoted(run)} has these values already{done}")
            return LoadedItem("run", run, "unchanged", count, queries)
        if stored and not options.replace:
            raise refusal("other_values", run=run, measures=names)
        outcome = "replaced" if stored else "loaded"
        which = "run_id = $run_id and list_contains($measures, measure)"
        database.execute(f"delete from loaded_values where {which}", about)
    database.run("store/loaded_values", about)
    _register(database, measures.values(), options.dataset)
    _evaluate(database, names, about["run_id"], set_id)
    line = f"{outcome} values of run {quoted(run)}: {', '.join(names)} of"
    line += f" {counted(queries, 'query', 'queries')}"
    task.held.tell(line + "; its rankings are not in the warehouse" * (old is None))
    return LoadedItem("run", run, outcome, count, queries)


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


def _staged(task: Task, source: Source, own: str) -> dict[str, Measure]:
    """Stage the values of a file, a row each; return measures by their names in it."""
    database, options = task.database, task.options
    # Other names of columns are those of measures.
    usual = {k: v for k, v in options.columns.items() if k in COLUMNS["values"]}
    renamed = {v: k for k, v in options.columns.items() if k not in usual}
    if options.run_column is not None:
        usual["run"] = options.run_column
    how = layout(source, "values", replace(options, columns=usual))
    stage(database, "values", how)
    check_staged(database, "values", how)
    means: Parameters = {"means": [*_MEANS]}
    words = database.execute(
        "select distinct query_id from staged"
        " where list_contains($means, lower(query_id)) order by all",
        means,
    )
    if words:
        queries = listed(word for (word,) in words)
        task.held.note(f"{source.shown}: means omitted (query {queries})")
    for column, other in (("measure", "value"), ("value", "measure")):
        if other in how.fields and column not in how.fields:
            about = {"column": column, "other": other, "columns": {column: "NAME"}}
            name = how.column_names[other]
            raise refusal("no_column_beside", file=source.shown, name=name, **about)
    # Whether each row names its measure, and not a column each.
    is_long = "measure" in how.fields
    places = {renamed.get(name, name): at for name, at in how.attributes.items()}
    names = [*how.attributes]
    missing = [name for name in renamed if name not in names]
    missing += [name for name in options.measures if name not in places]
    for name in () if is_long else missing:
        raise refusal("no_column_of_name", file=source.shown, name=name, known=names)
    parameters = {
        **means,
        "decimal": options.decimal,
        "run": own,
        "measures": None if is_long else [*places],
        "places": None if is_long else [*places.values()],
    }
    rows = sql_files.read("store/measured")
    database.execute(f"create or replace temp table measured as {rows}", parameters)
    database.execute("drop table temp.staged")
    database.execute("alter table temp.measured rename to staged")
    chosen = [*options.measures]
    if not is_long:
        wanted = {*chosen, *renamed.values()}
        # Other columns of measures have numbers in most rows, and are no ids.
        numbers = "2 * count_if(is_number) > count(*)"
        sql = f"select measure, {numbers} from staged group by all"
        chosen = [
            name
            for name, is_measure in database.execute(sql)
            if name in wanted
            or (not wanted and is_measure and not _IDS & {*words_of(name)})
        ]
        if not chosen:
            has = listed(how.attributes) or "no column but that of the queries"
            raise refusal("no_column_of_numbers", file=source.shown, has=has)
        ignored = [n for n in how.attributes if renamed.get(n, n) not in chosen]
        if ignored:
            task.held.note(warnings.ignored_columns(ignored))
    if chosen:
        sql = "delete from staged where not list_contains($chosen, measure)"
        database.execute(sql, {"chosen": chosen})
    in_order = "select measure from staged group by measure order by min(rowid)"
    present = [name for (name,) in database.execute(in_order) if name]
    measures = _measures(database, source, present, options)
    database.execute(
        "update staged set measure = $new[list_position($old, measure)]"
        " where list_contains($old, measure)",
        {"old": [*measures], "new": [measure.name for measure in measures.values()]},
    )
    check_staged(database, "measured", how)
    return measures


def _measures(
    database: Database, source: Source, present: Sequence[str], options: Options
) -> dict[str, Measure]:
    """Return the measures of names: ours, or loaded ones; refuse what can be none."""
    file, lowest = source.shown, options.lower_is_better
    for name in lowest:
        if name not in present:
            about = {"file": file, "known": present}
            raise refusal("no_measure_of_name", lower_is_better=name, **about)
    loaded = registry.loaded_measures(database)
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
        measures[name] = Measure(loaded_family(name, options.origin or file, is_lowest))
    return measures


def _register(
    database: Database, measures: Iterable[Measure], dataset: str
) -> list[str]:
    """Register the measures of a file, for the dataset.

    Returns those that were registered with another direction.
    """
    there = {m.name: m for m in registry.registered_measures(database)}
    ours, turned = list[Measure](), list[str]()
    for measure in measures:
        if not measure.family.is_loaded:
            ours.append(measure)
            continue
        about = {"measure": measure.name, "dataset": dataset}
        if measure.name in there:
            lowest = measure.family.lowest_is_best
            if lowest != there[measure.name].family.lowest_is_best:
                turned.append(measure.name)
            database.execute(
                "update measures set lower_is_better = $lowest,"
                " higher_is_better = not $lowest where measure = $measure",
                {**about, "lowest": lowest},
            )
        else:
            registry.add_rows(database, [measure])
            sql = "insert into measure_names select $measure, $measure"
            database.execute(sql, about)
        if dataset not in registry.datasets_of(database, measure.name):
            sql = "insert into measure_datasets select $measure, $dataset"
            database.execute(sql, about)
    registry.register(database, ours, dataset)
    return turned


def report_loaded(database: Database, dataset: str) -> None:
    """Evaluate, in a transaction, runs with loaded values that have no judgment set."""
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
        evaluate(database, [(run_id, set_id)])
    which = f"run_id = {run_id} and {of_measures(measures)}"
    for table in VALUES:
        if table != "ideal_sums":
            database.execute(f"delete from {table} where {which}")
    store_values_of(database, {*pairs, (run_id, set_id)}, measures)
