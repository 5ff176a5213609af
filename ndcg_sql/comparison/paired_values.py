"""Values of runs side by side, query by query: what every test of differences reads."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

import numpy as np

from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.answers import Part, Record, part_of, select_records
from ndcg_sql.comparison.significance import STATISTICS, Testing
from ndcg_sql.comparison.statistics import Differences, Floats
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.measures.names import Measure

# How many values of queries are in memory at a time, if possible.
AT_ONCE = 500_000


def values_of_runs(
    database: Database,
    measures: Sequence[Measure],
    run_ids: Sequence[int],
    judgment_set_id: int,
    sliced: bool,
) -> dict[str, dict[Part, dict[int, Floats]]]:
    """Return the values of each run in the order of queries, NaN where there is none.

    They are those of each measure; with slices, of each value of each attribute.
    """
    names = [measure.name for measure in measures]
    parameters = {
        "run_ids": list(run_ids),
        "judgment_set_id": judgment_set_id,
        "measures": names,
        "sliced": sliced,
    }
    values: dict[str, dict[Part, dict[int, Floats]]] = {name: {} for name in names}
    for row in database.arrays(sql_files.read("reports/values_of_runs"), parameters):
        of_part = values[row["measure"]].setdefault(part_of(row), {})
        of_part[row["run_id"]] = row["query_values"]
    return values


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


def every_statistic(
    differences: Differences, testing: Testing, in_full: bool
) -> Record:
    """Return every statistic of differences, null where it is undefined.

    Only in full is there the bootstrap, which takes longest, where it does not decide.
    """
    alpha, drawn = testing.alpha, (testing.resamples, testing.seed)
    result: Record = {**dict.fromkeys(STATISTICS), "note": differences.missing}
    if not differences.n:
        return result
    ends = statistics.interval(differences, alpha)
    result |= zip(("ci_low", "ci_high"), ends or (), strict=False)
    flipped = statistics.randomization(differences, *drawn)
    result |= zip(("p_randomization", "randomization"), flipped or (), strict=False)
    if in_full or testing.test == "bootstrap":
        columns = ("p_bootstrap", "bootstrap_low", "bootstrap_high", "bootstrap")
        sampled = statistics.bootstrap(differences, alpha, *drawn)
        result |= zip(columns, sampled or (), strict=False)
    if testing.test == "wilcoxon":
        result["p_wilcoxon"] = statistics.wilcoxon(differences)
    return result | {
        "p_t": statistics.t_test(differences),
        "effect_size": statistics.effect_size(differences),
        "detectable_difference": statistics.detectable(differences, alpha),
    }


def deciding_p(differences: Differences, testing: Testing) -> float | None:
    """Return the p-value of the test that decides; None if there is no difference.

    Without variance, which other tests need, the randomisation test decides.
    """
    drawn = testing.resamples, testing.seed
    p: float | None = None
    if testing.test == "t":
        p = statistics.t_test(differences)
    elif testing.test == "wilcoxon":
        p = statistics.wilcoxon(differences)
    elif testing.test == "bootstrap":
        tested = statistics.bootstrap(differences, testing.alpha, *drawn)
        p = tested and tested.p
    if p is None:
        flipped = statistics.randomization(differences, *drawn)
        p = flipped and flipped.p
    return p


def statistics_table(
    database: Database, columns: Mapping[str, str], rows: Iterable[Record]
) -> AbstractContextManager[None]:
    """Return a context with these columns of rows in the temporary table statistics.

    row_id, the row that they belong to, comes first.
    """
    types = {"row_id": "bigint", **columns}
    records = [{name: row[name] for name in types} for row in rows]
    return database.temporary("statistics", select_records(types), {"rows": records})
