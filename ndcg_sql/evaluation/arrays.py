"""Values of runs on arrays of hits, which takes less than SQL where there are many."""

from collections.abc import Mapping, Sequence

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.formulas import Formulas, JudgedRows, Returned, Values
from ndcg_sql.evaluation.measuring import Batch, of_runs
from ndcg_sql.reading.clean.arrays import np
from ndcg_sql.system import progress

# The judged queries of a batch, by their numbers in the order of ids.
_QUERIES = (
    "select query_id, row_number() over (order by query_id) - 1 as query"
    " from (select distinct query_id from judgments where {judgments})"
)
_NUMBERED = " inner join numbered_queries using (query_id) where "
_JUDGED = "select query, grade from judgments" + _NUMBERED + "{judgments}"
_HITS = "select query, position, grade from hits" + _NUMBERED + "{hits}"
_LISTED = (
    "select coalesce(retrieved, 0) as listed from numbered_queries"
    " left join (from run_queries where {run_queries}) using (query_id) order by query"
)
_STORE = """
    insert into stored_values by name
    select
        run_id,
        {judgment_set_id} as judgment_set_id,
        $names[measure] as measure,
        query_id,
        if(isnan(value), null, value) as value,
        if(isnan(total), null, total) as total,
        null as ideal_total,
        nothing_relevant
    from numbered_queries
    inner join array_values using (query)
"""
# How many values are stored at once.
_MOST_VALUES = 1_000_000


def store(
    database: Database, batches: Sequence[Batch], families: Mapping[str, str]
) -> dict[str, str]:
    """Store the values of batches by measures whose families are given.

    Returns the measures that are left to SQL, with their families.
    """
    # Another program may have computed the values of some runs.
    runs = of_runs({run_id for batch in batches for run_id in batch.run_ids})
    loaded = database.execute(
        f"select distinct measure from loaded_values where {runs}"
    )
    of_loaded = {name: families[name] for (name,) in loaded if name in families}
    measures = {name: of for name, of in families.items() if name not in of_loaded}
    left = dict(families)
    for batch in progress.each(batches, "evaluating", "batches of queries"):
        conditions = batch.conditions
        with database.temporary("numbered_queries", _QUERIES.format(**conditions)):
            [(count,)] = database.execute("select count(*) from numbered_queries")
            judged = database.columns(_JUDGED.format(**conditions))
            rows = JudgedRows(count, judged["query"], judged["grade"])
            formulas = Formulas(database, measures, rows, conditions)
            left = of_loaded | formulas.others
            if len(left) == len(families):
                break
            _store_batch(database, batch, formulas, count)
    return left


def _store_batch(
    database: Database, batch: Batch, formulas: Formulas, count: int
) -> None:
    """Store the values of a batch with so many judged queries."""
    # Runs that have only loaded values have no judged queries.
    ranked = f"{batch.pairs} and answered + unanswered > 0 order by run_id"
    parts: list[tuple[int, Values]] = []
    for (run_id,) in database.execute(f"select run_id from evaluations where {ranked}"):
        of_run = batch._replace(run_ids=(run_id,)).conditions
        hits = database.columns(_HITS.format(**of_run))
        grade = np.searchsorted(formulas.grades, hits["grade"])
        [listed] = database.columns(_LISTED.format(**of_run)).values()
        run = Returned(hits["query"], hits["position"], grade, listed)
        for values in formulas.values(run):
            parts.append((run_id, values))
            if len(parts) * count >= _MOST_VALUES:
                _insert(database, batch.judgment_set_id, parts)
                parts.clear()
    if parts:
        _insert(database, batch.judgment_set_id, parts)


def _insert(
    database: Database, set_id: int, parts: Sequence[tuple[int, Values]]
) -> None:
    """Store values of runs by one measure each."""
    names = list(dict.fromkeys(values.name for _, values in parts))
    count = len(parts[0][1].value)
    columns = {
        "run_id": np.repeat([run_id for run_id, _ in parts], count),
        "measure": np.repeat([names.index(v.name) + 1 for _, v in parts], count),
        "query": np.tile(np.arange(count), len(parts)),
        **{
            name: np.concatenate([getattr(values, name) for _, values in parts])
            for name in ("value", "total", "nothing_relevant")
        },
    }
    database.connection.register("array_values", columns)
    database.execute(_STORE.format(judgment_set_id=set_id), {"names": names})
    database.connection.unregister("array_values")
