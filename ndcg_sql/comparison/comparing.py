"""Runs compared with a baseline: how much they differ, and how significantly."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from ndcg_sql.comparison import replicates, statistics
from ndcg_sql.comparison.answers import Answer, Part, Record, Rows, part_of
from ndcg_sql.comparison.caveats import (
    FEW,
    check_answers,
    tell_judged,
    tell_left_out,
    tell_weighted,
)
from ndcg_sql.comparison.comparison import Comparison, comparison
from ndcg_sql.comparison.paired import (
    complete,
    no_mean,
    statistics_table,
    tested,
    values_of_runs,
)
from ndcg_sql.comparison.replicates import shares_in_slices
from ndcg_sql.comparison.significance import COLUMNS, Testing
from ndcg_sql.comparison.statistics import Differences
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import check_attributes, check_columns
from ndcg_sql.evaluation.question import Slicing, answered, combined
from ndcg_sql.measures.names import Measure
from ndcg_sql.requests.comparisons import CompareRequest
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
_COMPARED = "compared"
# How many losses and wins of single queries are listed for each candidate.
_CHANGES = 3


def answer(database: Database, messages: Messages, request: CompareRequest) -> Answer:
    """Return the differences of runs from a baseline, or their values by query."""
    testing = Testing.of(request)
    question = comparison(database, request.baseline, request.candidates, request)
    check_attributes(database, question.by, [question.baseline])
    check_columns(question.by, _COLUMNS)
    with prepared(database, messages, question) as covers:
        question = replace(question, sort=request.sort, limit=request.limit)
        if request.per_query:
            by = question.by
            parameters = {**question.parameters, "sliced": bool(by)}
            with combined(database, by):
                file = "reports/compare_queries"
                rows = Rows.of(database, file, parameters, by, _FIRST)
            rows = rows if by else rows.without("slice")
            return Answer("comparison by query", request, rows)
        rows = _rows(database, question, testing)
        tell_weighted(messages, rows.records, question.by)
        if not question.by:
            tell_judged(messages, rows.records)
        beside: Mapping[str, Any] = {}
        if not request.no_queries:
            beside = _beside(database, question, rows)
    about = {
        "covers": covers,
        "testing": testing,
        "question": question,
        "measure": question.measures[0].name,
    }
    return Answer("comparison", request, rows, {**about, **beside})


def _beside(database: Database, question: Comparison, rows: Rows) -> Mapping[str, Any]:
    names = {row[0] for row in rows.relation.project("candidate").distinct().fetchall()}
    candidates = [run for run in question.candidates if run.name in names]
    if len(candidates) > FEW:
        return {}
    few = replace(question, runs=(question.baseline, *candidates))
    measure = question.measures[0].name
    bins = {**few.parameters, "measures": [measure]}
    return {
        "candidates": [run.name for run in candidates],
        "bins": database.records(sql_files.read("figures/difference_bins"), bins),
        "changes": changed_queries(database, few, measure, _CHANGES),
    }


def compare(
    database: Database, messages: Messages, question: Comparison, testing: Testing
) -> Rows:
    """Return the rows of a comparison.

    With attributes of queries, there is a row for each combination of their
    values, which are columns of those names. Reports what the values rest on.
    """
    check_attributes(database, question.by, [question.baseline])
    check_columns(question.by, _COLUMNS)
    with prepared(database, messages, question):
        return _rows(database, question, testing)


def _rows(database: Database, question: Comparison, testing: Testing) -> Rows:
    by = question.by
    with combined(database, by):
        rows = rows_with_tests(database, question, testing, bool(by), by)
    return rows.without("attribute", *(() if by else ("slice",)))


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


@contextmanager
def prepared(
    database: Database,
    messages: Messages,
    question: Comparison,
    slicing: Slicing = combined,
) -> Generator[list[str]]:
    """Make the values of the compared runs, or systems, known to views while inside.

    With systems, slicing is how slices are made of the question's attributes. Gives
    the lines that say what means over replicates cover. Reports what values rest on.
    Raises NdcgSqlError where two runs have no judged query in common.
    """
    if not question.named:
        tell_left_out(database, messages, question)
    with ExitStack() as stack:
        covers: list[str] = []
        if systems := question.systems:
            replicates.tell_sources(database, messages, systems)
            means = replicates.averaged(database, messages, question, systems, slicing)
            covers = stack.enter_context(means)
        else:
            stack.enter_context(answered(database, messages, question))
        check_answers(database, messages, question)
        yield covers


def rows_with_tests(
    database: Database,
    question: Comparison,
    testing: Testing,
    sliced: bool,
    by: Sequence[str] = (),
) -> Rows:
    """Return the rows of a comparison, with the results of tests, of known values.

    With slices, there is a row for each value of each attribute. Candidates and
    measures are processed one after another: only the differences of one comparison,
    one per query and attribute, are in memory at a time.
    """
    parameters: Parameters = {**question.parameters, "sliced": sliced}
    sums = sql_files.read("reports/compared")
    none = f"from ({sums}) limit 0"
    rows: list[Record] = []
    # The shares of systems are there.
    runs_in_slices = question.runs if sliced and not question.systems else ()
    with (
        shares_in_slices(database, runs_in_slices),
        database.temporary(_COMPARED, none, parameters),
    ):
        for one in progress.each(question.single, "comparing", "comparisons"):
            of_one = {**parameters, **one.parameters}
            database.execute(f"insert into {_COMPARED} {sums}", of_one)
            sql = f"select rowid as row_id, * from {_COMPARED} where rowid >= $count"
            added = database.records(sql, {"count": len(rows)})
            arrays = database.arrays(sql_files.read("reports/differences"), of_one)
            differences = {
                part_of(row): Differences(row["differences"], row["counts"])
                for row in arrays
            }
            reason = no_mean(one.measures[0])
            for row in added:
                of_row = differences.get(part_of(row), Differences.of([]))
                own = {"note": reason} if reason else tested(of_row, testing)
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
            return Rows.of(database, "reports/compare", question.parameters, by, _FIRST)


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
    values = values_of_runs(database, measure, ids, question.judgment_set_id, sliced)
    tables = {
        part: complete(columns[run_id] for run_id in ids)
        for part, columns in values.items()
    }
    tests: dict[Part, tuple[statistics.Floats, str]] = {}
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
