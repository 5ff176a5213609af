"""Values of runs with judgment sets, stored where they are not stored yet."""

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import judgment_sets
from ndcg_sql.evaluation.fitting import left_out
from ndcg_sql.evaluation.question import resolve_runs
from ndcg_sql.evaluation.values import evaluate_missing
from ndcg_sql.requests.changes import EvaluateRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted


def evaluate_pairs(
    database: Database, messages: Messages, request: EvaluateRequest
) -> None:
    """Evaluate the runs of a request with its judgment sets; report what was done."""
    chosen, pairs = resolve_runs(database, messages, request)
    names = {entry.id: entry.name for entry in chosen}
    sets = {entry.id: entry.name for entry in judgment_sets(database)}
    done = evaluate_missing(database, pairs)
    warnings = left_out(database, [set_id for _, set_id in done])
    for run_id, set_id in done:
        messages.tell(
            f"evaluated run {quoted(names[run_id])} with {quoted(sets[set_id])}"
        )
    for line in warnings:
        messages.warn(line)
    if not done:
        messages.tell("all of these are already evaluated; nothing to do")
