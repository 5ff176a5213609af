"""The measures, evaluations and values that views see while a question is answered.

There is one way to answer without writing to the file: temporary tables hide tables
of the same name, and begin with some of their rows.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import check_rankings, runs
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.registry import add_rows, registered
from ndcg_sql.evaluation.values import (
    HITS,
    VALUES,
    Batch,
    Pair,
    find_hits,
    of_measures,
    store_values_of,
)
from ndcg_sql.measures.names import Measure

# What measures add rows to that may be those of others.
_SHARED = {"positions": "true", "gains": "true"}


@contextmanager
def own_tables(database: Database, rows: Mapping[str, str]) -> Generator[None]:
    """Hide tables, while inside, behind temporary ones with some of their rows.

    rows are the conditions on these by table. What is stored inside goes into the
    temporary tables.
    """
    with ExitStack() as tables:
        for table, which in rows.items():
            some = f"from {database.stored(table)} where {which}"
            tables.enter_context(database.temporary(table, some))
        yield


@contextmanager
def known_values(
    database: Database,
    measures: Sequence[Measure],
    pairs: Sequence[Pair],
    with_values: bool = True,
    alone: bool = False,
    named: bool = True,
    afresh: bool = False,
) -> Generator[None]:
    """Make these measures of these pairs available to views while inside.

    Stored values are read. If any is missing, temporary tables hold both computed
    and stored values; the file is never written. Without values, only the views
    that compute by themselves (ndcg_steps) can be queried. With alone, views see
    only these pairs and measures, which saves time. If the user named the
    measures, raises NdcgSqlError if one does not fit a judgment set; otherwise, it
    has no values there. Computed afresh, nothing that is stored is read.
    """
    # The runs are the same for each measure: the first stands for all.
    if named and (reading := [m.name for m in measures if m.reads_rankings]):
        ids = {run_id for run_id, _ in pairs}
        check_rankings([run for run in runs(database) if run.id in ids], reading[0])
    names = {measure.name for measure in measures}
    sets = {set_id for _, set_id in pairs}
    there = set(database.execute("select run_id, judgment_set_id from evaluations"))
    missing = [pair for pair in pairs if afresh or pair not in there]
    readable = set[str]() if missing else names & set(registered(database))
    if named:
        sql = "select distinct judgment_set_id, measure from stored_run_values"
        values = set(database.execute(sql))
        readable = {name for name in readable if {(s, name) for s in sets} <= values}
    if names <= readable and not missing and not alone:
        yield
        return
    of_runs = Batch(0, tuple({run_id for run_id, _ in pairs})).runs
    of_sets = f"judgment_set_id in ({', '.join(map(str, sets)) or 'null'})"
    stored = of_measures(readable)
    rows = dict.fromkeys(VALUES, f"{of_runs} and {of_sets} and {stored}")
    rows |= {"ideal_sums": f"{of_sets} and {stored}", "measures": stored}
    rows |= {"misfits": stored, "measure_datasets": str(not named), **_SHARED}
    if missing or alone:
        pairs_there = ", ".join(map(str, {*pairs} - {*missing})) or "(null, null)"
        which = (
            f"{of_runs} and {of_sets} and (run_id, judgment_set_id) in ({pairs_there})"
        )
        rows |= dict.fromkeys(HITS, which)
    with own_tables(database, rows):
        computed = [measure for measure in measures if measure.name not in readable]
        add_rows(database, computed, sets)
        if named:
            check_fits(database, sets)
        find_hits(database, missing)
        if with_values:
            store_values_of(database, pairs, names - readable)
        yield


@contextmanager
def only_measures(
    database: Database, measures: Sequence[Measure], set_ids: Iterable[int]
) -> Generator[None]:
    """Hide all measures but these, and all values, while inside.

    What is stored inside goes into temporary tables.
    """
    tables = ("measures", "measure_datasets", "misfits", *VALUES)
    with own_tables(database, {**dict.fromkeys(tables, "false"), **_SHARED}):
        add_rows(database, measures, set_ids)
        yield


@contextmanager
def sampled(database: Database, pairs: Sequence[Pair], most: int) -> Generator[None]:
    """Hide all but some queries of each judgment set from views while inside.

    There are at most this many, always the same ones. Values must be computed afresh.
    """
    runs, sets = (list(dict.fromkeys(ids)) for ids in zip(*pairs, strict=True))
    parameters = {"judgment_set_ids": sets, "most": most}
    draw = sql_files.read("lookups/sampled_queries")
    drawn = "(select judgment_set_id, query_id from sampled_queries)"
    of_runs = f"{Batch(0, tuple(runs)).runs} and query_id in"
    of_runs += " (select query_id from sampled_queries)"
    rows = {"judgments": f"(judgment_set_id, query_id) in {drawn}"}
    rows |= dict.fromkeys(("rankings", "run_queries"), of_runs)
    with (
        database.temporary("sampled_queries", draw, parameters),
        own_tables(database, rows),
    ):
        yield
