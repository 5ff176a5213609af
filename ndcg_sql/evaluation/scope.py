"""The measures, evaluations and values that views see while a question is answered."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, nullcontext

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import check_rankings, runs
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.registry import add_rows, registered
from ndcg_sql.evaluation.values import (
    HITS,
    VALUES,
    Pair,
    find_hits,
    store_values_of,
)
from ndcg_sql.measures.names import Measure
from ndcg_sql.text import sql_text

_SAMPLE = "sampled_queries"


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
    names = {measure.name for measure in measures}
    sets = {set_id for _, set_id in pairs}
    there = set(database.execute("select run_id, judgment_set_id from evaluations"))
    missing = set(pairs) if afresh else set(pairs) - there
    readable = set[str]() if missing else names & set(registered(database))
    if named:
        sql = "select distinct judgment_set_id, measure from stored_run_values"
        values = set(database.execute(sql))
        readable = {name for name in readable if {(s, name) for s in sets} <= values}
    if names <= readable and not missing:
        with _narrowed(database, pairs, names) if alone else nullcontext():
            yield
        return
    computed = [measure for measure in measures if measure.name not in readable]
    with only_measures(database, computed):
        if named:
            check_fits(database, sets)
            # The runs are the same for each measure: the first stands for all.
            if reading := [m.name for m in measures if m.reads_rankings]:
                ids = {run_id for run_id, _ in pairs}
                ranked = [run for run in runs(database) if run.id in ids]
                check_rankings(ranked, reading[0])
        else:
            database.bring("measure_datasets")
        with database.shadow(HITS if missing else []):
            if missing:
                find_hits(database, [pair for pair in pairs if pair in missing])
                for pair in pairs:
                    if pair not in missing:
                        _copy_hits(database, pair)
            if with_values and pairs:
                with nullcontext() if missing else _narrowed(database, pairs):
                    store_values_of(database, pairs)
            stored = [measure for measure in measures if measure.name in readable]
            _copy_values(database, stored, pairs)
            hits_alone = alone and not missing
            with _narrowed(database, pairs) if hits_alone else nullcontext():
                yield


@contextmanager
def only_measures(database: Database, measures: Sequence[Measure]) -> Generator[None]:
    """Hide all measures but these, and all values, while inside.

    What is stored inside goes into temporary tables.
    """
    tables = ["measures", "measure_datasets", "gains", "positions", *VALUES]
    with database.shadow(tables):
        database.bring("positions")
        database.bring("gains", "where not starts_with(gain_scheme, '{')")
        add_rows(database, measures)
        yield


@contextmanager
def sampled(database: Database, pairs: Sequence[Pair], most: int) -> Generator[None]:
    """Hide all but some queries of each judgment set from views while inside.

    There are at most this many, always the same ones. Values must be computed afresh.
    """
    runs, sets = (list(dict.fromkeys(ids)) for ids in zip(*pairs, strict=True))
    parameters = {"judgment_set_ids": sets, "most": most}
    of_sample = f"query_id in (select query_id from {_SAMPLE})"
    of_runs = f"where list_contains($ids, run_id) and {of_sample}"
    rows = {
        "judgments": (f"semi join {_SAMPLE} using (judgment_set_id, query_id)", None),
        "rankings": (of_runs, {"ids": runs}),
        "run_queries": (of_runs, {"ids": runs}),
    }
    draw = sql_files.read("lookups/sampled_queries")
    with database.temporary(_SAMPLE, draw, parameters), ExitStack() as tables:
        for table, (which, ids) in rows.items():
            select = f"from {database.stored(table)} {which}"
            tables.enter_context(database.temporary(table, select, ids))
        yield


@contextmanager
def _narrowed(
    database: Database, pairs: Sequence[Pair], measures: Iterable[str] = ()
) -> Generator[None]:
    """Hide tables of the file behind views of their rows of some pairs.

    With measures, values are limited to these. A filter at the table reaches
    everything that reads it, including windows and recursions.
    """
    of_pairs = _of_pairs(pairs)
    hidden = {str(table): of_pairs for table in HITS}
    names = ", ".join(sql_text(name) for name in measures)
    if names:
        hidden["measures"] = f"measure in ({names})"
        hidden["stored_values"] = f"{of_pairs} and measure in ({names})"
    with ExitStack() as views:
        for table, which in hidden.items():
            rows = f"from {database.stored(table)} where {which}"
            views.enter_context(database.hide(table, rows))
        yield


def _of_pairs(pairs: Sequence[Pair]) -> str:
    """Return the condition on rows of values or hits of some pairs."""
    runs = ", ".join(str(run_id) for run_id, _ in pairs)
    sets = ", ".join(str(set_id) for _, set_id in pairs)
    return f"run_id in ({runs}) and judgment_set_id in ({sets})"


def _copy_values(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> None:
    """Copy registered measures into the temporary tables that hide their values."""
    add_rows(database, measures)
    names = ", ".join(sql_text(measure.name) for measure in measures)
    sets = f"judgment_set_id in ({', '.join(str(set_id) for _, set_id in pairs)})"
    for table in VALUES if pairs and names else ():
        which = sets if table == "ideal_sums" else _of_pairs(pairs)
        database.bring(table, f"where measure in ({names}) and {which}")


def _copy_hits(database: Database, pair: Pair) -> None:
    """Copy the stored hits of a pair into the temporary tables that hide them."""
    for table in HITS:
        database.bring(table, f"where {_of_pairs([pair])}")
