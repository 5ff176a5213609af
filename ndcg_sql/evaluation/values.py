"""Values of runs: computed by views, stored by inserts that select from them.

Temporary tables may hide the stored ones; then nothing is written to the file.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
)
from typing import Literal

from ndcg_sql.database import schema, sql_files, views
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import check_pairs
from ndcg_sql.system import progress
from ndcg_sql.text import sql_text

# The ids of a run and a judgment set.
Pair = tuple[int, int]
# Where the hits of a run come from: its stored rows, the view scored, which shows them
# before they are stored, or the view read_hits, which has the hits themselves.
HitsFile = Literal["hits", "hits_of_scored", "hits_of_read"]
HITS = ("evaluations", "hits")
VALUES = ("stored_values", "stored_run_values", "stored_weighted_values")
# A run with more queries is large.
MANY = 100_000
# How many views are evaluated at once; for large runs, one measure at a time.
TOGETHER = 10
# How many rows of small runs are evaluated at once: ranked documents to be looked up,
# or hits for each of the measures.
MOST_ROWS = 1_000_000
FITTING = "fitting_measures"
_LISTED = "listed_hits"
_OF_DATASET = "run_id in (select run_id from runs where dataset = $dataset)"


def evaluate(database: Database, pair: Pair, hits_file: HitsFile = "hits") -> None:
    """Store the hits of a run with a judgment set, and the registered values.

    hits_file is the SQL file that selects the hits. Measures that do not fit the
    judgment set are left out. Raises NdcgSqlError if another engine evaluated the
    run with other judgments.
    """
    check_pairs(database, [pair])
    ids, _ = _ids([pair])
    database.run("store/evaluations", ids)
    database.run(f"store/{hits_file}", ids)
    _store(database, [pair])


def evaluate_all(database: Database, pairs: Iterable[Pair]) -> None:
    """Store the hits of runs with judgment sets, and the registered values.

    Small runs are evaluated together; otherwise as evaluate does.
    """
    chosen = list(pairs)
    if chosen:
        find_hits(database, chosen)
        store_values_of(database, chosen)


def evaluate_missing(database: Database, pairs: Iterable[Pair]) -> list[Pair]:
    """Evaluate those of the pairs that are not evaluated yet; return them."""
    stored = set(database.execute("select run_id, judgment_set_id from evaluations"))
    missing = [pair for pair in pairs if pair not in stored]
    if missing:
        with database.transaction():
            evaluate_all(database, missing)
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
    evaluate_all(database, pairs)
    return len(pairs)


def find_hits(database: Database, pairs: Sequence[Pair]) -> None:
    """Store which returned documents judgment sets judged, and the counts.

    Raises NdcgSqlError if another engine evaluated a run with other judgments.
    """
    check_pairs(database, pairs)
    sizes = dict(database.execute("select run_id, document_count from runs"))
    batches = _batches({pair: sizes[pair[0]] for pair in pairs}, MOST_ROWS)
    for batch in progress.each(batches, "finding hits", "batches of runs"):
        ids, runs = _ids(batch)
        for file in ("store/evaluations", "store/hits"):
            database.execute(_of_runs(sql_files.read(file), runs), ids)


def store_values_of(database: Database, pairs: Sequence[Pair]) -> None:
    """Store the values of the registered measures for pairs with hits.

    Those of small runs are computed together: DuckDB takes longer to plan the
    views than to evaluate a small run. Measures that do not fit a judgment set are
    left out.
    """
    for batch in progress.each(
        _small_together(database, pairs), "evaluating", "batches of runs"
    ):
        _store(database, batch)


def most_at_once(database: Database, pairs: Iterable[Pair]) -> int:
    """Return how many measures of pairs with hits are evaluated at once."""
    largest = max(_sizes(database, pairs).values(), default=0)
    return max(1, MOST_ROWS // max(1, largest))


def _small_together(database: Database, pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Return pairs with hits in batches that are evaluated at once."""
    [(measures,)] = database.execute("select count(*) from measures")
    most = min(MANY, MOST_ROWS // max(1, measures))
    return _batches(_sizes(database, pairs), most)


def _sizes(database: Database, pairs: Iterable[Pair]) -> dict[Pair, int]:
    """Return how many rows the values of each pair with hits are computed from."""
    runs_of: dict[int, set[int]] = {}
    for run_id, set_id in pairs:
        runs_of.setdefault(set_id, set()).add(run_id)
    return {
        (run_id, set_id): size
        for set_id, runs in sorted(runs_of.items())
        for run_id, size in database.run(
            "lookups/evaluation_sizes", {"judgment_set_id": set_id}
        )
        if run_id in runs
    }


def _batches(sizes: Mapping[Pair, int], most: int) -> list[list[Pair]]:
    """Return pairs in batches of one judgment set with at most so many rows in all.

    A pair with more rows has a batch of its own.
    """
    batches: list[list[Pair]] = []
    room = 0
    for pair, size in sorted(sizes.items(), key=lambda item: item[0][1]):
        if not batches or size > room or batches[-1][0][1] != pair[1]:
            batches.append([])
            room = most
        batches[-1].append(pair)
        room -= size
    return batches


def _ids(batch: Sequence[Pair]) -> tuple[Parameters, list[int]]:
    """Return the parameters of a statement on a batch, and its runs."""
    ids = {"run_id": batch[0][0], "judgment_set_id": batch[0][1]}
    return ids, [run_id for run_id, _ in batch]


def _store(database: Database, pairs: Sequence[Pair]) -> None:
    """Store the values of pairs with the same judgment set."""
    ids, runs = _ids(pairs)
    fitting = f"from {FITTING} where judgment_set_id = $judgment_set_id"
    with database.temporary(FITTING, fitting, ids), _of_batch(database, runs):
        _store_fitting(database, ids, runs)
        _store_whole(database, ids, runs)
    files = ["store/stored_run_values"]
    # DuckDB would scan the new values before it finds that nothing has a weight.
    if database.execute("from queries where weight is not null limit 1"):
        files.append("store/stored_weighted_values")
    for file in files:
        database.execute(_of_runs(sql_files.read(file), runs), ids)


def _of_batch(database: Database, runs: Sequence[int]) -> AbstractContextManager[None]:
    """Let views read the hits of several runs alone while inside.

    A condition on one run reaches the hits through all joins, one on several does not.
    """
    if len(runs) == 1:
        return nullcontext()
    hits = f"from {views.STORE}.{_LISTED} where run_id = $run_id"
    return database.hide(_LISTED, _of_runs(hits, runs))


def _of_runs(sql: str, runs: Sequence[int]) -> str:
    """Return a statement on one run as one on several."""
    if len(runs) == 1:
        return sql
    # Constants reach the tables, which a list in a parameter does not.
    return sql.replace("= $run_id", f"in ({', '.join(map(str, runs))})")


def weigh(database: Database, dataset: str) -> None:
    """Store the weighted values of a dataset anew, after a change of weights.

    Must be called inside a transaction.
    """
    delete = f"delete from stored_weighted_values where {_OF_DATASET}"
    database.execute(delete, {"dataset": dataset})
    for batch in _small_together(database, _evaluated(database, dataset)):
        ids, runs = _ids(batch)
        sql = sql_files.read("store/stored_weighted_values")
        database.execute(_of_runs(sql, runs), ids)


def store_anew(database: Database, dataset: str, needs: Sequence[str]) -> None:
    """Store the values anew that need what a dataset has of this, after a change of it.

    needs are words of the view measure_needs. Must be called inside a transaction.
    """
    needing = "select measure from measure_needs where list_contains($needs, need)"
    measures = f"from measures where measure in ({needing})"
    named = {"needs": [*needs]}
    if not database.execute(f"{measures} limit 1", named):
        return
    with database.temporary("measures", measures, named):
        for table in VALUES:
            database.execute(
                f"delete from {table} where {_OF_DATASET}"
                " and measure in (select measure from measures)",
                {"dataset": dataset},
            )
        store_values_of(database, _evaluated(database, dataset))


def _evaluated(database: Database, dataset: str) -> list[Pair]:
    """Return the evaluations of a dataset."""
    sql = f"select run_id, judgment_set_id from evaluations where {_OF_DATASET}"
    return database.execute(sql, {"dataset": dataset})


def _store_fitting(database: Database, ids: Parameters, runs: Sequence[int]) -> None:
    """Store the values for queries, where fitting_measures is a table."""
    rows = database.execute(f"select measure, family from {FITTING} order by family")
    # DuckDB would plan every family, which takes longer than evaluating a small run;
    # and the more families it evaluates at once, the more memory it takes.
    if _is_large(database, ids, runs):
        for measure, family in rows:
            if not views.of_families({family}):
                continue
            named = {**ids, "measure": measure}
            values = views.union_of({family})
            alone = f"from ({values}) where measure = {sql_text(measure)}"
            with _materialized(
                database, views.of_families({family}), "large_run", named, runs
            ):
                database.execute(views.storing(alone), named)
    else:
        names = views.of_families(family for _, family in rows)
        with _materialized(database, names, "small_run", ids, runs):
            for start in range(0, len(names), TOGETHER):
                values = views.united(names[start : start + TOGETHER])
                database.execute(_of_runs(views.storing(values), runs), ids)


def _store_whole(database: Database, ids: Parameters, runs: Sequence[int]) -> None:
    """Store the values of runs as wholes, where fitting_measures is a table."""
    families = database.execute(f"select distinct family from {FITTING}")
    names = views.of_run_families(family for (family,) in families)
    if names:
        case = "large_run" if _is_large(database, ids, runs) else "small_run"
        with _materialized(database, names, case, ids, runs):
            sql = sql_files.read("store/whole_run_values")
            database.execute(_of_runs(sql, runs), ids)


def _is_large(database: Database, ids: Parameters, runs: Sequence[int]) -> bool:
    """Return whether a batch is one run with many queries."""
    answered = "select answered from evaluations where "
    answered += "run_id = $run_id and judgment_set_id = $judgment_set_id"
    return len(runs) == 1 and database.execute(answered, ids)[0][0] > MANY


@contextmanager
def _materialized(
    database: Database,
    names: Iterable[str],
    case: str,
    parameters: Parameters,
    runs: Sequence[int],
) -> Generator[None]:
    """Materialise, while inside, what other views read of sql/store/materialized.csv.

    case is the column of the selects, or of the files of selects.
    """
    read = views.reads_through(names)
    with ExitStack() as tables:
        for row in sql_files.rows("store/materialized"):
            if row["view"] not in read:
                continue
            select = row[case]
            # DuckDB would scan the rankings of a new run before it finds out.
            if row["if_any"] and not database.execute(f"from {row['if_any']} limit 1"):
                select = f"from {row['view']} limit 0"
            elif not select.startswith("from "):
                select = sql_files.read(select) if select else ""
            if select:
                select = _of_runs(select, runs)
                tables.enter_context(
                    database.temporary(row["view"], select, parameters)
                )
        yield
