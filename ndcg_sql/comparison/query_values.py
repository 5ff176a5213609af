"""Values of several runs, query by query, and the table of what tests make of them."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

import numpy as np

from ndcg_sql.comparison.answers import Part, Record, part_of, select_records
from ndcg_sql.comparison.statistics import Floats
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
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
    types = {"row_id": "bigint", **columns}
    records = [{name: row[name] for name in types} for row in rows]
    return database.temporary("statistics", select_records(types), {"rows": records})
