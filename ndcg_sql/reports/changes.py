"""What changed from one judgment set to another: judgments, values, order of runs."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.answers import (
    Answer,
    Context,
    Record,
    Rows,
    limited,
    select_records,
)
from ndcg_sql.comparison.paired_values import complete, no_mean, values_of_runs
from ndcg_sql.comparison.statistics import Differences, Floats
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.evaluation.question import (
    Question,
    choose_fitting,
    choose_measures,
    of_queries,
)
from ndcg_sql.measures.names import Measure
from ndcg_sql.options import Scope
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import named as named_field

_ALPHA = 0.05
_SETS = ("judgment_set_id", "other_judgment_set_id")
# The columns of orders of runs, in their order.
_ORDER = {
    "measure": "varchar",
    "runs": "bigint",
    "kendall_tau": "double",
    "tau_ap": "double",
    "tied_pairs": "bigint",
    "places_lost": "bigint",
    "fallen_run": "varchar",
    "swaps": "varchar[][]",
    **dict.fromkeys(("decided", "upheld", "lost", "turned", "added"), "bigint"),
}


def judgments(
    context: Context, sets: tuple[str, str], scope: Scope, limit: int | None
) -> Answer:
    """Return the judgments that differ between two judgment sets."""
    database, messages = context
    parameters, *_ = _compared(context, sets, scope.dataset)
    rows = Rows.of(database, "reports/changed_judgments", parameters)
    return Answer("changes", limited(rows, messages, limit))


def values(
    context: Context,
    sets: tuple[str, str],
    scope: Scope,
    per_query: bool,
    order: bool,
    limit: int | None,
) -> Answer:
    """Return which values another judgment set changes.

    They are the means of the same runs, the values of queries that changed, or how far
    the order of the runs agrees. Raises NdcgSqlError where a name is not known.
    """
    database, messages = context
    parameters, old, new = _compared(context, sets, scope.dataset)
    measures = choose_measures(database, scope.measures)
    runs = entries.choose_runs(database, scope.runs, old.dataset)
    runs = entries.with_rankings(messages, runs, scope.runs, "changes")
    pairs = [(run.id, entry.id) for run in runs for entry in (old, new)]
    named = scope.names_measures
    if not named:
        measures = choose_fitting(database, measures, pairs, messages)
    measures = of_queries(measures, "a change of values", named, messages)
    if order and len(runs) < 2:
        raise NdcgSqlError("needs two runs or more", where=named_field("order"))
    about = tuple(runs), tuple(pairs), (), named
    question = Question(*context, measures, *about)
    run_ids = [run.id for run in runs]
    parameters |= {"run_ids": run_ids, "measures": [m.name for m in measures]}
    kind = "values" if per_query else "means"
    orders: list[Record] = []
    with question.known_values(alone=True):
        rows = Rows.of(database, f"reports/changed_{kind}", parameters)
        for measure in measures if not per_query else ():
            own = [row for row in rows.records if row["measure"] == measure.name]
            if agreement := _order(own):
                if order and not no_mean(measure):
                    agreement |= _decisions(database, measure, run_ids, parameters)
                agreement |= {"measure": measure.name}
                orders.append(dict.fromkeys(_ORDER) | agreement)
    if order:
        select = select_records(_ORDER)
        return Answer("orders", Rows.selected(database, select, {"rows": orders}))
    rows = limited(rows, messages, limit, "run", "measure")
    for agreement in orders:
        messages.tell(f"{agreement['measure']}: {sentence(agreement)}")
    return Answer("changes", rows)


def _compared(
    context: Context, sets: tuple[str, str], dataset: str | None
) -> tuple[Parameters, Entry, Entry]:
    """Return the parameters of two judgment sets, and the two; report how they differ.

    Raises NdcgSqlError where they cannot be compared.
    """
    database, messages = context
    old, new = (
        entries.choose_entry(database, "judgment set", name, dataset) for name in sets
    )
    entries.check_same_dataset("judgment set", old, new, "their queries differ")
    if old == new:
        what = f"judgment set {quoted(old.name)} is named twice"
        raise NdcgSqlError(what, "name another")
    parameters: Parameters = dict(zip(_SETS, (new.id, old.id), strict=True))
    [counts] = database.run("lookups/counted_changes", parameters)
    added, removed, regraded, queries = counts
    messages.tell(
        f"from {quoted(old.name)} to {quoted(new.name)}: {counted(added, 'judgment')}"
        f" added, {removed} removed, {regraded} regraded in"
        f" {counted(queries, 'query', 'queries')}"
    )
    return parameters, old, new


def sentence(row: Record) -> str:
    """Return how far two orders of the same runs agree."""
    if row["kendall_tau"] is None:
        return (
            f"a judgment set gives all {row['runs']} runs the same value, so that there"
            " is no order to compare"
        )
    agreement = (
        f"the order of {row['runs']} runs agrees with Kendall's tau"
        f" {row['kendall_tau']:.4f}, tau_AP {row['tau_ap']:.4f}"
    )
    if not (tied := row["tied_pairs"]):
        return agreement
    tie = "ties, and counts" if tied == 1 else "tie, and count"
    return f"{agreement}; {counted(tied, 'pair')} of them {tie} half in tau_AP"


def _order(rows: Sequence[Record]) -> Record:
    """Return how far the orders of runs by their old and new means agree.

    It is Kendall's tau-b, and tau_AP (Yilmaz, Aslam & Robertson 2008, SIGIR), to which
    the new order is an estimate of the old one, so that errors at its top weigh more. A
    pair that is tied in either order counts half in tau_AP. Both are None where an
    order ties all runs. The swaps are the pairs of runs that change places, the one
    that falls first. There is no order of fewer than two runs.
    """
    rows = [r for r in rows if None not in (r["old_value"], r["new_value"])]
    if len(rows) < 2:
        return {}
    old, new = (np.array([row[n] for row in rows]) for n in ("old_value", "new_value"))
    # Which runs are better; values that differ only in the last bits are the same.
    before, after = (np.sign(np.round(v - v[:, None], 12)) for v in (old, new))
    untied = np.abs(before).sum() * np.abs(after).sum()
    ties = (before == 0) | (after == 0)
    weights = np.where(after == 0, 0.5, after > 0)
    np.fill_diagonal(weights, 0)
    ranked = weights[weights.any(axis=1)]
    right = (weights * np.where(ties, 0.5, before > 0))[weights.any(axis=1)]
    shares = right.sum(axis=1) / ranked.sum(axis=1)
    places, new_places = ((v > v[:, None]).sum(axis=1) for v in (old, new))
    lost = new_places - places
    fallen = int(np.lexsort((places, -lost))[0])
    swaps = np.argwhere((before < 0) & (after > 0))
    return {
        "runs": len(rows),
        "kendall_tau": (before * after).sum() / np.sqrt(untied) if untied else None,
        "tau_ap": 2 * shares.mean() - 1 if untied else None,
        "tied_pairs": int(ties.sum() - len(rows)) // 2,
        "places_lost": int(lost[fallen]),
        "fallen_run": rows[fallen]["run"] if lost[fallen] > 0 else None,
        "swaps": [[rows[run]["run"] for run in pair] for pair in swaps],
    }


def _decisions(
    database: Database, measure: Measure, run_ids: Sequence[int], sets: Parameters
) -> Record:
    """Return on which pairs of runs two judgment sets decide alike.

    A pair of runs is decided by a judgment set if Student's test of their paired
    values is significant at 0.05, corrected for all pairs by Holm's method: upheld
    where both sets decide alike, turned where they decide for another run, lost or
    added where only the old one or only the new one decides.
    """
    after, before = (_winners(database, measure, run_ids, sets[key]) for key in _SETS)
    pairs = {
        "decided": before != 0,
        "upheld": before * after > 0,
        "lost": (before != 0) & (after == 0),
        "turned": before * after < 0,
        "added": (before == 0) & (after != 0),
    }
    return {name: int(holds.sum()) for name, holds in pairs.items()}


def _winners(
    database: Database, measure: Measure, run_ids: Sequence[int], set_id: int
) -> Floats:
    """Return for which of two runs a judgment set decides: 1 or -1, or 0 for none."""
    pairs = list(combinations(range(len(run_ids)), 2))
    values = values_of_runs(database, [measure], run_ids, set_id, sliced=False)
    by_run = values[measure.name].get((None, None), {})
    table, few = complete(by_run[run_id] for run_id in run_ids)
    if few:
        return np.zeros(len(pairs))
    tested = [Differences.between(table[:, j], table[:, i]) for i, j in pairs]
    p_values = statistics.adjusted([statistics.t_test(d) for d in tested], "holm")
    means = np.sign([differences.mean for differences in tested])
    return means * [p is not None and p < _ALPHA for p in p_values]
