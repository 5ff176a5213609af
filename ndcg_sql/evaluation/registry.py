"""The registered measures, whose values a warehouse stores."""

from collections.abc import Sequence

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.gains import check_scheme
from ndcg_sql.evaluation.values import VALUES, store_values
from ndcg_sql.measures.names import Measure
from ndcg_sql.system import progress
from ndcg_sql.text import quoted


def registered(database: Database) -> list[str]:
    """Return the canonical names of the registered measures, in their order."""
    return [
        name
        for (name,) in database.execute("select measure from measures order by rowid")
    ]


def register(database: Database, measure: Measure) -> bool:
    """Register a measure and store its values for every evaluation.

    Must be called inside a transaction. Returns False if it is already registered.
    """
    if measure.name in registered(database):
        return False
    pairs = database.execute("select run_id, judgment_set_id from evaluations")
    add_rows(database, measure)
    named: Parameters = {
        "measure": measure.name,
        "trec_eval_name": measure.trec_eval_name,
        "names": measure.other_names,
    }
    for file in ("measure_names", "trec_eval_names"):
        database.run(f"store/{file}", named)
    # Hiding the other measures leaves only the new one to evaluate.
    new = "from measures where measure = $m"
    with database.temporary("measures", new, {"m": measure.name}):
        for run_id, judgment_set_id in progress.each(pairs, "evaluating", "runs"):
            store_values(database, (run_id, judgment_set_id))
    return True


def unregister(database: Database, measure: Measure) -> None:
    """Remove a registered measure, its values, and its map of gains.

    Must be called inside a transaction.
    """
    for table in ("measures", "measure_names", *VALUES):
        database.execute(f"delete from {table} where measure = $m", {"m": measure.name})
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
    known = {scheme for (scheme,) in database.execute("select gain_scheme from gains")}
    for scheme, grade, gain in measure.gain_rows:
        # Another measure may have added the same map.
        if scheme not in known:
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
            raise NdcgSqlError(f"measure {quoted(measure.name)}: {error}") from None
