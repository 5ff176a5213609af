"""Runs in the order of a measure, and the groups of them that no test separates."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ndcg_sql.comparison import paired_values, statistics
from ndcg_sql.comparison.answers import Answer, Context, Record, Rows
from ndcg_sql.comparison.letters import letters
from ndcg_sql.comparison.replicates import tell_replicated
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.comparison.statistics import Differences, Floats
from ndcg_sql.database import sql_files
from ndcg_sql.evaluation.question import Question, resolve
from ndcg_sql.measures.names import Measure
from ndcg_sql.options import Scope
from ndcg_sql.system import progress
from ndcg_sql.text import quoted

# The columns of sql/reports/leaderboard.sql.
COLUMNS = (
    *("dataset", "judgment_set", "slice", "rank", "run", "measure", "value"),
    *("ci_low", "ci_high", "n", "groups", "is_best", "is_tied", "judged_at_k"),
    *("judged_depth", "answered", "unanswered", "no_relevant", "tested_n", "note"),
)
# What is computed for each value, with its type in SQL.
_STATISTICS = {
    **dict.fromkeys(("ci_low", "ci_high"), "double"),
    "groups": "varchar",
    "is_separated": "boolean",
    "tested_n": "bigint",
    "note": "varchar",
}


def leaderboard(
    context: Context, scope: Scope, testing: Testing, limit: int | None = None
) -> Answer:
    """Return runs in the order of the first measure, with groups of equal ones.

    Each measure, slice and dataset is tested by itself; the correction covers all
    pairs of its runs. With a limit, only the first runs are included, but all are
    tested.
    """
    messages = context.messages
    question = resolve(*context, scope, COLUMNS)
    with question.answered(), question.sliced():
        ranked, rows = board(question, testing, limit)
    question.tell_missing(lambda: {(row["measure"], row["run"]) for row in rows})
    if not question.by:
        _tell_weighted(question, rows)
    count = len(question.pairs)
    if limit is not None and limit < count:
        messages.tell(f"{limit} of {count} runs shown; all of them were tested")
    tell_replicated(question)
    return Answer("leaderboard", ranked, scope, {"testing": testing})


def board(
    question: Question, testing: Testing, limit: int | None = None
) -> tuple[Rows, list[Record]]:
    """Return the rows of a leaderboard, and the means that they are made of.

    The values must be known.
    """
    database, parameters = question.database, question.parameters
    values = sql_files.read("reports/report")
    with database.temporary("valued", values, parameters):
        rows = database.records("select rowid as row_id, * from valued")
        _add_statistics(question, testing, rows)
        leading = ("dataset", "judgment_set")
        with paired_values.statistics_table(database, _STATISTICS, rows):
            file, shown = "reports/leaderboard", {**parameters, "shown": limit}
            return Rows.of(database, file, shown, question.by, leading), rows


def _tell_weighted(question: Question, rows: Sequence[Record]) -> None:
    """Report another first run with the weights of the queries: none is tested."""
    measure = question.measures[0].name
    boards: dict[str, list[Record]] = {}
    for row in rows:
        values = (row["value"], row["weighted_value"])
        if row["measure"] == measure and None not in values:
            boards.setdefault(row["dataset"], []).append(row)
    for board in boards.values():
        first = max(board, key=lambda row: row["value"])
        other = max(board, key=lambda row: row["weighted_value"])
        if other["weighted_value"] > first["weighted_value"]:
            question.messages.warn(
                f"with the weights of the queries, run {quoted(other['run'])} is first"
                f" by {measure}: {other['weighted_value']:.4f}, and"
                f" {quoted(first['run'])} has {first['weighted_value']:.4f};"
                " order and tests are without weights"
            )


def _add_statistics(
    question: Question, testing: Testing, rows: Sequence[Record]
) -> None:
    """Add to each row its interval, and its groups among the runs of its slice."""
    reasons = {
        measure.name: paired_values.no_mean(measure) for measure in question.measures
    }
    boards: dict[tuple[str, str, str | None], list[Record]] = {}
    for row in rows:
        row |= dict.fromkeys(_STATISTICS) | {"note": reasons[row["measure"]]}
        error, n = row["standard_error"], row["n"]
        if error is not None and n > 1:
            reach = statistics.critical(n, testing.alpha) * error
            row["ci_low"] = float(row["value"] - reach)
            row["ci_high"] = float(row["value"] + reach)
        if row["value"] is not None:
            key = (row["dataset"], row["measure"], row["slice"])
            boards.setdefault(key, []).append(row)
    tested = [measure for measure in question.measures if not reasons[measure.name]]
    queries = max((row["answered"] + row["unanswered"] for row in rows), default=0)
    # They are tested together unless their values are many.
    many = queries * len(question.pairs) * len(tested) > paired_values.AT_ONCE
    runs: dict[int, list[int]] = {}
    for run_id, set_id in question.pairs:
        runs.setdefault(set_id, []).append(run_id)
    tables = [
        (set_id, some)
        for set_id in runs
        for some in ([[measure] for measure in tested] if many else [tested])
        if some
    ]
    entries = {run.id: run for run in question.runs}
    for set_id, measures in progress.each(tables, "testing", "measures"):
        chosen = [entries[run_id] for run_id in runs[set_id]]
        dataset, ids = chosen[0].dataset, {run.name: run.id for run in chosen}
        values = paired_values.values_of_runs(
            question.database, measures, [*ids.values()], set_id, bool(question.by)
        )
        for measure in measures:
            sign = 1 if measure.family.lowest_is_best else -1
            for (_, part), columns in values[measure.name].items():
                ranked = boards.get((dataset, measure.name, part), [])
                ranked.sort(key=lambda row: sign * row["value"])
                own = [columns[ids[row["run"]]] for row in ranked]
                if own:
                    _add_groups(ranked, own, testing, measure)


def _add_groups(
    ranked: Sequence[Record],
    columns: Sequence[Floats],
    testing: Testing,
    measure: Measure,
) -> None:
    """Add the groups of the runs of one slice, the best first, by their values."""
    table, few = paired_values.complete(columns)
    if few:
        for row in ranked:
            row["note"] = few
        return
    n = len(table)
    separated, note = _separated(table, testing)
    groups = letters(separated.tolist())
    for row, own, apart in zip(ranked, groups, separated, strict=True):
        notes = [note] if note else []
        if n != row["n"]:
            notes.append(f"groups from {n} queries with a value for every run")
        # A single run is not separated from any other.
        is_alone = 0 < int(apart.sum()) == len(ranked) - 1
        is_separated = measure.family.can_improve and is_alone
        row |= {"groups": own, "is_separated": is_separated, "tested_n": n}
        row["note"] = "; ".join(notes) or None


def _separated(table: Floats, testing: Testing) -> tuple[NDArray[np.bool_], str]:
    """Return which pairs of runs a test separates, and how it was approximated.

    table has a row for each query and a column for each run.
    """
    runs = table.shape[1]
    separated = np.zeros((runs, runs), bool)
    if runs < 2:
        return separated, ""
    if testing.correct == "tukey":
        p, how = statistics.tukey(table, testing.resamples, testing.seed)
        separated = p < testing.alpha
        np.fill_diagonal(separated, val=False)
        return separated, "groups by a normal approximation" * (how == "normal")
    pairs = list(combinations(range(runs), 2))
    p_values = [
        paired_values.deciding_p(Differences.between(table[:, j], table[:, i]), testing)
        for i, j in progress.each(pairs, "comparing", "pairs")
    ]
    corrected = statistics.adjusted(p_values, testing.correct)
    for (i, j), p in zip(pairs, corrected, strict=True):
        separated[i, j] = separated[j, i] = testing.is_sure(p)
    return separated, ""
