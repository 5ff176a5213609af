"""How similar two runs are, and what each finds alone."""

from ndcg_sql.comparison.answers import Answer, Context, Rows
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.text import quoted

_RELEVANT = "from judgments where judgment_set_id = $id and grade >= 1 limit 1"


def overlap(
    context: Context,
    names: tuple[str, str],
    p: float,
    judgments: str | None,
    dataset: str | None,
    per_query: bool,
) -> Answer:
    """Return the rank-biased overlap of two runs.

    p is the probability that a reader goes on to the next document (Webber, Moffat &
    Zobel 2010, ACM TOIS 28(4)). Relevant documents are those of the judgment set that
    is named, or else of the newest one, if there is any.
    """
    database, messages = context
    run, other = (
        entries.choose_entry(database, "run", name, dataset) for name in names
    )
    if run.id == other.id:
        raise NdcgSqlError(f"run {quoted(run.name)} is named twice", "name another")
    entries.check_same_dataset("run", run, other, "their queries differ")
    entries.check_rankings([run, other], "overlap")
    chosen = next(reversed(entries.judgment_sets(database, run.dataset)), None)
    if judgments is not None:
        chosen = entries.choose_entry(database, "judgment set", judgments, run.dataset)
    if chosen and not database.execute(_RELEVANT, {"id": chosen.id}):
        messages.warn(
            f"judgment set {quoted(chosen.name)} has no grade of 1 or more, so that no"
            " document counts as relevant"
        )
    parameters = {
        "run_id": run.id,
        "run": run.name,
        "other_run_id": other.id,
        "other_run": other.name,
        "judgment_set_id": chosen and chosen.id,
        "judgment_set": chosen and chosen.name,
        "p": p,
    }
    rows = Rows.of(database, "reports/overlap_queries", parameters)
    if not per_query:
        with database.hide("overlap_queries", f"from {rows.table}"):
            rows = Rows.of(database, "reports/overlap", parameters)
    return Answer("overlap", rows)
