"""Values of runs: computed by the chain of views, or on arrays, and stored.

Temporary tables may hide the stored ones; then nothing is written to the file.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from ndcg_sql.database import chain, schema
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.fitting import note_misfits
from ndcg_sql.evaluation.measuring import Batch, Measuring, Pair, of_measures, of_sets
from ndcg_sql.system import progress
from ndcg_sql.system.limits import groups
from ndcg_sql.text import sql_text

# Where the hits of a new run come from: the view scored, which shows its rows before
# they are stored, or the view read_hits, which has the hits themselves.
HitsFile = Literal["hits_of_scored", "hits_of_read"]
HITS = ("evaluations", "hits")
VALUES = ("stored_values", "stored_run_values", "stored_weighted_values", "ideal_sums")
MEANS = (
    "run_id, judgment_set_id, measure, value, n, no_relevant, judged_at_k,"
    " standard_error"
)
_WEIGHTED = "run_id, judgment_set_id, measure, weighted_value, weighted_n"
# A run with more queries is large.
MANY = 100_000
# How many terms SQL computes before numpy is imported.
MOST_OF_SQL = 20_000
# How many rows are evaluated at once: ranked documents to be looked up, or documents
# that count, each of which has a term for each measure. A term takes 100 bytes.
MOST_ROWS = 1_000_000
_MOST_TERMS = 5_000_000
_SETS = "select judgment_set_id from judgment_sets where dataset = $dataset order by 1"
_OF_DATASET = f"where judgment_set_id in ({_SETS})"
_PAIRS = f"select run_id, judgment_set_id from evaluations {_OF_DATASET}"


# The families of which all runs share ideal lists by default.
_WITH_IDEALS = sorted(chain.families_with("ideal", "judged", "greedy"))
# The measures that fit judgment sets, and whether the sums of ideal lists that all runs
# share are still to be stored.
_FITTING = f"""
    select
        judgment_set_id, measure, family,
        family in ({", ".join(map(sql_text, _WITH_IDEALS))})
        and coalesce(ideal in ('judged', 'uncut'), true)
        and (judgment_set_id, measure) not in (
            select distinct judgment_set_id, measure from ideal_sums where {{0}}
        ) as lacks_ideal_sums
    from fitting_measures
    inner join measures using (measure, family)
    where {{0}}
"""


def evaluate(database: Database, pairs: Sequence[Pair]) -> None:
    """Store the hits of runs with judgment sets, and the registered values.

    Measures that do not fit a judgment set are left out.
    """
    find_hits(database, pairs)
    store_values_of(database, pairs)


def store_hits(database: Database, pair: Pair, file: HitsFile) -> None:
    """Store the hits of a new run with a judgment set, as the SQL file selects them."""
    which = Batch(pair[1], pair[:1]).pairs
    _insert(database, "evaluations", f"from computed_evaluations where {which}")
    ids = {"run_id": pair[0], "judgment_set_id": pair[1]}
    database.run(f"store/{file}", ids)


def refill(database: Database) -> int:
    """Fill the derived tables from the present views; return the number of pairs.

    Must be called inside a transaction.
    """
    runs = database.execute("select run_id from runs order by run_id")
    pairs = database.execute("select run_id, judgment_set_id from evaluations")
    for table in schema.DERIVED:
        database.execute(f"delete from {table}")
    note_misfits(database)
    for (run_id,) in runs:
        database.run("store/run_queries", {"run_id": run_id})
    evaluate(database, pairs)
    return len(pairs)


def find_hits(database: Database, pairs: Sequence[Pair]) -> None:
    """Store which returned documents judgment sets judged, and the counts."""
    sizes = dict(database.execute("select run_id, document_count from runs"))
    each = _batches({pair: sizes[pair[0]] for pair in pairs}, MOST_ROWS)
    for batch in progress.each(each, "finding hits", "batches of runs"):
        for table in HITS:
            _insert(database, table, f"from computed_{table} where {batch.pairs}")


def _insert(database: Database, table: str, rows: str) -> None:
    """Store the rows of a select, or their columns, by name."""
    database.execute(f"insert into {table} by name {rows}")


def store_values_of(
    database: Database, pairs: Iterable[Pair], names: Collection[str] | None = None
) -> None:
    """Store the values of registered measures, of these or of all, for pairs with hits.

    Measures that do not fit a judgment set are left out. Small runs are evaluated
    together, the queries of a large one in batches.
    """
    by_set: dict[int, list[int]] = {}
    for run_id, set_id in pairs:
        by_set.setdefault(set_id, []).append(run_id)
    rows = database.execute(_FITTING.format(of_sets(by_set))) if by_set else []
    if names is not None:
        rows = [row for row in rows if row[1] in names]
    for set_id, runs in sorted(by_set.items()):
        own = [row[1:] for row in rows if row[0] == set_id]
        families = {name: family for name, family, _ in own}
        lacking = {name: family for name, family, lacks in own if lacks}
        if lacking and not database.is_scratch:
            _store_ideal_sums(database, set_id, lacking)
        if families:
            _store(database, Batch(set_id, tuple(runs)), families)


def _store_ideal_sums(
    database: Database, set_id: int, families: Mapping[str, str]
) -> None:
    """Store the sums of ideal lists that all runs share, for measures by name."""
    [(judged,)] = database.execute(
        f"select judgment_count from judgment_sets where judgment_set_id = {set_id}"
    )
    measuring = Measuring(database, families)
    for batch in _ranges(database, Batch(set_id), judged * len(families)):
        _insert(database, "ideal_sums", measuring.ideal_sums(batch))


def _store(database: Database, every: Batch, families: Mapping[str, str]) -> None:
    """Store the values of runs with one judgment set, by measures that fit it."""
    whole = chain.families_with("summary", "none")
    by_query = {name: of for name, of in families.items() if of not in whole}
    rows = database.run("lookups/evaluation_sizes", every._asdict())
    sizes = {run: size * len(families) for run, size in rows if run in every.run_ids}
    pairs = {(run, every.judgment_set_id): size for run, size in sizes.items()}
    parts = [
        part
        for batch in _batches(pairs, _MOST_TERMS)
        for part in _ranges(database, batch, sum(sizes[run] for run in batch.run_ids))
    ]
    left = by_query
    if sum(sizes.values()) >= MOST_OF_SQL:
        # What computes on arrays is slow to import.
        from ndcg_sql.evaluation import arrays

        left = arrays.store(database, parts, by_query)
    if left:
        measuring = Measuring(database, left)
        for batch in progress.each(parts, "evaluating", "batches of queries"):
            values = measuring.values(batch, not database.is_scratch)
            _insert(database, "stored_values", values)
    means = f"{every.pairs} and attribute is null and {of_measures(families)}"
    views = ["whole_run_values"] if len(by_query) < len(families) else []
    rows_of = f"from summarized_values where {means}"
    with database.temporary("summarized_values", rows_of):
        for view in (*views, "summarized_values"):
            rows_of = f"select {MEANS} from {view} where {means}"
            _insert(database, "stored_run_values", rows_of)
        _weigh(database, means)


def _ranges(database: Database, batch: Batch, terms: int) -> list[Batch]:
    """Return a batch as several of its queries, if it has too many terms."""
    count = -(-terms // _MOST_TERMS)
    if count < 2:
        return [batch]
    parameters = {"judgment_set_id": batch.judgment_set_id, "count": count}
    starts = database.run("lookups/query_ranges", parameters)
    bounds = [sql_text(start) for (start,) in starts]
    lower = ["true", *(f"query_id >= {bound}" for bound in bounds[1:])]
    upper = [*(f"query_id < {bound}" for bound in bounds[1:]), "true"]
    return [
        batch._replace(queries=f"{low} and {high}")
        for low, high in zip(lower, upper, strict=True)
    ]


def _batches(sizes: Mapping[Pair, int], most: int) -> list[Batch]:
    """Return pairs in batches of one judgment set with at most so many rows in all.

    A pair with more rows has a batch of its own.
    """
    by_set: dict[int, dict[int, int]] = {}
    for (run_id, set_id), size in sorted(sizes.items()):
        by_set.setdefault(set_id, {})[run_id] = size
    return [
        Batch(set_id, tuple(runs))
        for set_id, of_set in sorted(by_set.items())
        for runs in groups(of_set, most)
    ]


def _weigh(database: Database, which: str) -> None:
    """Store the weighted values of some evaluations, if any query has a weight."""
    # DuckDB would scan the new values before it finds that nothing has a weight.
    if database.execute("from queries where weight is not null limit 1"):
        rows = f"select {_WEIGHTED} from summarized_values where {which}"
        _insert(database, "stored_weighted_values", f"{rows} and weighted_n > 0")


def weigh(database: Database, dataset: str) -> None:
    """Store the weighted values of a dataset anew, after a change of weights.

    Must be called inside a transaction.
    """
    of_dataset = {"dataset": dataset}
    database.execute(f"delete from stored_weighted_values {_OF_DATASET}", of_dataset)
    pairs = database.execute(_PAIRS, of_dataset)
    for batch in _batches(dict.fromkeys(pairs, 1), MANY):
        _weigh(database, f"{batch.pairs} and attribute is null")


def store_anew(database: Database, dataset: str, needs: Sequence[str]) -> None:
    """Store the values anew that need what a dataset has of this, after a change of it.

    needs are words of the view measure_needs. Must be called inside a transaction.
    """
    parameters: Parameters = {"dataset": dataset, "needs": [*needs]}
    needing = "select measure from measure_needs where list_contains($needs, need)"
    names = [name for (name,) in database.execute(needing, parameters)]
    if not names:
        return
    sets = [set_id for (set_id,) in database.execute(_SETS, parameters)]
    note_misfits(database, names, sets)
    which = f"{_OF_DATASET} and {of_measures(names)}"
    for table in VALUES:
        database.execute(f"delete from {table} {which}", parameters)
    store_values_of(database, database.execute(_PAIRS, parameters), names)
