"""Runs compared with a baseline: how much they differ, and how significantly."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.answers import (
    Answer,
    Part,
    Record,
    Rows,
    part_of,
    select_records,
)
from ndcg_sql.comparison.comparison import (
    FEW,
    Comparison,
    prepared,
    tell_judged,
    tell_weighted,
)
from ndcg_sql.comparison.replicates import shares_in_slices
from ndcg_sql.comparison.significance import COLUMNS, Testing
from ndcg_sql.comparison.statistics import Differences, Floats
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import Entry, check_attributes, check_columns
from ndcg_sql.evaluation.question import combined
from ndcg_sql.measures.names import Measure
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages

# The columns of sql/reports/compare*.sql.
_COLUMNS = (
    *("baseline", "candidate", "judgment_set", "dataset", "slice", "measure", "n"),
    *("baseline_value", "candidate_value", "difference", "relative_difference"),
    *("wins", "ties", "losses", "weighted_difference", "weighted_n"),
    *("standard_error", "baseline_judged_at_k", "candidate_judged_at_k"),
    "comparisons",
    *("query_id", "text", "attribute", *COLUMNS),
)
_FIRST = ("baseline", "candidate", "judgment_set", "dataset")
# How many values or differences of queries are in memory at a time, if possible.
AT_ONCE = 500_000
# How many losses and wins of single queries are listed for each candidate.
_CHANGES = 3


def by_query(
    database: Database, messages: Messages, question: Comparison, scope: Scope
) -> Answer:
    """Return the values of a baseline and of runs by query."""
    _check_attributes(database, question)
    by = question.by
    parameters = {**question.parameters, "sliced": bool(by)}
    with prepared(database, messages, question), combined(database, by):
        file, without = "reports/compare_queries", () if by else ("slice",)
        rows = Rows.of(database, file, parameters, by, _FIRST, without)
    return Answer("comparison by query", rows, scope, {"question": question})


def means(
    database: Database,
    messages: Messages,
    question: Comparison,
    testing: Testing,
    scope: Scope,
    no_queries: bool = False,
) -> Answer:
    """Return the differences of runs from a baseline."""
    _check_attributes(database, question)
    by = question.by
    with prepared(database, messages, question) as covers:
        rows = rows_of(database, question, testing)
        tell_weighted(messages, rows.records, by)
        if not by:
            tell_judged(messages, rows.records)
        beside: Mapping[str, Any] = {}
        if not no_queries:
            beside = _beside(database, question, rows)
    about = {
        "covers": covers,
        "testing": testing,
        "question": question,
        "measure": question.measures[0].name,
    }
    return Answer("comparison", rows, scope, {**about, **beside})


def compare(
    database: Database, messages: Messages, question: Comparison, testing: Testing
) -> Rows:
    """Return the rows of a comparison.

    With attributes of queries, there is a row for each combination of their
    values, which are columns of those names. Reports what the values depend on.
    """
    _check_attributes(database, question)
    with prepared(database, messages, question):
        return rows_of(database, question, testing)


def _check_attributes(database: Database, question: Comparison) -> None:
    check_attributes(database, question.by, [question.baseline])
    check_columns(question.by, _COLUMNS)


def rows_of(database: Database, question: Comparison, testing: Testing) -> Rows:
    """Return the rows of a comparison whose values are known."""
    by = question.by
    with combined(database, by):
        without = ("attribute", *(() if by else ("slice",)))
        return rows_with_tests(database, question, testing, bool(by), by, without)


def _beside(database: Database, question: Comparison, rows: Rows) -> Mapping[str, Any]:
    """Return what is shown beside a few candidates: their queries."""
    names = {row["candidate"] for row in rows.records}
    candidates = [run for run in question.candidates if run.name in names]
    if len(candidates) > FEW:
        return {}
    few = replace(question, runs=(question.baseline, *candidates))
    measure = question.measures[0].name
    return {
        "candidates": [run.name for run in candidates],
        "changes": changed_queries(database, few, measure, _CHANGES),
    }


def changed_queries(
    database: Database,
    question: Comparison,
    measure: str,
    count: int,
    part: Part = (None, None),
) -> list[Record]:
    """Return the queries that lost and won most, where values are known.

    They are listed for each candidate by one measure, the greatest loss first,
    from all queries or from the slice of an attribute.
    """
    attribute, value = part
    parameters = {**question.parameters, "measure": measure, "count": count}
    parameters |= {"attribute": attribute, "slice": value}
    return database.records(sql_files.read("reports/changed_queries"), parameters)


def rows_with_tests(
    database: Database,
    question: Comparison,
    testing: Testing,
    sliced: bool,
    by: Sequence[str] = (),
    without: Sequence[str] = (),
) -> Rows:
    """Return the rows of a comparison, with the results of tests, of known values.

    With slices, there is a row for each value of each attribute. The differences of
    some candidates and measures, one per query and attribute, are in memory at a time.
    """
    parameters: Parameters = {**question.parameters, "sliced": sliced}
    sums = sql_files.read("reports/compared")
    rows: list[Record] = []
    # The shares of systems are there.
    runs_in_slices = question.runs if sliced and not question.systems else ()
    with (
        shares_in_slices(database, runs_in_slices),
        database.temporary("compared", f"from ({sums}) limit 0", parameters),
    ):
        parts = _parts(database, question)
        for candidates, measures in progress.each(parts, "comparing", "parts"):
            of_part = {
                **parameters,
                "candidate_run_ids": [run.id for run in candidates],
                "measures": [measure.name for measure in measures],
            }
            database.execute(f"insert into compared {sums}", of_part)
            sql = "select rowid as row_id, * from compared where rowid >= $count"
            added = database.records(sql, {"count": len(rows)})
            arrays = database.arrays(sql_files.read("reports/differences"), of_part)
            differences = {
                _key(row): Differences(row["differences"], row["counts"])
                for row in arrays
            }
            reasons = {measure.name: no_mean(measure) for measure in measures}
            for row in added:
                reason = reasons[row["measure"]]
                of_row = differences.get(_key(row), Differences.of([]))
                own = {"note": reason} if reason else _tested(of_row, testing)
                rows.append(dict.fromkeys(COLUMNS) | row | own)
        if testing.correct == "tukey":
            for measure in question.measures:
                group = [row for row in rows if row["measure"] == measure.name]
                _correct_by_tukey(database, question, measure, testing, sliced, group)
        else:
            p_values = [row[f"p_{testing.test}"] for row in rows]
            corrected = statistics.adjusted(p_values, testing.correct)
            for row, p in zip(rows, corrected, strict=True):
                row["p_adjusted"] = p
        with statistics_table(database, COLUMNS, rows):
            file, parameters = "reports/compare", question.parameters
            return Rows.of(database, file, parameters, by, _FIRST, without)


def _parts(
    database: Database, question: Comparison
) -> list[tuple[Sequence[Entry], Sequence[Measure]]]:
    """Return candidates and measures, as many together as memory easily holds."""
    # Two comparisons are few, however many queries there are.
    if len(question.candidates) * len(question.measures) <= 2:
        return [(question.candidates, question.measures)]
    sql = "select query_count from judgment_sets where judgment_set_id = $id"
    [(queries,)] = database.execute(sql, {"id": question.judgment_set_id})
    most, measures = AT_ONCE // max(queries, 1), question.measures
    size = max(most // len(measures), 1)
    some = [measures] if most >= len(measures) else [[one] for one in measures]
    starts = range(0, len(question.candidates), size)
    candidates = [question.candidates[start : start + size] for start in starts]
    return list(product(candidates, some))


def _key(row: Record) -> tuple[int, str, Part]:
    return row["candidate_run_id"], row["measure"], part_of(row)


def _tested(differences: Differences, testing: Testing) -> Record:
    """Return every statistic of differences, null where it is undefined."""
    alpha, resamples, seed = testing.alpha, testing.resamples, testing.seed
    result: Record = dict.fromkeys(COLUMNS)
    result["note"] = differences.missing
    if not differences.n:
        return result
    interval = statistics.interval(differences, alpha)
    result |= zip(("ci_low", "ci_high"), interval or (), strict=False)
    flipped = statistics.randomization(differences, resamples, seed)
    result |= zip(("p_randomization", "randomization"), flipped or (), strict=False)
    drawn = statistics.bootstrap(differences, alpha, resamples, seed)
    columns = ("p_bootstrap", "bootstrap_low", "bootstrap_high", "bootstrap")
    result |= zip(columns, drawn or (), strict=False)
    result["p_t"] = statistics.t_test(differences)
    if testing.test == "wilcoxon":
        result["p_wilcoxon"] = statistics.wilcoxon(differences)
    result["effect_size"] = statistics.effect_size(differences)
    result["detectable_difference"] = statistics.detectable(differences, alpha)
    return result


def _correct_by_tukey(
    database: Database,
    question: Comparison,
    measure: Measure,
    testing: Testing,
    sliced: bool,
    rows: Sequence[Record],
) -> None:
    """Add the p-values of Tukey's test of all runs of a slice at once.

    The test uses the queries for which every run has a value; if a row has more,
    its note gives their number.
    """
    ids = [run.id for run in question.runs]
    set_id = question.judgment_set_id
    values = values_of_runs(database, [measure], ids, set_id, sliced)[measure.name]
    tables = {
        part: complete(columns[run_id] for run_id in ids)
        for part, columns in values.items()
    }
    tests: dict[Part, tuple[Floats, str]] = {}
    for row in rows:
        part = part_of(row)
        if row["p_randomization"] is None:
            continue
        notes = [row["note"]] if row["note"] else []
        table, few = tables[part]
        if few:
            notes.append(few)
        else:
            if part not in tests:
                tests[part] = statistics.tukey(table, testing.resamples, testing.seed)
            p_values, how = tests[part]
            row["p_adjusted"] = float(p_values[0, ids.index(row["candidate_run_id"])])
            if how == "normal":
                notes.append("p adjusted by a normal approximation")
            n = len(table)
            if n != row["n"]:
                notes.append(f"p adjusted over {n} queries with a value for every run")
        row["note"] = "; ".join(notes) or None


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


def statistics_table(
    database: Database, columns: Mapping[str, str], rows: Iterable[Record]
) -> AbstractContextManager[None]:
    """Return a context with these columns of rows in the temporary table statistics.

    row_id, the row that they belong to, comes first.
    """
    types = {"row_id": "bigint", **columns}
    records = [{name: row[name] for name in types} for row in rows]
    return database.temporary("statistics", select_records(types), {"rows": records})
