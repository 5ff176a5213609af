"""Values: stored once for what is registered, computed when asked for the rest.

Either way they come out of the same views and the same inserts. What is not
to be stored goes into temporary tables that hide the stored ones.
"""

import math
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, nullcontext

from ndcg_sql import progress, sqlfiles
from ndcg_sql.database import ROWS
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.families import families, written
from ndcg_sql.gains import check_scheme
from ndcg_sql.measures import Measure
from ndcg_sql.text import quoted, sql_text
from ndcg_sql.warehouse import Parameters, Warehouse

Pair = tuple[int, int]
_HITS = ("evaluations", "hits")
# Queries of a run that is large.
MANY = 100_000
# How many families are valued at once in smaller ones; in large ones, one measure is.
_TOGETHER = 10
_VALUES = ("stored_values", "stored_run_values")
_OF_SET = "where judgment_set_id = $judgment_set_id"
_OF_PAIR = f"{_OF_SET} and run_id = $run_id"
# Views that most families read, and their rows, which are kept while values are made.
_SHARED = {
    "relevance_measures": "from relevance_measures",
    "gain_measures": sqlfiles.read("store/shared_gain_measures"),
    "listed_queries": f"from listed_queries {_OF_PAIR}",
    "relevant_judgments": f"from relevant_judgments {_OF_SET}",
    "relevant_places": f"from relevant_places {_OF_PAIR}",
    "discounted_gains": f"from discounted_gains {_OF_PAIR} and part <> 'unjudged'",
    "gain_prefixes": f"from gain_prefixes {_OF_PAIR}",
}
# The same for a measure alone, whose list nothing else looks at.
_OF_ONE = {
    "relevance_measures": "from relevance_measures where measure = $measure",
    "gain_measures": "from gain_measures where measure = $measure",
    "listed_queries": _SHARED["listed_queries"],
    "relevant_places": _SHARED["relevant_places"],
}


def evaluate(warehouse: Warehouse, pair: Pair, is_scored: bool = False) -> None:
    """Store the hits of a run with a judgment set, and the registered values.

    is_scored tells whether the view scored shows the rows of the run.
    """
    find_hits(warehouse, pair, is_scored)
    value(warehouse, pair)


def evaluate_missing(warehouse: Warehouse, pairs: list[Pair]) -> list[Pair]:
    """Evaluate, of some pairs, those that are not evaluated yet; return them."""
    stored = set(warehouse.execute("select run_id, judgment_set_id from evaluations"))
    missing = [pair for pair in pairs if pair not in stored]
    if missing:
        with warehouse.transaction():
            for pair in progress.each(missing, "evaluating", "runs"):
                evaluate(warehouse, pair)
    return missing


def find_hits(warehouse: Warehouse, pair: Pair, is_scored: bool = False) -> None:
    """Store which returned documents a judgment set judged, and the counts.

    is_scored tells whether the view scored shows the rows of the run.
    """
    ids = {"run_id": pair[0], "judgment_set_id": pair[1]}
    warehouse.run("store/evaluations", ids)
    warehouse.run("store/hits_of_scored" if is_scored else "store/hits", ids)


def value(warehouse: Warehouse, pair: Pair) -> None:
    """Store the values of the registered measures for a pair with hits."""
    ids = {"run_id": pair[0], "judgment_set_id": pair[1]}
    _check_gains(warehouse, pair[1])
    known = warehouse.execute("select measure, family from measures order by family")
    if not known:
        return
    answered = "select answered from evaluations where "
    answered += "run_id = $run_id and judgment_set_id = $judgment_set_id"
    # DuckDB would plan every family, which takes longer than to value a small run;
    # and the more it values at once, the more memory it takes.
    if warehouse.execute(answered, ids)[0][0] > MANY:
        for measure, family in known:
            values = sqlfiles.values_of({family})
            alone = f"from ({values}) where measure = {sql_text(measure)}"
            _store_values(warehouse, [alone], _OF_ONE, {**ids, "measure": measure})
    else:
        names = sorted({family for _, family in known})
        parts = [
            sqlfiles.values_of(set(names[start : start + _TOGETHER]))
            for start in range(0, len(names), _TOGETHER)
        ]
        _store_values(warehouse, parts, _SHARED, ids)
    warehouse.run("store/stored_run_values", ids)


def _store_values(
    warehouse: Warehouse, parts: list[str], kept: dict[str, str], asked: Parameters
) -> None:
    """Store what parts of family_values select, one part after another.

    Of the views that are to be kept, those that they read are computed once.
    """
    read = sqlfiles.read_through(" ".join(parts))
    with ExitStack() as tables:
        for view in [view for view in kept if view in read]:
            tables.enter_context(warehouse.temporary(view, kept[view], asked))
        for part in parts:
            warehouse.execute(sqlfiles.storing(part), asked)


def add_rows(warehouse: Warehouse, measure: Measure) -> None:
    """Put a measure into the table measures, and its map into gains."""
    row = measure.row
    columns, places = ", ".join(row), ", ".join(f"${column}" for column in row)
    warehouse.execute(f"insert into measures ({columns}) values ({places})", row)
    _check_scheme(warehouse, measure)
    warehouse.run("store/positions_of_measures")
    known = {scheme for (scheme,) in warehouse.execute("select scheme from gains")}
    for scheme, grade, gain in measure.gain_rows:
        # Another measure may have brought the same map.
        if scheme not in known:
            warehouse.execute(
                "insert into gains values ($scheme, $grade, $gain)",
                {"scheme": scheme, "grade": grade, "gain": gain},
            )


def register(warehouse: Warehouse, measure: Measure) -> bool:
    """Register a measure and value it for every evaluation.

    Must be called inside a transaction. Returns False if it is there already.
    """
    if measure.name in registered(warehouse):
        return False
    pairs = warehouse.execute("select run_id, judgment_set_id from evaluations")
    add_rows(warehouse, measure)
    # Hiding the other measures leaves only the new one to be valued.
    new = "from measures where measure = $m"
    with warehouse.temporary("measures", new, {"m": measure.name}):
        for run_id, judgment_set_id in progress.each(pairs, "evaluating", "runs"):
            value(warehouse, (run_id, judgment_set_id))
    return True


def unregister(warehouse: Warehouse, measure: Measure) -> None:
    """Remove a registered measure, its values, and its map of gains.

    Must be called inside a transaction.
    """
    for table in ("measures", *_VALUES):
        warehouse.execute(
            f"delete from {table} where measure = $m", {"m": measure.name}
        )
    warehouse.run("store/unused_gains")


def replace_registered(warehouse: Warehouse, measures: list[Measure]) -> None:
    """Register exactly these measures, in a warehouse that holds nothing else yet."""
    with warehouse.transaction():
        warehouse.execute("delete from measures")
        for measure in measures:
            add_rows(warehouse, measure)


def registered(warehouse: Warehouse) -> list[str]:
    """Return the canonical names of the registered measures, in their order."""
    return [
        name
        for (name,) in warehouse.execute("select measure from measures order by rowid")
    ]


@contextmanager
def valued(
    warehouse: Warehouse,
    measures: list[Measure],
    pairs: list[Pair],
    with_values: bool = True,
    alone: bool = False,
) -> Generator[None]:
    """See to it that inside, the views know these measures for these pairs.

    What is stored is read. If anything is not, temporary tables take what is
    computed, and what is stored; the file is never written. Without values, only the
    views that compute by themselves (ndcg, ndcg_steps) can be asked. Alone,
    these pairs and measures are all that there is, and all that costs.
    """
    names = {measure.name for measure in measures}
    stored = set(warehouse.execute("select run_id, judgment_set_id from evaluations"))
    registered_names = registered(warehouse)
    if names <= set(registered_names) and set(pairs) <= stored:
        with _narrowed(warehouse, pairs, names) if alone else nullcontext():
            yield
        return
    with warehouse.shadow(["measures", "gains", "positions", *_VALUES]):
        warehouse.bring("positions")
        warehouse.bring("gains", "where not starts_with(scheme, '{')")
        missing = set(pairs) - stored
        known = set(registered_names) if not missing else set[str]()
        for measure in measures:
            if measure.name not in known:
                add_rows(warehouse, measure)
        with warehouse.shadow(_HITS if missing else []):
            for pair in progress.each(pairs, "evaluating", "runs"):
                if pair in missing:
                    find_hits(warehouse, pair)
                elif missing:
                    _copy_hits(warehouse, pair)
                if with_values:
                    value(warehouse, pair)
                else:
                    _check_gains(warehouse, pair[1])
            for measure in measures:
                if measure.name in known:
                    _copy_values(warehouse, measure, pairs)
            hits_alone = alone and not missing
            with _narrowed(warehouse, pairs) if hits_alone else nullcontext():
                yield


@contextmanager
def _narrowed(
    warehouse: Warehouse, pairs: list[Pair], measures: Iterable[str] = ()
) -> Generator[None]:
    """Hide tables of the file behind views of what they have of some pairs.

    With measures, values are of these alone. A filter that stands at the table
    is heeded by all that reads it, windows and recursions too.
    """
    of_pairs = _of_pairs(pairs)
    hidden = {str(table): of_pairs for table in _HITS}
    names = ", ".join(sql_text(name) for name in measures)
    if names:
        hidden["measures"] = f"measure in ({names})"
        hidden["stored_values"] = f"{of_pairs} and measure in ({names})"
    with ExitStack() as views:
        for table, which in hidden.items():
            rows = f"from {warehouse.stored(table)} where {which}"
            views.enter_context(warehouse.hide(table, rows))
        yield


def _of_pairs(pairs: list[Pair]) -> str:
    """Return which rows of a table of values or hits are those of some pairs."""
    runs = ", ".join(str(run_id) for run_id, _ in pairs)
    sets = ", ".join(str(set_id) for _, set_id in pairs)
    return f"run_id in ({runs}) and judgment_set_id in ({sets})"


def _copy_values(warehouse: Warehouse, measure: Measure, pairs: list[Pair]) -> None:
    """Bring a registered measure into the temporary tables that hide its values."""
    add_rows(warehouse, measure)
    which = f"where measure = $m and {_of_pairs(pairs)}"
    for table in _VALUES if pairs else ():
        warehouse.bring(table, which, {"m": measure.name})


def _copy_hits(warehouse: Warehouse, pair: Pair) -> None:
    """Bring the stored hits of a pair into the temporary tables that hide them."""
    for table in _HITS:
        warehouse.bring(table, f"where {_of_pairs([pair])}")


def _check_scheme(warehouse: Warehouse, measure: Measure) -> None:
    """Raise NdcgSqlError if a measure names a gain scheme that is not there."""
    scheme = measure.parameters.get("gains")
    if isinstance(scheme, str):
        try:
            check_scheme(warehouse, scheme)
        except NdcgSqlError as error:
            raise NdcgSqlError(f"measure {quoted(measure.name)}: {error}") from None


def _check_gains(warehouse: Warehouse, judgment_set_id: int) -> None:
    """Raise NdcgSqlError if a measure cannot value a grade of a judgment set."""
    ids = {"judgment_set_id": judgment_set_id}
    for judgment_set, grade, measure in warehouse.run("reports/bad_grades", ids):
        raise NdcgSqlError(
            f"judgment set {quoted(judgment_set)} has the grade {written(grade)}, which"
            f" is above the max_rel of {measure}; name a higher one, such as"
            f" max_rel={written(math.ceil(grade))} (ndcg-sql measures remove takes a"
            " registered measure away)"
        )
    faults = warehouse.run("reports/bad_gains", ids)
    for judgment_set, grade, scheme, unnamed in faults:
        if not unnamed:
            raise NdcgSqlError(
                f"judgment set {quoted(judgment_set)} has the grade {written(grade)}:"
                " its gain is too large to be added up; choose other gains, such as"
                " gains={1:1,2:3}"
            )
        left_out = [written(row[1]) for row in faults if row[2] == scheme and row[3]]
        noun = "grade" if len(left_out) == 1 else "grades"
        raise NdcgSqlError(
            f"judgment set {quoted(judgment_set)} has the {noun} {', '.join(left_out)}:"
            f" gain scheme {quoted(scheme)} does not say what that is worth"
        )


@contextmanager
def known_families(warehouse: Warehouse) -> Generator[None]:
    """Put what can be registered into the temporary table families."""
    rows = [
        {
            "measure": " = ".join((family.name, *family.aliases)),
            "trec_eval": " ".join(family.trec_eval),
            "parameters": " ".join(
                f"{key}={written(value)}" if value is not None else key
                for key, value in family.defaults.items()
            ),
            "meaning": family.description,
            "source": family.source,
        }
        for family in families().values()
    ]
    with warehouse.temporary("families", ROWS, {"rows": rows}):
        yield
