"""What changed from one judgment set to another: judgments, values, order of runs."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.answers import Answer, Record, Rows, limited
from ndcg_sql.comparison.paired import complete, no_mean, values_of_runs
from ndcg_sql.comparison.statistics import Differences
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry, choose_entry, choose_runs, with_rankings
from ndcg_sql.evaluation.question import (
    Question,
    choose_fitting,
    choose_measures,
    of_queries,
)
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.measures.names import Measure
from ndcg_sql.requests.comparisons import ChangesRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted, sql_text
from ndcg_sql.wording import named as named_field

_ALPHA = 0.05
_COLUMNS = ("decided", "upheld", "lost", "turned", "added")
# What two judgment sets decide about pairs of runs.
_DECISIONS = "decisions"


def answer(database: Database, messages: Messages, request: ChangesRequest) -> Answer:
    """Return what changed from one judgment set to another.

    It is the means of the same runs, the values of queries that changed, how far the
    order of the runs agrees, or the judgments themselves.
    Raises NdcgSqlError where a name is not known.
    """
    old, new = _choose_sets(database, (request.old, request.new), request.dataset)
    parameters: Parameters = {
        "other_judgment_set_id": old.id,
        "judgment_set_id": new.id,
    }
    added, removed, regraded, queries = database.run(
        "lookups/counted_changes", parameters
    )[0]
    messages.tell(
        f"from {quoted(old.name)} to {quoted(new.name)}: {counted(added, 'judgment')}"
        f" added, {removed} removed, {regraded} regraded in"
        f" {counted(queries, 'query', 'queries')}"
    )
    if request.documents:
        rows = Rows.of(database, "reports/changed_judgments", parameters)
        rows = limited(rows, messages, request.limit)
        return Answer("changes", request, rows)
    measures = choose_measures(database, request.measures)
    runs = choose_runs(database, request.runs, old.dataset)
    runs = with_rankings(messages, runs, request.runs, "changes")
    pairs = [(run.id, entry.id) for run in runs for entry in (old, new)]
    named = request.names_measures
    if not named:
        measures = choose_fitting(database, measures, pairs, messages)
    measures = of_queries(measures, "a change of values", named, messages)
    question = Question(measures, tuple(runs), tuple(pairs))
    run_ids = [run.id for run in runs]
    kind = "values" if request.per_query else "means"
    parameters = {**question.parameters, **parameters, "run_ids": run_ids}
    if request.order and len(runs) < 2:
        raise NdcgSqlError("needs two runs or more", where=named_field("order"))
    with known_values(database, measures, pairs, alone=True, named=named):
        if request.order:
            rows = _orders(database, question, parameters)
            return Answer("orders", request, rows)
        rows = Rows.of(database, f"reports/changed_{kind}", parameters)
        rows = limited(rows, messages, request.limit, "run", "measure")
        if not request.per_query:
            for line in _order_lines(database, parameters):
                messages.tell(line)
    return Answer("changes", request, rows)


def _choose_sets(
    database: Database, names: tuple[str, str], dataset: str | None
) -> tuple[Entry, Entry]:
    old, new = (choose_entry(database, "judgment set", n, dataset) for n in names)
    if old.dataset != new.dataset:
        raise NdcgSqlError(
            f"judgment set {quoted(old.name)} belongs to dataset"
            f" {quoted(old.dataset)}, {quoted(new.name)} to {quoted(new.dataset)}:"
            " their queries differ"
        )
    if old == new:
        raise NdcgSqlError(
            f"judgment set {quoted(old.name)} is named twice; name another"
        )
    return old, new


def _order_lines(database: Database, parameters: Parameters) -> list[str]:
    """Return a line for each measure: how far two orders of the same runs agree."""
    nothing = [dict.fromkeys(_COLUMNS) | {"measure": ""}]
    sql = sql_files.read("reports/orders_of_systems")
    with database.temporary(_DECISIONS, _decisions(nothing)):
        rows = database.records(sql, parameters)
    return [f"{row['measure']}: {sentence(row)}" for row in rows if row["runs"] > 1]


def sentence(row: Record) -> str:
    """Return how far two orders of the same runs agree."""
    if row["kendall_tau"] is None:
        return (
            f"a judgment set gives all {row['runs']} runs the same value, so that there"
            " is no order to compare"
        )
    tied = row["tied_pairs"]
    tie = "ties, and counts" if tied == 1 else "tie, and count"
    return (
        f"the order of {row['runs']} runs agrees with Kendall's tau"
        f" {row['kendall_tau']:.4f}, tau_AP {row['tau_ap']:.4f}"
        + f"; {counted(tied, 'pair')} of them {tie} half in tau_AP"
        * bool(tied)
    )


def _orders(database: Database, question: Question, parameters: Parameters) -> Rows:
    """Return how far two orders of the same runs agree, and on which pairs.

    A pair of runs is decided by a judgment set if Student's test of their paired
    values is significant at 0.05, corrected for all pairs by Holm's method: upheld
    where both sets decide alike, turned where they decide for another run, lost or
    added where only the old one or only the new one decides.
    """
    run_ids = [run.id for run in question.runs]
    old, new = parameters["other_judgment_set_id"], parameters["judgment_set_id"]
    decided: list[Record] = []
    for measure in question.measures:
        row: Record = {"measure": measure.name} | dict.fromkeys(_COLUMNS)
        if not no_mean(measure):
            before, after = (
                _winners(database, measure, run_ids, s) for s in (old, new)
            )
            pairs = list(zip(before, after, strict=True))
            row |= {
                "decided": sum(one != 0 for one, _ in pairs),
                "upheld": sum(one == other != 0 for one, other in pairs),
                "lost": sum(one != 0 == other for one, other in pairs),
                "turned": sum(one * other < 0 for one, other in pairs),
                "added": sum(one == 0 != other for one, other in pairs),
            }
        decided.append(row)
    with database.temporary(_DECISIONS, _decisions(decided)):
        return Rows.of(database, "reports/orders_of_systems", parameters)


def _winners(
    database: Database, measure: Measure, run_ids: Sequence[int], set_id: int
) -> list[int]:
    """Return which of each two runs a judgment set decides for.

    It is 1 for the first, -1 for the second, and 0 where nothing is significant.
    """
    pairs = list(combinations(range(len(run_ids)), 2))
    columns = values_of_runs(database, measure, run_ids, set_id, sliced=False)
    by_run = columns.get((None, None), {})
    table, few = complete(by_run[run_id] for run_id in run_ids)
    if few:
        return [0] * len(pairs)
    differences = [
        # Differences that differ only in the last bits are counted together.
        Differences.of(np.round(table[:, i] - table[:, j], 12))
        for i, j in pairs
    ]
    p_values = statistics.adjusted([statistics.t_test(d) for d in differences], "holm")
    return [
        int(np.sign(one.mean)) if p is not None and p < _ALPHA else 0
        for one, p in zip(differences, p_values, strict=True)
    ]


def _decisions(records: Sequence[Record]) -> str:
    return " union all ".join(
        f"select {sql_text(row['measure'])} as measure, "
        + ", ".join(
            f"cast({'null' if row[name] is None else row[name]} as bigint) as {name}"
            for name in _COLUMNS
        )
        for row in records
    )
