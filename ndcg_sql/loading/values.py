"""Values that another program computed of the queries of runs."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

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
from ndcg_sql.loading import doubts
from ndcg_sql.loading.loaded import LoadedItem, Outcome
from ndcg_sql.loading.options import Options, check_names
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
from ndcg_sql.wording import Text, Wording, named, use

# What rows of means have in place of a query: trec_eval's word, and others.
_MEANS = ("all", "amean", "gmean", "mean", "average")
# Signs that separate measures, or stand around their parameters.
_SIGNS = re.compile(r"[\s,()'\"]")
# Words in names of columns of numbers that are no values.
_IDS = {"id", "ids", "index"}
# The judgment set of a dataset without judgments, with which its values are reported.
_NO_JUDGMENTS = "none"


class _Measures(NamedTuple):
    """The measures of a file, by their names there; ours rest on judgments."""

    of_others: Mapping[str, Measure]
    ours: Mapping[str, Measure]

    @property
    def canonical(self) -> dict[str, str]:
        """The names that measures have here."""
        every = {**self.of_others, **self.ours}
        return {name: measure.name for name, measure in every.items()}


class _Run(NamedTuple):
    """A run with values: its entry if it is there already, and its measures."""

    name: str
    entry: Entry | None
    measures: list[str]


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
        set_id = _judgments(database, request)
        for path in progress.files(list(dict.fromkeys(paths))):
            with sources.opened(path, messages, database.folder, streams) as source:
                own = request.name or (names or {}).get(path) or default_name(path)
                measures = _staged(database, source, request, own, lines)
                about = _about(request, source, sources.origin(path, streams))
                for run in _runs(database, source, request, measures):
                    item, line = _store(database, run, measures, set_id, about, request)
                    items.append(item)
                    lines.append(line)
    for line in dict.fromkeys(lines):
        messages.tell(line)
    return items


def _about(request: Options, source: Source, origin: str) -> Parameters:
    """Return what rows of runs and measures say of a file."""
    return {
        "dataset": request.dataset,
        "source": origin,
        "content_hash": source.content_hash,
        "run_at": request.run_at,
        "loaded_at": now(),
    }


def _judgments(database: Database, request: Options) -> int:
    """Return the judgment set that values of our own measures rest on."""
    if request.judgments is not None:
        name, dataset = request.judgments, request.dataset
        return choose_entry(database, "judgment set", name, dataset).id
    return _newest(database, request.dataset)


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
        "content_hash": hashlib.sha256(b"").hexdigest(),
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
) -> _Measures:
    """Stage the values of a file, a row each; return its measures.

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
    parameters: Parameters = {"decimal": request.decimal, "run": own}
    parameters |= {"measures": None, "places": None, "means": [*_MEANS]}
    is_long = "measure" in how.fields or "value" in how.fields
    if is_long:
        _check_long(source, how)
    else:
        places = _places(source, how, request, renamed)
        parameters |= {"measures": [*places], "places": [*places.values()]}
    rows = sql_files.read("store/measured")
    database.execute(f"create or replace temp table measured as {rows}", parameters)
    database.execute("drop table temp.staged")
    database.execute("alter table temp.measured rename to staged")
    chosen = [*request.measures]
    if not is_long:
        chosen = _chosen(database, source, how, {*chosen, *renamed.values()})
        names = {name: renamed.get(name, name) for name in how.attributes}
        if ignored := [name for name in names if names[name] not in chosen]:
            lines.append(doubts.ignored_columns(ignored))
    if chosen:
        database.execute(
            "delete from staged where not list_contains($chosen, measure)",
            {"chosen": chosen},
        )
    in_order = "select measure from staged group by measure order by min(rowid)"
    present = [name for (name,) in database.execute(in_order) if name]
    measures = _measures(database, source, present, request)
    canonical = measures.canonical
    database.execute(
        "update staged set measure = $new[list_position($old, measure)]"
        " where list_contains($old, measure)",
        {"old": [*canonical], "new": [*canonical.values()]},
    )
    check_staged(database, "measured", read, how)
    return measures


def _check_long(source: Source, how: Layout) -> None:
    """Raise NdcgSqlError for a column of measures without one of values, or so."""
    for column, other in (("measure", "value"), ("value", "measure")):
        if column not in how.fields:
            raise NdcgSqlError(
                f"{source.shown}: {quoted(how.column_names[other])} has the {other}s,"
                f" but no column has the {column}s",
                "name it: " + use(columns={column: "NAME"}),
            )


def _places(
    source: Source,
    how: Layout,
    request: Options,
    renamed: Mapping[str, str],
) -> dict[str, int]:
    """Return the places of the columns by the names that they have as measures."""
    places = {renamed.get(name, name): at for name, at in how.attributes.items()}
    has = f"it has {listed(how.attributes)}"
    for name in renamed.keys() - how.attributes.keys():
        raise NdcgSqlError(f"{source.shown}: no column {quoted(name)}; {has}")
    for name in request.measures:
        if name not in places:
            what = f"{source.shown}: no column of this name; {has}"
            raise NdcgSqlError(what, where=use(measures=name))
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
        raise NdcgSqlError(
            f"{source.shown}: no column has numbers in most rows; it has {has}",
            "name one: " + use(measures="NAME"),
        )
    return chosen


def _measures(
    database: Database,
    source: Source,
    present: Sequence[str],
    request: Options,
) -> _Measures:
    """Return the measures of some names; raise NdcgSqlError for what cannot be one."""
    for name in request.lower_is_better:
        if name not in present:
            raise NdcgSqlError(
                f"{source.shown}: no measure of this name; it has {listed(present)}",
                where=use(lower_is_better=name),
            )
    there = loaded_measures(database)
    of_others: dict[str, Measure] = {}
    ours: dict[str, Measure] = {}
    for name in present:
        with suppress(NdcgSqlError):
            measures = parse(name)
            if len(measures) == 1 and name not in there:
                ours[name] = measures[0]
                continue
        if _SIGNS.search(name):
            raise NdcgSqlError(
                f"{source.shown}: measure {quoted(name)}: a name has no blanks, commas,"
                " quotes or parentheses",
                "rename its column: " + use(columns={"NAME": name}),
            )
        lowest = name in request.lower_is_better
        if name in there and not lowest:
            lowest = there[name].family.lowest_is_best
        origin = request.origin or source.shown
        of_others[name] = Measure(loaded_family(name, origin, lowest))
    return _Measures(of_others, ours)


def _runs(
    database: Database,
    source: Source,
    request: Options,
    measures: _Measures,
) -> list[_Run]:
    """Return the runs of the staged values; refuse values that are computed here."""
    of_dataset = entries(database, "run", request.dataset)
    there = {entry.name: entry for entry in of_dataset}
    sql = (
        "select run, list(distinct measure order by measure) from staged"
        " group by run order by min(line_number)"
    )
    rows = database.execute(sql)
    check_names([("run", name) for name, _ in rows])
    ours = {measure.name: name for name, measure in measures.ours.items()}
    for name, own in rows:
        computed = [measure for measure in own if measure in ours]
        if computed and name in there and there[name].has_rankings:
            first = computed[0]
            raise NdcgSqlError(
                f"{source.shown}: the warehouse has the rankings of run {quoted(name)},"
                f" and computes {first} of them itself",
                Text(
                    "load only other measures: ",
                    use(measures="NAME"),
                    "; or under another name: ",
                    use(columns={"NAME": ours[first]}),
                ),
            )
        if name in there and (request.tags or request.run_at):
            raise NdcgSqlError(
                f"run {quoted(name)} is there already",
                "omit it; tag changes tags and times",
                where=named("tags" if request.tags else "run_at"),
            )
    return [_Run(name, there.get(name), own) for name, own in rows]


def _store(
    database: Database,
    run: _Run,
    measures: _Measures,
    set_id: int,
    about: Parameters,
    request: Options,
) -> tuple[LoadedItem, Wording]:
    """Store the staged values of a run; return what they are, and the message."""
    ours = [measure.name for measure in measures.ours.values()]
    mine = {"run": run.name, "measures": run.measures, "ours": ours, "set_id": set_id}
    counts = "select count(*), count(distinct query_id) from staged where run = $run"
    [(rows, queries)] = database.execute(counts, mine)
    what = f"{', '.join(run.measures)} of {counted(queries, 'query', 'queries')}"
    outcome: Outcome = "loaded"
    if run.entry is not None:
        mine["run_id"] = run.entry.id
        stored, equal = _stored(database, mine)
        if stored and stored == equal == rows:
            item = LoadedItem("run", run.name, "unchanged", rows, queries)
            line = f"run {quoted(run.name)} has these values already; nothing to do"
            return item, line
        if stored and not request.replace:
            raise NdcgSqlError(
                f"run {quoted(run.name)} has other values of {listed(run.measures)}",
                "to replace them: " + use(replace=True),
            )
        outcome = "replaced" if stored else "loaded"
        database.execute(
            "delete from loaded_values where run_id = $run_id"
            " and list_contains($measures, measure)",
            mine,
        )
    else:
        mine["run_id"] = _new_run(database, run.name, about, request)
    database.execute(
        "insert into loaded_values by name select $run_id as run_id, query_id, measure,"
        " value, if(list_contains($ours, measure), $set_id, null) as judgment_set_id"
        " from staged where run = $run",
        mine,
    )
    _register(database, measures, request.dataset)
    _evaluate(database, run.measures, int(str(mine["run_id"])), set_id)
    line = f"{outcome} values of run {quoted(run.name)}: {what}"
    if run.entry is None:
        line += "; its rankings are not in the warehouse"
    return LoadedItem("run", run.name, outcome, rows, queries), line


def _stored(database: Database, mine: Parameters) -> tuple[int, int]:
    """Return how many values a run has of the staged measures, and how many equal."""
    [(stored, equal)] = database.execute(
        "select count(*), count(staged.value) from loaded_values left join staged"
        " on staged.run = $run and staged.query_id = loaded_values.query_id"
        " and staged.measure = loaded_values.measure"
        " and staged.value = loaded_values.value"
        " where run_id = $run_id and list_contains($measures, loaded_values.measure)",
        mine,
    )
    return stored, equal


def _new_run(database: Database, name: str, about: Parameters, request: Options) -> int:
    """Store a run that has no rankings here; return its id."""
    [(run_id,)] = database.execute("select nextval('run_ids')")
    row = {**about, "run_id": run_id, "name": name, "position_rule": "score"}
    database.run("store/runs", row)
    store_tags(database, run_id, request.tags)
    return run_id


def _register(database: Database, measures: _Measures, dataset: str) -> None:
    """Register the measures of a file, for the dataset."""
    there = {*registered(database)}
    others = list(measures.of_others.values())
    new = [measure for measure in others if measure.name not in there]
    add_rows(database, new)
    for measure in others:
        row: Parameters = {"measure": measure.name, "dataset": dataset}
        if dataset not in datasets_of(database, measure.name):
            sql = "insert into measure_datasets select $measure, $dataset"
            database.execute(sql, row)
        if measure in new:
            sql = "insert into measure_names select $measure, $measure"
        else:
            row["lowest"] = measure.family.lowest_is_best
            sql = (
                "update measures set lower_is_better = $lowest,"
                " higher_is_better = not $lowest where measure = $measure"
            )
        database.execute(sql, row)
    register(database, list(measures.ours.values()), dataset)


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
