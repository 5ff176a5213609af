"""Values of runs: computed by views, stored by inserts that select from them.

Temporary tables may hide the stored ones; then nothing is written to the file.
"""

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from typing import Literal

from ndcg_sql.database import schema, sql_files, views
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.external import check_pair
from ndcg_sql.system import progress
from ndcg_sql.text import sql_text

# The ids of a run and a judgment set.
Pair = tuple[int, int]
# Where the hits of a run come from: its stored rows, the view scored, which shows them
# before they are stored, or the view read_hits, which has the hits themselves.
Found = Literal["hits", "hits_of_scored", "hits_of_read"]
HITS = ("evaluations", "hits")
VALUES = ("stored_values", "stored_run_values", "stored_weighted_values")
# A run with more queries is large.
MANY = 100_000
# How many views are evaluated at once; for large runs, one measure at a time.
TOGETHER = 10
FITTING = "fitting_measures"


def evaluate(database: Database, pair: Pair, found: Found = "hits") -> None:
    """Store the hits of a run with a judgment set, and the registered values.

    found tells where the hits come from.
    """
    find_hits(database, pair, found)
    store_values(database, pair)


def evaluate_missing(database: Database, pairs: Iterable[Pair]) -> list[Pair]:
    """Evaluate those of the pairs that are not evaluated yet; return them."""
    stored = set(database.execute("select run_id, judgment_set_id from evaluations"))
    missing = [pair for pair in pairs if pair not in stored]
    if missing:
        with database.transaction():
            for pair in progress.each(missing, "evaluating", "runs"):
                evaluate(database, pair)
    return missing


def refill(database: Database) -> int:
    """Fill the derived tables from the present views; return the number of pairs.

    Must be called inside a transaction.
    """
    runs = database.execute("select run_id from runs order by run_id")
    pairs = database.execute("select run_id, judgment_set_id from evaluations")
    for table in schema.DERIVED:
        database.execute(f"delete from {table}")
    for (run_id,) in runs:
        database.run("store/run_queries", {"run_id": run_id})
    for run_id, judgment_set_id in pairs:
        evaluate(database, (run_id, judgment_set_id))
    return len(pairs)


def find_hits(database: Database, pair: Pair, found: Found = "hits") -> None:
    """Store which returned documents a judgment set judged, and the counts.

    found tells where the hits come from. Raises NdcgSqlError if another engine
    evaluated the run with other judgments.
    """
    check_pair(database, pair)
    ids = {"run_id": pair[0], "judgment_set_id": pair[1]}
    database.run("store/evaluations", ids)
    database.run(f"store/{found}", ids)


def store_values(database: Database, pair: Pair) -> None:
    """Store the values of the registered measures for a pair with hits.

    Measures that do not fit the judgment set are left out.
    """
    ids = {"run_id": pair[0], "judgment_set_id": pair[1]}
    fitting = f"from {FITTING} where judgment_set_id = $judgment_set_id"
    with database.temporary(FITTING, fitting, {"judgment_set_id": pair[1]}):
        _store_fitting(database, ids)
    database.run("store/stored_run_values", ids)
    database.run("store/stored_weighted_values", ids)


def weigh(database: Database, dataset: str) -> None:
    """Store the weighted values of a dataset anew, after a change of weights.

    Must be called inside a transaction.
    """
    mine: Parameters = {"dataset": dataset}
    of_dataset = "run_id in (select run_id from runs where dataset = $dataset)"
    database.execute(f"delete from stored_weighted_values where {of_dataset}", mine)
    sql = f"select run_id, judgment_set_id from evaluations where {of_dataset}"
    for run_id, judgment_set_id in database.execute(sql, mine):
        ids = {"run_id": run_id, "judgment_set_id": judgment_set_id}
        database.run("store/stored_weighted_values", ids)


def _store_fitting(database: Database, ids: Parameters) -> None:
    """Store the values for queries, where fitting_measures is a table."""
    known = database.execute(f"select measure, family from {FITTING} order by family")
    answered = "select answered from evaluations where "
    answered += "run_id = $run_id and judgment_set_id = $judgment_set_id"
    # DuckDB would plan every family, which takes longer than evaluating a small run;
    # and the more families it evaluates at once, the more memory it takes.
    if database.execute(answered, ids)[0][0] > MANY:
        for measure, family in known:
            named = {**ids, "measure": measure}
            values = views.union_of({family})
            alone = f"from ({values}) where measure = {sql_text(measure)}"
            with _materialized(
                database, views.of_families({family}), "large_run", named
            ):
                database.execute(views.storing(alone), named)
    else:
        names = views.of_families(family for _, family in known)
        with _materialized(database, names, "small_run", ids):
            for start in range(0, len(names), TOGETHER):
                values = views.united(names[start : start + TOGETHER])
                database.execute(views.storing(values), ids)


@contextmanager
def _materialized(
    database: Database, names: Iterable[str], case: str, parameters: Parameters
) -> Generator[None]:
    """Materialise, while inside, what other views read of sql/store/materialized.csv.

    case is the column of the selects, or of the files of selects.
    """
    read = views.reads_through(names)
    with ExitStack() as tables:
        for row in sql_files.rows("store/materialized"):
            if row[case] and row["view"] in read:
                is_select = row[case].startswith("from ")
                select = row[case] if is_select else sql_files.read(row[case])
                tables.enter_context(
                    database.temporary(row["view"], select, parameters)
                )
        yield
