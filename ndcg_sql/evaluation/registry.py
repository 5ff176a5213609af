"""The registered measures, whose values a warehouse stores."""

from collections.abc import Sequence

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_dataset
from ndcg_sql.evaluation.fitting import check_fits, fitting, left_out
from ndcg_sql.evaluation.gains import check_scheme
from ndcg_sql.evaluation.values import VALUES, store_values_of
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.requests.changes import AddMeasuresRequest, RemoveMeasuresRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, nearest, quoted
from ndcg_sql.wording import Text, named

_OF_DATASET = (
    "where measure = $m and judgment_set_id in"
    " (select judgment_set_id from judgment_sets where dataset = $dataset)"
)


def registered(database: Database) -> list[str]:
    """Return the canonical names of the registered measures, in their order."""
    return [
        name
        for (name,) in database.execute("select measure from measures order by rowid")
    ]


def datasets_of(database: Database, measure: Measure) -> list[str]:
    """Return the datasets that a measure is registered for; none if for every one."""
    sql = "select dataset from measure_datasets where measure = $m order by dataset"
    return [name for (name,) in database.execute(sql, {"m": measure.name})]


def register(
    database: Database, measure: Measure, dataset: str | None = None
) -> list[Text] | None:
    """Register a measure, for one dataset or for all, and store its values.

    Must be called inside a transaction. Returns warnings about the judgment sets
    that it does not fit, or None if it is already registered. Raises NdcgSqlError
    if it does not fit the newest judgments of any dataset that it is meant for.
    """
    is_registered = measure.name in registered(database)
    only = datasets_of(database, measure)
    if is_registered and (not only or dataset in only):
        return None
    if not is_registered:
        _add_named(database, measure)
    mine: Parameters = {"m": measure.name}
    if dataset is None:
        database.execute("delete from measure_datasets where measure = $m", mine)
    else:
        sql = "insert into measure_datasets values ($m, $dataset)"
        database.execute(sql, {**mine, "dataset": dataset})
    # Hiding the other measures leaves only the new one to evaluate.
    new = "from measures where measure = $m"
    with database.temporary("measures", new, mine):
        _check_newest(database)
        pairs = database.run("lookups/pairs_without_values", {"measure": measure.name})
        store_values_of(database, pairs)
        return left_out(database, [set_id for _, set_id in pairs])


def _add_named(database: Database, measure: Measure) -> None:
    """Add a measure with all its names."""
    add_rows(database, measure)
    named: Parameters = {
        "measure": measure.name,
        "trec_eval_name": measure.trec_eval_name,
        "names": measure.other_names,
    }
    for file in ("measure_names", "trec_eval_names"):
        database.run(f"store/{file}", named)


def _check_newest(database: Database) -> None:
    """Raise NdcgSqlError if the measure fits no dataset's newest judgments."""
    sql = "select max(judgment_set_id) from judgment_sets group by dataset"
    newest = [set_id for (set_id,) in database.execute(sql)]
    if not fitting(database, newest).anywhere:
        check_fits(database, newest)


def unregister(
    database: Database, measure: Measure, dataset: str | None = None
) -> None:
    """Remove a registered measure, its values, and its map of gains.

    With a dataset, it stays registered for its other datasets, if any. Must be
    called inside a transaction. Raises NdcgSqlError if it is not registered for
    this dataset alone.
    """
    mine: Parameters = {"m": measure.name}
    if dataset is not None:
        only = datasets_of(database, measure)
        if dataset not in only:
            where = f"for {listed(only)}" if only else "for every dataset"
            raise NdcgSqlError(
                f"registered {where}, not for dataset {quoted(dataset)} alone",
                "omit " + named("dataset") + " to remove it",
                where=f"measure {quoted(measure.name)}",
            )
        if len(only) > 1:
            of = {**mine, "dataset": dataset}
            which = "where measure = $m and dataset = $dataset"
            database.execute(f"delete from measure_datasets {which}", of)
            for table in VALUES:
                database.execute(f"delete from {table} {_OF_DATASET}", of)
            return
    for table in ("measures", "measure_names", "measure_datasets", *VALUES):
        database.execute(f"delete from {table} where measure = $m", mine)
    database.run("store/unused_gains")


def replace_registered(database: Database, measures: Sequence[Measure]) -> None:
    """Register exactly these measures, in a warehouse that is otherwise empty."""
    with database.transaction():
        for table in ("measures", "measure_names"):
            database.execute(f"delete from {table}")
        for measure in measures:
            add_rows(database, measure)


def add_rows(database: Database, measure: Measure) -> None:
    """Put a measure into the table measures, and its map into gains."""
    row = measure.row
    columns, places = ", ".join(row), ", ".join(f"${column}" for column in row)
    database.execute(f"insert into measures ({columns}) values ({places})", row)
    _check_scheme(database, measure)
    database.run("store/positions_of_measures")
    schemes = {
        scheme for (scheme,) in database.execute("select gain_scheme from gains")
    }
    for scheme, grade, gain in measure.gain_rows:
        # Another measure may have added the same map.
        if scheme not in schemes:
            database.execute(
                "insert into gains values ($scheme, $grade, $gain)",
                {"scheme": scheme, "grade": grade, "gain": gain},
            )


def _check_scheme(database: Database, measure: Measure) -> None:
    """Raise NdcgSqlError if a measure names an unknown gain scheme."""
    scheme = measure.parameters.get("gains")
    if isinstance(scheme, str):
        try:
            check_scheme(database, scheme)
        except NdcgSqlError as error:
            where = f"measure {quoted(measure.name)}"
            raise NdcgSqlError(error.message, where=where) from None


def add_measures(
    database: Database, messages: Messages, request: AddMeasuresRequest
) -> None:
    """Register measures by name, and store their values for every evaluation.

    With a dataset, they are evaluated for this one only. Raises NdcgSqlError for an
    unknown name; then none is registered.
    """
    dataset = request.dataset
    where = f" for dataset {quoted(dataset)}" if dataset is not None else ""
    lines: list[str] = []
    warnings: list[Text] = []
    wanted = parse(" ".join(request.measures))
    with database.transaction():
        check_dataset(database, dataset)
        for measure in wanted:
            unfit = register(database, measure, dataset)
            if unfit is None:
                lines.append(f"{measure.name} is already registered")
            else:
                lines.append(f"registered {measure.name}{where}")
                warnings += unfit
    for line in lines:
        messages.tell(line)
    for line in warnings:
        messages.warn(line)


def remove_measures(
    database: Database, messages: Messages, request: RemoveMeasuresRequest
) -> None:
    """Remove registered measures by name, and their stored values.

    Raises NdcgSqlError if one is not registered; then none is removed.
    """
    dataset = request.dataset
    where = f" for dataset {quoted(dataset)}" if dataset is not None else ""
    wanted = parse(" ".join(request.measures))
    with database.transaction():
        for measure in wanted:
            names = registered(database)
            if measure.name not in names:
                raise NdcgSqlError(
                    "not registered",
                    nearest(measure.name, names),
                    where=f"measure {quoted(measure.name)}",
                )
            unregister(database, measure, dataset)
    for measure in wanted:
        messages.tell(f"removed {measure.name}{where}")
