"""Values of several runs, query by query, and the table of what tests make of them."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

import numpy as np

from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.answers import Part, Record, part_of
from ndcg_sql.comparison.significance import COLUMNS, Testing
from ndcg_sql.comparison.statistics import Differences, Floats
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.measures.names import Measure


def values_of_runs(
    database: Database,
    measure: Measure,
    run_ids: Sequence[int],
    judgment_set_id: int,
    sliced: bool,
) -> dict[Part, dict[int, Floats]]:
    """Return the values of each run in the order of queries, NaN where there is none.

    With slices, they are those of each value of each attribute.
    """
    parameters = {
        "run_ids": list(run_ids),
        "judgment_set_id": judgment_set_id,
        "measures": [measure.name],
        "sliced": sliced,
    }
    by_part: dict[Part, dict[int, Floats]] = {}
    for row in database.arrays(sql_files.read("reports/values_of_runs"), parameters):
        by_part.setdefault(part_of(row), {})[row["run_id"]] = row["query_values"]
    return by_part


def complete(columns: Iterable[Floats]) -> tuple[Floats, str | None]:
    """Return a row for each query with a value in every column.

    The second result says why there are too few to test, if so.
    """
    table = np.column_stack(list(columns))
    table = table[~np.isnan(table).any(axis=1)]
    if len(table) > 1:
        return table, None
    few = "only one" if len(table) else "no"
    return table, f"{few} query has a value for every run"


def tested(differences: Differences, testing: Testing) -> Record:
    """Return every statistic of differences, null where it is undefined."""
    options = (testing.alpha, testing.resamples, testing.seed)
    result: Record = dict.fromkeys(COLUMNS)
    result["note"] = differences.missing
    if not differences.n:
        return result
    for columns, values in (
        (("ci_low", "ci_high"), statistics.interval(differences, testing.alpha)),
        (
            ("p_randomization", "randomization"),
            statistics.randomization(differences, *options[1:]),
        ),
        (
            ("p_bootstrap", "bootstrap_low", "bootstrap_high", "bootstrap"),
            statistics.bootstrap(differences, *options),
        ),
    ):
        result |= zip(columns, values or (), strict=False)
    result["p_t"] = statistics.t_test(differences)
    if testing.test == "wilcoxon":
        result["p_wilcoxon"] = statistics.wilcoxon(differences)
    result["effect_size"] = statistics.effect_size(differences)
    result["detectable_difference"] = statistics.detectable(differences, testing.alpha)
    return result


def no_mean(measure: Measure) -> str | None:
    """Return why the values of a measure cannot be tested, if its value is no mean."""
    summary = measure.family.summary
    if summary == "mean":
        return None
    if measure.family.is_of_runs:
        return "the value is one of the run as a whole, not a mean over queries"
    mean = "geometric mean" if summary == "geometric" else summary
    return f"the value is a {mean}, not a mean"


def statistics_table(
    database: Database, columns: Mapping[str, str], rows: Iterable[Record]
) -> AbstractContextManager[None]:
    """Return a context with these columns of rows in the temporary table statistics.

    row_id, the row that they belong to, comes first.
    """
    typed = {"row_id": "bigint", **columns}
    types = ", ".join(f"{name} {kind}" for name, kind in typed.items())
    select = ROWS.replace("$rows", f"cast($rows as struct({types})[])")
    records = [{name: row[name] for name in typed} for row in rows]
    return database.temporary("statistics", select, {"rows": records})
