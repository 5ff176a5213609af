"""The registered measures, whose values a warehouse stores."""

from collections.abc import Iterable, Sequence

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_dataset
from ndcg_sql.evaluation.fitting import fitting_any, misfits, note_misfits
from ndcg_sql.evaluation.gains import check_scheme
from ndcg_sql.evaluation.values import VALUES, store_values_of
from ndcg_sql.measures.families import loaded_family
from ndcg_sql.measures.names import LOADED, Measure, parse
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, nearest, quoted
from ndcg_sql.wording import Text, named

_OF_MEASURES = ("measures", "measure_names", "measure_datasets", "loaded_values")
# The rows of a measure and a dataset, in tables with a column of the first two ids.
_OF_DATASET = (
    "where measure = $m and {0}_id in"
    " (select {0}_id from {0}s where dataset = $dataset)"
)


def registered(database: Database) -> list[str]:
    """Return the canonical names of the registered measures, in their order."""
    rows = database.execute("select measure from measures order by rowid")
    return [name for (name,) in rows]


def loaded_measures(database: Database) -> dict[str, Measure]:
    """Return the measures whose values other programs computed, by name."""
    sql = "select measure, origin, lower_is_better from measures where family = $loaded"
    rows = database.execute(sql, {"loaded": LOADED})
    return {name: Measure(loaded_family(name, *about)) for name, *about in rows}


def registered_measures(database: Database) -> list[Measure]:
    """Return the registered measures in their order."""
    loaded = loaded_measures(database)
    return [m for name in registered(database) for m in parse(name, loaded)]


def datasets_of(database: Database, measure: str) -> list[str]:
    """Return the datasets that a measure is registered for; none if for every one."""
    sql = "select dataset from measure_datasets where measure = $m order by dataset"
    return [name for (name,) in database.execute(sql, {"m": measure})]


def register(
    database: Database, measures: Sequence[Measure], dataset: str | None = None
) -> dict[str, list[Text]]:
    """Register measures, for one dataset or for all, and store their values.

    Must be called inside a transaction. Returns the warnings about the judgment sets
    that each does not fit, by name; those that are already registered are left out.
    Raises NdcgSqlError if one does not fit the newest judgments of any dataset that
    it is meant for.
    """
    there = set(registered(database))
    missing = [measure for measure in measures if measure.name not in there]
    names = [
        measure.name
        for measure in measures
        if measure in missing
        or ((only := datasets_of(database, measure.name)) and dataset not in only)
    ]
    if not names:
        return {}
    named: Parameters = {"names": names, "dataset": dataset}
    sql = "insert into measure_datasets select unnest($names), $dataset"
    if dataset is None:
        sql = "delete from measure_datasets where list_contains($names, measure)"
    database.execute(sql, named)
    rows = [{**m.row, "trec_eval_name": m.trec_eval_name} for m in missing]
    _add(database, missing, rows)
    other_names = [
        {"measure": measure.name, "measure_name": name}
        for measure in missing
        for name in measure.other_names
    ]
    _insert(database, "measure_names", other_names)
    note_misfits(database, names)
    # It must fit the newest judgments of some dataset.
    sql = "select max(judgment_set_id) from judgment_sets group by dataset"
    newest = [set_id for (set_id,) in database.execute(sql)]
    lost = {*names} - fitting_any(database, newest)
    unfit = misfits(database, newest) if lost else []
    if refused := [misfit for misfit in unfit if misfit.measure in lost]:
        raise min(refused, key=lambda one: names.index(one.measure)).refusal()
    warnings: dict[str, list[Text]] = {name: [] for name in names}
    # One that was registered for another dataset has its values there already.
    for pairs, group in database.run("lookups/pairs_without_values", named):
        store_values_of(database, pairs, group)
        for misfit in misfits(database, [set_id for _, set_id in pairs]):
            if misfit.measure in group:
                warnings[misfit.measure].append(misfit.warning)
    return warnings


def unregister(database: Database, measure: str, dataset: str | None = None) -> None:
    """Remove a registered measure, its values, and its map of gains.

    With a dataset, it stays registered for its other datasets, if any. Must be
    called inside a transaction. Raises NdcgSqlError if it is not registered, or not
    for this dataset alone.
    """
    where = f"measure {quoted(measure)}"
    names = registered(database)
    if measure not in names:
        hint = nearest(measure, names)
        raise NdcgSqlError("not registered", hint, where=where)
    of: Parameters = {"m": measure, "dataset": dataset}
    only = datasets_of(database, measure) if dataset is not None else []
    if dataset is not None and dataset not in only:
        datasets = f"for {listed(only)}" if only else "for every dataset"
        raise NdcgSqlError(
            f"registered {datasets}, not for dataset {quoted(dataset)} alone",
            "omit " + named("dataset") + " to remove it",
            where=where,
        )
    which = dict.fromkeys((*_OF_MEASURES, *VALUES, "misfits"), "where measure = $m")
    if len(only) > 1:
        of_sets = _OF_DATASET.format("judgment_set")
        which = {
            **dict.fromkeys((*VALUES, "misfits"), of_sets),
            "measure_datasets": "where measure = $m and dataset = $dataset",
            "loaded_values": _OF_DATASET.format("run"),
        }
    for table, condition in which.items():
        database.execute(f"delete from {table} {condition}", of)
    database.run("store/unused_gains")


def replace_registered(database: Database, measures: Sequence[Measure]) -> None:
    """Register exactly these measures, in a warehouse without values."""
    with database.transaction():
        for table in ("measures", "measure_names", "misfits"):
            database.execute(f"delete from {table}")
        add_rows(database, measures)


def add_rows(
    database: Database,
    measures: Sequence[Measure],
    set_ids: Iterable[int] | None = None,
) -> None:
    """Put measures into the table measures, their maps into gains, and misfits.

    The misfits are those of some judgment sets, or of all.
    """
    _add(database, measures, [measure.row for measure in measures])
    note_misfits(database, [measure.name for measure in measures], set_ids)


def _add(
    database: Database, measures: Sequence[Measure], rows: Sequence[Parameters]
) -> None:
    """Put the rows of measures into the table measures, and their maps into gains."""
    for measure in measures:
        scheme = measure.parameters.get("gains")
        if isinstance(scheme, str):
            check_scheme(database, scheme, f"measure {quoted(measure.name)}")
    _insert(database, "measures", rows)
    database.run("store/positions_of_measures")
    sql = "select distinct gain_scheme from gains"
    there = {scheme for (scheme,) in database.execute(sql)}
    # Several measures may have the same map.
    gains = dict.fromkeys(row for measure in measures for row in measure.gain_rows)
    columns = ("gain_scheme", "grade", "gain")
    rows = [
        dict(zip(columns, row, strict=True)) for row in gains if row[0] not in there
    ]
    _insert(database, "gains", rows)


def _insert(database: Database, table: str, rows: Sequence[Parameters]) -> None:
    """Insert rows with the same columns in one statement, whose cost is its start."""
    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    values = ", ".join(f"unnest(${name})" for name in columns)
    if rows:
        sql = f"insert into {table} ({', '.join(columns)}) select {values}"
        database.execute(sql, columns)


def add_measures(
    database: Database, messages: Messages, names: Sequence[str], dataset: str | None
) -> None:
    """Register measures by name, and store their values for every evaluation.

    With a dataset, they are evaluated for this one only. Raises NdcgSqlError for an
    unknown name; then none is registered.
    """
    where = f" for dataset {quoted(dataset)}" if dataset is not None else ""
    wanted = parse(" ".join(names))
    with database.transaction():
        check_dataset(database, dataset)
        unfit = register(database, wanted, dataset)
    for name in (measure.name for measure in wanted):
        is_new = name in unfit
        messages.tell(
            f"registered {name}{where}" if is_new else f"{name} is already registered"
        )
    for warnings in unfit.values():
        messages.warn_all(warnings)


def remove_measures(
    database: Database, messages: Messages, names: Sequence[str], dataset: str | None
) -> None:
    """Remove registered measures by name, and their stored values.

    Raises NdcgSqlError if one is not registered; then none is removed.
    """
    where = f" for dataset {quoted(dataset)}" if dataset is not None else ""
    wanted = parse(" ".join(names), loaded_measures(database))
    with database.transaction():
        for measure in wanted:
            unregister(database, measure.name, dataset)
    for measure in wanted:
        messages.tell(f"removed {measure.name}{where}")
