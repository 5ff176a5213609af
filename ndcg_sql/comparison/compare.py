"""Runs compared with a baseline: how much they differ, and how significantly."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from ndcg_sql.comparison import paired_values, statistics
from ndcg_sql.comparison.answers import Answer, Part, Record, Rows, part_of
from ndcg_sql.comparison.comparison import (
    FEW,
    Comparison,
    prepared,
    tell_judged,
    tell_uncompared,
    tell_weighted,
)
from ndcg_sql.comparison.replicates import shares_in_slices
from ndcg_sql.comparison.significance import STATISTICS, Testing
from ndcg_sql.comparison.statistics import Differences, Floats
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Parameters
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.evaluation.question import combined
from ndcg_sql.measures.names import Measure
from ndcg_sql.options import Scope
from ndcg_sql.system import progress

# The columns of sql/reports/compare*.sql.
COLUMNS = (
    *("baseline", "candidate", "judgment_set", "dataset", "slice", "measure", "n"),
    *("baseline_value", "candidate_value", "difference", "relative_difference"),
    *("wins", "ties", "losses", "weighted_difference", "weighted_n"),
    *("standard_error", "baseline_judged_at_k", "candidate_judged_at_k"),
    "comparisons",
    *("query_id", "text", "attribute", *STATISTICS),
)
_FIRST = ("baseline", "candidate", "judgment_set", "dataset")
# How many losses and wins of single queries are listed for each candidate.
_CHANGES = 3


def by_query(question: Comparison, scope: Scope) -> Answer:
    """Return the values of a baseline and of runs by query."""
    by, database = question.by, question.database
    parameters = {**question.parameters, "sliced": bool(by)}
    with prepared(question, columns=COLUMNS), combined(database, by):
        rows = Rows.of(database, "reports/compare_queries", parameters, by, _FIRST)
        tell_uncompared(question, rows)
    about = {"question": question, "measures": question.measures}
    return Answer("comparison by query", rows, scope, about)


def means(
    question: Comparison, testing: Testing, scope: Scope, no_queries: bool = False
) -> Answer:
    """Return the differences of runs from a baseline.

    With attributes of queries, there is a row for each combination of their
    values, which are columns of those names. Reports what the values depend on. A few
    candidates come with the queries that lost and won most.
    """
    measure = question.measures[0].name
    about: Record = {"question": question, "measures": question.measures}
    about |= {"testing": testing, "measure": measure}
    with prepared(question, columns=COLUMNS) as covers:
        about |= {"covers": covers}
        rows = rows_of(question, testing, in_full=True)
        tell_uncompared(question, rows)
        tell_weighted(question.messages, rows.records, question.by)
        if not question.by:
            tell_judged(question, rows.records)
        names = {row["candidate"] for row in rows.records}
        runs = [run for run in question.candidates if run.name in names]
        if len(runs) <= FEW and not no_queries:
            few = replace(question, runs=(question.baseline, *runs))
            changes = changed_queries(few, measure, _CHANGES)
            about |= {"candidates": [run.name for run in runs], "changes": changes}
    return Answer("comparison", rows, scope, about)


def rows_of(question: Comparison, testing: Testing, in_full: bool = False) -> Rows:
    """Return the rows of a comparison whose values are known."""
    by = question.by
    with combined(question.database, by):
        rows = rows_with_tests(question, testing, bool(by), by, in_full)
    return rows.without("attribute")


def changed_queries(
    question: Comparison, measure: str, count: int, part: Part = (None, None)
) -> list[Record]:
    """Return the queries that lost and won most, where values are known.

    They are listed for each candidate by one measure, the greatest loss first,
    from all queries or from the slice of an attribute.
    """
    parameters = {**question.parameters, "measure": measure, "count": count}
    parameters |= dict(zip(("attribute", "slice"), part, strict=True))
    select = sql_files.read("reports/changed_queries")
    return question.database.records(select, parameters)


def rows_with_tests(
    question: Comparison,
    testing: Testing,
    sliced: bool,
    by: Sequence[str] | None = None,
    in_full: bool = False,
) -> Rows:
    """Return the rows of a comparison, with the results of tests, of known values.

    With slices, there is a row for each value of each attribute. The values of some
    candidates and measures, one per query and attribute, are in memory at a time. Only
    in full is there a bootstrap where another test decides.
    """
    database, set_id = question.database, question.judgment_set_id
    parameters: Parameters = {**question.parameters, "sliced": sliced}
    sums = sql_files.read("reports/compared")
    reasons = {
        measure.name: paired_values.no_mean(measure) for measure in question.measures
    }
    baseline = question.baseline.id
    rows: list[Record] = []
    # The shares of systems are there.
    runs_in_slices = question.runs if sliced and not question.systems else ()
    with (
        shares_in_slices(database, runs_in_slices),
        database.temporary("compared", f"from ({sums}) limit 0", parameters),
    ):
        parts = _parts(question)
        for candidates, measures in progress.each(parts, "comparing", "parts"):
            ids = [run.id for run in candidates]
            names = [measure.name for measure in measures]
            own = {**parameters, "candidate_run_ids": ids, "measures": names}
            database.execute(f"insert into compared {sums}", own)
            sql = "select rowid as row_id, * from compared where rowid >= $count"
            added = database.records(sql, {"count": len(rows)})
            tested = [measure for measure in measures if not reasons[measure.name]]
            ids = [baseline, *ids]
            values = paired_values.values_of_runs(database, tested, ids, set_id, sliced)
            for row in added:
                reason = reasons[row["measure"]]
                row |= dict.fromkeys(STATISTICS) | {"note": reason}
                if reason is None:
                    columns = values[row["measure"]][part_of(row)]
                    pair = (columns[baseline], columns[row["candidate_run_id"]])
                    row |= paired_values.every_statistic(
                        Differences.between(*pair), testing, in_full
                    )
            rows += added
        if testing.correct == "tukey":
            for measure in question.measures:
                group = [row for row in rows if row["measure"] == measure.name]
                _correct_by_tukey(question, measure, testing, sliced, group)
        else:
            p_values = [row[f"p_{testing.test}"] for row in rows]
            corrected = statistics.adjusted(p_values, testing.correct)
            for row, p in zip(rows, corrected, strict=True):
                row["p_adjusted"] = p
        with paired_values.statistics_table(database, STATISTICS, rows):
            file, parameters = "reports/compare", question.parameters
            return Rows.of(database, file, parameters, by, _FIRST)


def _parts(
    question: Comparison,
) -> list[tuple[Sequence[Entry], Sequence[Measure]]]:
    """Return candidates and measures, as many together as memory easily holds."""
    candidates, measures = question.candidates, question.measures
    # Two comparisons are few, however many queries there are.
    if len(candidates) * len(measures) <= 2:
        return [(candidates, measures)]
    sql = "select query_count from judgment_sets where judgment_set_id = $id"
    [(queries,)] = question.database.execute(sql, {"id": question.judgment_set_id})
    most = paired_values.AT_ONCE // max(queries, 1)
    size = max(most // len(measures), 1)
    some = [measures] if most >= len(measures) else [[one] for one in measures]
    starts = range(0, len(candidates), size)
    return list(product([candidates[at : at + size] for at in starts], some))


def _correct_by_tukey(
    question: Comparison,
    measure: Measure,
    testing: Testing,
    sliced: bool,
    rows: Iterable[Record],
) -> None:
    """Add the p-values of Tukey's test of all runs of a slice at once.

    A note gives the number of queries with a value for every run, if a row has more.
    """
    ids, set_id = [run.id for run in question.runs], question.judgment_set_id
    by_measure = paired_values.values_of_runs(
        question.database, [measure], ids, set_id, sliced
    )
    values = by_measure[measure.name]
    tests: dict[Part, tuple[str | None, Floats | None, str, int]] = {}
    for row in rows:
        part = part_of(row)
        if row["p_randomization"] is None:
            continue
        if part not in tests:
            table, few = paired_values.complete(values[part][run_id] for run_id in ids)
            drawn = testing.resamples, testing.seed
            p_values, how = (None, "") if few else statistics.tukey(table, *drawn)
            tests[part] = few, p_values, how, len(table)
        few, p_values, how, n = tests[part]
        notes = [row["note"], few]
        if p_values is not None:
            row["p_adjusted"] = float(p_values[0, ids.index(row["candidate_run_id"])])
            if how == "normal":
                notes.append("p adjusted by a normal approximation")
            if n != row["n"]:
                notes.append(f"p adjusted over {n} queries with a value for every run")
        row["note"] = "; ".join(filter(None, notes)) or None
