"""Runs without an order: all documents of nearly every query have the same score."""

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.loading.likeness import NEARLY_ALL
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, Wording, use

# Of how many queries that is told at least: a few may have equal scores by chance.
_FEW = 5
# To look at the queries of a large run takes longer, and most have no such hits.
_TIED = (
    "select count(*) from hits where tie_first = 1 and tie_last > 1"
    " and run_id = $run_id and judgment_set_id = $judgment_set_id"
)


def warnings(database: Database, name: str, pair: Pair) -> list[Wording]:
    """Return a warning if scores do not order a run, whose positions are by score.

    Only queries with a judged document in the run are looked at, whose hits are
    stored.
    """
    run_id, judgment_set_id = pair
    ids = {"run_id": run_id, "judgment_set_id": judgment_set_id}
    [(tied,)] = database.execute(_TIED, ids)
    if tied < _FEW:
        return []
    [(constant, count)] = database.run("warnings/constant_scores", ids)
    if constant < max(_FEW, NEARLY_ALL * count):
        return []
    return [
        Text(
            f"run {quoted(name)}: all documents have the same score in {constant} of"
            f" {counted(count, 'query', 'queries')} with several documents and a judged"
            " one; positions there are by document id, descending; to leave this"
            " unsaid: ",
            use(position_rule="score"),
        )
    ]
