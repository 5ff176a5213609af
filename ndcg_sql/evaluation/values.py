"""Values of runs: computed by views, stored by inserts that select from them.

Temporary tables may hide the stored ones; then nothing is written to the file.
"""

import math
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager

from ndcg_sql.database import schema, sql_files, views
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import written
from ndcg_sql.system import progress
from ndcg_sql.text import quoted, sql_text

# The ids of a run and a judgment set.
Pair = tuple[int, int]
HITS = ("evaluations", "hits")
VALUES = ("stored_values", "stored_run_values")
# A run with more queries is large.
MANY = 100_000
# How many families are evaluated at once; for large runs, one measure at a time.
_TOGETHER = 10
_OF_SET = "where judgment_set_id = $judgment_set_id"
_OF_PAIR = f"{_OF_SET} and run_id = $run_id"
# Views that most families read, and the rows to materialise during evaluation.
_SHARED = {
    "relevance_measures": "from relevance_measures",
    "gain_measures": sql_files.read("store/shared_gain_measures"),
    "listed_queries": f"from listed_queries {_OF_PAIR}",
    "relevant_judgments": f"from relevant_judgments {_OF_SET}",
    "relevant_places": f"from relevant_places {_OF_PAIR}",
    "discounted_gains": f"from discounted_gains {_OF_PAIR} and part <> 'unjudged'",
    "gain_prefixes": f"from gain_prefixes {_OF_PAIR}",
}
# The same for a single measure.
_OF_ONE = {
    "relevance_measures": "from relevance_measures where measure = $measure",
    "gain_measures": "from gain_measures where measure = $measure",
    "listed_queries": _SHARED["listed_queries"],
    "relevant_places": _SHARED["relevant_places"],
}


def evaluate(database: Database, pair: Pair, is_scored: bool = False) -> None:
    """Store the hits of a run with a judgment set, and the registered values.

    is_scored is true if the view scored shows the rows of the run.
    """
    find_hits(database, pair, is_scored)
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


def find_hits(database: Database, pair: Pair, is_scored: bool = False) -> None:
    """Store which returned documents a judgment set judged, and the counts.

    is_scored is true if the view scored shows the rows of the run.
    """
    ids = {"run_id": pair[0], "judgment_set_id": pair[1]}
    database.run("store/evaluations", ids)
    database.run("store/hits_of_scored" if is_scored else "store/hits", ids)


def store_values(database: Database, pair: Pair) -> None:
    """Store the values of the registered measures for a pair with hits."""
    ids = {"run_id": pair[0], "judgment_set_id": pair[1]}
    check_gains(database, pair[1])
    known = database.execute("select measure, family from measures order by family")
    if not known:
        return
    answered = "select answered from evaluations where "
    answered += "run_id = $run_id and judgment_set_id = $judgment_set_id"
    # DuckDB would plan every family, which takes longer than evaluating a small run;
    # and the more families it evaluates at once, the more memory it takes.
    if database.execute(answered, ids)[0][0] > MANY:
        for measure, family in known:
            named = {**ids, "measure": measure}
            values = views.union_of({family})
            alone = f"from ({values}) where measure = {sql_text(measure)}"
            with _kept(database, {family}, _OF_ONE, named):
                database.execute(views.storing(alone), named)
    else:
        names = sorted({family for _, family in known})
        with _kept(database, names, _SHARED, ids):
            for start in range(0, len(names), _TOGETHER):
                values = views.union_of(names[start : start + _TOGETHER])
                database.execute(views.storing(values), ids)
    database.run("store/stored_run_values", ids)


@contextmanager
def _kept(
    database: Database, families: Iterable[str], kept: dict[str, str], asked: Parameters
) -> Generator[None]:
    """Materialise, while inside, those views in kept that families read."""
    read = views.reads_through(views.of_families(families))
    with ExitStack() as tables:
        for view in [view for view in kept if view in read]:
            tables.enter_context(database.temporary(view, kept[view], asked))
        yield


def check_gains(database: Database, judgment_set_id: int) -> None:
    """Raise NdcgSqlError if a measure cannot use a grade of a judgment set."""
    ids = {"judgment_set_id": judgment_set_id}
    for judgment_set, grade, measure in database.run("lookups/bad_grades", ids):
        raise NdcgSqlError(
            f"judgment set {quoted(judgment_set)} has the grade {written(grade)}, which"
            f" is above the max_rel of {measure}; use a higher one, such as"
            f" max_rel={written(math.ceil(grade))} (ndcg-sql measures remove removes a"
            " registered measure)"
        )
    faults = database.run("lookups/bad_gains", ids)
    for judgment_set, grade, scheme, unnamed in faults:
        if not unnamed:
            raise NdcgSqlError(
                f"judgment set {quoted(judgment_set)} has the grade {written(grade)}:"
                " its gain is too large to be summed; choose other gains, such as"
                " gains={1:1,2:3}"
            )
        left_out = [written(row[1]) for row in faults if row[2] == scheme and row[3]]
        noun = "grade" if len(left_out) == 1 else "grades"
        raise NdcgSqlError(
            f"judgment set {quoted(judgment_set)} has the {noun} {', '.join(left_out)}:"
            f" gain scheme {quoted(scheme)} defines no gain for that"
        )
