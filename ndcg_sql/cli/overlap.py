"""ndcg-sql overlap: how similar two runs are."""

from ndcg_sql.cli.asking import question
from ndcg_sql.requests.questions import OverlapRequest

app = question(
    "overlap",
    OverlapRequest,
    epilog="ndcg-sql overlap bm25 hybrid",
    help="Show how similar two runs are: their rank-biased overlap, without judgments.",
)
